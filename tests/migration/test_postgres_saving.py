"""A PostgreSQL database with content is backed up before it is migrated, or not migrated."""

import asyncio
import re
from functools import partial
from itertools import count
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from longshore.storage.errors import DatabaseRefusedError
from longshore.storage.manifest import verified_manifest
from longshore.storage.postgres.backup import restore_postgres
from longshore.storage.postgres.migrate import (
    Saving,
    _refuse_old_server,
    migrate_postgres,
    postgres_schema_version,
)
from longshore.storage.postgres.upgrade_backup import saving_to
from longshore.storage.schema.catalogue import VERSIONS, known_migrations
from tests.support.clock import StoppedClock
from tests.support.postgres import PostgresServer
from tests.system.server import longshore

LAST = len(known_migrations(VERSIONS))
NEXT = f"v{LAST + 1:04}_second"
SECOND = """
from alembic import op

def upgrade():
    op.execute("UPDATE accounts SET name = 'changed'")
"""
WAYS_OUT = (
    " Nothing was migrated. Make a backup by other means, then run"
    " 'longshore db upgrade --no-backup'; or correct this and try again."
)
_NUMBERS = count(1)


@pytest.fixture
def versions(tmp_path: Path) -> Path:
    """The migrations and one more."""
    copied = copytree(VERSIONS, tmp_path / "versions", ignore=ignore_patterns("__pycache__"))
    (copied / f"{NEXT}.py").write_text(SECOND)
    return copied


@pytest.fixture
async def url(postgres_server: PostgresServer) -> str:
    """A current database with an account."""
    name = f"saved_{next(_NUMBERS)}"
    await postgres_server.create_database(name)
    await migrate_postgres(postgres_server.url(name))
    async with postgres_server.connected(name) as admin:
        await admin.execute(
            "INSERT INTO accounts (name, folded_name, account_type, status, created_at)"
            " VALUES ('kept', 'kept', 'developer', 'active', 0)"
        )
    return postgres_server.url(name)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def save(postgres_server: PostgresServer, url: str, folder: Path) -> Saving:
    return saving_to(folder, url, StoppedClock(), programs=postgres_server.programs)


def modes_in(folder: Path) -> dict[str, int]:
    """Return the modes of a folder, under no name, and of what is in it."""
    if not folder.exists():
        return {}
    modes = {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}
    return {"": folder.stat().st_mode & 0o777, **modes}


async def names(server: PostgresServer, url: str) -> list[str]:
    async with server.connected(url.partition("?")[0].rpartition("/")[2]) as admin:
        return [row["name"] for row in await admin.fetch("SELECT name FROM accounts")]


async def test_what_a_migration_changes_is_in_the_backup_before_it(
    postgres_server: PostgresServer, url: str, versions: Path, folder: Path, save: Saving
) -> None:
    assert await migrate_postgres(url, versions, save=save) == (NEXT,)
    assert await names(postgres_server, url) == ["changed"]
    backup = folder / f"before-{NEXT[:5]}-20260115T140509Z.dump"
    assert modes_in(folder) == {
        "": 0o700,
        backup.name: 0o600,
        f"{backup.name}.manifest.json": 0o600,
    }
    assert verified_manifest(backup, "postgres").schema_version == LAST
    name = f"saved_{next(_NUMBERS)}"
    await postgres_server.create_database(name)
    target = postgres_server.url(name)
    await restore_postgres(backup, target, programs=postgres_server.programs)
    assert await names(postgres_server, target) == ["kept"]


async def test_neither_an_empty_nor_a_current_database_is_saved(
    postgres_server: PostgresServer, url: str, versions: Path, folder: Path
) -> None:
    name = f"saved_{next(_NUMBERS)}"
    await postgres_server.create_database(name)
    save = saving_to(folder, postgres_server.url(name), StoppedClock(), programs=folder)
    await migrate_postgres(postgres_server.url(name), versions, save=save)
    assert await migrate_postgres(url, save=save) == ()
    assert modes_in(folder) == {}


async def test_of_several_starts_at_once_one_saves(
    url: str, versions: Path, folder: Path, save: Saving
) -> None:
    answers = await asyncio.gather(*(migrate_postgres(url, versions, save=save) for _ in range(4)))
    assert sorted(answers) == [(), (), (), (NEXT,)]
    assert len(modes_in(folder)) == 3


@pytest.fixture(params=["no pg_dump", "pg_dump fails", "no room", "there already"])
def failing(
    request: pytest.FixtureRequest, url: str, folder: Path, tmp_path: Path
) -> tuple[Saving, str]:
    """A backup that cannot be made, and what is said of it."""
    programs = tmp_path / "programs"
    programs.mkdir()
    program = programs / "pg_dump"
    failed = "The backup before the migration failed. "
    text = f"{failed}pg_dump was not found. Install PostgreSQL's client programs, of the server's"
    if request.param != "no pg_dump":
        program.write_text("#!/bin/sh\necho 'server version mismatch' >&2\nexit 1\n")
        program.chmod(0o700)
        text = f"{failed}pg_dump failed: server version mismatch"
    if request.param == "no room":
        folder.write_text("a file is in the way")
        text = "The backup before the migration cannot be written: File exists."
    if request.param == "there already":
        folder.mkdir()
        name = f"before-{NEXT[:5]}-20260115T140509Z.dump"
        (folder / name).write_text("older")
        text = f"{failed}{name} is there already. Choose another name."
    return saving_to(folder, url, StoppedClock(), programs=programs), text


async def test_what_cannot_be_saved_is_not_migrated_and_both_ways_out_are_named(
    postgres_server: PostgresServer, url: str, versions: Path, failing: tuple[Saving, str]
) -> None:
    save, text = failing
    with pytest.raises(DatabaseRefusedError) as refusal:
        await migrate_postgres(url, versions, save=save)
    assert refusal.value.message.startswith(text)
    assert refusal.value.message.endswith(WAYS_OUT)
    assert await names(postgres_server, url) == ["kept"]
    assert (await postgres_schema_version(url)).database == LAST
    # The control: the same upgrade goes through for who waives the backup.
    assert await migrate_postgres(url, versions) == (NEXT,)
    assert await names(postgres_server, url) == ["changed"]


@pytest.mark.parametrize("major", [14, 15])
def test_a_server_without_what_isolation_needs_is_refused(major: int) -> None:
    if major == 15:
        _refuse_old_server(major)
        return
    with pytest.raises(DatabaseRefusedError) as refusal:
        _refuse_old_server(major)
    assert refusal.value.message == (
        "The PostgreSQL server is of release 14; 15 or later is needed."
    )


# The whole program, with the migration it lacks put where its own are.
UPGRADE = """
import sys
from pathlib import Path
from longshore.storage.schema import catalogue
from longshore.storage.postgres import migrate
from longshore.cli.main import main

migrate.VERSIONS = Path(sys.argv[1])
defaults = migrate.migrate_postgres.__defaults__
migrate.migrate_postgres.__defaults__ = (Path(sys.argv[1]), *defaults[1:])
sys.exit(main(sys.argv[2:]))
"""


@pytest.mark.parametrize("words", [("db", "upgrade"), ("keys", "list"), ("serve", "--port", "0")])
async def test_every_command_that_migrates_saves_first(
    url: str, versions: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    script = tmp_path / "upgrade.py"
    script.write_text(UPGRADE)
    arguments = (str(script), str(versions), *words, "--database-url", url, "--data-dir", "data")
    run = partial(longshore, cwd=tmp_path, is_module=False, environment={"PATH": str(tmp_path)})
    refused = await asyncio.to_thread(run, *arguments)
    assert refused.returncode == 2
    assert re.search(rb"pg_dump was not found.*'longshore db upgrade --no-backup'", refused.stderr)
    waived = (str(script), str(versions), "db", "upgrade", "--no-backup", "--database-url", url)
    done = await asyncio.to_thread(run, *waived)
    assert (done.returncode, done.stdout) == (0, f"Applied: {NEXT}\n".encode())


async def test_a_doctor_says_what_the_next_start_will_do(
    url: str, versions: Path, tmp_path: Path
) -> None:
    script = tmp_path / "upgrade.py"
    script.write_text(UPGRADE)
    arguments = (str(script), str(versions), "doctor", "--port", "0", "--database-url", url)
    ran = await asyncio.to_thread(longshore, *arguments, cwd=tmp_path, is_module=False)
    assert f"schema version {LAST} of {LAST + 1}; the next start backs it up" in ran.stdout.decode()


def test_the_backup_of_a_data_directory_cannot_be_waived(tmp_path: Path) -> None:
    refused = longshore("db", "upgrade", "--no-backup", "--data-dir", "data", cwd=tmp_path)
    assert (refused.returncode, (tmp_path / "data").exists()) == (2, False)
    assert b"--no-backup is for PostgreSQL; a database in a data" in refused.stderr
