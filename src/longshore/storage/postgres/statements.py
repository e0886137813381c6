"""Runs a unit's function on a connection, and lets it await nothing but its stores.

A unit's coroutine is driven by hand: its stores yield the calls they need, the driver makes them
and sends back what they gave. Whatever else it yields (a sleep, a socket, another unit) would hold
a transaction open for as long as it takes, and fails the unit; so a function that works on one
engine works on both.
"""

from collections.abc import Awaitable, Callable, Coroutine, Generator, Mapping, Sequence
from typing import Any, Final, LiteralString, TypeVar

from asyncpg import Connection, InterfaceError, PostgresError

from longshore.domain.ports import NotUniqueError
from longshore.kit.errors import LongshoreError
from longshore.storage.errors import OutsideScopeError
from longshore.storage.postgres.errors import driver_errors
from longshore.storage.postgres.queries import NumberedQuery
from longshore.storage.queries import Queries, Row, SqlValue, checked_query
from longshore.storage.units import AWAITED_ELSEWHERE

T = TypeVar("T")

_FAILURES: Final = (
    LongshoreError,
    OutsideScopeError,
    NotUniqueError,
    PostgresError,
    InterfaceError,
)


class _StoreCall:
    """The rows of one query, awaited by a store."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[], Awaitable[Sequence[Row]]]) -> None:
        self.make = make

    def __await__(self) -> Generator["_StoreCall", Sequence[Row], Sequence[Row]]:
        return (yield self)


class AsyncpgSql:
    """The port ``Sql`` for one unit."""

    def __init__(
        self,
        connection: Connection,
        queries: Queries,
        texts: Mapping[str, NumberedQuery],
        *,
        may_write: bool,
    ) -> None:
        self._connection = connection
        self._queries = queries
        self._texts = texts
        self._may_write = may_write
        self._failure: Exception | None = None

    async def fetch_one(self, name: LiteralString, /, **values: SqlValue) -> Row | None:
        rows = await self._rows(name, values)
        return rows[0] if rows else None

    async def fetch_all(self, name: LiteralString, /, **values: SqlValue) -> Sequence[Row]:
        return await self._rows(name, values)

    async def execute(self, name: LiteralString, /, **values: SqlValue) -> None:
        await self._rows(name, values)

    async def execute_for_each(
        self, name: LiteralString, rows: Sequence[Mapping[str, SqlValue]], /
    ) -> None:
        for values in rows:
            checked_query(self._queries, name, values, may_write=self._may_write)
        query = self._texts[name]
        arguments = [query.arguments(values) for values in rows]

        async def make() -> Sequence[Row]:
            with driver_errors():
                await self._connection.executemany(query.text, arguments)
            return ()

        await self._call(make)

    def refuse_after_failure(self) -> None:
        """Raise the first database error of the unit again: its COMMIT would be a rollback."""
        if self._failure is not None:
            raise self._failure

    async def _rows(self, name: str, values: dict[str, SqlValue]) -> Sequence[Row]:
        checked_query(self._queries, name, values, may_write=self._may_write)
        query = self._texts[name]

        async def make() -> Sequence[Row]:
            with driver_errors():
                rows: Sequence[Row] = await self._connection.fetch(
                    query.text, *query.arguments(values)
                )
                return rows

        return await self._call(make)

    async def _call(self, make: Callable[[], Awaitable[Sequence[Row]]]) -> Sequence[Row]:
        self.refuse_after_failure()
        try:
            return await _StoreCall(make)
        except Exception as error:
            self._failure = error
            raise


class Driver:
    """Drives the coroutines of units; one per event loop."""

    def __init__(self) -> None:
        self._is_inside = False

    def refuse_nesting(self) -> None:
        """Refuse what a unit asks for while it runs.

        Raises:
            RuntimeError: A unit is running, so the caller is that unit.
        """
        if self._is_inside:
            raise RuntimeError(AWAITED_ELSEWHERE)

    async def run(self, unit: Coroutine[object, Any, T]) -> T:  # sent: what it asked for
        """Return what ``unit`` returns.

        Raises:
            RuntimeError: It awaited something other than its stores.
        """
        answer: Sequence[Row] | None = None
        error: Exception | None = None
        while True:
            self._is_inside = True
            try:
                asked = unit.send(answer) if error is None else unit.throw(error)
            except StopIteration as stop:
                value: T = stop.value
                return value
            finally:
                self._is_inside = False
            if type(asked) is not _StoreCall:
                unit.close()
                raise RuntimeError(AWAITED_ELSEWHERE)
            answer, error = None, None
            try:
                answer = await asked.make()
            except _FAILURES as failure:  # the unit gets it where it awaits
                error = failure
