"""From schema version 2 to 3: rows stay as they are, though the migration is killed anywhere."""

import asyncio
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from shutil import copytree

import pytest

from longshore.storage.postgres.migrate import migrate_postgres
from longshore.storage.schema.catalogue import VERSIONS, known_migrations
from longshore.storage.schema.migrate import migrate
from longshore.storage.sqlite.place import DATABASE_FILE
from tests.support.postgres import PostgresServer

NAMES = tuple(migration.name for migration in known_migrations(VERSIONS))
TRADING = NAMES[2]

ROWS = """
INSERT INTO accounts (name, folded_name, account_type, status, created_at, retention_days)
VALUES ('Acme', 'acme', 'developer', 'active', 7, 30);
INSERT INTO users (account_id, email, folded_email, role, created_at)
VALUES (1, 'Jo@example.com', 'jo@example.com', 'owner', 7);
INSERT INTO maps (account_id, name, source_fmt, target_fmt, tx_set, direction, version, rule_count,
                  locked, created_at, updated_at)
VALUES (1, 'Orders', 'x12', 'json', '850', 'inbound', 1, 3, 0, 7, 8);
INSERT INTO vault_documents (account_id, environment, filename, fmt, direction, transaction_set,
                             status, file_size, map_id, created_at, facts, wrapped_key, content)
VALUES (1, 'sandbox', '850-1.edi', 'x12', 'inbound', '850', 'processed', 3, 1, 9, '', '', '')
"""
TABLES = ("accounts", "users", "maps", "vault_documents", "api_keys")

# A child is killed at its n-th statement, for every n until one gets through; on PostgreSQL at
# every eleventh of the guards that follow the migration.
KILL_SQLITE = """
import os, sqlite3, sys
from pathlib import Path
from longshore.storage.schema import upgrade
from longshore.storage.schema.migrate import migrate

place, versions, connect = Path(sys.argv[1]), Path(sys.argv[2]), sqlite3.connect

def killed_at(last):
    def traced(*arguments, **options):
        connection, left = connect(*arguments, **options), [last]
        def count(_):
            left[0] -= 1
            if left[0] == 0:
                os._exit(137)
        connection.set_trace_callback(count)
        return connection
    return traced

for last in range(1, 1000):
    child = os.fork()
    if child == 0:
        sqlite3.connect = killed_at(last)
        migrate(place, versions)
        os._exit(0)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0:
        break
print(last)
"""
KILL_POSTGRES = """
import asyncio, os, sys
from pathlib import Path
from asyncpg import Connection
from longshore.storage.postgres.migrate import migrate_postgres
from longshore.storage.schema import render
from longshore.storage.schema.catalogue import known_migrations

execute, versions = Connection.execute, Path(sys.argv[2])
made = {each.number: render.postgres_statements(each) for each in known_migrations(versions)}
render.postgres_statements = lambda migration: made[migration.number]
migration = len(made[3]) + 6  # and what prepares it

def kill_at(last):
    left = [last]
    async def counted(self, *arguments, **options):
        left[0] -= 1
        if left[0] == 0:
            os._exit(137)
        return await execute(self, *arguments, **options)
    Connection.execute = counted

for last in (*range(1, migration), *range(migration, 1000, 11)):
    child = os.fork()
    if child == 0:
        kill_at(last)
        asyncio.run(migrate_postgres(sys.argv[1], versions))
        os._exit(0)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0:
        break
print(last)
"""


@pytest.fixture
def upto(tmp_path: Path) -> dict[int, Path]:
    """The migrations up to a number, by that number."""
    folders = {}
    for last in (2, 3):
        folders[last] = copytree(VERSIONS, tmp_path / str(last))
        for later in NAMES[last:]:
            (folders[last] / f"{later}.py").unlink()
    return folders


def killed(script: str, *arguments: object) -> int:
    """Return at which statement a migration got through."""
    command = [sys.executable, "-c", script, *map(str, arguments)]
    unmeasured = {name: value for name, value in os.environ.items() if "COVERAGE" not in name}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=150, check=False, env=unmeasured
    )
    assert (done.returncode, done.stderr) == (0, "")
    return int(done.stdout)


def sqlite_rows(place: Path) -> list[object]:
    with closing(sqlite3.connect(place / DATABASE_FILE)) as connection:
        names = [row[0] for row in connection.execute("SELECT name FROM schema_migrations")]
        rows = [connection.execute(f"SELECT * FROM {table}").fetchall() for table in TABLES]
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return [names, *rows]


@pytest.mark.timeout(180)  # as many processes as statements
def test_rows_of_version_2_are_kept_on_sqlite_though_every_statement_is_a_kill(
    tmp_path: Path, upto: dict[int, Path]
) -> None:
    place = tmp_path / "data"
    migrate(place, upto[2])
    with closing(sqlite3.connect(place / DATABASE_FILE)) as connection:
        # Content is stored as bytes, and STRICT tables insist on that.
        connection.executescript(ROWS.replace("''", "x''"))
    names, *rows = sqlite_rows(place)
    assert killed(KILL_SQLITE, place, upto[3]) > 60
    assert sqlite_rows(place) == [[*NAMES[:2], TRADING], *rows]
    assert names == list(NAMES[:2])


async def postgres_rows(server: PostgresServer, name: str) -> list[object]:
    async with server.connected(name) as admin:
        ledger = await admin.fetch("SELECT name FROM schema_migrations ORDER BY number")
        rows = [[tuple(row) for row in await admin.fetch(f"SELECT * FROM {t}")] for t in TABLES]
        return [[row["name"] for row in ledger], *rows]


@pytest.mark.timeout(180)  # nearly as many processes as statements
async def test_rows_of_version_2_are_kept_on_postgres_though_every_statement_is_a_kill(
    postgres_server: PostgresServer, upto: dict[int, Path]
) -> None:
    name = "from_version_2"
    await postgres_server.create_database(name)
    url = postgres_server.url(name)
    # The isolation of version 3 guards tables that version 2 does not have.
    await migrate_postgres(url, upto[2], tables=())
    async with postgres_server.connected(name) as admin:
        await admin.execute(ROWS)
    _, *rows = await postgres_rows(postgres_server, name)
    assert await asyncio.to_thread(killed, KILL_POSTGRES, url, upto[3]) > 150
    assert await postgres_rows(postgres_server, name) == [[*NAMES[:2], TRADING], *rows]
