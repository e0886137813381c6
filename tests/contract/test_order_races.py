"""What arrives on PostgreSQL while the entry before it leaves becomes the first of its order."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack
from typing import Final, LiteralString

import asyncpg
import pytest

from longshore.storage.postgres.queries import numbered
from longshore.storage.queries import Dialect, SqlValue, load_queries
from tests.support.database import PostgresEngine
from tests.support.postgres import PostgresServer

ORDER: Final[Mapping[str, SqlValue]] = {
    "account_id": 1,
    "environment": "sandbox",
    "order_key": "7/PO",
}
NONE: Final = ("partner_id", "interchange_id", "transaction_id", "receipt_id", "ack_id")
ENTRY: Final = {**ORDER, **dict.fromkeys(NONE), "kind": "document", "state": "due", "due_at": 1}
LEAVES: Final[Mapping[LiteralString, Mapping[str, SqlValue]]] = {
    "finish_outbox_entry": {"attempt": 0, "state": "done"},
    "put_back_outbox_entry": {"attempt": 0, "state": "suspended", "due_at": 1},
    "change_waiting_entry": {"start": "due", "state": "cancelled", "due_at": 1},
}
ACCOUNT: Final = (
    "INSERT INTO accounts (id, name, folded_name, account_type, status, created_at)"
    " OVERRIDING SYSTEM VALUE VALUES (1, 'own', 'own', 'enterprise', 'active', 1)"
)
WAITING: Final = "SELECT count(*) FROM pg_locks WHERE NOT granted"


class Session:
    """A connection with a transaction, in which named queries run."""

    def __init__(self, connection: asyncpg.Connection) -> None:
        self.connection = connection
        self._queries = load_queries(Dialect.POSTGRES)
        self._texts = numbered(self._queries)

    async def run(self, name: LiteralString, values: Mapping[str, SqlValue]) -> None:
        """Run a query, at the time 1 for the entry 1 if nothing else is given."""
        known = {"now": 1, "entry_id": 1, **values}
        chosen = {each: known[each] for each in self._queries[name].parameters}
        query = self._texts[name]
        await self.connection.fetch(query.text, *query.arguments(chosen))


@pytest.fixture
async def sessions(postgres_server: PostgresServer) -> AsyncIterator[tuple[Session, Session]]:
    engine = PostgresEngine(postgres_server)
    await engine.create()
    async with AsyncExitStack() as opened:
        one, other = [
            Session(await opened.enter_async_context(engine.server.connected("contract")))
            for _ in range(2)
        ]
        await one.connection.execute(ACCOUNT)
        await one.run("insert_outbox_entry", ENTRY)
        yield one, other


async def blocked(task: asyncio.Task[None], observer: asyncpg.Connection) -> None:
    """Return when a task waits for a lock of another transaction."""
    while not await observer.fetchval(WAITING):
        assert not task.done()


@pytest.mark.parametrize("name", LEAVES)
@pytest.mark.parametrize("arrives_first", [True, False], ids=["arrives first", "leaves first"])
async def test_what_arrives_while_the_one_before_it_leaves_is_first(
    sessions: tuple[Session, Session], name: LiteralString, *, arrives_first: bool
) -> None:
    arriving, leaving = sessions
    if "start" not in LEAVES[name]:
        await arriving.connection.execute("UPDATE outbox SET state = 'leased'")

    async def leave() -> None:
        await leaving.run(name, LEAVES[name])
        await leaving.run("let_following_be_first", ORDER)

    for each in sessions:
        await each.connection.execute("BEGIN")
    if arrives_first:
        await arriving.run("insert_outbox_entry", ENTRY)
        task, observer = asyncio.create_task(leave()), arriving.connection
    else:
        await leave()
        task = asyncio.create_task(arriving.run("insert_outbox_entry", ENTRY))
        observer = leaving.connection
    await blocked(task, observer)
    await observer.execute("COMMIT")
    await task
    for each in sessions:
        await each.connection.execute("COMMIT")
    found = await arriving.connection.fetch("SELECT is_first FROM outbox ORDER BY id")
    assert [each["is_first"] for each in found] == [1, 1]
