"""Received acknowledgements: everything kept, nothing invented, what is odd warned of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.x12.acks.profile import AckProfile, AckType
from longshore.x12.acks.read import (
    AckContext,
    ElementNote,
    GroupAck,
    SegmentNote,
    SetAck,
    read_group_ack,
    read_ta1,
)
from longshore.x12.delimiters import Delimiters
from longshore.x12.findings import Finding
from tests.unit.x12.acks.acknowledged import a_document, a_result, an_error, case, the_ack
from tests.unit.x12.documents import a_set

MARKS = Delimiters("*", "~", ":", "^")


def rows_of(text: str) -> list[list[str]]:
    """Return the rows from ST to SE."""
    segments = [each.strip() for each in text.split("~")]
    first = next(at for at, each in enumerate(segments) if each.startswith("ST*"))
    last = next(at for at, each in enumerate(segments) if each.startswith("SE*"))
    return [each.split("*") for each in segments[first : last + 1]]


def read(*segments: str) -> GroupAck:
    rows = [each.split("*") for each in ("ST*997*0001", *segments, "SE*9*0001")]
    return read_group_ack(rows, MARKS, 3)


def reported(warnings: list[Finding]) -> list[tuple[str, str | None, int | None, int | None]]:
    return [
        (each.code, each.segment_id, each.segment_position, each.element_position)
        for each in warnings
    ]


def test_a_997_that_accepts_in_part() -> None:
    ack = read_group_ack(rows_of(case(32)), MARKS._replace(component=">"))
    assert (ack.ack_type, ack.functional_id, ack.control_number) == ("997", "PO", "55")
    assert (ack.status, ack.included, ack.received, ack.accepted) == ("P", 2, 2, 1)
    assert (ack.version, ack.codes, ack.warnings) == ("", (), [])
    element = ElementNote(2, None, None, "330", "1", "")
    assert ack.sets == [
        SetAck("850", "0001", "", "A"),
        SetAck("850", "0002", "", "R", ("5",), [SegmentNote("PO1", 9, "", "8", [], [element])]),
    ]
    assert ack.rejected_sets == ack.sets[1:]


def test_a_999_with_contexts() -> None:
    ack = read_group_ack(rows_of(case(33)), MARKS)
    assert (ack.ack_type, ack.version, ack.warnings) == ("999", "005010X222A1", [])
    element = ElementNote(5, 3, None, "1325", "I6", "7")
    context = AckContext("CLM01", "A1", ())
    segment = SegmentNote("CLM", 22, "2300", "8", [context], [element])
    assert ack.sets == [SetAck("837", "0001", "005010X222A1", "R", ("I5",), [segment])]


def test_a_context_belongs_to_the_note_before_it() -> None:
    ack = read(
        "AK2*837*1", "IK3*CLM*22*2300*8", "CTX*CLM01:A1", "IK4*11**I9",
        "CTX*SITUATIONAL TRIGGER*CLM*22*2300*5:3*1325", "IK4*2::4*782*5*99", "IK5*R*I5",
        "AK9*R*1*1*0",
    )  # fmt: skip
    trigger = AckContext("SITUATIONAL TRIGGER", "", ("CLM", "22", "2300", "5:3", "1325"))
    (segment,) = ack.sets[0].segments
    assert segment.contexts == [AckContext("CLM01", "A1", ())]
    assert segment.elements == [
        ElementNote(11, None, None, "", "I9", "", [trigger]),
        ElementNote(2, None, 4, "782", "5", "99"),
    ]


def test_codes_that_nobody_knows_are_kept_and_warned_of() -> None:
    ack = read(
        "AK1*PO*55", "AK2*850*0001", "AK3*PO1*9**77", "AK4*2*330*X1", "AK5*Q*5*99", "AK9*Z*1*1*0*98"
    )  # fmt: skip
    (each,) = ack.sets
    assert (each.status, each.codes, ack.status, ack.codes) == ("Q", ("5", "99"), "Z", ("98",))
    assert (each.segments[0].code, each.segments[0].elements[0].code) == ("77", "X1")
    assert reported(ack.warnings) == [
        ("ack_code_unknown", "AK3", 4, 4),
        ("ack_code_unknown", "AK4", 5, 3),
        ("ack_code_unknown", "AK5", 6, 1),
        ("ack_code_unknown", "AK5", 6, 3),
        ("ack_code_unknown", "AK9", 7, 1),
        ("ack_code_unknown", "AK9", 7, 5),
    ]
    assert {each.tx_index for each in ack.warnings} == {3}
    assert {each.severity for each in ack.warnings} == {"warning"}


@pytest.mark.parametrize("code", ["1", "7", "8", "I4", "I9"])
def test_a_known_code_is_not_warned_of(code: str) -> None:
    assert read("AK1*PO*1", f"IK3*CLM*3**{code}", "AK9*R*1*1*0").warnings == []


@pytest.mark.parametrize(
    "ak9",
    [
        "AK9*A*2*2*2", "AK9*R*2*2*0*5", "AK9*P*3*3*2", "AK9*E*3*2*2*5", "AK9*A*0*0*0",
        "AK9*M*1*1*0",
    ],
)  # fmt: skip
def test_counts_that_agree_say_nothing(ak9: str) -> None:
    assert read("AK1*PO*1", ak9).warnings == []


@pytest.mark.parametrize(
    "segments",
    [
        ("AK9*A*2*2*3",),
        ("AK9*A*2*2*1",),
        ("AK9*A*3*2*2",),
        ("AK9*R*2*2*1",),
        ("AK9*A*1*1",),
        ("AK9*A*x*1*1",),
        ("AK9*A",),
        ("AK9*P*2*2*2",),
        ("AK2*850*1", "AK5*A", "AK2*850*2", "AK5*A", "AK9*A*1*1*1"),
        ("AK2*850*1", "AK5*R", "AK2*850*2", "AK5*R", "AK9*P*3*3*2"),
    ],
)
def test_counts_that_contradict_each_other_are_warned_of(segments: tuple[str, ...]) -> None:
    ack = read("AK1*PO*1", *segments)
    assert reported(ack.warnings) == [("ack_counts", "AK9", len(segments) + 2, None)]


def test_without_a_result_of_the_group_there_are_no_counts() -> None:
    ack = read("AK1*PO*1", "AK2*850*1", "AK5*A")
    assert (ack.status, ack.included, ack.warnings) == ("", None, [])


def test_notes_without_their_set_or_segment_are_kept() -> None:
    ack = read("AK4*2*330*1", "AK5*R*5", "ZZZ*1")
    element = ElementNote(2, None, None, "330", "1", "")
    segment = SegmentNote("", None, "", "", [], [element])
    assert ack.sets == [SetAck("", "", "", "R", ("5",), [segment])]
    assert read("CTX*CLM01:A1").sets == []


def test_positions_that_are_no_numbers_are_none() -> None:
    ack = read("AK3*PO1*x**8", "AK4*a:b*330*1")
    (segment,) = ack.sets[0].segments
    assert segment.position is None
    assert (segment.elements[0].element_position, segment.elements[0].component_position) == (
        None,
        None,
    )


def test_a_ta1_is_read() -> None:
    (row,) = [each.split("*") for each in case(31).split("~") if "TA1*" in each]
    ta1 = read_ta1(["TA1", *row[1:]], 2)
    assert (ta1.control_number, ta1.date, ta1.time) == ("000000077", "240114", "2359")
    assert (ta1.status, ta1.code, ta1.warnings) == ("A", "000", ())


def test_codes_of_a_ta1_that_nobody_knows_are_warned_of() -> None:
    ta1 = read_ta1(["TA1", "000000077", "240114", "2359", "B", "099"], 2)
    assert (ta1.status, ta1.code) == ("B", "099")
    assert reported(list(ta1.warnings)) == [
        ("ack_code_unknown", "TA1", 2, 4),
        ("ack_code_unknown", "TA1", 2, 5),
    ]
    assert read_ta1(["TA1"], 2).warnings == ()


SEGMENT_ERRORS = st.builds(
    an_error,
    st.sampled_from(["PO1", "N1", "ref", "QQQ"]),
    st.integers(2, 9),
    st.sampled_from(["1", "2", "3", "4", "5", "6", "7"]),
    loop=st.sampled_from([None, "heading", "2300"]),
)
ELEMENT_ERRORS = st.builds(
    an_error,
    st.just("PO1"),
    st.integers(2, 9),
    st.just("8"),
    st.sampled_from(["1", "2", "5", "7", "10"]),
    at=st.integers(1, 40),
    component=st.sampled_from([None, 1, 12]),
    ref=st.sampled_from([None, "330", "C003"]),
    value=st.sampled_from([None, "", "X", "x" * 300, "a:b", "a*b", "é"]),
)
ERRORS = st.lists(st.one_of(SEGMENT_ERRORS, ELEMENT_ERRORS), max_size=8)


@given(st.lists(ERRORS, max_size=4), st.sampled_from(["004010", "005010", "005010X222A1"]))
def test_what_is_written_reads_back_without_warning(
    errors: list[list[Finding]], version: str
) -> None:
    numbers = [f"{index:04d}" for index in range(1, len(errors) + 1)]
    document = a_document(version, *(a_set(number=number) for number in numbers))
    results = {index: a_result(*found) for index, found in enumerate(errors, 1)}
    text = the_ack(document, results, AckProfile(ack_type=AckType.AUTO))
    component = ">" if version == "004010" else ":"
    ack = read_group_ack(rows_of(text), MARKS._replace(component=component))
    assert ack.warnings == []
    assert [each.control_number for each in ack.sets] == numbers
    assert [each.status for each in ack.sets] == ["R" if found else "A" for found in errors]
    for each, found in zip(ack.sets, errors, strict=True):
        written = {(note.segment_id, note.position, note.code) for note in each.segments}
        codes = {(f.segment_id, f.segment_position, (f.ack_code or {})["segment"]) for f in found}
        assert written == codes
