"""Ends work that could not be done however often it was tried, so that people see it.

A receipt gets an interchange row that holds all its bytes, and a record, both ``failed``: from
there a person has it processed again.

Points where a test lets the process die: ``processing.give_up.before_commit`` and
``processing.give_up.after_commit``.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from longshore.domain.audit.model import NewEntry
from longshore.domain.audit.writer import AuditWriter
from longshore.domain.delivery.model import Lease, OutboxEntry, OutboxState
from longshore.domain.events.model import EventType, NewEvent
from longshore.domain.events.writer import EventWriter
from longshore.domain.inbound.dispositions import ProcessingNotice
from longshore.domain.inbound.parser import UnreadablePiece
from longshore.domain.inbound.preparation import LeaseLostError, StalePreparationError
from longshore.domain.inbound.rows import (
    InterchangeOrigin,
    last_error,
    unreadable_record,
    unreadable_row,
)
from longshore.domain.inbound.set_dispositions import SUSPENDED
from longshore.domain.interchanges.encryption import SealedParts, store_interchange
from longshore.domain.interchanges.store import (
    Interchange,
    InterchangeStatus,
    ReceiptStatus,
    StoredReceipt,
)
from longshore.domain.ports import WORKER, BlindPurpose, Ports
from longshore.domain.transactions.encryption import TransactionWriter, open_transaction
from longshore.domain.transactions.model import InterchangeId, ProcessingStatus, TransactionId
from longshore.domain.transactions.states import Axis
from longshore.domain.transactions.store import SealedTransaction
from longshore.domain.units import WriteUnit
from longshore.kit.faults import fault_point

MESSAGE = "It could not be processed, however often it was tried. The log says why."
_FAILED = ProcessingStatus.FAILED


class FailedJobRecorder:
    """Gives up one entry inside a unit."""

    def __init__(
        self,
        unit: WriteUnit,
        ports: Ports,
        entry: OutboxEntry,
        code: str,
        now: datetime,
    ) -> None:
        self._unit = unit
        self._ports = ports
        self._entry = entry
        self._notice = ProcessingNotice(code, MESSAGE)
        self._now = now
        self._writer = TransactionWriter(unit, ports.sealer, ports.index, entry.account_id)

    async def receipt(
        self, receipt: StoredReceipt, origin: InterchangeOrigin, content: bytes, parts: SealedParts
    ) -> None:
        """Give up a receipt. ``parts`` is its bytes, sealed for an interchange.

        Raises:
            LeaseLostError: It is another worker's by now, or done.
        """
        account_id, new = self._entry.account_id, receipt.new
        if not await self._unit.receipts.finish(receipt.id, ReceiptStatus.FAILED, self._now):
            raise LeaseLostError
        code, message = self._notice.code, self._notice.message
        piece = UnreadablePiece(content=content, charset="", code=code, message=message)
        owner = (account_id, new.environment)
        digest = self._ports.index.digest(BlindPurpose.INTERCHANGE_BODY, owner, content)
        row = replace(unreadable_row(piece, origin, digest), status=InterchangeStatus.FAILED)
        interchange_id = await store_interchange(
            self._unit, self._ports.sealer, account_id, row, parts, self._now
        )
        record = unreadable_record(piece, origin, interchange_id, self._now)
        states = record.states._replace(processing=_FAILED)
        transaction_id = await self._writer.insert(replace(record, states=states), self._now)
        await self._finish(interchange_id, [transaction_id])

    async def interchange(self, interchange: Interchange) -> None:
        """Give up an interchange that was to be processed again.

        If sets of it are held back, its records go on saying what they said: the next replay passes
        on by that what was not passed on before, and nothing twice.

        Raises:
            LeaseLostError: It is another worker's by now, or done.
            StalePreparationError: It was changed meanwhile.
        """
        waiting, code = InterchangeStatus.RECEIVED, self._notice.code
        if not await self._unit.interchanges.step(
            interchange.id, waiting, InterchangeStatus.FAILED, code, self._now
        ):
            raise LeaseLostError
        records = await self._unit.transactions.list_of_interchange(interchange.id)
        errors = [open_transaction(self._ports.sealer, each).record.last_error for each in records]
        is_partial = any(error is not None and error.code == SUSPENDED for error in errors)
        failed = []
        for record, error in zip(records, errors, strict=True):
            is_passed_on = is_partial and error is None
            if not await self._end(record, is_passed_on=is_passed_on, is_partial=is_partial):
                raise StalePreparationError
            if not is_passed_on:
                failed.append(record.transaction.id)
        await self._finish(interchange.id, failed)

    async def _end(
        self, record: SealedTransaction, *, is_passed_on: bool, is_partial: bool
    ) -> bool:
        """Let a record stand as failed, or as it stood; False if it was changed meanwhile."""
        start, to = ProcessingStatus.PROCESSING, ProcessingStatus.DONE if is_passed_on else _FAILED
        transaction_id = record.transaction.id
        if not await self._unit.transactions.step(
            transaction_id, Axis.PROCESSING, start, to, self._now
        ):
            return False
        if is_partial:
            return True
        return await self._writer.set_last_error(
            record, last_error(self._notice, self._now), self._now
        )

    async def _finish(self, interchange_id: InterchangeId, failed: list[TransactionId]) -> None:
        entry, sealer = self._entry, self._ports.sealer
        lease = Lease(id=entry.id, attempt=entry.attempt)
        if not await self._unit.outbox.finish(lease, OutboxState.DEAD, self._now):
            raise LeaseLostError
        events = [
            NewEvent(
                type=EventType.TRANSACTION_FAILED,
                data={"transaction_id": each, "interchange_id": interchange_id},
                transaction_id=each,
                actor=WORKER,
                message=self._notice.message,
            )
            for each in failed
        ]
        owner = (entry.account_id, entry.new.environment)
        await EventWriter(self._unit, sealer, owner).record(events, self._now)
        audited = NewEntry(
            actor=WORKER,
            action="interchange.give_up",
            object=f"interchange {interchange_id}",
            detail=self._notice.code,
        )
        writer = AuditWriter(self._unit, sealer, entry.account_id)
        await writer.record((audited,), self._now)
        fault_point("processing.give_up.before_commit")
