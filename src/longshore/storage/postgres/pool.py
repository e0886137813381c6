"""Connections of the application role, with the settings that are not optional.

See reliability.md section 3. Whoever connects, the session acts as ``longshore_app``, which owns
no table and is bound by row security; a start that finds anything else is refused.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Final

import asyncpg

from longshore.storage.errors import DatabaseRefusedError
from longshore.storage.postgres.errors import driver_errors
from longshore.storage.postgres.isolation import APP_ROLE

CONNECT_SECONDS: Final = 5
ACQUIRE_SECONDS: Final = 5  # a unit that waits longer for a connection answers 503
COMMAND_SECONDS: Final = 15  # for a server that is silent; it ends a statement itself after 10
CLOSE_SECONDS: Final = 5

_SESSION: Final = {
    "application_name": "longshore",
    "role": APP_ROLE,
    "row_security": "on",
    "statement_timeout": "10s",
    "lock_timeout": "3s",
    "idle_in_transaction_session_timeout": "30s",
    "synchronous_commit": "on",
    "default_transaction_isolation": "read committed",
    "timezone": "UTC",
}


async def open_pool(url: str, size: int) -> asyncpg.Pool:
    """Return a pool of ``size`` connections at most, one of which is open.

    Raises:
        DatabaseRefusedError: The login was refused, or the role of the application is absent.
        StorageUnavailableError: The server cannot be reached.
    """
    with driver_errors(), _role_errors():
        pool = await asyncpg.create_pool(
            url,
            min_size=0,  # the driver would log with a trace that it cannot keep some
            max_size=size,
            timeout=CONNECT_SECONDS,
            command_timeout=COMMAND_SECONDS,
            server_settings=_SESSION,
            reset=_nothing_to_reset,
        )
        try:
            async with pool.acquire(timeout=ACQUIRE_SECONDS):
                return pool
        except BaseException:
            pool.terminate()
            raise


async def connect(url: str) -> asyncpg.Connection:
    """Return a connection of its own, outside the pool; raises as ``open_pool``."""
    with driver_errors(), _role_errors():
        return await asyncpg.connect(
            url, timeout=CONNECT_SECONDS, command_timeout=COMMAND_SECONDS, server_settings=_SESSION
        )


@asynccontextmanager
async def acquired(pool: asyncpg.Pool) -> AsyncIterator[asyncpg.Connection]:
    """Give a connection for a while.

    Raises:
        StorageUnavailableError: None came free or could be made in time, or the pool is closed.
    """
    with driver_errors():
        async with pool.acquire(timeout=ACQUIRE_SECONDS) as connection:
            yield connection


@contextmanager
def _role_errors() -> Iterator[None]:
    try:
        yield
    except (asyncpg.InvalidParameterValueError, asyncpg.InsufficientPrivilegeError) as error:
        raise DatabaseRefusedError(
            f"The login of database_url cannot act as the role {APP_ROLE}. Run"
            " 'longshore db upgrade' with a login that may create roles, or let an administrator"
            f" run CREATE ROLE {APP_ROLE} NOLOGIN and GRANT {APP_ROLE} TO this login."
        ) from error


async def _nothing_to_reset(_: asyncpg.Connection) -> None:
    """Spare a round trip: a unit leaves nothing in the session, its settings end with it."""


async def close_pool(pool: asyncpg.Pool) -> None:
    """Close what is idle and wait for what is lent; break it off after five seconds."""
    try:
        await asyncio.wait_for(pool.close(), CLOSE_SECONDS)
    except TimeoutError:
        pool.terminate()
