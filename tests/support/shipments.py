"""A made-up tenant table with an environment, as later slices bring them, and its queries."""

from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

from longshore.domain.ports import Scope
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.storage.isolation import TENANT_TABLES, TenantTable
from longshore.storage.queries import Dialect, Queries, Sql, load_queries, read_queries
from longshore.storage.schema.catalogue import VERSIONS, known_migrations
from tests.support.database import Database, Schema

SHIPMENTS = TenantTable(name="shipments", environment_column="environment")

MIGRATION = '''"""A table of this test."""
import sqlalchemy as sa
from alembic import op

def upgrade():
    integer = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "shipments",
        sa.Column("id", integer, sa.Identity(always=True), primary_key=True),
        sa.Column("account_id", integer, nullable=False),
        sa.Column("environment", sa.Text, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"]),
        sqlite_strict=True,
        sqlite_autoincrement=True,
    )
    op.create_index("ix_shipments_account_id_id", "shipments", ["account_id", "id"])
'''

QUERIES = """\
-- name: list_shipments()
-- All of them.
SELECT id, account_id, environment, note FROM shipments_scoped ORDER BY id;

-- name: find_shipment(id)^
-- The one with this id.
SELECT id, account_id, environment, note FROM shipments_scoped WHERE id = :id;

-- name: count_shipments()^
-- How many there are.
SELECT count(*) FROM shipments_scoped;

-- name: insert_shipment(account_id, environment, note)^
-- Stores one.
INSERT INTO shipments (account_id, environment, note) VALUES (:account_id, :environment, :note)
RETURNING id;

-- name: move_shipment(id, account_id, environment)^
-- Gives one to another account or environment.
UPDATE shipments SET account_id = :account_id, environment = :environment
WHERE id = :id AND EXISTS (SELECT 1 FROM shipments_scoped AS mine WHERE mine.id = shipments.id)
RETURNING id;

-- name: delete_shipment(id)^
-- Removes one.
DELETE FROM shipments
WHERE id = :id AND EXISTS (SELECT 1 FROM shipments_scoped AS mine WHERE mine.id = shipments.id)
RETURNING id;

-- name: delete_unlooked(id)^
-- Removes one, and forgets to look whose it is.
DELETE FROM shipments WHERE id = :id RETURNING id;

-- name: empty_shipments()!
-- Forgets every condition.
UPDATE shipments SET note = '';

-- name: read_past_the_view()
-- Forgets the view.
SELECT id FROM shipments;
"""


def shipments_schema(folder: Path) -> Schema:
    """Return the program's schema and one more migration."""
    versions = copytree(VERSIONS, folder / "versions", ignore=ignore_patterns("__pycache__"))
    number = len(known_migrations(VERSIONS)) + 1
    (versions / f"v{number:04}_shipments.py").write_text(MIGRATION)
    return Schema("shipments", versions, (*TENANT_TABLES, SHIPMENTS))


def shipments_queries(dialect: Dialect, folder: Path) -> Queries:
    """Return the program's queries and those above."""
    (folder / "queries").mkdir(exist_ok=True)
    (folder / "queries" / "shipments.sql").write_text(QUERIES)
    return {**load_queries(dialect), **read_queries(folder / "queries")}


def sql_of(unit: ReadUnit | WriteUnit) -> Sql:
    """Return what the stores of a unit run their queries through."""
    sql: Sql = unit.accounts._sql  # type: ignore[attr-defined]  # noqa: SLF001 - no store has shipments
    return sql


async def run(
    database: Database, scope: Scope, name: str, /, *, writes: bool, **values: object
) -> list[tuple[Any, ...]]:
    """Return the rows of one query in a unit of its own."""

    async def work(unit: ReadUnit | WriteUnit) -> list[tuple[Any, ...]]:
        # The types of the values and the names are checked where stores use the port.
        return [tuple(row.values()) for row in await sql_of(unit).fetch_all(name, **values)]  # type: ignore[arg-type]

    if writes:
        return await database.units.write(scope, work)
    return await database.units.read(scope, work)
