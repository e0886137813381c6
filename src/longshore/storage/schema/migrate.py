"""Makes the schema of a data directory current (reliability.md section 11).

A current database costs one read; SQLAlchemy and Alembic are imported only when there is work.
Migrations are the files ``versions/vNNNN_what.py``, numbered from 1 without a gap; the database
keeps the number and SHA-256 of each, so a changed or unknown one is noticed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from longshore.storage.errors import DatabaseRefusedError
from longshore.storage.schema.catalogue import VERSIONS, Migration, known_migrations
from longshore.storage.sqlite.connection import read_applied_migrations
from longshore.storage.sqlite.lock import is_served, schema_lock
from longshore.storage.sqlite.place import (
    DATABASE_FILE,
    create_private_file,
    prepare_data_dir,
)


@dataclass(frozen=True, slots=True)
class SchemaVersion:
    """Numbers of the newest migration in a database (0: none) and in this program."""

    database: int
    program: int


def migrate(data_dir: Path, versions: Path = VERSIONS) -> tuple[str, ...]:
    """Apply the migrations a data directory lacks; return their names. A second call does nothing.

    Makes the directory and the database if they are absent. Of several processes at once one
    migrates and the others wait, up to 30 s. A database with content is backed up first, as
    ``before-vNNNN.db`` beside it. A killed migration leaves the database as it was.

    Raises:
        DatabaseRefusedError: The database is newer than this program, one of its migrations was
            changed, or a server is running on it.
        StorageUnavailableError: The file is locked.
    """
    prepare_data_dir(data_dir)
    known = known_migrations(versions)
    if not pending_migrations(data_dir, known):
        return ()
    with schema_lock(data_dir):
        pending = pending_migrations(data_dir, known)
        if not pending:
            return ()
        if is_served(data_dir):
            raise DatabaseRefusedError(
                "This database must be migrated, but a server is running on it."
                " Stop the server, then start it with this version."
            )
        # Heavy, and needed by nobody whose database is current.
        from longshore.storage.schema.upgrade import upgrade  # noqa: PLC0415 - see the line above

        database = data_dir / DATABASE_FILE
        create_private_file(database)
        upgrade(database, pending)
    return tuple(migration.name for migration in pending)


def schema_version(data_dir: Path) -> SchemaVersion:
    """Return how far a database is; changes nothing.

    Raises:
        DatabaseRefusedError: As for ``migrate``.
        StorageUnavailableError: The file is locked.
    """
    known = known_migrations(VERSIONS)
    return SchemaVersion(len(known) - len(pending_migrations(data_dir, known)), len(known))


def pending_migrations(data_dir: Path, known: Sequence[Migration]) -> Sequence[Migration]:
    """Return what a database lacks of ``known``, after judging what it has.

    Raises:
        DatabaseRefusedError: It has a migration that is not known, or another one of that number.
    """
    applied = read_applied_migrations(data_dir / DATABASE_FILE)
    if len(applied) > len(known):
        raise DatabaseRefusedError(
            f"This database has schema version {len(applied)}, this program knows {len(known)}."
            " Install the newer Longshore that made it, or restore an older backup."
        )
    for (number, checksum), migration in zip(applied, known, strict=False):
        if (number, checksum) != (migration.number, migration.sha256):
            raise DatabaseRefusedError(
                f"Migration {migration.name} is not the one this database was made with."
                " Install the release that made it; released migrations are never changed."
            )
    return known[len(applied) :]
