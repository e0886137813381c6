"""Stores what becomes of received bytes, in one unit: all of it, or nothing.

In this order: the numbers of the pairs are locked, so that equal interchanges at the same time wait
for each other, and are compared with those seen before; control numbers of acknowledgements;
interchanges, records, outputs of maps and acknowledgements; what received acknowledgements change;
the receipt and the entry of the outbox, which only the holder of the lease can end; events, audit
log.

Points where a test lets the process die: ``processing.record.before_insert``,
``processing.record.before_acks``, ``processing.record.before_finish`` and
``processing.record.before_commit``.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from longshore.domain.acks.model import GroupId
from longshore.domain.delivery.model import (
    OPEN_STATES,
    JobKind,
    NewOutboxEntry,
    OutboxEntry,
    OutboxState,
    order_key,
)
from longshore.domain.events.model import EventType, NewEvent
from longshore.domain.inbound.acknowledgements import AcknowledgedInterchange
from longshore.domain.inbound.dispositions import SetDisposition, separations
from longshore.domain.inbound.effects import EventData, ProcessingEffects
from longshore.domain.inbound.preparation import (
    Job,
    LeaseLostError,
    PreparedBytes,
    PreparedInterchange,
    PreparedPiece,
)
from longshore.domain.inbound.routing import ACKNOWLEDGEMENTS
from longshore.domain.inbound.rows import (
    group_rows,
    read_record,
    read_row,
    unreadable_record,
    unreadable_row,
)
from longshore.domain.interchanges.encryption import store_interchange
from longshore.domain.interchanges.store import InterchangeStatus, NewInterchange, ReceiptStatus
from longshore.domain.interchanges.writer import step_outbound
from longshore.domain.ports import WORKER, Ports
from longshore.domain.transactions.encryption import TransactionWriter
from longshore.domain.transactions.model import (
    DeliveryStatus,
    InterchangeId,
    NewTransaction,
    TransactionId,
)
from longshore.domain.units import WriteUnit
from longshore.kit.environment import Environment
from longshore.kit.faults import fault_point

_ARRIVED: Final = (DeliveryStatus.DELIVERED, DeliveryStatus.SENT, DeliveryStatus.FAILED)


async def record_received(
    unit: WriteUnit,
    ports: Ports,
    job: Job,
    prepared: Sequence[PreparedPiece],
    done: tuple[OutboxEntry, datetime],
) -> None:
    """Store what becomes of a receipt. ``done`` is its entry, and when.

    Raises:
        StalePreparationError: Something changed since it was assessed; nothing is to be kept.
        LeaseLostError: Another worker has the entry, or has done it; likewise.
    """
    entry, now = done
    effects = ProcessingEffects(unit, ports, job, now)
    await effects.check(prepared)
    await effects.draw_ack_numbers(prepared)
    fault_point("processing.record.before_insert")
    await ReceiptRecorder(effects, ports).store_all(prepared)
    receipt_id = job.origin.receipt_id
    if not await unit.receipts.finish(receipt_id, ReceiptStatus.PROCESSED, now):
        raise LeaseLostError
    effects.audit("receipt.processed", f"receipt {receipt_id}")
    await effects.finish(entry, OutboxState.DONE)


class ReceiptRecorder:
    """Stores the pieces of a document, one after the other."""

    def __init__(self, effects: ProcessingEffects, ports: Ports) -> None:
        self._partners = {effects.job.partner.id}
        self._effects = effects
        self._unit = effects.unit
        self._job = effects.job
        self._now = effects.now
        self._writer = TransactionWriter(
            effects.unit, ports.sealer, ports.index, effects.job.account_id
        )
        self._stored: list[InterchangeId] = []

    async def store_all(self, prepared: Sequence[PreparedPiece]) -> None:
        """Store all pieces, then what the acknowledgements in them change."""
        for at, each in enumerate(prepared):
            if isinstance(each, PreparedBytes):
                self._stored.append(await self._store_bytes(each))
            else:
                self._stored.append(await self._store_interchange(at, each))
        fault_point("processing.record.before_acks")
        for each, interchange_id in zip(prepared, self._stored, strict=True):
            if isinstance(each, PreparedInterchange):
                await self._effects.apply(each, interchange_id)
        await self._effects.note_activity(self._partners)

    async def _store_bytes(self, prepared: PreparedBytes) -> InterchangeId:
        piece, origin = prepared.piece, self._job.origin
        interchange_id = await store_interchange(
            self._unit,
            self._effects.sealer,
            self._job.account_id,
            unreadable_row(piece, origin, prepared.digest),
            prepared.parts,
            self._now,
        )
        record = unreadable_record(piece, origin, interchange_id, self._now)
        transaction_id = await self._writer.insert(record, self._now)
        data = self._data(record, transaction_id)
        self._emit(
            origin.environment, EventType.TRANSACTION_RECEIVED, data, transaction_id, origin.note
        )
        message = piece.message
        self._emit(
            origin.environment, EventType.TRANSACTION_QUARANTINED, data, transaction_id, message
        )
        self._effects.audit("interchange.quarantined", f"interchange {interchange_id}", piece.code)
        return interchange_id

    async def _store_interchange(self, at: int, prepared: PreparedInterchange) -> InterchangeId:
        disposition, routed = prepared.disposition, prepared.routed
        outcome = (disposition.status, disposition.reason)
        new = read_row(routed, self._job.origin, outcome, prepared.digest)
        interchange_id = await store_interchange(
            self._unit,
            self._effects.sealer,
            self._job.account_id,
            new,
            prepared.parts,
            self._now,
        )
        groups = await self._store_groups((interchange_id, new), prepared)
        earlier = await self._earlier_records(prepared)
        transactions: dict[int, TransactionId] = {}
        for place, each in enumerate(disposition.sets):
            original = earlier[place] if place < len(earlier) else None
            transaction_id = await self._store_set(
                prepared, each, (interchange_id, groups), original
            )
            transactions[each.index] = transaction_id
        answered = AcknowledgedInterchange(
            environment=routed.environment,
            partner_id=routed.partner.id,
            interchange_id=interchange_id,
            groups=groups,
            transactions=transactions,
        )
        await self._effects.answer(at, answered)
        await self._effects.pair(prepared, answered)
        await self._answer_again(prepared)
        of = f"interchange {interchange_id}"
        for action, text, _ in separations(routed, self._job.origin.environment):
            self._effects.audit(action, of, text)
        if disposition.status is InterchangeStatus.QUARANTINED:
            self._effects.audit("interchange.quarantined", of, disposition.reason or "")
        return interchange_id

    async def _store_groups(
        self, of: tuple[InterchangeId, NewInterchange], prepared: PreparedInterchange
    ) -> list[GroupId]:
        account_id, interchanges = self._job.account_id, self._unit.interchanges
        return [
            await interchanges.insert_group(account_id, of, group, self._now)
            for group in group_rows(prepared.routed.read)
        ]

    async def _store_set(
        self,
        prepared: PreparedInterchange,
        disposition: SetDisposition,
        of: tuple[InterchangeId, list[GroupId]],
        original: TransactionId | None,
    ) -> TransactionId:
        (interchange_id, groups), routed = of, prepared.routed
        record = read_record(
            routed, disposition, self._job.origin, (interchange_id, original), self._now
        )
        transaction_id = await self._writer.insert(
            record,
            self._now,
            group_id=None if disposition.group is None else groups[disposition.group],
            digest=prepared.set_digests.get(disposition.index),
        )
        self._partners.add(disposition.partner_id)
        data = self._data(record, transaction_id)
        note = self._job.origin.note
        self._emit(routed.environment, EventType.TRANSACTION_RECEIVED, data, transaction_id, note)
        self._effects.emit_set_event(routed.environment, disposition, data, transaction_id)
        run = prepared.runs.get(disposition.index)
        if run is not None:
            await self._effects.keep_output(run, routed.environment, data, transaction_id)
        return transaction_id

    # ---- duplicates ------------------------------------------------------------------------------

    def _earlier_id(self, prepared: PreparedInterchange) -> InterchangeId | None:
        """Return what an interchange is a duplicate of; it may stand in the same document."""
        earlier_id = prepared.disposition.repeats
        if earlier_id is None or earlier_id > 0:
            return earlier_id
        return self._stored[-1 - earlier_id]

    async def _earlier_records(self, prepared: PreparedInterchange) -> Sequence[TransactionId]:
        earlier_id = self._earlier_id(prepared)
        return () if earlier_id is None else await self._unit.transactions.list_ids(earlier_id)

    async def _answer_again(self, prepared: PreparedInterchange) -> None:
        """Send the acknowledgement of what a duplicate repeats once more, as it was."""
        repetition, earlier_id = prepared.disposition.repetition, self._earlier_id(prepared)
        if earlier_id is None or repetition is None or not repetition.is_acknowledged_again:
            return
        for answer_id in await self._unit.acks.list_own_answers(earlier_id):
            entries = await self._unit.outbox.list_of_interchange(answer_id)
            if any(each.state in OPEN_STATES for each in entries):
                continue  # it was not sent yet
            queued = InterchangeStatus.QUEUED
            await step_outbound(self._unit.interchanges, answer_id, queued, self._now)
            await self._unit.transactions.step_deliveries(
                answer_id, _ARRIVED, DeliveryStatus.PENDING, self._now
            )
            await self._queue(prepared, answer_id)

    async def _queue(self, prepared: PreparedInterchange, answer_id: InterchangeId) -> None:
        partner_id, kind = prepared.routed.partner.id, JobKind.ACKNOWLEDGEMENT
        entry = NewOutboxEntry(
            kind=kind,
            environment=prepared.routed.environment,
            due_at=self._now,
            partner_id=partner_id,
            order_key=order_key(kind, partner_id, ACKNOWLEDGEMENTS),
            interchange_id=answer_id,
        )
        await self._unit.outbox.insert(self._job.account_id, entry, self._now)

    # ---- events ----------------------------------------------------------------------------------

    def _data(self, record: NewTransaction, transaction_id: TransactionId) -> EventData:
        assert record.interchange_id is not None  # every received record has one
        assert record.partner_id is not None
        return {
            "transaction_id": transaction_id,
            "interchange_id": record.interchange_id,
            "partner_id": record.partner_id,
            "receipt_id": self._job.origin.receipt_id,
        }

    def _emit(
        self,
        environment: Environment,
        type_: EventType,
        data: EventData,
        transaction_id: TransactionId,
        message: str = "",
    ) -> None:
        event = NewEvent(
            type=type_, data=data, transaction_id=transaction_id, actor=WORKER, message=message
        )
        self._effects.emit(environment, event)
