"""Stores receipts and interchanges inside a write unit of another use case, and opens them.

Sealing takes the longer the more bytes there are, so it happens before the unit (``seal_content``);
inside it the key is wrapped for the row that was just made.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Final

from longshore.domain.encryption import decrypt_row, key_for_row, row_associated_data
from longshore.domain.interchanges.store import (
    INTERCHANGE_ROW_KIND,
    RECEIPT_ROW_KIND,
    Interchange,
    NewInterchange,
    NewReceipt,
    ReceiptId,
    SealedContent,
    StoredReceipt,
)
from longshore.domain.ports import AccountId, AssociatedData, DataKey, SealBrokenError, Sealer
from longshore.domain.transactions.model import InterchangeId
from longshore.domain.units import WriteUnit

_HASH: Final = "sha256"


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedParts:
    """Bytes and facts on their way into a unit, and the key that both are sealed under."""

    key: DataKey
    content: SealedContent


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedContent:
    """Stored content that was opened: its hash was compared."""

    content: bytes
    facts: Mapping[str, object]
    """As they were given."""
    sha256: str
    """Of the bytes, in hexadecimal."""


def seal_content(sealer: Sealer, content: bytes, facts: Mapping[str, object]) -> SealedParts:
    """Return bytes, and what is reported them to people, sealed under a key of their own.

    ``facts`` is what JSON can say; no member is called ``sha256``, which is added.
    """
    key = sealer.new_key()
    text = json.dumps({**facts, _HASH: sha256(content).hexdigest()}).encode()
    sealed = SealedContent(facts=sealer.seal(key, text), content=sealer.seal(key, content))
    return SealedParts(key=key, content=sealed)


async def store_receipt(
    unit: WriteUnit,
    sealer: Sealer,
    account_id: AccountId,
    new: NewReceipt,
    parts: SealedParts,
    now: datetime,
) -> ReceiptId:
    """Store bytes that came in; return the id of the receipt."""
    owner = (account_id, new.environment)
    key_for = key_for_row(sealer, parts.key, RECEIPT_ROW_KIND, owner)
    return await unit.receipts.insert(account_id, new, parts.content, key_for, now)


async def store_interchange(
    unit: WriteUnit,
    sealer: Sealer,
    account_id: AccountId,
    new: NewInterchange,
    parts: SealedParts,
    now: datetime,
) -> InterchangeId:
    """Store an interchange without its groups; return its id."""
    owner = (account_id, new.environment)
    key_for = key_for_row(sealer, parts.key, INTERCHANGE_ROW_KIND, owner)
    return await unit.interchanges.insert(account_id, new, parts.content, key_for, now)


def open_receipt(sealer: Sealer, receipt: StoredReceipt, sealed: SealedContent) -> OpenedContent:
    """Return the bytes of a receipt.

    Raises:
        SealBrokenError: They are not what was stored in this row.
    """
    owner = (receipt.account_id, receipt.new.environment)
    associated_data = row_associated_data(RECEIPT_ROW_KIND, *owner, receipt.id)
    return _opened(sealer, associated_data, sealed)


def open_interchange(
    sealer: Sealer, interchange: Interchange, sealed: SealedContent
) -> OpenedContent:
    """Return the bytes of an interchange.

    Raises:
        SealBrokenError: They are not what was stored in this row.
    """
    return _opened(sealer, _associated_data(interchange), sealed)


def open_facts(sealer: Sealer, interchange: Interchange, sealed: SealedContent) -> OpenedContent:
    """Return what is reported an interchange to people, whose bytes were not read: ``b""``.

    Raises:
        SealBrokenError: They are not what was stored in this row.
    """
    opened = decrypt_row(sealer, _associated_data(interchange), sealed.wrapped_key, sealed.facts)
    facts, expected = _facts(opened)
    return OpenedContent(content=b"", facts=facts, sha256=expected)


def _associated_data(interchange: Interchange) -> AssociatedData:
    owner = (interchange.account_id, interchange.new.environment)
    return row_associated_data(INTERCHANGE_ROW_KIND, *owner, interchange.id)


def _opened(
    sealer: Sealer, associated_data: AssociatedData, sealed: SealedContent
) -> OpenedContent:
    key = sealer.unwrap(sealed.wrapped_key, associated_data)
    content = sealer.open(key, sealed.content)
    facts, expected = _facts(sealer.open(key, sealed.facts))
    digest = sha256(content).hexdigest()
    # Both are sealed under one key: this tells which is which.
    if not hmac.compare_digest(digest, expected):
        raise SealBrokenError("stored bytes are not those their hash was taken of")
    return OpenedContent(content=content, facts=facts, sha256=digest)


def _facts(opened: bytes) -> tuple[Mapping[str, object], str]:
    """Return the facts and the hash.

    Raises:
        SealBrokenError: They are no facts.
    """
    try:
        facts = json.loads(opened)
        expected = str(facts.pop(_HASH))
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        raise SealBrokenError("the facts of stored bytes are not facts") from error
    return facts, expected
