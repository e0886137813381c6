"""Stores the documents of a request once, however often they are sent.

Under an ``Idempotency-Key`` a request is known by the key, else each document by its bytes. What
came under a key is claimed by its bytes as well, so that it is known when it comes without one.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from longshore.domain.idempotency.store import (
    DIGEST_RETENTION,
    KEY_RETENTION,
    IdempotencyMismatchError,
    NewKey,
    Purpose,
    StoredRequest,
    StoredRequestId,
)
from longshore.domain.inbound.channel import InboundChannel
from longshore.domain.interchanges.store import ReceiptId
from longshore.domain.interchanges.writer import PreparedArrival, store_arrival
from longshore.domain.ports import NO_QUOTA, BlindIndex, BlindPurpose, Sealer, StorageQuota
from longshore.domain.units import WriteUnit
from longshore.domain.usage.quota import check_quota
from longshore.kit.environment import Environment

_OK: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptAnswer:
    """The answer that the sender gets about a document."""

    receipt_id: ReceiptId
    sha256: str
    """Of them, hex."""
    bytes: int
    """The number of bytes."""
    environment: Environment
    is_duplicate: bool


@dataclass(frozen=True, slots=True)
class RequestKeys:
    """The keys that claim each document: the sender's, if there is one, and one of its bytes."""

    by_key: tuple[NewKey, ...]
    by_bytes: tuple[NewKey, ...]


def request_keys(
    index: BlindIndex, channel: InboundChannel, key: str | None, prepared: Sequence[PreparedArrival]
) -> RequestKeys:
    """Return what the documents of a request are claimed by. ``key`` is its ``Idempotency-Key``."""
    owner = (channel.account_id, channel.environment)
    digests = [each.new.digest for each in prepared]

    def claimed(purpose: Purpose, text: bytes, request_digest: bytes) -> NewKey:
        text = b"%d " % channel.token_id + text
        return NewKey(
            account_id=channel.account_id,
            environment=channel.environment,
            purpose=purpose,
            key_digest=index.digest(BlindPurpose.IDEMPOTENCY_KEY, owner, text),
            request_digest=request_digest,
        )

    by_bytes = [claimed(Purpose.RECEIVE_BYTES, digest, digest) for digest in digests]
    if key is None:
        return RequestKeys((), tuple(by_bytes))
    request = index.digest(BlindPurpose.REQUEST_BODY, owner, b"".join(digests))
    by_key = [
        claimed(Purpose.RECEIVE_KEY, b"%d %b" % (position, key.encode()), request)
        for position, _ in enumerate(digests)
    ]
    return RequestKeys(tuple(by_key), tuple(by_bytes))


class ClaimingReceiver:
    """Stores the documents of one request inside a unit."""

    def __init__(
        self, unit: WriteUnit, sealer: Sealer, now: datetime, quota: StorageQuota = NO_QUOTA
    ) -> None:
        self._unit = unit
        self._quota = quota
        self._kept = unit.idempotency
        self._sealer = sealer
        self._now = now

    async def store(
        self, prepared: Sequence[PreparedArrival], keys: RequestKeys
    ) -> tuple[ReceiptAnswer, ...]:
        """Store what is new of the documents; return an answer for each.

        Raises:
            IdempotencyMismatchError: The key was used with another body.
            StorageQuotaError: The account has used its quota.
        """
        by_key = [await self._claim(key) for key in keys.by_key]
        if by_key and by_key[0] is None:
            return await self._known(prepared, keys.by_key)
        answers: dict[int, ReceiptAnswer] = {}
        # Whoever claims several waits for others while it holds some: so all claim in one order.
        for at in sorted(range(len(prepared)), key=lambda at: keys.by_bytes[at].key_digest):
            own = by_key[at] if by_key else None
            answers[at] = await self._store(prepared[at], own, keys.by_bytes[at])
        return tuple(answers[at] for at in range(len(prepared)))

    async def _known(
        self, prepared: Sequence[PreparedArrival], keys: Sequence[NewKey]
    ) -> tuple[ReceiptAnswer, ...]:
        """Return the answers to a request that was made before under its key.

        Raises:
            IdempotencyMismatchError: It had another body.
        """
        known = await self._find(keys[0])
        if not hmac.compare_digest(known.request_digest, keys[0].request_digest):
            raise IdempotencyMismatchError
        return tuple([
            _answer(each, _receipt_of(await self._find(key)), is_duplicate=True)
            for each, key in zip(prepared, keys, strict=True)
        ])

    async def _store(
        self, prepared: PreparedArrival, by_key: StoredRequestId | None, bytes_key: NewKey
    ) -> ReceiptAnswer:
        by_bytes = await self._claim(bytes_key)
        if by_key is None and by_bytes is None:
            known = _receipt_of(await self._find(bytes_key))
            return _answer(prepared, known, is_duplicate=True)
        receipt_id = await store_within_quota(
            self._unit, self._sealer, prepared, self._now, self._quota
        )
        for claimed in (by_key, by_bytes):
            if claimed is not None:
                await self._kept.finish(claimed, _OK, receipt_id)
        return _answer(prepared, receipt_id, is_duplicate=False)

    async def _claim(self, key: NewKey) -> StoredRequestId | None:
        """Claim a key for the receipt that is to be stored; None if it has one."""
        kept_for = KEY_RETENTION if key.purpose is Purpose.RECEIVE_KEY else DIGEST_RETENTION
        return await self._kept.claim(key, self._now, self._now - kept_for)

    async def _find(self, key: NewKey) -> StoredRequest:
        stored_answer = await self._kept.find(key)
        assert stored_answer is not None  # that is why it could not be claimed
        return stored_answer


async def store_within_quota(
    unit: WriteUnit, sealer: Sealer, prepared: PreparedArrival, now: datetime, quota: StorageQuota
) -> ReceiptId:
    """Store a document that came in, and return its receipt.

    Raises:
        StorageQuotaError: The account has used its quota.
    """
    owner = prepared.account_id, prepared.new.environment
    size = len(prepared.parts.content.content)
    usage = (await unit.usage.find(prepared.account_id)).with_quota(quota)
    await check_quota(unit, usage, sealer, owner, size, now)
    return await store_arrival(unit, sealer, prepared, now)


def _receipt_of(stored_answer: StoredRequest) -> ReceiptId:
    assert (
        stored_answer.subject_id is not None
    )  # the unit that claimed the key has stored a receipt
    return ReceiptId(stored_answer.subject_id)


def _answer(
    prepared: PreparedArrival, receipt_id: ReceiptId, *, is_duplicate: bool
) -> ReceiptAnswer:
    return ReceiptAnswer(
        receipt_id=receipt_id,
        sha256=prepared.sha256,
        bytes=prepared.new.byte_count,
        environment=prepared.new.environment,
        is_duplicate=is_duplicate,
    )
