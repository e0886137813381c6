"""The one thread that writes: group commit.

Units wait in a queue. The thread takes all that are there and runs them in one transaction, each
inside its own savepoint and to its end in one step, so no other unit sees half of one. Then it
commits once (one fsync for all) and only then tells every caller. Invariants:

    a unit is acknowledged     after the commit that holds it, never before
    a unit that raises         is rolled back alone; the others of its group commit
    the group cannot commit    every unit of it fails with ``storage_unavailable``, none is kept
    BEGIN is IMMEDIATE         so no unit fails half-way because another process writes
    checkpoints                run on this thread alone, between groups
    work of the outbox         is first in its group, and while there is some, a group holds no
                               more units of requests than of it, or eight

Not a thread pool, because SQLite has one writer anyway, and a commit per unit is 11 to 54 times
slower. Not a lock around shared connections, because then every unit would pay its own fsync.
"""

import os
import threading
import time
from asyncio import AbstractEventLoop, Future, get_running_loop
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import apsw

from longshore.domain.ports import SYSTEM, Scope
from longshore.domain.units import WriteUnit
from longshore.storage.errors import StorageUnavailableError
from longshore.storage.isolation import TenantTable
from longshore.storage.queries import Queries
from longshore.storage.sqlite.connection import (
    BUSY_TIMEOUT_MS,
    JOURNAL_SIZE_LIMIT_BYTES,
    open_writer,
    translated,
)
from longshore.storage.sqlite.isolation import WRITE_PROBE, UnitContext
from longshore.storage.sqlite.statements import SqliteSql, run_to_end
from longshore.storage.units import write_in

T = TypeVar("T")

MAX_GROUP_UNITS: Final = 256  # bounds how long the first unit of a group waits for the last
SHARED_GROUP_UNITS: Final = 8  # of requests, in a group while the outbox is worked on
SHARED_SECONDS: Final = 0.1  # for so long after one unit of the outbox the next one is expected
CHECKPOINT_PAGES: Final = 1000
_PROBE: Final = "PRAGMA {} = {}".format(*WRITE_PROBE)  # its page is written each time


@dataclass(frozen=True, slots=True)
class QueuedUnit:
    """One unit in the queue; without ``future`` nobody waits for it."""

    scope: Scope
    work: Callable[[WriteUnit], Coroutine[object, None, object]]
    future: Future[Any] | None = None  # the caller's type; the queue holds all kinds


@dataclass(frozen=True, slots=True)
class _Outcome:
    job: QueuedUnit
    value: object = None
    error: BaseException | None = None


class JobQueue:
    """The units that wait, those of the outbox apart; any thread puts, the writer takes.

    Whoever works on the outbox asks for one unit after the other, and each would wait for a group
    of as many requests as there are. So these groups are kept short.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._requests: deque[QueuedUnit] = deque()
        self._outbox: deque[QueuedUnit] = deque()
        self._changed = threading.Condition()
        self._shared_until = 0.0
        self._is_closed = False

    def put(self, job: QueuedUnit, *, is_outbox: bool = False) -> None:
        """Add a unit to the end of its queue."""
        with self._changed:
            (self._outbox if is_outbox else self._requests).append(job)
            self._changed.notify()

    def close(self) -> None:
        """Let ``take_group`` return what is queued, and then nothing."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()

    def take_group(self) -> list[QueuedUnit]:
        """Wait for units; return those of the next commit, none if the queue is closed."""
        with self._changed:
            while not (self._outbox or self._requests or self._is_closed):
                self._changed.wait()
            group = _taken(self._outbox, MAX_GROUP_UNITS // 2)
            now = self._monotonic()
            if group:
                self._shared_until = now + SHARED_SECONDS
            most = MAX_GROUP_UNITS - len(group)
            if now < self._shared_until:
                most = min(most, max(SHARED_GROUP_UNITS, len(group)))
            return group + _taken(self._requests, most)


def _taken(queue: deque[QueuedUnit], most: int) -> list[QueuedUnit]:
    return [queue.popleft() for _ in range(min(most, len(queue)))]


class SqliteWriter:
    """Owns the writing connection and its thread."""

    def __init__(self, path: Path, queries: Queries, tables: Sequence[TenantTable]) -> None:
        self._path = path
        self._log = path.with_name(f"{path.name}-wal")
        self._context = UnitContext()
        self._connection, self._guard = open_writer(path, tables, self._context)
        self._file = _identity(path)
        self._queries = queries
        self._queue = JobQueue()
        self._is_closed = False
        self._wal_pages = 0
        self._checkpointed_pages = 0
        self._connection.set_wal_hook(self._note_wal_pages)
        self._thread = threading.Thread(target=self._run, name="sqlite-writer", daemon=True)
        self._thread.start()

    async def write(
        self,
        scope: Scope,
        work: Callable[[WriteUnit], Coroutine[object, None, T]],
        *,
        is_outbox: bool = False,
    ) -> T:
        """Run a unit.

        Args:
            scope: What it sees.
            work: The unit.
            is_outbox: It delivers or processes a document of the outbox.

        Raises:
            StorageUnavailableError: It was not stored.
        """
        future: Future[T] = get_running_loop().create_future()
        if self._is_closed:
            raise StorageUnavailableError("The service is stopping; nothing was stored.")
        self._queue.put(QueuedUnit(scope, work, future), is_outbox=is_outbox)
        return await future

    def defer(
        self, scope: Scope, work: Callable[[WriteUnit], Coroutine[object, None, object]]
    ) -> None:
        if not self._is_closed:
            self._queue.put(QueuedUnit(scope, work))

    async def probe(self) -> None:
        """Write one page and make it durable, in the queue like any unit; changes no content.

        Raises:
            StorageUnavailableError: It cannot be written, for example as the disk is full.
        """
        await self.write(SYSTEM, _probe)

    def close(self) -> None:
        """Run what is queued, then stop; called once."""
        self._is_closed = True
        self._queue.close()
        self._thread.join()
        self._connection.close()

    def _run(self) -> None:
        while group := self._queue.take_group():
            self._acknowledge(self._commit_group(group))
            self._checkpoint_if_due()

    def _commit_group(self, group: list[QueuedUnit]) -> list[_Outcome]:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            outcomes = [self._run_unit(job) for job in group]
            self.refuse_moved_file()
            self._connection.execute("COMMIT")
        except Exception as error:  # noqa: BLE001 - it is handed to every caller of the group
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            return [_Outcome(job, error=_for_one_caller(error)) for job in group]
        return outcomes

    def _run_unit(self, job: QueuedUnit) -> _Outcome:
        self._connection.execute("SAVEPOINT unit")
        sql = SqliteSql(self._connection, self._guard, self._queries, may_write=True)
        self._context.enter(job.scope)
        try:
            if job.work is _probe:
                self._connection.execute(_PROBE)
            value = run_to_end(write_in(sql, job.work))
            sql.refuse_after_failure()
        except BaseException as error:
            if not self._connection.in_transaction:
                if isinstance(error, StorageUnavailableError):
                    raise  # it says why, such as a full disk
                raise StorageUnavailableError(
                    "The database gave up the transaction; nothing was stored."
                ) from error
            self._connection.execute("ROLLBACK TO unit")
            self._connection.execute("RELEASE unit")
            return _Outcome(job, error=_for_one_caller(error))
        finally:
            self._context.leave()
        self._connection.execute("RELEASE unit")
        return _Outcome(job, value=value)

    def refuse_moved_file(self) -> None:
        """Refuse to go on with a file that was removed or exchanged: its commits would be lost.

        Raises:
            StorageUnavailableError: The path does not lead to the open file any more.
        """
        if _identity(self._path) != self._file:
            raise StorageUnavailableError(
                "The database file was removed or exchanged while in use; nothing was stored."
                " Restart the service.",
                retry_after_seconds=30,
            )

    @staticmethod
    def _acknowledge(outcomes: list[_Outcome]) -> None:
        waiting: dict[AbstractEventLoop, list[_Outcome]] = {}
        for outcome in outcomes:
            if outcome.job.future is not None:
                waiting.setdefault(outcome.job.future.get_loop(), []).append(outcome)
        for loop, settled in waiting.items():
            with suppress(RuntimeError):  # the loop is closed: its callers are gone
                loop.call_soon_threadsafe(_settle, settled)

    def _note_wal_pages(self, _: apsw.Connection, __: str, pages: int) -> int:
        self._wal_pages = pages
        return apsw.SQLITE_OK

    def _checkpoint_if_due(self) -> None:
        if self._wal_pages < self._checkpointed_pages:  # the log began anew
            self._checkpointed_pages = 0
        if self._wal_pages - self._checkpointed_pages < CHECKPOINT_PAGES:
            return
        self._checkpointed_pages = self._wal_pages
        is_large = self._log.stat().st_size > JOURNAL_SIZE_LIMIT_BYTES
        try:
            self._connection.set_busy_timeout(0)  # readers are not waited for: units are
            self._connection.wal_checkpoint(
                mode=apsw.SQLITE_CHECKPOINT_TRUNCATE if is_large else apsw.SQLITE_CHECKPOINT_PASSIVE
            )
        except apsw.Error:
            return  # busy or full: the log still holds everything, and later pages try again
        finally:
            self._connection.set_busy_timeout(BUSY_TIMEOUT_MS)


async def _probe(_: WriteUnit) -> None:
    """A unit for which the writer itself writes something."""


def _settle(outcomes: list[_Outcome]) -> None:
    for outcome in outcomes:
        future = outcome.job.future
        if future is None or future.done():  # a cancelled caller does not stop its unit
            continue
        if outcome.error is None:
            future.set_result(outcome.value)
        else:
            future.set_exception(outcome.error)


def _for_one_caller(error: BaseException) -> BaseException:
    """Return the error as one caller gets it: a shared one would collect all their tracebacks."""
    if isinstance(error, apsw.Error):
        own = translated(error)
        if own is not error:
            own.__cause__ = error
        return own
    if isinstance(error, StorageUnavailableError):
        return StorageUnavailableError(
            error.message, retry_after_seconds=error.retry_after_seconds or 1
        )
    return error


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = os.stat(path)  # noqa: PTH116 - once per commit: without making a path object
    except OSError:
        return None
    return status.st_dev, status.st_ino
