"""Long document work in processes of their own, so that the event loop keeps its interpreter.

Each worker has a channel and at any time one piece of work, handed over by a thread that waits
for its answer. Which work comes next is the matter of ``fair_queue``; the process of work that
nobody waits for any more is killed. The standard executor shares one queue between its processes:
there the death of one fails the work of all. Here it concerns one document alone: it is tried once
more in a new process and refused if that one dies too, since then the document is to blame.

Workers come from a fork server, a process that has imported the engine and nothing else, so that
a new one starts in milliseconds and holds no socket, no database and no key of the server.
"""

import multiprocessing
import resource
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path
from queue import LifoQueue
from socket import socketpair
from threading import Lock
from typing import Final, ParamSpec, TypeVar, cast

from longshore.compute.channel import WorkerChannel
from longshore.compute.fair_executor import FairExecutor, WorkItem
from longshore.compute.inline import is_short, size_of
from longshore.compute.worker import READY, WorkLimits, limit_exceeded, work
from longshore.kit.requester import ClientGoneError
from longshore.x12.dictionary.own_definitions import DefinitionsUnknownError

P = ParamSpec("P")
T = TypeVar("T")

LARGE_BYTES: Final = 128 << 20  # resident after a piece of work: a new process needs a fifth of it
PAGESIZE: Final = resource.getpagesize()
RECYCLE_AFTER: Final = 500  # pieces of work: what a process has gathered by then is given back
END_SECONDS: Final = 2
ATTEMPTS: Final = 2

_GONE: Final = (EOFError, OSError)  # what a channel raises whose other end has died


class ProcessPool:
    """Runs pure functions; the ``Compute`` port of the domain. Short work runs at once, here.

    A function that is handed over, what it is given and what it returns must be picklable.

    Args:
        worker_count: How many processes may work on large documents. One more, which is started
            when it is needed, leaves room for small ones.
        limits: What one piece of work may take.
        preload: Modules that the workers should have imported.
        recycle_after: After how many pieces of work a process is replaced.
    """

    def __init__(
        self,
        worker_count: int,
        *,
        limits: WorkLimits | None = None,
        preload: Sequence[str] = (),
        recycle_after: int = RECYCLE_AFTER,
    ) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([work.__module__, *preload])
        slots = worker_count + 1
        self._executor = FairExecutor(slots, "compute")
        self._idle: LifoQueue[_Worker] = LifoQueue()  # the last one used is warm
        lock = Lock()
        self._workers = [
            _Worker(context, lock, limits or WorkLimits(), recycle_after) for _ in range(slots)
        ]
        for worker in self._workers:
            self._idle.put(worker)
        self._workers[-1].start()  # the first work need not wait for a process

    async def run(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Return ``function(*args, **kwargs)``; what it raises is raised here.

        Raises:
            ClientGoneError: The client of this request left before long work was done.
            LongshoreError: ``limit_exceeded``: the work takes too much time or memory.
        """
        if is_short(args):
            return function(*args, **kwargs)
        return await self.submit_to_executor(function, *args, **kwargs)

    async def submit_to_executor(
        self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do the same in a worker process, however short the work looks."""
        task = partial(function, *args, **kwargs)
        return await self._executor.submit(partial(self._do, task), size_of(args))

    def close(self) -> None:
        """Wait for work that has begun, drop what has not, and end the processes."""
        self._executor.close()
        for worker in self._workers:
            worker.end()

    def _do(self, task: Callable[[], T], item: WorkItem[T]) -> T:
        worker = self._idle.get()
        try:
            for _ in range(ATTEMPTS):
                with suppress(*_GONE):
                    return worker.do_informed(task, item)
                worker.end()
                if item.is_abandoned:
                    raise ClientGoneError
        finally:
            self._idle.put(worker)
        raise limit_exceeded(
            "worker",
            None,
            "The work on the document ended before its time, twice. It is too large or too "
            "complex for this service.",
        )


class _Worker:
    """A slot of the pool: a process that is started when needed and replaced in time.

    Args:
        context: Where processes come from.
        lock: Guards the set in which the standard library keeps its processes.
        limits: What one piece of work may take.
        recycle_after: After how many pieces of work the process is replaced.
    """

    def __init__(
        self, context: ForkServerContext, lock: Lock, limits: WorkLimits, recycle_after: int
    ) -> None:
        self._context = context
        self._lock = lock
        self._limits = limits
        self._recycle_after = recycle_after
        self._process: ForkServerProcess | None = None
        self._channel: WorkerChannel | None = None
        self._done_count = 0

    def start(self) -> WorkerChannel:
        """Start a process and wait until it is ready."""
        ours, theirs = socketpair()
        self._process = self._context.Process(
            target=work, args=(theirs, self._limits), name="longshore-worker", daemon=True
        )
        self._channel = channel = WorkerChannel(ours)
        self._done_count = 0
        with self._lock:
            self._process.start()
        theirs.close()
        assert channel.receive() == READY
        return channel

    def do(self, task: Callable[[], T], item: WorkItem[T]) -> T:
        """Return what ``task`` returns in the process, or raise what it raises there.

        Raises:
            EOFError: The process has died.
        """
        channel = self._channel or self.start()
        assert self._process is not None
        item.set_stop(self._process.kill)
        try:
            channel.send(task)
            outcome = cast("tuple[T, Exception | None]", channel.receive())
        except _GONE as error:
            raise EOFError("the worker has died") from error
        finally:
            item.set_stop(None)
        self._done_count += 1
        if self._done_count >= self._recycle_after or self._is_large():
            self.end()
        result, error_raised = outcome
        if error_raised is None:
            return result
        try:
            raise error_raised
        finally:
            # The traceback of the error holds this frame: with a name for the error here, the
            # document would stay in memory until the next collection of garbage.
            del error_raised, outcome

    def do_informed(self, task: Callable[[], T], item: WorkItem[T]) -> T:
        """Do the same; imported definitions that the process does not have are sent to it once.

        Raises:
            EOFError: The process has died.
        """
        try:
            return self.do(task, item)
        except DefinitionsUnknownError as unknown:
            return self.do(unknown.supplied(task), item)

    def _is_large(self) -> bool:
        """Tell that the process has kept more than it needs; False where no one can say."""
        assert self._process is not None  # it has just answered
        try:
            pages = Path(f"/proc/{self._process.pid}/statm").read_text("ascii").split()[1]
        except OSError:
            return False
        return int(pages) * PAGESIZE > LARGE_BYTES

    def end(self) -> None:
        """End the process, if there is one; the next work gets a new one."""
        if self._process is None or self._channel is None:
            return
        self._channel.close()
        with self._lock:
            self._process.join(END_SECONDS)
            self._process.kill()
            self._process.join()
            self._process.close()
        self._process = self._channel = None
