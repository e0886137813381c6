"""POST /api/v1/parse: what reaches the engine, and what comes back around its bytes."""

from typing import Any

import pytest

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from tests.support.client import ApiClient
from tests.support.http_service import Keys, RecordedEngine, bearer

PARSE = "/api/v1/parse"
FIELDS = {"BEG.03": "PO-1", "BEG.05": 'a,"warnings":[b'}


def test_an_anonymous_document_is_not_read(client: ApiClient, engine: RecordedEngine) -> None:
    response = client.post(PARSE, json={"document": "ISA"})
    assert (response.status_code, response.json()["code"]) == (401, "missing_api_key")
    assert engine.calls == []


def test_a_neighbour_gets_the_environment_of_its_own_key(client: ApiClient, keys: Keys) -> None:
    answers = [
        client.post(PARSE, json={"document": "ISA"}, headers=bearer(key)).json()["environment"]
        for key in (keys.production, keys.neighbour)
    ]
    assert answers == ["production", "sandbox"]


def test_the_engines_bytes_stand_in_the_envelope(
    client: ApiClient, keys: Keys, engine: RecordedEngine
) -> None:
    response = client.post(PARSE, json={"document": "ISA*"}, headers=bearer(keys.sandbox))
    assert response.status_code == 200
    assert response.content == (
        b'{"ok":true,' + engine.parse_result("ISA*")[1:-1] + b',"environment":"sandbox"}'
    )
    assert response.headers["content-type"] == "application/json"


@pytest.mark.parametrize(
    ("_case", "members", "expected"),
    [
        ("the document alone", {}, {}),
        ("a format", {"format": "csv"}, {"format": "csv"}),
        ("separators", {"elem_sep": "|", "seg_term": "\n"}, {"elem_sep": "|", "seg_term": "\n"}),
        ("empty separators", {"elem_sep": "", "seg_term": ""}, {}),
        ("views", {"include": ["segments", "tree"]}, {"include": ["segments", "tree"]}),
        ("no views", {"include": []}, {"include": []}),
        ("a header row", {"csv": {"header": False}}, {"csv_header": False}),
        ("csv without a choice", {"csv": {}}, {"csv_header": True}),
        ("overrides", {"release": "004010", "guide": "G"}, {"release": "004010", "guide": "G"}),
        (
            "nulls",
            dict.fromkeys(("format", "elem_sep", "seg_term", "include", "csv", "release", "guide")),
            {},
        ),
        ("a nested null", {"csv": {"header": None}}, {}),
    ],
)
def test_what_was_chosen_reaches_the_engine(
    client: ApiClient,
    keys: Keys,
    engine: RecordedEngine,
    _case: str,
    members: dict[str, Any],
    expected: dict[str, object],
) -> None:
    response = client.post(PARSE, json={"document": "d", **members}, headers=bearer(keys.sandbox))
    assert response.status_code == 200
    assert engine.calls == [{"document": "d", **expected}]


def test_a_document_keeps_every_character(
    client: ApiClient, keys: Keys, engine: RecordedEngine
) -> None:
    document = 'ISA\x00\x1c\r\n"\\ü€\U0001f600 '
    client.post(PARSE, json={"document": document}, headers=bearer(keys.sandbox))
    assert engine.calls[0]["document"] == document


def test_a_key_without_scope_read_is_refused(
    client: ApiClient, keys: Keys, engine: RecordedEngine
) -> None:
    response = client.post(PARSE, json={"document": "d"}, headers=bearer(keys.submit_only))
    assert (response.status_code, response.json()["code"]) == (403, "insufficient_scope")
    assert response.json()["error"] == (
        "This API key lacks the scope 'read'. Use a key that has it."
    )
    assert engine.calls == []


def test_scope_read_is_enough(client: ApiClient, keys: Keys) -> None:
    response = client.post(PARSE, json={"document": "d"}, headers=bearer(keys.read_only))
    assert response.status_code == 200


@pytest.mark.parametrize(
    ("code", "detail"),
    [
        (ErrorCode.DOCUMENT_UNPARSEABLE, ErrorDetail(code="not_x12", message="no ISA", offset=3)),
        (ErrorCode.SEGMENT_TOO_LONG, ErrorDetail(code="segment_too_long", message="x", line=2)),
        (
            ErrorCode.LIMIT_EXCEEDED,
            ErrorDetail(code="limit_exceeded", message="x", limit="depth", max=64),
        ),
        (
            ErrorCode.INVALID_PARAMETER,
            ErrorDetail(code="invalid_parameter", message="x", param="elem_sep", allowed=("a",)),
        ),
    ],
)
def test_a_refusal_of_the_engine_keeps_its_facts(
    client: ApiClient,
    keys: Keys,
    engine: RecordedEngine,
    code: ErrorCode,
    detail: ErrorDetail,
) -> None:
    engine.failure = LongshoreError(code, "No.", details=(detail,))
    response = client.post(PARSE, json={"document": "d"}, headers=bearer(keys.sandbox))
    facts = {name: getattr(detail, name) for name in detail.__slots__}
    expected = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in facts.items()
        if value is not None
    }
    assert response.status_code == 400
    assert (response.json()["code"], response.json()["details"]) == (code, [expected])


def test_an_empty_document_is_refused_by_its_code(client: ApiClient, keys: Keys) -> None:
    response = client.post(PARSE, json={"document": ""}, headers=bearer(keys.sandbox))
    assert (response.status_code, response.json()["code"]) == (400, "document_empty")


def test_a_refusal_is_a_problem_for_those_who_ask(
    client: ApiClient, keys: Keys, engine: RecordedEngine
) -> None:
    engine.failure = LongshoreError(ErrorCode.DOCUMENT_UNPARSEABLE, "This is not X12.")
    headers = {
        **bearer(keys.sandbox),
        "Accept": "application/problem+json;q=0.9, application/json;q=0.1",
        "X-Request-Id": "r.1",
    }
    response = client.post(PARSE, json={"document": "d"}, headers=headers)
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json() == {
        "ok": False,
        "error": "This is not X12.",
        "code": "document_unparseable",
        "request_id": "r.1",
        "type": "https://edi.example.com/docs#document_unparseable",
        "title": "Bad Request",
        "status": 400,
        "detail": "This is not X12.",
    }
