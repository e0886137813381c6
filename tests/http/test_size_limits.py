"""Each size limit at its value and one above, through the whole application and the real engine.

Headers and bodies are in ``test_server.py``, computing time and memory in the tests of the pool.
"""

import json

import pytest

from longshore.compute.documents import parse_result
from longshore.formats.flatmap import MAX_DEPTH, MAX_FIELDS
from longshore.http.api_v1.parse import MAX_TEXT_CHARS, PARSE
from longshore.http.app import create_app
from longshore.http.errors import MAX_DETAILS, MAX_ERROR_CHARS, refusal_answer
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.x12.refusals import MAX_SEGMENT_CHARS
from tests.support.client import calling
from tests.support.http_service import Keys, RecordedEngine, World, bearer


def a_segment(size: int) -> str:
    return "ST*850*0001~" + "N1*" + "x" * (size - 3) + "~SE*3*0001~"


def json_of_depth(depth: int) -> str:
    return "[" * depth + "1" + "]" * depth


def xml_of_depth(depth: int) -> str:
    return "<a>" * depth + "x" + "</a>" * depth


def json_of_fields(count: int) -> str:
    return "[" + ",".join("1" * count) + "]"


def csv_of_fields(count: int) -> str:
    return "a,b,c,d\n" + "1,2,3,4\n" * (count // 4) + ",".join("1" * (count % 4))


CASES = [
    ("X12 segment", "x12", a_segment, MAX_SEGMENT_CHARS, "segment_too_long"),
    ("JSON depth", "json", json_of_depth, MAX_DEPTH, "limit_exceeded"),
    ("XML depth", "xml", xml_of_depth, MAX_DEPTH, "limit_exceeded"),
    ("JSON fields", "json", json_of_fields, MAX_FIELDS, "limit_exceeded"),
    ("CSV fields", "csv", csv_of_fields, MAX_FIELDS, "limit_exceeded"),
]


@pytest.mark.parametrize(("_case", "format_", "document", "limit", "code"), CASES)
def test_a_document_at_the_limit_is_read_and_one_above_is_refused(
    world: World, keys: Keys, _case: str, format_: str, document: object, limit: int, code: str
) -> None:
    assert callable(document)
    services = world.services(RecordedEngine(), parse_result=parse_result, max_body_bytes=1 << 25)
    with calling(create_app(services)) as client:
        at, above = (
            client.post(
                PARSE.path,
                headers=bearer(keys.sandbox),
                json={"document": document(size), "format": format_},
            )
            for size in (limit, limit + 1)
        )
    assert at.status_code == 200, at.text[:300]
    assert (above.status_code, above.json()["code"]) == (400, code)


@pytest.mark.parametrize("member", ["elem_sep", "seg_term", "guide"])
def test_a_text_member_at_the_limit_is_taken_and_one_above_is_refused(
    world: World, keys: Keys, engine: RecordedEngine, member: str
) -> None:
    with calling(create_app(world.services(engine))) as client:
        at, above = (
            client.post(
                PARSE.path,
                headers=bearer(keys.sandbox),
                content=json.dumps({"document": "d", member: "x" * size}),
            )
            for size in (MAX_TEXT_CHARS, MAX_TEXT_CHARS + 1)
        )
    assert (at.status_code, above.status_code) == (200, 400)
    assert above.json()["details"][0]["param"] == member
    assert len(engine.calls) == 1


def test_errors_are_cut_to_their_limits() -> None:
    detail = ErrorDetail(code="x", message="m" * (MAX_ERROR_CHARS + 1))
    refusal = LongshoreError(
        ErrorCode.INVALID_PARAMETER,
        "e" * (MAX_ERROR_CHARS + 1),
        details=(detail,) * (MAX_DETAILS + 1),
    )
    body = json.loads(refusal_answer(refusal, "req_1").body)
    assert (len(body["error"]), len(body["details"])) == (MAX_ERROR_CHARS, MAX_DETAILS)
    assert len(body["details"][0]["message"]) == MAX_ERROR_CHARS
