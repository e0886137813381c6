"""/api/interchanges: the list, the record, the bytes, and the three decisions."""

import asyncio
from collections.abc import Iterator
from hashlib import sha256

import httpx2
import pytest

from longshore.domain.audit.model import SealedEntry
from longshore.domain.interchanges.store import InterchangeStatus
from longshore.domain.ports import AccountId
from longshore.domain.units import ReadUnit
from longshore.http.app import create_app
from tests.support.client import ApiClient, calling
from tests.support.http_service import RecordedEngine, World, bearer
from tests.support.interchanges import CONTENT, a_received_interchange
from tests.support.trading import LIVE, PRODUCTION, a_partner, read
from tests.support.users import session_headers

DEMO, NORTHWIND = AccountId(1), AccountId(2)
QUARANTINED, PROCESSED = InterchangeStatus.QUARANTINED, InterchangeStatus.PROCESSED
PLACE = "/api/interchanges"
WHY = {"reason": "agreed by phone"}
DECISIONS = ("release", "replay", "discard")


async def fill(world: World) -> None:
    """Store 1 (quarantined) and 2 (processed) of demo, 3 of Northwind, 4 of demo and live."""
    partner_id = await a_partner(world.database)
    for status in (QUARANTINED, PROCESSED):
        await a_received_interchange(world.database, DEMO, status, partner_id=partner_id)
    await a_received_interchange(world.database, NORTHWIND)
    await a_received_interchange(world.database, DEMO, environment=PRODUCTION)


@pytest.fixture
def world(own_world: World) -> World:
    asyncio.run(fill(own_world))
    return own_world


@pytest.fixture
def client(world: World) -> Iterator[ApiClient]:
    with calling(create_app(world.services(RecordedEngine()))) as client:
        yield client


@pytest.fixture
def editor(world: World) -> dict[str, str]:
    return session_headers(world.sessions.editor)


def listed(client: ApiClient, headers: dict[str, str], query: str = "") -> list[int]:
    answer = client.get(f"{PLACE}{query}", headers=headers)
    assert answer.status_code == 200, answer.text
    return [each["id"] for each in answer.json()["interchanges"]]


def decide(
    client: ApiClient, headers: dict[str, str], verb: str, number: object = 1, **body: object
) -> httpx2.Response:
    return client.post(f"{PLACE}/{number}/{verb}", json=WHY | body, headers=headers)


def audited(world: World) -> list[SealedEntry]:
    async def find(unit: ReadUnit) -> list[SealedEntry]:
        return [each.entry for each in await unit.audit.list_after(DEMO, world.log_length, 100)]

    return asyncio.run(read(world.database, LIVE, find))


def statuses(client: ApiClient, headers: dict[str, str]) -> list[str]:
    shown = (client.get(f"{PLACE}/{number}", headers=headers) for number in (1, 2))
    return [each.json()["interchange"]["status"] for each in shown]


@pytest.mark.parametrize("ending", ["", "/1", "/1/content"])
def test_nobody_without_a_session_sees_interchanges(
    client: ApiClient, world: World, ending: str
) -> None:
    for headers in ({}, bearer(world.keys.sandbox), session_headers("0" * 43)):
        answer = client.get(f"{PLACE}{ending}", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (401, "not_logged_in")


@pytest.mark.parametrize("number", ["3", "4", "99", "0", "x", "9223372036854775808"])
def test_what_is_not_the_callers_is_one_and_the_same_404(
    client: ApiClient, editor: dict[str, str], number: str
) -> None:
    headers = editor | {"X-Request-Id": "same"}
    for ending in ("", "/content"):
        answer = client.get(f"{PLACE}/{number}{ending}", headers=headers)
        assert answer.status_code == 404
        assert answer.content == client.get(f"{PLACE}/12345{ending}", headers=headers).content
    for verb in DECISIONS:
        answer = decide(client, headers, verb, number)
        assert answer.status_code == 404
        assert answer.content == decide(client, headers, verb, 12345).content


def test_an_interchange_is_shown_without_its_content(
    client: ApiClient, editor: dict[str, str]
) -> None:
    answer = client.get(f"{PLACE}/1", headers=editor)
    assert answer.json() == {
        "ok": True,
        "interchange": {
            "id": 1,
            "direction": "inbound",
            "status": "quarantined",
            "reason": None,
            "partner_id": 1,
            "sender_qualifier": "01",
            "sender_id": "123456789",
            "receiver_qualifier": "ZZ",
            "receiver_id": "ACMECORP",
            "isa_control_number": "000000123",
            "is_test": True,
            "file_size": len(CONTENT),
            "sha256": sha256(CONTENT).hexdigest(),
            "receipt_id": 1,
            "source": "receive",
            "transaction_ids": [1, 2],
            "created_at": "2026-01-15T14:05:09",
        },
    }


def test_a_list_shows_the_chosen_environment_newest_first(
    client: ApiClient, world: World, editor: dict[str, str]
) -> None:
    answer = client.get(f"{PLACE}?limit=1", headers=editor).json()
    assert [each["id"] for each in answer.pop("interchanges")] == [2]
    assert answer == {
        "ok": True,
        "environment": "sandbox",
        "count": 1,
        "total": 2,
        "total_is_exact": True,
        "limit": 1,
        "offset": 0,
        "has_more": True,
        "warnings": [],
    }
    neighbour = session_headers(world.sessions.neighbour_owner)
    assert listed(client, neighbour) == [3]


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("?status=quarantined", [1]),
        ("?status=quarantined,processed&partner_id=1", [2, 1]),
        ("?direction=outbound", []),
        ("?partner_id=1", [2, 1]),
        ("?partner_id=2", []),
        ("?date_from=2026-01-15&date_to=2026-01-15", [2, 1]),
        ("?date_from=2026-01-16", []),
        ("?offset=1", [1]),
    ],
)
def test_all_filters_have_to_fit(
    client: ApiClient, editor: dict[str, str], query: str, numbers: list[int]
) -> None:
    assert listed(client, editor, query) == numbers


@pytest.mark.parametrize(
    "query",
    [
        "status=lost",
        "status=quarantined,",
        "partner_id=0",
        "partner_id=9223372036854775808",
        "direction=both",
        "date_from=2026-02-30",
        "limit=0",
        "offset=-1",
    ],
)
def test_an_impossible_filter_is_refused(
    client: ApiClient, editor: dict[str, str], query: str
) -> None:
    answer = client.get(f"{PLACE}?{query}", headers=editor)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_parameter")
    assert answer.json()["details"][0]["param"] == query.partition("=")[0]


def test_the_bytes_are_saved_and_the_log_says_who_did(client: ApiClient, world: World) -> None:
    viewer = session_headers(world.sessions.viewer) | {"X-Request-Id": "mine"}
    answer = client.get(f"{PLACE}/1/content", headers=viewer)
    assert (answer.content, answer.headers["content-type"]) == (CONTENT, "application/octet-stream")
    disposition = answer.headers["content-disposition"]
    assert disposition.startswith('attachment; filename="interchange-1.edi"')
    assert answer.headers["content-security-policy"] == "default-src 'none'; sandbox"
    (entry,) = audited(world)
    assert (entry.actor, entry.action, entry.object) == (
        "user 3",
        "interchange.read",
        "interchange 1",
    )
    assert (entry.request_id, entry.ip) == ("mine", "testclient")


@pytest.mark.parametrize(
    ("verb", "number", "after"),
    [
        ("release", 1, ["received", "processed"]),
        ("discard", 1, ["discarded", "processed"]),
        ("replay", 2, ["quarantined", "received"]),
    ],
)
def test_an_editor_decides_once(
    client: ApiClient,
    world: World,
    editor: dict[str, str],
    verb: str,
    number: int,
    after: list[str],
) -> None:
    answer = decide(client, editor, verb, number)
    assert answer.json()["interchange"]["status"] == after[number - 1]
    assert statuses(client, editor) == after
    again = decide(client, editor, verb, number)
    assert (again.status_code, again.json()["code"]) == (409, "invalid_state")
    assert [each.action for each in audited(world)] == [f"interchange.{verb}"]


@pytest.mark.parametrize("verb", DECISIONS)
def test_a_viewer_and_a_stranger_decide_nothing(
    client: ApiClient, world: World, editor: dict[str, str], verb: str
) -> None:
    viewer = session_headers(world.sessions.viewer)
    assert decide(client, viewer, verb).json()["code"] == "forbidden_resource"
    no_token = {name: value for name, value in editor.items() if name != "X-CSRF-Token"}
    assert decide(client, no_token, verb).json()["code"] == "csrf_failed"
    assert decide(client, {}, verb).json()["code"] == "not_logged_in"
    assert statuses(client, editor) == ["quarantined", "processed"]
    assert audited(world) == []


@pytest.mark.parametrize(
    ("verb", "body", "code", "param"),
    [
        ("release", {"reason": ""}, "missing_parameter", "reason"),
        ("discard", {"reason": None}, "invalid_parameter", "reason"),
        ("replay", {"reason": "a\nb"}, "invalid_parameter", "reason"),
        ("release", {"partner_id": 0}, "invalid_parameter", "partner_id"),
        ("release", {"partner_id": "1"}, "invalid_parameter", "partner_id"),
        ("replay", {"acknowledge": "yes"}, "invalid_parameter", "acknowledge"),
        ("discard", {"partner_id": 1}, "unknown_parameter", "partner_id"),
    ],
)
def test_a_wrong_decision_changes_nothing(
    client: ApiClient, world: World, verb: str, body: dict[str, object], code: str, param: str
) -> None:
    editor = session_headers(world.sessions.editor)
    answer = decide(client, editor, verb, 2 if verb == "replay" else 1, **body)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert answer.json()["details"][0]["param"] == param
    assert statuses(client, editor) == ["quarantined", "processed"]
    assert audited(world) == []


def test_a_release_names_the_partner_and_a_replay_acknowledges(
    client: ApiClient, editor: dict[str, str]
) -> None:
    unknown = decide(client, editor, "release", partner_id=99)
    assert (unknown.status_code, unknown.json()["code"]) == (404, "not_found")
    assert decide(client, editor, "release", partner_id=1).json()["interchange"]["partner_id"] == 1
    assert decide(client, editor, "replay", 2, acknowledge=True).status_code == 200


def test_a_page_of_production_sees_both_environments(client: ApiClient, world: World) -> None:
    owner = session_headers(world.sessions.neighbour_owner, "production")
    assert listed(client, owner) == []
    assert client.get(f"{PLACE}/3", headers=owner).json()["interchange"]["is_test"] is True
