"""The way of a database to the current schema, and every way that is refused."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from longshore.storage.errors import DatabaseRefusedError
from longshore.storage.schema.catalogue import VERSIONS, SchemaVersion, known_migrations
from longshore.storage.schema.migrate import migrate, schema_version
from longshore.storage.schema.tables import metadata
from longshore.storage.sqlite.database import open_database
from longshore.storage.sqlite.lock import schema_lock, serving
from longshore.storage.sqlite.place import DATABASE_FILE

NAMES = tuple(migration.name for migration in known_migrations(VERSIONS))

SECOND = '''"""A migration of this test."""
from alembic import op

def upgrade():
    op.execute("INSERT INTO accounts (name, folded_name, account_type, status, created_at)"
               " VALUES ('made', 'made', 'developer', 'active', 0)")
'''


@contextmanager
def connected(place: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(place / DATABASE_FILE, isolation_level=None)) as connection:
        yield connection


def schema_of(connection: sqlite3.Connection) -> list[tuple[str, str, str]]:
    return connection.execute(
        "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY 1, 2"
    ).fetchall()


def ledger_of(connection: sqlite3.Connection) -> list[tuple[int, str]]:
    return connection.execute("SELECT number, name FROM schema_migrations").fetchall()


def content_of(place: Path) -> list[object]:
    with connected(place) as connection:
        tables = [name for kind, name, _ in schema_of(connection) if kind == "table"]
        rows = [connection.execute(f"SELECT * FROM {name}").fetchall() for name in tables]
        return [schema_of(connection), *rows]


@pytest.fixture
def versions(tmp_path: Path) -> Path:
    """A copy of the migrations, to be changed."""
    return copytree(VERSIONS, tmp_path / "versions", ignore=ignore_patterns("__pycache__"))


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def second(versions: Path) -> str:
    """The name of one more migration in ``versions``."""
    name = f"v{len(NAMES) + 1:04}_second"
    (versions / f"{name}.py").write_text(SECOND)
    return name


def test_an_empty_place_is_made_current_once(place: Path) -> None:
    assert schema_version(place) == SchemaVersion(database=0, program=len(NAMES))
    assert migrate(place) == NAMES
    assert migrate(place) == ()
    assert schema_version(place) == SchemaVersion(database=len(NAMES), program=len(NAMES))
    assert place.stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o777 for file in place.iterdir()} == {0o600}
    assert not list(place.glob("before-*"))


def test_a_file_without_tables_is_migrated(place: Path) -> None:
    place.mkdir()
    (place / DATABASE_FILE).touch()
    assert schema_version(place).database == 0
    assert migrate(place) == NAMES


def test_the_migrated_schema_is_the_declared_one(place: Path) -> None:
    migrate(place)
    with connected(place) as migrated, closing(sqlite3.connect(":memory:")) as declared:
        engine = sa.create_engine(
            "sqlite://", creator=lambda: declared, poolclass=sa.pool.StaticPool
        )
        metadata.create_all(engine)
        assert schema_of(migrated) == schema_of(declared)


def test_alembic_finds_nothing_left_to_migrate(place: Path) -> None:
    migrate(place)
    with connected(place) as connection:
        engine = sa.create_engine(
            "sqlite://", creator=lambda: connection, poolclass=sa.pool.StaticPool
        )
        with engine.connect() as bound:
            context = MigrationContext.configure(bound, opts={"compare_type": True})
            assert compare_metadata(context, metadata) == []


def test_every_table_is_strict_and_no_id_is_used_again(place: Path) -> None:
    migrate(place)
    with connected(place) as connection:
        tables = {name: sql for kind, name, sql in schema_of(connection) if kind == "table"}
    assert tables.keys() == metadata.tables.keys()
    for name, text in tables.items():
        assert text.rstrip().endswith("STRICT"), name
        assert ("AUTOINCREMENT" in text) is ("id" in metadata.tables[name].columns), name


def test_the_tables_can_be_declared_on_postgresql_too() -> None:
    dialect = sa.make_url("postgresql://").get_dialect()()
    texts = [
        str(sa.schema.CreateTable(table).compile(dialect=dialect))
        for table in metadata.sorted_tables
    ]
    assert "id BIGINT GENERATED ALWAYS AS IDENTITY" in "".join(texts)
    assert "digest BYTEA NOT NULL" in "".join(texts)


CHECK_IMPORTS = """
import sys
before = {*sys.modules}  # a measured run has some
from pathlib import Path
from longshore.storage.schema.migrate import migrate

assert migrate(Path(sys.argv[1])) == ()
print({"sqlalchemy", "alembic", "sqlite3"} & (sys.modules.keys() - before))
"""


def run(script: str, *arguments: object) -> str:
    command = [sys.executable, "-c", script, *map(str, arguments)]
    # Killed processes would leave broken coverage files.
    unmeasured = {name: value for name, value in os.environ.items() if "COVERAGE" not in name}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=150, check=False, env=unmeasured
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_a_current_database_never_loads_the_migration_tools(place: Path) -> None:
    migrate(place)
    assert run(CHECK_IMPORTS, place) == "set()\n"


# A child is killed at its n-th statement, for every n until one gets through.
KILL_AT_EVERY_STATEMENT = """
import os, sqlite3, sys
from pathlib import Path
from longshore.storage.schema import upgrade
from longshore.storage.schema.migrate import migrate

place, connect = Path(sys.argv[1]), sqlite3.connect

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
        migrate(place)
        os._exit(0)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0:
        break
print(last)
"""


@pytest.mark.timeout(180)  # as many processes as statements
def test_a_migration_killed_at_any_statement_is_whole_after_the_next_start(
    place: Path, tmp_path: Path
) -> None:
    migrate(tmp_path / "undisturbed")
    statements = int(run(KILL_AT_EVERY_STATEMENT, place))
    assert statements > len(metadata.tables) + 2
    with connected(place) as killed, connected(tmp_path / "undisturbed") as undisturbed:
        assert schema_of(killed) == schema_of(undisturbed)
        assert ledger_of(killed) == ledger_of(undisturbed)
        assert killed.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


MIGRATE = """
import sys
from pathlib import Path
from longshore.storage.schema.migrate import migrate

print(migrate(Path(sys.argv[1])))
"""


def test_of_several_starts_at_once_one_migrates(place: Path) -> None:
    place.mkdir()
    command = [sys.executable, "-c", MIGRATE, str(place)]
    with schema_lock(place):  # both arrive before either may begin
        starts = [
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for _ in range(2)
        ]
    answers = [start.communicate(timeout=60) for start in starts]
    assert set(answers) == {("()\n", ""), (f"{NAMES}\n", "")}


def test_a_newer_database_is_refused_and_left_alone(place: Path) -> None:
    migrate(place)
    with connected(place) as connection:
        connection.execute(
            "INSERT INTO schema_migrations VALUES (?, 'later', 'x', 0)", (len(NAMES) + 1,)
        )
    before = content_of(place)
    for attempt in (migrate, schema_version):
        with pytest.raises(DatabaseRefusedError) as refusal:
            attempt(place)
        assert refusal.value.message == (
            f"This database has schema version {len(NAMES) + 1}, this program knows {len(NAMES)}."
            " Install the newer Longshore that made it, or restore an older backup."
        )
    assert content_of(place) == before


def test_a_migration_that_was_changed_after_its_release_is_refused(
    place: Path, versions: Path
) -> None:
    migrate(place, versions)
    first = versions / f"{NAMES[0]}.py"
    first.write_text(first.read_text() + "# changed\n")
    with pytest.raises(DatabaseRefusedError) as refusal:
        migrate(place, versions)
    assert refusal.value.message == (
        f"Migration {NAMES[0]} is not the one this database was made with."
        " Install the release that made it; released migrations are never changed."
    )


@pytest.mark.parametrize("file", ["v0001_again.py", "v0009_gap.py"])
def test_numbers_have_no_gap_and_no_twin(versions: Path, file: str) -> None:
    (versions / file).write_text(SECOND)
    with pytest.raises(ValueError, match="numbered from 1, without a gap and each once"):
        known_migrations(versions)


def test_a_database_with_content_is_backed_up_before_it_is_migrated(
    place: Path, versions: Path, second: str
) -> None:
    migrate(place)
    assert migrate(place, versions) == (second,)
    backup = place / f"before-{second[:5]}.db"
    assert backup.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(backup)) as connection:
        assert ledger_of(connection) == [*enumerate(NAMES, 1)]
        assert connection.execute("SELECT count(*) FROM accounts").fetchall() == [(0,)]
    with connected(place) as connection:
        assert connection.execute("SELECT name FROM accounts").fetchall() == [("made",)]


@pytest.mark.parametrize(
    ("ending", "error"),
    [
        ("    raise KeyError('half-way')\n", KeyError),
        (
            (
                "    op.execute('INSERT INTO api_keys (account_id, environment, digest, prefix,'\n"
                "               ' last_four, scopes, created_at, name)'\n"
                "               \" VALUES (99, 'sandbox', x'00', '', '', '[]', 0, '')\")\n"
            ),
            DatabaseRefusedError,
        ),
    ],
    ids=["raises", "breaks a reference"],
)
def test_a_migration_that_fails_leaves_the_database_as_it_was_and_may_be_tried_again(
    place: Path, versions: Path, second: str, ending: str, error: type[Exception]
) -> None:
    migrate(place)
    before = content_of(place)
    (versions / f"{second}.py").write_text(SECOND + ending)
    with pytest.raises(error):
        migrate(place, versions)
    assert content_of(place) == before
    (versions / f"{second}.py").write_text(SECOND)
    assert migrate(place, versions) == (second,)


def test_a_database_that_is_served_is_not_migrated(
    place: Path, versions: Path, second: str
) -> None:
    migrate(place)
    before = content_of(place)
    with serving(place):
        assert migrate(place) == ()
        with pytest.raises(DatabaseRefusedError) as refusal:
            migrate(place, versions)
    assert refusal.value.message == (
        "This database must be migrated, but a server is running on it."
        " Stop the server, then start it with this version."
    )
    assert content_of(place) == before
    assert migrate(place, versions) == (second,)


def test_a_python_with_too_old_a_sqlite_is_refused(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 36, 0))
    monkeypatch.setattr(sqlite3, "sqlite_version", "3.36.0")
    with pytest.raises(DatabaseRefusedError) as refusal:
        migrate(place)
    assert refusal.value.message == (
        "This Python brings SQLite 3.36.0; making the tables needs 3.37 or later."
        " Use a newer Python."
    )


def test_a_damaged_database_is_not_migrated(place: Path, versions: Path, second: str) -> None:
    migrate(place)
    with connected(place) as connection:
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'api_keys'"
        page = connection.execute(query).fetchone()[0]
    with (place / DATABASE_FILE).open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xff" * 4096)
    with pytest.raises(DatabaseRefusedError, match="The backup before the migration is damaged"):
        migrate(place, versions)
    assert not (place / f"before-{second[:5]}.db").exists()


def test_a_migrated_database_opens(place: Path) -> None:
    migrate(place)
    with open_database(place) as database:
        assert (database.quick_check(), database.integrity_check()) == ((), ())
