"""Carries out a submission once, however often it is made under one ``Idempotency-Key``.

Source: contract.md section 6, reliability.md section 10.
"""

from __future__ import annotations

import hmac
from datetime import datetime
from typing import Final

from longshore.domain.acting import Acting
from longshore.domain.blind_index import BlindIndex, BlindPurpose
from longshore.domain.idempotency.errors import IdempotencyMismatchError
from longshore.domain.idempotency.model import (
    KEPT_FOR,
    KeptRequest,
    KeptRequestId,
    NewKey,
    Purpose,
    place_of,
)
from longshore.domain.idempotency.store import IdempotencyStore
from longshore.domain.ports import Sealer
from longshore.domain.submission.answers import Submitted
from longshore.domain.submission.orders import SubmitOrder

_OK: Final = 200


def key_of(index: BlindIndex, acting: Acting, order: SubmitOrder) -> NewKey | None:
    """Return the key that an order is kept under; None without one, and of a dry run."""
    if order.idempotency_key is None or order.dry_run:
        return None
    owner = (acting.account_id, acting.environment)
    key, body = order.idempotency_key.encode(), order.request_body()
    return NewKey(
        account_id=acting.account_id,
        environment=acting.environment,
        purpose=Purpose.SUBMIT,
        key_digest=index.digest(BlindPurpose.IDEMPOTENCY_KEY, owner, key),
        request_digest=index.digest(BlindPurpose.REQUEST_BODY, owner, body),
    )


def is_kept(kept: KeptRequest | None, now: datetime) -> bool:
    """Tell whether what was found is still to be heeded."""
    return kept is not None and kept.created_at >= now - KEPT_FOR


def replayed(sealer: Sealer, key: NewKey, kept: KeptRequest) -> Submitted:
    """Return the answer that is kept under a key.

    Raises:
        IdempotencyMismatchError: It is that of another request.
        SealBrokenError: It is not what was stored in this row.
    """
    if not hmac.compare_digest(kept.request_digest, key.request_digest):
        raise IdempotencyMismatchError
    data_key = sealer.unwrap(kept.wrapped_key, place_of(key, kept.id))
    return Submitted(content=sealer.open(data_key, kept.answer), is_replayed=True)


class KeptAnswer:
    """Keeps the answer of one submission in its unit."""

    def __init__(self, store: IdempotencyStore, sealer: Sealer, key: NewKey | None) -> None:
        self._store = store
        self._sealer = sealer
        self._key = key
        self._request_id: KeptRequestId | None = None

    async def claim(self, now: datetime) -> Submitted | None:
        """Claim the key; return the answer of a twin that was sooner.

        Raises:
            IdempotencyMismatchError: Another request was.
        """
        if self._key is None:
            return None
        self._request_id = await self._store.claim(self._key, now, now - KEPT_FOR)
        if self._request_id is not None:
            return None
        kept = await self._store.find(self._key)
        assert kept is not None  # or it could have been claimed
        return replayed(self._sealer, self._key, kept)

    async def keep(self, answer: Submitted) -> None:
        """Keep the answer under the key that was claimed."""
        if self._key is None or self._request_id is None:
            return
        data_key = self._sealer.new_key()
        wrapped = self._sealer.wrap(data_key, place_of(self._key, self._request_id))
        sealed = self._sealer.seal(data_key, answer.content)
        await self._store.set_answer(self._request_id, wrapped, sealed)
        await self._store.finish(self._request_id, _OK, answer.transaction_id)
