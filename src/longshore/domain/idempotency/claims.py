"""Keeps the answer to a request, so that whoever repeats it under its key gets that answer again.

Source: contract.md sections 5 and 6 (``Idempotency-Key``), reliability.md section 10.
"""

from __future__ import annotations

import hmac
from datetime import datetime
from typing import Final, NamedTuple

from longshore.domain.encryption import decrypt_row, encrypt_row
from longshore.domain.idempotency.store import (
    KEY_RETENTION,
    IdempotencyMismatchError,
    IdempotencyStore,
    NewKey,
    Purpose,
    StoredRequest,
    StoredRequestId,
    associated_data_of,
)
from longshore.domain.ports import BlindIndex, BlindPurpose, RequestContext, Scope, Sealer
from longshore.domain.units import ReadUnit, Units

_OK: Final = 200


class StoredResponse(NamedTuple):
    """An answer as it was given first."""

    content: bytes
    is_replayed: bool = False
    """This time nothing was done for it."""


def request_key(
    index: BlindIndex, context: RequestContext, key: str | None, body: bytes
) -> NewKey | None:
    """Return what a request is kept under; None without an ``Idempotency-Key``.

    ``body`` is the same bytes for the same request, and other ones for any other.
    """
    if key is None:
        return None
    owner = (context.account_id, context.environment)
    return NewKey(
        account_id=context.account_id,
        environment=context.environment,
        purpose=Purpose.SUBMIT,
        key_digest=index.digest(BlindPurpose.IDEMPOTENCY_KEY, owner, key.encode()),
        request_digest=index.digest(BlindPurpose.REQUEST_BODY, owner, body),
    )


async def find_answer(
    units: Units,
    sealer: Sealer,
    key: NewKey | None,
    scope: Scope,
    now: datetime,
) -> StoredResponse | None:
    """Return the answer to the same request, made before; None if it was not, or long ago.

    Raises:
        IdempotencyMismatchError: The key was used with another request.
        SealBrokenError: What is kept is not what was stored in its row.
    """
    if key is None:
        return None

    async def find(unit: ReadUnit) -> StoredRequest | None:
        return await unit.idempotency.find(key)

    kept = await units.read(scope, find)
    if kept is None or kept.created_at < now - KEY_RETENTION:
        return None
    return _replayed(sealer, key, kept)


def _replayed(sealer: Sealer, key: NewKey, kept: StoredRequest) -> StoredResponse:
    """Return the answer that is kept under a key.

    Raises:
        IdempotencyMismatchError: It is that of another request.
    """
    if not hmac.compare_digest(kept.request_digest, key.request_digest):
        raise IdempotencyMismatchError
    answer = decrypt_row(sealer, associated_data_of(key, kept.id), kept.wrapped_key, kept.answer)
    return StoredResponse(answer, is_replayed=True)


class IdempotencyClaim:
    """Keeps the answer to one request in its unit; nothing, where the request has no key."""

    def __init__(self, store: IdempotencyStore, sealer: Sealer, key: NewKey | None) -> None:
        self._store = store
        self._sealer = sealer
        self._key = key
        self._request_id: StoredRequestId | None = None

    async def claim(self, now: datetime) -> StoredResponse | None:
        """Claim the key; return the answer of a request that came first with the same key.

        Raises:
            IdempotencyMismatchError: Another request was.
        """
        if self._key is None:
            return None
        self._request_id = await self._store.claim(self._key, now, now - KEY_RETENTION)
        if self._request_id is not None:
            return None
        kept = await self._store.find(self._key)
        assert kept is not None  # or it could have been claimed
        return _replayed(self._sealer, self._key, kept)

    async def keep(self, content: bytes, subject_id: int | None) -> None:
        """Keep the answer under the key that was claimed. ``subject_id`` is the record it made."""
        if self._key is None or self._request_id is None:
            return
        associated_data = associated_data_of(self._key, self._request_id)
        wrapped_key, answer = encrypt_row(self._sealer, associated_data, content)
        await self._store.set_answer(self._request_id, wrapped_key, answer)
        await self._store.finish(self._request_id, _OK, subject_id)
