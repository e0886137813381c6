"""Units that are tried again while the database is away.

For a worker alone, all of whose units may run again even if the database broke during the commit:
each changes only what its lease is for, or what is still as it was found.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Final, TypeVar

from longshore.domain.ports import Scope
from longshore.domain.units import ReadUnit, Units, WriteUnit
from longshore.kit.errors import ErrorCode, LongshoreError

T = TypeVar("T")

PAUSES_SECONDS: Final = (0.1, 0.2, 0.5, *[1.0] * 20)
"""Somewhat less than a lease lasts: who is away longer has lost it anyhow."""


class PersistentUnits:
    """Units that are repeated while the database is away."""

    def __init__(self, units: Units, pauses_seconds: Sequence[float] = PAUSES_SECONDS) -> None:
        self.losses = 0
        """The number of units that failed because the database was away."""
        self._units = units
        self._pauses_seconds = pauses_seconds
        self._stopped = asyncio.Event()

    def stop(self) -> None:
        """Try nothing again from now on."""
        self._stopped.set()

    async def read(self, scope: Scope, work: Callable[[ReadUnit], Coroutine[object, None, T]]) -> T:
        return await self._persist(lambda: self._units.read(scope, work))

    async def write(
        self, scope: Scope, work: Callable[[WriteUnit], Coroutine[object, None, T]]
    ) -> T:
        return await self._persist(lambda: self._units.write(scope, work))

    def defer(
        self, scope: Scope, work: Callable[[WriteUnit], Coroutine[object, None, object]]
    ) -> None:
        self._units.defer(scope, work)

    async def _persist(self, run: Callable[[], Coroutine[object, object, T]]) -> T:
        for pause_seconds in self._pauses_seconds:
            try:
                return await run()
            except LongshoreError as error:
                if not is_away(error):
                    raise
                self.losses += 1
                if self._stopped.is_set():
                    raise
            with suppress(TimeoutError):
                async with asyncio.timeout(pause_seconds):
                    await self._stopped.wait()
        return await run()


def is_away(error: BaseException) -> bool:
    """Tell whether an error says that the database cannot serve now."""
    return isinstance(error, LongshoreError) and error.code is ErrorCode.STORAGE_UNAVAILABLE
