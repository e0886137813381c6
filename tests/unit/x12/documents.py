"""Builders of X12 documents, and what the tests say about a parsed one."""

import json
from collections.abc import Sequence
from typing import NamedTuple, TypedDict

import pytest

from longshore.engine import parse
from longshore.kit.errors import ErrorDetail, LongshoreError

WIDTHS = (2, 10, 2, 10, 2, 15, 2, 15, 6, 4, 1, 5, 9, 1, 1, 1)
ISA_ELEMENTS = (
    *("00", "", "00", "", "ZZ", "SENDER", "14", "RECEIVER"),
    *("240115", "0930", "U", "00401", "000000101", "0", "T", ">"),
)
GS = "GS*PO*SENDER*RECEIVER*20240115*0930*7*X*004010"


def isa(element: str = "*", *, padded: bool = True, **elements: str) -> str:
    """Return an ISA without terminator; ``e13="000000102"`` sets its element 13."""
    values = [elements.get(f"e{at}", value) for at, value in enumerate(ISA_ELEMENTS, 1)]
    if padded:
        values = [value.ljust(width) for value, width in zip(values, WIDTHS, strict=True)]
    return element.join(("ISA", *values))


def isa_with(position: int, value: str) -> str:
    """Return an ISA with one element changed."""
    elements = isa().split("*")
    elements[position] = value.ljust(WIDTHS[position - 1])
    return "*".join(elements)


def interchange(*segments: str, segment: str = "~", break_: str = "", head: str = "") -> str:
    """Return ISA, the segments and IEA, each with terminator and line break."""
    written = (head or isa(), *segments)
    return "".join(text + segment + break_ for text in written)


def a_set(*body: str, number: str = "0001", set_id: str = "850") -> tuple[str, ...]:
    """Return a transaction set whose count and control number are right."""
    return (f"ST*{set_id}*{number}", *body, f"SE*{len(body) + 2}*{number}")


def a_group(*segments: str, sets: int = 1, number: str = "7") -> tuple[str, ...]:
    """Return a functional group around its segments."""
    return (GS.replace("*7*", f"*{number}*"), *segments, f"GE*{sets}*{number}")


def an_850(*body: str, head: str = "", segment: str = "~", break_: str = "") -> str:
    """Return a whole and faultless interchange with one set of this body."""
    inside = a_group(*a_set(*(body or ("BEG*00*SA*PO-1**20240115",))))
    return interchange(*inside, "IEA*1*000000101", segment=segment, break_=break_, head=head)


class SegmentView(TypedDict):
    """One segment of the segments view."""

    n: int
    pos: int
    id: str
    key: str
    tx: int
    loop: None
    span: list[int]
    e: list[str | list[str] | dict[str, str]]


class Said(NamedTuple):
    """What a finding says, without its words."""

    code: str
    tx: int | None = None
    segment: str | None = None
    position: int | None = None
    element: int | None = None
    path: str | None = None
    offset: int | None = None
    line: int | None = None


def result_of(
    document: str | bytes,
    *,
    elem_sep: str | None = None,
    seg_term: str | None = None,
    include: Sequence[str] = (),
) -> dict[str, object]:
    """Parse; return the result members, having checked that no JSON key stands twice."""

    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        members = dict(pairs)
        assert len(members) == len(pairs)
        return members

    parsed = parse(document, elem_sep=elem_sep, seg_term=seg_term, include=include)
    result: dict[str, object] = json.loads(parsed.result_json(), object_pairs_hook=unique)
    assert isinstance(result["fields"], dict)
    assert result["field_count"] == len(result["fields"])
    assert result["fields"] == parsed.fields
    return result


def fields_of(document: str | bytes, **options: str) -> dict[str, str]:
    """Return the fields of a document."""
    fields = result_of(document, **options)["fields"]
    assert isinstance(fields, dict)
    return fields


def said(document: str | bytes, **options: str) -> list[Said]:
    """Return errors, then warnings, each with its place."""
    parsed = parse(document, **options)  # type: ignore[arg-type]  # separators only
    return [
        Said(
            each.code,
            each.tx_index,
            each.segment_id,
            each.segment_position,
            each.element_position,
            each.path,
            each.offset,
            each.line,
        )
        for each in (*parsed.errors, *parsed.warnings)
    ]


def codes(document: str | bytes, **options: str) -> list[str]:
    """Return the codes of errors, then of warnings."""
    return [each.code for each in said(document, **options)]


def segments_of(document: str | bytes, **options: str) -> list[SegmentView]:
    """Return the segments view."""
    parsed = parse(document, include=["segments"], **options)  # type: ignore[arg-type]  # separators only
    view: list[SegmentView] = json.loads(parsed.document.views["segments"])
    return view


def refusal(document: str | bytes, **options: str) -> tuple[str, ErrorDetail]:
    """Return code and only detail of the refusal."""
    with pytest.raises(LongshoreError) as caught:
        parse(document, **options)  # type: ignore[arg-type]  # separators only
    (detail,) = caught.value.details
    return caught.value.code, detail
