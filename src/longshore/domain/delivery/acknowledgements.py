"""Effects of a delivery on acknowledgements: those we expect from now on, and our own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from longshore.domain.acks.model import AckRowStatus
from longshore.domain.acks.overdue import expected_by
from longshore.domain.acks.store import StoredAck
from longshore.domain.events.model import EventType, NewEvent
from longshore.domain.partners.model import Direction
from longshore.domain.ports import WORKER
from longshore.domain.transactions.model import AckStatus, InterchangeId, TransactionId
from longshore.domain.transactions.store import SealedTransaction
from longshore.domain.units import ReadUnit, WriteUnit

_AWAITED: Final = frozenset({AckStatus.PENDING, AckStatus.OVERDUE})
_EVENTS: Final = {
    AckRowStatus.SENT: EventType.ACK_SENT,
    AckRowStatus.FAILED: EventType.ACK_FAILED,
}


async def awaited_of(unit: ReadUnit, ids: Iterable[TransactionId]) -> Sequence[StoredAck]:
    """Return the rows of what a partner is to answer to sets, and has not."""
    return [
        each
        for transaction_id in ids
        for each in await unit.acks.list_of_transaction(transaction_id)
        if each.ack.row.direction is Direction.INBOUND
        and each.ack.row.status is AckRowStatus.PENDING
    ]


async def expect_answers(
    unit: WriteUnit,
    sets: Sequence[SealedTransaction],
    sent_at: datetime,
    ack_hours: int,
    now: datetime,
) -> None:
    """Wait for the acknowledgements of sets that were handed over."""
    until = expected_by(sent_at, ack_hours)
    for stored in await awaited_of(unit, _unanswered(sets)):
        await unit.acks.expect(stored.ack.id, sent_at, until, now)


async def expect_nothing_yet(
    unit: WriteUnit, sets: Sequence[SealedTransaction], now: datetime
) -> None:
    """Wait for no acknowledgement of sets that are held or given up: it would only seem overdue."""
    for stored in await awaited_of(unit, _unanswered(sets)):
        await unit.acks.expect(stored.ack.id, stored.ack.row.sent_at, None, now)


def _unanswered(sets: Iterable[SealedTransaction]) -> list[TransactionId]:
    stored = [each.transaction for each in sets]
    return [each.id for each in stored if each.record.states.ack in _AWAITED]


async def finish_own(
    unit: WriteUnit, interchange_id: InterchangeId, to: AckRowStatus, now: datetime
) -> list[NewEvent]:
    """Note of the acknowledgements in an interchange of ours that they are sent or given up."""
    return [
        _event(_EVENTS[to], stored, interchange_id)
        for stored in await unit.acks.list_of_interchange(interchange_id)
        if await unit.acks.finish_ours(stored.ack.id, to, now)
    ]


def _event(event_type: EventType, stored: StoredAck, interchange_id: InterchangeId) -> NewEvent:
    row = stored.ack.row
    event = NewEvent(
        type=event_type,
        data={"ack_id": stored.ack.id, "interchange_id": interchange_id},
        actor=WORKER,
    )
    if row.transaction_id is None:
        return event
    data = {**event.data, "transaction_id": row.transaction_id}
    return replace(event, data=data, transaction_id=row.transaction_id)
