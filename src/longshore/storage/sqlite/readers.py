"""Reader threads: each unit sees one snapshot, and none waits for the writer."""

from asyncio import get_running_loop
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

import apsw

from longshore.domain.ports import SYSTEM, Scope
from longshore.domain.units import ReadUnit
from longshore.storage.errors import StorageUnavailableError
from longshore.storage.isolation import TenantTable
from longshore.storage.queries import Queries
from longshore.storage.sqlite.connection import driver_errors, open_reader, open_system_reader
from longshore.storage.sqlite.isolation import Guard, UnitContext
from longshore.storage.sqlite.statements import SqliteSql, run_to_end
from longshore.storage.units import open_unit

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Reader:
    """The connections that one thread reads with, one for each kind of scope."""

    context: UnitContext
    tenant: tuple[apsw.Connection, Guard]
    system: tuple[apsw.Connection, Guard]


class SqliteReaders:
    """As many threads as readers, so that no thread waits for one."""

    def __init__(
        self, path: Path, queries: Queries, tables: Sequence[TenantTable], count: int
    ) -> None:
        self._queries = queries
        self._idle: SimpleQueue[_Reader] = SimpleQueue()
        with ExitStack() as opened:
            for _ in range(count):
                context = UnitContext()
                tenant = open_reader(path, tables, context)
                opened.callback(tenant[0].close)
                system = open_system_reader(path, tables)
                opened.callback(system[0].close)
                self._idle.put(_Reader(context, tenant, system))
            self._opened = opened.pop_all()
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
        self._opened.close()

    def _read(self, scope: Scope, work: Callable[[ReadUnit], Coroutine[object, None, T]]) -> T:
        reader = self._idle.get()
        connection, guard = reader.system if scope == SYSTEM else reader.tenant
        reader.context.enter(scope)
        try:
            with driver_errors():
                connection.execute("BEGIN")
                sql = SqliteSql(connection, guard, self._queries, may_write=False)
                return run_to_end(work(open_unit(sql)))
        finally:
            reader.context.leave()
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            self._idle.put(reader)
