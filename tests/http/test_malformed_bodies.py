"""Whatever is wrong with a body is said at once, in the envelope, before the engine is asked."""

import gzip
import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.client import ApiClient
from tests.support.http_service import Keys, RecordedEngine, bearer

PARSE = "/api/v1/parse"
NOT_JSON = "The body is not valid JSON: "
FORMATS = ["csv", "json", "x12", "xml"]


@pytest.fixture(autouse=True)
def untouched(engine: RecordedEngine) -> Iterator[None]:
    """No refused body reaches the engine."""
    yield
    assert engine.calls == []


def refused(client: ApiClient, keys: Keys, body: object, **headers: str) -> dict[str, Any]:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", **bearer(keys.sandbox), **headers}
    response = client.post(PARSE, content=content, headers=headers)
    assert response.status_code == 400
    answer: dict[str, Any] = response.json()
    return answer


@pytest.mark.parametrize(
    ("_case", "body", "code", "error"),
    [
        ("nothing", b"", "invalid_json", "The body is empty. Send a JSON object."),
        ("blanks", b" \n", "invalid_json", "The body is empty. Send a JSON object."),
        ("an array", b"[]", "not_an_object", "The body must be a JSON object."),
        ("a string", b'"x"', "not_an_object", "The body must be a JSON object."),
        ("null", b"null", "not_an_object", "The body must be a JSON object."),
        ("a number", b"1", "not_an_object", "The body must be a JSON object."),
        (
            "cut short",
            b'{"document":"a"',
            "invalid_json",
            NOT_JSON + "Input data was truncated.",
        ),
        (
            "NaN",
            b'{"document":NaN}',
            "invalid_json",
            NOT_JSON + "JSON is malformed: invalid character (byte 12).",
        ),
        (
            "Infinity",
            b'{"document":-Infinity}',
            "invalid_json",
            NOT_JSON + "JSON is malformed: invalid character (byte 13).",
        ),
        (
            "two values",
            b'{"document":"a"}{}',
            "invalid_json",
            NOT_JSON + "JSON is malformed: trailing characters (byte 17).",
        ),
        (
            "single quotes",
            b"{'document':'a'}",
            "invalid_json",
            NOT_JSON + "JSON is malformed: expected '\"' (byte 1).",
        ),
        (
            "a raw control character",
            b'{"document":"a\x00"}',
            "invalid_json",
            NOT_JSON + "JSON is malformed: invalid character (byte 14).",
        ),
        (
            "a lone low surrogate",
            b'{"document":"\\udc00x"}',
            "invalid_json",
            NOT_JSON + "JSON is malformed: invalid utf-16 surrogate pair (byte 19).",
        ),
        (
            "a lone high surrogate",
            b'{"document":"\\ud800x     "}',
            "invalid_json",
            NOT_JSON + "JSON is malformed: unexpected end of hex escape (byte 19).",
        ),
        (
            "bytes that are not UTF-8",
            b'{"document":"\xff"}',
            "invalid_json",
            "The body is not UTF-8: byte 13 cannot be read.",
        ),
        (
            "UTF-16",
            '{"document":"a"}'.encode("utf-16"),
            "invalid_json",
            "The body is not UTF-8: byte 0 cannot be read.",
        ),
        ("deep arrays", b"[" * 50_000, "invalid_json", "The body is nested too deeply."),
        (
            "deep objects",
            b'{"a":' * 13_000,
            "invalid_json",
            "The body is nested too deeply.",
        ),
        (
            "deep inside",
            b'{"document":"a","csv":' + b"[" * 50_000 + b"]" * 49_000,
            "invalid_json",
            "The body is nested too deeply.",
        ),
    ],
)
def test_what_is_no_json_object_is_refused_with_the_place(
    client: ApiClient, keys: Keys, _case: str, body: bytes, code: str, error: str
) -> None:
    answer = refused(client, keys, body)
    assert (answer["code"], answer["error"]) == (code, error)


@pytest.mark.parametrize(
    ("_case", "body", "name"),
    [
        ("the document", b'{"document":"a","document":"b"}', "document"),
        ("equal values", b'{"document":"a","document":"a"}', "document"),
        ("spelt with an escape", b'{"document":"a","docu\\u006dent":"b"}', "document"),
        ("an optional member", b'{"format":"x12","document":"a","format":"csv"}', "format"),
        ("a nested member", b'{"document":"a","csv":{"header":true,"header":false}}', "header"),
        ("beside other faults", b'{"document":1,"document":2,"x":3}', "document"),
    ],
)
def test_a_member_named_twice_is_refused(
    client: ApiClient, keys: Keys, _case: str, body: bytes, name: str
) -> None:
    answer = refused(client, keys, body)
    assert (answer["code"], answer["error"], answer["details"][0]["param"]) == (
        "invalid_json",
        f'The member "{name}" appears more than once.',
        name,
    )


@pytest.mark.parametrize(
    ("_case", "body", "code", "param", "error"),
    [
        (
            "no document",
            {},
            "missing_parameter",
            "document",
            'Parameter "document" is missing; it must be a string.',
        ),
        (
            "a document of null",
            {"document": None},
            "invalid_parameter",
            "document",
            'Parameter "document" must be a string, not null.',
        ),
        (
            "a document of a number",
            {"document": 5},
            "invalid_parameter",
            "document",
            'Parameter "document" must be a string, not a number.',
        ),
        (
            "a document of an object",
            {"document": {}},
            "invalid_parameter",
            "document",
            'Parameter "document" must be a string, not an object.',
        ),
        (
            "separator of a number",
            {"document": "d", "elem_sep": 1.5},
            "invalid_parameter",
            "elem_sep",
            'Parameter "elem_sep" must be a string of at most 10,240 characters, not a number.',
        ),
        (
            "too long a separator",
            {"document": "d", "seg_term": "~" * 10_241},
            "invalid_parameter",
            "seg_term",
            'Parameter "seg_term" must be a string of at most 10,240 characters.',
        ),
        (
            "too long a guide",
            {"document": "d", "guide": "g" * 10_241},
            "invalid_parameter",
            "guide",
            'Parameter "guide" must be a string of at most 10,240 characters.',
        ),
        (
            "include of a string",
            {"document": "d", "include": "segments"},
            "invalid_parameter",
            "include",
            (
                'Parameter "include" must be an array, each item one of: segments, tree, '
                "validation, not a string."
            ),
        ),
        (
            "csv of true",
            {"document": "d", "csv": True},
            "invalid_parameter",
            "csv",
            'Parameter "csv" must be an object, not true or false.',
        ),
        (
            "csv header of a number",
            {"document": "d", "csv": {"header": 1}},
            "invalid_parameter",
            "csv.header",
            'Parameter "csv.header" must be true or false, not a number.',
        ),
        (
            "an unknown csv member",
            {"document": "d", "csv": {"headr": True}},
            "unknown_parameter",
            "csv.headr",
            'Unknown parameter "csv.headr"; did you mean "header"?',
        ),
        (
            "a release of five digits",
            {"document": "d", "release": "00401"},
            "invalid_parameter",
            "release",
            'Parameter "release" must be a release of six digits such as 004010.',
        ),
        (
            "a release with a line break",
            {"document": "d", "release": "004010\n"},
            "invalid_parameter",
            "release",
            'Parameter "release" must be a release of six digits such as 004010.',
        ),
        (
            "a release in other digits",
            {"document": "d", "release": "٠٠٤٠١٠"},
            "invalid_parameter",
            "release",
            'Parameter "release" must be a release of six digits such as 004010.',
        ),
        (
            "a misspelt member",
            {"document": "d", "sep_term": "~"},
            "unknown_parameter",
            "sep_term",
            'Unknown parameter "sep_term"; did you mean "seg_term"?',
        ),
    ],
)
def test_one_bad_member_is_named_with_what_it_must_be(
    client: ApiClient, keys: Keys, _case: str, body: object, code: str, param: str, error: str
) -> None:
    answer = refused(client, keys, body)
    assert (answer["code"], answer["error"]) == (code, error)
    assert [item["param"] for item in answer["details"]] == [param]


@pytest.mark.parametrize("format_name", ["edifact", "X12", "", " x12", "x12\x00"])
def test_an_unknown_format_lists_the_known_ones(
    client: ApiClient, keys: Keys, format_name: str
) -> None:
    answer = refused(client, keys, {"document": "d", "format": format_name})
    assert (answer["code"], answer["error"]) == (
        "unsupported_format",
        'Parameter "format" must be one of: csv, json, x12, xml.',
    )
    assert answer["details"][0]["allowed"] == FORMATS


@pytest.mark.parametrize("view", ["valid", "Segments", ""])
def test_an_unknown_view_lists_the_known_ones(client: ApiClient, keys: Keys, view: str) -> None:
    answer = refused(client, keys, {"document": "d", "include": ["tree", view]})
    assert answer["details"] == [
        {
            "code": "invalid_parameter",
            "message": 'Parameter "include[1]" must be one of: segments, tree, validation.',
            "param": "include[1]",
            "allowed": ["segments", "tree", "validation"],
        }
    ]


def test_all_faults_are_told_at_once_in_request_order(client: ApiClient, keys: Keys) -> None:
    body = {"docment": "d", "format": "pdf", "csv": {"headr": 1, "header": 2}, "elem_sep": 3}
    answer = refused(client, keys, body)
    assert answer["code"] == "unknown_parameter"
    assert answer["error"] == (
        'Unknown parameter "docment"; did you mean "document"? There are 5 more: see details.'
    )
    assert [(item["code"], item["param"]) for item in answer["details"]] == [
        ("unknown_parameter", "docment"),
        ("unsupported_format", "format"),
        ("unknown_parameter", "csv.headr"),
        ("invalid_parameter", "csv.header"),
        ("invalid_parameter", "elem_sep"),
        ("missing_parameter", "document"),
    ]


def test_no_more_than_fifty_faults_are_told(client: ApiClient, keys: Keys) -> None:
    body = {f"member_{number}": number for number in range(2_000)}
    answer = refused(client, keys, body)
    assert (answer["code"], len(answer["details"])) == ("unknown_parameter", 50)


@pytest.mark.parametrize(
    "number", ["1e999", "-1e999", "9" * 5_000, "1." + "0" * 5_000, "-0.0e-9999"]
)
def test_numbers_of_any_size_are_only_wrong_types(
    client: ApiClient, keys: Keys, number: str
) -> None:
    answer = refused(client, keys, b'{"document":%s,"x":%s}' % ((number.encode(),) * 2))
    assert [(item["code"], item["param"]) for item in answer["details"]] == [
        ("invalid_parameter", "document"),
        ("unknown_parameter", "x"),
    ]


def test_no_value_of_a_refused_body_is_repeated(client: ApiClient, keys: Keys) -> None:
    marker = "patient-4711"
    body = {"document": [marker], "format": marker, "include": [marker], "release": marker}
    assert marker not in json.dumps(refused(client, keys, body))


def test_a_long_member_name_is_cut(client: ApiClient, keys: Keys) -> None:
    answer = refused(client, keys, {"document": "d", "x" * 5_000: 1})
    assert answer["details"][0]["param"] == "x" * 60


@pytest.mark.parametrize(
    "content_type",
    [
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/plain",
        "application/xml",
        "application/jsonp",
        "application/json; charset=latin-1",
        "application/json, application/json",
        "",
    ],
)
def test_other_content_types_are_refused_with_the_header_to_send(
    client: ApiClient, keys: Keys, content_type: str
) -> None:
    answer = refused(client, keys, {"document": "d"}, **{"Content-Type": content_type})
    assert (answer["code"], answer["error"]) == (
        "unsupported_content_type",
        (
            "This Content-Type is not supported. Send the header 'Content-Type: application/json' "
            "and JSON in UTF-8, or 'Content-Type: application/edi-x12' and the document itself."
        ),
    )


@pytest.mark.parametrize("encoding", ["gzip", "br", "deflate", "identity, gzip"])
def test_a_compressed_body_is_refused(client: ApiClient, keys: Keys, encoding: str) -> None:
    body = gzip.compress(b'{"document":"d"}')
    answer = refused(client, keys, body, **{"Content-Encoding": encoding})
    assert (answer["code"], answer["error"]) == (
        "unsupported_content_type",
        "This Content-Encoding is not supported. Send the body uncompressed, as it is.",
    )


def test_a_length_that_is_no_number_is_refused(client: ApiClient, keys: Keys) -> None:
    answer = refused(client, keys, {"document": "d"}, **{"Content-Length": "1_0"})
    assert (answer["code"], answer["error"]) == (
        "bad_request",
        "The Content-Length is not a number.",
    )
