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
from longshore.storage.sqlite.place import FILE_MODE

SCHEMA_LOCK_WAIT_SECONDS: Final = 30.0
_POLL_SECONDS: Final = 0.02
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
        deadline = time.monotonic() + wait_seconds
        while not _try_lock(descriptor):
            if time.monotonic() >= deadline:
                raise DatabaseRefusedError(
                    "Another process has been preparing this database for"
                    f" {wait_seconds:.0f} seconds. Wait for it or end it, then try again."
                )
            time.sleep(_POLL_SECONDS)
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
def _open(path: Path) -> Iterator[int]:
    descriptor = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, FILE_MODE)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
