"""Stores the trace numbers of requests and responses, and links responses to requests.

It works inside the write unit of another use case, after the records of the sets are stored.

Source: x12.md section 2.12.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from longshore.domain.encryption import Owner
from longshore.domain.events.model import EventType, NewEvent
from longshore.domain.pairing.findings import NO_NUMBER, unmatched_text
from longshore.domain.pairing.model import NewTrace, NewTraces, TraceMatch, TracePlace
from longshore.domain.partners.model import Direction, Pair, PartnerId
from longshore.domain.ports import WORKER, BlindIndex, BlindPurpose
from longshore.domain.transactions.model import TransactionId
from longshore.domain.units import WriteUnit
from longshore.x12.traces import PairingRole, SetTraces, Trace, TraceKind


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedSet:
    """A request or response whose record is stored."""

    transaction_id: TransactionId
    set_id: str
    direction: Direction
    pair: Pair
    """The sender and receiver of its interchange, as they are stored."""
    partner_id: PartnerId
    traces: SetTraces
    due_at: datetime | None = None
    """Until when a request is to be answered; None if no answer is awaited."""


class PairingWriter:
    """Pairs the sets of one account in one environment."""

    def __init__(self, unit: WriteUnit, index: BlindIndex, owner: Owner, now: datetime) -> None:
        self._pairing = unit.pairing
        self._index = index
        self._owner = owner
        self._now = now

    async def store(self, one: TracedSet) -> tuple[NewEvent, ...]:
        """Store the numbers of a set; return the events that are to be recorded."""
        new = NewTraces(
            transaction_id=one.transaction_id,
            direction=one.direction,
            traces=tuple(self._new(one)),
            total=one.traces.total,
        )
        if one.traces.role is PairingRole.REQUEST:
            await self._pairing.add_request(self._owner, new, self._now)
            return ()
        await self._pairing.add_response(self._owner, new, self._now)
        matches = await self._pairing.list_matches(one.transaction_id)
        await self._link(one, [each for each in matches if each.request_id is not None])
        return tuple(_events(one, matches))

    def _new(self, one: TracedSet) -> Iterator[NewTrace]:
        """Yield the numbers to be stored; of a set that has none a row that says so."""
        is_asked = any(each.kind is TraceKind.TRACE for each in one.traces.traces)
        for each in one.traces.traces:
            is_awaited = each.kind is TraceKind.TRACE or not is_asked
            yield NewTrace(
                place=TracePlace(kind=each.kind, element=each.element, position=each.position),
                digest=self._digest(one, each),
                due_at=one.due_at if is_awaited else None,
            )
        if not one.traces.traces:
            place = TracePlace(kind=TraceKind.REFERENCE, element=NO_NUMBER, position=1)
            yield NewTrace(place=place, digest=self._hash("", str(one.transaction_id)))

    def _digest(self, one: TracedSet, trace: Trace) -> bytes:
        is_request = one.traces.role is PairingRole.REQUEST
        asking, asked = one.pair if is_request else one.pair.swapped()
        return self._hash(one.traces.request_set, trace.kind, *asking, *asked, trace.value)

    def _hash(self, *parts: str) -> bytes:
        octets = "\0".join(parts).encode("utf-8", "surrogatepass")
        return self._index.digest(BlindPurpose.TRACE, self._owner, octets)

    async def _link(self, one: TracedSet, found: Sequence[TraceMatch]) -> None:
        """Link a response to its requests, and note what is answered by it.

        Without a TRN02 that was found, its BHT03 answers the whole request.
        """
        if not found:
            return
        requests = sorted({each.request_id for each in found if each.request_id is not None})
        await self._pairing.link(found)
        await self._pairing.mark_answered(one.transaction_id)
        if all(each.place.kind is TraceKind.REFERENCE for each in found):
            await self._pairing.mark_all_answered(requests)
        elif one.traces.total > len(one.traces.traces):
            await self._pairing.stop_waiting(requests)


def _events(one: TracedSet, matches: Sequence[TraceMatch]) -> Iterator[NewEvent]:
    """Yield the event of each request that is answered, then that of a response without one."""
    by_request: dict[TransactionId, int] = {}
    for each in matches:
        if each.request_id is not None:
            by_request[each.request_id] = by_request.get(each.request_id, 0) + 1
    for request_id, count in by_request.items():
        numbers = "1 of its numbers" if count == 1 else f"{count} of its numbers"
        yield NewEvent(
            type=EventType.RESPONSE_MATCHED,
            data={
                "transaction_id": request_id,
                "response_id": one.transaction_id,
                "partner_id": one.partner_id,
            },
            transaction_id=request_id,
            actor=WORKER,
            message=f"{one.set_id} of transaction {one.transaction_id} has {numbers}.",
        )
    text = unmatched_text(matches, one.direction)
    if text:
        yield NewEvent(
            type=EventType.RESPONSE_UNMATCHED,
            data={"transaction_id": one.transaction_id, "partner_id": one.partner_id},
            transaction_id=one.transaction_id,
            actor=WORKER,
            message=text,
        )
