"""Isolation on SQLite: scoped views, a guard on each statement, triggers on what is written.

All of it lives in the connection (TEMP objects, functions, an authorizer) and so in no file that
another program could open; it comes from the same declaration as PostgreSQL's row security.

    reader            sees <table>_scoped with the rows of the unit's scope
    system reader     sees <table>_scoped of the tables of the system scope, with all rows
    writer            both, by the scope of the unit; triggers refuse rows outside it

The guard is asked when a statement is prepared. A query that reads never names a table behind a
scoped view. One that writes may: its conditions and its RETURNING read the table itself, and the
triggers check each row.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Final

import apsw

from longshore.domain.ports import SYSTEM, Scope
from longshore.storage.isolation import SHARED_TABLES, TenantTable
from longshore.storage.queries import Query

OUTSIDE_SCOPE: Final = "a row outside the scope of the unit was written"

# Nothing else is needed by a unit: no ATTACH, no PRAGMA, no change of the schema.
_ALLOWED: Final = frozenset({
    apsw.SQLITE_SELECT,
    apsw.SQLITE_RECURSIVE,
    apsw.SQLITE_FUNCTION,
    apsw.SQLITE_TRANSACTION,
    apsw.SQLITE_SAVEPOINT,
    apsw.SQLITE_INSERT,
    apsw.SQLITE_UPDATE,
    apsw.SQLITE_DELETE,
})


class UnitContext:
    """The scope of the unit that runs on a connection now, as the views and triggers ask for it."""

    def __init__(self) -> None:
        self._account: int | None = None
        self._environment: str | None = None
        self._is_system = False

    def enter(self, scope: Scope) -> None:
        """Let the rows of ``scope`` be seen."""
        self._account, self._environment = scope.account_id, scope.environment
        self._is_system = scope == SYSTEM

    def leave(self) -> None:
        """Let nothing be seen any more."""
        self._account, self._environment, self._is_system = None, None, False

    def install(self, connection: apsw.Connection) -> None:
        """Make ``ctx_account()``, ``ctx_env()`` and ``ctx_system()`` known to the connection."""
        # Deterministic, so that an index serves them; each execution asks anew.
        define = partial(connection.create_scalar_function, numargs=0, deterministic=True)
        define("ctx_account", lambda *_: self._account)
        define("ctx_env", lambda *_: self._environment)
        define("ctx_system", lambda *_: self._is_system)


WRITE_PROBE: Final = ("user_version", "0")
"""The setting of the file, and its value, that the writer stores to find out whether it can."""
_LAST_IDS: Final = "sqlite_sequence"
_OF_ONE_TABLE: Final = frozenset({"table_name"})
"""The parameters of the query ``next_id``, the only one that reads the last id of a table."""


class Guard:
    """The authorizer of a connection; ``expect`` names the query that is prepared next."""

    def __init__(self, tables: Sequence[TenantTable]) -> None:
        self._views = {table.name: table.view for table in tables}
        self._query: Query | None = None

    def expect(self, query: Query | None) -> None:
        """Check what is prepared from now on as this query; with None no table is read."""
        self._query = query

    def __call__(
        self,
        operation: int,
        first: str | None,
        second: str | None,
        database: str | None,
        innermost: str | None,
    ) -> int:
        """Return the verdict on one thing a statement does, as SQLite asks for it."""
        if operation in _ALLOWED:
            return apsw.SQLITE_OK
        if operation == apsw.SQLITE_PRAGMA and (first, second) == WRITE_PROBE:
            return apsw.SQLITE_OK
        if operation == apsw.SQLITE_READ and first is not None:
            if database == "temp":
                is_allowed = first in self._views.values()
            else:  # not `database == "main"`: SQLite may name no database
                is_allowed = self._may_read(first, second, innermost)
            return apsw.SQLITE_OK if is_allowed else apsw.SQLITE_DENY
        return apsw.SQLITE_DENY

    def _may_read(self, table: str, column: str | None, innermost: str | None) -> bool:
        if table in SHARED_TABLES:
            return True
        if table == _LAST_IDS:
            return self._query is not None and self._query.parameters == _OF_ONE_TABLE
        if table not in self._views or self._query is None:
            return False
        if self._query.is_write:
            return True
        # The text is looked at because a WITH may take the name of the view, and because of a
        # view that was merged into the query SQLite asks for a read of no column, of no view.
        is_named = _names_table(self._query.text, table)
        return not is_named and (innermost == self._views[table] or not column)


@lru_cache(maxsize=8_192)
def _names_table(text: str, table: str) -> bool:
    """Tell whether a query names a table; asked for each column, whenever it is prepared anew."""
    return re.search(rf"\b{table}\b", text) is not None


def guard_reader(
    connection: apsw.Connection, tables: Sequence[TenantTable], context: UnitContext
) -> Guard:
    """Show the rows of the context's scope, the system scope excepted.

    The guard that is returned becomes the connection's authorizer, as its last setting.
    """
    context.install(connection)
    return _show(connection, tables, _inside)


def guard_system_reader(connection: apsw.Connection, tables: Sequence[TenantTable]) -> Guard:
    """Show all rows of the tables that are named for the system scope, and no other table."""
    return _show(connection, [table for table in tables if table.in_system_scope], _everything)


def guard_writer(
    connection: apsw.Connection, tables: Sequence[TenantTable], context: UnitContext
) -> Guard:
    """Show the rows of the context's scope and refuse writes outside it."""
    context.install(connection)
    for table in _existing(connection, tables):
        # REPLACE would delete rows past these triggers; no query uses it.
        for event, rows in (("INSERT", ("NEW",)), ("UPDATE", ("OLD", "NEW")), ("DELETE", ("OLD",))):
            inside = " AND ".join(f"({_writable(table, f'{row}.')})" for row in rows)
            if table.is_append_only and event != "INSERT":
                inside = "FALSE"
            connection.execute(
                f"CREATE TEMP TRIGGER {table.name}_{event.lower()} BEFORE {event}"
                f" ON main.{table.name} WHEN ({inside}) IS NOT TRUE"
                f" BEGIN SELECT RAISE(ABORT, '{OUTSIDE_SCOPE}'); END"
            )
    return _show(connection, tables, _writable)


def _show(
    connection: apsw.Connection,
    tables: Sequence[TenantTable],
    visible: Callable[[TenantTable], str],
) -> Guard:
    existing = _existing(connection, tables)
    for table in existing:
        connection.execute(
            f"CREATE TEMP VIEW {table.view} AS"  # noqa: S608 - names of our own declaration
            f" SELECT * FROM main.{table.name} WHERE {visible(table)}"
        )
    return Guard(existing)


def _existing(connection: apsw.Connection, tables: Sequence[TenantTable]) -> Sequence[TenantTable]:
    """Return the tables that an older schema has already; what is absent has no rows."""
    return [table for table in tables if connection.table_exists("main", table.name)]


def _inside(table: TenantTable, row: str = "") -> str:
    condition = f"{row}{table.account_column} = ctx_account()"
    if table.environment_column is None:
        return condition
    return f"{condition} AND ctx_env() IN ('production', {row}{table.environment_column})"


def _writable(table: TenantTable, row: str = "") -> str:
    if table.in_system_scope:
        return f"{_inside(table, row)} OR ctx_system()"
    return _inside(table, row)


def _everything(_: TenantTable) -> str:
    return "TRUE"
