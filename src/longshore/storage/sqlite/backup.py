"""Backup and restore of a data directory's database (reliability.md section 11).

The file of a running database is never copied: what is not yet in it would be lost, unseen. The
engine's own backup takes all pages of one snapshot at once, while the server goes on.
"""

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from shutil import copyfile
from typing import Final

import apsw

from longshore.kit.clock import Clock
from longshore.storage.errors import DatabaseRefusedError
from longshore.storage.manifest import (
    Facts,
    Manifest,
    NumberReserve,
    RunningSum,
    TableSum,
    finish,
    refuse_difference,
    refuse_existing,
    removed_on_failure,
    sync,
    verified_manifest,
)
from longshore.storage.queries import Dialect, load_queries
from longshore.storage.sqlite.connection import driver_errors, open_unguarded_reader
from longshore.storage.sqlite.data_directory import (
    DATABASE_FILE,
    create_private_file,
    prepare_data_dir,
)
from longshore.storage.sqlite.lock import is_served, schema_lock

ENGINE: Final = "sqlite"
_INSERT_RESERVE: Final = load_queries(Dialect.SQLITE)["insert_number_reserve"].text


def back_up(data_dir: Path, out: Path, clock: Clock) -> Manifest:
    """Write the database to ``out`` with a manifest next to it; works while a server is running.

    Holds every commit that was acknowledged before the call. A call that is killed leaves a file
    ``….unfinished`` at most, one that fails leaves nothing.

    Raises:
        DatabaseRefusedError: ``out`` is there already, or the database is damaged.
        StorageUnavailableError: The database is absent or cannot be read.
    """
    refuse_existing(out)
    unfinished = out.with_name(f"{out.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    with removed_on_failure(unfinished):
        with (
            driver_errors(),
            closing(open_unguarded_reader(data_dir / DATABASE_FILE)) as source,
        ):
            source.execute("BEGIN")  # the sums and the copy are of one snapshot
            expected = _sums(source)
            create_private_file(unfinished)
            _copy(source, unfinished)
        refuse_difference(_verified_sums(unfinished), expected)
    facts = Facts(
        engine=ENGINE,
        created_at=clock.now(),
        schema_version=expected["schema_migrations"].rows,
        tables=expected,
    )
    return finish(unfinished, out, facts)


def restore(backup: Path, data_dir: Path, reserve: NumberReserve | None = None) -> Manifest:
    """Make a backup the database of a data directory that has none; all is verified before.

    The control numbers of ``reserve`` are skipped in the database from its first moment on.

    Raises:
        DatabaseRefusedError: The directory has a database, a server runs on it, or the backup is
            not what its manifest describes.
    """
    manifest = verified_manifest(backup, ENGINE)
    prepare_data_dir(data_dir)
    target = data_dir / DATABASE_FILE
    with schema_lock(data_dir):
        if target.exists() or is_served(data_dir):
            raise DatabaseRefusedError(
                "The data directory has a database. Restore into an empty one: choose another"
                " with --data-dir."
            )
        unfinished = data_dir / f"{DATABASE_FILE}.unfinished"
        unfinished.unlink(missing_ok=True)
        create_private_file(unfinished)
        copyfile(backup, unfinished)
        refuse_difference(_verified_sums(unfinished), manifest.tables)
        if reserve is not None:
            _insert_reserve(unfinished, reserve)
        sync(unfinished)
        unfinished.rename(target)
        sync(data_dir)
    return manifest


def _insert_reserve(path: Path, reserve: NumberReserve) -> None:
    with driver_errors(), closing(apsw.Connection(str(path))) as copy:
        copy.execute(_INSERT_RESERVE, reserve.columns)


def _copy(source: apsw.Connection, target: Path) -> None:
    with closing(apsw.Connection(str(target))) as copy:
        with copy.backup("main", source, "main") as pages:
            while not pages.done:
                pages.step(-1)
        # One file, without a log next to it.
        copy.pragma("journal_mode", "DELETE")


def _verified_sums(path: Path) -> Mapping[str, TableSum]:
    with driver_errors(), closing(apsw.Connection(str(path), apsw.SQLITE_OPEN_READONLY)) as copy:
        if copy.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
            raise DatabaseRefusedError(
                "The copy is damaged. 'longshore db check' says whether the database is."
            )
        return _sums(copy)


def _sums(connection: apsw.Connection) -> Mapping[str, TableSum]:
    listed = connection.execute("PRAGMA main.table_list").fetchall()
    names = sorted(str(name) for _, name, kind, *_ in listed if kind == "table")
    return {name: _sum(connection, name) for name in names if not name.startswith("sqlite_")}


def _sum(connection: apsw.Connection, table: str) -> TableSum:
    running = RunningSum()
    query = f"SELECT * FROM {table} ORDER BY 1"  # noqa: S608 # house: sql-texts - each table there is
    for row in connection.execute(query):
        running.add(row)
    return running.result()
