"""Encrypts columns of rows: each row under a key of its own, which is bound to the row.

A row whose id is known is encrypted by ``encrypt_row``. A new row gets its id inside the unit, so
its content is encrypted before with a key from the ``Sealer``, and ``key_for_row`` wraps that key
when the store knows the id.
"""

from __future__ import annotations

from longshore.domain.ports import AccountId, AssociatedData, DataKey, KeyForRow, Sealer
from longshore.kit.environment import Environment

Owner = tuple[AccountId, Environment]


def row_associated_data(
    kind: str, account_id: AccountId, environment: Environment | None, row_id: int, version: int = 1
) -> AssociatedData:
    """Return what the key of a row is bound to. ``environment`` is None for rows of both."""
    return AssociatedData(
        account_id=account_id, environment=environment, kind=kind, id=row_id, version=version
    )


def key_for_row(sealer: Sealer, key: DataKey, kind: str, owner: Owner) -> KeyForRow:
    """Return what wraps the key of a new row once the row has an id."""
    return lambda row_id: sealer.wrap(key, row_associated_data(kind, *owner, row_id))


def encrypt_row(
    sealer: Sealer, associated_data: AssociatedData, content: bytes
) -> tuple[bytes, bytes]:
    """Return the wrapped key of a row, and its content encrypted under that key."""
    key = sealer.new_key()
    return sealer.wrap(key, associated_data), sealer.seal(key, content)


def decrypt_row(
    sealer: Sealer, associated_data: AssociatedData, wrapped_key: bytes, encrypted: bytes
) -> bytes:
    """Return the content of a row.

    Raises:
        SealBrokenError: It is not what was stored in this row.
    """
    return sealer.open(sealer.unwrap(wrapped_key, associated_data), encrypted)
