"""From schema version 4 to 5: our acknowledgements that are not sent yet are queued."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from shutil import copytree

from longshore.storage.postgres.migrate import migrate_postgres, owner_connection
from longshore.storage.schema.catalogue import VERSIONS
from longshore.storage.schema.migrate import migrate
from longshore.storage.sqlite.place import DATABASE_FILE
from tests.migration.test_v0004_search import insert
from tests.support.postgres import PostgresServer

STOOD = [("inbound", "pending"), ("outbound", "pending"), ("outbound", "sent")]
AFTERWARDS = [("inbound", "pending"), ("outbound", "queued"), ("outbound", "sent")]
STATUSES = "SELECT direction, status FROM acks ORDER BY id"


def before(folder: Path) -> Path:
    """Return the migrations up to version 4."""
    versions = copytree(VERSIONS, folder / "versions")
    for later in versions.glob("v000[5-9]_*.py"):
        later.unlink()
    return versions


def rows(no_bytes: str) -> Iterator[str]:
    yield insert("accounts", no_bytes, name="Acme", folded_name="acme", status="active")
    for direction, status in STOOD:
        owner: dict[str, int | str] = {"account_id": 1, "environment": "sandbox"}
        yield insert("acks", no_bytes, **owner, direction=direction, status=status)


def test_our_acknowledgements_wait_under_another_word_on_sqlite(tmp_path: Path) -> None:
    place = tmp_path / "data"
    migrate(place, before(tmp_path))
    with closing(sqlite3.connect(place / DATABASE_FILE)) as connection, connection:
        for statement in rows("x''"):
            connection.execute(statement)
    migrate(place)
    with closing(sqlite3.connect(place / DATABASE_FILE)) as connection:
        assert connection.execute(STATUSES).fetchall() == AFTERWARDS


async def test_our_acknowledgements_wait_under_another_word_on_postgres(
    postgres_server: PostgresServer, tmp_path: Path
) -> None:
    name = "from_version_4"
    await postgres_server.create_database(name)
    url = postgres_server.url(name)
    await migrate_postgres(url, before(tmp_path))
    async with owner_connection(url) as owner:
        await owner.execute("SET app.maintenance = on")
        for statement in rows("''"):
            await owner.execute(statement)
    await migrate_postgres(url)
    async with postgres_server.connected(name) as admin:
        assert [tuple(row) for row in await admin.fetch(STATUSES)] == AFTERWARDS
