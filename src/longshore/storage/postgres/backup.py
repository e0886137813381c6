"""Backup and restore of a PostgreSQL database through pg_dump and pg_restore.

Both programs come with PostgreSQL, of the server's release or a later one. For point-in-time
recovery the server's own base backups and log archive are the means; this is one snapshot.
"""

import asyncio
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import unquote, urlsplit, urlunsplit

import asyncpg

from longshore.kit.clock import Clock
from longshore.storage.errors import DatabaseRefusedError
from longshore.storage.isolation import TENANT_TABLES
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
    verified_manifest,
)
from longshore.storage.postgres.errors import driver_errors
from longshore.storage.postgres.migrate import (
    guard_tables,
    migrate_postgres,
    owner_connection,
    prepare_role,
)
from longshore.storage.postgres.queries import numbered, session_query
from longshore.storage.queries import Dialect, load_queries
from longshore.storage.schema.catalogue import VERSIONS, known_migrations
from longshore.storage.sqlite.data_directory import create_private_file

ENGINE: Final = "postgres"
_INSERT_RESERVE: Final = numbered(load_queries(Dialect.POSTGRES))["insert_number_reserve"]

# Made anew after the rows were verified: a policy names the login that owned the tables.
_MADE_ANEW: Final = re.compile(r"[0-9]+; [0-9]+ [0-9]+ (VIEW|POLICY|ROW SECURITY) ")


async def back_up_postgres(
    url: str, out: Path, clock: Clock, *, programs: Path | None = None
) -> Manifest:
    """Write the database to ``out`` with a manifest next to it, while servers go on.

    ``programs`` is the folder of pg_dump, if it is not on the PATH.

    Raises:
        DatabaseRefusedError: ``out`` is there already, or pg_dump is absent or fails.
        StorageUnavailableError: The server cannot be reached.
    """
    refuse_existing(out)
    dump = _program("pg_dump", programs)
    unfinished = out.with_name(f"{out.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    with removed_on_failure(unfinished):
        create_private_file(unfinished)
        tables = await _dump(dump, url, unfinished)
    facts = Facts(
        engine=ENGINE,
        created_at=clock.now(),
        schema_version=tables["schema_migrations"].rows,
        tables=tables,
    )
    return finish(unfinished, out, facts)


async def dump_release(programs: Path | None = None) -> str:
    """Return the release of pg_dump, such as ``16.2``.

    Raises:
        DatabaseRefusedError: It is absent or does not run.
    """
    printed = await _run(_program("pg_dump", programs), None, ["--version"])
    return printed.split()[2]  # pg_dump (PostgreSQL) 16.2 …


async def _dump(program: Path, url: str, out: Path) -> Mapping[str, TableSum]:
    """Write the dump; return the sums of the very snapshot it is of."""
    async with owner_connection(url) as connection:
        with driver_errors():
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                snapshot = await connection.fetchval(session_query("export_snapshot"))
                tables = await _sums(connection)
                options = ["--format=custom", "--enable-row-security", f"--snapshot={snapshot}"]
                options += ["--no-owner", "--compress=1", f"--file={out}"]  # most is sealed content
                await _run(program, url, options)
    return tables


async def restore_postgres(
    backup: Path,
    url: str,
    reserve: NumberReserve | None = None,
    *,
    programs: Path | None = None,
) -> Manifest:
    """Fill an empty database from a backup, in one transaction, and bring it to this schema.

    The application may use the database only after the control numbers of ``reserve`` are skipped.

    Raises:
        DatabaseRefusedError: The database has tables, the backup is not what its manifest
            describes or is of a newer schema, or pg_restore is absent or fails.
        StorageUnavailableError: The server cannot be reached.
    """
    manifest = verified_manifest(backup, ENGINE)
    if manifest.schema_version > len(known_migrations(VERSIONS)):
        raise DatabaseRefusedError(
            "The backup has a newer schema than this program. Install the release of Longshore "
            "that wrote it."
        )
    program = _program("pg_restore", programs)
    async with owner_connection(url) as connection:
        with driver_errors():
            if await connection.fetch(session_query("tables")):
                raise DatabaseRefusedError(
                    "The database has tables. Restore into an empty database."
                )
        await prepare_role(connection)
    await _restore(program, backup, url)
    async with owner_connection(url) as connection:
        with driver_errors():
            async with connection.transaction():
                refuse_difference(await _sums(connection), manifest.tables)
                if reserve is not None:
                    values = _INSERT_RESERVE.arguments(reserve.columns)
                    await connection.execute(_INSERT_RESERVE.text, *values)
                if manifest.schema_version == len(known_migrations(VERSIONS)):
                    await guard_tables(connection, TENANT_TABLES)
    await migrate_postgres(url)
    return manifest


async def _restore(program: Path, backup: Path, url: str) -> None:
    with TemporaryDirectory() as folder:
        chosen = Path(folder) / "chosen"
        listed = await _run(program, None, ["--list", str(backup)])
        kept = [line for line in listed.splitlines() if not _MADE_ANEW.match(line)]
        chosen.write_text("\n".join(kept), encoding="utf-8")
        options = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"]
        await _run(program, url, [*options, f"--use-list={chosen}", str(backup)])


async def _sums(connection: asyncpg.Connection) -> Mapping[str, TableSum]:
    await connection.execute(session_query("let_owner_in"))
    names = [name for (name,) in await connection.fetch(session_query("tables"))]
    sums = {}
    for name in names:
        running = RunningSum()
        async for row in connection.cursor(f"TABLE {name} ORDER BY 1", prefetch=200):
            running.add(row)
        sums[name] = running.result()
    return sums


def _program(name: str, folder: Path | None) -> Path:
    found = which(name, path=None if folder is None else str(folder))
    if found is None:
        raise DatabaseRefusedError(
            f"{name} was not found. Install PostgreSQL's client programs, of the server's release"
            " or a later one, or use the backups of the server."
        )
    return Path(found)


async def _run(program: Path, url: str | None, options: Sequence[str]) -> str:
    """Return what a program prints; the password goes by way of its environment alone.

    Raises:
        DatabaseRefusedError: It failed; the text is the first line of its complaint.
    """
    environment = {"PATH": os.defpath, "PGOPTIONS": "-c app.maintenance=on"}
    arguments = [str(program), *options]
    if url is not None:
        parts = urlsplit(url)
        if parts.password is not None:
            environment["PGPASSWORD"] = unquote(parts.password)
            login, _, host = parts.netloc.rpartition("@")
            parts = parts._replace(netloc=f"{login.partition(':')[0]}@{host}")
        arguments.append(f"--dbname={urlunsplit(parts)}")
    process = await asyncio.create_subprocess_exec(
        *arguments,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=environment,
    )
    printed, complaint = await process.communicate()
    if process.returncode != 0:
        reason = (complaint.decode(errors="replace").strip().splitlines() or ["no reason given"])[0]
        raise DatabaseRefusedError(f"{program.name} failed: {reason}")
    return printed.decode(errors="replace")
