"""No list that a page begins with looks through a table: each query walks an index of its own.

What is told here was measured as well: ``python -m tests.bench.lists``, with a million rows.
"""

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import LiteralString

import apsw
import pytest

from longshore.domain.units import ReadUnit
from longshore.storage.isolation import TENANT_TABLES
from longshore.storage.queries import Dialect, Query, SqlValue, load_queries
from longshore.storage.sqlite.data_directory import DATABASE_FILE
from longshore.storage.sqlite.isolation import UnitContext, guard_writer
from tests.support.database import PostgresEngine, make_sqlite
from tests.support.long_lists import fill
from tests.support.postgres import PostgresServer
from tests.support.shipments import sql_of
from tests.support.trading import LIVE, PRODUCTION

OWNER = "(account_id=? AND environment=? AND "
UNUSUAL = f"transactions_unusual {OWNER}created_at>?"
OF_STATUS = f"acks_by_status {OWNER}status=?"
REJECTED = f"acks_rejected {OWNER}result=? AND created_at>?"
QUARANTINE = f"interchanges_by_status {OWNER}status=?"
KEY = "transaction_references_account_id_digest_transaction_id (account_id=? AND digest=?"
SOUGHT = (
    "count_found_transactions",
    "list_found_transactions",
    "count_found_transactions_that_fit",
)
EXPECTED = {
    "list_transactions": "transactions_of_both (account_id=? AND created_at>?",
    "count_transactions": "transactions_of_both (account_id=? AND created_at>?",
    "list_transactions_of_time": f"COVERING INDEX ix_transactions_by_time {OWNER}created_at>?",
    "count_transactions_of_time": f"COVERING INDEX ix_transactions_by_time {OWNER}created_at>?",
    "count_stored_transactions": f"COVERING INDEX ix_transactions_by_time {OWNER}created_at>?",
    "list_unusual_transactions": f"COVERING INDEX ix_{UNUSUAL}",
    "count_unusual_transactions": f"COVERING INDEX ix_{UNUSUAL}",
    "list_transactions_of_partner": f"COVERING INDEX ix_transactions_by_partner {OWNER}partner",
    "count_transactions_of_partner": f"COVERING INDEX ix_transactions_by_partner {OWNER}partner",
    "list_transactions_of_set": f"COVERING INDEX ix_transactions_by_set {OWNER}tx_set=?",
    "count_transactions_of_set": f"COVERING INDEX ix_transactions_by_set {OWNER}tx_set=?",
    **dict.fromkeys(SOUGHT, KEY),
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
    "list_open_rejections": f"COVERING INDEX ix_{REJECTED}",
    "list_overdue_sets": OF_STATUS,
    "list_quarantined_reasons": QUARANTINE,
    "list_undelivered_partners": f"COVERING INDEX ix_{UNUSUAL}",
    "list_invalid_received": f"COVERING INDEX ix_{UNUSUAL}",
}
GROUPED = {
    *("list_transactions_of_time", "list_unusual_transactions"),
    *("list_transactions_of_partner", "list_transactions_of_set"),
    *SOUGHT,
    *("list_unusual_states", "list_latencies"),
    *("list_rejections", "list_open_rejections", "list_overdue_sets", "list_quarantined_reasons"),
    *("list_undelivered_partners", "list_invalid_received", "list_volumes"),
}
"""These put what an index found, and that is little, into order once more."""

STORED = re.compile(r"SCAN main\.")


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[apsw.Connection]:
    place: Path = tmp_path_factory.mktemp("plans")
    make_sqlite(place)
    with closing(apsw.Connection(str(place / DATABASE_FILE))) as connection:
        context = UnitContext()
        guard_writer(connection, TENANT_TABLES, context)
        context.enter(LIVE)
        yield connection


def plan_of(connection: apsw.Connection, name: str) -> str:
    query = load_queries(Dialect.SQLITE)[name]
    rows = connection.execute(
        f"EXPLAIN QUERY PLAN {query.text}", dict.fromkeys(query.parameters)
    ).fetchall()
    return "\n".join(str(row[-1]) for row in rows)


@pytest.mark.parametrize("name", EXPECTED)
def test_a_list_walks_its_index(connection: apsw.Connection, name: str) -> None:
    plan = plan_of(connection, name)
    assert EXPECTED[name] in plan
    assert STORED.search(plan) is None
    assert ("TEMP B-TREE" in plan) is (name in GROUPED)


@pytest.mark.parametrize("name", SOUGHT)
def test_each_way_to_find_a_document_has_an_index(connection: apsw.Connection, name: str) -> None:
    plan = plan_of(connection, name)
    for column in ("isa_control_number", "gs_control_number", "st_control_number", "parent_id"):
        assert f"ix_transactions_account_id_{column} (account_id=? AND {column}=?)" in plan
    ways = plan.partition("COMPOUND QUERY")[2]
    assert ways.count("USING INTEGER PRIMARY KEY (rowid=?)\nUNION ALL") == 1
    assert ways.count(f"{KEY})\nUNION ALL") == 1
    assert f"COVERING INDEX ix_transactions_by_partner {OWNER}partner_id=?)" in ways


ROWS_OF_POSTGRES = 20_000
SPAN: dict[str, SqlValue] = {"environment": PRODUCTION, "since": 1, "before": 2**60}
PAGE: dict[str, SqlValue] = {
    "environment": PRODUCTION,
    "since": 1,
    "before_at": 2**60,
    "before_id": 0,
    "limit": 51,
    "offset": 0,
}
PLANNED: dict[LiteralString, tuple[str, dict[str, SqlValue]]] = {
    "list_transactions_of_time": (r"ix_transactions_by_time", PAGE),
    "count_transactions_of_time": (r"ix_transactions_\w+", {**SPAN, "most": 101}),
    "list_transactions_of_partner": (r"ix_transactions_by_partner", {**PAGE, "partner_id": 7}),
    "count_transactions_of_partner": (
        r"ix_transactions_by_partner",
        {**SPAN, "partner_id": 7, "most": 101},
    ),
    "list_transactions_of_set": (r"ix_transactions_\w+", {**PAGE, "tx_set": "997"}),
    "list_unusual_transactions": (r"ix_transactions_unusual", PAGE),
    "list_found_transactions": (
        r"ix_transactions_account_id_isa_control_number",
        {**PAGE, "search_number": "000000123", "by_key": 0},
    ),
    "count_found_transactions": (
        r"ix_transactions_account_id_st_control_number",
        {"search_number": "000000123", "most": 1_001},
    ),
    "count_found_transactions_that_fit": (
        r"ix_transactions_by_partner",
        {**SPAN, "search_prefix": "partner 7", "by_key": 0, "most": 101},
    ),
    "list_acks_of_status": (r"ix_acks_by_status", {**PAGE, "status": "pending"}),
    "list_rejected_acks": (r"ix_acks_rejected", PAGE),
    "list_interchanges": (r"ix_interchanges_\w+", PAGE),
    "list_interchanges_of_status": (
        r"ix_interchanges_by_status",
        {**PAGE, "status": "quarantined"},
    ),
    "list_audit_newest": (
        r"audit_entries_\w+",
        {"account_id": 1, "before": 2**60, "limit": 51},
    ),
    "list_events_after": (
        r"events_\w+",
        {"environment": PRODUCTION, "after": 7, "limit": 51},
    ),
    "list_volumes": (r"ix_transactions_\w+", {**SPAN, "most": 20}),
    "list_rejections": (r"ix_acks_\w+", {**SPAN, "most": 20}),
    "list_open_rejections": (r"ix_acks_\w+", {**SPAN, "most": 20}),
}
LARGE = re.compile(r"Seq Scan on (transactions|acks|interchanges|events|audit_entries)\b")


async def test_no_list_looks_through_a_table_of_postgresql(
    postgres_server: PostgresServer,
) -> None:
    engine = PostgresEngine(postgres_server)
    await engine.create()
    await fill(engine, ROWS_OF_POSTGRES)
    queries = dict(load_queries(Dialect.POSTGRES))
    # All rows are of one account: without this it would be right to count them in their order.
    hindered = "SELECT set_config('enable_seqscan', 'off', true)"
    queries["hinder_scans"] = Query(hindered, frozenset())
    for name in PLANNED:
        queries[name] = replace(queries[name], text=f"EXPLAIN {queries[name].text}")

    async def explain(unit: ReadUnit) -> dict[str, str]:
        await sql_of(unit).fetch_one("hinder_scans")
        plans = {}
        for name, (_, given) in PLANNED.items():
            values = {**dict.fromkeys(queries[name].parameters), **given}
            plans[name] = "\n".join(
                str(next(iter(row.values())))
                for row in await sql_of(unit).fetch_all(name, **values)
            )
        return plans

    async with engine.open(queries) as database:
        plans = await database.units.read(LIVE, explain)
    for name, (index, _) in PLANNED.items():
        assert re.search(index, plans[name]), plans[name]
        assert LARGE.search(plans[name]) is None, plans[name]
