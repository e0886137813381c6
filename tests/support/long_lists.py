"""A database with very long lists, and the application over it, for whom nothing is sealed."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from typing import Final

import apsw

from longshore.domain.ports import AssociatedData, DataKey
from longshore.domain.trading import open_trading
from longshore.domain.users.model import UserRole
from longshore.http.app import create_app
from longshore.http.front import Front
from longshore.storage.sqlite.data_directory import DATABASE_FILE
from tests.support.clock import StoppedClock
from tests.support.database import Database, Engine, PostgresEngine, SqliteEngine
from tests.support.http_service import Keys, RecordedEngine, World
from tests.support.many_rows import inserts
from tests.support.ports import some_ports
from tests.support.users import BASE_URL, People, Sessions, session_headers

NOBODY: Final = {"sandbox": "", "production": "", "neighbour": "", "read_only": ""}


class NoSealer:
    """Seals nothing."""

    def new_key(self) -> DataKey:
        return DataKey(b"")

    def seal(self, key: DataKey, content: bytes) -> bytes:  # noqa: ARG002 - as the port has it
        return content

    def open(self, key: DataKey, sealed: bytes) -> bytes:  # noqa: ARG002 - as the port has it
        return sealed

    def wrap(self, key: DataKey, place: AssociatedData) -> bytes:  # noqa: ARG002 - as the port has it
        return b""

    def unwrap(self, wrapped: bytes, place: AssociatedData) -> DataKey:  # noqa: ARG002 - as the port has it
        return DataKey(b"")


async def fill(engine: Engine, count: int) -> None:
    """Put so many rows of each kind into an empty database, and an account that has them."""
    statements = inserts(engine.dialect, count)
    if isinstance(engine, SqliteEngine):
        with closing(apsw.Connection(str(engine.place / DATABASE_FILE))) as connection:
            connection.execute("PRAGMA synchronous = OFF")
            for statement in statements:
                connection.execute(statement)
    elif isinstance(engine, PostgresEngine):
        async with engine.server.connected("contract") as connection:
            for statement in statements:
                await connection.execute(statement)
            await connection.execute("VACUUM ANALYZE")


async def application(database: Database) -> tuple[Front, Mapping[str, str]]:
    """Return the application over a database, and the headers of an owner of what is in it."""
    owner = await People(database, StoppedClock()).with_session(
        "Demo", "owner@demo.example", UserRole.OWNER
    )
    world = World(
        database=database,
        keys=Keys(
            **NOBODY, submit_only="", suspended="", revoked="", plan_lost="", production_read=""
        ),
        sessions=Sessions(owner=owner, editor="", viewer="", neighbour_owner="", suspended=""),
    )
    ports = some_ports(database, StoppedClock(), sealer=NoSealer())
    services = replace(world.services(RecordedEngine()), trading=open_trading(ports))
    host = BASE_URL.removeprefix("https://")
    return create_app(services), {"Host": host, **session_headers(owner, "production")}
