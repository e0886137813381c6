"""Units that wake a worker: whatever was committed may have stored work for it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Generic, TypeVar

from longshore.domain.ports import Scope, Units

T = TypeVar("T")
ReadUnitT = TypeVar("ReadUnitT")
WriteUnitT = TypeVar("WriteUnitT")


class WakingUnits(Generic[ReadUnitT, WriteUnitT]):
    """The same units; ``wake`` is called after each commit that somebody waits for."""

    def __init__(self, units: Units[ReadUnitT, WriteUnitT], wake: Callable[[], None]) -> None:
        self._units = units
        self._wake = wake

    async def read(
        self, scope: Scope, work: Callable[[ReadUnitT], Coroutine[object, None, T]]
    ) -> T:
        return await self._units.read(scope, work)

    async def write(
        self, scope: Scope, work: Callable[[WriteUnitT], Coroutine[object, None, T]]
    ) -> T:
        outcome = await self._units.write(scope, work)
        self._wake()
        return outcome

    def defer(
        self, scope: Scope, work: Callable[[WriteUnitT], Coroutine[object, None, object]]
    ) -> None:
        self._units.defer(scope, work)
