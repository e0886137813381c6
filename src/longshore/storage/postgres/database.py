"""The database of one URL: units, revocations and its health."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

import asyncpg

from longshore.storage.errors import StorageUnavailableError
from longshore.storage.isolation import TENANT_TABLES, TenantTable
from longshore.storage.postgres.background import Background
from longshore.storage.postgres.checks import refuse_unsafe
from longshore.storage.postgres.errors import driver_errors
from longshore.storage.postgres.pool import acquired, close_pool, open_pool
from longshore.storage.postgres.queries import session_query
from longshore.storage.postgres.revocations import PostgresRevocations
from longshore.storage.postgres.units import PostgresUnits
from longshore.storage.postgres.worker_registry import PostgresWorkerRegistry
from longshore.storage.queries import Dialect, Queries, load_queries

POOL_SIZE: Final = 10


class PostgresDatabase:
    """An open database, for the event loop that opened it."""

    def __init__(
        self,
        url: str,
        pool: asyncpg.Pool,
        units: PostgresUnits,
        revocations: PostgresRevocations,
    ) -> None:
        self._pool = pool
        self.registry = PostgresWorkerRegistry(url)
        self.units = units
        self.revocations = revocations

    async def check(self) -> None:
        """Find out whether units can be read and written now, by a record in the server's log.

        Raises:
            StorageUnavailableError: They cannot.
        """
        with driver_errors():
            async with acquired(self._pool) as connection:
                read_only = await connection.fetchval(session_query("read_only_setting"))
                if read_only == "off":
                    await connection.execute(session_query("write_probe"))
        if read_only != "off":
            raise StorageUnavailableError(
                "The database server takes no writes now.", retry_after_seconds=10
            )


@asynccontextmanager
async def open_postgres(
    url: str,
    *,
    queries: Queries | None = None,
    tables: Sequence[TenantTable] = TENANT_TABLES,
    pool_size: int = POOL_SIZE,
) -> AsyncIterator[PostgresDatabase]:
    """Open the database of a URL; ``migrate_postgres`` has made it current before.

    Leaving finishes what is queued. ``queries`` and ``tables`` are those of the program, unless a
    test has others.

    Raises:
        DatabaseRefusedError: The login, the server's settings or its roles are not fit for use.
        StorageUnavailableError: The server cannot be reached.
    """
    async with AsyncExitStack() as opened:
        pool = await open_pool(url, pool_size)
        opened.push_async_callback(close_pool, pool)
        async with acquired(pool) as connection:
            await refuse_unsafe(connection, tables)
        background = Background()
        opened.push_async_callback(background.close)
        units = PostgresUnits(pool, queries or load_queries(Dialect.POSTGRES), background)
        revocations = PostgresRevocations(url, pool, background)
        opened.push_async_callback(revocations.close)
        await revocations.listen()
        database = PostgresDatabase(url, pool, units, revocations)
        opened.push_async_callback(database.registry.close)
        yield database
