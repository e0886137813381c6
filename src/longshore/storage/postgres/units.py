"""Units on PostgreSQL: one transaction each, on a connection of the pool."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Final, TypeVar

import asyncpg

from longshore.domain.ports import SYSTEM, Scope
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.storage.errors import StorageUnavailableError
from longshore.storage.postgres.background import Background
from longshore.storage.postgres.ending import ending_text, ending_values
from longshore.storage.postgres.errors import LOSSES, RETRIED, driver_errors
from longshore.storage.postgres.pool import acquired
from longshore.storage.postgres.queries import numbered, session_query
from longshore.storage.postgres.statements import AsyncpgSql, Driver
from longshore.storage.queries import Queries
from longshore.storage.units import UnitEnding, open_unit

T = TypeVar("T")

ATTEMPTS: Final = 5

_ENTER_SCOPE: Final = session_query("enter_scope")
_BEGIN: Final = session_query("begin_unit")
_ROLL_BACK: Final = session_query("roll_back_unit")
_GIVE_ENDING: Final = session_query("give_ending")


class PostgresUnits:
    """The port ``Units``. For the event loop that opened the pool."""

    def __init__(self, pool: asyncpg.Pool, queries: Queries, background: Background) -> None:
        self._pool = pool
        self._queries = queries
        self._texts = numbered(queries)
        self._background = background
        self._driver = Driver()

    async def read(self, scope: Scope, work: Callable[[ReadUnit], Coroutine[object, None, T]]) -> T:
        self._driver.refuse_nesting()
        async with acquired(self._pool) as connection:
            transaction = connection.transaction(isolation="repeatable_read", readonly=True)
            async with transaction:
                sql = await self._entered(connection, scope, may_write=False)
                return await self._driver.run(work(open_unit(sql)))

    async def write(
        self, scope: Scope, work: Callable[[WriteUnit], Coroutine[object, None, T]]
    ) -> T:
        self._driver.refuse_nesting()
        # As on SQLite: a caller that goes away does not stop its unit.
        return await asyncio.shield(self._background.start(self._write(scope, work)))

    def defer(
        self, scope: Scope, work: Callable[[WriteUnit], Coroutine[object, None, object]]
    ) -> None:
        self._background.queue(lambda: self._write(scope, work))

    async def _write(
        self, scope: Scope, work: Callable[[WriteUnit], Coroutine[object, None, T]]
    ) -> T:
        for _ in range(ATTEMPTS - 1):
            try:
                return await self._transaction(scope, work)
            except StorageUnavailableError as error:
                # Whom the unit waited for is through by now, so it runs again at once.
                if not isinstance(error.__cause__, RETRIED):
                    raise
        return await self._transaction(scope, work)

    async def _transaction(
        self, scope: Scope, work: Callable[[WriteUnit], Coroutine[object, None, T]]
    ) -> T:
        async with acquired(self._pool) as connection:
            await connection.execute(_BEGIN)
            try:
                sql = await self._entered(connection, scope, may_write=True)
                ending = UnitEnding(sql)
                value = await self._driver.run(work(open_unit(sql, ending)))
                sql.refuse_after_failure()
                with driver_errors():
                    await _end(connection, ending)
            except BaseException:
                if not connection.is_closed():
                    await connection.execute(_ROLL_BACK)
                raise
            return value

    async def _entered(
        self, connection: asyncpg.Connection, scope: Scope, *, may_write: bool
    ) -> AsyncpgSql:
        with driver_errors():
            await connection.execute(
                _ENTER_SCOPE,
                "" if scope.account_id is None else str(scope.account_id),
                scope.environment or "",
                "on" if scope == SYSTEM else "",
            )
        return AsyncpgSql(connection, self._queries, self._texts, may_write=may_write)


async def _end(connection: asyncpg.Connection, ending: UnitEnding) -> None:
    """Store what comes last and commit, in one call of the server.

    All units of an account write the same rows last, so none of them waits for this process while
    it holds these.
    """
    if values := ending_values(ending):
        await connection.execute(_GIVE_ENDING, values)
    await _commit(connection, ending_text(ending))


async def _commit(connection: asyncpg.Connection, text: str) -> None:
    """Run the last statements of a unit, which end with COMMIT.

    A connection that breaks here leaves it unknown whether the unit was kept.

    Raises:
        StorageUnavailableError: It broke.
    """
    try:
        await connection.execute(text)
    except LOSSES as error:
        raise StorageUnavailableError(
            "The connection to the database broke while it stored this, so it may or may not be"
            " stored. Look before you try again.",
            retry_after_seconds=5,
        ) from error
