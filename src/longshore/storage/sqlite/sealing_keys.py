"""Settles the master key of a data directory's database."""

from collections.abc import Collection
from contextlib import closing
from pathlib import Path
from typing import Final

from longshore.kit.clock import Clock
from longshore.kit.ids import IdSource
from longshore.storage.master_key import MasterKey, load_or_create_master_key
from longshore.storage.queries import Dialect, load_queries
from longshore.storage.sqlite.connection import driver_errors, open_unguarded, open_unguarded_reader
from longshore.storage.sqlite.data_directory import DATABASE_FILE
from longshore.storage.sqlite.lock import schema_lock
from longshore.storage.times import to_us


def load_or_create_key(data_dir: Path, path: Path, ids: IdSource, clock: Clock) -> MasterKey:
    """Return the master key of a current database; a first call notes its id.

    Works while a server is running. Of several first calls at once all return the same key.

    Raises:
        DatabaseRefusedError: As ``load_or_create_master_key``.
        StorageUnavailableError: The database cannot be used.
    """
    if known := sealing_key_ids(data_dir):
        return load_or_create_master_key(path, known, ids)
    with schema_lock(data_dir):
        known = sealing_key_ids(data_dir)
        key = load_or_create_master_key(path, known, ids)
        if not known:
            _note(data_dir, key.id, clock)
    return key


def sealing_key_ids(data_dir: Path) -> Collection[bytes]:
    """Return the ids of the keys that a current database was sealed with.

    Raises:
        StorageUnavailableError: The database cannot be read.
    """
    with driver_errors(), closing(open_unguarded_reader(data_dir / DATABASE_FILE)) as connection:
        return frozenset(bytes(found) for (found,) in connection.execute(_LIST))


def _note(data_dir: Path, key_id: bytes, clock: Clock) -> None:
    with driver_errors(), closing(open_unguarded(data_dir / DATABASE_FILE)) as connection:
        connection.execute(_INSERT, {"key_id": key_id, "created_at": to_us(clock.now())})


_QUERIES: Final = load_queries(Dialect.SQLITE)
_LIST: Final = _QUERIES["list_sealing_keys"].text
_INSERT: Final = _QUERIES["insert_sealing_key"].text
