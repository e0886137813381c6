"""Reader threads: each unit sees one snapshot, and none waits for the writer."""

from asyncio import get_running_loop
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

import apsw

from longshore.domain.ports import Scope
from longshore.storage.errors import StorageUnavailableError
from longshore.storage.queries import Queries
from longshore.storage.sqlite.connection import driver_errors, open_reader
from longshore.storage.sqlite.running import SqliteSql, run_to_end
from longshore.storage.units import ReadUnit, read_unit

T = TypeVar("T")


class SqliteReaders:
    """As many threads as connections, so that no thread waits for one."""

    def __init__(self, path: Path, queries: Queries, count: int) -> None:
        self._queries = queries
        self._connections = [open_reader(path) for _ in range(count)]
        self._idle: SimpleQueue[apsw.Connection] = SimpleQueue()
        for connection in self._connections:
            self._idle.put(connection)
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="sqlite-reader")
        self._is_closed = False

    async def read(self, scope: Scope, work: Callable[[ReadUnit], Coroutine[object, None, T]]) -> T:
        if self._is_closed:
            raise StorageUnavailableError("The service is stopping.")
        return await get_running_loop().run_in_executor(self._threads, self._read, scope, work)

    def close(self) -> None:
        """Finish what was asked, then stop; called once."""
        self._is_closed = True
        self._threads.shutdown()
        for connection in self._connections:
            connection.close()

    def _read(self, scope: Scope, work: Callable[[ReadUnit], Coroutine[object, None, T]]) -> T:
        connection = self._idle.get()
        try:
            with driver_errors():
                connection.execute("BEGIN")
                # Isolation in the database sets the context of the scope here, clears it below.
                return run_to_end(work(read_unit(SqliteSql(connection, self._queries), scope)))
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            self._idle.put(connection)
