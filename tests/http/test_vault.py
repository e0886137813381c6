"""/api/vault: the list, the record and the download, as pages of the service ask for them."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from longshore.http.app import create_app
from longshore.kit.environment import Environment
from tests.support.client import ApiClient, calling
from tests.support.clock import StoppedClock
from tests.support.http_service import RecordedEngine, World, bearer, open_world
from tests.support.users import session_headers
from tests.support.vault import a_document, a_vault, scope

SANDBOX, PRODUCTION = Environment.SANDBOX, Environment.PRODUCTION
DEMO, NORTHWIND = 1, 2
FORMULAS = "name,amount\n=1+1,-5.00\n"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    place: Path = tmp_path_factory.mktemp("vault")
    with open_world(place) as world:
        asyncio.run(fill(world))
        yield world


async def fill(world: World) -> None:
    vault = a_vault(world.database, StoppedClock())
    made = a_document("{}", filename="850-1a2b3c4d.json", fmt="json", map_id=7, map_version=2)
    await vault.store(scope(DEMO, SANDBOX), a_document(), [made])
    table = a_document(FORMULAS, filename="810-ffff0000.csv", fmt="csv", transaction_set="810")
    await vault.store(scope(DEMO, SANDBOX), None, [table])
    for environment in (SANDBOX, PRODUCTION):
        await vault.store(scope(NORTHWIND, environment), None, [a_document("of Northwind")])


@pytest.fixture(scope="module")
def client(world: World) -> Iterator[ApiClient]:
    with calling(create_app(world.services(RecordedEngine()))) as client:
        yield client


def listed(client: ApiClient, headers: dict[str, str], query: str = "") -> list[int]:
    answer = client.get(f"/api/vault{query}", headers=headers)
    assert answer.status_code == 200, answer.text
    return [document["id"] for document in answer.json()["docs"]]


@pytest.fixture(scope="module")
def viewer(world: World) -> dict[str, str]:
    return session_headers(world.sessions.viewer)


@pytest.mark.parametrize("path", ["/api/vault", "/api/vault/1", "/api/vault/1/download"])
def test_nobody_without_a_session_sees_the_vault(
    client: ApiClient, world: World, path: str
) -> None:
    for headers in ({}, bearer(world.keys.sandbox), session_headers("0" * 43)):
        answer = client.get(path, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (401, "not_logged_in")


@pytest.mark.parametrize("ending", ["", "/download", "/download?raw=true"])
@pytest.mark.parametrize("number", ["4", "5", "99", "0", "x", "-1", "9223372036854775808"])
def test_what_is_not_the_callers_is_one_and_the_same_404(
    client: ApiClient, viewer: dict[str, str], number: str, ending: str
) -> None:
    headers = viewer | {"X-Request-Id": "same"}
    answer = client.get(f"/api/vault/{number}{ending}", headers=headers)
    assert answer.status_code == 404
    assert answer.content == client.get("/api/vault/12345", headers=headers).content


def test_each_read_is_in_the_log_once_and_what_is_not_given_out_is_not(
    client: ApiClient, world: World, viewer: dict[str, str]
) -> None:
    paths = ("/api/vault/1", "/api/vault/1/download", "/api/vault/3/download?raw=true")
    refused = ("/api/vault", "/api/vault/4", "/api/vault/x/download", "/api/vault/1/download?raw=1")
    for number, path in enumerate((*paths, *refused)):
        client.get(path, headers=viewer | {"X-Request-Id": f"read-{number}"})
    log = client.get("/api/audit?action=document", headers=session_headers(world.sessions.owner))
    assert [
        (entry["actor"], entry["action"], entry["object"], entry["request_id"])
        for entry in reversed(log.json()["entries"])
        if entry["request_id"].startswith("read-")
    ] == [
        ("user 3", "document.read", "document 1", "read-0"),
        ("user 3", "document.read", "document 1", "read-1"),
        ("user 3", "document.read", "document 3", "read-2"),
    ]


def test_a_list_shows_the_callers_documents_newest_first_without_content(
    client: ApiClient, viewer: dict[str, str]
) -> None:
    answer = client.get("/api/vault", headers=viewer).json()
    docs = answer.pop("docs")
    assert answer == {
        "ok": True,
        "environment": "sandbox",
        "count": 3,
        "total": 3,
        "total_is_exact": True,
        "limit": 50,
        "offset": 0,
        "has_more": False,
        "warnings": [],
    }
    assert docs[1] == {
        "id": 2,
        "filename": "850-1a2b3c4d.json",
        "fmt": "json",
        "direction": "inbound",
        "file_size": 2,
        "transaction_set": "850",
        "status": "processed",
        "created_at": "2026-01-15T14:05:09",
        "environment": "sandbox",
        "transaction_id": None,
        "map_id": 7,
        "map_version": 2,
        "source_doc_id": 1,
    }
    assert [each["id"] for each in docs] == [3, 2, 1]


def test_a_list_shows_the_chosen_environment_and_an_id_decides_about_a_record(
    client: ApiClient, world: World
) -> None:
    owner = world.sessions.neighbour_owner
    test, live = session_headers(owner), session_headers(owner, "production")
    assert (listed(client, test), listed(client, live)) == ([4], [5])
    cookie_alone = {"Cookie": test["Cookie"]}
    for headers in (cookie_alone, test, live):
        for number, environment in ((4, "sandbox"), (5, "production")):
            record = client.get(f"/api/vault/{number}", headers=headers).json()
            named = (record["doc"]["id"], record["environment"], record["doc"]["environment"])
            assert named == (number, environment, environment)
            download = client.get(f"/api/vault/{number}/download", headers=headers)
            assert (download.status_code, download.text) == (200, "of Northwind")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("?q=850-", [2, 1]),
        ("?q=2", [2]),
        ("?q=%25", []),
        ("?q=%27%20OR%201%3D1%20--", []),
        ("?fmt=csv", [3]),
        ("?direction=outbound", []),
        ("?transaction_set=810", [3]),
        ("?map_id=7", [2]),
        ("?map_id=9223372036854775807", []),
        ("?date_from=2026-01-15", [3, 2, 1]),
        ("?date_from=2026-01-16", []),
        ("?date_to=2026-01-15", [3, 2, 1]),
        ("?date_to=2026-01-14", []),
        ("?date_to=2026-01-15T14:05:09", [3, 2, 1]),
        ("?date_to=2026-01-15T14:05:08Z", []),
        ("?date_from=2026-01-15T14:05:09.000001", []),
        ("?date_to=2026-01-15T14:05:09.0", [3, 2, 1]),
        ("?date_to=2026-01-15T14:05", [3, 2, 1]),
        ("?date_to=2026-01-15T14:04Z", []),
        ("?date_to=9999-12-31", [3, 2, 1]),
        ("?limit=2", [3, 2]),
        ("?limit=2&offset=2", [1]),
        ("?offset=999999999999999999", []),
        ("?fmt=x12&q=850-&transaction_set=850", [1]),
    ],
)
def test_a_list_is_filtered(
    client: ApiClient, viewer: dict[str, str], query: str, expected: list[int]
) -> None:
    assert listed(client, viewer, query) == expected


def test_pages_say_what_is_left(client: ApiClient, viewer: dict[str, str]) -> None:
    pages = [
        client.get(f"/api/vault?limit={limit}&offset={offset}", headers=viewer).json()
        for limit, offset in ((2, 0), (2, 2), (201, 0))
    ]
    facts = [(page["count"], page["total"], page["limit"], page["has_more"]) for page in pages]
    assert facts == [(2, 3, 2, True), (1, 3, 2, False), (3, 3, 200, False)]


@pytest.mark.parametrize(
    ("query", "params"),
    [
        ("?fmt=pdf", ["fmt"]),
        ("?direction=sideways", ["direction"]),
        ("?limit=0", ["limit"]),
        ("?limit=-1", ["limit"]),
        ("?limit=1.5", ["limit"]),
        ("?limit=%D9%A3", ["limit"]),
        ("?limit=1%0A&offset=1%0A&map_id=1%0A", ["limit", "offset", "map_id"]),
        ("?q=%0A&transaction_set=850%0A", ["q", "transaction_set"]),
        ("?date_from=2026-01-15%0A&date_to=2026-01-15%0A", ["date_from", "date_to"]),
        ("?limit=9999999999999999999", ["limit"]),
        ("?offset=-1", ["offset"]),
        ("?offset=x", ["offset"]),
        ("?map_id=x", ["map_id"]),
        ("?map_id=0", ["map_id"]),
        ("?map_id=9223372036854775808", ["map_id"]),
        ("?q=a%00b", ["q"]),
        (f"?q={'a' * 201}", ["q"]),
        ("?transaction_set=8-50", ["transaction_set"]),
        ("?date_from=yesterday", ["date_from"]),
        ("?date_from=2026-02-30&date_to=2026-01-15T25:00", ["date_from", "date_to"]),
        ("?date_to=2026-01-15T14:05:09%2B01:00", ["date_to"]),
        ("?date_to=0000-01-01", ["date_to"]),
        ("?fmt=pdf&limit=0&map_id=x", ["fmt", "limit", "map_id"]),
    ],
)
def test_bad_values_are_refused_all_at_once(
    client: ApiClient, viewer: dict[str, str], query: str, params: list[str]
) -> None:
    answer = client.get(f"/api/vault{query}", headers=viewer)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_parameter")
    assert [detail["param"] for detail in answer.json()["details"]] == params


def test_a_record_has_its_content(client: ApiClient, viewer: dict[str, str]) -> None:
    doc = client.get("/api/vault/2", headers=viewer).json()["doc"]
    assert (doc["id"], doc["content"], doc["sha256"][:8]) == (2, "{}", "44136fa3")


def test_a_download_is_an_attachment_that_nothing_runs(
    client: ApiClient, viewer: dict[str, str]
) -> None:
    answer = client.get("/api/vault/2/download", headers=viewer)
    assert answer.content == b"{}"
    wanted = ("content-type", "content-disposition", "content-security-policy", "cache-control")
    assert [answer.headers[name] for name in wanted] == [
        "application/octet-stream",
        "attachment; filename=\"850-1a2b3c4d.json\"; filename*=UTF-8''850-1a2b3c4d.json",
        "default-src 'none'; sandbox",
        "no-store",
    ]
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_csv_download_holds_no_formula_unless_the_bytes_are_asked_for(
    client: ApiClient, viewer: dict[str, str]
) -> None:
    contents = {
        query: client.get(f"/api/vault/3/download{query}", headers=viewer).text
        for query in ("", "?raw=false", "?raw=true")
    }
    safe = "name,amount\n'=1+1,-5.00\n"
    assert contents == {"": safe, "?raw=false": safe, "?raw=true": FORMULAS}
    assert client.get("/api/vault/3", headers=viewer).json()["doc"]["content"] == FORMULAS
    assert client.get("/api/vault/3/download?raw=1", headers=viewer).status_code == 400
