"""Real databases for tests: one entry per engine, so that a suite runs over all of them."""

from abc import ABC, abstractmethod
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import Any, Protocol, TypeVar

import apsw

from longshore.domain.ports import Revocations, Scope
from longshore.domain.units import ReadUnit, Units, WriteUnit
from longshore.storage.isolation import TENANT_TABLES, TenantTable
from longshore.storage.postgres.database import open_postgres
from longshore.storage.postgres.queries import NumberedQuery
from longshore.storage.queries import Dialect, Queries, Query, SqlValue
from longshore.storage.schema.catalogue import VERSIONS
from longshore.storage.schema.migrate import migrate
from longshore.storage.sqlite.data_directory import DATABASE_FILE
from longshore.storage.sqlite.database import SqliteDatabase, open_database
from tests.support.postgres import PostgresServer

T = TypeVar("T")

Execute = Callable[[Query, Mapping[str, SqlValue]], Awaitable[Sequence[Sequence[Any]]]]


class Database(Protocol):
    """What the contract suite asks of an open database."""

    @property
    def units(self) -> Units: ...
    @property
    def revocations(self) -> Revocations: ...
    async def check(self) -> None: ...


@dataclass(frozen=True)
class Schema:
    """What a database is made from; a test may add to the program's own."""

    name: str
    versions: Path
    tables: Sequence[TenantTable]


CURRENT = Schema("contract", VERSIONS, TENANT_TABLES)


class Engine(ABC):
    """A database of one kind."""

    dialect: Dialect

    @abstractmethod
    async def create(self) -> None:
        """Make it, without a row."""

    @abstractmethod
    def open(self, queries: Queries | None = None) -> AbstractAsyncContextManager[Database]:
        """Open it as the program does."""

    @abstractmethod
    def unguarded(self) -> AbstractAsyncContextManager[Execute]:
        """Open it past all isolation; what is done is undone at the end."""

    @abstractmethod
    async def dump(self) -> bytes:
        """Return everything that lies on its disk."""


@cache
def _migrated(versions: Path) -> TemporaryDirectory[str]:
    """Return a data directory without a row, which lasts as long as this process."""
    folder = TemporaryDirectory()
    migrate(Path(folder.name), versions)
    return folder


def make_sqlite(place: Path, versions: Path = VERSIONS) -> None:
    """Make a current, empty database in ``place``.

    Copied: to migrate takes ten times as long, and thousands of tests begin with it. What
    migrations do is the affair of tests/migration.
    """
    copytree(_migrated(versions).name, place, dirs_exist_ok=True)


class SqliteEngine(Engine):
    """A file in a data directory."""

    dialect = Dialect.SQLITE

    def __init__(self, place: Path, schema: Schema = CURRENT) -> None:
        self.place = place
        self._schema = schema

    async def create(self) -> None:
        make_sqlite(self.place, self._schema.versions)

    @asynccontextmanager
    async def open(self, queries: Queries | None = None) -> AsyncIterator[SqliteDatabase]:
        tables = self._schema.tables
        with open_database(self.place, queries=queries, tables=tables) as database:
            yield database

    @asynccontextmanager
    async def unguarded(self) -> AsyncIterator[Execute]:
        with closing(apsw.Connection(str(self.place / DATABASE_FILE))) as connection:

            async def execute(
                query: Query, values: Mapping[str, SqlValue]
            ) -> Sequence[Sequence[Any]]:
                return connection.execute(query.text, dict(values)).fetchall()

            connection.execute("BEGIN")
            yield execute
            connection.execute("ROLLBACK")

    async def dump(self) -> bytes:
        files = [path for path in sorted(self.place.iterdir()) if path.is_file()]
        return b"".join(path.read_bytes() for path in files)


class PostgresEngine(Engine):
    """A database on the server of this test process, one for each schema."""

    dialect = Dialect.POSTGRES

    def __init__(self, server: PostgresServer, schema: Schema = CURRENT) -> None:
        self.server = server
        self.url = server.url(schema.name)
        self._schema = schema

    async def create(self) -> None:
        await self.server.empty(self._schema.name, self._schema.versions, self._schema.tables)

    def open(self, queries: Queries | None = None) -> AbstractAsyncContextManager[Database]:
        return open_postgres(self.url, queries=queries, tables=self._schema.tables)

    @asynccontextmanager
    async def unguarded(self) -> AsyncIterator[Execute]:
        async with self.server.connected(self._schema.name) as connection:

            async def execute(
                query: Query, values: Mapping[str, SqlValue]
            ) -> Sequence[Sequence[Any]]:
                numbered = NumberedQuery(query)
                rows: Sequence[Sequence[Any]] = await connection.fetch(
                    numbered.text, *numbered.arguments(values)
                )
                return rows

            transaction = connection.transaction()
            await transaction.start()
            yield execute
            await transaction.rollback()

    async def dump(self) -> bytes:
        return await self.server.dump(self._schema.name)


class CountedUnits:
    """Passes units on and counts them."""

    def __init__(self, units: Units) -> None:
        self._units = units
        self.reads = 0
        self.writes = 0
        self.deferred = 0

    async def read(self, scope: Scope, work: Callable[[ReadUnit], Coroutine[object, None, T]]) -> T:
        self.reads += 1
        return await self._units.read(scope, work)

    async def write(
        self, scope: Scope, work: Callable[[WriteUnit], Coroutine[object, None, T]]
    ) -> T:
        self.writes += 1
        return await self._units.write(scope, work)

    def defer(
        self, scope: Scope, work: Callable[[WriteUnit], Coroutine[object, None, object]]
    ) -> None:
        self.deferred += 1
        self._units.defer(scope, work)


@contextmanager
def counted_commits(database: SqliteDatabase) -> Iterator[list[int]]:
    """Yield a list that grows by one entry at each commit that changes something."""
    commits: list[int] = []

    def note() -> bool:
        commits.append(1)
        return False

    connection = database._writer._connection  # noqa: SLF001 - commits are no part of the port
    connection.set_commit_hook(note)
    yield commits
    connection.set_commit_hook(None)
