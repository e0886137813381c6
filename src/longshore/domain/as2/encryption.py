"""Encrypts and decrypts the private keys of AS2 identities."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from longshore.as2.certificates import PemKeyPair
from longshore.domain.as2.model import As2Keys
from longshore.domain.as2.store import KEYS_ROW_KIND, StoredAs2Identity
from longshore.domain.encryption import decrypt_row, encrypt_row, row_associated_data
from longshore.domain.ports import AssociatedData, SealBrokenError, Sealer


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
