"""The feed of events: in order, a page at a time, of one environment."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from longshore.domain.events.model import EventType, NewEvent
from longshore.domain.events.writer import EventWriter
from longshore.domain.ports import AccountId
from longshore.domain.units import WriteUnit
from longshore.http.app import create_app
from longshore.kit.environment import Environment
from tests.support.client import ApiClient, calling
from tests.support.clock import START
from tests.support.http_service import RecordedEngine, World, bearer, open_world
from tests.support.users import session_headers
from tests.support.vault import a_sealer, scope

SANDBOX, PRODUCTION = Environment.SANDBOX, Environment.PRODUCTION
DEMO, NORTHWIND = 1, 2
SENT = NewEvent(
    type=EventType.TRANSACTION_QUEUED,
    data={"transaction_id": 7, "partner_id": 3, "status": "queued"},
    transaction_id=7,
    actor="key 3",
    message="Queued.",
)
ANSWERED = NewEvent(type=EventType.ACK_UNMATCHED, data={"ack_id": 4})
BOTH_FEEDS = ("/api/v1/events", "/api/events")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with open_world(tmp_path_factory.mktemp("events")) as world:
        asyncio.run(fill(world))
        yield world


async def fill(world: World) -> None:
    await record(world, DEMO, SANDBOX, SENT, ANSWERED, SENT)
    await record(world, NORTHWIND, SANDBOX, SENT)
    await record(world, NORTHWIND, PRODUCTION, ANSWERED)


async def record(world: World, account: int, environment: Environment, *events: NewEvent) -> None:
    async def work(unit: WriteUnit) -> None:
        owner = (AccountId(account), environment)
        await EventWriter(unit, a_sealer(), owner).record(events, START)

    await world.database.units.write(scope(account, environment), work)


@pytest.fixture(scope="module")
def client(world: World) -> Iterator[ApiClient]:
    with calling(create_app(world.services(RecordedEngine()))) as client:
        yield client


def headers_for(world: World, path: str) -> dict[str, str]:
    if path.startswith("/api/v1/"):
        return bearer(world.keys.sandbox)
    return session_headers(world.sessions.viewer)


def listed(client: ApiClient, headers: dict[str, str], path: str) -> list[int]:
    answer = client.get(path, headers=headers)
    assert answer.status_code == 200, answer.text
    return [event["id"] for event in answer.json()["events"]]


def test_nobody_without_a_key_or_a_session_sees_events(client: ApiClient, world: World) -> None:
    with_session = client.get("/api/v1/events", headers=session_headers(world.sessions.owner))
    assert (with_session.status_code, with_session.json()["code"]) == (401, "missing_api_key")
    with_key = client.get("/api/events", headers=bearer(world.keys.sandbox))
    assert (with_key.status_code, with_key.json()["code"]) == (401, "not_logged_in")
    no_scope = client.get("/api/v1/events", headers=bearer(world.keys.submit_only))
    assert (no_scope.status_code, no_scope.json()["code"]) == (403, "insufficient_scope")


def test_each_account_and_environment_has_its_own_feed(client: ApiClient, world: World) -> None:
    keys, owner = world.keys, world.sessions.neighbour_owner
    feeds = [
        listed(client, headers, path)
        for path, headers in (
            ("/api/v1/events", bearer(keys.sandbox)),
            ("/api/v1/events", bearer(keys.neighbour)),
            ("/api/v1/events", bearer(keys.production)),
            ("/api/events", session_headers(owner)),
            ("/api/events", session_headers(owner, "production")),
        )
    ]
    assert feeds == [[1, 2, 3], [1], [2], [1], [2]]


@pytest.mark.parametrize("path", BOTH_FEEDS)
def test_events_come_in_order_with_ids_and_an_address(
    client: ApiClient, world: World, path: str
) -> None:
    answer = client.get(f"{path}?limit=2", headers=headers_for(world, path)).json()
    events = answer.pop("events")
    assert answer == {
        "ok": True,
        "environment": "sandbox",
        "count": 2,
        "next_after": 2,
        "has_more": True,
        "warnings": [],
    }
    assert events[0] == {
        "id": 1,
        "type": "transaction.queued",
        "timestamp": "2026-01-15T14:05:09",
        "replay": False,
        "data": {
            "transaction_id": 7,
            "partner_id": 3,
            "status": "queued",
            "environment": "sandbox",
            "url": "https://edi.example.com/api/v1/transactions/7",
        },
    }
    assert events[1]["data"] == {"ack_id": 4, "environment": "sandbox", "url": ""}


@pytest.mark.parametrize("path", BOTH_FEEDS)
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("?after=0", [1, 2, 3]),
        ("?after=2", [3]),
        ("?after=3", []),
        ("?after=999999999999999999", []),
        ("?limit=1&after=1", [2]),
        ("?type=ack.unmatched", [2]),
        ("?type=ack.unmatched,transaction.queued", [1, 2, 3]),
        ("?type=map.saved", []),
    ],
)
def test_what_is_asked_for_is_given(
    client: ApiClient, world: World, path: str, query: str, expected: list[int]
) -> None:
    assert listed(client, headers_for(world, path), path + query) == expected


def test_at_the_end_next_after_stays_where_the_reader_is(client: ApiClient, world: World) -> None:
    answer = client.get("/api/v1/events?after=3", headers=bearer(world.keys.sandbox)).json()
    assert (answer["next_after"], answer["has_more"], answer["count"]) == (3, False, 0)


@pytest.mark.parametrize("path", BOTH_FEEDS)
@pytest.mark.parametrize(
    ("query", "params"),
    [
        ("?after=-1", ["after"]),
        ("?after=x", ["after"]),
        ("?limit=0&after=&type=order.sent", ["limit", "after", "type"]),
        ("?type=ack.received,", ["type"]),
        ("?type=transactionXqueued", ["type"]),
    ],
)
def test_bad_values_are_refused_all_at_once(
    client: ApiClient, world: World, path: str, query: str, params: list[str]
) -> None:
    answer = client.get(path + query, headers=headers_for(world, path))
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_parameter")
    assert [detail["param"] for detail in answer.json()["details"]] == params


def test_an_event_of_a_replay_says_so(tmp_path: Path) -> None:
    again = NewEvent(type=EventType.TRANSACTION_VALIDATED, data={"replay": 1})
    with open_world(tmp_path) as world:
        asyncio.run(record(world, DEMO, SANDBOX, again))
        with calling(create_app(world.services(RecordedEngine()))) as client:
            answer = client.get("/api/v1/events", headers=bearer(world.keys.sandbox)).json()
    (event,) = answer["events"]
    assert (event["replay"], event["data"]) == (True, {"environment": "sandbox", "url": ""})
