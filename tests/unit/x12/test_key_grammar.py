"""Fields against the key grammar: a slow model, written from the grammar alone, agrees."""

import json
from collections.abc import Iterator
from unittest import mock

from hypothesis import given

from longshore.formats import x12doc
from longshore.formats.document import ParsedDocument
from longshore.kit.errors import LongshoreError
from longshore.x12 import walk
from longshore.x12.batch import BatchKind
from longshore.x12.binary import binary_value
from longshore.x12.delimiters import NO_OVERRIDES, Delimiters
from longshore.x12.layout import scout
from longshore.x12.reader import SegmentReader
from longshore.x12.segment_table import is_composite
from tests.unit.x12.generated import documents, valid_documents

ENVELOPE = {"ISA", "IEA", "GS", "GE", "ST", "SE", "TA1", "ISB", "ISE", "ISX"}
Segment = tuple[str, list[str], Delimiters, BatchKind]


def parts(text: str, separator: str, release: str) -> list[str]:
    """Split at separators that are not released, character by character."""
    pieces, at = [""], 0
    while at < len(text):
        step = 2 if release and text[at] == release else 1
        if step == 1 and separator and text[at] == separator:
            pieces.append("")
        else:
            pieces[-1] += text[at : at + step]
        at += step
    return pieces


def without_release(text: str, marks: Delimiters) -> str:
    result, at = "", 0
    while at < len(text):
        if marks.release and text[at] == marks.release and text[at + 1 : at + 2] in [*marks.marks]:
            at += 1
        result += text[at : at + 1]
        at += 1
    return result


def read(text: str) -> list[Segment]:
    reader = SegmentReader(scout((text,), NO_OVERRIDES))
    return [
        (text, row, batch.delimiters, batch.kind)
        for batch in reader.feed(text, is_last=True)
        for text, row in zip(batch.texts, batch.rows, strict=True)
    ]


def pairs(prefix: str, segment: Segment) -> Iterator[tuple[str, str]]:
    text, row, marks, kind = segment
    elements = row if kind is not BatchKind.SEGMENTS else parts(text, marks.element, marks.release)
    for position, element in enumerate(elements[1:1000], 1):
        key = f"{prefix}.{position:02d}"
        if row[0] == "ISA":
            yield key, element.rstrip(" ")
        elif kind is BatchKind.BINARY:
            is_data = position == len(row) - 1
            yield key, binary_value(element, is_single_octet=False)[0] if is_data else element
        elif row[0] in {"BIN", "BDS"}:
            yield key, without_release(element, marks)
        else:
            for number, one in enumerate(parts(element, marks.repetition, marks.release), 1):
                own = key if number == 1 else f"{key}[{number}]"
                yield own, without_release(one, marks)
                components = parts(one, marks.component, marks.release)
                if len(components) > 1 and is_composite(row[0], position):
                    for part, value in enumerate(components[:999], 1):
                        yield f"{own}.{part:02d}", without_release(value, marks)


def model(text: str) -> list[tuple[str, str]]:
    """Return the fields by fields-and-mapping.md section 2.1, rule by rule."""
    segments = read(text)
    has_sets = any(row[0] == "ST" for _, row, _, _ in segments)
    current, count = 0, 0
    numbers: dict[tuple[object, str], int] = {}
    fields: list[tuple[str, str]] = []
    for segment in segments:
        tag = segment[1][0]
        if tag == "ST":
            current = count = count + 1
        elif tag in {"GS", "GE", "IEA"} or segment[3] is BatchKind.HEAD:
            current = 0
        scope = "" if tag in ENVELOPE else current
        number = numbers[scope, tag] = numbers.get((scope, tag), 0) + 1
        prefix = tag if scope in {"", 1} or not has_sets else f"ST[{scope}]/{tag}"
        if number > 1:
            prefix += f"[{number}]"
        if tag.isascii() and tag.isalnum() and len(tag) < 16:
            fields.extend((key, value) for key, value in pairs(prefix, segment) if value)
        current = 0 if tag == "SE" else current
    return fields


def parsed(text: str) -> ParsedDocument | None:
    try:
        return x12doc.parse(text)
    except LongshoreError:
        return None


@given(text=documents)
def test_the_fields_of_any_text_are_those_of_the_slow_model(text: str) -> None:
    if document := parsed(text):
        assert json.loads(document.fields_json, object_pairs_hook=list) == model(text)


@given(text=valid_documents())
def test_the_fields_of_a_valid_document_are_those_of_the_slow_model(text: str) -> None:
    document = x12doc.parse(text)
    assert json.loads(document.fields_json, object_pairs_hook=list) == model(text)


@given(text=documents)
def test_the_fast_and_the_slow_path_write_the_same_bytes(text: str) -> None:
    fast = parsed(text)
    with (
        mock.patch.object(walk, "is_plain", return_value=False),
        mock.patch.object(x12doc, "read_fast_path", return_value=None),
    ):
        assert parsed(text) == fast
