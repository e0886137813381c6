"""Expected and overdue acknowledgements, and the periodic task that marks the overdue ones.

Several processes may run ``OverdueAckChecker``: the one that marks a row records the event. It
looks at one account after the other, since the system scope sees no documents.

Fault points: ``acks.overdue.before_mark``, ``acks.overdue.before_commit``,
``acks.overdue.after_commit``.

Source: x12.md section 2.6 (overdue), contract.md section 7.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from longshore.domain.accounts.model import Account
from longshore.domain.acks.model import Ack
from longshore.domain.acks.store import StoredAck
from longshore.domain.audit.model import NewEntry
from longshore.domain.audit.writer import AuditWriter
from longshore.domain.events.model import EventType, NewEvent
from longshore.domain.events.writer import EventWriter
from longshore.domain.partners.envelopes import INFORMATION
from longshore.domain.ports import SYSTEM, WORKER, AccountId, Scope, Sealer
from longshore.domain.transactions.model import AckStatus
from longshore.domain.transactions.states import Axis
from longshore.domain.units import ReadUnit, Units, WriteUnit
from longshore.kit.clock import Clock
from longshore.kit.environment import Environment
from longshore.kit.faults import fault_point
from longshore.x12.acks.assessment import NEVER_ACKNOWLEDGED
from longshore.x12.acks.profile import AckType


def expected_by(sent_at: datetime, ack_hours: int) -> datetime:
    """Return until when a partner is expected to acknowledge what was sent then."""
    return sent_at + timedelta(hours=ack_hours)


def overdue_step(ack: AckStatus) -> AckStatus:
    """Return the axis of a set whose row is overdue: changed only while it waits."""
    return AckStatus.OVERDUE if ack is AckStatus.PENDING else ack


def is_awaited(ack_type: AckType, functional_group: str, usage: str) -> bool:
    """Tell whether a partner is expected to acknowledge a group that is sent.

    Never one of acknowledgements, nor one sent for information (ISA15 ``I``).
    """
    is_acknowledged = functional_group != NEVER_ACKNOWLEDGED and usage != INFORMATION
    return is_acknowledged and ack_type is not AckType.NONE


MAX_AT_ONCE: Final = 100


class OverdueAckChecker:
    """Marks what is overdue, in all accounts."""

    def __init__(self, units: Units, sealer: Sealer, clock: Clock) -> None:
        self._units = units
        self._sealer = sealer
        self._clock = clock

    async def run_once(self, most: int = MAX_AT_ONCE) -> int:
        """Mark at most this many of each account; return how many were marked here.

        Raises:
            LongshoreError: ``storage_unavailable``; what was marked before stays so.
        """

        async def accounts(unit: ReadUnit) -> Sequence[Account]:
            return await unit.accounts.list()

        found = await self._units.read(SYSTEM, accounts)
        return sum([await self._run_account(account.id, most) for account in found])

    async def _run_account(self, account_id: AccountId, most: int) -> int:
        now = self._clock.now()

        async def overdue(unit: ReadUnit) -> Sequence[StoredAck]:
            return await unit.acks.list_overdue(now, most)

        both = Scope(account_id=account_id, environment=Environment.PRODUCTION)
        found = await self._units.read(both, overdue)
        return sum([await self._mark(stored.ack) for stored in found])

    async def _mark(self, ack: Ack) -> bool:
        now, owner = self._clock.now(), (ack.account_id, ack.row.environment)

        async def mark(unit: WriteUnit) -> bool:
            fault_point("acks.overdue.before_mark")
            if not await unit.acks.mark_overdue(ack.id, now):
                return False  # it was answered, or another clock was first
            transaction_id = ack.row.transaction_id
            if transaction_id is not None:
                step = AckStatus.PENDING, AckStatus.OVERDUE
                await unit.transactions.step(transaction_id, Axis.ACK, *step, now)
            await EventWriter(unit, self._sealer, owner).record([_event(ack)], now)
            entry = NewEntry(actor=WORKER, action=EventType.ACK_OVERDUE, object=f"ack {ack.id}")
            await AuditWriter(unit, self._sealer, ack.account_id).record([entry], now)
            fault_point("acks.overdue.before_commit")
            return True

        scope = Scope(account_id=ack.account_id, environment=ack.row.environment)
        is_marked = await self._units.write(scope, mark)
        fault_point("acks.overdue.after_commit")
        return is_marked


def _event(ack: Ack) -> NewEvent:
    transaction_id, partner_id = ack.row.transaction_id, ack.row.partner_id
    data: dict[str, int | str] = {"ack_id": ack.id, "status": AckStatus.OVERDUE.value}
    if transaction_id is not None:
        data["transaction_id"] = transaction_id
    if partner_id is not None:
        data["partner_id"] = partner_id
    return NewEvent(
        type=EventType.ACK_OVERDUE, data=data, transaction_id=transaction_id, actor=WORKER
    )
