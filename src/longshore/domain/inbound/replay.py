"""Stores what becomes of an interchange that a person lets be processed again: no new rows of it.

Its records step on from ``processing``; where a set was held back, what was passed on with it
steps back to how it stood, and nothing comes of it a second time. What is encrypted with the
interchange tells of the first time. Of bytes that nobody could read then, and somebody can now, the
rows are made as if they came only now; the row that stood for them ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from longshore.domain.delivery.model import OutboxEntry, OutboxState
from longshore.domain.inbound.acknowledgements import AcknowledgedInterchange
from longshore.domain.inbound.dispositions import (
    NO_SET,
    InterchangeDisposition,
    ProcessingNotice,
    SetDisposition,
)
from longshore.domain.inbound.effects import EventData, ProcessingEffects
from longshore.domain.inbound.preparation import (
    Job,
    LeaseLostError,
    PreparedBytes,
    PreparedInterchange,
    PreparedPiece,
    StalePreparationError,
)
from longshore.domain.inbound.repository import ReceiptRecorder
from longshore.domain.inbound.rows import last_error
from longshore.domain.interchanges.store import Interchange, InterchangeStatus
from longshore.domain.partners.model import PartnerId
from longshore.domain.ports import Ports
from longshore.domain.transactions.encryption import TransactionWriter
from longshore.domain.transactions.model import (
    AckStatus,
    ProcessingStatus,
    TransactionId,
    ValidationStatus,
)
from longshore.domain.transactions.states import TRANSITIONS, Axis, AxisStatus, step
from longshore.domain.transactions.store import Links, SealedTransaction
from longshore.domain.units import WriteUnit
from longshore.kit.environment import Environment
from longshore.kit.faults import fault_point


async def record_replay(
    unit: WriteUnit,
    ports: Ports,
    job: Job,
    prepared: Sequence[PreparedPiece],
    done: tuple[OutboxEntry, datetime],
) -> None:
    """Store what becomes of the interchange of a job. ``done`` is its entry, and when.

    Raises:
        StalePreparationError: Something changed since it was assessed; nothing is to be kept.
        LeaseLostError: Another worker has the entry, or has done it; likewise.
    """
    entry, now = done
    interchange = job.interchange
    assert interchange is not None  # that is what is processed again
    effects = ProcessingEffects(unit, ports, job, now)
    await effects.check(prepared)
    await effects.draw_ack_numbers(prepared)
    fault_point("processing.record.before_insert")
    replay = _Replay(effects, ports, interchange)
    if job.is_unread:
        await replay.end_placeholder()
        await ReceiptRecorder(effects, ports).store_all(prepared)
    elif isinstance(prepared[0], PreparedBytes):
        await replay.store_bytes(prepared[0])
    else:
        await replay.store(prepared[0])
        fault_point("processing.record.before_acks")
        await effects.apply(prepared[0], interchange.id)
    effects.audit("interchange.processed", f"interchange {interchange.id}", entry.new.kind)
    await effects.finish(entry, OutboxState.DONE)


class _Replay:
    """Steps the rows of one interchange on."""

    def __init__(self, effects: ProcessingEffects, ports: Ports, interchange: Interchange) -> None:
        self._effects = effects
        self._unit = effects.unit
        self._job = effects.job
        self._now = effects.now
        self._interchange = interchange
        self._writer = TransactionWriter(
            effects.unit, ports.sealer, ports.index, effects.job.account_id
        )

    async def end_placeholder(self) -> None:
        """End what stood for interchanges that have rows of their own from now on."""
        await self._step_interchange(InterchangeStatus.PROCESSED, None)
        for record in await self._records():
            await self._store_record(record, self._without_set())

    async def store_bytes(self, prepared: PreparedBytes) -> None:
        """Set bytes aside again that nobody can read."""
        piece = prepared.piece
        await self._step_interchange(InterchangeStatus.QUARANTINED, piece.code)
        disposition = SetDisposition(
            index=NO_SET,
            group=None,
            partner_id=self._job.partner.id,
            processing=ProcessingStatus.QUARANTINED,
            error=ProcessingNotice(piece.code, piece.message),
        )
        for record in await self._records():
            await self._store_record(record, disposition)

    async def store(self, prepared: PreparedInterchange) -> None:
        """Store what becomes of an interchange."""
        disposition, routed = prepared.disposition, prepared.routed
        await self._step_interchange(disposition.status, disposition.reason)
        groups = [
            each for each, _ in await self._unit.interchanges.list_groups(self._interchange.id)
        ]
        records = await self._records()
        sets = disposition.sets or (self._without_set(),) * len(records)
        originals = await self._originals(disposition)
        transactions: dict[int, TransactionId] = {}
        for place, (record, each) in enumerate(zip(records, sets, strict=True)):
            transactions[each.index] = transaction_id = record.transaction.id
            if each.index in prepared.unchanged:
                await self._restore_states(transaction_id)
                continue
            original = originals[place] if place < len(originals) else None
            await self._store_record(record, each, original)
            run = prepared.runs.get(each.index)
            if run is not None:
                data = self._data(transaction_id, each.partner_id)
                await self._effects.keep_output(run, routed.environment, data, transaction_id)
        answered = AcknowledgedInterchange(
            environment=routed.environment,
            partner_id=routed.partner.id,
            interchange_id=self._interchange.id,
            groups=groups,
            transactions=transactions,
        )
        await self._effects.answer(0, answered)
        await self._effects.pair(prepared, answered)

    def _without_set(self) -> SetDisposition:
        """Return the verdict on the record that stood for an interchange without sets."""
        return SetDisposition(
            index=NO_SET,
            group=None,
            partner_id=self._job.partner.id,
            processing=ProcessingStatus.DONE,
        )

    # ---- rows ------------------------------------------------------------------------------------

    async def _records(self) -> Sequence[SealedTransaction]:
        return await self._unit.transactions.list_of_interchange(self._interchange.id)

    async def _originals(self, disposition: InterchangeDisposition) -> Sequence[TransactionId]:
        """Return the records that those of a duplicate repeat, in their order."""
        if disposition.repeats is None:
            return ()
        return await self._unit.transactions.list_ids(disposition.repeats)

    async def _step_interchange(self, to: InterchangeStatus, reason: str | None) -> None:
        waiting = InterchangeStatus.RECEIVED  # where whoever wanted this has let it stand
        if not await self._unit.interchanges.step(
            self._interchange.id, waiting, to, reason, self._now
        ):
            raise LeaseLostError  # nobody else makes this step

    async def _store_record(
        self,
        stored: SealedTransaction,
        disposition: SetDisposition,
        original: TransactionId | None = None,
    ) -> None:
        """Step a record on from ``processing``. ``original`` is what it is a duplicate of.

        Raises:
            StalePreparationError: It was changed since it was read.
        """
        transaction_id, record = stored.transaction.id, stored.transaction.record
        states = record.states
        error = last_error(disposition.error, self._now)
        changes = [
            self._step(
                transaction_id, Axis.PROCESSING, ProcessingStatus.PROCESSING, disposition.processing
            ),
            self._writer.set_last_error(stored, error, self._now),
        ]
        is_assessed = (
            disposition.validation is not ValidationStatus.NOT_CHECKED
            or disposition.processing is ProcessingStatus.DONE
        )
        if is_assessed and disposition.validation is not states.validation:
            changed = self._step(
                transaction_id, Axis.VALIDATION, states.validation, disposition.validation
            )
            changes.append(changed)
        if disposition.ack in TRANSITIONS[Axis.ACK][states.ack] and self._is_answered(disposition):
            changes.append(self._step(transaction_id, Axis.ACK, states.ack, disposition.ack))
        if not all([await each for each in changes]):
            raise StalePreparationError
        links = Links(partner_id=disposition.partner_id, duplicate_of=original)
        await self._unit.transactions.link(transaction_id, links, self._now)
        self._emit(record.environment, disposition, transaction_id)

    async def _restore_states(self, transaction_id: TransactionId) -> None:
        """Let a record stand as it did before a person wanted its interchange processed again.

        Raises:
            StalePreparationError: It was changed since it was read.
        """
        done = ProcessingStatus.DONE  # all that is left standing was
        if not await self._step(transaction_id, Axis.PROCESSING, ProcessingStatus.PROCESSING, done):
            raise StalePreparationError

    def _is_answered(self, disposition: SetDisposition) -> bool:
        return self._job.mode.is_acknowledged and disposition.ack is not AckStatus.NOT_EXPECTED

    async def _step(
        self, transaction_id: TransactionId, axis: Axis, start: AxisStatus, to: AxisStatus
    ) -> bool:
        """Make a step that a replay may make; False if the record stands elsewhere."""
        step(axis, start, to, is_replay=True)
        return await self._unit.transactions.step(transaction_id, axis, start, to, self._now)

    # ---- events ----------------------------------------------------------------------------------

    def _emit(
        self, environment: Environment, disposition: SetDisposition, transaction_id: TransactionId
    ) -> None:
        data = self._data(transaction_id, disposition.partner_id)
        self._effects.emit_set_event(environment, disposition, data, transaction_id)

    def _data(self, transaction_id: TransactionId, partner_id: PartnerId) -> EventData:
        return {
            "transaction_id": transaction_id,
            "interchange_id": self._interchange.id,
            "partner_id": partner_id,
            "receipt_id": self._job.origin.receipt_id,
            "replay": 1,
        }
