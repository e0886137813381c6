"""Stores acknowledgements inside a write unit, which belongs to another use case; opens them.

The errors are sealed, as one text of JSON: they hold values of documents.
"""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from datetime import datetime

from longshore.domain.acks.model import (
    Ack,
    AckClaim,
    AckError,
    AckErrorLevel,
    AckFacts,
    AckId,
    ClaimCounts,
    ClaimResult,
    NewAck,
)
from longshore.domain.acks.store import ROW_KIND, SealedErrors, StoredAck
from longshore.domain.encryption import decrypt_row, encrypt_row, key_for_row, row_associated_data
from longshore.domain.ports import AccountId, SealBrokenError, Sealer
from longshore.domain.transactions.encryption import open_business_key
from longshore.domain.units import WriteUnit


async def store_ack(
    unit: WriteUnit, sealer: Sealer, account_id: AccountId, new: NewAck, now: datetime
) -> AckId:
    """Store a row; return its id."""
    key = sealer.new_key()
    facts = sealer.seal(key, _text_of(new.facts))
    key_for = key_for_row(sealer, key, ROW_KIND, (account_id, new.environment))
    return await unit.acks.insert(account_id, new, facts, key_for, now)


async def answer_ack(
    unit: WriteUnit, sealer: Sealer, stored: StoredAck, new: NewAck, now: datetime
) -> bool:
    """Make a row what was answered; False if it was changed since ``stored`` was read."""
    ack, version = stored.ack, stored.sealed.version + 1
    associated_data = row_associated_data(
        ROW_KIND, ack.account_id, ack.row.environment, ack.id, version
    )
    wrapped_key, facts = encrypt_row(sealer, associated_data, _text_of(new.facts))
    sealed = SealedErrors(version=version, wrapped_key=wrapped_key, facts=facts)
    return await unit.acks.answer(ack.id, stored.version, new, sealed, now)


def open_ack(sealer: Sealer, stored: StoredAck) -> Ack:
    """Return a stored row with its errors; ``business_key`` stays ``""``.

    Raises:
        SealBrokenError: They are not what was stored in this row.
    """
    ack, sealed = stored.ack, stored.sealed
    associated_data = row_associated_data(
        ROW_KIND, ack.account_id, ack.row.environment, ack.id, sealed.version
    )
    text = decrypt_row(sealer, associated_data, sealed.wrapped_key, sealed.facts)
    facts = _with_sealed(ack.row.facts, text)
    return replace(ack, row=replace(ack.row, facts=facts))


def open_named_ack(sealer: Sealer, stored: StoredAck) -> Ack:
    """Return the same with the business key of what it is about, for somebody to look at.

    Of a transaction that is damaged it stays ``""``: whoever opens it gets the error.

    Raises:
        SealBrokenError: As ``open_ack``.
    """
    ack = open_ack(sealer, stored)
    try:
        return replace(ack, business_key=_business_key(sealer, stored))
    except SealBrokenError:
        return ack


def _business_key(sealer: Sealer, stored: StoredAck) -> str:
    owner = (stored.ack.account_id, stored.ack.row.environment)
    transaction_id = stored.ack.row.transaction_id
    if transaction_id is None or stored.about is None:
        return ""
    return open_business_key(sealer, owner, transaction_id, stored.about)


def _text_of(facts: AckFacts) -> bytes:
    """Return what is sealed: a list of errors, or an object with the claims of a 277CA as well."""
    errors = [asdict(each) for each in facts.errors]
    if facts.claim_counts is None:
        return json.dumps(errors).encode()
    claims = [asdict(each) for each in facts.claims]
    counts = asdict(facts.claim_counts)
    return json.dumps({"errors": errors, "claims": claims, "counts": counts}).encode()


def _with_sealed(facts: AckFacts, text: bytes) -> AckFacts:
    sealed = json.loads(text)
    has_claims = isinstance(sealed, dict)
    errors = tuple(
        AckError(**{**each, "level": AckErrorLevel(each["level"])})
        for each in (sealed["errors"] if has_claims else sealed)
    )
    if not has_claims:
        return replace(facts, errors=errors)
    return replace(
        facts,
        errors=errors,
        claims=tuple(
            AckClaim(**{**each, "result": ClaimResult(each["result"])}) for each in sealed["claims"]
        ),
        claim_counts=ClaimCounts(**sealed["counts"]),
    )
