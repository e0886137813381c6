"""Changes that acknowledgements make in a unit: their rows, the states of sets, what still waits.

The row of a set is held before the set itself; ``acks.overdue`` does the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Final, NamedTuple

from longshore.domain.acks.application_rows import application_rows
from longshore.domain.acks.back_mapping import OurSet, errors_of
from longshore.domain.acks.encryption import answer_ack, open_ack, store_ack
from longshore.domain.acks.matching import AckDecision, PendingEvent, SetDecision
from longshore.domain.acks.model import APPLICATION_FORMS, AckForm, AckId, AckRowStatus, NewAck
from longshore.domain.acks.overdue import overdue_step
from longshore.domain.acks.received import AckInterchange, Errors, PreparedAck, group_rows, ta1_row
from longshore.domain.acks.store import StoredAck
from longshore.domain.delivery.model import WAITING_STATES, OutboxState
from longshore.domain.events.model import EventType, NewEvent
from longshore.domain.interchanges.store import InterchangeStatus
from longshore.domain.interchanges.writer import step_outbound
from longshore.domain.ports import WORKER, AccountId, Sealer
from longshore.domain.transactions.model import DeliveryStatus, InterchangeId, TransactionId
from longshore.domain.transactions.states import Axis, delivered_by_ack
from longshore.domain.units import WriteUnit
from longshore.x12.acks.read import GroupAck, ReceivedTa1

_NOT_YET_DELIVERED: Final = tuple(
    each for each in DeliveryStatus if delivered_by_ack(each) is not each
)
"""The states from which an acknowledgement of the interchange makes a set delivered."""
_SET_NOT_READ: Final = OurSet(segments={})
"""Stands for a set of ours that was not read, so that its errors get no place in our document."""
_KEPT: Final = "The partner answers otherwise than before. What was answered before holds."
_CHANGED: Final = "The partner answers otherwise than before. The latest answer holds."


class _Kept(NamedTuple):
    """The stored rows of an acknowledgement: the first one, and one for each set of ours."""

    first: NewAck
    first_id: AckId
    ids: Mapping[TransactionId, AckId]
    summaries: Mapping[TransactionId, str]
    """The summary of an application answer for each set of ours."""


class ReconciliationEffects:
    """Applies decisions one after the other; ``events`` are those that are to be recorded."""

    def __init__(
        self,
        unit: WriteUnit,
        sealer: Sealer,
        account_id: AccountId,
        arrival: AckInterchange,
        now: datetime,
    ) -> None:
        self._unit = unit
        self._sealer = sealer
        self._account_id = account_id
        self._arrival = arrival
        self._now = now
        self.events: list[NewEvent] = []

    async def take(self, prepared: PreparedAck, decision: AckDecision) -> None:
        """Change what an acknowledgement changes; of a duplicate nothing."""
        if decision.is_duplicate:
            return
        ack = prepared.received.ack
        if isinstance(ack, GroupAck):
            kept = await self._keep_group(ack, decision, prepared.errors)
        elif isinstance(ack, ReceivedTa1):
            kept = await self._keep_ta1(ack, decision)
        else:
            kept = await self._keep_rows(
                application_rows(prepared, decision, self._arrival), decision
            )
        for each in decision.sets:
            await self._step(each)
        delivered: list[TransactionId] = []
        if decision.answered is not None:
            delivered = await self._arrived(decision.answered.interchange_id)
        self.events += _events(decision, kept, delivered)

    # ---- rows ------------------------------------------------------------------------------------

    async def _keep_group(self, ack: GroupAck, decision: AckDecision, prepared: Errors) -> _Kept:
        form = AckForm(ack.ack_type)
        errors = {
            each.sent.transaction_id: errors_of(each.part, form, _SET_NOT_READ)
            for each in decision.sets
            if each.part is not None and each.sent.transaction_id not in prepared
        }
        rows = group_rows(ack, decision, self._arrival, {**errors, **prepared})
        return await self._keep_rows(rows, decision)

    async def _keep_rows(self, rows: Sequence[NewAck], decision: AckDecision) -> _Kept:
        """Store the rows, those of our sets first, in the order of the decisions about them."""
        ids = [await self._keep(row) for row in rows]
        own = [each.sent.transaction_id for each in decision.sets]
        texts = (row.facts.summary for row in rows)
        return _Kept(
            rows[0],
            ids[0],
            dict(zip(own, ids, strict=False)),
            dict(zip(own, texts, strict=False)),
        )

    async def _keep_ta1(self, ta1: ReceivedTa1, decision: AckDecision) -> _Kept:
        row = ta1_row(ta1, decision, self._arrival)
        assert row is not None  # only a duplicate has none
        ack_id = await store_ack(self._unit, self._sealer, self._account_id, row, self._now)
        for each in decision.sets:
            if each.answer is not None:
                made = partial(self._refused, each)
                await self._answer(each.sent.transaction_id, AckForm.TA1, made)
        ids = {each.sent.transaction_id: ack_id for each in decision.sets}
        return _Kept(row, ack_id, ids, {})

    async def _keep(self, row: NewAck) -> AckId:
        """Store a row: of a set that is answered it is the one that waits, or was answered."""
        answered = None
        if row.transaction_id is not None and row.result is not None:
            form, made = row.facts.ack_type, partial(_closing, row)
            answered = await self._answer(row.transaction_id, form, made)
        if answered is not None:
            return answered
        return await store_ack(self._unit, self._sealer, self._account_id, row, self._now)

    async def _answer(
        self, transaction_id: TransactionId, form: AckForm, made: Callable[[NewAck], NewAck]
    ) -> AckId | None:
        """Change the row of a set, made of what it is; None if the set has none for this form."""
        unit, sealer = self._unit, self._sealer
        while stored := _row_of_set(await unit.acks.list_of_transaction(transaction_id), form):
            new = made(open_ack(sealer, stored).row)
            # A row that became overdue, or whose set was sent, since it was read is read again.
            if await answer_ack(unit, sealer, stored, new, self._now):
                return stored.ack.id
        return None

    def _refused(self, decided: SetDecision, row: NewAck) -> NewAck:
        """Return the row of a set whose interchange a TA1 refuses: nothing more is awaited."""
        arrival = self._arrival
        refused = replace(
            row,
            status=AckRowStatus.RECEIVED,
            result=decided.ack,
            is_overdue=False,
            is_conflict=row.is_conflict or decided.is_conflict,
            digest=None,
        )
        if row.status is not AckRowStatus.PENDING:
            return refused
        return replace(
            refused,
            facts=replace(row.facts, isa_control_number=arrival.isa_control_number),
            interchange_id=arrival.interchange_id,
            received_at=arrival.received_at,
        )

    # ---- axes and what still waits ---------------------------------------------------------------

    async def _step(self, decided: SetDecision) -> None:
        start, to = decided.sent.ack, decided.ack
        if start is to:
            return
        step, transaction_id = self._unit.transactions.step, decided.sent.transaction_id
        if not await step(transaction_id, Axis.ACK, start, to, self._now):
            # Only the clock of what is overdue does not wait for the interchange.
            is_stepped = await step(transaction_id, Axis.ACK, overdue_step(start), to, self._now)
            assert is_stepped

    async def _arrived(self, interchange_id: InterchangeId) -> list[TransactionId]:
        """Send no more of an interchange that is acknowledged; return the sets that this delivers.

        All of them: it came as a whole. What a worker sends at this moment it finishes itself.
        """
        unit, now = self._unit, self._now
        delivered = await unit.transactions.step_deliveries(
            interchange_id, _NOT_YET_DELIVERED, DeliveryStatus.DELIVERED, now
        )
        if delivered:
            await step_outbound(unit.interchanges, interchange_id, InterchangeStatus.SENT, now)
        for entry in await unit.outbox.list_of_interchange(interchange_id):
            if entry.state in WAITING_STATES:
                await unit.outbox.change_waiting(
                    entry.id, entry.state, OutboxState.CANCELLED, entry.new.due_at, now
                )
        return sorted(delivered)


def _row_of_set(rows: Sequence[StoredAck], form: AckForm) -> StoredAck | None:
    """Return the row that waits, else the last that was answered; one that did not tell is none.

    An application answer that comes when nothing waits has a row of its own, and no other changes
    it.
    """
    waiting = [each for each in rows if each.ack.row.status is AckRowStatus.PENDING]
    answered = [
        each
        for each in rows
        if each.ack.row.result is not None
        and APPLICATION_FORMS.isdisjoint({form, each.ack.row.facts.ack_type})
    ]
    return next(reversed(waiting or answered), None)


def _closing(row: NewAck, before: NewAck) -> NewAck:
    """Return an answer with what stays of the row that it closes."""
    return replace(
        row,
        partner_id=before.partner_id or row.partner_id,
        expected_by=before.expected_by,
        sent_at=before.sent_at,
    )


# ---- events --------------------------------------------------------------------------------------


def _events(
    decision: AckDecision, kept: _Kept, delivered: Iterable[TransactionId]
) -> Iterator[NewEvent]:
    """Yield the events: of the acknowledgement, of what it delivers, of each set."""
    first, *others = decision.events
    yield _of_ack(first, kept)
    for transaction_id in delivered:
        status = DeliveryStatus.DELIVERED.value
        yield _event(
            EventType.TRANSACTION_DELIVERED, {"transaction_id": transaction_id, "status": status}
        )
    decisions = {each.sent.transaction_id: each for each in decision.sets}
    for raised in others:
        assert raised.transaction_id is not None
        yield _of_set(raised.type, decisions[raised.transaction_id], kept)


def _of_ack(raised: PendingEvent, kept: _Kept) -> NewEvent:
    row = kept.first
    data: dict[str, int | str] = {"ack_id": kept.first_id, "ack_type": row.facts.ack_type.value}
    links = {"partner_id": row.partner_id, "transaction_id": next(iter(kept.ids), None)}
    data |= {name: row_id for name, row_id in links.items() if row_id is not None}
    return NewEvent(type=raised.type, data=data, actor=WORKER)


def _of_set(kind: EventType, decided: SetDecision, kept: _Kept) -> NewEvent:
    transaction_id = decided.sent.transaction_id
    data: dict[str, int | str] = {
        "transaction_id": transaction_id,
        "ack_id": kept.ids[transaction_id],
        "status": decided.ack.value,
    }
    if kind is not EventType.ACK_CONFLICT:
        return _event(kind, data, kept.summaries.get(transaction_id, ""))
    assert decided.answer is not None  # a conflict is one of two answers
    is_kept = decided.ack is not decided.answer
    return _event(kind, {**data, "answer": decided.answer.value}, _KEPT if is_kept else _CHANGED)


def _event(kind: EventType, data: Mapping[str, int | str], message: str = "") -> NewEvent:
    transaction_id = data["transaction_id"]
    assert isinstance(transaction_id, int)
    return NewEvent(
        type=kind, data=data, transaction_id=transaction_id, actor=WORKER, message=message
    )
