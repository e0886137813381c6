"""What SQLite's guard refuses when a statement is prepared, on each kind of connection."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from longshore.domain.accounts.model import AccountId
from longshore.domain.ports import SYSTEM, Scope
from longshore.kit.environment import Environment
from longshore.storage.isolation import TENANT_TABLES
from longshore.storage.queries import Dialect, Query, load_queries
from longshore.storage.sqlite.connection import open_reader, open_system_reader, open_writer
from longshore.storage.sqlite.data_directory import DATABASE_FILE
from longshore.storage.sqlite.isolation import Guard, UnitContext
from tests.support.database import make_sqlite

OWN = Scope(account_id=AccountId(1), environment=Environment.SANDBOX)

BYPASSES = [
    "SELECT * FROM api_keys",
    "SELECT * FROM main.api_keys",
    "SELECT count(*) FROM api_keys",
    "SELECT 1 FROM api_keys",
    "SELECT k.id FROM api_keys_scoped AS k JOIN api_keys AS b ON b.id <> k.id",
    "WITH api_keys_scoped AS (SELECT * FROM api_keys) SELECT digest FROM api_keys_scoped",
    "SELECT digest FROM (SELECT * FROM api_keys) AS api_keys_scoped",
    "SELECT (SELECT max(digest) FROM api_keys) FROM api_keys_scoped",
    "SELECT count(*) FROM main.accounts",
    "SELECT 1 FROM accounts_scoped JOIN main.accounts",
    "SELECT * FROM sqlite_master",
    "SELECT * FROM sqlite_sequence",
    "SELECT * FROM dbstat",
    "SELECT * FROM pragma_table_info('api_keys')",
    "ATTACH ':memory:' AS other",
    "PRAGMA table_info(api_keys)",
    "PRAGMA query_only = 0",
    "CREATE VIEW v AS SELECT * FROM api_keys",
    "CREATE TEMP VIEW v AS SELECT * FROM api_keys",
    "DROP VIEW api_keys_scoped",
    "CREATE TEMP TRIGGER t AFTER INSERT ON accounts BEGIN SELECT 1; END",
    "DROP TRIGGER api_keys_update",
    "CREATE TABLE t (x)",
    "CREATE TEMP TABLE t (x)",
    "ALTER TABLE accounts ADD COLUMN x",
    "DROP TABLE accounts",
    "REINDEX",
    "ANALYZE",
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    make_sqlite(tmp_path)
    return tmp_path / DATABASE_FILE


def entered(scope: Scope) -> UnitContext:
    context = UnitContext()
    context.enter(scope)
    return context


OPENINGS: dict[str, Callable[[Path], tuple[apsw.Connection, Guard]]] = {
    "reader": lambda path: open_reader(path, TENANT_TABLES, entered(OWN)),
    "system reader": lambda path: open_system_reader(path, TENANT_TABLES),
    "writer": lambda path: open_writer(path, TENANT_TABLES, entered(OWN)),
}


@pytest.fixture(params=OPENINGS)
def guarded(request: pytest.FixtureRequest, path: Path) -> Iterator[tuple[apsw.Connection, Guard]]:
    connection, guard = OPENINGS[request.param](path)
    yield connection, guard
    connection.close()


@pytest.mark.parametrize("statement", BYPASSES)
def test_what_goes_past_the_views_is_refused(
    guarded: tuple[apsw.Connection, Guard], statement: str
) -> None:
    connection, guard = guarded
    guard.expect(Query(statement, frozenset()))
    with pytest.raises(
        (apsw.AuthError, apsw.SQLError), match=r"prohibited|not authorized|no such trigger"
    ):
        connection.execute(statement).fetchall()


def test_every_query_of_the_program_passes_the_guard(path: Path) -> None:
    writer, guard = open_writer(path, TENANT_TABLES, entered(SYSTEM))
    readers = {
        True: open_system_reader(path, TENANT_TABLES),
        False: open_reader(path, TENANT_TABLES, entered(OWN)),
    }
    of_system = {table.view for table in TENANT_TABLES if table.in_system_scope}
    for query in load_queries(Dialect.SQLITE).values():
        guard.expect(query)
        writer.execute(f"EXPLAIN {query.text}", dict.fromkeys(query.parameters))
        if not query.is_write:
            views = set(re.findall(r"[a-z_]+_scoped", query.text))
            reader, reader_guard = readers[views <= of_system]
            reader_guard.expect(query)
            reader.execute(f"EXPLAIN {query.text}", dict.fromkeys(query.parameters))
    writer.close()
    for reader, _ in readers.values():
        reader.close()


def test_a_statement_that_writes_may_read_what_it_writes_and_the_next_read_may_not(
    path: Path,
) -> None:
    writer, guard = open_writer(path, TENANT_TABLES, entered(OWN))
    update = Query(
        "UPDATE api_keys SET prefix = 'x' WHERE id = 1 RETURNING id", frozenset(), is_write=True
    )
    guard.expect(update)
    assert writer.execute(update.text).fetchall() == []
    guard.expect(Query("SELECT id FROM api_keys", frozenset()))
    with pytest.raises(apsw.AuthError):
        writer.execute("SELECT id FROM api_keys")
    guard.expect(None)
    with pytest.raises(apsw.AuthError):
        writer.execute("SELECT id FROM api_keys_scoped")
    writer.close()


def test_without_a_scope_there_are_no_rows(path: Path) -> None:
    with apsw.Connection(str(path)) as unguarded:
        unguarded.execute("INSERT INTO accounts VALUES (1, 'own', 'own', '', '', 0, NULL)")
    context = UnitContext()
    reader, guard = open_reader(path, TENANT_TABLES, context)
    query = Query("SELECT id FROM accounts_scoped", frozenset())
    guard.expect(query)
    answers = [reader.execute(query.text).fetchall()]
    context.enter(OWN)
    answers.append(reader.execute(query.text).fetchall())
    context.leave()
    answers.append(reader.execute(query.text).fetchall())
    reader.close()
    unguarded.close()
    assert answers == [[], [(1,)], []]


@pytest.mark.parametrize(
    ("query", "plan"),
    [
        ("SELECT * FROM api_keys_scoped WHERE id = 1", "INTEGER PRIMARY KEY (rowid=?)"),
        (
            "SELECT * FROM api_keys_scoped ORDER BY id DESC LIMIT 50",
            "INDEX ix_api_keys_account_id_id (account_id=?)",
        ),
    ],
)
def test_a_view_costs_no_scan_and_no_sort(path: Path, query: str, plan: str) -> None:
    reader, guard = open_reader(path, TENANT_TABLES, entered(OWN))
    guard.expect(Query(query, frozenset()))
    steps = [row[3] for row in reader.execute(f"EXPLAIN QUERY PLAN {query}")]
    reader.close()
    assert steps == [f"SEARCH main.api_keys USING {plan}"]


def test_a_change_of_one_row_looks_at_one_row(path: Path) -> None:
    writer, guard = open_writer(path, TENANT_TABLES, entered(OWN))
    query = load_queries(Dialect.SQLITE)["revoke_api_key"]
    guard.expect(query)
    rows = writer.execute(
        f"EXPLAIN QUERY PLAN {query.text}", dict.fromkeys(query.parameters)
    ).fetchall()
    writer.close()
    assert [str(row[3]) for row in rows if str(row[3]).startswith(("SCAN", "LIST"))] == []
