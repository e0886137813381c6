"""Makes the schema of a PostgreSQL database current (reliability.md section 11).

The same migrations as on SQLite, all that are missing in one transaction under an advisory lock,
with the role, the policies and the views of isolation at its end: whoever looks sees the database
before or after an upgrade, never between. Who calls says how a database with content is saved
before (``saving.py``).
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import asyncpg

from longshore.kit.clock import SystemClock
from longshore.storage.errors import DatabaseRefusedError
from longshore.storage.isolation import TENANT_TABLES, TenantTable
from longshore.storage.postgres.errors import driver_errors
from longshore.storage.postgres.isolation import APP_ROLE, PREPARE_ROLE, guards, shared_grants
from longshore.storage.postgres.pool import CONNECT_SECONDS
from longshore.storage.postgres.queries import session_query
from longshore.storage.queries import Dialect, load_queries
from longshore.storage.schema.catalogue import (
    VERSIONS,
    Migration,
    SchemaVersion,
    known_migrations,
    pending_migrations,
)
from longshore.storage.times import to_us

LOCK_WAIT_SECONDS: Final = 30
OLDEST_SERVER: Final = 15  # views with the rights of who asks
_LOCK_KEY: Final = 0x6C6F6E6773686F72  # "longshor"; any number that is ours alone

_SESSION: Final = {
    "application_name": "longshore migrate",
    "lock_timeout": f"{LOCK_WAIT_SECONDS}s",
    "statement_timeout": "0",
    "synchronous_commit": "on",
    "client_min_messages": "warning",
}


Saving = Callable[[Migration], Awaitable[object]]
"""Saves a database before this migration, the first it lacks; what it raises stops the upgrade."""


async def migrate_postgres(
    url: str,
    versions: Path = VERSIONS,
    tables: Sequence[TenantTable] = TENANT_TABLES,
    *,
    save: Saving | None = None,
) -> tuple[str, ...]:
    """Apply the migrations a database lacks; return their names. A second call does nothing.

    Of several processes at once one saves and migrates and the others wait, up to 30 s. ``save``
    is called for a database with content; without it there is no backup.

    Raises:
        DatabaseRefusedError: The database is newer than this program, one of its migrations was
            changed, the server is older than 15, or the login may not do what is needed.
        StorageUnavailableError: The server cannot be reached.
    """
    known = known_migrations(versions)
    async with owner_connection(url) as connection:
        if not await _pending(connection, known):
            return ()
        with driver_errors():
            async with connection.transaction():
                await lock_schema(connection)
                pending = await _pending(connection, known)
                if save is not None and 0 < len(pending) < len(known):
                    await save(pending[0])
                if pending:
                    await _upgrade(connection, pending, tables)
    return tuple(migration.name for migration in pending)


async def postgres_schema_version(url: str) -> SchemaVersion:
    """Return how far a database is; changes nothing and raises as ``migrate_postgres``."""
    known = known_migrations(VERSIONS)
    async with owner_connection(url) as connection:
        pending = await _pending(connection, known)
    return SchemaVersion(len(known) - len(pending), len(known))


@asynccontextmanager
async def owner_connection(url: str) -> AsyncIterator[asyncpg.Connection]:
    """Connect as the login of the URL, which owns the tables; no unit ever gets this.

    Raises:
        DatabaseRefusedError: The login was refused, or the server is too old.
        StorageUnavailableError: The server cannot be reached.
    """
    with driver_errors():
        connection = await asyncpg.connect(url, timeout=CONNECT_SECONDS, server_settings=_SESSION)
    try:
        _refuse_old_server(connection.get_server_version().major)
        yield connection
    finally:
        await connection.close(timeout=CONNECT_SECONDS)


def _refuse_old_server(major: int) -> None:
    if major < OLDEST_SERVER:
        raise DatabaseRefusedError(
            f"The PostgreSQL server is of release {major}; {OLDEST_SERVER} or later is needed."
        )


async def _pending(
    connection: asyncpg.Connection, known: Sequence[Migration]
) -> Sequence[Migration]:
    return pending_migrations(await _applied(connection), known)


async def _applied(connection: asyncpg.Connection) -> Sequence[tuple[int, str]]:
    """Return number and checksum of the migrations in the database, by number."""
    with driver_errors():
        if not await connection.fetchval(session_query("has_ledger")):
            return ()
        rows = await connection.fetch(_LIST_APPLIED)
    return [(number, checksum) for number, checksum in rows]


async def lock_schema(connection: asyncpg.Connection) -> None:
    """Be the only one who prepares the database, until the transaction ends.

    Raises:
        DatabaseRefusedError: Another process has been doing it for 30 seconds.
    """
    try:
        await connection.execute(session_query("lock_schema"), _LOCK_KEY)
    except asyncpg.LockNotAvailableError as error:
        raise DatabaseRefusedError(
            f"Another process has been preparing this database for {LOCK_WAIT_SECONDS} seconds."
            " Wait for it or end it, then try again."
        ) from error


async def _upgrade(
    connection: asyncpg.Connection, pending: Sequence[Migration], tables: Sequence[TenantTable]
) -> None:
    # Heavy, and needed by nobody whose database is current.
    from longshore.storage.schema.render import (  # noqa: PLC0415 - see the line above
        postgres_statements,
    )

    await prepare_role(connection)
    await connection.execute(session_query("let_owner_in"))
    for (view,) in await connection.fetch(session_query("views")):
        await connection.execute(f"DROP VIEW {view}")
    for migration in pending:
        for statement in postgres_statements(migration):
            await connection.execute(statement)
        await connection.execute(
            session_query("record_migration"),
            migration.number,
            migration.name,
            migration.sha256,
            to_us(SystemClock().now()),
        )
    await guard_tables(connection, tables)


async def prepare_role(connection: asyncpg.Connection) -> None:
    """Make the role of the application, and let this login act as it.

    Raises:
        DatabaseRefusedError: The login may not.
    """
    try:
        for statement in PREPARE_ROLE:
            await connection.execute(statement)
    except asyncpg.InsufficientPrivilegeError as error:
        raise DatabaseRefusedError(
            f"The login of database_url may not make the role {APP_ROLE}, or not act as it. Let an"
            f" administrator run CREATE ROLE {APP_ROLE} NOLOGIN and GRANT {APP_ROLE} TO this login."
        ) from error


async def guard_tables(connection: asyncpg.Connection, tables: Sequence[TenantTable]) -> None:
    """Put policies, views and rights of isolation on tables that have no such view."""
    for statement in (*shared_grants(), *(text for table in tables for text in guards(table))):
        await connection.execute(statement)


_LIST_APPLIED: Final = load_queries(Dialect.POSTGRES)["list_applied_migrations"].text
