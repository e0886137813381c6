"""Settles the master key of a PostgreSQL database; servers that share it share the key's file."""

from collections.abc import Collection
from pathlib import Path
from typing import Final

import asyncpg

from longshore.kit.clock import Clock
from longshore.kit.ids import IdSource
from longshore.storage.master_key import MasterKey, load_or_create_master_key
from longshore.storage.postgres.errors import driver_errors
from longshore.storage.postgres.migrate import lock_schema, owner_connection
from longshore.storage.postgres.queries import numbered
from longshore.storage.queries import Dialect, SqlValue, load_queries
from longshore.storage.times import to_us


async def load_or_create_key(url: str, path: Path, ids: IdSource, clock: Clock) -> MasterKey:
    """Return the master key of a current database; a first call notes its id.

    Of several servers that start for the first time one notes its key; the others are refused if
    theirs is another.

    Raises:
        DatabaseRefusedError: As ``load_or_create_master_key``, or the login was refused.
        StorageUnavailableError: The server cannot be reached.
    """
    async with owner_connection(url) as connection:
        with driver_errors():
            if known := await _ids(connection):
                return load_or_create_master_key(path, known, ids)
            async with connection.transaction():
                await lock_schema(connection)
                known = await _ids(connection)
                key = load_or_create_master_key(path, known, ids)
                if not known:
                    values: dict[str, SqlValue] = {
                        "key_id": key.id,
                        "created_at": to_us(clock.now()),
                    }
                    await connection.execute(_INSERT.text, *_INSERT.arguments(values))
    return key


async def sealing_key_ids(url: str) -> Collection[bytes]:
    """Return the ids of the keys that a current database was sealed with.

    Raises:
        DatabaseRefusedError: The login was refused.
        StorageUnavailableError: The server cannot be reached.
    """
    async with owner_connection(url) as connection:
        with driver_errors():
            return await _ids(connection)


async def _ids(connection: asyncpg.Connection) -> Collection[bytes]:
    return frozenset(found for (found,) in await connection.fetch(_LIST.text))


_QUERIES: Final = numbered(load_queries(Dialect.POSTGRES))
_LIST: Final = _QUERIES["list_sealing_keys"]
_INSERT: Final = _QUERIES["insert_sealing_key"]
