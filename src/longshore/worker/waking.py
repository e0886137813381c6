"""Units that wake a worker: whatever was committed may have stored work for it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TypeVar

from longshore.domain.ports import Scope
from longshore.domain.units import ReadUnit, Units, WriteUnit

T = TypeVar("T")


class WakingUnits:
    """The same units; ``wake`` is called after each commit that somebody waits for."""

    def __init__(self, units: Units, wake: Callable[[], None]) -> None:
        self._units = units
        self._wake = wake

    async def read(self, scope: Scope, work: Callable[[ReadUnit], Coroutine[object, None, T]]) -> T:
        return await self._units.read(scope, work)

    async def write(
        self, scope: Scope, work: Callable[[WriteUnit], Coroutine[object, None, T]]
    ) -> T:
        outcome = await self._units.write(scope, work)
        self._wake()
        return outcome

    def defer(
        self, scope: Scope, work: Callable[[WriteUnit], Coroutine[object, None, object]]
    ) -> None:
        self._units.defer(scope, work)
