"""Applies migrations over the standard library's sqlite3, the one driver Alembic has a dialect for.

Imported by ``migrate`` alone, under ``schema.lock``, while nothing else has the file open. Each
migration is one exclusive transaction that ends with its row in ``schema_migrations``, so a kill
at any statement leaves the database before or after it, never between.
"""

import importlib.util
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from alembic.migration import MigrationContext
from alembic.operations import Operations

from longshore.kit.clock import SystemClock
from longshore.storage.errors import DatabaseRefusedError
from longshore.storage.manifest import sync
from longshore.storage.schema.catalogue import Migration
from longshore.storage.schema.tables import metadata, schema_migrations
from longshore.storage.sqlite.data_directory import create_private_file
from longshore.storage.times import to_us

OLDEST_SQLITE: Final = (3, 37, 0)  # STRICT tables


def upgrade(database: Path, pending: Sequence[Migration]) -> None:
    """Apply ``pending`` in order, each in a transaction of its own.

    Raises:
        DatabaseRefusedError: The SQLite of this Python is too old, or the backup is damaged.
    """
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise DatabaseRefusedError(
            f"This Python brings SQLite {sqlite3.sqlite_version}; making the tables needs 3.37 or"
            " later. Use a newer Python."
        )
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone() != (0,):
            _back_up(connection, database.with_name(f"before-{pending[0].name[:5]}.db"))
        engine = sa.create_engine(
            "sqlite://", creator=lambda: connection, poolclass=sa.pool.StaticPool
        )
        for migration in pending:
            _apply(engine, migration)


def _apply(engine: sa.Engine, migration: Migration) -> None:
    with engine.connect() as connection:
        # The driver begins nothing by itself; what closes without a commit is rolled back.
        connection.exec_driver_sql("BEGIN EXCLUSIVE")
        context = MigrationContext.configure(connection, opts={"target_metadata": metadata})
        with Operations.context(context):
            run_migration(migration)
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
        if broken is not None:
            raise DatabaseRefusedError(
                f"Migration {migration.name} would break a reference in table {broken[0]};"
                " the database is as it was."
            )
        connection.execute(
            schema_migrations.insert().values(
                number=migration.number,
                name=migration.name,
                sha256=migration.sha256,
                applied_at=to_us(SystemClock().now()),
            )
        )
        connection.commit()


def run_migration(migration: Migration) -> None:
    """Run ``upgrade()`` of a migration's file, in the context that is set up for Alembic."""
    name = f"longshore.storage.schema.versions.{migration.name}"
    spec = importlib.util.spec_from_file_location(name, migration.path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.upgrade()


def _back_up(connection: sqlite3.Connection, target: Path) -> None:
    """Copy all pages at once to a temporary name, check, make durable, rename.

    Raises:
        DatabaseRefusedError: The copy is damaged.
    """
    unfinished = target.with_suffix(".unfinished")
    unfinished.unlink(missing_ok=True)
    create_private_file(unfinished)
    with closing(sqlite3.connect(unfinished)) as copy:
        connection.backup(copy)
        if not _is_sound(copy):
            raise DatabaseRefusedError(
                "The backup before the migration is damaged, so nothing was migrated."
                " 'longshore db check' says what is wrong with the database."
            )
    sync(unfinished)
    unfinished.rename(target)
    sync(target.parent)


def _is_sound(connection: sqlite3.Connection) -> bool:
    try:
        return connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    except sqlite3.DatabaseError:  # too broken for the check to go on
        return False
