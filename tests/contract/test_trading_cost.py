"""What the stores of trading cost: each statement of the daily work walks an index, and no more."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from longshore.domain.ports import SYSTEM
from longshore.storage.isolation import TENANT_TABLES
from longshore.storage.queries import Dialect, load_queries
from longshore.storage.sqlite.data_directory import DATABASE_FILE
from longshore.storage.sqlite.isolation import UnitContext, guard_writer
from tests.support.database import make_sqlite
from tests.support.trading import LIVE

ISA_NUMBER = "isa_number (account_id=? AND sender_id=? AND receiver_id=? AND isa_number"
GS_NUMBER = "receiver_code_gs_number (account_id=? AND receiver_code=? AND gs_number"
ORDER = "account_id=? AND environment=? AND order_key=?"
EARLIER = f"outbox_order ({ORDER} AND id<?"
READY = ("outbox_ready_deliveries (due_at<?", "outbox_ready_others (due_at<?")
EXPECTED = {
    "list_transactions": "transactions_of_both (account_id=? AND created_at>?",
    "list_transactions_of_interchange": "transactions_interchange_id_account_id (interchange_id=?",
    "list_duplicate_transactions": "transactions_account_id_digest (account_id=? AND digest=?",
    "step_deliveries": "transactions_interchange_id_account_id (interchange_id=?",
    "count_attempt": "transactions_interchange_id_account_id (interchange_id=?",
    "set_groups_sent": "functional_groups_interchange_id_account_id (interchange_id=?",
    "list_same_interchange_number": ISA_NUMBER,
    "list_used_isa_numbers": ISA_NUMBER,
    "list_used_gs_numbers": GS_NUMBER,
    "list_ends_of_used_isa_numbers": ISA_NUMBER,
    "list_ends_of_used_gs_numbers": GS_NUMBER,
    "find_isa_number_use": ISA_NUMBER,
    "find_gs_number_use": GS_NUMBER,
    "list_missing_isa_numbers": ISA_NUMBER,
    "find_duplicate_receipt": "receipts_account_id_digest (account_id=? AND digest=?",
    "list_unfinished_receipts": "receipts_account_id_created_at (account_id=? AND created_at<?",
    "list_acks": "acks_account_id_created_at_id (account_id=? AND created_at>?",
    "list_overdue_acks": "acks_account_id_expected_by (account_id=? AND expected_by<?",
    "list_overdue_requests": "request_traces_awaited (account_id=? AND due_at<?",
    "list_sent_groups": "functional_groups_account_id_gs_number (account_id=? AND gs_number=?",
    "list_acks_of_interchange": "acks_account_id_interchange_id (account_id=? AND interchange_id=?",
    "list_complaints": "acks_account_id_transaction_id (account_id=? AND transaction_id=?",
    "list_answers": "acks_account_id_acked_interchange_id (account_id=? AND acked_interchange_id=?",
    "list_events_after": "events_1 (account_id=? AND position>?",
    "list_events_of_transaction": "events_account_id_transaction_id_position (account_id=? AND tr",
    "find_kept_request": "idempotency_keys_1 (account_id=? AND environment=? AND purpose=?",
    "forget_key": "idempotency_keys_1 (account_id=? AND environment=? AND purpose=?",
    "list_outbox_of_interchange": "outbox_account_id_interchange_id (account_id=? AND interch",
    "claim_outbox": EARLIER,
    "find_oldest_due": EARLIER,
    "find_next_due": "SEARCH main.outbox USING INDEX ix_outbox_ready_deliveries",
    "let_following_be_first": f"outbox_order ({ORDER} AND id>?",
    "claim_following_entry": f"outbox_order ({ORDER})",
    "insert_outbox_entry": f"outbox_order ({ORDER})",
    "resume_suspended_entries": f"outbox_order ({ORDER})",
    "list_leased_entries": "SCAN main.outbox USING INDEX ix_outbox_leased",
    "return_leases": "SCAN outbox USING INDEX ix_outbox_leased",
    "list_held_entries": "outbox_held (environment=? AND partner_id=?",
    "find_next_held": "outbox_held (environment=? AND partner_id>?",
    "end_attempt": "delivery_attempts_1 (outbox_id=? AND attempt=?",
    "find_token_with_account": "partner_tokens_1 (digest=?",
}
MADE_ANEW = "transactions_account_id_parent_id (account_id=? AND parent_id=?"
BESIDE = {
    "list_transactions": (
        "references_account_id_digest_transaction_id (account_id=? AND digest=?",
        MADE_ANEW,
    ),
    "list_acks": (MADE_ANEW,),
    "claim_outbox": READY,
    "find_oldest_due": (*READY, "SEARCH oldest_of_each"),
    "find_next_due": ("outbox_ready_others", "SEARCH first_of_each"),
    "list_complaints": (
        "acks_account_id_acked_interchange_id (account_id=? AND acked_interchange_i",
    ),
}
"""What some walk besides."""

BY_ROW = "USING INTEGER PRIMARY KEY (rowid=?"
OF_SYSTEM = {"claim_outbox", "find_next_due", "find_oldest_due", "find_token_with_account"}
OF_SYSTEM |= {
    "list_leased_entries",
    "resume_suspended_entries",
    "return_leases",
    "find_next_held",
}
SORTED = {"list_answers", "list_missing_isa_numbers", "claim_outbox"}
"""Few rows, in another order than that of their index."""

FOUND = re.compile(
    r"SCAN (claimed|received|places|p|ids|CONSTANT ROW|\(subquery-[0-9]+\)"
    r"|delivery|other|ready|following|waiting|earlier"
    r"|(main\.)?outbox USING (COVERING )?INDEX ix_outbox_(leased|suspended)\b)"
)
"""Query plans may scan rows that another index has found, and indexes of few rows."""


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[apsw.Connection]:
    make_sqlite(tmp_path)
    with closing(apsw.Connection(str(tmp_path / DATABASE_FILE))) as connection:
        yield connection


@pytest.mark.parametrize("name", EXPECTED)
def test_a_statement_walks_its_index(connection: apsw.Connection, name: str) -> None:
    context = UnitContext()
    guard_writer(connection, TENANT_TABLES, context)
    context.enter(SYSTEM if name in OF_SYSTEM else LIVE)
    query = load_queries(Dialect.SQLITE)[name]
    values = dict.fromkeys(query.parameters)
    rows = connection.execute(f"EXPLAIN QUERY PLAN {query.text}", values).fetchall()
    steps = [str(row[-1]) for row in rows]
    plan = "\n".join(steps)
    assert EXPECTED[name] in plan
    known = (EXPECTED[name], *BESIDE.get(name, ()), BY_ROW)
    searches = [each for each in steps if each.startswith("SEARCH")]
    assert [each for each in searches if not any(walk in each for walk in known)] == []
    assert "SCAN" not in FOUND.sub("", plan)
    assert ("TEMP B-TREE" in plan) is (name in SORTED)
