"""POST /api/inspect, and what of /api/v1 pages may ask too: validate and the schemas."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from longshore.compute.documents import inspect_result
from longshore.http.app import create_app
from longshore.http.session.inspect import InspectAnswer
from tests.support.client import ApiClient, calling
from tests.support.http_service import RecordedEngine, World, bearer, open_world
from tests.support.users import session_headers

ORDER = "ST*850*0001~BEG*00*SA*PO-1**20260115~SE*3*0001~"
SAMPLES = Path(__file__).parents[2] / "samples"
TWINS = [
    ("POST", "/api/inspect", {"document": ORDER}),
    ("POST", "/api/validate", {"document": ORDER}),
    ("GET", "/api/schemas", None),
    ("GET", "/api/schemas/850?release=004010", None),
]


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with open_world(tmp_path_factory.mktemp("inspect") / "data") as world:
        yield world


@pytest.fixture(scope="module")
def page(people: World) -> Iterator[ApiClient]:
    with calling(create_app(people.services(RecordedEngine()))) as client:
        yield client


def asked(
    page: ApiClient, people: World, path: str, body: object, environment: str = "sandbox"
) -> tuple[int, dict[str, Any]]:
    who = people.sessions.viewer if environment == "sandbox" else people.sessions.neighbour_owner
    headers = session_headers(who, environment)
    response = page.request("POST" if body else "GET", path, headers=headers, json=body)
    return response.status_code, response.json()


@pytest.mark.parametrize(("method", "path", "body"), TWINS)
def test_whoever_is_not_logged_in_learns_nothing(
    page: ApiClient, people: World, method: str, path: str, body: object
) -> None:
    for headers in ({}, bearer(people.keys.sandbox)):
        response = page.request(method, path, headers=headers, json=body)
        assert (response.status_code, response.json()["code"]) == (401, "not_logged_in")


@pytest.mark.parametrize(("method", "path", "body"), TWINS)
def test_the_environment_is_the_one_the_page_shows(
    page: ApiClient, people: World, method: str, path: str, body: object
) -> None:
    assert method == ("POST" if body else "GET")
    for environment in ("sandbox", "production"):
        status, answer = asked(page, people, path, body, environment)
        assert (status, answer["environment"]) == (200, environment)


@pytest.mark.parametrize(("method", "path", "body"), TWINS[1:])
def test_a_page_gets_what_a_key_gets_byte_for_byte(
    page: ApiClient, people: World, method: str, path: str, body: object
) -> None:
    by_page = page.request(method, path, headers=session_headers(people.sessions.viewer), json=body)
    by_key = page.request(
        method,
        path.replace("/api/", "/api/v1/"),
        headers=bearer(people.keys.sandbox),
        json=body,
    )
    assert by_page.status_code == by_key.status_code == 200
    assert by_page.content == by_key.content


def test_the_engines_members_stand_in_the_envelope(page: ApiClient, people: World) -> None:
    status, answer = asked(page, people, "/api/inspect", {"document": ORDER})
    members = json.loads(inspect_result(ORDER))
    assert (status, answer) == (200, {"ok": True} | members | {"environment": "sandbox"})


@pytest.mark.parametrize("place", sorted(SAMPLES.glob("*/input.*")), ids=lambda at: at.parent.name)
def test_every_answer_has_the_shape_that_is_declared(
    page: ApiClient, people: World, place: Path
) -> None:
    status, answer = asked(
        page, people, "/api/inspect", {"document": place.read_text(encoding="utf-8")}
    )
    assert status == 200
    assert answer["format"] == {".edi": "x12"}.get(place.suffix, place.suffix[1:])
    assert msgspec.to_builtins(msgspec.convert(answer, InspectAnswer)) == answer


@pytest.mark.parametrize(
    ("chosen", "member", "value"),
    [
        ({"document": "a,b", "format": "csv", "csv": {"header": False}}, "field_count", 2),
        ({"document": "[1]", "format": "csv"}, "format", "csv"),
        ({"document": "ST+850+1'SE+2+1'", "elem_sep": "+", "seg_term": "'"}, "elem_sep", "+"),
        ({"document": ORDER, "release": "004010"}, "definition", "exact"),
        ({"document": ORDER, "guide": None, "format": None, "elem_sep": ""}, "format", "x12"),
    ],
)
def test_what_was_chosen_reaches_the_engine(
    page: ApiClient, people: World, chosen: dict[str, object], member: str, value: object
) -> None:
    status, answer = asked(page, people, "/api/inspect", chosen)
    assert (status, answer[member]) == (200, value)


@pytest.mark.parametrize(
    ("body", "code", "param"),
    [
        ({"format": "x12"}, "missing_parameter", "document"),
        ({"document": ORDER, "format": "edi"}, "unsupported_format", "format"),
        ({"document": ORDER, "release": "4010"}, "invalid_parameter", "release"),
        ({"document": ORDER, "documents": 1}, "unknown_parameter", "documents"),
        ({"document": ""}, "document_empty", "document"),
    ],
)
def test_what_cannot_be_looked_into_is_refused_by_its_parameter(
    page: ApiClient, people: World, body: object, code: str, param: str
) -> None:
    status, answer = asked(page, people, "/api/inspect", body)
    assert (status, answer["code"]) == (400, code)
    assert answer["details"][0]["param"] == param


def test_an_unreadable_document_is_refused_with_its_place(page: ApiClient, people: World) -> None:
    status, answer = asked(page, people, "/api/inspect", {"document": '{"a" 1}'})
    assert (status, answer["code"]) == (400, "document_unparseable")
    assert (answer["details"][0]["code"], answer["details"][0]["offset"]) == ("json_syntax", 4)


def test_markup_in_a_document_stays_text(page: ApiClient, people: World) -> None:
    document = ORDER.replace("PO-1", "<script>alert(1)</script>")
    response = page.request(
        "POST",
        "/api/inspect",
        headers=session_headers(people.sessions.viewer),
        json={"document": document},
    )
    assert response.headers["content-type"] == "application/json"
    assert response.headers["x-content-type-options"] == "nosniff"
    value = response.json()["tree"][0]["children"][1]["children"][2]["value"]
    assert value == "<script>alert(1)</script>"
