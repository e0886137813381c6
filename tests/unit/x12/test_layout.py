"""Where a document begins: filler, garbage, wrapped lines, fragments, and what is refused."""

import re

import pytest

from longshore.engine import parse
from longshore.x12.delimiters import NO_OVERRIDES
from longshore.x12.layout import _first_fixed_width_isa, scout
from tests.unit.x12.documents import (
    Said,
    a_set,
    an_850,
    codes,
    fields_of,
    isa,
    refusal,
    result_of,
    said,
)
from tests.unit.x12.generated import wrapped

WHOLE = an_850()
FRAGMENT = a_set("BEG*00*SA*PO-1", "MSG*A:B>C")


@pytest.mark.parametrize(
    "filler",
    ["\ufeff", " ", "\t\r\n", "\0\0", "\x1a", "\ufeff  \r\n\r\n", "\x0b\x0c", "\u3000"],
    ids=repr,
)
def test_filler_before_the_isa_is_skipped_without_a_word(filler: str) -> None:
    assert codes(filler + WHOLE) == []
    assert fields_of(filler + WHOLE) == fields_of(WHOLE)


@pytest.mark.parametrize(
    ("garbage", "line"),
    [("##VAN HDR ISABEL 0001\n", 1), ("ISA", 1), ("ISA*00*", 1), ("x\ny\nISA\n", 1), ("\x07", 1)],
)
def test_anything_else_before_the_isa_is_garbage(garbage: str, line: int) -> None:
    assert said(garbage + WHOLE) == [Said("leading_garbage", offset=0, line=line)]
    assert fields_of(garbage + WHOLE) == fields_of(WHOLE)
    message = f"{len(garbage)} characters before the ISA are not read"
    warnings = result_of(garbage + WHOLE)["warnings"]
    assert isinstance(warnings, list)
    assert warnings[0]["message"] == message


def test_garbage_begins_after_the_filler() -> None:
    assert said(" \n\n HDR\n" + WHOLE) == [Said("leading_garbage", offset=4, line=3)]


def test_findings_after_garbage_keep_their_places() -> None:
    document = "HDR\n" + an_850("ref*A")
    at = document.index("ref")
    assert said(document) == [
        Said("leading_garbage", offset=0, line=1),
        Said("lowercase_segment_id", 1, "ref", 2, None, "ref", at, 2),
    ]


@pytest.mark.parametrize("width", [10, 80, 128])
@pytest.mark.parametrize("break_", ["\n", "\r\n"])
@pytest.mark.parametrize("ending", ["", "\n", "\r\n \x1a"])
def test_a_wrapped_document_reads_as_if_it_were_not(width: int, break_: str, ending: str) -> None:
    document = wrapped(an_850(*["BEG*00*SA*PO-1**20240115", "N1*ST*X"] * 9), width, break_)
    assert fields_of(document + ending) == fields_of(document.replace(break_, ""))
    assert said(document + ending) == [Said("wrapped_lines", offset=0, line=1)]


def test_places_in_a_wrapped_document_count_its_line_breaks() -> None:
    document = wrapped(an_850(*["N1*ST*X"] * 20, "ref*A"), 80, "\r\n")
    at = document.index("ref*A")
    assert said(document)[1] == Said(
        "lowercase_segment_id", 1, "ref", 22, None, "ref", at, 1 + document.count("\n", 0, at)
    )


def test_a_wrapped_fragment_is_read() -> None:
    document = wrapped("~".join((*FRAGMENT, "")), 9, "\n")
    assert fields_of(document) == fields_of("~".join((*FRAGMENT, "")))
    assert codes(document) == ["no_envelope", "wrapped_lines"]


@pytest.mark.parametrize(
    ("_case", "document"),
    [
        ("two lines only", "~".join(FRAGMENT)[:26] + "\n" + "~".join(FRAGMENT)[26:]),
        ("uneven", wrapped(WHOLE, 80, "\n").replace("\n", "\n\n", 1)),
        ("last line too long", wrapped(WHOLE, 80, "\n") + "\n" + "~" * 81),
        ("one line break differs", wrapped(WHOLE, 40, "\n").replace("\n", "\r\n", 1)),
        ("the ISA is not padded", wrapped(re.sub(" +[*]", "*", WHOLE), 30, "\n")),
        ("a return in a line", wrapped(WHOLE.replace("SA*", "S\r*"), 80, "\n")),
    ],
)
def test_lines_of_another_form_are_not_joined(_case: str, document: str) -> None:
    assert "wrapped_lines" not in codes(document)


def test_segments_of_one_length_on_lines_of_their_own_are_not_wrapped() -> None:
    document = isa() + "~\n" + "".join(f"{'ZZZ*' + str(at):105}~\n" for at in range(5))
    assert "wrapped_lines" not in codes(document)
    assert len(fields_of(document)) == 14 + 5


@pytest.mark.parametrize("terminator", ["~", "\r\n", "\n", "'", "\x1c", "\x1e", "|", "!"], ids=repr)
def test_a_fragment_tells_its_terminator_by_the_segment_after_it(terminator: str) -> None:
    document = terminator.join((*FRAGMENT, ""))
    result = result_of(document)
    assert (result["elem_sep"], result["seg_term"]) == ("*", terminator)
    assert (result["comp_sep"], result["rep_sep"]) == (">", "^")
    assert (result["tx_set"], result["segment_count"], result["version"]) == ("850", 4, "")
    assert result["interchanges"] == []
    assert said(document) == [Said("no_envelope", offset=0, line=1)]


@pytest.mark.parametrize(
    ("document", "separators"),
    [
        ("N1|A|~N2|B~", ("|", "~")),
        ("N1*A!~ N2*B~", ("*", "~")),
        ("N1*A~B'N2*B'", ("*", "'")),
        ("N1*A\nB~N2*C~", ("*", "~")),
        ("N1*A\r\nB\nN2*C\n", ("*", "\n")),
        ("BEG*00*SA~", ("*", "~")),
        ("BEG*00*SA'", ("*", "'")),
        ("n1*A~n2*B~", ("*", "~")),
        ("N1\tA~N2\tB~", ("\t", "~")),
        ("N1\x1dA~\x1cN2\x1dB\x1c", ("\x1d", "\x1c")),  # a value may end in ~
    ],
)  # fmt: skip
def test_a_fragment_tells_its_separators(document: str, separators: tuple[str, str]) -> None:
    result = result_of(document)
    assert (result["elem_sep"], result["seg_term"]) == separators


@pytest.mark.parametrize(
    ("document", "component"), [("N1*A:B~N2*C~", ":"), ("N1*A>B~N2*C~", ">"), ("N1*A~N2*C~", ":")]
)
def test_the_component_separator_of_a_fragment_is_the_one_that_occurs(
    document: str, component: str
) -> None:
    assert result_of(document)["comp_sep"] == component


def test_filler_before_a_fragment_is_skipped() -> None:
    document = " \r\n" + "~".join((*FRAGMENT, ""))
    assert said(document) == [Said("no_envelope", offset=3, line=2)]


@pytest.mark.parametrize(
    "document",
    ["", " ", "\r\n\t", "\ufeff", "\0", "\x1a\x1a", " \ufeff\n", "\x85", "\xa0\u2028"],
    ids=repr,
)
def test_a_document_of_filler_is_empty(document: str) -> None:
    code, detail = refusal(document)
    assert (code, detail.code, detail.param) == ("document_empty", "document_empty", "document")


@pytest.mark.parametrize(
    ("document", "offset", "line"),
    [
        ("Dear all, this is no X12.", 0, 1),
        ("\n\n  hello", 4, 3),
        ("A", 0, 1),
        ("ABCD*E~", 0, 1),
        ("hi*there", 0, 1),
        ("HI*THERE", 0, 1),
        ("n1*a~", 0, 1),
        ("N1*A*", 0, 1),
        ("\x1cN1*A~", 0, 1),
        ("\x85hello", 1, 1),
        ("BIN\n*99\r\nBIN\n", 0, 1),
    ],
)
def test_text_without_isa_or_segment_is_not_x12(document: str, offset: int, line: int) -> None:
    code, detail = refusal(document)
    assert (code, detail.code) == ("document_unparseable", "not_x12")
    assert detail.message == "Document is not X12: no ISA or segment found"
    assert (detail.param, detail.offset, detail.line) == ("document", offset, line)


@pytest.mark.parametrize(
    ("document", "code", "offset", "line"),
    [
        ("ISA", "delimiter_invalid", 3, 1),
        ("ISA*00*~", "isa_too_short", 0, 1),
        ("ISABEL", "delimiter_invalid", 3, 1),
        (isa() + "G", "delimiter_invalid", 105, 1),
        ("\n" + isa() + "G", "delimiter_invalid", 106, 2),
        (isa(e16="A") + "~", "delimiter_invalid", 104, 1),
        ("HDR\n" + isa(e16="A") + "~", "delimiter_invalid", 108, 2),
        ("\n\nHDR" + isa() + "1", "delimiter_invalid", 110, 3),
        (isa()[:102] + "~\nGS*PO*A*B~\n", "isa_too_short", 0, 1),
    ],
)
def test_a_first_isa_that_cannot_be_read_refuses_the_document(
    document: str, code: str, offset: int, line: int
) -> None:
    refused, detail = refusal(document)
    assert (refused, detail.code) == ("document_unparseable", code)
    assert (detail.param, detail.offset, detail.line) == ("document", offset, line)


@pytest.mark.parametrize("size", [1, 50, 4000])
@pytest.mark.parametrize(
    "document",
    [
        "HDR\n" + WHOLE * 60,
        wrapped(WHOLE * 60, 80, "\n"),
        wrapped(WHOLE * 60, 80, "\r\n") + "\r\n \x1a",
        wrapped(WHOLE * 60, 80, "\n") + "\nx\ny",
        wrapped(WHOLE * 30, 80, "\n") + "\nx\ny\n" + WHOLE * 60,
        wrapped(WHOLE * 60, 80, "\n") + "\x1a" * 200 + "x",
        wrapped(WHOLE[: 80 * 3], 80, "\n") + "\x1a\n" + WHOLE,
        wrapped("~".join((*FRAGMENT, "")) * 60, 40, "\n"),
        "~".join((*FRAGMENT, "")) * 60,
    ],
)
def test_the_scout_sees_the_same_in_pieces(document: str, size: int) -> None:
    pieces = [document[at : at + size] for at in range(0, len(document), size)]
    assert scout(pieces, NO_OVERRIDES) == scout([document], NO_OVERRIDES)


@pytest.mark.parametrize("size", [1, 2, 3, 104, 105, 106, 500])
@pytest.mark.parametrize("garbage", ["", "x", "IS", "ISAISA", "ISA*00*" * 20])
def test_an_isa_is_found_across_the_edges_of_pieces(garbage: str, size: int) -> None:
    text = garbage + WHOLE
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    assert _first_fixed_width_isa(pieces) == len(garbage)
    assert _first_fixed_width_isa(["ISA*00*", garbage, "ISA"]) is None


def test_a_layout_is_said_though_the_log_is_full() -> None:
    document = wrapped(an_850(*["ref*1"] * 600), 80, "\n")
    first, *_, last = parse(document).warnings
    assert first.code == "wrapped_lines"
    assert last.message == (
        "only 400 errors and as many warnings are listed; more: lowercase_segment_id 200"
    )


def test_a_lone_surrogate_is_refused_with_its_place() -> None:
    code, detail = refusal(WHOLE + "\n\ud800")
    assert (code, detail.code) == ("document_unparseable", "lone_surrogate")
    assert (detail.offset, detail.line) == (len(WHOLE) + 1, 2)
