"""Named queries with PostgreSQL's numbered parameters."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final, LiteralString

from longshore.storage.queries import Queries, Query, SqlValue, read_queries

_SESSION_FOLDER: Final = Path(__file__).parent / "sql"

# A quoted text is passed over; "::" is a cast.
_PARAMETER: Final = re.compile(r"'[^']*'|\"[^\"]*\"|(?<!:):([a-z_][a-z0-9_]*)")


class NumberedQuery:
    """One query as asyncpg takes it: ``$1, $2, …`` and the order of the values."""

    __slots__ = ("_names", "text")

    def __init__(self, query: Query) -> None:
        names: list[str] = []

        def number(match: re.Match[str]) -> str:
            name = match[1]
            if name is None:
                return match[0]
            if name not in names:
                names.append(name)
            return f"${names.index(name) + 1}"

        self.text = _PARAMETER.sub(number, query.text)
        self._names = tuple(names)

    def arguments(self, values: Mapping[str, SqlValue]) -> list[SqlValue]:
        """Return the values in the order of their numbers."""
        return [values[name] for name in self._names]


def numbered(queries: Queries) -> Mapping[str, NumberedQuery]:
    """Return all queries as asyncpg takes them, by name."""
    return {name: NumberedQuery(query) for name, query in queries.items()}


_SESSION: Final = numbered(read_queries(_SESSION_FOLDER))


def session_query(name: LiteralString) -> str:
    """Return a query of the engine itself; its parameters are numbered as they first appear."""
    return _SESSION[name].text
