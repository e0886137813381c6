"""No list that a page begins with looks through a table: each query walks an index of its own.

What is told here was measured as well: ``python -m tests.bench.lists``, with a million rows.
"""

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from longshore.storage.isolation import TENANT_TABLES
from longshore.storage.queries import Dialect, Query, load_queries
from longshore.storage.sqlite.isolation import Context, guard_writer
from longshore.storage.sqlite.place import DATABASE_FILE
from longshore.storage.units import ReadUnit
from tests.support.database import PostgresEngine, make_sqlite
from tests.support.postgres import PostgresServer
from tests.support.shipments import sql_of
from tests.support.trading import LIVE, SANDBOX

OWNER = "(account_id=? AND environment=? AND "
UNUSUAL = f"transactions_unusual {OWNER}created_at>?"
OF_STATUS = f"acks_by_status {OWNER}status=?"
REJECTED = f"acks_rejected {OWNER}result=? AND created_at>?"
QUARANTINE = f"interchanges_by_status {OWNER}status=?"
KEY = "transaction_references_account_id_digest_transaction_id (account_id=? AND digest=?"
EXPECTED = {
    "list_transactions": "transactions_account_id_created_at_id (account_id=? AND created_at>?",
    "count_transactions_of_time": f"COVERING INDEX ix_transactions_by_time {OWNER}created_at>?",
    "list_unusual_transactions": UNUSUAL,
    "count_unusual_transactions": UNUSUAL,
    "list_transactions_of_partner": f"transactions_by_partner {OWNER}partner_id=? AND created_at>?",
    "count_transactions_of_partner": f"COVERING INDEX ix_transactions_by_partner {OWNER}partner",
    "list_transactions_of_set": f"transactions_by_set {OWNER}tx_set=? AND created_at>?",
    "count_transactions_of_set": f"COVERING INDEX ix_transactions_by_set {OWNER}tx_set=?",
    "list_transactions_of_key": KEY,
    "count_transactions_of_key": KEY,
    "list_interchanges": f"interchanges_by_time {OWNER}created_at>?",
    "count_interchanges_of_time": f"COVERING INDEX ix_interchanges_by_time {OWNER}created_at>?",
    "list_interchanges_of_status": QUARANTINE,
    "count_interchanges_of_status": QUARANTINE,
    "list_acks_of_status": OF_STATUS,
    "count_acks_of_status": OF_STATUS,
    "count_group_acks_of_status": OF_STATUS,
    "list_rejected_acks": REJECTED,
    "count_rejected_acks": REJECTED,
    "list_audit_newest": "audit_entries_1 (account_id=? AND position<?",
    "list_events_after": "events_1 (account_id=? AND position>?",
    "list_volumes": f"COVERING INDEX ix_transactions_by_time {OWNER}created_at>?",
    "list_unusual_states": f"COVERING INDEX ix_{UNUSUAL}",
    "list_latencies": f"COVERING INDEX ix_acks_latencies {OWNER}received_at>?",
    "find_awaited": OF_STATUS,
    "list_rejections": f"COVERING INDEX ix_{REJECTED}",
    "list_overdue_sets": OF_STATUS,
    "list_quarantined_reasons": QUARANTINE,
    "list_undelivered_partners": f"COVERING INDEX ix_{UNUSUAL}",
    "list_invalid_received": f"COVERING INDEX ix_{UNUSUAL}",
}
GROUPED = {
    *("list_transactions_of_key", "list_unusual_states", "list_latencies"),
    *("list_rejections", "list_overdue_sets", "list_quarantined_reasons"),
    *("list_undelivered_partners", "list_invalid_received", "list_volumes"),
}
"""These put what an index found, and that is little, into another order."""

STORED = re.compile(r"SCAN main\.")


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[apsw.Connection]:
    place: Path = tmp_path_factory.mktemp("plans")
    make_sqlite(place)
    with closing(apsw.Connection(str(place / DATABASE_FILE))) as connection:
        context = Context()
        guard_writer(connection, TENANT_TABLES, context)
        context.enter(LIVE)
        yield connection


@pytest.mark.parametrize("name", EXPECTED)
def test_a_list_walks_its_index(connection: apsw.Connection, name: str) -> None:
    query = load_queries(Dialect.SQLITE)[name]
    rows = connection.execute(
        f"EXPLAIN QUERY PLAN {query.text}", dict.fromkeys(query.parameters)
    ).fetchall()
    plan = "\n".join(str(row[-1]) for row in rows)
    assert EXPECTED[name] in plan
    assert STORED.search(plan) is None
    assert ("TEMP B-TREE" in plan) is (name in GROUPED)


@pytest.mark.parametrize(
    ("name", "index"),
    [("list_volumes", r"ix_transactions_\w+"), ("list_rejections", r"ix_acks_\w+")],
)
async def test_what_an_overview_groups_is_in_an_index_of_postgresql_too(
    postgres_server: PostgresServer, name: str, index: str
) -> None:
    queries = dict(load_queries(Dialect.POSTGRES))
    queries[name] = replace(queries[name], text=f"EXPLAIN {queries[name].text}")
    # No table is read in its order, however few rows it has.
    hindered = Query("SELECT set_config('enable_seqscan', 'off', true)", frozenset())
    engine = PostgresEngine(postgres_server)
    await engine.create()

    async def explain(unit: ReadUnit) -> str:
        await sql_of(unit).fetch_one("hinder_scans")
        span = {"environment": SANDBOX, "since": 1, "before": 2**60, "most": 20}
        return "\n".join(row[0] for row in await sql_of(unit).fetch_all(name, **span))  # type: ignore[arg-type]  # it is one of two

    async with engine.open({**queries, "hinder_scans": hindered}) as database:
        plan = await database.units.read(LIVE, explain)
    assert re.search(f"(?:using|Index Scan on) {index}", plan), plan
    assert "Seq Scan" not in plan
