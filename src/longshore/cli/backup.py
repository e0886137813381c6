"""``longshore backup`` and ``longshore restore``: the whole database in one file, verified.

The storage functions are called from here and not through ``wiring``: they need no services, only
the place of the database. The audit log is written by the services of commands.
"""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click

from longshore.cli.administration import administer
from longshore.cli.options import json_option, with_settings
from longshore.cli.terminal import write_json
from longshore.database import require_database
from longshore.domain.partners.setting_kinds import MAX_NUMBER
from longshore.kit.clock import SystemClock
from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.settings import Settings
from longshore.storage.manifest import Manifest, NumberReserve
from longshore.storage.postgres.backup import back_up_postgres, restore_postgres
from longshore.storage.sqlite.backup import back_up
from longshore.storage.sqlite.backup import restore as restore_sqlite
from longshore.wiring import Administration

_ABOUT_THE_KEY: Final = (
    "The backup does not contain the master key. Keep a separate copy of the key: without it, "
    "stored documents and maps cannot be read."
)
_ABOUT_ITS_KEY: Final = (
    "The backup does not contain the master key: put the key back before the next start if it "
    "is missing."
)
_DEFAULT_RESERVE: Final = 10_000
_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("file", type=_FILE)
@json_option
@with_settings
def backup(settings: Settings, *, file: Path, as_json: bool) -> None:
    """Write the database to FILE, and next to it a manifest that restore verifies.

    Works while a server is running and holds everything it acknowledged before. Never copy the
    database file instead: a copy under load loses rows and still looks sound. The master key is
    not in it: keep a copy of that apart.
    """
    require_database(settings)
    with _file_errors():
        if settings.database_url:
            work = back_up_postgres(settings.database_url, file, SystemClock())
            manifest = asyncio.run(work)
        else:
            manifest = back_up(settings.data_dir, file, SystemClock())
    _print("Backed up", file, manifest, {}, as_json=as_json)
    if not as_json:
        click.echo(_ABOUT_THE_KEY)


@click.command()
@click.argument("file", type=_FILE)
@click.option(
    "--advance-numbers",
    "count",
    type=click.IntRange(0, MAX_NUMBER // 2),
    default=_DEFAULT_RESERVE,
    show_default=True,
    metavar="N",
    help="How many control numbers each counter skips: more than were sent to any partner since"
    " the backup. Of a range shorter than twice as many, half is skipped.",
)
@json_option
@with_settings
def restore(settings: Settings, *, file: Path, count: int, as_json: bool) -> None:
    """Fill an empty data directory, or an empty PostgreSQL database, from FILE.

    Hash, integrity and sums are verified first; a database that is there is never overwritten.
    Control numbers that were sent after the backup are not in it, so each counter skips N numbers
    before the next one, also those of partners and pairs that the backup does not know yet. The
    audit log of each account records it.
    """
    clock = SystemClock()
    reserve = NumberReserve(numbers=count, restored_at=clock.now()) if count else None
    with _file_errors():
        if settings.database_url:
            manifest = asyncio.run(restore_postgres(file, settings.database_url, reserve))
        else:
            manifest = restore_sqlite(file, settings.data_dir, reserve)

    async def record(admin: Administration) -> None:
        await admin.audit.record_restore(count, clock.now())

    administer(settings, record)
    _print("Restored", file, manifest, {"advanced_numbers": count}, as_json=as_json)
    if not as_json:
        click.echo(f"Control numbers: each counter skips {count:,} before the next one.")
        click.echo(_ABOUT_ITS_KEY)


@contextmanager
def _file_errors() -> Iterator[None]:
    """Refuse with one line what the file system refuses.

    Raises:
        LongshoreError: ``storage_unavailable``.
    """
    try:
        yield
    except OSError as error:
        message = f"The file or the data directory cannot be used: {error.strerror}."
        raise LongshoreError(ErrorCode.STORAGE_UNAVAILABLE, message) from error


def _print(
    done: str, file: Path, manifest: Manifest, more: Mapping[str, int], *, as_json: bool
) -> None:
    rows = {table: each.rows for table, each in manifest.tables.items()}
    if as_json:
        write_json({
            "file": str(file),
            "sha256": manifest.sha256,
            "size_bytes": manifest.size_bytes,
            "schema_version": manifest.schema_version,
            "rows": rows,
            **more,
        })
        return
    counts = ", ".join(f"{table} {count}" for table, count in rows.items())
    click.echo(f"{done} {manifest.size_bytes:,} bytes, schema version {manifest.schema_version}.")
    click.echo(f"Rows: {counts}")
    click.echo(f"SHA-256: {manifest.sha256}")
