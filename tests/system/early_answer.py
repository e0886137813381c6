"""The service with one fault: it acknowledges what was stored or submitted before its commit.

The positive control of the kill tests. The commit is as slow as that of a busy disk.
"""

import asyncio
import time
from asyncio import Future, Task, get_running_loop
from collections.abc import Callable, Coroutine
from dataclasses import replace
from threading import current_thread, main_thread
from typing import Any, TypeVar

from longshore import wiring
from longshore.cli.main import run
from longshore.domain import trading
from longshore.domain.outbound.service import SubmitService
from longshore.domain.ports import Ports, Scope
from longshore.domain.units import Units
from longshore.domain.vault.service import VaultService

T = TypeVar("T")

COMMIT_SECONDS = 0.02


class EarlyUnits:
    """Units whose writes return before they are committed."""

    # Any: the units of whichever slice.
    def __init__(self, units: Units) -> None:
        self._units = units
        self._tasks: set[Task[Any]] = set()

    async def read(self, scope: Scope, work: Callable[[Any], Coroutine[object, None, T]]) -> T:
        return await self._units.read(scope, work)

    async def write(self, scope: Scope, work: Callable[[Any], Coroutine[object, None, T]]) -> T:
        loop = get_running_loop()
        told: Future[T] = loop.create_future()

        async def tell_early(unit: object) -> None:
            result = await work(unit)
            loop.call_soon_threadsafe(told.set_result, result)
            if current_thread() is main_thread():
                await asyncio.sleep(COMMIT_SECONDS)
            else:  # the writer of SQLite, which has no loop
                time.sleep(COMMIT_SECONDS)  # noqa: ASYNC251 - it is the disk that is slow

        task = loop.create_task(self._units.write(scope, tell_early))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        await asyncio.wait((task, told), return_when=asyncio.FIRST_COMPLETED)
        if not told.done():
            task.result()  # it failed before it told anything
        return await told

    def defer(self, scope: Scope, work: Callable[[Any], Coroutine[object, None, object]]) -> None:
        self._units.defer(scope, work)


class EarlyVault(VaultService):
    def __init__(self, units: Units, *others: Any) -> None:  # noqa: ANN401 - as they come
        super().__init__(EarlyUnits(units), *others)


class EarlySubmits(SubmitService):
    def __init__(self, ports: Ports) -> None:
        super().__init__(replace(ports, units=EarlyUnits(ports.units)))


if __name__ == "__main__":
    vars(trading)["SubmitService"] = EarlySubmits
    vars(wiring)["VaultService"] = EarlyVault
    run()
