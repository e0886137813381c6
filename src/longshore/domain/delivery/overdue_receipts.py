"""Ends attempts whose receipt did not come in time; they are made again as the schedule says.

A document that its partner has not fetched from its mailbox in time is given up.

Fault points: ``dispatch.overdue_receipt.before_commit``,
``dispatch.overdue_receipt.after_commit``.

Source: transports.md section 2.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from longshore.domain.delivery.attempt_decision import AttemptReport
from longshore.domain.delivery.attempt_end import AttemptRecorder
from longshore.domain.delivery.model import OutboxEntry
from longshore.domain.delivery.outcome import FailureKind
from longshore.domain.delivery.ports import failed
from longshore.domain.ports import SYSTEM, Ports, Scope
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.faults import fault_point

_AT_ONCE: Final = 100


class OverdueReceiptChecker:
    """Looks for receipts of all accounts that are overdue."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._recorder = AttemptRecorder(ports)

    async def run_once(self) -> int:
        """End the attempts that are overdue now, the first hundred; return how many."""
        now = self._ports.clock.now()

        async def overdue(unit: ReadUnit) -> Sequence[OutboxEntry]:
            return await unit.outbox.list_awaiting(now, _AT_ONCE)

        entries = await self._ports.units.read(SYSTEM, overdue)
        for entry in entries:
            await self._end(entry)
        return len(entries)

    async def _end(self, entry: OutboxEntry) -> None:
        async def write(unit: WriteUnit) -> None:
            is_receipt = await unit.as2_receipts.find_of_entry(entry.id) is not None
            kind = FailureKind.RECEIPT_OVERDUE if is_receipt else FailureKind.NOT_FETCHED
            report = AttemptReport(entry=entry, sent=failed(kind))
            # Nothing, if the receipt or an acknowledgement came meanwhile.
            await self._recorder.record(unit, report)
            fault_point("dispatch.overdue_receipt.before_commit")

        scope = Scope(account_id=entry.account_id, environment=entry.new.environment)
        await self._ports.units.write(scope, write)
        fault_point("dispatch.overdue_receipt.after_commit")
