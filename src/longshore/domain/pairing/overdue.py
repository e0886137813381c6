"""Marks requests that got no response in time, in all accounts.

Several processes may run ``OverdueResponseChecker``: the one that marks a request records the
event. It looks at one account after the other, since the system scope sees no documents.

Fault points: ``pairing.overdue.before_mark``, ``pairing.overdue.before_commit``,
``pairing.overdue.after_commit``.

Source: x12.md section 2.12.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from longshore.domain.accounts.model import Account
from longshore.domain.audit.model import NewEntry
from longshore.domain.audit.writer import AuditWriter
from longshore.domain.events.model import EventType, NewEvent
from longshore.domain.events.writer import EventWriter
from longshore.domain.pairing.model import OverdueRequest
from longshore.domain.ports import SYSTEM, WORKER, AccountId, Scope, Sealer
from longshore.domain.units import ReadUnit, Units, WriteUnit
from longshore.kit.clock import Clock
from longshore.kit.environment import Environment
from longshore.kit.faults import fault_point

MAX_AT_ONCE: Final = 100


def response_due_at(sent_at: datetime, response_hours: int) -> datetime | None:
    """Return until when a request that is sent then is to be answered; None for 0 hours."""
    return sent_at + timedelta(hours=response_hours) if response_hours else None


class OverdueResponseChecker:
    """Marks requests that were not answered in time."""

    def __init__(self, units: Units, sealer: Sealer, clock: Clock) -> None:
        self._units = units
        self._sealer = sealer
        self._clock = clock

    async def run_once(self, most: int = MAX_AT_ONCE) -> int:
        """Look at most at this many numbers of each account; return how many requests were marked.

        Raises:
            LongshoreError: ``storage_unavailable``; what was marked before stays so.
        """

        async def accounts(unit: ReadUnit) -> Sequence[Account]:
            return await unit.accounts.list()

        found = await self._units.read(SYSTEM, accounts)
        return sum([await self._run_account(account.id, most) for account in found])

    async def _run_account(self, account_id: AccountId, most: int) -> int:
        now = self._clock.now()

        async def overdue(unit: ReadUnit) -> Sequence[OverdueRequest]:
            return await unit.pairing.list_overdue(now, most)

        both = Scope(account_id=account_id, environment=Environment.PRODUCTION)
        found = await self._units.read(both, overdue)
        return sum([await self._mark(account_id, request) for request in found])

    async def _mark(self, account_id: AccountId, request: OverdueRequest) -> bool:
        now, owner = self._clock.now(), (account_id, request.environment)

        async def mark(unit: WriteUnit) -> bool:
            fault_point("pairing.overdue.before_mark")
            if not await unit.pairing.mark_overdue(request.transaction_id, now):
                return False  # it was answered, or another process was first
            await EventWriter(unit, self._sealer, owner).record([_event(request)], now)
            entry = NewEntry(
                actor=WORKER,
                action=EventType.RESPONSE_OVERDUE,
                object=f"transaction {request.transaction_id}",
            )
            await AuditWriter(unit, self._sealer, account_id).record([entry], now)
            fault_point("pairing.overdue.before_commit")
            return True

        scope = Scope(account_id=account_id, environment=request.environment)
        is_marked = await self._units.write(scope, mark)
        fault_point("pairing.overdue.after_commit")
        return is_marked


def _event(request: OverdueRequest) -> NewEvent:
    return NewEvent(
        type=EventType.RESPONSE_OVERDUE,
        data={"transaction_id": request.transaction_id, "partner_id": request.partner_id},
        transaction_id=request.transaction_id,
        actor=WORKER,
    )
