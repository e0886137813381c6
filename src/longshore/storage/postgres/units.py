"""Units on PostgreSQL: one transaction each, on a connection of the pool."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import Final, TypeVar

import asyncpg

from longshore.domain.ports import SYSTEM, Scope
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.environment import Environment
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
_BEGIN_READ: Final = session_query("begin_read_unit")
_ROLL_BACK: Final = session_query("roll_back_unit")
_GIVE_ENDING: Final = session_query("give_ending")
_COMMIT: Final = session_query("commit_unit")


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
        async with self._begun(_BEGIN_READ, scope) as connection:
            sql = self._sql(connection, may_write=False)
            value = await self._driver.run(work(open_unit(sql)))
            with driver_errors():
                await connection.execute(_COMMIT)
            return value

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
        async with self._begun(_BEGIN, scope) as connection:
            sql = self._sql(connection, may_write=True)
            ending = UnitEnding(sql)
            value = await self._driver.run(work(open_unit(sql, ending)))
            sql.refuse_after_failure()
            with driver_errors():
                await _end(connection, ending)
            return value

    @asynccontextmanager
    async def _begun(self, begin: str, scope: Scope) -> AsyncIterator[asyncpg.Connection]:
        """Give a connection with a transaction in a scope, which is committed if nothing fails."""
        async with acquired(self._pool) as connection:
            try:
                await connection.execute(f"{begin}\n{_entering(scope)}")
                yield connection
            except BaseException:
                if not connection.is_closed():
                    await connection.execute(_ROLL_BACK)
                raise

    def _sql(self, connection: asyncpg.Connection, *, may_write: bool) -> AsyncpgSql:
        return AsyncpgSql(connection, self._queries, self._texts, may_write=may_write)


@lru_cache(maxsize=1_024)
def _entering(scope: Scope) -> str:
    """Return the statement that shows the rows of a scope until the transaction ends."""
    return _ENTER_SCOPE.format(
        account="" if scope.account_id is None else int(scope.account_id),
        environment="" if scope.environment is None else Environment(scope.environment),
        is_system="on" if scope == SYSTEM else "",
    )


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
