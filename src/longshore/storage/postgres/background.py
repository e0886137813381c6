"""Work on the event loop that outlives its caller, ended in good order at a stop."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Final, TypeVar

from longshore.storage.errors import StorageUnavailableError

T = TypeVar("T")

MAX_QUEUED: Final = 10_000  # advisory work beyond it is dropped
STOP_SECONDS: Final = 5

_Job = Callable[[], Coroutine[object, None, object]]


class Background:
    """Tasks that are waited for at a stop, and a queue of work that nobody waits for."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[object]] = set()
        self._queue: asyncio.Queue[_Job] = asyncio.Queue(MAX_QUEUED)
        self._worker = asyncio.create_task(self._work())
        self._is_closed = False

    def start(self, work: Coroutine[object, None, T]) -> "asyncio.Task[T]":
        """Return a task that runs ``work`` to its end, whatever becomes of who asked for it.

        Raises:
            StorageUnavailableError: The stop has begun.
        """
        if self._is_closed:
            work.close()
            raise StorageUnavailableError("The service is stopping; nothing was stored.")
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def queue(self, job: _Job) -> None:
        """Run ``job`` after what is queued; its failure is dropped."""
        if not self._is_closed and not self._queue.full():
            self._queue.put_nowait(job)

    async def close(self) -> None:
        """Take no more work and finish what there is, for five seconds at most."""
        self._is_closed = True
        unfinished = [*self._tasks, asyncio.create_task(self._queue.join())]
        _, late = await asyncio.wait(unfinished, timeout=STOP_SECONDS)
        for task in (*late, self._worker):
            task.cancel()
        await asyncio.gather(*late, self._worker, return_exceptions=True)

    async def _work(self) -> None:
        while True:
            job = await self._queue.get()
            await asyncio.gather(job(), return_exceptions=True)
            self._queue.task_done()
