"""From schema version 3 to 4: what was sent stands where its last delivery ended."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from shutil import copytree

import pytest
import sqlalchemy as sa

from longshore.storage.postgres.migrate import migrate_postgres, owner_connection
from longshore.storage.schema.catalogue import VERSIONS
from longshore.storage.schema.migrate import migrate
from longshore.storage.schema.tables import metadata
from longshore.storage.sqlite.place import DATABASE_FILE
from tests.support.postgres import PostgresServer

# By id: how an interchange stood, where its sets were, its entries of the outbox from the first to
# the last, and how it stands afterwards.
STOOD = {
    1: ("queued", ["failed"], ["dead"], "failed"),
    2: ("queued", ["cancelled"], ["cancelled"], "cancelled"),
    3: ("queued", ["pending"], ["due"], "queued"),
    4: ("sent", ["delivered"], ["done"], "sent"),
    # Sent once more, and given up, called off or still on its way; or acknowledged after all.
    5: ("sent", ["delivered", "failed"], ["done", "dead"], "failed"),
    6: ("sent", ["cancelled"], ["done", "cancelled"], "cancelled"),
    7: ("sent", ["pending"], ["done", "due"], "queued"),
    8: ("sent", ["sending"], ["done", "leased"], "queued"),
    9: ("sent", ["held"], ["done", "held"], "queued"),
    10: ("sent", ["delivered"], ["dead"], "sent"),
    11: ("sent", ["delivered"], ["done", "leased"], "sent"),
    # A TA1 alone has no sets.
    12: ("queued", [], ["dead"], "failed"),
    13: ("queued", [], ["due"], "queued"),
    14: ("sent", [], ["dead", "done"], "sent"),
    15: ("sent", [], ["done", "dead"], "failed"),
    16: ("sent", [], ["done", "due"], "queued"),
}
AFTERWARDS = [(number, then) for number, (*_, then) in STOOD.items()]
STATUSES = "SELECT id, status FROM interchanges ORDER BY id"


@pytest.fixture
def before(tmp_path: Path) -> Path:
    """The migrations up to version 3."""
    folder = copytree(VERSIONS, tmp_path / "versions")
    for later in folder.glob("v000[4-9]_*.py"):
        later.unlink()
    return folder


def insert(table: str, no_bytes: str, **given: int | str) -> str:
    """Return a statement that inserts the next row, with as little as may be beside ``given``.

    ``no_bytes``: how the database writes none; SQLite tells them from an empty text.
    """
    row = {
        column.name: given.get(column.name, _least(column, no_bytes))
        for column in metadata.tables[table].columns
        if column.name in given or not (column.nullable or column.primary_key)
    }
    return str(
        sa
        .insert(metadata.tables[table])
        .values(row)
        .compile(compile_kwargs={"literal_binds": True})
    )


def _least(column: sa.Column[object], no_bytes: str) -> object:
    return {int: 0, str: "", bytes: sa.literal_column(no_bytes)}[column.type.python_type]


def rows(no_bytes: str) -> Iterator[str]:
    owner: dict[str, int | str] = {"account_id": 1, "environment": "sandbox"}
    yield insert("accounts", no_bytes, name="Acme", folded_name="acme", status="active")
    sent = {**owner, "direction": "outbound"}
    for number, (status, deliveries, entries, _) in STOOD.items():
        yield insert("interchanges", no_bytes, **sent, status=status)
        part: dict[str, int | str] = {"interchange_id": number}
        for delivery in deliveries:
            yield insert("transactions", no_bytes, **sent, **part, delivery_status=delivery)
        for state in entries:
            yield insert("outbox", no_bytes, **owner, **part, kind="document", state=state)


def test_what_was_sent_stands_where_its_delivery_ended_on_sqlite(
    tmp_path: Path, before: Path
) -> None:
    place = tmp_path / "data"
    migrate(place, before)
    with closing(sqlite3.connect(place / DATABASE_FILE)) as connection, connection:
        for statement in rows("x''"):
            connection.execute(statement)
    migrate(place)
    with closing(sqlite3.connect(place / DATABASE_FILE)) as connection:
        assert connection.execute(STATUSES).fetchall() == AFTERWARDS


async def test_what_was_sent_stands_where_its_delivery_ended_on_postgres(
    postgres_server: PostgresServer, before: Path
) -> None:
    name = "from_version_3"
    await postgres_server.create_database(name)
    url = postgres_server.url(name)
    await migrate_postgres(url, before)
    async with owner_connection(url) as owner:
        await owner.execute("SET app.maintenance = on")
        for statement in rows("''"):
            await owner.execute(statement)
    await migrate_postgres(url)
    async with postgres_server.connected(name) as admin:
        assert [tuple(row) for row in await admin.fetch(STATUSES)] == AFTERWARDS
