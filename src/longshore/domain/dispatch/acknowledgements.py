"""What a delivery means for acknowledgements: those we wait for from now on, and our own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from longshore.domain.acks.model import AckForm, AckRowStatus
from longshore.domain.acks.store import AckQuery, StoredAck
from longshore.domain.acting import WORKER
from longshore.domain.dispatch.units import DispatchWriteUnit
from longshore.domain.events.model import EventType, NewEvent
from longshore.domain.partners.model import Direction
from longshore.domain.transactions.model import AckStatus, InterchangeId
from longshore.domain.transactions.store import SealedTransaction

_AWAITED: Final = frozenset({AckStatus.PENDING, AckStatus.OVERDUE})
_AT_ONCE: Final = 200
# Our acknowledgements are stored in the unit that stores their interchange.
_AROUND: Final = timedelta(minutes=1)
_EVENTS: Final = {
    AckRowStatus.SENT: EventType.ACK_SENT,
    AckRowStatus.FAILED: EventType.ACK_FAILED,
}


async def expect_answers(
    unit: DispatchWriteUnit,
    sets: Sequence[SealedTransaction],
    sent_at: datetime,
    expected_by: datetime,
) -> None:
    """Wait from now on for the acknowledgements of sets that were handed over."""
    for each in sets:
        if each.transaction.record.states.ack not in _AWAITED:
            continue
        for stored in await unit.acks.list_of_transaction(each.transaction.id):
            row = stored.ack.row
            if row.status is AckRowStatus.PENDING and row.direction is Direction.INBOUND:
                await unit.acks.expect(stored.ack.id, sent_at, expected_by, sent_at)


async def finish_own(
    unit: DispatchWriteUnit, interchange_id: InterchangeId, to: AckRowStatus, now: datetime
) -> list[NewEvent]:
    """Note of the acknowledgements in an interchange of ours that they are sent or given up."""
    return [
        _event(_EVENTS[to], stored, interchange_id)
        for stored in await _own(unit, interchange_id)
        if await unit.acks.finish_ours(stored.ack.id, to, now)
    ]


async def _own(unit: DispatchWriteUnit, interchange_id: InterchangeId) -> list[StoredAck]:
    found = await unit.interchanges.find(interchange_id)
    assert found is not None  # it has been sent
    created_at = found[0].created_at
    query = AckQuery(
        statuses=frozenset({AckRowStatus.PENDING}),
        ack_types=frozenset(AckForm),
        direction=Direction.OUTBOUND,
        since=created_at - _AROUND,
        before=created_at + _AROUND,
    )
    own: list[StoredAck] = []
    offset = 0
    while page := await unit.acks.list(query, _AT_ONCE, offset):
        own += [each for each in page if each.ack.row.interchange_id == interchange_id]
        offset += len(page)
    return own


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
