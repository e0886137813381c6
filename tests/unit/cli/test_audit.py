"""``longshore audit verify``: what it says of a log that is whole, changed or cut off."""

import asyncio
import shutil
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from longshore.domain.audit.model import NewEntry
from longshore.domain.audit.writer import AuditWriter
from longshore.domain.ports import SYSTEM, AccountId
from longshore.domain.units import WriteUnit
from longshore.storage.sqlite.data_directory import DATABASE_FILE
from longshore.storage.sqlite.database import open_database
from tests.support.clock import START
from tests.support.vault import a_sealer
from tests.unit.cli.conftest import CommandLine

READ = NewEntry(actor="user 5", action="document.read", object="document 17", detail="exported")


def record(folder: Path, account: int, count: int, entry: NewEntry = READ) -> None:
    async def work(unit: WriteUnit) -> None:
        await AuditWriter(unit, a_sealer(), AccountId(account)).record([entry] * count, START)

    with open_database(folder) as database:
        asyncio.run(database.units.write(SYSTEM, work))


@pytest.fixture
def data(run: CommandLine, empty_database: Path) -> Path:
    """The folder of a database with two accounts; one has four entries, the other its first."""
    for name in ("acme", "globex"):
        run("accounts", "create", name)
    record(empty_database, 1, 3)
    return empty_database


def tamper(folder: Path, statement: str) -> None:
    connection = apsw.Connection(str(folder / DATABASE_FILE))
    connection.execute(statement)
    connection.close()


@pytest.mark.usefixtures("data")
def test_whole_logs_are_told_with_their_heads(run: CommandLine) -> None:
    ran = run("audit", "verify", "--json")
    assert (ran.code, ran.json["ok"]) == (0, True)
    own, other = ran.json["accounts"]
    assert (own["id"], own["name"], own["entries"], own["broken_at"]) == (1, "acme", 4, None)
    assert (len(own["head"]), own["head"] == "0" * 64) == (64, False)
    assert (other["id"], other["name"], other["entries"]) == (2, "globex", 1)


@pytest.mark.parametrize(
    ("statement", "broken_at"),
    [
        ("UPDATE audit_entries SET actor = 'nobody' WHERE position = 2", 2),
        ("DELETE FROM audit_entries WHERE account_id = 1 AND position = 1", 1),
        ("DELETE FROM audit_entries WHERE position = 4", 4),
        ("DELETE FROM audit_entries WHERE account_id = 1", 1),
    ],
)
def test_a_broken_log_ends_with_1_and_the_position(
    run: CommandLine, data: Path, statement: str, broken_at: int
) -> None:
    tamper(data, statement)
    ran = run("audit", "verify", "--json")
    assert (ran.code, ran.json["ok"]) == (1, False)
    assert [each["broken_at"] for each in ran.json["accounts"]] == [broken_at, None]
    shown = run("audit", "verify", "--account", "ACME")
    assert (shown.code, f"BROKEN at entry {broken_at}" in shown.out) == (1, True)


def test_one_account_is_walked_alone(run: CommandLine, data: Path) -> None:
    tamper(data, "DELETE FROM audit_entries WHERE account_id = 1")
    ran = run("audit", "verify", "--account", "globex")
    assert (ran.code, ran.out.splitlines()[1].split()[:3]) == (0, ["globex", "1", "whole"])
    unknown = run("audit", "verify", "--account", "nobody", "--json")
    assert (unknown.code, unknown.json["code"]) == (2, "not_found")


def test_a_lost_end_is_noticed_by_a_head_that_was_noted_outside(
    run: CommandLine, data: Path
) -> None:
    """A whole database that is replaced by an older copy is whole in itself."""
    older = shutil.copytree(data, data.parent / "older")
    record(data, 1, 2)
    noted = data.parent / "heads.json"
    noted.write_text(run("audit", "verify", "--json").out)
    assert run("audit", "verify", "--heads", str(noted)).code == 0
    assert run("audit", "verify", "--data-dir", str(older)).code == 0
    lost = run("audit", "verify", "--heads", str(noted), "--data-dir", str(older), "--json")
    told = "account 1: the log has 4 entries, 6 were noted: its end is lost"
    assert (lost.code, lost.json["ok"], lost.json["heads_not_found"]) == (1, False, [told])
    record(older, 1, 3, replace(READ, object="document 18"))
    other = run("audit", "verify", "--heads", str(noted), "--data-dir", str(older))
    assert other.code == 1
    assert "NOT THE LOG THAT WAS NOTED: account 1: entry 6 is not the one that" in other.out
    (data.parent / "longshore.toml").write_text('audit_heads_file = "heads.json"\n')
    checked = run("doctor", "--json", "--port", "0", "--config", "longshore.toml").json["checks"]
    assert {"name": "audit log", "ok": True, "message": "contains all 2 noted heads"} in checked
    both = ("--config", "longshore.toml", "--data-dir", str(older))
    checked = run("doctor", "--json", "--port", "0", *both).json["checks"]
    assert [each["message"] for each in checked if not each["ok"]] == [
        "account 1: entry 6 is not the one that was noted"
    ]


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        '{"accounts": 1}',
        '{"accounts": [{"id": 1, "entries": "2", "head": ""}]}',
        '{"accounts": [{"id": 1, "entries": 2, "head": "00"}]}',
    ],
)
@pytest.mark.usefixtures("data")
def test_a_file_of_something_else_is_refused(run: CommandLine, content: str) -> None:
    (run.folder / "heads.json").write_text(content)
    refused = run("audit", "verify", "--heads", "heads.json")
    assert (refused.code, refused.out) == (2, "")
    assert (
        "The file of audit heads is not what `longshore audit verify --json` prints" in refused.err
    )
    absent = run("audit", "verify", "--heads", "absent.json")
    assert "The file of audit heads cannot be read: No such file or directory." in absent.err
