"""Claims and releases cost the same however many documents wait behind another, or are held."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final, LiteralString

import apsw
import pytest

from longshore.domain.ports import SYSTEM
from longshore.storage.isolation import TENANT_TABLES
from longshore.storage.postgres.queries import numbered
from longshore.storage.queries import Dialect, SqlValue, load_queries
from longshore.storage.sqlite.data_directory import DATABASE_FILE
from longshore.storage.sqlite.isolation import UnitContext, guard_writer
from tests.support.database import PostgresEngine, make_sqlite
from tests.support.postgres import PostgresServer

NOW: Final = 1_000_000
FEW, MANY = 100, 10_000
QUERIES: tuple[LiteralString, ...] = (
    *("find_next_due", "find_oldest_due", "claim_outbox"),
    *("let_following_be_first", "claim_following_entry", "find_next_held"),
)
VALUES: dict[str, SqlValue] = {
    "now": NOW,
    "until": NOW + 30,
    "owner": "worker",
    "most": 8,
    "deliveries": 4,
    "others": 4,
    "account_id": 1,
    "environment": "sandbox",
    "order_key": "7/PO",
    "entry_id": 101,
    "partner_id": 7,
}
ACCOUNT = (
    "INSERT INTO accounts (id, name, folded_name, account_type, status, created_at)"
    " VALUES (1, 'own', 'own', 'enterprise', 'active', 1)"
)


def rows(first: int, numbers: str) -> str:
    """Return the statement that stores an order: its first entry is due later, the rest waits."""
    return (
        "INSERT INTO outbox (id, account_id, environment, kind, order_key, state, due_at, attempt,"
        " is_first, created_at, updated_at)"
        " SELECT n, 1, 'sandbox', 'document', '7/PO', 'due',"
        f" CASE WHEN n = {first} THEN {NOW + 60} ELSE 1 END, 0,"
        f" CASE WHEN n = {first} THEN 1 ELSE 0 END, 1, 1 FROM {numbers}"
    )


def held(numbers: str) -> str:
    """Return the statement that stores what is held for three partners."""
    return (
        "INSERT INTO outbox (id, account_id, environment, kind, partner_id, order_key, state,"
        " due_at, attempt, is_first, created_at, updated_at)"
        " SELECT n + 1000000, 1, CASE n % 2 WHEN 1 THEN 'sandbox' ELSE 'production' END,"
        f" 'document', 7 + n % 3, '8/PO', 'held', 1, 0, 0, 1, 1 FROM {numbers}"
    )


def others(first: int) -> str:
    """Return the statement that stores what is due: more of each kind than one claim takes."""
    return (
        "INSERT INTO outbox (id, account_id, environment, kind, state, due_at, attempt,"
        " is_first, created_at, updated_at) VALUES "
    ) + ", ".join(
        f"({first + n}, 1, 'sandbox', '{kind}', 'due', {NOW - n}, 0, 1, 1, 1)"
        for n, kind in enumerate(["document", "receive"] * 20)
    )


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[apsw.Connection]:
    make_sqlite(tmp_path)
    with closing(apsw.Connection(str(tmp_path / DATABASE_FILE))) as connection:
        context = UnitContext()
        guard_writer(connection, TENANT_TABLES, context)
        context.enter(SYSTEM)
        connection.execute("BEGIN")
        connection.execute(ACCOUNT)
        connection.execute(others(1))
        yield connection


def wait(connection: apsw.Connection, first: int, last: int) -> None:
    numbers = (
        f"(WITH RECURSIVE number (n) AS (SELECT {first} UNION ALL SELECT n + 1 FROM number"
        f" WHERE n < {last}) SELECT n FROM number)"
    )
    connection.execute(rows(101, numbers))
    connection.execute(held(numbers))


def steps(connection: apsw.Connection, name: LiteralString) -> int:
    """Return how many instructions of SQLite's machine a query takes, and undo it."""
    query, count = load_queries(Dialect.SQLITE)[name], 0

    def counted() -> bool:
        nonlocal count
        count += 1
        return False

    connection.execute("SAVEPOINT counted")
    connection.set_progress_handler(counted, 1)
    values = {key: VALUES[key] for key in query.parameters}
    connection.execute(query.text, values).fetchall()
    connection.set_progress_handler(None)
    connection.execute("ROLLBACK TO counted")
    return count


def test_on_sqlite_what_waits_costs_no_instruction(connection: apsw.Connection) -> None:
    wait(connection, 101, 100 + FEW)
    few = [(steps(connection, name), steps(connection, name))[1] for name in QUERIES]
    wait(connection, 101 + FEW, 100 + MANY)
    assert [steps(connection, name) for name in QUERIES] == few


async def test_on_postgresql_what_waits_costs_no_page(postgres_server: PostgresServer) -> None:
    engine = PostgresEngine(postgres_server)
    await engine.create()
    queries = numbered(load_queries(Dialect.POSTGRES))
    async with engine.server.connected("contract") as connection:

        async def pages(name: LiteralString) -> int:
            query = queries[name]
            await connection.execute("BEGIN")
            values = {key: VALUES[key] for key in load_queries(Dialect.POSTGRES)[name].parameters}
            explained = f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {query.text}"
            (found,) = json.loads(await connection.fetchval(explained, *query.arguments(values)))
            await connection.execute("ROLLBACK")
            plan = found["Plan"]
            return int(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"])

        await connection.execute("SET session_replication_role = replica")  # there are no partners
        await connection.execute(ACCOUNT)
        await connection.execute(others(1))
        found = []
        for first, last in ((101, 100 + FEW), (101 + FEW, 100 + MANY)):
            numbers = f"generate_series({first}, {last}) AS n"
            await connection.execute(rows(101, numbers))
            await connection.execute(held(numbers))
            await connection.execute("VACUUM ANALYZE outbox")
            found.append([await pages(name) for name in QUERIES])
        few, many = found
        # An index of more entries is a level deeper; the planner takes other steps for few rows.
        assert all(later <= 2 * earlier for earlier, later in zip(few, many, strict=True))
