"""Document work in this process: short work at once, long work in a thread.

A kilobyte of text is parsed faster than a thread is woken, so it runs where it is. Above
``INLINE_LIMIT`` the event loop would stand still for everybody else, so the work goes to a small
pool of threads. They share one interpreter lock with the event loop; ``compute.pool`` does not.
"""

from collections.abc import Callable
from functools import partial
from typing import Final, ParamSpec, TypeVar

from longshore.compute.fair_executor import FairExecutor

P = ParamSpec("P")
T = TypeVar("T")

# Characters or bytes handed over; about a millisecond of parsing (architecture.md section 7).
INLINE_LIMIT: Final = 32_768


class InlineCompute:
    """Runs pure functions; the ``Compute`` port of the domain.

    Args:
        thread_count: How many threads may work on large documents. One more leaves room for small
            ones.
    """

    def __init__(self, *, thread_count: int = 2) -> None:
        self._executor = FairExecutor(thread_count + 1, "compute")

    async def run(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Return ``function(*args, **kwargs)``; what it raises is raised here.

        Cancelling the caller does not stop work that a thread has begun.

        Raises:
            ClientGoneError: The client of this request left before long work was done.
        """
        if is_short(args):
            return function(*args, **kwargs)
        return await self.submit_to_executor(function, *args, **kwargs)

    async def submit_to_executor(
        self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do the same in a thread, however short the work looks."""
        work = partial(function, *args, **kwargs)
        return await self._executor.submit(lambda _: work(), size_of(args))

    def close(self) -> None:
        """Wait for work that has begun and drop what has not; nothing can run afterwards."""
        self._executor.close()


def is_short(args: tuple[object, ...]) -> bool:
    """Return whether work on these documents is done sooner than handed over."""
    return size_of(args) <= INLINE_LIMIT


def size_of(args: tuple[object, ...]) -> int:
    """Return how long the documents among the arguments are together."""
    return sum(len(given) for given in args if isinstance(given, str | bytes))
