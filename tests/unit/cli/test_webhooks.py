"""``longshore webhooks``: endpoints are managed, and a secret is shown once."""

import pytest

from tests.unit.cli.conftest import CommandLine

pytestmark = pytest.mark.usefixtures("empty_database")

URL = "https://erp.example.com/hooks"


def test_an_endpoint_is_created_tested_and_deleted(run: CommandLine) -> None:
    run("accounts", "create", "acme")
    made = run("webhooks", "create", URL, "--event", "map.saved", "--json")
    assert made.json["webhook"] | {"created_at": ""} == {
        "id": 1,
        "url": URL,
        "description": "",
        "events": ["map.saved"],
        "partner_ids": [],
        "environment": "sandbox",
        "status": "active",
        "disabled_reason": "",
        "created_at": "",
    }
    secret = made.json["secret"]
    rotated = run("webhooks", "rotate", "1").out.splitlines()
    assert rotated[0] == "Webhook endpoint 1 has a new secret. Its secret, shown only now:"
    assert (rotated[1][:6], rotated[1] == secret) == ("whsec_", False)
    listed = run("webhooks", "list").out
    assert listed.splitlines()[1].split() == ["1", URL, "active", "1"]
    assert run("webhooks", "test", "1").out == "Delivery 1 is queued: evt_1.\n"
    assert run("webhooks", "test", "1", "--json").json["delivery"]["message_id"] == "evt_2"
    rows = run("webhooks", "deliveries", "1").out.splitlines()
    assert [row.split()[:5] for row in rows[1:]] == [
        ["2", "2", "webhook.test", "due", "0"],
        ["1", "1", "webhook.test", "due", "0"],
    ]
    assert [each["id"] for each in run("webhooks", "deliveries", "1", "--json").json["deliveries"]]
    replayed = run("webhooks", "replay", "1", "--endpoint", "1")
    assert replayed.out == "Event 1 is queued for 1 webhook endpoint(s).\n"
    assert run("webhooks", "replay", "1", "--json").json == {"event_id": 1, "deliveries": 0}
    assert run("webhooks", "disable", "1").out == f"Webhook endpoint 1 ({URL}) is disabled.\n"
    assert run("webhooks", "enable", "1", "--json").json["webhook"]["status"] == "active"
    assert run("webhooks", "delete", "1").out == "Webhook endpoint 1 is deleted.\n"
    assert run("webhooks", "list", "--json").json == {"webhooks": []}


def test_what_cannot_be_done_is_refused(run: CommandLine) -> None:
    run("accounts", "create", "acme")
    refused = run("webhooks", "create", "https://10.0.0.1/hooks")
    assert (refused.code, "(invalid_parameter)" in refused.err) == (2, True)
    missing = run("webhooks", "disable", "7")
    assert (missing.code, "(not_found)" in missing.err) == (2, True)
