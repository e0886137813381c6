"""Document work in this process: short work at once, long work in a thread.

A kilobyte of text is parsed faster than a thread is woken, so it runs where it is. Above
``INLINE_LIMIT`` the event loop would stand still for everybody else, so the work goes to a small
pool of threads. They share one interpreter lock with the event loop; ``compute.pool`` does not.
"""

from asyncio import get_running_loop
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

# Characters or bytes handed over; about a millisecond of parsing (architecture.md section 7).
INLINE_LIMIT: Final = 32_768


class InlineCompute:
    """Runs pure functions; the ``Compute`` port of the domain."""

    def __init__(self, *, thread_count: int = 2) -> None:
        self._threads = ThreadPoolExecutor(thread_count, thread_name_prefix="compute")

    async def run(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Return ``function(*args, **kwargs)``; what it raises is raised here.

        Cancelling the caller does not stop work that a thread has begun.
        """
        if is_short(args):
            return function(*args, **kwargs)
        return await self.submit_to_executor(function, *args, **kwargs)

    async def submit_to_executor(
        self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do the same in a thread, however short the work looks."""
        work = partial(function, *args, **kwargs)
        return await get_running_loop().run_in_executor(self._threads, work)

    def close(self) -> None:
        """Wait for work that has begun and drop what has not; nothing can run afterwards."""
        self._threads.shutdown(cancel_futures=True)


def is_short(args: tuple[object, ...]) -> bool:
    """Return whether work on these documents is done sooner than handed over."""
    return sum(len(given) for given in args if isinstance(given, str | bytes)) <= INLINE_LIMIT
