"""Checks of a start before it serves: the server's settings and the application's role.

Each refusal names what an operator changes. Row security that does not bind, or commits that a
crash can take back, would show only in the damage.
"""

from collections.abc import Sequence

import asyncpg

from longshore.storage.errors import DatabaseRefusedError
from longshore.storage.isolation import TenantTable
from longshore.storage.postgres.errors import driver_errors
from longshore.storage.postgres.isolation import APP_ROLE
from longshore.storage.postgres.migrate import owner_connection
from longshore.storage.postgres.queries import session_query


async def refuse_unsafe(connection: asyncpg.Connection, tables: Sequence[TenantTable]) -> None:
    """Refuse a server or a role on which the promises of storage would not hold.

    Raises:
        DatabaseRefusedError: It is unsafe; the text says what to change.
        StorageUnavailableError: The server cannot be reached.
    """
    with driver_errors():
        await _refuse_settings(connection)
        await _refuse_role(connection)
        await _refuse_unguarded(connection, tables)


async def server_release(url: str) -> str:
    """Return the release of a server, such as ``16.2``, that is fit for use.

    Raises:
        DatabaseRefusedError: Its release or its settings are not, or it refused the login.
        StorageUnavailableError: It cannot be reached.
    """
    async with owner_connection(url) as connection:
        with driver_errors():
            await _refuse_settings(connection)
        version = connection.get_server_version()
    return f"{version.major}.{version.minor}"


async def _refuse_settings(connection: asyncpg.Connection) -> None:
    dangerous = await connection.fetch(session_query("dangerous_settings"))
    if dangerous:
        found = ", ".join(f"{name}={setting}" for name, setting in dangerous)
        raise DatabaseRefusedError(
            f"The PostgreSQL server has {found}. Longshore needs fsync, full_page_writes and"
            " synchronous_commit on, and a database in UTF8: without them it could lose what it"
            " has acknowledged."
        )


async def _refuse_role(connection: asyncpg.Connection) -> None:
    name, is_unbound = await connection.fetchrow(session_query("session_role"))
    if name != APP_ROLE or is_unbound:
        raise DatabaseRefusedError(
            f"The session acts as {name}, which must be {APP_ROLE}, without SUPERUSER and without"
            " BYPASSRLS: row security would not bind it. Is there a pooler that drops the start-up"
            " parameter 'role'?"
        )
    owned = [name for (name,) in await connection.fetch(session_query("owned_tables"))]
    if owned:
        raise DatabaseRefusedError(
            f"The role {APP_ROLE} owns {', '.join(owned)}, or is a member of the role that does,"
            " and could take row security off. Give the tables another owner."
        )


async def _refuse_unguarded(connection: asyncpg.Connection, tables: Sequence[TenantTable]) -> None:
    guarded = {name for (name,) in await connection.fetch(session_query("guarded_tables"))}
    views = {name for (name,) in await connection.fetch(session_query("invoker_views"))}
    bare = [table.name for table in tables if table.name not in guarded or table.view not in views]
    if bare:
        raise DatabaseRefusedError(
            f"Row security is off for {', '.join(bare)}. Run 'longshore db upgrade' with the"
            " release that made this database, or restore a backup."
        )
