"""GET /api/v1/documents/{doc_id}: a stored document, for programs."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest

from longshore.domain.ports import Scope
from longshore.domain.vault.model import NewDocument
from longshore.http.app import create_app
from longshore.kit.environment import Environment
from longshore.telemetry.logging import configure_logging
from tests.support.client import ApiClient, calling
from tests.support.clock import StoppedClock
from tests.support.http_service import RecordedEngine, World, bearer, open_world
from tests.support.users import session_headers
from tests.support.vault import a_document, a_vault, scope

DEMO, NORTHWIND = 1, 2
SANDBOX, PRODUCTION = Environment.SANDBOX, Environment.PRODUCTION
LARGEST = 2**63 - 1
DEMO_TEST, NORTHWIND_TEST, NORTHWIND_LIVE = 2, 3, 4


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    place: Path = tmp_path_factory.mktemp("documents")
    with open_world(place) as world:
        vault = a_vault(world.database, StoppedClock())
        output = a_document('{"number":"PO-1"}', filename="850-1a2b3c4d.json", fmt="json")

        async def fill() -> None:
            await vault.store(scope(DEMO, SANDBOX), a_document(), [output])
            for environment in (SANDBOX, PRODUCTION):
                await vault.store(scope(NORTHWIND, environment), None, [a_document("of Northwind")])

        asyncio.run(fill())
        yield world


@pytest.fixture(scope="module")
def client(world: World) -> Iterator[ApiClient]:
    with calling(create_app(world.services(RecordedEngine()))) as client:
        yield client


def test_nobody_without_a_key_gets_a_document(client: ApiClient) -> None:
    answer = client.get(f"/api/v1/documents/{DEMO_TEST}")
    assert (answer.status_code, answer.json()["code"]) == (401, "missing_api_key")


@pytest.mark.parametrize(
    "doc_id",
    [
        *(str(number) for number in (NORTHWIND_TEST, NORTHWIND_LIVE, 99, 0, -2, LARGEST)),
        *(str(LARGEST + 1), "9" * 400, "02", "2.0", "1e0", "x", "%32%00", "\u0662", "2 ", "+2"),
    ],
)
def test_what_is_not_the_callers_is_one_and_the_same_404(
    client: ApiClient, world: World, doc_id: str
) -> None:
    headers = bearer(world.keys.sandbox) | {"X-Request-Id": "same"}
    answer = client.get(f"/api/v1/documents/{doc_id}", headers=headers)
    expected = client.get("/api/v1/documents/12345", headers=headers)
    assert (answer.status_code, answer.content) == (404, expected.content)
    assert answer.json()["code"] == "not_found"


def test_a_document_has_the_members_of_the_specification_and_ours(
    client: ApiClient, world: World
) -> None:
    answer = client.get(f"/api/v1/documents/{DEMO_TEST}", headers=bearer(world.keys.sandbox))
    assert answer.json() == {
        "ok": True,
        "environment": "sandbox",
        "doc": {
            "id": 2,
            "filename": "850-1a2b3c4d.json",
            "fmt": "json",
            "direction": "inbound",
            "content": '{"number":"PO-1"}',
            "file_size": 17,
            "transaction_set": "850",
            "status": "processed",
            "created_at": "2026-01-15T14:05:09",
            "environment": "sandbox",
            "sha256": "78e5367beb8a4448d1121da3adb1cf58a5c5c248e726ec8593754614e14143a7",
            "transaction_id": None,
            "map_id": None,
            "map_version": None,
            "source_doc_id": 1,
        },
    }


def test_a_production_key_gets_documents_of_both_environments(
    client: ApiClient, world: World
) -> None:
    for key, expected in (
        (world.keys.production, {NORTHWIND_TEST: "sandbox", NORTHWIND_LIVE: "production"}),
        (world.keys.neighbour, {NORTHWIND_TEST: "sandbox", NORTHWIND_LIVE: None}),
    ):
        for number, environment in expected.items():
            answer = client.get(f"/api/v1/documents/{number}", headers=bearer(key))
            found = answer.json().get("doc", {}).get("environment")
            assert (answer.status_code, found) == (200 if environment else 404, environment)


def test_a_key_without_the_scope_gets_nothing(client: ApiClient, world: World) -> None:
    path = f"/api/v1/documents/{DEMO_TEST}"
    answer = client.get(path, headers=bearer(world.keys.submit_only))
    assert (answer.status_code, answer.json()["code"]) == (403, "insufficient_scope")
    assert client.get(path, headers=bearer(world.keys.read_only)).status_code == 200


def test_each_read_is_in_the_log_once_and_a_refused_one_is_not(
    client: ApiClient, world: World
) -> None:
    given = (world.keys.sandbox, world.keys.submit_only, world.keys.sandbox)
    for key, number in zip(given, (DEMO_TEST, DEMO_TEST, NORTHWIND_TEST), strict=True):
        headers = bearer(key) | {"X-Request-Id": "for-the-log"}
        client.get(f"/api/v1/documents/{number}", headers=headers)
    for owner, expected in (
        (world.sessions.owner, [("document.read", "document 2", "")]),
        (world.sessions.neighbour_owner, []),
    ):
        log = client.get("/api/audit?action=document", headers=session_headers(owner)).json()
        found = [each for each in log["entries"] if each["request_id"] == "for-the-log"]
        assert [(each["action"], each["object"], each["detail"]) for each in found] == expected
        assert all(each["actor"].startswith("key ") for each in found)


def test_any_text_that_was_stored_comes_back(client: ApiClient, world: World) -> None:
    vault = a_vault(world.database, StoppedClock())
    owner: Scope = scope(DEMO, SANDBOX)
    document: NewDocument = a_document('\0"\\\u2028</script>\x7f€\ud7ff\U0001f4a9')
    number = asyncio.run(vault.store(owner, None, [document])).output_ids[0]
    answer = client.get(f"/api/v1/documents/{number}", headers=bearer(world.keys.sandbox))
    assert answer.json()["doc"]["content"] == document.content


def test_a_document_that_was_tampered_with_is_a_fault_of_the_service(tmp_path: Path) -> None:
    log = BytesIO()
    configure_logging("info", log)
    with open_world(tmp_path) as world:
        vault = a_vault(world.database, StoppedClock())
        asyncio.run(vault.store(scope(DEMO, SANDBOX), None, [a_document("private")]))
        with closing(sqlite3.connect(tmp_path / "longshore.db")) as connection, connection:
            connection.execute("UPDATE vault_documents SET content = zeroblob(length(content))")
        with calling(create_app(world.services(RecordedEngine()))) as client:
            answer = client.get("/api/v1/documents/1", headers=bearer(world.keys.sandbox))
    assert (answer.status_code, answer.json()["code"]) == (500, "internal_error")
    assert b"SealBrokenError" in log.getvalue()
