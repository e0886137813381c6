"""Named queries: what both engines share, what differs, and what is refused at load."""

import inspect
from pathlib import Path

import aiosql
import apsw
import pytest

from longshore.storage.queries import SQL_ROOT, Dialect, Query, load_queries, read_parts, with_parts
from longshore.storage.sqlite.isolation import Guard
from longshore.storage.sqlite.statements import SqliteSql

SHARED = """\
-- name: find_thing^
-- The thing with this id.
SELECT name FROM things WHERE id = :id;
"""
OWN = "-- name: claim(limit)\n-- The oldest things.\nSELECT id FROM things LIMIT :limit;\n"


def a_tree(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
    return root


def test_shared_queries_and_those_of_the_dialect_are_loaded(tmp_path: Path) -> None:
    root = a_tree(
        tmp_path,
        {
            "things.sql": SHARED,
            "sqlite/things.sql": OWN,
            "postgres/things.sql": OWN.replace("LIMIT", "FOR UPDATE SKIP LOCKED LIMIT"),
        },
    )
    assert load_queries(Dialect.SQLITE, root) == {
        "find_thing": Query("SELECT name FROM things WHERE id = :id;", frozenset({"id"})),
        "claim": Query("SELECT id FROM things LIMIT :limit;", frozenset({"limit"})),
    }
    assert "SKIP LOCKED" in load_queries(Dialect.POSTGRES, root)["claim"].text


@pytest.mark.parametrize(
    ("files", "message"),
    [
        pytest.param(
            {"sqlite/things.sql": OWN},
            r"sql/postgres lacks the queries that sql/sqlite has: \['claim'\]",
            id="no twin in postgres",
        ),
        pytest.param(
            {"postgres/things.sql": OWN},
            r"sql/sqlite lacks the queries that sql/postgres has: \['claim'\]",
            id="no twin in sqlite",
        ),
        pytest.param(
            {"a.sql": OWN, "sqlite/b.sql": OWN, "postgres/b.sql": OWN},
            r"queries are both shared and in sql/sqlite: \['claim'\]",
            id="shared and own",
        ),
        pytest.param(
            {"a.sql": OWN, "b.sql": OWN},
            r"two queries are named 'claim'; the second is in b\.sql",
            id="two files",
        ),
    ],
)
def test_a_name_that_is_missing_or_given_twice_is_refused(
    tmp_path: Path, files: dict[str, str], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        load_queries(Dialect.SQLITE, a_tree(tmp_path, files))


def test_a_part_stands_where_it_is_named(tmp_path: Path) -> None:
    files = {
        "things.sql": SHARED.replace("SELECT name FROM things", "-- part: names\nFROM things"),
        "parts/names.sql": "-- What things are called.\nSELECT name\n",
    }
    found = load_queries(Dialect.SQLITE, a_tree(tmp_path, files))["find_thing"]
    assert found == Query("SELECT name\nFROM things WHERE id = :id;", frozenset({"id"}))


def test_a_part_may_name_another_one(tmp_path: Path) -> None:
    files = {
        "things.sql": SHARED.replace(" WHERE id = :id", "\n-- part: chosen\n"),
        "parts/chosen.sql": "WHERE TRUE\n-- part: by_id\n",
        "parts/by_id.sql": "-- One alone.\nAND id = :id\n",
    }
    found = load_queries(Dialect.SQLITE, a_tree(tmp_path, files))["find_thing"]
    assert found.text == "SELECT name FROM things\nWHERE TRUE\nAND id = :id\n;"


def test_a_part_that_is_not_there_is_refused(tmp_path: Path) -> None:
    text = SHARED.replace("SELECT name FROM things", "-- part: names\nFROM things")
    with pytest.raises(KeyError, match="names"):
        load_queries(Dialect.SQLITE, a_tree(tmp_path, {"things.sql": text}))


def test_every_part_stands_somewhere() -> None:
    queries = "".join(path.read_text(encoding="utf-8") for path in SQL_ROOT.rglob("*.sql"))
    assert [part for part in read_parts(SQL_ROOT) if f"-- part: {part}\n" not in queries] == []


def test_the_parameters_of_a_query_are_those_in_its_text(tmp_path: Path) -> None:
    text = (
        "-- name: find_thing^\n-- Finds a thing.\n"
        "SELECT CAST(:id AS bigint), ':quoted', 'it''s :quoted', note::text FROM things\n"
        "WHERE id = :id AND at<:until_1 -- :comment\n;\n"
    )
    found = load_queries(Dialect.SQLITE, a_tree(tmp_path, {"things.sql": text}))["find_thing"]
    assert found.parameters == {"id", "until_1"}


async def test_a_query_is_run_with_exactly_its_parameters(tmp_path: Path) -> None:
    queries = load_queries(Dialect.SQLITE, a_tree(tmp_path, {"things.sql": SHARED}))
    sql = SqliteSql(apsw.Connection(":memory:"), Guard(()), queries, may_write=True)
    for values in ({}, {"id": 1, "other": 2}):
        with pytest.raises(TypeError, match=r"query find_thing takes exactly \['id'\]"):
            await sql.fetch_one("find_thing", **values)


def test_every_query_says_in_a_line_what_it_does() -> None:
    for path in SQL_ROOT.parent.rglob("*.sql"):
        if path.parent.name == "parts":
            continue
        text = with_parts(path.read_text(encoding="utf-8"), read_parts(SQL_ROOT))
        loaded = aiosql.from_str(text, "sqlite3", mandatory_parameters=False)
        for name in loaded.available_queries:
            if not name.endswith("_cursor"):
                assert inspect.getdoc(getattr(loaded, name)), f"{path.name}: {name}"
