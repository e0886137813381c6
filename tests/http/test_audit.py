"""The audit log as the owners of an account read it."""

import asyncio
from collections.abc import Iterator
from datetime import timedelta

import pytest

from longshore.domain.audit.model import NewEntry
from longshore.domain.audit.writer import AuditWriter
from longshore.domain.ports import SYSTEM, AccountId
from longshore.domain.units import WriteUnit
from longshore.http.app import create_app
from tests.support.client import ApiClient, calling
from tests.support.clock import START
from tests.support.http_service import RecordedEngine, World, bearer, open_world
from tests.support.users import session_headers
from tests.support.vault import a_sealer

DEMO, NORTHWIND = 1, 2
READ = NewEntry(
    actor="user 5",
    action="document.read",
    object="document 17",
    ip="192.0.2.7",
    request_id="req_1",
    detail="exported for the auditor",
)
RETRY = NewEntry(actor="key 3", action="transaction.retry", object="transaction 7")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with open_world(tmp_path_factory.mktemp("audit")) as world:
        asyncio.run(record(world, DEMO, READ, RETRY))
        asyncio.run(record(world, DEMO, RETRY, days=1))
        asyncio.run(record(world, NORTHWIND, READ))
        yield world


async def record(world: World, account: int, *entries: NewEntry, days: int = 0) -> None:
    async def work(unit: WriteUnit) -> None:
        writer = AuditWriter(unit, a_sealer(), AccountId(account))
        await writer.record(entries, START + timedelta(days=days))

    await world.database.units.write(SYSTEM, work)


@pytest.fixture(scope="module")
def client(world: World) -> Iterator[ApiClient]:
    with calling(create_app(world.services(RecordedEngine()))) as client:
        yield client


@pytest.fixture(scope="module")
def owner(world: World) -> dict[str, str]:
    return session_headers(world.sessions.owner)


def test_nobody_but_an_owner_reads_the_log(client: ApiClient, world: World) -> None:
    for headers in ({}, bearer(world.keys.sandbox)):
        answer = client.get("/api/audit", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (401, "not_logged_in")
    for secret in (world.sessions.editor, world.sessions.viewer):
        answer = client.get("/api/audit", headers=session_headers(secret))
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden_resource")


def test_an_owner_reads_the_log_of_their_account(client: ApiClient, world: World) -> None:
    headers = session_headers(world.sessions.neighbour_owner)
    answer = client.get("/api/audit", headers=headers).json()
    newest, login, *others = answer.pop("entries")
    assert newest == {
        "id": 2 + len(others),
        "at": "2026-01-15T14:05:09",
        "actor": "user 5",
        "action": "document.read",
        "object": "document 17",
        "ip": "192.0.2.7",
        "request_id": "req_1",
        "detail": "exported for the auditor",
    }
    assert (login["action"], login["actor"], login["detail"]) == ("session.begin", "user 4", "")
    assert answer == {
        "ok": True,
        "count": newest["id"],
        "limit": 50,
        "has_more": False,
        "next_before": None,
        "warnings": [],
    }


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", [3, 2, 1]),
        ("?actor=user%205", [1]),
        ("?actor=user", []),
        ("?action=transaction.retry", [3, 2]),
        ("?action=document", [1]),
        ("?date_from=2026-01-16", [3]),
        ("?date_to=2026-01-15", [2, 1]),
        ("?date_from=2026-01-15T14:05:09&date_to=2026-01-15T14:05:09&actor=key%203", [2]),
        ("?before=9223372036854775807", [3, 2, 1]),
        ("?limit=1", [3]),
    ],
)
def test_filters_ask_for_who_what_and_when(
    client: ApiClient, world: World, owner: dict[str, str], query: str, expected: list[int]
) -> None:
    answer = client.get(f"/api/audit{query}", headers=owner)
    ids = [entry["id"] - world.log_length for entry in answer.json()["entries"]]
    assert [each for each in ids if each > 0] == expected


def test_pages_say_where_to_go_on(client: ApiClient, world: World, owner: dict[str, str]) -> None:
    newest = world.log_length + 3
    pages = [
        client.get(f"/api/audit?{query}", headers=owner).json()
        for query in ("limit=2", f"limit=1&before={newest - 1}", "limit=2&before=2", "limit=201")
    ]
    assert [[entry["id"] for entry in page["entries"]] for page in pages[:3]] == [
        [newest, newest - 1],
        [newest - 2],
        [1],
    ]
    assert [each["code"] for each in pages[3]["warnings"]] == ["limit_clamped"]
    facts = [(page["limit"], page["has_more"], page["next_before"]) for page in pages]
    assert facts == [
        (2, True, newest - 1),
        (1, True, newest - 2),
        (2, False, None),
        (200, False, None),
    ]


@pytest.mark.parametrize(
    ("query", "params"),
    [
        ("?before=0", ["before"]),
        ("?before=x&limit=0&action=DROP", ["before", "limit", "action"]),
        ("?actor=%0A", ["actor"]),
        ("?date_from=2026-02-30&before=9223372036854775808", ["before", "date_from"]),
    ],
)
def test_bad_values_are_refused_all_at_once(
    client: ApiClient, owner: dict[str, str], query: str, params: list[str]
) -> None:
    answer = client.get(f"/api/audit{query}", headers=owner)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_parameter")
    assert [detail["param"] for detail in answer.json()["details"]] == params
