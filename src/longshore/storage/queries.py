"""Named queries: loaded from ``sql/``, run through the small port ``Sql``.

``sql/<slice>.sql`` holds what both engines understand; ``sql/sqlite/`` and ``sql/postgres/`` hold
the few that differ, and each such name must exist in both. SQL text lives in those files alone
and is never assembled. aiosql reads the files and refuses an undeclared parameter.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum, unique
from pathlib import Path
from typing import Any, Final, LiteralString, Protocol

import aiosql

SQL_ROOT: Final = Path(__file__).parent / "sql"

SqlValue = int | str | bytes | None
Row = Sequence[Any]  # the types of the columns are known to the query and its store alone


@unique
class Dialect(StrEnum):
    """The engines, named as their folders under ``sql/``."""

    SQLITE = "sqlite"
    POSTGRES = "postgres"


@dataclass(frozen=True, slots=True)
class Query:
    """One named query: its text with ``:name`` parameters, and their names."""

    text: str
    parameters: frozenset[str]


Queries = Mapping[str, Query]


class Sql(Protocol):
    """Runs named queries inside the transaction of a unit; ``values`` are exactly its parameters.

    A read-only unit refuses a writing query.
    """

    async def fetch_one(self, name: LiteralString, /, **values: SqlValue) -> Row | None:
        """Return the first row, or None."""
        ...

    async def fetch_all(self, name: LiteralString, /, **values: SqlValue) -> Sequence[Row]:
        """Return all rows."""
        ...

    async def execute(self, name: LiteralString, /, **values: SqlValue) -> None:
        """Run a query whose rows nobody reads; who needs their count says RETURNING."""
        ...


def load_queries(dialect: Dialect, root: Path = SQL_ROOT) -> Queries:
    """Return all queries of an engine by name.

    Raises:
        ValueError: A query of one engine lacks its twin, or a name is given twice.
    """
    shared = _read(root)
    own = {each: _read(root / each) for each in Dialect}
    for one, other in ((Dialect.SQLITE, Dialect.POSTGRES), (Dialect.POSTGRES, Dialect.SQLITE)):
        if missing := sorted(own[one].keys() - own[other].keys()):
            raise ValueError(f"sql/{other} lacks the queries that sql/{one} has: {missing}")
    if twice := sorted(shared.keys() & own[dialect].keys()):
        raise ValueError(f"queries are both shared and in sql/{dialect}: {twice}")
    return shared | own[dialect]


def _read(folder: Path) -> dict[str, Query]:
    queries: dict[str, Query] = {}
    for path in sorted(folder.glob("*.sql")):
        # The driver named here fits all: it leaves the text as it is written.
        loaded = aiosql.from_path(path, "sqlite3")
        for name in loaded.available_queries:
            if name.endswith("_cursor"):
                continue  # aiosql adds one for each query
            if name in queries:
                raise ValueError(f"two queries are named {name!r}; the second is in {path.name}")
            function = getattr(loaded, name)
            queries[name] = Query(function.sql, frozenset(function.parameters or ()))
    return queries
