"""An event loop whose time passes only while nothing can be done: hours take no time."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import TypeVar

T = TypeVar("T")


class _Selector(selectors.SelectSelector):
    """Lets the time pass that the loop would sleep."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self.now += timeout or 0.0
        return super().select(0)


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._virtual = _Selector()
        super().__init__(self._virtual)

    def time(self) -> float:
        return self._virtual.now


def run_in_virtual_time(work: Coroutine[object, object, T]) -> T:
    """Run ``work`` on such a loop; its time begins at 0."""
    with asyncio.Runner(loop_factory=_Loop) as runner:
        return runner.run(work)
