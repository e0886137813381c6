"""Encrypts and decrypts the private keys of AS2 identities, and AS2 receipts."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime

from longshore.as2.algorithms import Mic
from longshore.as2.certificates import PemKeyPair
from longshore.domain.as2.model import As2Keys, AwaitedReceipt, ReceiptResult, ReceiptToSend
from longshore.domain.as2.store import (
    KEYS_ROW_KIND,
    RECEIPT_ROW_KIND,
    NewReceiptRow,
    StoredAs2Identity,
    StoredAs2Receipt,
)
from longshore.domain.encryption import (
    decrypt_row,
    encrypt_row,
    key_for_row,
    row_associated_data,
)
from longshore.domain.ports import AssociatedData, SealBrokenError, Sealer
from longshore.domain.units import WriteUnit


def private_keys_text(pairs: Sequence[PemKeyPair]) -> bytes:
    """Return private keys as they are encrypted."""
    return json.dumps([pair.private_key for pair in pairs]).encode()


def open_keys(sealer: Sealer, stored: StoredAs2Identity) -> As2Keys:
    """Return an identity with its private keys.

    Raises:
        SealBrokenError: They are not what was stored in this row.
    """
    opened = decrypt_row(sealer, _associated_data(stored), stored.wrapped_key, stored.private_keys)
    certificates = stored.identity.certificates
    try:
        texts = list(json.loads(opened))
        pairs = [PemKeyPair(of, key) for of, key in zip(certificates, texts, strict=True)]
    except (ValueError, TypeError) as error:
        raise SealBrokenError("the keys of an AS2 identity are no keys") from error
    return As2Keys(name=stored.identity.name, pairs=tuple(pairs))


def with_keys(
    sealer: Sealer, stored: StoredAs2Identity, pairs: Sequence[PemKeyPair]
) -> StoredAs2Identity:
    """Return an identity with other keys, one version after those it has."""
    certificates = tuple(pair.certificate for pair in pairs)
    changed = replace(
        stored,
        identity=replace(stored.identity, certificates=certificates),
        sealed_version=stored.sealed_version + 1,
    )
    wrapped_key, sealed = encrypt_row(sealer, _associated_data(changed), private_keys_text(pairs))
    return replace(changed, wrapped_key=wrapped_key, private_keys=sealed)


def _associated_data(stored: StoredAs2Identity) -> AssociatedData:
    own = stored.identity
    return row_associated_data(
        KEYS_ROW_KIND, own.account_id, own.environment, own.id, stored.sealed_version
    )


async def store_receipt(
    unit: WriteUnit,
    sealer: Sealer,
    new: NewReceiptRow,
    receipt: AwaitedReceipt | ReceiptToSend,
    now: datetime,
) -> None:
    """Store a receipt with what it holds, encrypted."""
    key = sealer.new_key()
    key_for = key_for_row(sealer, key, RECEIPT_ROW_KIND, (new.account_id, new.environment))
    await unit.as2_receipts.insert(new, key_for, sealer.seal(key, _receipt_text(receipt)), now)


async def change_receipt(
    unit: WriteUnit,
    sealer: Sealer,
    stored: StoredAs2Receipt,
    receipt: AwaitedReceipt | ReceiptToSend,
    now: datetime,
) -> None:
    """Store what a receipt holds by now; its row is locked by the unit."""
    changed = replace(stored, sealed_version=stored.sealed_version + 1)
    wrapped_key, facts = encrypt_row(sealer, _of_receipt(changed), _receipt_text(receipt))
    changed = replace(changed, wrapped_key=wrapped_key, facts=facts)
    is_changed = await unit.as2_receipts.change(changed, now)
    assert is_changed  # nobody else changes a row that is locked


def open_awaited_receipt(sealer: Sealer, stored: StoredAs2Receipt) -> AwaitedReceipt:
    """Return a receipt that is awaited.

    Raises:
        SealBrokenError: It is not what was stored in this row.
    """
    facts = decrypt_row(sealer, _of_receipt(stored), stored.wrapped_key, stored.facts)
    try:
        members = json.loads(facts)
        mics = [Mic(b64decode(digest), name) for name, digest in members["mics"].items()]
        result = members["result"]
        return AwaitedReceipt(
            mics=tuple(mics), result=None if result is None else ReceiptResult(**result)
        )
    except (ValueError, TypeError, KeyError) as error:
        raise SealBrokenError("an awaited AS2 receipt is none") from error


def open_receipt_to_send(sealer: Sealer, stored: StoredAs2Receipt) -> ReceiptToSend:
    """Return a receipt that is to be sent.

    Raises:
        SealBrokenError: It is not what was stored in this row.
    """
    facts = decrypt_row(sealer, _of_receipt(stored), stored.wrapped_key, stored.facts)
    try:
        members = json.loads(facts)
        return ReceiptToSend(**members | {"entity": b64decode(members["entity"])})
    except (ValueError, TypeError, KeyError) as error:
        raise SealBrokenError("an AS2 receipt to be sent is none") from error


def _receipt_text(receipt: AwaitedReceipt | ReceiptToSend) -> bytes:
    members = asdict(receipt)
    if isinstance(receipt, AwaitedReceipt):
        members["mics"] = {mic.algorithm: b64encode(mic.digest).decode() for mic in receipt.mics}
    else:
        members["entity"] = b64encode(receipt.entity).decode()
    return json.dumps(members).encode()


def _of_receipt(stored: StoredAs2Receipt) -> AssociatedData:
    new = stored.new
    return row_associated_data(
        RECEIPT_ROW_KIND, new.account_id, new.environment, stored.id, stored.sealed_version
    )
