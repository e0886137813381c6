"""``longshore demo``: an account that is made and filled, and what it is refused for."""

from contextlib import closing
from datetime import date, timedelta

import apsw
import pytest

from longshore.demo.runner import DemoRunner
from longshore.storage.sqlite.data_directory import DATABASE_FILE
from longshore.storage.sqlite.lock import serving
from tests.unit.cli.conftest import CommandLine

LIVE_RECEIPT = (
    "INSERT INTO receipts (account_id, environment, source, status, byte_count, digest, created_at,"
    " facts, wrapped_key, content) VALUES (1, 'production', 'http', 'accepted', 1, x'00', 1,"
    " x'00', x'00', x'00')"
)
SMALL = ("--days", "10", "--documents", "30")
PAST = ("--until", "2026-03-20")


@pytest.mark.timeout(120)  # to fill a sandbox takes seconds
def test_an_account_is_made_and_filled_once_and_people_are_told_how_to_see_it(
    run: CommandLine,
) -> None:
    run("db", "upgrade")
    run("accounts", "create", "acme")
    made = run("demo", *SMALL, *PAST)
    assert (made.code, made.err) == (0, "")
    assert "The account demo was created with this sandbox key." in made.out
    assert "with 9 partners, from 2026-03-11 to 2026-03-20." in made.out
    assert "This account has no users yet. Create one:" in made.out
    assert "users create E-MAIL --account demo --role owner --data-dir" in made.out
    assert made.out.endswith("the order PO-12345, and why it was rejected.\n")
    again = run("demo", *SMALL, *PAST, "--json")
    assert (again.code, again.json["code"]) == (2, "invalid_state")
    assert again.json["error"].startswith("The sandbox of account 'demo' is in use: it has")
    assert "or empty this one with --reset." in again.json["error"]
    acme, demo = run("accounts", "list", "--json").json["accounts"]
    assert (acme["name"], demo["name"], demo["created_at"]) == (
        *("acme", "demo", "2026-03-11T00:00:00"),
    )
    partners = run("partners", "list", "--account", "acme", "--json").json["partners"]
    assert [each["name"] for each in partners] == ["Simulator"]


def test_beside_a_server_nothing_is_done(run: CommandLine) -> None:
    run("db", "upgrade")
    run("accounts", "create", "demo")
    with serving(run.folder / "longshore-data"):
        refused = run("demo", "--json")
    assert (refused.code, refused.json["code"]) == (2, "storage_unavailable")
    assert refused.json["error"].startswith("Another 'longshore serve' uses this data directory.")
    assert len(run("partners", "list", "--json").json["partners"]) == 1


def test_what_has_not_been_is_no_demo(run: CommandLine) -> None:
    later = (date.today() + timedelta(days=3)).isoformat()  # noqa: DTZ011 - the command's own day
    for options in (("--until", later), ("--days", "9"), ("--documents", "29"), ("--seed", "-1")):
        refused = run("demo", *options, "--json")
        assert (refused.code, refused.json["code"]) == (2, "invalid_parameter")
    assert not (run.folder / "longshore-data").exists()


@pytest.mark.timeout(120)
def test_a_demo_that_was_stopped_begins_anew_with_reset(
    run: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C after some documents leaves what there is; --reset removes it and fills the whole."""
    done = 0

    async def stopped(runner: DemoRunner) -> int:
        nonlocal done
        done += 1
        if done > 20:
            raise KeyboardInterrupt
        return await work(runner)

    work = DemoRunner._work  # noqa: SLF001 - where the process is stopped
    with monkeypatch.context() as until_stopped:
        until_stopped.setattr(DemoRunner, "_work", stopped)
        broken = run("demo", *SMALL, *PAST)
    assert broken.code == 130
    assert "`longshore demo --reset` with the same options starts over" in broken.err
    assert run("demo", *SMALL, *PAST).code == 2
    again = run("demo", *SMALL, *PAST, "--reset", "--json")
    fresh = run("demo", *SMALL, *PAST, "--account", "other", "--json")
    assert (again.code, fresh.code) == (0, 0)
    for name in ("transactions", "partners", "interchanges", "by_status"):
        assert again.json[name] == fresh.json[name]
    assert run("audit", "verify").code == 0
    assert run("db", "check").code == 0


def test_a_reset_keeps_live_documents(run: CommandLine) -> None:
    run("db", "upgrade")
    run("accounts", "create", "demo", "--type", "enterprise")
    database = run.folder / "longshore-data" / DATABASE_FILE
    with closing(apsw.Connection(str(database))) as connection:
        connection.execute(LIVE_RECEIPT)
    refused = run("demo", *SMALL, *PAST, "--reset", "--json")
    assert (refused.code, refused.json["code"]) == (2, "storage_unavailable")
    assert refused.json["error"].startswith("The account has live documents: nothing was removed.")
    assert len(run("partners", "list", "--json").json["partners"]) == 1
