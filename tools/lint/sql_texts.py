"""SQL is written in ``storage/sql``, as named queries.

Danger: a query in the middle of Python is reviewed as a string, escapes the check that it exists in
both dialects, and is one f-string away from an injection. Declaring and migrating the schema, and
the engines' own settings and transactions, stand where they are carried out.
"""

import re
from collections.abc import Iterator

from tools.lint.source import Source, Violation

NAME = "sql-texts"
QUERY = re.compile(
    r"\s*((?-i:SELECT)\s|SELECT\s+(\*|[\w.]+(\s*,\s*[\w.]+)*)\s+FROM\s"  # not "select a … from"
    r"|INSERT\s+(OR\s+\w+\s+)?INTO\s|REPLACE\s+INTO\s|UPDATE\s+\w+\s+SET\s"
    r"|DELETE\s+FROM\s|WITH\s+\w+\s+AS\s)",
    re.IGNORECASE,
)
ENGINE_STATEMENT = re.compile(
    r"\s*(PRAGMA\s+\w|BEGIN\s+(IMMEDIATE|DEFERRED|EXCLUSIVE)|SAVEPOINT\s+\w|RELEASE\s+\w"
    r"|ROLLBACK(\s+TO\s|$)|COMMIT$|VACUUM|(CREATE|ALTER|DROP)\s+(TEMP\s+)?"
    r"(TABLE|VIEW|INDEX|TRIGGER|UNIQUE)\s)"
)
SCHEMA = "src/longshore/storage/schema"
ENGINES = ("src/longshore/storage/sqlite", "src/longshore/storage/postgres", SCHEMA)


def check(source: Source) -> Iterator[Violation]:
    """Find queries outside the schema, and statements of an engine outside the engines."""
    if not source.is_under("src"):
        return
    for constant in source.texts():
        text = constant.value
        if not isinstance(text, str):
            continue
        if QUERY.match(text) and not source.is_under(SCHEMA):
            yield source.violation(constant, "a query is a named one in storage/sql")
        elif ENGINE_STATEMENT.match(text) and not source.is_under(*ENGINES):
            yield source.violation(constant, "only the storage engines speak SQL")
