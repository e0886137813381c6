"""What is read and written again: identical in canonical form, and brought to it otherwise."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.x12.batch import BatchKind
from longshore.x12.delimiters import Delimiters
from longshore.x12.walk import Walk
from longshore.x12.writer.headers import GroupHeader, InterchangeHeader
from longshore.x12.writer.interchange import InterchangeWriter
from longshore.x12.writer.segments import Components, Element, elements_of
from longshore.x12.writer.separators import separators_for
from tests.unit.x12.acks.acknowledged import case
from tests.unit.x12.documents import fields_of
from tests.unit.x12.generated import valid_documents

TRAILERS = {"SE", "GE", "IEA", "ISX"}


class ParsedInterchange(NamedTuple):
    """An interchange taken apart: its separators, its rows, and what each row consists of."""

    delimiters: Delimiters
    rows: list[list[str]]
    segments: list[list[Element]]


def taken_apart(document: str) -> list[ParsedInterchange]:
    """Read the interchanges of a document."""
    walk = Walk(lambda: (document,))
    found: list[ParsedInterchange] = []
    for spans in walk.span_lists():
        for batch, first, last, *_ in spans:
            if batch.kind is BatchKind.HEAD:
                found.append(ParsedInterchange(batch.delimiters, [], []))
            current = found[-1]
            found[-1] = current._replace(delimiters=batch.delimiters)
            current.rows.extend(batch.rows[first:last])
            texts = batch.texts[first:last]
            current.segments.extend(elements_of(text, batch.delimiters) for text in texts)
    return found


def leaves(element: Element) -> Iterator[str]:
    """Yield the texts in an element."""
    if isinstance(element, str):
        yield element
    else:
        for each in element:
            yield from leaves(each)


def rewritten(document: str) -> str:
    """Write each interchange again: in its separators, but for those that its data hold."""
    texts = []
    for delimiters, rows, segments in taken_apart(document):
        marks = delimiters
        if not delimiters.release:
            values = [text for segment in segments[1:] for each in segment for text in leaves(each)]
            marks = separators_for(values, delimiters)
        writer = InterchangeWriter(marks)
        writer.open_interchange(InterchangeHeader.of(rows[0]))
        for row, segment in zip(rows[1:], segments[1:], strict=True):
            add(writer, segment, row)
        texts.append(writer.finish())
    return "".join(texts)


def add(writer: InterchangeWriter, segment: list[Element], row: list[str]) -> None:
    tag = row[0]
    if tag == "GS":
        writer.open_group(GroupHeader.of(row))
    elif tag == "ST":
        writer.open_set(row[1], row[2], *row[3:4])
    elif tag not in TRAILERS:
        writer.add(segment)


@pytest.mark.parametrize("number", [1, 3, 8, 13, 14, 16, 17, 21, 22, 23, 25, 26, 31, 32, 33, 39])
def test_a_kept_case_is_brought_to_canonical_form_once(number: int) -> None:
    canonical = rewritten(case(number))
    assert rewritten(canonical) == canonical
    if number not in {25, 26}:  # the trailers of those are wrong
        assert fields_of(canonical) == fields_of(case(number))


def test_a_canonical_document_stays_as_it_is() -> None:
    document = case(3)
    assert rewritten(document) == document.rstrip()


def test_canonical_form_has_no_trailing_separators() -> None:
    assert "PO1*1*1*EA*1~" in rewritten(case(16))
    assert "~~" not in rewritten(case(17))


VALUES = st.sampled_from(["1", "AB", " x ", "é", "日本", "PO-1", "?", "U", "0"])
GAPS = st.sampled_from(["", "1", "x y"])
COMPONENTS = st.builds(lambda some, last: (*some, last), st.lists(GAPS, min_size=1), VALUES)
ONE: st.SearchStrategy[str | Components] = st.one_of(VALUES, COMPONENTS)
REPEATED = st.lists(ONE, min_size=2, max_size=3)
ELEMENTS: st.SearchStrategy[Element] = st.one_of(GAPS, ONE, REPEATED)
BODIES = st.lists(
    st.builds(
        lambda elements, last: ["ZZZ", *elements, last],
        st.lists(ELEMENTS, max_size=5),
        st.one_of(ONE, REPEATED),
    ),
    max_size=5,
)
HEADER = InterchangeHeader(
    sender=("ZZ", "US"), receiver=("ZZ", "THEM"), date="260115", time="1405", version="00501",
    control_number="000000001", usage="T",
)  # fmt: skip
MARKS = [
    Delimiters("*", "~", ":", "^"),
    Delimiters("|", "\n", ">", "\x1e"),
    Delimiters("\x1d", "\x1c", "\x1f", "!"),
    Delimiters("+", "\r\n", ":", "*"),
]


@given(BODIES, st.sampled_from(MARKS))
def test_every_element_that_is_written_reads_back(
    body: list[list[Element]], marks: Delimiters
) -> None:
    writer = InterchangeWriter(marks)
    writer.open_interchange(HEADER)
    writer.open_set("850", "0001")
    for segment in body:
        writer.add(segment)
    text = writer.finish()
    terminator = marks.segment
    texts = [each for each in text.split(terminator) if each.startswith("ZZZ")]
    assert [elements_of(each, marks) for each in texts] == body


@given(valid_documents())
def test_any_valid_document_is_brought_to_canonical_form_once(document: str) -> None:
    canonical = rewritten(document)
    assert rewritten(canonical) == canonical


@pytest.mark.parametrize(
    ("text", "elements"),
    [
        ("MSG*10:30", ["MSG", "10:30"]),
        ("SV1*HC:1^X", ["SV1", [("HC", "1"), "X"]]),
        ("BIN*3*a*b", ["BIN", "3", "a*b"]),
        ("BDS*ASC*3*a*b", ["BDS", "ASC", "3", "a*b"]),
        ("BINX*a:b", ["BINX", ("a", "b")]),
        ("BIN", ["BIN"]),
    ],
)
def test_a_segment_is_taken_apart_as_the_dictionary_says(
    text: str, elements: list[Element]
) -> None:
    assert elements_of(text, MARKS[0]) == elements


def test_released_separators_are_data() -> None:
    marks = Delimiters("*", "~", ":", "^", "?")
    text = "ZZZ*a?*b*c?:d:e?^f^g*h??"
    assert elements_of(text, marks) == ["ZZZ", "a*b", [("c:d", "e^f"), "g"], "h?"]
