"""/api/v1/webhooks and /api/webhooks: the same for keys and for sessions, over the application."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from longshore.http.app import create_app
from tests.support.client import ApiClient, calling
from tests.support.clock import StoppedClock
from tests.support.dispatch import BUSY
from tests.support.http_service import RecordedEngine, World, bearer
from tests.support.partners import OWN
from tests.support.users import session_headers
from tests.support.webhooks import Hooks, some_hooks

BOTH = ("/api/v1", "/api")
URL = "https://erp.example.com/hooks"


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock()


@pytest.fixture
def hooks(own_world: World, clock: StoppedClock) -> Hooks:
    return some_hooks(own_world.database, clock)


@pytest.fixture
def client(own_world: World, clock: StoppedClock) -> Iterator[ApiClient]:
    with calling(create_app(own_world.services(RecordedEngine(), clock=clock))) as client:
        yield client


class Caller:
    """Somebody who asks by key or in a session."""

    def __init__(self, client: ApiClient, world: World, prefix: str) -> None:
        self._client, self._prefix = client, prefix
        is_key = prefix == "/api/v1"
        self._headers = (
            bearer(world.keys.sandbox) if is_key else session_headers(world.sessions.editor)
        )

    def ask(self, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401 - an answer
        answer = self._client.request(
            method, f"{self._prefix}{path}", json=body, headers=self._headers
        )
        assert answer.status_code == 200, answer.text
        return answer.json()

    def refused(self, method: str, path: str, body: object = None) -> tuple[int, str, str]:
        answer = self._client.request(
            method, f"{self._prefix}{path}", json=body, headers=self._headers
        )
        return answer.status_code, answer.json()["code"], answer.json()["error"]


@pytest.fixture(params=BOTH)
def caller(request: pytest.FixtureRequest, client: ApiClient, own_world: World) -> Caller:
    return Caller(client, own_world, request.param)


def test_an_endpoint_is_made_shown_changed_and_deleted(caller: Caller) -> None:
    made = caller.ask("POST", "/webhooks", {"url": URL, "description": "ERP"})
    item = {
        "id": 1,
        "url": URL,
        "description": "ERP",
        "events": [],
        "partner_ids": [],
        "environment": "sandbox",
        "status": "active",
        "disabled_reason": "",
        "created_at": "2026-01-15T14:05:09",
        "last_success_at": None,
        "last_failure_at": None,
    }
    assert made == {"ok": True, "webhook": item, "secret": made["secret"]}
    assert made["secret"].startswith("whsec_")
    assert caller.ask("GET", "/webhooks") == {
        "ok": True,
        "environment": "sandbox",
        "count": 1,
        "webhooks": [item],
    }
    changed = {"url": URL, "events": ["map.saved", "map.saved"]}
    item |= {"description": "", "events": ["map.saved"]}
    assert caller.ask("PUT", "/webhooks/1", changed) == {"ok": True, "webhook": item}
    assert caller.ask("GET", "/webhooks/1") == {"ok": True, "webhook": item}
    assert caller.ask("DELETE", "/webhooks/1") == {"ok": True}
    absent = (404, "not_found", "There is no such webhook endpoint in this environment.")
    assert caller.refused("GET", "/webhooks/1") == absent
    assert caller.refused("GET", "/webhooks/x") == absent


def test_a_secret_is_shown_at_its_making_and_rotation_alone(caller: Caller) -> None:
    first = caller.ask("POST", "/webhooks", {"url": URL})["secret"]
    rotated = caller.ask("POST", "/webhooks/1/rotate", {"overlap_hours": 2})
    assert rotated == {
        "ok": True,
        "secret": rotated["secret"],
        "old_expires_at": "2026-01-15T16:05:09",
    }
    assert rotated["secret"] != first
    shown = str(caller.ask("GET", "/webhooks"))
    assert not any(each in shown for each in (first, rotated["secret"], "whsec_"))


def test_a_delivery_shows_each_attempt_and_the_answer(caller: Caller, hooks: Hooks) -> None:
    caller.ask("POST", "/webhooks", {"url": URL})
    queued = {
        "id": 1,
        "event_id": 1,
        "type": "webhook.test",
        "message_id": "evt_1",
        "status": "queued",
        "next_attempt_at": "2026-01-15T14:05:09",
        "created_at": "2026-01-15T14:05:09",
        "attempts": [],
    }
    assert caller.ask("POST", "/webhooks/1/test") == {"ok": True, "delivery": queued}
    hooks.receiver.says[:] = [BUSY]
    asyncio.run(hooks.call())
    attempt = {
        "attempt": 1,
        "started_at": "2026-01-15T14:05:09",
        "finished_at": "2026-01-15T14:05:09",
        "outcome": "failed",
        "http_status": 503,
        "error": {
            "code": "http_503",
            "message": "The destination answered with status 503.",
        },
        "next_attempt_at": "2026-01-15T14:05:10",
        "answer": "",
    }
    failed = {**queued, "next_attempt_at": "2026-01-15T14:05:10", "attempts": [attempt]}
    assert caller.ask("GET", "/webhooks/1/deliveries") == {
        "ok": True,
        "count": 1,
        "next_before": None,
        "deliveries": [failed],
        "warnings": [],
    }
    attempt["answer"] = "come back later"
    assert caller.ask("GET", "/webhooks/1/deliveries/1")["delivery"] == failed
    assert caller.refused("GET", "/webhooks/1/deliveries/x")[:2] == (404, "not_found")


def test_deliveries_come_in_pages(caller: Caller, hooks: Hooks) -> None:
    caller.ask("POST", "/webhooks", {"url": URL})
    for _ in range(3):
        asyncio.run(hooks.happens(by=OWN))
    asyncio.run(hooks.call())
    page = caller.ask("GET", "/webhooks/1/deliveries?limit=2")
    assert ([each["id"] for each in page["deliveries"]], page["next_before"]) == ([3, 2], 2)
    last = caller.ask("GET", "/webhooks/1/deliveries?limit=2&before=2")
    assert ([each["id"] for each in last["deliveries"]], last["next_before"]) == ([1], None)


def test_events_deliveries_and_periods_are_replayed(caller: Caller, hooks: Hooks) -> None:
    caller.ask("POST", "/webhooks", {"url": URL})
    asyncio.run(hooks.happens(by=OWN))
    asyncio.run(hooks.call())
    again = caller.ask("POST", "/webhooks/1/deliveries/1/replay")["delivery"]
    assert (again["id"], again["message_id"]) == (2, "evt_1_1")
    event = caller.ask("POST", "/events/1/replay", {"endpoint_id": 1})
    assert event == {"ok": True, "event_id": 1, "deliveries": 1}
    for period, count in (
        ({"date_from": "2026-01-15", "date_to": "2026-01-15"}, 1),
        ({"date_from": "2026-01-15T14:05:10"}, 0),
    ):
        replayed = caller.ask("POST", "/webhooks/1/replay", period)
        assert replayed == {"ok": True, "deliveries": count, "next_after": None}
    assert caller.refused("POST", "/events/x/replay", {}) == (
        404,
        "not_found",
        "There is no such event in this environment.",
    )
    assert caller.refused("POST", "/webhooks/1/replay", {"date_from": "2026-02-30"}) == (
        400,
        "invalid_parameter",
        'Parameter "date_from" names a day or a time that does not exist.',
    )


def test_an_endpoint_is_disabled_and_enabled(caller: Caller) -> None:
    caller.ask("POST", "/webhooks", {"url": URL})
    disabled = caller.ask("POST", "/webhooks/1/disable")["webhook"]
    assert (disabled["status"], disabled["disabled_reason"]) == ("disabled", "by_user")
    assert caller.refused("POST", "/webhooks/1/test") == (
        409,
        "invalid_state",
        "The webhook endpoint is disabled. Enable it first.",
    )
    enabled = caller.ask("POST", "/webhooks/1/enable")["webhook"]
    assert (enabled["status"], enabled["disabled_reason"]) == ("active", "")
