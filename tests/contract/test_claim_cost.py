"""Claims and other frequent queries cost the same for few and for many stored rows.

Claims and releases, however many documents wait behind another, or are held; the look for the
sender of an AS2 message, however many partners there are.
"""

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, LiteralString

import apsw
import pytest

from longshore.domain.ports import SYSTEM, Scope
from longshore.storage.isolation import TENANT_TABLES
from longshore.storage.postgres.queries import numbered
from longshore.storage.queries import Dialect, SqlValue, load_queries
from longshore.storage.sqlite.data_directory import DATABASE_FILE
from longshore.storage.sqlite.isolation import UnitContext, guard_writer
from tests.support.database import PostgresEngine, make_sqlite
from tests.support.postgres import PostgresServer
from tests.support.trading import LIVE

NOW: Final = 1_000_000
FEW, MANY = 100, 10_000
QUERIES: tuple[LiteralString, ...] = (
    *("find_next_due", "find_oldest_due", "claim_outbox"),
    *("let_following_be_first", "claim_following_entry", "find_next_held"),
)
SENDER: LiteralString = "list_live_as2_partners"
MAX_SENDER_PAGES: Final = 20
"""Some levels of an index and the row; all partners of the test lie on hundreds of pages."""
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
    "as2_to": "THEM 101",
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


def partners(numbers: str, empty: str) -> str:
    """Return the statement that stores partners, each with an AS2 name for both environments.

    ``empty`` is how the database writes no bytes.
    """
    return (
        "INSERT INTO partners (id, account_id, name, folded_name, partner_status, isa_qualifier,"
        " isa_id, gs_id, tx_sets, version, ack_type, ack_hours, industry, contact_email,"
        " test_connection_type, live_connection_type, test_connection_status,"
        " live_connection_status, test_breaker, live_breaker, row_version, created_at, updated_at,"
        " connections, settings, routes, test_as2_to, live_as2_to, sealed_version, wrapped_key,"
        " secrets) SELECT n, 1, 'P ' || n, 'p ' || n, 'active', '', '', '', '[]', '', 'auto', 48,"
        " '', '', 'as2', 'as2', '', '', 'closed', 'closed', 1, 1, 1, '{}', '{}', '[]',"
        f" 'THEM ' || n, 'THEM ' || n, 0, {empty}, {empty} FROM {numbers}"
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


@contextmanager
def opened(folder: Path, scope: Scope) -> Iterator[apsw.Connection]:
    """Open a database with one account in a unit of a scope."""
    make_sqlite(folder)
    with closing(apsw.Connection(str(folder / DATABASE_FILE))) as connection:
        context = UnitContext()
        guard_writer(connection, TENANT_TABLES, context)
        context.enter(scope)
        connection.execute("BEGIN")
        connection.execute(ACCOUNT)
        yield connection


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[apsw.Connection]:
    with opened(tmp_path, SYSTEM) as connection:
        connection.execute(others(1))
        yield connection


def listed(first: int, last: int) -> str:
    """Return the numbers from first to last as a table of SQLite."""
    return (
        f"(WITH RECURSIVE number (n) AS (SELECT {first} UNION ALL SELECT n + 1 FROM number"
        f" WHERE n < {last}) SELECT n FROM number)"
    )


def wait(connection: apsw.Connection, first: int, last: int) -> None:
    connection.execute(rows(101, listed(first, last)))
    connection.execute(held(listed(first, last)))


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


def test_on_sqlite_partners_cost_the_look_for_a_sender_no_instruction(tmp_path: Path) -> None:
    with opened(tmp_path, LIVE) as connection:
        found = []
        for first, last in ((101, 100 + FEW), (101 + FEW, 100 + 10 * FEW)):
            connection.execute(partners(listed(first, last), "x''"))
            found.append([steps(connection, SENDER) for _ in range(2)][1])
    assert found[0] == found[1]


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
            for stored in (rows(101, numbers), held(numbers), partners(numbers, "''")):
                await connection.execute(stored)
            await connection.execute("VACUUM ANALYZE outbox, partners")
            found.append([await pages(name) for name in QUERIES])
        few, many = found
        # An index of more entries is a level deeper; the planner takes other steps for few rows.
        assert (
            all(later <= 2 * earlier for earlier, later in zip(few, many, strict=True)),
            await pages(SENDER) <= MAX_SENDER_PAGES,
        ) == (True, True)
