"""The way of a PostgreSQL database to the current schema, and every way that is refused."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from shutil import copytree, ignore_patterns

import asyncpg
import pytest
import sqlalchemy as sa

from longshore.storage.errors import DatabaseRefusedError
from longshore.storage.postgres import migrate as migrate_module
from longshore.storage.postgres.database import open_postgres
from longshore.storage.postgres.migrate import migrate_postgres, postgres_schema_version
from longshore.storage.schema.catalogue import VERSIONS, SchemaVersion, known_migrations
from longshore.storage.schema.tables import metadata
from tests.support.postgres import OWNER, PostgresServer

NAMES = tuple(migration.name for migration in known_migrations(VERSIONS))

SECOND = '''"""A migration of this test."""
import sqlalchemy as sa
from alembic import op

def upgrade():
    op.add_column("accounts", sa.Column("note", sa.Text, nullable=False, server_default="100%"))
    op.execute("UPDATE accounts SET note = 'made ' || name")
'''

COLUMNS = """
SELECT table_name, column_name, data_type, is_nullable, column_default, identity_generation
FROM information_schema.columns WHERE table_schema = 'public'
  AND table_name NOT LIKE '%scoped' ORDER BY 1, ordinal_position
"""
CONSTRAINTS = """
SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2
"""
INDEXES = "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1"
GUARDS = """
SELECT c.relname, c.relowner::regrole::text, c.relrowsecurity, c.relforcerowsecurity,
       c.relacl::text, c.reloptions::text,
       CASE WHEN c.relkind = 'v' THEN pg_get_viewdef(c.oid) END
FROM pg_class AS c
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'v') ORDER BY 1
"""
POLICIES = """
SELECT tablename, policyname, roles::text, cmd, qual, with_check FROM pg_policies ORDER BY 1, 2
"""
LEDGER = "SELECT number, name, sha256 FROM schema_migrations ORDER BY 1"

_NUMBERS = count(1)


@dataclass(frozen=True)
class Place:
    """An empty database of one test."""

    server: PostgresServer
    name: str

    @property
    def url(self) -> str:
        return self.server.url(self.name)

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[asyncpg.Connection]:
        async with self.server.connected(self.name) as connection:
            yield connection

    async def look(self, *queries: str) -> list[list[tuple[object, ...]]]:
        async with self.connected() as connection:
            return [[tuple(row) for row in await connection.fetch(query)] for query in queries]

    async def tables(self) -> list[list[tuple[object, ...]]]:
        return await self.look(COLUMNS, CONSTRAINTS, INDEXES)

    async def everything(self) -> list[list[tuple[object, ...]]]:
        return await self.look(COLUMNS, CONSTRAINTS, INDEXES, GUARDS, POLICIES, LEDGER)


async def new_place(server: PostgresServer) -> Place:
    place = Place(server, f"migrated_{next(_NUMBERS)}")
    await server.create_database(place.name)
    return place


@pytest.fixture
async def place(postgres_server: PostgresServer) -> Place:
    return await new_place(postgres_server)


@pytest.fixture
def versions(tmp_path: Path) -> Path:
    """A copy of the migrations, to be changed."""
    return copytree(VERSIONS, tmp_path / "versions", ignore=ignore_patterns("__pycache__"))


@pytest.fixture
def second(versions: Path) -> str:
    """The name of one more migration in ``versions``."""
    name = f"v{len(NAMES) + 1:04}_second"
    (versions / f"{name}.py").write_text(SECOND)
    return name


async def test_an_empty_database_is_made_current_once(place: Place) -> None:
    assert await postgres_schema_version(place.url) == SchemaVersion(0, len(NAMES))
    assert await migrate_postgres(place.url) == NAMES
    assert await migrate_postgres(place.url) == ()
    assert await postgres_schema_version(place.url) == SchemaVersion(len(NAMES), len(NAMES))
    async with open_postgres(place.url) as database:
        await database.check()


async def test_the_migrated_schema_is_the_declared_one(place: Place) -> None:
    await migrate_postgres(place.url)
    declared = await new_place(place.server)
    dialect = sa.make_url("postgresql://").get_dialect()()
    async with declared.connected() as connection:
        for table in metadata.sorted_tables:
            await connection.execute(str(sa.schema.CreateTable(table).compile(dialect=dialect)))
            for index in table.indexes:
                statement = sa.schema.CreateIndex(index).compile(dialect=dialect)
                await connection.execute(str(statement))
    assert await place.tables() == await declared.tables()


async def test_the_login_may_be_one_that_row_security_does_not_bind(place: Place) -> None:
    await migrate_postgres((await new_place(place.server)).url)  # makes the role as its own
    url = place.server.url(place.name, "postgres")
    assert await migrate_postgres(url) == NAMES
    async with open_postgres(url) as database:
        await database.check()


async def test_a_login_that_may_not_act_as_the_application_is_refused(place: Place) -> None:
    await migrate_postgres((await new_place(place.server)).url)
    async with place.connected() as admin:
        await admin.execute("CREATE ROLE plain LOGIN")
        await admin.execute("GRANT CREATE ON SCHEMA public TO plain")
    with pytest.raises(DatabaseRefusedError) as refusal:
        await migrate_postgres(place.server.url(place.name, "plain"))
    assert refusal.value.message == (
        "The login of database_url may not make the role longshore_app, or not act as it. Let an"
        " administrator run CREATE ROLE longshore_app NOLOGIN and GRANT longshore_app TO this"
        " login."
    )
    assert await place.tables() == [[], [], []]
    async with place.connected() as admin:
        await admin.execute("GRANT longshore_app TO plain")
    assert await migrate_postgres(place.server.url(place.name, "plain")) == NAMES


async def test_of_several_starts_at_once_one_migrates(place: Place) -> None:
    answers = await asyncio.gather(*(migrate_postgres(place.url) for _ in range(4)))
    assert sorted(answers) == [(), (), (), NAMES]


async def test_waiting_for_another_preparation_ends(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(migrate_module._SESSION, "lock_timeout", "50ms")  # noqa: SLF001 - 30 s
    async with place.connected() as other:
        await other.execute("SELECT pg_advisory_lock($1)", migrate_module._LOCK_KEY)  # noqa: SLF001
        with pytest.raises(DatabaseRefusedError) as refusal:
            await migrate_postgres(place.url)
    assert refusal.value.message == (
        "Another process has been preparing this database for 30 seconds."
        " Wait for it or end it, then try again."
    )


async def test_a_newer_database_is_refused_and_left_alone(place: Place) -> None:
    await migrate_postgres(place.url)
    async with place.connected() as admin:
        await admin.execute(
            "INSERT INTO schema_migrations VALUES ($1, 'later', 'x', 0)", len(NAMES) + 1
        )
    before = await place.everything()
    for attempt in (migrate_postgres(place.url), postgres_schema_version(place.url)):
        with pytest.raises(DatabaseRefusedError) as refusal:
            await attempt
        assert refusal.value.message == (
            f"This database has schema version {len(NAMES) + 1}, this program knows {len(NAMES)}."
            " Install the newer Longshore that made it, or restore an older backup."
        )
    assert await place.everything() == before


async def test_a_migration_that_was_changed_after_its_release_is_refused(
    place: Place, versions: Path
) -> None:
    await migrate_postgres(place.url, versions)
    first = versions / f"{NAMES[0]}.py"
    first.write_text(first.read_text() + "# changed\n")
    with pytest.raises(DatabaseRefusedError, match=f"Migration {NAMES[0]} is not the one"):
        await migrate_postgres(place.url, versions)


async def test_a_later_migration_reaches_every_row_and_the_views_follow(
    place: Place, versions: Path, second: str
) -> None:
    await migrate_postgres(place.url)
    async with place.connected() as admin:
        await admin.execute(
            "INSERT INTO accounts (name, folded_name, account_type, status, created_at)"
            " SELECT 'n' || n, 'n' || n, 'developer', 'active', 0 FROM generate_series(1, 3) AS n"
        )
    (before,) = await place.look(POLICIES)
    assert await migrate_postgres(place.url, versions) == (second,)
    rows, after = await place.look("SELECT note FROM accounts_scoped ORDER BY id", POLICIES)
    assert rows == [("made n1",), ("made n2",), ("made n3",)]
    assert after == before
    async with place.connected() as admin:
        await admin.execute(
            "INSERT INTO accounts (name, folded_name, account_type, status, created_at)"
            " VALUES ('x', 'x', '', '', 0)"
        )
    assert (await place.look("SELECT note FROM accounts WHERE name = 'x'"))[0] == [("100%",)]


@pytest.mark.parametrize(
    ("ending", "error"),
    [
        ("    raise KeyError('half-way')\n", KeyError),
        ("    op.execute('SELECT nothing FROM nowhere')\n", asyncpg.UndefinedTableError),
    ],
)
async def test_a_migration_that_fails_leaves_the_database_as_it_was_and_may_be_tried_again(
    place: Place, versions: Path, second: str, ending: str, error: type[Exception]
) -> None:
    await migrate_postgres(place.url)
    before = await place.everything()
    (versions / f"{second}.py").write_text(SECOND + ending)
    with pytest.raises(error):
        await migrate_postgres(place.url, versions)
    assert await place.everything() == before
    (versions / f"{second}.py").write_text(SECOND)
    assert await migrate_postgres(place.url, versions) == (second,)


# A child is killed at its n-th statement, for every n of the migrations and every eleventh of the
# guards after them, until one gets through.
KILL_AT_EVERY_STATEMENT = """
import asyncio, os, sys
from asyncpg import Connection
from longshore.storage.postgres.migrate import migrate_postgres
from longshore.storage.schema import render
from longshore.storage.schema.catalogue import VERSIONS, known_migrations

execute = Connection.execute
made = {each.number: render.postgres_statements(each) for each in known_migrations(VERSIONS)}
render.postgres_statements = lambda migration: made[migration.number]
migrations = sum(map(len, made.values())) + len(made) + 5  # and what prepares them

def kill_at(last):
    left = [last]
    async def counted(self, *arguments, **options):
        left[0] -= 1
        if left[0] == 0:
            os._exit(137)
        return await execute(self, *arguments, **options)
    Connection.execute = counted

for last in (*range(1, migrations), *range(migrations, 1000, 11)):
    child = os.fork()
    if child == 0:
        kill_at(last)
        asyncio.run(migrate_postgres(sys.argv[1]))
        os._exit(0)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0:
        break
print(last)
"""


@pytest.mark.timeout(180)  # nearly as many processes as statements
async def test_a_migration_killed_at_any_statement_is_whole_after_the_next_start(
    place: Place,
) -> None:
    undisturbed = await new_place(place.server)
    await migrate_postgres(undisturbed.url)
    unmeasured = {name: value for name, value in os.environ.items() if "COVERAGE" not in name}
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", KILL_AT_EVERY_STATEMENT, place.url],
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
        env=unmeasured,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) > len(metadata.tables) + 10
    assert await place.everything() == await undisturbed.everything()


CHECK_IMPORTS = """
import asyncio, sys
before = {*sys.modules}  # a measured run has some
from longshore.storage.postgres.migrate import migrate_postgres

assert asyncio.run(migrate_postgres(sys.argv[1])) == ()
print({"sqlalchemy", "alembic", "sqlite3"} & (sys.modules.keys() - before))
"""


async def test_a_current_database_never_loads_the_migration_tools(place: Place) -> None:
    await migrate_postgres(place.url)
    command = [sys.executable, "-c", CHECK_IMPORTS, place.url]
    done = await asyncio.to_thread(subprocess.run, command, capture_output=True, timeout=60)
    assert (done.stdout, done.stderr) == (b"set()\n", b"")


async def test_the_tables_belong_to_the_login_and_not_to_the_application(place: Place) -> None:
    await migrate_postgres(place.url)
    (guards,) = await place.look(GUARDS)
    assert {row[1] for row in guards} == {OWNER}
