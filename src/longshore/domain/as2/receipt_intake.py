"""Takes receipts (MDN) that partners send in connections of their own.

A receipt ends the delivery that awaits it, in one unit. If the result of the attempt is not stored
yet, the receipt is stored and that result ends the delivery. A positive receipt for a delivery that
was given up without one makes it a success. A receipt for any other delivery that has ended changes
nothing.

Points where a test lets the process die: ``as2.take_receipt.before_commit`` and
``as2.take_receipt.after_commit``.

Source: transports.md section 2.4.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from longshore.as2.headers import read_message_id
from longshore.domain.as2.encryption import change_receipt, open_awaited_receipt
from longshore.domain.as2.errors import As2ReceiptRefusedError
from longshore.domain.delivery.attempt_decision import AttemptReport
from longshore.domain.delivery.attempt_end import AttemptRecorder
from longshore.domain.delivery.model import OPEN_STATES, OutboxState
from longshore.domain.delivery.receipts import result_of, sent_of
from longshore.kit.faults import fault_point

if TYPE_CHECKING:
    from longshore.as2.receipt_facts import As2Receipt
    from longshore.domain.as2.intake import As2Relationship
    from longshore.domain.as2.model import ReceiptResult
    from longshore.domain.as2.store import StoredAs2Receipt
    from longshore.domain.ports import Ports
    from longshore.domain.units import WriteUnit

UNKNOWN: Final = "The receipt is for no message that was sent to this partner."
NOT_SIGNED: Final = "The receipt is not signed, as was agreed."


class As2ReceiptIntake:
    """The receiving end of receipts, for every account."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._recorder = AttemptRecorder(ports)

    async def take(self, of: As2Relationship, receipt: As2Receipt) -> bool:
        """End the delivery that awaits a receipt; False if the delivery has ended before.

        Raises:
            As2ReceiptRefusedError: It is not signed as agreed, or for no message to the partner.
            LongshoreError: ``storage_unavailable``.
        """
        if of.connection.mdn_signed and not receipt.is_signed:
            raise As2ReceiptRefusedError(NOT_SIGNED)
        message_id = read_message_id(receipt.original_message_id)

        async def write(unit: WriteUnit) -> bool:
            found = await unit.as2_receipts.find_awaited(of.partner_id, message_id)
            stored = None if found is None else await unit.as2_receipts.lock(found.new.outbox_id)
            if stored is None:
                raise As2ReceiptRefusedError(UNKNOWN)
            is_taken = await self._store(unit, stored, receipt)
            fault_point("as2.take_receipt.before_commit")
            return is_taken

        is_taken = await self._ports.units.write(of.scope, write)
        fault_point("as2.take_receipt.after_commit")
        return is_taken

    async def _store(self, unit: WriteUnit, stored: StoredAs2Receipt, receipt: As2Receipt) -> bool:
        entry = await unit.outbox.find(stored.new.outbox_id)
        assert entry is not None  # the row refers to it
        now, sealer = self._ports.clock.now(), self._ports.sealer
        awaited = open_awaited_receipt(sealer, stored)
        result: ReceiptResult = result_of(receipt, awaited.mics)
        is_late = entry.state is OutboxState.DEAD and not result.code
        if entry.state not in OPEN_STATES and not is_late:
            return False
        await change_receipt(unit, sealer, stored, replace(awaited, result=result), now)
        if is_late or entry.state is OutboxState.AWAITING:
            await self._recorder.record(unit, AttemptReport(entry=entry, sent=sent_of(result)))
        elif entry.state is OutboxState.DUE:
            # It was overdue, or a worker died: what the receipt says is stored by the next claim.
            await unit.outbox.change_waiting(entry.id, entry.state, entry.state, now, now)
        return True
