"""Makes the schema of a data directory current (reliability.md section 11).

A current database costs one read; SQLAlchemy and Alembic are imported only when there is work.
Migrations are the files ``versions/vNNNN_what.py``, numbered from 1 without a gap; the database
keeps the number and SHA-256 of each, so a changed or unknown one is noticed.
"""

from collections.abc import Sequence
from pathlib import Path

from longshore.storage.errors import DatabaseRefusedError
from longshore.storage.schema.catalogue import (
    VERSIONS,
    Migration,
    SchemaVersion,
    known_migrations,
    pending_migrations,
)
from longshore.storage.sqlite.connection import read_applied_migrations
from longshore.storage.sqlite.data_directory import (
    DATABASE_FILE,
    create_private_file,
    prepare_data_dir,
)
from longshore.storage.sqlite.lock import is_served, schema_lock


def migrate(data_dir: Path, versions: Path = VERSIONS) -> tuple[str, ...]:
    """Apply the migrations a data directory lacks; return their names. A second call does nothing.

    Makes the directory and the database if they are absent. Of several processes at once one
    migrates and the others wait, up to 30 s. A database with content is backed up first, as
    ``before-vNNNN.db`` next to it. A killed migration leaves the database as it was.

    Raises:
        DatabaseRefusedError: The database is newer than this program, one of its migrations was
            changed, or a server is running on it.
        StorageUnavailableError: The file is locked.
    """
    prepare_data_dir(data_dir)
    known = known_migrations(versions)
    if not _pending(data_dir, known):
        return ()
    with schema_lock(data_dir):
        pending = _pending(data_dir, known)
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
    return SchemaVersion(len(known) - len(_pending(data_dir, known)), len(known))


def _pending(data_dir: Path, known: Sequence[Migration]) -> Sequence[Migration]:
    return pending_migrations(read_applied_migrations(data_dir / DATABASE_FILE), known)
