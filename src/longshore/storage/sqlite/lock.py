"""Two lock files in the data directory (architecture.md section 7).

``schema.lock``: held while migrating, and while a server takes ``serve.lock``. ``serve.lock``:
held for life by the server. The order of a start is: migrate, ``serving``, open the database. The
locks are the kernel's (flock): a killed process holds nothing.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from longshore.storage.errors import DatabaseRefusedError
from longshore.storage.sqlite.data_directory import FILE_MODE

SCHEMA_LOCK_WAIT_SECONDS: Final = 30.0
_POLL_SECONDS: Final = 0.02
_PROBE_SECONDS: Final = 0.1
_SCHEMA_LOCK: Final = "schema.lock"
_SERVE_LOCK: Final = "serve.lock"


@contextmanager
def schema_lock(
    data_dir: Path, *, wait_seconds: float = SCHEMA_LOCK_WAIT_SECONDS
) -> Iterator[None]:
    """Hold ``schema.lock``.

    Raises:
        DatabaseRefusedError: Another process held it all the time.
    """
    with _open(data_dir / _SCHEMA_LOCK) as descriptor:
        if not _lock_within(descriptor, wait_seconds):
            raise DatabaseRefusedError(
                "Another process has been preparing this database for"
                f" {wait_seconds:.0f} seconds. Wait for it or end it, then try again."
            )
        yield


@contextmanager
def serving(data_dir: Path) -> Iterator[None]:
    """Hold ``serve.lock``: one server per data directory.

    Raises:
        DatabaseRefusedError: Another server holds it.
    """
    with _open(data_dir / _SERVE_LOCK) as descriptor:
        # Under schema.lock, because a migration looks whether a server holds the lock.
        with schema_lock(data_dir):
            locked = _try_lock(descriptor)
        if not locked:
            raise DatabaseRefusedError(
                "Another 'longshore serve' uses this data directory. Stop it, choose another"
                " directory with --data-dir, or use PostgreSQL for several servers."
            )
        yield


def is_served(data_dir: Path) -> bool:
    """Return whether a server holds ``serve.lock``; asked under ``schema.lock`` alone."""
    with _open(data_dir / _SERVE_LOCK) as descriptor:
        return not _try_lock(descriptor)


@contextmanager
def locked_file(path: Path) -> Iterator[int | None]:
    """Make a private file and hold it; the descriptor is None where another process holds it.

    Waits as long as ``is_locked`` may take in another process.
    """
    with _open(path) as descriptor:
        yield descriptor if _lock_within(descriptor, _PROBE_SECONDS) else None


def is_locked(path: Path) -> bool:
    """Return whether a process holds a file that is there; changes nothing.

    Raises:
        OSError: The file is not there or cannot be read.
    """
    with path.open("rb") as file:
        return not _try_lock(file.fileno(), fcntl.LOCK_SH)


@contextmanager
def _open(path: Path) -> Iterator[int]:
    descriptor = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, FILE_MODE)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _lock_within(descriptor: int, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not _try_lock(descriptor):
        if time.monotonic() >= deadline:
            return False
        time.sleep(_POLL_SECONDS)
    return True


def _try_lock(descriptor: int, mode: int = fcntl.LOCK_EX) -> bool:
    try:
        fcntl.flock(descriptor, mode | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
