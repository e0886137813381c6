"""Threads that do document work in a fair order, and stop what nobody waits for any more."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from threading import Condition, Lock, Thread
from time import monotonic
from typing import Final, Generic, TypeVar

from longshore.compute.fair_queue import SMALL_BYTES, FairQueue
from longshore.kit.requester import ClientGoneError, current_requester

T = TypeVar("T")

GRACE_SECONDS: Final = 0.5
"""Work that nobody waits for may run so long, since a new process costs more than what is left."""


class WorkItem(Generic[T]):
    """A piece of work and what becomes of it.

    Args:
        function: The work. It may set ``stop``.
        account_id: The account that is charged with it.
        is_small: Whether it goes to the lane for small documents.
    """

    def __init__(
        self, function: "Callable[[WorkItem[T]], T]", account_id: int | None, *, is_small: bool
    ) -> None:
        self.account_id = account_id
        self.is_small = is_small
        self.is_abandoned = False
        self.future: Future[T] = Future()
        self._function = function
        self._started_at = 0.0
        self._lock = Lock()
        self._stop: Callable[[], None] | None = None

    def run(self) -> None:
        """Do the work, in a thread of the executor; called once."""
        # The traceback of an error holds this frame and the item. With the future in either of
        # them, the document would stay in memory until the next collection of garbage.
        future, function = self.future, self._function
        del self.future, self._function
        if not future.set_running_or_notify_cancel():
            return
        self._started_at = monotonic()
        try:
            result = function(self)
        except BaseException as error:  # noqa: BLE001 - it is raised where the work was asked for
            future.set_exception(error)
        else:
            future.set_result(result)
        finally:
            del future, function

    def set_stop(self, stop: Callable[[], None] | None) -> None:
        """Say how the work can be stopped from now on; None: it cannot."""
        with self._lock:
            self._stop = stop

    def stop(self) -> None:
        """Stop the work if it still runs and can be stopped."""
        with self._lock:
            if self._stop is not None:
                self._stop()

    def seconds_of_grace(self) -> float:
        """Return how much longer it may run though nobody waits for it."""
        return max(0.0, self._started_at + GRACE_SECONDS - monotonic())


class FairExecutor:
    """Runs work items in threads, accounts in turn. A thread starts with the work that needs it.

    Args:
        slots: How many pieces run at the same time.
        name: The beginning of the names of the threads.
    """

    def __init__(self, slots: int, name: str) -> None:
        self._queue: FairQueue[WorkItem[object]] = FairQueue(slots)
        self._changed = Condition()
        self._is_closed = False
        self._slots = slots
        self._name = name
        self._threads: list[Thread] = []

    async def submit(self, function: Callable[[WorkItem[T]], T], size: int) -> T:
        """Return what ``function`` returns, in the turn of the account of the current requester.

        Args:
            function: The work; it is given its work item.
            size: Bytes or characters of the documents it works on.

        Raises:
            ClientGoneError: The client left. The work is dropped, or stopped if it has begun.
            RuntimeError: The executor is closed.
        """
        requester = current_requester()
        item = WorkItem(function, requester.account_id, is_small=size <= SMALL_BYTES)
        # Before the item is queued: a thread that begins it takes its future away.
        future = asyncio.wrap_future(item.future)
        self._put(item)
        try:
            if requester.until_gone is None:
                return await future
            gone = asyncio.ensure_future(requester.until_gone())
            try:
                await asyncio.wait((future, gone), return_when=asyncio.FIRST_COMPLETED)
            finally:
                gone.cancel()
            if not future.done():
                raise ClientGoneError
            return future.result()
        finally:
            if not future.done() or future.cancelled():
                future.cancel()
                self._abandon(item)
            # The traceback of an error of the work holds this frame.
            del item, function, future

    def close(self) -> None:
        """Wait for work that has begun and drop what has not; nothing can run afterwards."""
        with self._changed:
            self._is_closed = True
            dropped = self._queue.clear()
            self._changed.notify_all()
        for item in dropped:
            item.future.cancel()
        for thread in self._threads:
            thread.join()

    def _put(self, item: WorkItem[T]) -> None:
        with self._changed:
            if self._is_closed:
                raise RuntimeError("no work is taken after shutdown")
            self._queue.put(item)  # type: ignore[arg-type]  # of any result
            self._changed.notify()
            if len(self._threads) < self._slots:
                name = f"{self._name}_{len(self._threads)}"
                thread = Thread(target=self._run, name=name, daemon=True)
                thread.start()
                self._threads.append(thread)

    def _abandon(self, item: WorkItem[T]) -> None:
        item.is_abandoned = True
        with self._changed:
            is_dropped = self._queue.discard(item)  # type: ignore[arg-type]  # of any result
        if not is_dropped:
            asyncio.get_running_loop().call_later(item.seconds_of_grace(), item.stop)

    def _run(self) -> None:
        while True:
            with self._changed:
                while (item := self._queue.take()) is None:
                    if self._is_closed:
                        return
                    self._changed.wait()
            item.run()
            with self._changed:
                self._queue.end(item)
                self._changed.notify()
            del item  # a document is not kept while the next one is waited for
