"""From settings to the database and its master key: upgrading, checking, opening, unlocking.

The part of the composition that the operator's commands share with the server. What only one of
the two databases needs is imported when that one is used.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from longshore.kit.clock import SystemClock
from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.kit.ids import SystemIdSource
from longshore.storage.blind_index import CURSORS, SFTP_HOST_KEY, HmacBlindIndex, derived_key
from longshore.storage.code_list_file import FILE_NAME as CODE_LISTS
from longshore.storage.code_list_file import CodeListFile
from longshore.storage.master_key import FILE_NAME, MasterKey, read_master_key
from longshore.storage.schema.migrate import migrate, schema_version
from longshore.storage.server_address import ServerAddress, running_server
from longshore.storage.sqlite.database import SqliteDatabase, open_database
from longshore.storage.sqlite.sealing_keys import load_or_create_key, sealing_key_ids
from longshore.storage.sqlite.trade_removal import remove_trade

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection, Iterator

    from longshore.domain.ports import AccountId, BlindIndex, Sealer
    from longshore.settings import Settings
    from longshore.storage.postgres.database import PostgresDatabase
    from longshore.storage.schema.catalogue import SchemaVersion


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseHealth:
    """Result of a check of the whole database; without problems it is sound."""

    schema_version: int
    newest_schema_version: int
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenSealer:
    """The encryption of a database, with its master key loaded."""

    sealer: Sealer
    index: BlindIndex
    """Finds encrypted values by keyed digests."""
    cursor_key: bytes = field(repr=False)
    """Signs the cursors of lists."""
    sftp_host_key: bytes = field(repr=False)
    """The 32 secret bytes of the host key of our SFTP server."""
    made_key: Path | None
    """The file of the master key, if this start created it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MasterKeyFacts:
    """The visible facts of a master key: its file, its id, and the ids the database names."""

    path: Path
    key_id: bytes | None
    known_ids: Collection[bytes]


class NoDataError(LongshoreError):
    """There is no database where the settings say."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(
            ErrorCode.STORAGE_UNAVAILABLE,
            f"There is no Longshore data in {_place_of(settings)}. To begin with an empty database,"
            " start `longshore serve` once or run `longshore db upgrade`.",
        )


def _place_of(settings: Settings) -> str:
    if settings.database_url:
        return f"the PostgreSQL database {_database_name(settings)}; use --database-url"
    path = settings.data_dir
    return f"{path if path.is_absolute() else f'./{path}'}; use --data-dir"


def _database_name(settings: Settings) -> str:
    """Return host and name of a PostgreSQL database; its address may hold a password."""
    parts = urlsplit(settings.database_url)
    return f"{parts.netloc.rpartition('@')[2]}{parts.path}"


def server_address(settings: Settings, address: str) -> ServerAddress:
    """Return what is published of a server that listens at ``address``."""
    return ServerAddress(
        address=address,
        base_url=settings.base_url or address,
        database=_database_name(settings),
    )


def find_running_server(settings: Settings) -> ServerAddress | None:
    """Return the address of the server that runs on this data directory and database."""
    server = running_server(settings.data_dir)
    return server if server and server.database == _database_name(settings) else None


def require_database(settings: Settings) -> None:
    """Refuse to work where there is no database; makes and changes nothing.

    Raises:
        NoDataError: There is none, or one without any table of ours.
        LongshoreError: ``storage_unavailable``: it cannot be used.
    """
    if not asyncio.run(_schema_version(settings)).database:
        raise NoDataError(settings)


def upgrade_database(settings: Settings, *, is_saved: bool = False) -> tuple[str, ...]:
    """Apply the migrations the database lacks and return their names.

    Makes the data directory and the database in it if they are absent. A database with content is
    backed up into the data directory first; with ``is_saved`` a PostgreSQL database is not, because
    the operator has a backup.

    Raises:
        LongshoreError: ``storage_unavailable``: the database or its place cannot be used, or the
            backup failed.
    """
    if settings.database_url:
        from longshore.storage.postgres.migrate import migrate_postgres  # noqa: PLC0415 - if used
        from longshore.storage.postgres.upgrade_backup import saving_to  # noqa: PLC0415 - if used

        url = settings.database_url
        save = None if is_saved else saving_to(settings.data_dir, url, SystemClock())
        return asyncio.run(migrate_postgres(url, save=save))
    with place_errors():
        return migrate(settings.data_dir)


async def remove_trade_of(settings: Settings, account_id: AccountId) -> None:
    """Remove everything an account has traded; no server and no worker may run.

    Raises:
        LongshoreError: ``storage_unavailable``: the account has live documents, or the database
            cannot be used; nothing was removed.
    """
    if settings.database_url:
        from longshore.storage.postgres.trade_removal import (  # noqa: PLC0415 - if used
            remove_trade_postgres,
        )

        await remove_trade_postgres(settings.database_url, account_id)
        return
    with place_errors():
        remove_trade(settings.data_dir, account_id)


def open_sealer(settings: Settings) -> OpenSealer:
    """Return what seals the content of a database that is current; makes its key if it has none.

    Raises:
        LongshoreError: ``storage_unavailable``: the master key is not the one of this database, or
            it or the database cannot be used.
    """
    ids, clock = SystemIdSource(), SystemClock()
    path = master_key_path(settings)
    if settings.database_url:
        from longshore.storage.postgres import sealing_keys  # noqa: PLC0415 - if used

        key = asyncio.run(sealing_keys.load_or_create_key(settings.database_url, path, ids, clock))
    else:
        with place_errors():
            key = load_or_create_key(settings.data_dir, path, ids, clock)
    return _open_sealer(key, path)


def look_at_master_key(settings: Settings) -> MasterKeyFacts:
    """Return what can be seen of the master key of a database that is current; changes nothing.

    Raises:
        LongshoreError: ``storage_unavailable``: the file holds no key, or it or the database cannot
            be read.
    """
    path = master_key_path(settings)
    key = read_master_key(path)
    if settings.database_url:
        from longshore.storage.postgres import sealing_keys  # noqa: PLC0415 - if used

        known = asyncio.run(sealing_keys.sealing_key_ids(settings.database_url))
    else:
        known = sealing_key_ids(settings.data_dir)
    return MasterKeyFacts(path=path, key_id=None if key is None else key.id, known_ids=known)


def code_list_file(settings: Settings) -> CodeListFile:
    """Return the file of the operator's own codes."""
    named = settings.code_lists_file
    return CodeListFile(Path(named) if named else settings.data_dir / CODE_LISTS)


def master_key_path(settings: Settings) -> Path:
    """Return where the master key lies, or will."""
    if settings.master_key_file:
        return Path(settings.master_key_file)
    return settings.data_dir / FILE_NAME


def check_database(settings: Settings) -> DatabaseHealth:
    """Read the whole database; changes nothing.

    Raises:
        LongshoreError: ``storage_unavailable``: there is none, or it cannot be used.
    """
    version, problems = asyncio.run(_look_at_database(settings))
    return DatabaseHealth(
        schema_version=version.database,
        newest_schema_version=version.program,
        problems=problems,
    )


@asynccontextmanager
async def open_any_database(
    settings: Settings,
) -> AsyncIterator[SqliteDatabase | PostgresDatabase]:
    """Open the database the settings name; ``upgrade_database`` has made it current before.

    Raises:
        LongshoreError: ``storage_unavailable``: it cannot be used.
    """
    if settings.database_url:
        from longshore.storage.postgres.database import open_postgres  # noqa: PLC0415 - if used

        async with open_postgres(settings.database_url) as postgres:
            yield postgres
    else:
        with place_errors():
            sqlite = open_database(settings.data_dir)
        with sqlite:
            yield sqlite


def refuse_damage(problems: tuple[str, ...]) -> None:
    """Refuse to go on with a damaged database.

    Raises:
        LongshoreError: ``storage_unavailable``: there is a problem.
    """
    if problems:
        raise LongshoreError(
            ErrorCode.STORAGE_UNAVAILABLE,
            f"The database is damaged ({problems[0]}). Restore a backup; `longshore db check` "
            "shows everything that was found.",
        )


@contextmanager
def place_errors() -> Iterator[None]:
    """Refuse with one line what the file system refuses.

    Raises:
        LongshoreError: ``storage_unavailable``.
    """
    try:
        yield
    except OSError as error:
        raise LongshoreError(
            ErrorCode.STORAGE_UNAVAILABLE,
            f"The data directory cannot be used: {error.strerror}. "
            "Choose another with --data-dir, or correct its owner and modes.",
        ) from error


async def _look_at_database(settings: Settings) -> tuple[SchemaVersion, tuple[str, ...]]:
    version = await _schema_version(settings)
    async with open_any_database(settings) as database:
        if isinstance(database, SqliteDatabase):
            return version, database.integrity_check()
        await database.check()
        return version, ()


async def _schema_version(settings: Settings) -> SchemaVersion:
    if settings.database_url:
        from longshore.storage.postgres.migrate import (  # noqa: PLC0415 - if used
            postgres_schema_version,
        )

        return await postgres_schema_version(settings.database_url)
    with place_errors():
        return schema_version(settings.data_dir)


def _open_sealer(key: MasterKey, path: Path) -> OpenSealer:
    from longshore.storage.sealing import AesSealer  # noqa: PLC0415 - heavy, for who seals alone

    return OpenSealer(
        sealer=AesSealer(key, SystemIdSource()),
        index=HmacBlindIndex(key),
        cursor_key=derived_key(key, CURSORS),
        sftp_host_key=derived_key(key, SFTP_HOST_KEY),
        made_key=path if key.is_new else None,
    )
