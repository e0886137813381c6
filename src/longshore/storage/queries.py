"""Named queries: loaded from ``sql/``, run through the small port ``Sql``.

``sql/<slice>.sql`` holds what both engines understand; ``sql/sqlite/`` and ``sql/postgres/`` hold
the few that differ, and each such name must exist in both. What several queries share lies in
``sql/parts/<part>.sql``; a line ``-- part: <part>`` stands for it, in other parts as well. SQL text
lives in those files alone, and nothing that is known while the program runs is put into it. aiosql
reads the queries; a query takes the parameters that its text names (``:name``), exactly.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum, unique
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, LiteralString, Protocol

import aiosql

SQL_ROOT: Final = Path(__file__).parent / "sql"

_PART: Final = re.compile(r"^-- part: (\w+)\n", re.MULTILINE)
_COMMENTS: Final = re.compile(r"^--(?! part: ).*\n", re.MULTILINE)
# A parameter; quoted text, comments and casts (``::bigint``) are skipped.
_PARAMETER: Final = re.compile(r"'(?:[^']|'')*'|--[^\n]*|(?<![:\w]):([a-z_]\w*)")
_WRITES: Final = re.compile(r"\b(INSERT|UPDATE|DELETE)\b", re.IGNORECASE)

NO_PARTS: Final[Mapping[str, str]] = MappingProxyType({})

SqlValue = int | str | bytes | None


class Row(Protocol):
    """The columns of one row, by name."""

    def __getitem__(self, name: str, /) -> Any:  # noqa: ANN401 - the query and its store know it
        """Return the value of a column."""
        ...

    def values(self) -> Iterable[Any]:
        """Return the values in the order of the query."""
        ...


@unique
class Dialect(StrEnum):
    """The engines, named as their folders under ``sql/``."""

    SQLITE = "sqlite"
    POSTGRES = "postgres"


@dataclass(frozen=True, slots=True)
class Query:
    """One named query."""

    text: str
    """The SQL, with parameters written ``:name``."""
    parameters: frozenset[str]
    is_write: bool = False
    """True if it changes or locks rows; a read unit refuses it then."""


Queries = Mapping[str, Query]


class Sql(Protocol):
    """Runs named queries inside the transaction of a unit; ``values`` are exactly its parameters.

    A read unit refuses a writing query. A unit that caught a database error cannot go on and
    cannot commit: PostgreSQL has aborted its transaction then, and SQLite may have.
    """

    async def fetch_one(self, name: LiteralString, /, **values: SqlValue) -> Row | None:
        """Return the first row, or None."""
        ...

    async def fetch_all(self, name: LiteralString, /, **values: SqlValue) -> Sequence[Row]:
        """Return all rows."""
        ...

    async def execute_for_each(
        self, name: LiteralString, rows: Sequence[Mapping[str, SqlValue]], /
    ) -> None:
        """Run a query whose rows nobody reads once for the values of each row, in one go."""
        ...

    async def execute(self, name: LiteralString, /, **values: SqlValue) -> None:
        """Run a query whose rows nobody reads; who needs their count says RETURNING."""
        ...


def checked_query(
    queries: Queries, name: str, values: Mapping[str, SqlValue], *, may_write: bool
) -> Query:
    """Return the query, if a unit may run it with these values.

    Raises:
        TypeError: The values are not exactly its parameters.
        RuntimeError: A read unit would write.
    """
    query = queries[name]
    if values.keys() != query.parameters:
        raise TypeError(f"query {name} takes exactly {sorted(query.parameters)}")
    if query.is_write and not may_write:
        raise RuntimeError(f"a read unit ran the writing query {name}")
    return query


@cache
def load_queries(dialect: Dialect, root: Path = SQL_ROOT) -> Queries:
    """Return all queries of an engine by name, as they were when first asked for.

    Raises:
        ValueError: A query of one engine lacks its counterpart, or a name is given twice.
        KeyError: There is no part of that name.
    """
    parts = read_parts(root)
    shared = read_queries(root, parts)
    own = {each: read_queries(root / each, parts) for each in Dialect}
    for one, other in ((Dialect.SQLITE, Dialect.POSTGRES), (Dialect.POSTGRES, Dialect.SQLITE)):
        if missing := sorted(own[one].keys() - own[other].keys()):
            raise ValueError(f"sql/{other} lacks the queries that sql/{one} has: {missing}")
    if twice := sorted(shared.keys() & own[dialect].keys()):
        raise ValueError(f"queries are both shared and in sql/{dialect}: {twice}")
    return MappingProxyType(shared | own[dialect])


def read_queries(folder: Path, parts: Mapping[str, str] = NO_PARTS) -> dict[str, Query]:
    """Return the queries of one folder by name, with the ``parts`` that they name.

    Raises:
        ValueError: A name is given twice.
        KeyError: There is no part of that name.
    """
    queries: dict[str, Query] = {}
    for path in sorted(folder.glob("*.sql")):
        text = with_parts(path.read_text(encoding="utf-8"), parts)
        # The driver named here fits all: it leaves the text as it is written.
        loaded = aiosql.from_str(text, "sqlite3", mandatory_parameters=False)
        for name in loaded.available_queries:
            if name.endswith("_cursor"):
                continue  # aiosql adds one for each query
            if name in queries:
                raise ValueError(f"two queries are named {name!r}; the second is in {path.name}")
            function = getattr(loaded, name)
            queries[name] = Query(
                function.sql,
                frozenset(_PARAMETER.findall(function.sql)) - {""},
                is_write=_WRITES.search(function.sql) is not None,
            )
    return queries


def read_parts(root: Path) -> Mapping[str, str]:
    """Return what several queries share, by name, without its comments."""
    return {
        path.stem: _COMMENTS.sub("", path.read_text(encoding="utf-8"))
        for path in (root / "parts").glob("*.sql")
    }


def with_parts(text: str, parts: Mapping[str, str]) -> str:
    """Return the text of queries with the parts that it names.

    Raises:
        KeyError: There is no part of that name.
    """
    return _PART.sub(lambda named: with_parts(parts[named[1]], parts), text)
