"""The simulated time of the demo, and units of work limited to the sandbox of one account.

The worker and its periodic tasks normally look at all accounts. Here each unit runs in one scope,
whatever scope it asks for. The database hides other accounts and live documents from it, so that
work which is due there is not done in simulated time.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from datetime import datetime
from typing import TypeVar

from longshore.domain.ports import AccountId, Scope
from longshore.domain.units import ReadUnit, Units, WriteUnit
from longshore.kit.environment import Environment

T = TypeVar("T")


class SandboxUnits:
    """Units of the sandbox of one account."""

    def __init__(self, units: Units, account_id: AccountId) -> None:
        self._units = units
        self._scope = Scope(account_id=account_id, environment=Environment.SANDBOX)

    async def read(self, scope: Scope, work: Callable[[ReadUnit], Coroutine[object, None, T]]) -> T:
        """Read in the sandbox, whatever ``scope`` is, and return what ``work`` returns."""
        del scope
        return await self._units.read(self._scope, work)

    async def write(
        self, scope: Scope, work: Callable[[WriteUnit], Coroutine[object, None, T]]
    ) -> T:
        """Write in the sandbox, whatever ``scope`` is, and return what ``work`` returns."""
        del scope
        return await self._units.write(self._scope, work)

    def defer(
        self, scope: Scope, work: Callable[[WriteUnit], Coroutine[object, None, object]]
    ) -> None:
        """Queue ``work`` to be done in the sandbox."""
        del scope
        self._units.defer(self._scope, work)


class SimulatedClock:
    """A clock that moves only forward, when ``move_to`` is called."""

    def __init__(self, moment: datetime) -> None:
        self._moment = moment

    def now(self) -> datetime:
        """Return the current moment of the demo."""
        return self._moment

    def move_to(self, moment: datetime) -> None:
        """Move forward to a moment; an earlier one changes nothing."""
        self._moment = max(self._moment, moment)
