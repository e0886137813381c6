"""Stores transactions inside a write unit, which belongs to another use case, and opens them.

Business key, references, metadata and last error are sealed as one text of JSON. Each reference is
also kept as a keyed hash, by which a transaction is found.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

from longshore.domain.encryption import (
    Owner,
    decrypt_row,
    encrypt_row,
    key_for_row,
    row_associated_data,
)
from longshore.domain.ports import AccountId, BlindIndex, BlindPurpose, Sealer
from longshore.domain.transactions.model import (
    LastError,
    NewTransaction,
    Reference,
    Transaction,
    TransactionId,
)
from longshore.domain.transactions.store import (
    ROW_KIND,
    SealedFacts,
    SealedTransaction,
    TransactionRow,
)
from longshore.domain.units import WriteUnit


class TransactionWriter:
    """Stores the transactions of one account."""

    def __init__(
        self, unit: WriteUnit, sealer: Sealer, index: BlindIndex, account_id: AccountId
    ) -> None:
        self._transactions = unit.transactions
        self._sealer = sealer
        self._index = index
        self._account_id = account_id

    async def insert(
        self,
        record: NewTransaction,
        now: datetime,
        *,
        group_id: int | None = None,
        digest: bytes | None = None,
    ) -> TransactionId:
        """Store a transaction; return its id.

        Without a business key its first reference is that. ``digest`` is keyed hash of ST to SE
        (``BlindPurpose.SET_BODY``), None where there is none.
        """
        record = replace(record, business_key=record.business_key or _first_value(record))
        owner, key = (self._account_id, record.environment), self._sealer.new_key()
        facts = self._sealer.seal(key, _text_of(record))
        row = TransactionRow(record=record, facts=facts, group_id=group_id, digest=digest)
        key_for = key_for_row(self._sealer, key, ROW_KIND, owner)
        transaction_id = await self._transactions.insert(self._account_id, row, key_for, now)
        digests = {reference_digest(self._index, owner, value) for value in _searched(record)}
        await self._transactions.add_references(owner, transaction_id, sorted(digests))
        return transaction_id

    async def set_last_error(
        self, stored: SealedTransaction, error: LastError | None, now: datetime
    ) -> bool:
        """Note what went wrong last, or that nothing is wrong any more.

        False, and nothing changed, if what is sealed was exchanged since ``stored`` was read.

        Raises:
            SealBrokenError: What is sealed is not what was stored in this row.
        """
        opened = open_transaction(self._sealer, stored)
        version, owner = stored.sealed.version + 1, (opened.account_id, opened.record.environment)
        text = _text_of(replace(opened.record, last_error=error))
        associated_data = row_associated_data(ROW_KIND, *owner, opened.id, version)
        wrapped_key, facts = encrypt_row(self._sealer, associated_data, text)
        new = SealedFacts(version=version, wrapped_key=wrapped_key, facts=facts)
        return await self._transactions.set_facts(opened.id, new, now)


def open_transaction(sealer: Sealer, stored: SealedTransaction) -> Transaction:
    """Return a stored transaction with what is sealed of it.

    Raises:
        SealBrokenError: It is not what was stored in this row.
    """
    given = stored.transaction
    owner = (given.account_id, given.record.environment)
    text = _opened(sealer, owner, given.id, stored.sealed)
    return replace(given, record=_record_of(given.record, text))


def open_business_key(
    sealer: Sealer, owner: Owner, transaction_id: TransactionId, sealed: SealedFacts
) -> str:
    """Return the business key alone of what is sealed of a transaction.

    Raises:
        SealBrokenError: It is not what was stored in this row.
    """
    return str(json.loads(_opened(sealer, owner, transaction_id, sealed))["business_key"])


def _opened(
    sealer: Sealer, owner: Owner, transaction_id: TransactionId, sealed: SealedFacts
) -> bytes:
    associated_data = row_associated_data(ROW_KIND, *owner, transaction_id, sealed.version)
    return decrypt_row(sealer, associated_data, sealed.wrapped_key, sealed.facts)


def reference_digest(index: BlindIndex, owner: Owner, value: str) -> bytes:
    """Return the keyed hash by which a transaction with this reference is found."""
    octets = value.encode("utf-8", "surrogatepass")
    return index.digest(BlindPurpose.REFERENCE, owner, octets)


def _first_value(record: NewTransaction) -> str:
    references = record.facts.references
    return references[0].value if references else ""


def _searched(record: NewTransaction) -> set[str]:
    """Return what a transaction is found by."""
    values = {each.value for each in record.facts.references}
    return (values | {record.business_key}) - {""}


def _text_of(record: NewTransaction) -> bytes:
    facts = {
        "business_key": record.business_key,
        "references": record.facts.references,
        "metadata": dict(record.metadata),
        "last_error": _error_facts(record.last_error),
    }
    return json.dumps(facts).encode()


def _error_facts(error: LastError | None) -> Mapping[str, str] | None:
    if error is None:
        return None
    return {"code": error.code, "message": error.message, "at": error.at.isoformat()}


def _record_of(record: NewTransaction, text: bytes) -> NewTransaction:
    facts = json.loads(text)
    references = tuple(Reference(*each) for each in facts["references"])
    return replace(
        record,
        facts=replace(record.facts, references=references),
        business_key=facts["business_key"],
        metadata=facts["metadata"],
        last_error=_error_of(facts["last_error"]),
    )


def _error_of(facts: Mapping[str, str] | None) -> LastError | None:
    if facts is None:
        return None
    at = datetime.fromisoformat(facts["at"]).replace(tzinfo=UTC)
    return LastError(code=facts["code"], message=facts["message"], at=at)
