"""What has to hold for any input of a format; each raises ``AssertionError`` where it does not."""

import base64
import json
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from random import Random
from typing import Any, TypeVar

from longshore.engine import parse, stream_segments
from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.x12.delimiters import NO_OVERRIDES
from longshore.x12.layout import scout
from tests.fuzz.mutations import cuts
from tests.unit.x12.test_chunks import what_the_walk_gives
from tests.unit.x12.test_every_character import unaccounted

MAX_CPU_SECONDS = 1.0
REFUSALS = frozenset({
    ErrorCode.DOCUMENT_EMPTY,
    ErrorCode.DOCUMENT_UNPARSEABLE,
    ErrorCode.DOCUMENT_NOT_X12,
    ErrorCode.SEGMENT_TOO_LONG,
    ErrorCode.LIMIT_EXCEEDED,
})
Result = dict[str, Any]
Done = TypeVar("Done")


def answer_of(document: str | bytes, format_name: str, *views: str) -> Result | None:
    """Return the decoded answer, None of a refused document; whatever else happens is a fault."""
    try:
        content = in_time(lambda: parse(document, format=format_name, include=views).result_json())
    except LongshoreError as refused:
        expected(refused)
        return None
    result = strict(content)
    assert result["field_count"] == len(result["fields"])
    assert all(type(value) is str for value in result["fields"].values())
    return result


def in_time(act: Callable[[], Done]) -> Done:
    """Do something that may not take longer than a second of processor time.

    To ask for that time costs more than to read a short document, so it is asked for only where a
    whole second has gone by; the machine may have been busy with something else.
    """
    start = time.perf_counter()
    try:
        return act()
    finally:
        if time.perf_counter() - start > MAX_CPU_SECONDS:
            start = time.process_time()
            with suppress(LongshoreError):
                act()
            spent = time.process_time() - start
            assert spent <= MAX_CPU_SECONDS, f"{spent:.1f} s of processor time"


def expected(refused: LongshoreError) -> None:
    assert refused.code in REFUSALS, refused.code


def strict(content: bytes) -> Result:
    """Decode JSON in UTF-8 without a member that stands twice or a number that does not exist."""

    def unique(pairs: list[tuple[str, Any]]) -> Result:
        members = dict(pairs)
        assert len(members) == len(pairs), "a member stands twice"
        return members

    result = json.loads(
        content.decode("utf-8", "strict"), object_pairs_hook=unique, parse_constant=_refuse
    )
    assert isinstance(result, dict)
    return result


def _refuse(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")


def x12(text: str, draw: Random, *, is_thorough: bool) -> None:
    fast = answer_of(text, "x12")
    if not is_thorough:  # what follows costs ten times as much
        return
    octets = text.encode("utf-8", "surrogatepass") if draw.randrange(2) else text.encode("utf-16")
    answer_of(octets, "x12")
    pieces = cuts(text, draw)
    assert what_the_walk_gives(pieces) == what_the_walk_gives([text]), (
        "another split reads otherwise"
    )
    whole = answer_of(text, "x12", "segments", "tree")
    assert (whole is None) == (fast is None), "a view changes what is refused"
    if whole is None or fast is None:
        return
    assert {name: whole[name] for name in fast} == fast, "a view changes the answer"
    assert unaccounted(text) == "", "a character is nowhere"
    joined(text, whole)
    streamed(text, whole)


def joined(text: str, result: Result) -> None:
    """Join what was read: each segment gives its stretch of the document back."""
    layout = scout((text,), NO_OVERRIDES)  # a full list of findings need not name its wrapped lines
    if any(segment["id"] == "ISX" for segment in result["segments"]):
        return  # values lose their release characters
    marks = {(each["elem_sep"], each["rep_sep"]) for each in result["interchanges"]}
    fragment = layout.fragment  # what stands before the first ISA
    if fragment:
        marks.add((fragment.element, fragment.repetition))
    for segment in result["segments"]:
        start, end = segment["span"]
        span = text[start:end]
        if layout.line_width:
            span = span.replace("\r", "").replace("\n", "")
        forms = {
            element.join([segment["id"], *(_written(each, repetition) for each in segment["e"])])
            for element, repetition in marks
        }
        assert span in forms, "a segment does not join to its text"


def _written(element: object, repetition: str) -> str:
    if isinstance(element, list):
        return repetition.join(element)
    if isinstance(element, Mapping):
        return base64.b64decode(element["b64"]).decode()
    assert isinstance(element, str)
    return element


def streamed(text: str, result: Result) -> None:
    """Stream the segments from octets in pieces: the same view, line by line."""
    octets = text.encode()
    if octets[:2] in {b"\xff\xfe", b"\xfe\xff"} or text.startswith("\ufeff"):
        return  # a byte order mark is no part of octets, but filler in a text
    pieces = [octets[at : at + 37] for at in range(0, len(octets), 37)]
    lines = [json.loads(line) for line in stream_segments(lambda: iter(pieces))]
    assert lines == result["segments"], "the stream differs from the view"


def json_document(text: str, draw: Random, *, is_thorough: bool) -> None:
    del draw, is_thorough
    result = answer_of(text, "json", "tree")
    if result is None:
        return
    leaves = _leaves(json.loads(text.removeprefix("\ufeff"), parse_int=str, parse_float=str))
    counted = result["field_count"] + len(result["null_fields"]) + len(result["empty_containers"])
    assert leaves == counted, "a value is nowhere"


def _leaves(value: object) -> int:
    children = list(value.values()) if isinstance(value, dict) else value
    return sum(map(_leaves, children)) if isinstance(children, list) and children else 1


def xml_document(text: str, draw: Random, *, is_thorough: bool) -> None:
    del draw, is_thorough
    result = answer_of(text, "xml", "tree")
    if result is not None:
        assert "<!DOCTYPE" not in text.partition(">")[0]


def csv_document(text: str, draw: Random, *, is_thorough: bool) -> None:
    del draw
    answer_of(text, "csv", "tree")
    result = answer_of(text, "csv")
    if result is not None:
        plain = text.replace('""', '"')
        assert all(value in text or value in plain for value in result["fields"].values())
    if is_thorough:
        parse_without_header(text)


def parse_without_header(text: str) -> None:
    try:
        result = strict(parse(text, format="csv", csv_header=False).result_json())
    except LongshoreError as refused:
        expected(refused)
    else:
        assert result["field_count"] == len(result["fields"])
