"""``longshore accounts`` and ``longshore keys`` on a data directory that nobody serves."""

import re
from datetime import datetime

import pytest

from tests.unit.cli.conftest import CommandLine

pytestmark = pytest.mark.usefixtures("empty_database")

KEY = re.compile(r"svc_(test|live)_[0-9A-Za-z]{36}")
SANDBOX = ("--environment", "sandbox")


def test_the_first_key_of_demo_makes_its_account(run: CommandLine) -> None:
    ran = run("keys", "create", "--account", "demo", *SANDBOX, "--json")
    assert re.fullmatch(r'\{"key": "svc_test_[0-9A-Za-z]{36}", "id": 1\}\n', ran.out)
    assert (ran.code, ran.err) == (0, "")
    [account] = run("accounts", "list", "--json").json["accounts"]
    assert (account["name"], account["account_type"]) == ("demo", "developer")


def test_a_key_of_an_unknown_account_is_refused_and_no_account_is_made(run: CommandLine) -> None:
    ran = run("keys", "create", "--account", "acme", *SANDBOX, "--json")
    assert (ran.code, ran.json["ok"], ran.json["code"]) == (2, False, "not_found")
    assert ran.err == f"longshore: {ran.json['error']} (not_found)\n"
    assert run("accounts", "list", "--json").json == {"accounts": []}


def test_demo_is_not_made_beside_other_accounts(run: CommandLine) -> None:
    assert run("accounts", "create", "acme").code == 0
    assert run("keys", "create", "--account", "demo", *SANDBOX).code == 2


def test_accounts_are_created_suspended_resumed_and_listed(run: CommandLine) -> None:
    made = run("accounts", "create", "Acme Ltd", "--type", "enterprise", "--json").json
    assert {**made, "created_at": ""} == {
        "id": 1,
        "name": "Acme Ltd",
        "account_type": "enterprise",
        "status": "active",
        "created_at": "",
        "retention_days": None,
    }
    assert datetime.fromisoformat(made["created_at"]).tzinfo is None
    assert run("accounts", "suspend", "Acme Ltd", "--json").json["status"] == "suspended"
    assert (
        run("accounts", "resume", "Acme Ltd").out == "Account Acme Ltd (enterprise) is resumed.\n"
    )
    [head, line] = run("accounts", "list").out.splitlines()
    assert head.split() == ["id", "name", "account_type", "status", "created_at", "retention_days"]
    assert line.split()[:5] == ["1", "Acme", "Ltd", "enterprise", "active"]


def test_how_long_documents_are_kept_is_set_and_shown(run: CommandLine) -> None:
    run("accounts", "create", "acme")
    assert run("accounts", "retention", "ACME", "90").out == (
        "Account acme (developer) is set to keep documents for 90 days.\n"
    )
    assert run("accounts", "list", "--json").json["accounts"][0]["retention_days"] == 90
    ended = run("accounts", "retention", "acme", "never", "--json").json
    assert (ended["name"], ended["retention_days"]) == ("acme", None)


@pytest.mark.parametrize("days", ["0", "36501", "-1", "1.5", "\u0663", "forever", ""])
def test_days_that_are_none_change_nothing(run: CommandLine, days: str) -> None:
    run("accounts", "create", "acme")
    run("accounts", "retention", "acme", "7")
    assert run("accounts", "retention", "--", "acme", days).code == 2
    assert run("accounts", "list", "--json").json["accounts"][0]["retention_days"] == 7


@pytest.mark.parametrize("action", ["suspend", "resume"])
def test_an_unknown_account_is_refused(run: CommandLine, action: str) -> None:
    assert run("accounts", action, "nobody", "--json").json["code"] == "not_found"


def test_a_name_twice_is_refused(run: CommandLine) -> None:
    run("accounts", "create", "acme")
    ran = run("accounts", "create", "ACME", "--json")
    assert (ran.code, ran.json["code"]) == (2, "invalid_parameter")
    assert ran.json["details"][0]["param"] == "name"


def test_a_key_has_the_scopes_and_the_life_that_were_asked_for(run: CommandLine) -> None:
    options = ("--scopes", "submit, read", "--expires-in-days", "30")
    issued = run("keys", "create", "--account", "demo", *SANDBOX, *options, "--json").json
    [key] = run("keys", "list", "--json").json["keys"]
    assert (key["id"], key["account"], key["environment"]) == (1, "demo", "sandbox")
    assert key["key"] == f"{issued['key'][:13]}…{issued['key'][-4:]}"
    assert (key["scopes"], key["status"], key["last_used_at"]) == (
        ["read", "submit"],
        "active",
        None,
    )
    life = datetime.fromisoformat(key["expires_at"]) - datetime.fromisoformat(key["created_at"])
    assert life.days == 30


def test_a_key_has_the_name_it_was_given(run: CommandLine) -> None:
    run("keys", "create", "--account", "demo", *SANDBOX, "--name", "ci")
    assert [key["name"] for key in run("keys", "list", "--json").json["keys"]] == ["ci"]
    assert run("keys", "create", "--account", "demo", *SANDBOX, "--name", "x" * 65).code == 2
    assert len(run("keys", "list", "--json").json["keys"]) == 1


def test_without_options_a_key_may_do_everything_for_ever(run: CommandLine) -> None:
    run("accounts", "create", "acme", "--type", "developer-pro")
    run("keys", "create", "--account", "acme", "--environment", "production")
    [key] = run("keys", "list", "--json").json["keys"]
    assert key["key"].startswith("svc_live_")
    assert (key["scopes"], key["expires_at"]) == (["read", "convert", "submit"], None)


def test_a_production_key_beyond_the_plan_is_refused_and_not_stored(run: CommandLine) -> None:
    run("accounts", "create", "acme")
    ran = run("keys", "create", "--account", "acme", "--environment", "production", "--json")
    assert (ran.code, ran.json["code"]) == (2, "plan_required")
    assert ran.json["error"] == (
        "Production needs an account of type developer-pro or enterprise."
        " Use the sandbox, or ask the operator for another plan (longshore accounts set-plan)."
    )
    assert run("keys", "list", "--json").json == {"keys": []}


def test_a_plan_is_changed_and_the_keys_beyond_it_are_named(run: CommandLine) -> None:
    run("accounts", "create", "acme", "--type", "enterprise")
    for environment in ("production", "production", "sandbox"):
        run("keys", "create", "--account", "acme", "--environment", environment)
    run("keys", "revoke", "1")
    ran = run("accounts", "set-plan", "acme", "developer")
    assert ran.out == (
        "Account acme has the plan developer.\n"
        "Production keys refused until it has another plan: 2.\n"
    )
    again = run("accounts", "set-plan", "ACME", "developer", "--json").json
    assert (again["account_type"], again["refused_keys"]) == ("developer", [2])
    assert run("accounts", "set-plan", "acme", "developer-pro").out == (
        "Account acme has the plan developer-pro.\n"
    )
    assert run("accounts", "set-plan", "acme", "free").code == 2
    assert run("accounts", "list", "--json").json["accounts"][0]["account_type"] == "developer-pro"


def test_a_quota_is_set_and_shown_with_what_is_used(run: CommandLine) -> None:
    run("accounts", "create", "acme")
    shown = run("accounts", "set-quota", "ACME", "--bytes", "5000", "--records", "default")
    assert shown.out == "Account acme stores 0 of 5,000 bytes and 0 records.\n"
    again = run("accounts", "set-quota", "acme", "--bytes", "0", "--records", "7", "--json").json
    assert (again["max_stored_bytes"], again["max_stored_records"]) == (0, 7)
    for wrong in (("acme", "x", "1"), ("acme", "1", "-1"), ("nobody", "1", "1")):
        name, size, records = wrong
        ran = run("accounts", "set-quota", name, "--bytes", size, "--records", records)
        assert ran.code == 2


def test_a_key_is_shown_to_people_once(run: CommandLine) -> None:
    made = run("keys", "create", "--account", "demo", *SANDBOX).out
    assert KEY.search(made)
    assert "it is not shown again" in made
    listed = run("keys", "list", "--account", "demo").out
    assert KEY.search(listed) is None
    assert listed.splitlines()[1].split()[:3] == ["1", "demo", "sandbox"]


def test_a_revoked_key_stays_revoked(run: CommandLine) -> None:
    run("keys", "create", "--account", "demo", *SANDBOX)
    revoked = run("keys", "revoke", "1", "--json").json
    assert (revoked["id"], revoked["status"]) == (1, "revoked")
    assert run("keys", "revoke", "1", "--json").json == revoked
    assert run("keys", "list", "--json").json["keys"][0]["status"] == "revoked"


def test_rotation_leaves_the_old_key_some_hours_or_none(run: CommandLine) -> None:
    run("keys", "create", "--account", "demo", *SANDBOX)
    second = run("keys", "rotate", "1", "--overlap-hours", "2", "--json").json
    assert (list(second), second["id"]) == (["key", "id"], 2)
    assert KEY.search(run("keys", "rotate", "2", "--overlap-hours", "0").out)
    keys = run("keys", "list", "--json").json["keys"]
    assert [key["status"] for key in keys] == ["grace", "revoked", "active"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("keys", "create", "--account", "demo", "--environment", "live"),
        ("keys", "create", "--account", "demo", *SANDBOX, "--scopes", "read,write"),
        ("keys", "create", "--account", "demo", *SANDBOX, "--scopes", ""),
        ("keys", "create", "--account", "demo", *SANDBOX, "--expires-in-days", "0"),
        ("keys", "create", "--account", "demo", *SANDBOX, "--expires-in-days", "3651"),
        ("keys", "revoke", "0"),
        ("keys", "revoke", "9223372036854775808"),
        ("keys", "revoke", "x"),
        ("keys", "rotate", "1", "--overlap-hours", "169"),
        ("accounts", "create", "acme", "--type", "DEVELOPER_PRO"),
    ],
    ids=" ".join,
)
def test_bad_usage_is_refused_before_anything_is_made(
    run: CommandLine, arguments: tuple[str, ...]
) -> None:
    ran = run(*arguments, "--json")
    assert (ran.code, ran.json["ok"], ran.json["code"]) == (2, False, "invalid_parameter")
    assert run("accounts", "list", "--json").json == {"accounts": []}


@pytest.mark.parametrize("action", ["revoke", "rotate"])
def test_an_unknown_key_is_refused(run: CommandLine, action: str) -> None:
    assert run("keys", action, "7", "--json").json["code"] == "not_found"
