"""``longshore doctor --database-url`` looks at the server and not at a data directory."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.postgres import PostgresServer, postgres_server
from tests.system.server import longshore

__all__ = ["postgres_server"]

Checks = dict[str, tuple[bool, str]]
NO_PROGRAM = "none; 'longshore backup' and the backup before an upgrade need pg_dump"


@pytest.fixture
def url(postgres_server: PostgresServer) -> Iterator[str]:
    """An empty database."""
    asyncio.run(postgres_server.create_database("examined"))
    yield postgres_server.url("examined")
    administer(postgres_server, "DROP DATABASE examined WITH (FORCE)")


def administer(server: PostgresServer, statement: str, database: str = "postgres") -> None:
    async def run() -> None:
        async with server.connected(database) as admin:
            await admin.execute(statement)

    asyncio.run(run())


def doctor(folder: Path, url: str, programs: Path) -> tuple[int, Checks]:
    """Return exit code and what was found; ``programs`` is all there is on the PATH."""
    ran = longshore(
        *("doctor", "--json", "--port", "0", "--database-url", url),
        cwd=folder,
        environment={"PATH": str(programs)},
    )
    report = json.loads(ran.stdout)
    assert report["ok"] is (ran.returncode == 0)
    assert list(folder.glob("longshore-data")) == []
    return ran.returncode, {
        check["name"]: (check["ok"], check["message"]) for check in report["checks"]
    }


def test_before_and_after_the_first_start_all_is_well(
    postgres_server: PostgresServer, url: str, tmp_path: Path
) -> None:
    code, checks = doctor(tmp_path, url, postgres_server.programs)
    assert (code, list(checks)) == (
        0,
        [
            *("Python", "PostgreSQL", "backup program", "database", "master key", "audit log"),
            *("AS2 certificates", "connections", "port"),
        ],
    )
    assert checks["PostgreSQL"][1].endswith(", safe settings")
    assert checks["backup program"][1].startswith("pg_dump ")
    assert checks["database"] == (True, "no tables yet; the first start creates them")
    newest = len(json.loads(upgrade(tmp_path, url))["applied"])
    code, checks = doctor(tmp_path, url, postgres_server.programs)
    version = f"schema version {newest} of {newest}"
    assert (code, checks["database"]) == (0, (True, f"protected and writable, {version}"))


def upgrade(folder: Path, url: str) -> bytes:
    return longshore("db", "upgrade", "--json", "--database-url", url, cwd=folder).stdout


def test_a_database_that_does_not_isolate_is_wrong(
    postgres_server: PostgresServer, url: str, tmp_path: Path
) -> None:
    upgrade(tmp_path, url)
    administer(postgres_server, "ALTER TABLE accounts DISABLE ROW LEVEL SECURITY", "examined")
    code, checks = doctor(tmp_path, url, postgres_server.programs)
    assert (code, checks["database"][0]) == (1, False)
    assert checks["database"][1].startswith("Row security is off for accounts.")


def test_a_database_of_a_newer_program_is_wrong(
    postgres_server: PostgresServer, url: str, tmp_path: Path
) -> None:
    upgrade(tmp_path, url)
    administer(
        postgres_server, "INSERT INTO schema_migrations VALUES (9999, 'later', 'x', 0)", "examined"
    )
    code, checks = doctor(tmp_path, url, postgres_server.programs)
    assert (code, checks["database"][0]) == (1, False)
    assert "Install the newer Longshore that made it" in checks["database"][1]


def test_a_server_that_is_not_there_is_wrong_without_its_password(tmp_path: Path) -> None:
    code, checks = doctor(
        tmp_path, f"postgresql://owner:secret-word@/examined?host={tmp_path}", tmp_path
    )
    lost = (False, "The database cannot be reached now; nothing was stored.")
    assert (code, checks["PostgreSQL"], checks["database"]) == (1, lost, lost)
    assert "secret-word" not in str(checks)
    assert checks["backup program"] == (True, NO_PROGRAM)


@pytest.mark.parametrize(("release", "code"), [("9.6.1", 1), ("99.0", 0)])
def test_a_pg_dump_that_is_older_than_the_server_is_wrong(
    url: str, tmp_path: Path, release: str, code: int
) -> None:
    program = tmp_path / "pg_dump"
    program.write_text(f"#!/bin/sh\necho 'pg_dump (PostgreSQL) {release}'\n")
    program.chmod(0o700)
    found, checks = doctor(tmp_path, url, tmp_path)
    is_well, message = checks["backup program"]
    assert (found, is_well) == (code, code == 0)
    assert message.startswith(f"pg_dump {release}")
    assert ("cannot read a server of " in message) is (code == 1)
