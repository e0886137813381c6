"""Connections with the settings that are not optional (reliability.md section 2).

Each PRAGMA is a call of its own and is read back: several in one text stop at the first that
returns a row, and SQLite ignores a PRAGMA it does not know. ``mmap_size`` is never set.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import apsw

from longshore.storage.errors import DatabaseRefusedError, StorageUnavailableError
from longshore.storage.isolation import TenantTable
from longshore.storage.queries import Dialect, load_queries
from longshore.storage.sqlite.data_directory import FILE_MODE
from longshore.storage.sqlite.isolation import (
    Guard,
    UnitContext,
    guard_reader,
    guard_system_reader,
    guard_writer,
)

OLDEST_SAFE_SQLITE: Final = (3, 51, 3)  # before it a WAL reset could corrupt the file
BUSY_TIMEOUT_MS: Final = 5000
JOURNAL_SIZE_LIMIT_BYTES: Final = 64 * 1024 * 1024
PREPARED_STATEMENTS: Final = 512
"""As many as the driver keeps: it drops one that was not among the last so many executions."""

# name, value to set, value to read back. The time-out comes first: the others may have to wait.
_Setting = tuple[str, int | str, int | str]
_BUSY_TIMEOUT: Final[_Setting] = ("busy_timeout", BUSY_TIMEOUT_MS, BUSY_TIMEOUT_MS)
_EVERY_CONNECTION: Final[tuple[_Setting, ...]] = (
    _BUSY_TIMEOUT,
    ("journal_mode", "WAL", "wal"),
    ("synchronous", "FULL", 2),
    ("foreign_keys", 1, 1),
    ("trusted_schema", 0, 0),
    ("cell_size_check", 1, 1),
    ("temp_store", "MEMORY", 2),  # no patient data in temporary files
    ("secure_delete", 1, 1),
    ("journal_size_limit", JOURNAL_SIZE_LIMIT_BYTES, JOURNAL_SIZE_LIMIT_BYTES),
    ("wal_autocheckpoint", 0, 0),  # checkpoints are the writer's, at times it chooses
)
_QUERY_ONLY: Final[_Setting] = ("query_only", 1, 1)


def sqlite_version() -> str:
    """Return the version of the SQLite that the driver brings, such as ``3.54.1``."""
    return apsw.sqlite_lib_version()


def open_writer(
    path: Path, tables: Sequence[TenantTable], context: UnitContext
) -> tuple[apsw.Connection, Guard]:
    """Open the connection of the writer thread, guarded by the scope in ``context``.

    Raises:
        DatabaseRefusedError: The file is no database of ours, or a setting did not hold.
        StorageUnavailableError: The file is absent or locked.
    """
    connection = _open(path, _EVERY_CONNECTION)
    with _closed_on_failure(connection):
        guard = guard_writer(connection, tables, context)
        connection.authorizer = guard
    return connection, guard


def open_reader(
    path: Path, tables: Sequence[TenantTable], context: UnitContext
) -> tuple[apsw.Connection, Guard]:
    """Open a connection that cannot write, guarded by the scope; raises as ``open_writer``."""
    return _open_reader(path, lambda connection: guard_reader(connection, tables, context))


def open_system_reader(path: Path, tables: Sequence[TenantTable]) -> tuple[apsw.Connection, Guard]:
    """Open a connection of the system scope that cannot write; raises as ``open_writer``."""
    return _open_reader(path, lambda connection: guard_system_reader(connection, tables))


def open_unguarded_reader(path: Path) -> apsw.Connection:
    """Open a connection for looking at the file as a whole; no unit ever gets it."""
    return _open(path, (*_EVERY_CONNECTION, _QUERY_ONLY))


def open_unguarded(path: Path) -> apsw.Connection:
    """Open a connection for preparing the file; no unit ever gets it."""
    return _open(path, _EVERY_CONNECTION)


def _open_reader(
    path: Path, guarding: Callable[[apsw.Connection], Guard]
) -> tuple[apsw.Connection, Guard]:
    connection = _open(path, _EVERY_CONNECTION)
    with _closed_on_failure(connection):
        # In this order: query_only forbids the views, the guard forbids the PRAGMA.
        guard = guarding(connection)
        _apply(connection, _QUERY_ONLY)
        connection.authorizer = guard
    return connection, guard


def read_applied_migrations(path: Path) -> tuple[tuple[int, str], ...]:
    """Return number and checksum of the migrations in the database; nothing without a file."""
    if not path.exists():
        return ()
    connection = _open(path, (_BUSY_TIMEOUT,))
    with closing(connection), driver_errors():
        if not connection.table_exists(None, "schema_migrations"):
            return ()
        rows = connection.execute(load_queries(Dialect.SQLITE)["list_applied_migrations"].text)
        return tuple((int(str(number)), str(checksum)) for number, checksum in rows)


@contextmanager
def driver_errors() -> Iterator[None]:
    """Turn the driver's errors into those both engines share."""
    try:
        yield
    except apsw.Error as error:
        outcome = translated(error)
        raise outcome from error


def translated(error: apsw.Error) -> Exception:
    """Return what the outside learns of a driver's error: the one set both engines share.

    An error that says the *program* is wrong (a constraint, SQL) stays what it is.
    """
    match error:
        case apsw.FullError():
            return StorageUnavailableError(
                "The disk of the database is full; nothing was stored.", retry_after_seconds=10
            )
        case apsw.BusyError() | apsw.LockedError():
            return StorageUnavailableError(
                "The database is locked by another process; nothing was stored."
            )
        case apsw.NotADBError() | apsw.CorruptError() | apsw.FormatError():
            return DatabaseRefusedError(
                "The database file is damaged or is no SQLite database. Restore a backup."
            )
        case apsw.IOError() | apsw.CantOpenError() | apsw.ReadOnlyError() | apsw.NoMemError():
            return StorageUnavailableError(
                "The database cannot be read or written now; nothing was stored.",
                retry_after_seconds=10,
            )
        case apsw.PermissionsError() | apsw.ProtocolError() | apsw.InterruptError():
            return StorageUnavailableError("The database cannot be used now; nothing was stored.")
        case _:
            return error


def _open(path: Path, settings: tuple[_Setting, ...]) -> apsw.Connection:
    version = tuple(int(part) for part in apsw.sqlite_lib_version().split("."))
    if version < OLDEST_SAFE_SQLITE:
        raise DatabaseRefusedError(
            f"SQLite {apsw.sqlite_lib_version()} can corrupt databases; 3.51.3 or later is needed."
            " Install the current apsw package."
        )
    if not path.exists():
        raise StorageUnavailableError(
            "There is no database in the data directory. 'longshore db upgrade' creates one."
        )
    path.chmod(FILE_MODE)
    with driver_errors():
        connection = apsw.Connection(
            str(path),
            flags=apsw.SQLITE_OPEN_READWRITE,
            statementcachesize=PREPARED_STATEMENTS,
        )
    with _closed_on_failure(connection):
        # A plan never depends on the values that are bound. Else, with statistics compiled in,
        # SQLite prepares a statement anew for each execution: twenty times the time of many.
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        for setting in settings:
            _apply(connection, setting)
    return connection


@contextmanager
def _closed_on_failure(connection: apsw.Connection) -> Iterator[None]:
    try:
        with driver_errors():
            yield
    except Exception:
        connection.close()
        raise


def _apply(connection: apsw.Connection, setting: _Setting) -> None:
    name, value, expected = setting
    connection.pragma(name, value)
    _refuse_difference(name, connection.pragma(name), expected)


def _refuse_difference(name: str, actual: object, expected: int | str) -> None:
    if actual != expected:
        raise DatabaseRefusedError(
            f"SQLite did not keep the setting {name}={expected} (it has {actual!r}), without which"
            " data could be lost. Is the data directory on a local disk?"
        )
