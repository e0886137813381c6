"""The database of one data directory: units, revocations and its health."""

import os
from collections.abc import Callable, Coroutine, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from types import TracebackType
from typing import Final, LiteralString, Self, TypeVar

import apsw

from longshore.domain.ports import SYSTEM, Scope
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.storage.isolation import TENANT_TABLES, TenantTable
from longshore.storage.queries import Dialect, Queries, load_queries
from longshore.storage.sqlite.connection import driver_errors, open_unguarded_reader
from longshore.storage.sqlite.data_directory import DATABASE_FILE
from longshore.storage.sqlite.readers import SqliteReaders
from longshore.storage.sqlite.revocations import FileRevocations
from longshore.storage.sqlite.writer import SqliteWriter

T = TypeVar("T")

FEWEST_READERS: Final = 2
MAX_READERS: Final = 4


class SqliteUnits:
    """The port ``Units``: reads on the reader threads, writes on the writer thread.

    Args:
        readers: The reader threads.
        writer: The writer thread.
        is_outbox: Whether the units deliver and process what is in the outbox: the writer has a
            share of its time for them, whatever requests ask of it.
    """

    def __init__(
        self, readers: SqliteReaders, writer: SqliteWriter, *, is_outbox: bool = False
    ) -> None:
        self._readers = readers
        self._writer = writer
        self._is_outbox = is_outbox

    async def read(self, scope: Scope, work: Callable[[ReadUnit], Coroutine[object, None, T]]) -> T:
        return await self._readers.read(scope, work)

    async def write(
        self, scope: Scope, work: Callable[[WriteUnit], Coroutine[object, None, T]]
    ) -> T:
        return await self._writer.write(scope, work, is_outbox=self._is_outbox)

    def defer(
        self, scope: Scope, work: Callable[[WriteUnit], Coroutine[object, None, object]]
    ) -> None:
        self._writer.defer(scope, work)


class SqliteDatabase:
    """An open database; the server and the command line use the same at the same time."""

    def __init__(self, data_dir: Path, queries: Queries, tables: Sequence[TenantTable]) -> None:
        self._path = data_dir / DATABASE_FILE
        reader_count = min(MAX_READERS, max(FEWEST_READERS, os.cpu_count() or 1))
        with ExitStack() as opened:
            # The writer closes last, so that SQLite's closing checkpoint finds no reader.
            self._writer = SqliteWriter(self._path, queries, tables)
            opened.callback(self._writer.close)
            readers = SqliteReaders(self._path, queries, tables, reader_count)
            opened.callback(readers.close)
            self.revocations = FileRevocations(data_dir)
            opened.callback(self.revocations.close)
            self._opened = opened.pop_all()
        self.units = SqliteUnits(readers, self._writer)
        self.outbox_units = SqliteUnits(readers, self._writer, is_outbox=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    async def check(self) -> None:
        """Find out whether units can be read and written now, by writing one page.

        Raises:
            StorageUnavailableError: They cannot.
        """
        self._writer.refuse_moved_file()
        await self.units.read(SYSTEM, _nothing)
        await self._writer.probe()

    def damaged_pages(self) -> tuple[str, ...]:
        """Return what SQLite finds wrong with the pages of the file, nothing if it is sound."""
        return self._problems("PRAGMA quick_check")

    def integrity_check(self) -> tuple[str, ...]:
        """Return what SQLite finds wrong with pages, indexes and references; reads everything."""
        return self._problems("PRAGMA integrity_check") + self._problems("PRAGMA foreign_key_check")

    def close(self) -> None:
        """Finish what is queued and close the file; a second call does nothing."""
        self._opened.close()

    def _problems(self, pragma: LiteralString) -> tuple[str, ...]:
        with driver_errors(), closing(open_unguarded_reader(self._path)) as connection:
            try:
                rows = connection.execute(pragma).fetchall()
            except apsw.CorruptError as error:  # too broken for the check to go on
                return (str(error),)
        return tuple(" ".join(map(str, row)) for row in rows if row != ("ok",))


def open_database(
    data_dir: Path,
    *,
    queries: Queries | None = None,
    tables: Sequence[TenantTable] = TENANT_TABLES,
) -> SqliteDatabase:
    """Open the database of a data directory; ``schema.migrate`` has made it current before.

    ``queries`` and ``tables`` are those of the program, unless a test has others.

    Raises:
        DatabaseRefusedError: The file is no database of ours, or a setting did not hold.
        StorageUnavailableError: The file is absent or locked.
    """
    return SqliteDatabase(data_dir, queries or load_queries(Dialect.SQLITE), tables)


async def _nothing(_: object) -> None:
    """A unit that only shows that units run."""
