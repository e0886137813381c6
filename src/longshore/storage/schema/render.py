"""The statements of a migration for PostgreSQL, as Alembic writes them without a connection.

Alembic would need a second, synchronous driver to run them itself. So a migration is a list of
statements that does not depend on what the database holds: what it moves or fills it does in SQL.
"""

from collections.abc import Sequence
from io import StringIO

from alembic.migration import MigrationContext
from alembic.operations import Operations

from longshore.storage.schema.catalogue import Migration
from longshore.storage.schema.upgrade import run_migration


class _Statements(StringIO):
    """Takes each statement as Alembic writes it: one call, ended by ';' and an empty line."""

    def __init__(self) -> None:
        super().__init__()
        self.taken: list[str] = []

    def write(self, text: str) -> int:
        self.taken.append(text.strip().removesuffix(";"))
        return len(text)


def postgres_statements(migration: Migration) -> Sequence[str]:
    """Return the statements of one migration, in order."""
    statements = _Statements()
    context = MigrationContext.configure(
        dialect_name="postgresql",
        dialect_opts={"paramstyle": "named"},  # or each percent sign would be doubled
        opts={"as_sql": True, "literal_binds": True, "output_buffer": statements},
    )
    with Operations.context(context):
        run_migration(migration)
    return statements.taken
