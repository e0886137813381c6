"""/api/samples: documents to try the service with, and how they get into a vault."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from longshore.http.app import create_app
from longshore.kit.environment import Environment
from longshore.x12.samples.documents import SAMPLE_FAULTS
from tests.support.client import ApiClient, calling
from tests.support.clock import StoppedClock
from tests.support.http_service import RecordedEngine, World, bearer
from tests.support.users import session_headers
from tests.support.vault import a_document, a_vault, scope

SAMPLES = "/api/samples"
FOLDERS = {path.parent.name: path for path in Path("samples").glob("*/input.*")}


@pytest.fixture
def page(own_world: World) -> Iterator[ApiClient]:
    with calling(create_app(own_world.services(RecordedEngine()))) as client:
        yield client


@pytest.fixture
def editor(own_world: World) -> dict[str, str]:
    return session_headers(own_world.sessions.editor)


def vault(page: ApiClient, headers: dict[str, str]) -> list[str]:
    docs = page.get("/api/vault", headers=headers).json()["docs"]
    return [each["filename"] for each in docs][::-1]


def test_nobody_without_a_session_sees_or_adds_samples(page: ApiClient, own_world: World) -> None:
    for headers in ({}, bearer(own_world.keys.sandbox)):
        for method in ("GET", "POST"):
            answer = page.request(method, SAMPLES, headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (401, "not_logged_in")
    assert vault(page, session_headers(own_world.sessions.owner)) == []


def test_the_samples_are_those_of_the_repository(page: ApiClient, own_world: World) -> None:
    answer = page.get(SAMPLES, headers=session_headers(own_world.sessions.viewer)).json()
    samples = answer.pop("samples")
    assert answer.pop("faults") == list(SAMPLE_FAULTS)
    assert answer == {"ok": True, "count": len(FOLDERS)}
    found = {each["name"]: each["document"] for each in samples}
    assert found == {name: path.read_text("utf-8") for name, path in FOLDERS.items()}
    assert [(each["format"], each["tx_set"]) for each in samples] == [
        *(("x12", tx_set) for tx_set in ("850", "855", "856", "810", "204", "214")),
        *(("x12", tx_set) for tx_set in ("835", "837", "997")),
        *(("json", ""), ("csv", ""), ("xml", "")),
    ]


def test_every_sample_is_a_valid_document_of_its_set_and_format(
    page: ApiClient, editor: dict[str, str]
) -> None:
    for sample in page.get(SAMPLES, headers=editor).json()["samples"]:
        body = {"document": sample["document"]}
        seen = page.post("/api/inspect", json=body, headers=editor).json()
        assert (seen["format"], seen["tx_set"]) == (sample["format"], sample["tx_set"])
        assert (seen["valid"], seen["findings"]) == (True, [])


def test_samples_are_stored_once_in_the_chosen_environment(
    page: ApiClient, own_world: World
) -> None:
    owner = own_world.sessions.neighbour_owner
    test, live = session_headers(owner), session_headers(owner, "production")
    answers = [page.post(SAMPLES, headers=each).json() for each in (test, test, live)]
    assert [(each["stored"], each["present"]) for each in answers] == [(12, 0), (0, 12), (12, 0)]
    assert vault(page, test) == vault(page, live)
    assert vault(page, test)[0] == "sample-850_purchase_order.edi"
    assert vault(page, session_headers(own_world.sessions.owner)) == []


def test_a_stored_sample_opens_as_what_it_is(page: ApiClient, editor: dict[str, str]) -> None:
    page.post(SAMPLES, headers=editor)
    doc = page.get("/api/vault/1", headers=editor).json()["doc"]
    assert doc["content"] == FOLDERS["850_purchase_order"].read_text("utf-8")
    shown = ("fmt", "direction", "transaction_set", "status")
    assert [doc[name] for name in shown] == ["x12", "inbound", "850", "processed"]


def test_a_viewer_adds_nothing(page: ApiClient, own_world: World) -> None:
    viewer = session_headers(own_world.sessions.viewer)
    answer = page.post(SAMPLES, headers=viewer)
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden_resource")
    assert vault(page, viewer) == []


def test_a_document_with_the_name_of_a_sample_alone_is_no_sample(
    page: ApiClient, own_world: World, editor: dict[str, str]
) -> None:
    answer = FOLDERS["855_order_acknowledgment"].read_text("utf-8")
    before = [
        a_document("ST*850*1~", filename="sample-850_purchase_order.edi"),
        a_document(answer, filename="sample-855_order_acknowledgment.edi"),
    ]
    service = a_vault(own_world.database, StoppedClock())
    asyncio.run(service.store(scope(1, Environment.SANDBOX), None, before))
    added = page.post(SAMPLES, headers=editor).json()
    assert (added["stored"], added["present"]) == (11, 1)
    assert len(vault(page, editor)) == 13
