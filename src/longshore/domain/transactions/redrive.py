"""Sending many transactions again: in batches, and each alone where one of a batch is refused."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from longshore.domain.outbound.errors import SubmitRefusedError
from longshore.domain.partners.errors import PartnerNotFoundError
from longshore.domain.transactions.errors import (
    ActionRefusedError,
    InvalidQueryError,
    ReasonRequiredError,
    TransactionNotFoundError,
)
from longshore.domain.transactions.model import TransactionId
from longshore.domain.transactions.timeline import Redriven, Skipped
from longshore.kit.errors import ErrorCode, LongshoreError

MAX_REDRIVEN: Final = 1_000
_BATCH: Final = 50  # in one unit: others wait for no longer than that takes
_REFUSALS: Final = (
    TransactionNotFoundError,
    PartnerNotFoundError,
    ActionRefusedError,
    ReasonRequiredError,
    SubmitRefusedError,
)
_SKIPPED_AS: Final = frozenset({ErrorCode.NOT_FOUND, ErrorCode.PARTNER_INACTIVE})

Retry = Callable[[Sequence[int]], Awaitable[AbstractSet[int]]]
NoteRefusal = Callable[[LongshoreError, int], Awaitable[None]]


async def redrive(ids: Sequence[int], retry: Retry, note: NoteRefusal) -> Redriven:
    """Send transactions again and return what became of them.

    Args:
        ids: At most ``MAX_REDRIVEN``.
        retry: Sends all of a batch again, or none; returns all whose delivery changed.
        note: Called for each that is refused.

    Raises:
        InvalidQueryError: There are more than ``MAX_REDRIVEN`` ids.
    """
    if len(ids) > MAX_REDRIVEN:
        raise InvalidQueryError({"ids": (f"must be at most {MAX_REDRIVEN:,} ids", None)})
    chosen = sorted(set(ids))
    queued: set[int] = set()
    skipped: list[Skipped] = []
    for start in range(0, len(chosen), _BATCH):
        batch = chosen[start : start + _BATCH]
        try:
            queued |= await retry(batch)
        except _REFUSALS:
            for each in batch:
                if each in queued:  # an earlier one took it along
                    continue
                try:
                    queued |= await retry([each])
                except _REFUSALS as refusal:
                    await note(refusal, each)
                    skipped.append(_skipped(each, refusal))
    return Redriven(queued=len(queued.intersection(chosen)), skipped=tuple(skipped))


def _skipped(number: int, refusal: LongshoreError) -> Skipped:
    code = refusal.code if refusal.code in _SKIPPED_AS else ErrorCode.INVALID_STATE
    return Skipped(id=TransactionId(number), code=code)
