"""A large body is examined elsewhere: what it holds beside its document is bounded, and counted."""

import json

import pytest

from longshore.http import large_body
from longshore.http.large_body import (
    LARGE_BODY_BYTES,
    MAX_PLAIN_BYTES,
    BodyLayout,
    examine_body,
    is_small_or_plain,
)
from longshore.kit.errors import ErrorDetail
from tests.support.client import ApiClient
from tests.support.http_service import Keys, RecordedEngine, bearer

NAMES = ("document", "field_map", "csv")
TEXTS = frozenset({"document"})
LONG = "ST*850*0001~\n" * 6_000
PARSE = "/api/v1/parse"


def fault_of(body: bytes) -> ErrorDetail:
    layout = examine_body(body, NAMES, TEXTS)
    assert layout.fault is not None
    assert (layout.rest, layout.texts) == (b"", {})
    return layout.fault


@pytest.mark.parametrize(
    ("body", "is_plain"),
    [
        (b'{"a":1}', True),
        (b'{"document":"%b"}' % (b"x" * LARGE_BODY_BYTES), True),
        (b'{"document":"%b"}' % (b"x" * MAX_PLAIN_BYTES), False),
        (b'{"document":%b}' % (b"7" * LARGE_BODY_BYTES), False),
        (b"{%b}" % (b'"a":1,' * 20_000), False),
        (b'{"a":"%b","b":"%b"}' % (b"x" * 70_000, b"y" * 70_000), False),
    ],
)
def test_only_what_is_little_but_one_text_is_decoded_at_once(
    body: bytes, *, is_plain: bool
) -> None:
    assert is_small_or_plain(body) is is_plain


def test_a_long_text_is_taken_out_of_the_body() -> None:
    document = LONG + '"\\ü€😀'
    body = json.dumps({"csv": {"a": [1, 2]}, "document": document}).encode()
    rest = b'{"csv": {"a": [1, 2]}, "document": ""}'
    assert examine_body(body, NAMES, TEXTS) == BodyLayout(rest, {"document": document})


@pytest.mark.parametrize("document", ["short", 17, None, ["x" * 5_000]])
def test_what_is_no_long_text_stays_in_the_body(document: object) -> None:
    body = json.dumps({"document": document, "field_map": []}).encode()
    assert examine_body(body, NAMES, TEXTS) == BodyLayout(body, {})


def test_a_body_of_nothing_but_its_document_has_no_excess() -> None:
    body = json.dumps({"document": LONG}).encode()
    assert examine_body(body, ("document",), TEXTS).rest == b'{"document": ""}'


@pytest.mark.parametrize(
    ("body", "code", "param", "message"),
    [
        (b"[1]", "not_an_object", None, "The body must be a JSON object."),
        (b'{"document":', "invalid_json", None, "Input data was truncated"),
        (b'{"a":{}}', "unknown_parameter", "a", 'Unknown parameter "a"; did you mean'),
        (b'{"%b":1}' % (b"a" * 99), "unknown_parameter", "a" * 60, 'Unknown parameter "aaa'),
        (
            b'{"document":"%b\\ud800 "}' % LONG.replace("\n", "").encode(),
            "invalid_json",
            None,
            "The body is not valid JSON",
        ),
        (b'{"document":"\xff"}', "invalid_json", None, "The body is not UTF-8: byte 13 "),
        (b'{"csv":{"a":1,"a":2}}', "invalid_json", "a", 'The member "a" appears more than once.'),
        (b'{"csv":NaN}', "invalid_json", None, "invalid character (byte 7)"),
    ],
)
def test_the_first_fault_is_told(body: bytes, code: str, param: str | None, message: str) -> None:
    fault = fault_of(body)
    assert (fault.code, fault.param) == (code, param)
    assert message in fault.message


@pytest.mark.parametrize("second", [LONG, LONG.replace("0001", "0002")])
def test_a_long_text_that_is_sent_twice_is_refused(second: str) -> None:
    body = f'{{"document":{json.dumps(LONG)},"document":{json.dumps(second)}}}'
    fault = fault_of(body.encode())
    assert (fault.code, fault.param) == ("invalid_json", "document")


def test_bytes_beside_the_document_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_body, "MAX_OTHER_BYTES", 100)
    blanks = b" " * (100 - 2 - len(b'["a"]'))
    body = b'{"csv":{%b},"field_map":["a"]}'
    assert examine_body(body % blanks, NAMES, TEXTS).fault is None
    fault = fault_of(body % (blanks + b" "))
    assert (fault.code, fault.param, fault.limit_bytes) == (
        "document_too_large",
        "csv",
        100,
    )


def test_values_beside_the_document_are_bounded_and_commas_in_texts_are_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(large_body, "MAX_OTHER_VALUES", 50)
    body = b'{"field_map":[%b1],"document":"a,b"}'
    commas = b'"' + b"," * 50 + b'",'
    numbers = b"1," * (50 - 3)
    assert examine_body(body % (commas + numbers), NAMES, TEXTS).fault is None
    fault = fault_of(body % (commas + numbers + b"1,"))
    assert (fault.code, fault.param, fault.limit, fault.max) == (
        "document_too_large",
        "field_map",
        "values",
        50,
    )


def test_a_large_body_is_decoded_as_a_small_one_is(
    client: ApiClient, keys: Keys, engine: RecordedEngine
) -> None:
    document = LONG + 600 * '"é"'
    answer = client.post(
        PARSE, headers=bearer(keys.sandbox), json={"document": document, "elem_sep": "*"}
    )
    assert answer.status_code == 200
    assert len(document) > LARGE_BODY_BYTES
    assert (engine.calls[0]["document"], engine.calls[0]["elem_sep"]) == (document, "*")


@pytest.mark.parametrize(
    ("body", "code", "param"),
    [
        (
            {"document": 600 * '"' + LONG[:80_000], "elem_sep": 1, "seg_term": 2},
            "invalid_parameter",
            "elem_sep",
        ),
        ({"document": 17, "csv": {"a": '"' * 40_000}}, "invalid_parameter", "document"),
        ({"seg_term": '"' * 40_000}, "invalid_parameter", "seg_term"),
        ({"a": '"' * 40_000, "b": 1}, "unknown_parameter", "a"),
    ],
)
def test_of_a_large_body_the_first_fault_alone_is_told(
    client: ApiClient, keys: Keys, body: object, code: str, param: str
) -> None:
    answer = client.post(PARSE, headers=bearer(keys.sandbox), json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert [detail["param"] for detail in answer.json()["details"]] == [param]
