"""Segments: terminators, empty segments, the end of a document, and what follows an IEA."""

import pytest

from longshore.x12.delimiters import NO_OVERRIDES
from longshore.x12.layout import scout
from longshore.x12.reader import SegmentReader
from longshore.x12.refusals import MAX_SEGMENT_CHARS
from tests.unit.x12.documents import (
    Said,
    a_group,
    a_set,
    an_850,
    codes,
    fields_of,
    interchange,
    isa,
    refusal,
    result_of,
    said,
    segments_of,
)

IEA = "IEA*1*000000101"
HEAD = isa()


def texts_of(document: str) -> list[str]:
    """Return the raw texts of all segments, by their spans."""
    return [document[slice(*each["span"])] for each in segments_of(document)]


@pytest.mark.parametrize("terminator", ["~", "\n", "\r\n", "\r", "'", "\x1c", "\t"], ids=repr)
@pytest.mark.parametrize("count", [1, 300])
def test_each_terminator_ends_segments(terminator: str, count: int) -> None:
    document = an_850(*["BEG*00*SA"] * count, segment=terminator)
    result = result_of(document)
    assert (result["seg_term"], result["segment_count"]) == (terminator, 6 + count)
    assert fields_of(document) == fields_of(an_850(*["BEG*00*SA"] * count))
    assert codes(document) == []


@pytest.mark.parametrize("break_", ["\n", "\r\n", " ", "\t", "\r", "\n\n", " \r\n\t"], ids=repr)
def test_blanks_before_a_segment_id_belong_to_no_segment(break_: str) -> None:
    document = an_850(break_=break_)
    assert codes(document) == []
    assert texts_of(document) == texts_of(an_850())


def test_changing_blanks_between_segments_are_skipped() -> None:
    document = HEAD + "~GS*PO*A*B*20240115*0930*7*X*004010~\n ST*850*0001~\r\nSE*2*0001~"
    document += "\t\nGE*1*7~ \n" + IEA + "~"
    assert codes(document) == []
    assert texts_of(document)[1:] == [
        "GS*PO*A*B*20240115*0930*7*X*004010", "ST*850*0001", "SE*2*0001", "GE*1*7", IEA,
    ]  # fmt: skip


def test_a_lone_line_feed_ends_a_segment_of_a_crlf_document() -> None:
    document = an_850("N1*A", "N1*B", "N1*C", segment="\r\n").replace("N1*B\r", "N1*B")
    assert codes(document) == []
    assert fields_of(document)["N1[3].01"] == "C"
    assert "\r" not in "".join(fields_of(document).values())


def test_a_carriage_return_before_a_line_feed_terminator_is_no_data() -> None:
    document = an_850("N1*A", "N1*B\r", "N1*C", segment="\n")
    assert codes(document) == []
    assert fields_of(document)["N1[2].01"] == "B"


@pytest.mark.parametrize("segment", ["\n", "\r\n"])
@pytest.mark.parametrize("body", [("N1*B\r",), ("N1*A", "N1*B\r", "N1*C"), ("N1*\rB", "N1*\rC")])
def test_only_the_last_carriage_return_is_stripped(segment: str, body: tuple[str, ...]) -> None:
    # With LF the one CR of the value is the line's; with CR LF there is a second one.
    document = an_850(*body, segment=segment)
    kept = [each for each in body if "\r" in (each[:-1] if segment == "\n" else each)]
    assert codes(document) == ["line_break_in_data"] * len(kept)
    values = [value for value in fields_of(document).values() if "\r" in value]
    assert values == [each.removeprefix("N1*") for each in kept]


def test_a_line_break_inside_an_element_is_data() -> None:
    document = an_850("MSG*line one\nline two", "N1*ST*X", break_="\n")
    at = document.index("line one")
    assert fields_of(document)["MSG.01"] == "line one\nline two"
    assert said(document) == [Said("line_break_in_data", 1, "MSG", 2, 1, "MSG.01", at, 4)]


def test_an_empty_segment_is_skipped_and_not_counted() -> None:
    document = an_850("BEG*00", "", "REF*A")
    at = document.index("~~") + 1
    assert said(document.replace("SE*5", "SE*4")) == [Said("empty_segment", offset=at, line=1)]
    assert result_of(document)["segment_count"] == 8
    assert [each["pos"] for each in segments_of(document)] == [0, 0, 1, 2, 3, 4, 0, 0]


@pytest.mark.parametrize("segment", ["~", "\r", "\n", "\r\n", "\t"], ids=repr)
def test_each_empty_segment_is_found(segment: str) -> None:
    head = HEAD + segment
    document = head + segment * 3 + "TA1*1" + segment + segment + "IEA*0*000000101" + segment
    step = len(segment)
    at = [105 + step * 2 - 1, 105 + step * 3 - 1, 105 + step * 4 - 1]
    at.append(105 + step * 6 + 5 - 1)
    assert [(each.code, each.offset) for each in said(document)] == [
        ("empty_segment", offset) for offset in at
    ]


def test_blanks_between_terminators_are_an_empty_segment() -> None:
    document = HEAD + "~ \n~IEA*0*000000101~"
    assert said(document) == [Said("empty_segment", offset=108, line=2)]


def test_what_has_no_terminator_at_the_end_is_the_last_segment() -> None:
    document = an_850(break_="\n")
    cut = document[: document.rindex("~")]
    at = document.index("IEA")
    assert said(cut) == [Said("missing_final_terminator", None, "IEA", 7, None, "IEA", at, 7)]
    assert fields_of(cut) == fields_of(document)
    assert codes(cut + "\n") == ["missing_final_terminator"]
    assert codes(cut + "\r\n\0\x1a") == ["missing_final_terminator"]


def test_a_cut_document_reports_its_open_levels_innermost_first() -> None:
    document = HEAD + "~\nGS*PO*A*B*20240115*0930*7*X*004010~\nST*850*0001~\nBEG*00*S"
    assert said(document) == [
        Said("set_trailer_missing", 1, "ST", 1, None, "ST", 143, 3),
        Said("group_trailer_missing", None, "GS", 2, None, "GS", 107, 2),
        Said("interchange_trailer_missing", None, "ISA", 1, None, "ISA", 0, 1),
        Said("missing_final_terminator", 1, "BEG", 2, None, "BEG", 156, 4),
    ]
    assert fields_of(document)["BEG.02"] == "S"


@pytest.mark.parametrize("filler", ["", "\n", " \t\r\n", "\0\x1a", "\x1a\r\n\0 "], ids=repr)
def test_filler_after_the_iea_is_ignored(filler: str) -> None:
    assert codes(an_850() + filler) == []
    assert codes(an_850() + filler + an_850()) == []


@pytest.mark.parametrize(
    "tail",
    ["x", "N1*A~", "~", "IEA*1*2~", "ISA", "ISABEL", "ISA*00*~", "*A" * 20, "\ufffe", HEAD[:80]],
)
def test_anything_else_after_the_iea_is_trailing_data(tail: str) -> None:
    document = an_850() + "\n" + tail
    at = len(an_850()) + 1
    found = [each for each in said(document) if each.code == "trailing_data"]
    assert found == [Said("trailing_data", offset=at, line=2)]
    assert result_of(document)["segment_count"] == 7
    warnings = result_of(document)["warnings"]
    assert isinstance(warnings, list)
    assert warnings[-1]["message"] == (
        f"{len(tail)} characters outside every interchange are not read"
    )


@pytest.mark.parametrize(
    ("isa_text", "code", "offset"),
    [
        (HEAD[:104] + "A~", "component_separator_invalid", 104),
        (HEAD + "A", "segment_terminator_invalid", 105),
        ("ISA*00*~", "control_structure_invalid", 0),
    ],
)
def test_a_later_isa_that_cannot_be_read_is_an_error_and_its_text_is_named(
    isa_text: str, code: str, offset: int
) -> None:
    document = an_850() + isa_text + "GS*A~"
    assert said(document) == [
        Said(code, offset=len(an_850()) + offset, line=1),
        Said("trailing_data", offset=len(an_850()), line=1),
    ]


def test_reading_goes_on_at_the_next_isa_after_trailing_data() -> None:
    document = an_850() + "\nVAN TRAILER ISA 1\n" + an_850("REF*X")
    assert said(document) == [Said("trailing_data", offset=len(an_850()) + 1, line=2)]
    assert fields_of(document)["ST[2]/REF.01"] == "X"
    assert result_of(document)["segment_count"] == 14


def test_each_interchange_has_its_own_separators() -> None:
    second = isa("|", e16=":", e11="^", e12="00501") + "'GS|PO|A|B|20240115|0930|7|X|005010'"
    second += "ST|850|0001'N1|A^B|C'SE|3|0001'GE|1|7'IEA|1|000000101'"
    document = an_850("N1*A^B*C|D") + second
    fields = fields_of(document)
    assert (fields["N1.01"], fields["N1.02"]) == ("A^B", "C|D")
    assert (fields["ST[2]/N1.01"], fields["ST[2]/N1.01[2]"]) == ("A", "B")
    result = result_of(document)
    assert (result["elem_sep"], result["seg_term"], result["rep_sep"]) == ("*", "~", "")
    interchanges = result["interchanges"]
    assert isinstance(interchanges, list)
    assert [
        (each["elem_sep"], each["seg_term"], each["comp_sep"], each["rep_sep"])
        for each in interchanges
    ] == [("*", "~", ">", ""), ("|", "'", ":", "^")]


def test_an_interchange_summary_names_its_parties_without_padding() -> None:
    interchanges = result_of(an_850(head=isa(e6=" LEAD", e8="X")))["interchanges"]
    assert isinstance(interchanges, list)
    assert interchanges == [
        {
            "elem_sep": "*", "seg_term": "~", "comp_sep": ">", "rep_sep": "",
            "isa_control_number": "000000101", "sender_qualifier": "ZZ", "sender_id": " LEAD",
            "receiver_qualifier": "14", "receiver_id": "X", "usage_indicator": "T",
            "version": "00401",
        }
    ]  # fmt: skip


def test_an_isa_before_the_iea_begins_a_new_interchange() -> None:
    first = HEAD + "~GS*PO*A*B*20240115*0930*7*X*004010~ST*850*0001~"
    document = first + isa("|", e16=":") + "'IEA|0|000000101'"
    assert [each.code for each in said(document)] == [
        "set_trailer_missing", "group_trailer_missing", "interchange_trailer_missing",
    ]  # fmt: skip
    assert [each["id"] for each in segments_of(document)] == ["ISA", "GS", "ST", "ISA", "IEA"]


def test_a_segment_that_only_looks_like_an_isa_is_an_ordinary_one() -> None:
    document = an_850("ISA*1", "ISAAC*2", "ISB")
    assert [each["id"] for each in segments_of(document)][3:6] == ["ISA", "ISAAC", "ISB"]
    assert [each.code for each in said(document)] == [
        "control_structure_invalid", "control_structure_invalid", "bad_segment_id",
    ]  # fmt: skip


def test_a_second_isa_without_terminator_is_kept_and_is_no_interchange() -> None:
    document = HEAD + "~" + HEAD
    assert fields_of(document)["ISA[2].06"] == "SENDER"
    assert "ISA[2].02" not in fields_of(document)
    assert codes(document) == [
        "control_structure_invalid", "interchange_trailer_missing", "missing_final_terminator",
    ]  # fmt: skip


@pytest.mark.parametrize("end", ["~", ""])
def test_a_segment_may_have_exactly_one_mebibyte(end: str) -> None:
    text = "MSG*" + "A" * (MAX_SEGMENT_CHARS - 4)
    assert MAX_SEGMENT_CHARS == 1_048_576
    assert len(fields_of(HEAD + "~" + text + end)["MSG.01"]) == MAX_SEGMENT_CHARS - 4


@pytest.mark.parametrize("end", ["~", "", "~IEA*0*000000101~"])
@pytest.mark.parametrize("lead", ["", "N1*ST~\n" * 500])
def test_a_longer_segment_refuses_the_document_where_it_begins(end: str, lead: str) -> None:
    text = "MSG*" + "A" * (MAX_SEGMENT_CHARS - 3)
    code, detail = refusal(HEAD + "~\n" + lead + text + end)
    assert (code, detail.code, detail.param) == ("segment_too_long", "segment_too_long", "document")
    assert (detail.offset, detail.line) == (107 + len(lead), 2 + lead.count("\n"))


def test_a_long_segment_is_refused_before_the_rest_is_read() -> None:
    head = HEAD + "~MSG*"
    reader = SegmentReader(scout((head,), NO_OVERRIDES))
    assert [batch.texts for batch in reader.feed(head)] == [[HEAD]]
    with pytest.raises(Exception, match="longer than 1048576"):
        list(reader.feed("A" * MAX_SEGMENT_CHARS))


def test_binary_data_is_read_as_soon_as_it_is_there() -> None:
    pieces = [HEAD + "~BIN*5*AB", "C", "D", "E~N", "1*A~"]
    reader = SegmentReader(scout(pieces, NO_OVERRIDES))
    read = [[text for batch in reader.feed(piece) for text in batch.texts] for piece in pieces]
    assert read == [[HEAD], [], [], ["BIN*5*ABCDE"], ["N1*A"]]


def test_an_iea_of_a_fragment_ends_it() -> None:
    document = "ST*850*0001~SE*2*0001~IEA*1*1~N1*A~"
    assert codes(document) == ["control_structure_invalid", "no_envelope", "trailing_data"]


def test_an_isa_after_a_fragment_begins_an_interchange() -> None:
    # The first ISA of fixed width decides, so what stands before it is garbage.
    document = "ST*850*0001~SE*2*0001~" + an_850()
    assert said(document) == [Said("leading_garbage", offset=0, line=1)]


def test_many_interchanges_in_one_window_are_all_read() -> None:
    one = interchange(*a_group(*a_set()), "IEA*1*000000101", break_="\n")
    result = result_of(one * 50)
    assert (result["segment_count"], result["errors"], result["warnings"]) == (300, [], [])
    transactions = result["transactions"]
    assert isinstance(transactions, list)
    assert len(transactions) == 50
