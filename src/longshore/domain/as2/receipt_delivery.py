"""Sends the receipts that partners want in connections of their own.

Each is an entry of the outbox and is tried on the schedule of deliveries, with the same Message-ID.
One that is given up is in the audit log; the document that it is for was received all the same.

Points where a test lets the process die: ``as2.send_receipt.after_answer``,
``as2.send_receipt.before_commit`` and ``as2.send_receipt.after_commit``.

Source: transports.md section 2.4.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, Protocol

from longshore.domain.as2.encryption import change_receipt, open_receipt_to_send
from longshore.domain.audit.model import NewEntry
from longshore.domain.audit.writer import AuditWriter
from longshore.domain.delivery.model import Lease, OutboxEntry, OutboxState
from longshore.domain.delivery.outcome import AttemptOutcome
from longshore.domain.delivery.schedule import EndedAttempt, next_attempt_at
from longshore.domain.ports import WORKER, Ports, Scope
from longshore.kit.faults import fault_point

if TYPE_CHECKING:
    from datetime import datetime

    from longshore.domain.as2.model import ReceiptToSend
    from longshore.domain.as2.store import StoredAs2Receipt
    from longshore.domain.delivery.ports import Sent
    from longshore.domain.units import ReadUnit, WriteUnit
    from longshore.kit.environment import Environment

_NO_JITTER: Final = 0.5


class ReceiptTransport(Protocol):
    """A way to send receipts."""

    async def send_receipt(self, receipt: ReceiptToSend, environment: Environment) -> Sent:
        """Send a receipt; return what came of it."""
        ...


class As2ReceiptSender:
    """The port ``delivery.ports.JobHandler`` for receipts of ours."""

    def __init__(self, ports: Ports, transport: ReceiptTransport) -> None:
        self._ports = ports
        self._transport = transport

    async def run(self, entry: OutboxEntry) -> None:
        """Send the receipt of an entry; end the entry, or have it done again later.

        Raises:
            LongshoreError: ``storage_unavailable``.
            SealBrokenError: What is stored is no receipt.
        """

        async def find(unit: ReadUnit) -> StoredAs2Receipt:
            found = await unit.as2_receipts.find_of_entry(entry.id)
            assert found is not None  # it was stored with its entry
            return found

        stored = await self._ports.units.read(_scope(entry), find)
        receipt = open_receipt_to_send(self._ports.sealer, stored)
        sent = await self._transport.send_receipt(receipt, entry.new.environment)
        fault_point("as2.send_receipt.after_answer")

        async def record(unit: WriteUnit) -> None:
            await self._record(unit, entry, sent)
            fault_point("as2.send_receipt.before_commit")

        await self._ports.units.write(_scope(entry), record)
        fault_point("as2.send_receipt.after_commit")

    async def give_up(self, entry: OutboxEntry, code: str) -> None:
        """End an entry that cannot be done.

        Raises:
            LongshoreError: ``storage_unavailable``.
        """

        async def write(unit: WriteUnit) -> None:
            await self._end(unit, entry, OutboxState.DEAD, f"It could not be sent: {code}.")

        await self._ports.units.write(_scope(entry), write)

    async def _record(self, unit: WriteUnit, entry: OutboxEntry, sent: Sent) -> None:
        if sent.verdict.outcome is AttemptOutcome.SUCCEEDED:
            await self._end(unit, entry, OutboxState.DONE)
            return
        now = self._ports.clock.now()
        stored = await unit.as2_receipts.lock(entry.id)
        assert stored is not None  # it was stored with its entry
        due_at = _next_at(stored.new.attempt + 1, sent, now)
        if due_at is None:
            await self._end(unit, entry, OutboxState.DEAD, sent.message)
        elif await unit.outbox.put_back(_lease(entry), due_at, now):
            sealer = self._ports.sealer
            receipt = open_receipt_to_send(sealer, stored)
            counted = replace(stored.new, attempt=stored.new.attempt + 1)
            await change_receipt(unit, sealer, replace(stored, new=counted), receipt, now)

    async def _end(
        self, unit: WriteUnit, entry: OutboxEntry, to: OutboxState, failure: str = ""
    ) -> None:
        now = self._ports.clock.now()
        if not await unit.outbox.finish(_lease(entry), to, now) or not failure:
            return
        given_up = NewEntry(
            actor=WORKER,
            action="as2.give_up_receipt",
            object=f"partner {entry.new.partner_id}",
            detail=failure,
        )
        await AuditWriter(unit, self._ports.sealer, entry.account_id).record((given_up,), now)


def _next_at(number: int, sent: Sent, now: datetime) -> datetime | None:
    """Return when a receipt is tried again that failed for the ``number``-th time."""
    ended = EndedAttempt(
        number=number,
        verdict=sent.verdict,
        ended_at=now,
        refusals=number,
        retry_after=sent.retry_after,
    )
    return next_attempt_at(ended, _NO_JITTER)


def _scope(entry: OutboxEntry) -> Scope:
    return Scope(account_id=entry.account_id, environment=entry.new.environment)


def _lease(entry: OutboxEntry) -> Lease:
    return Lease(id=entry.id, attempt=entry.attempt)
