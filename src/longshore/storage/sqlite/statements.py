"""Runs a unit's function on a connection, to its end in one step."""

import re
from collections.abc import Coroutine, Mapping, Sequence
from typing import Final, LiteralString, TypeVar

import apsw

from longshore.domain.ports import NotUniqueError
from longshore.storage.errors import OutsideScopeError
from longshore.storage.queries import Queries, Query, Row, SqlValue, checked_query
from longshore.storage.sqlite.isolation import OUTSIDE_SCOPE, Guard
from longshore.storage.units import AWAITED_ELSEWHERE

T = TypeVar("T")

# What asyncio and anyio say when they look for a loop in a thread that has none.
_NO_LOOP: Final = re.compile(r"\bevent loop\b")
_NAMES: Final[dict[str, tuple[str, ...]]] = {}


class SqliteSql:
    """The port ``Sql`` for one unit: its coroutines never suspend.

    After a database error SQLite may have ended the transaction, so that each further statement
    would commit by itself: nothing runs then.
    """

    def __init__(
        self, connection: apsw.Connection, guard: Guard, queries: Queries, *, may_write: bool
    ) -> None:
        self._connection = connection
        self._queries = queries
        self._guard = guard
        self._may_write = may_write
        self._failure: Exception | None = None

    async def fetch_one(self, name: LiteralString, /, **values: SqlValue) -> Row | None:
        rows = self._run(name, values)
        return rows[0] if rows else None

    async def fetch_all(self, name: LiteralString, /, **values: SqlValue) -> list[Row]:
        return self._run(name, values)

    async def execute(self, name: LiteralString, /, **values: SqlValue) -> None:
        self._run(name, values)

    async def execute_for_each(
        self, name: LiteralString, rows: Sequence[Mapping[str, SqlValue]], /
    ) -> None:
        for values in rows:  # a call of SQLite is not a journey
            self._run(name, values)

    def refuse_after_failure(self) -> None:
        """Raise the first database error of the unit again, if there was one."""
        if self._failure is not None:
            raise self._failure

    def _run(self, name: str, values: Mapping[str, SqlValue]) -> list[Row]:
        query = checked_query(self._queries, name, values, may_write=self._may_write)
        if self._failure is not None:
            raise self._failure
        self._guard.expect(query)
        try:
            # Read to the end: a statement left in the middle would outlive its savepoint.
            cursor = self._connection.execute(query.text, values)
            return _named(query, cursor)
        except apsw.ConstraintError as error:
            self._failure = _shared(error)
            raise self._failure from error
        except apsw.Error as error:
            self._failure = error
            raise


def _named(query: Query, cursor: apsw.Cursor) -> list[Row]:
    """Return all rows by the names of their columns, which are the same in every run."""
    names = _NAMES.get(query.text)
    if names is not None:
        return [dict(zip(names, row, strict=True)) for row in cursor]
    first = cursor.fetchone()
    if first is None:  # there are no names then
        return []
    names = _NAMES[query.text] = tuple(name for name, *_ in cursor.get_description())
    return [dict(zip(names, row, strict=True)) for row in (first, *cursor)]


def _shared(error: apsw.ConstraintError) -> Exception:
    """Return what both engines raise for a constraint, or the error itself."""
    if OUTSIDE_SCOPE in str(error):
        return OutsideScopeError()
    if "UNIQUE constraint failed" in str(error):
        return NotUniqueError("another row has a value that may exist once")
    return error


def run_to_end(coroutine: Coroutine[object, None, T]) -> T:
    """Return what ``coroutine`` returns.

    Raises:
        RuntimeError: It awaited something that is not ready at once, or that wants an event loop.
    """
    try:
        coroutine.send(None)
    except StopIteration as stop:
        result: T = stop.value
        return result
    except RuntimeError as error:
        if _NO_LOOP.search(str(error)):
            raise RuntimeError(AWAITED_ELSEWHERE) from error
        raise
    coroutine.close()
    raise RuntimeError(AWAITED_ELSEWHERE)
