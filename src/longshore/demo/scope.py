"""The demo's own time, and units that reach nothing but the sandbox of one account.

The worker and its chores usually look at all accounts. Here each unit runs in one scope, whatever
it asks for: the database itself shows them neither other accounts nor live documents, so that what
is due there is not done in the demo's time.
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
        """Return what ``work`` returns, in the sandbox whatever ``scope`` is."""
        del scope
        return await self._units.read(self._scope, work)

    async def write(
        self, scope: Scope, work: Callable[[WriteUnit], Coroutine[object, None, T]]
    ) -> T:
        """Return what ``work`` returns, after its changes are durable; in the sandbox too."""
        del scope
        return await self._units.write(self._scope, work)

    def defer(
        self, scope: Scope, work: Callable[[WriteUnit], Coroutine[object, None, object]]
    ) -> None:
        """Queue ``work`` in the sandbox."""
        del scope
        self._units.defer(self._scope, work)


class MovedClock:
    """Stands where it is moved to, and goes forward only."""

    def __init__(self, moment: datetime) -> None:
        self._moment = moment

    def now(self) -> datetime:
        """Return the moment the demo has come to."""
        return self._moment

    def move_to(self, moment: datetime) -> None:
        """Go on to a moment; an earlier one changes nothing."""
        self._moment = max(self._moment, moment)
