"""Syntax of single segments: ids, trailing separators, line breaks, characters."""

import pytest

from longshore.engine import parse
from longshore.x12.report import has_keys
from tests.unit.x12.documents import Said, an_850, codes, fields_of, isa, said

LATER = isa(e12="00501")


def with_version(text: str, isa12: str, gs08: str) -> str:
    return an_850(text, head=isa(e12=isa12)).replace("*X*004010~", f"*X*{gs08}~")


@pytest.mark.parametrize("segment_id", ["BEG", "N1", "L11", "ZZ9", "A00"])
def test_a_well_formed_id_says_nothing(segment_id: str) -> None:
    assert codes(an_850(f"{segment_id}*1")) == []


@pytest.mark.parametrize("segment_id", ["ref", "Ref", "rEF", "n1", "N1a", "lx"])
def test_lower_case_is_kept_and_said(segment_id: str) -> None:
    document = an_850("BEG*00", f"{segment_id}*1", break_="\n")
    at = document.index(f"\n{segment_id}*") + 1
    assert said(document) == [
        Said("lowercase_segment_id", 1, segment_id, 3, None, segment_id, at, 5)
    ]
    assert fields_of(document)[f"{segment_id}.01"] == "1"


@pytest.mark.parametrize(
    ("segment_id", "is_named"),
    [("N", True), ("BEGX", False), ("1AB", True), ("7", True), ("ABCDEFGHIJKLMNO", False)],
)  # fmt: skip
def test_an_id_of_another_form_is_said_and_has_keys_where_it_can(
    segment_id: str, *, is_named: bool
) -> None:
    document = an_850(f"{segment_id}*1")
    name = segment_id if is_named else None
    at = document.index(f"~{segment_id}*") + 1
    assert said(document) == [Said("bad_segment_id", 1, name, 2, None, segment_id, at, 1)]
    assert fields_of(document)[f"{segment_id}.01"] == "1"


@pytest.mark.parametrize(
    "segment_id",
    ["", "A-B", "N.1", "N[2]", "Ä1", "日本", "A" * 16, "A B", '"', "\\", "\x01", "N1:"],
)
def test_an_id_no_key_can_hold_has_no_fields_and_the_finding_says_so(segment_id: str) -> None:
    document = an_850(f"{segment_id}*VALUE*X")
    assert "VALUE" not in fields_of(document).values()
    assert codes(document)[0] == "bad_segment_id"
    message = (
        "the segment id is not a letter followed by one or two letters or digits; "
        "its elements are not in fields, only in the segments view"
    )
    assert parse(document).warnings[0].message == message
    assert said(document)[0].path is None


@pytest.mark.parametrize("segment", ["PO1*1*", "PO1*1*5*EA***", "LE*", "N1**", "MSG*a\n*"])
def test_trailing_separators_are_said_once_a_segment(segment: str) -> None:
    document = an_850("BEG*00", segment, break_="\n")
    tag = segment.split("*", maxsplit=1)[0]
    found = [each for each in said(document) if each.code == "trailing_separators"]
    assert found == [Said("trailing_separators", 1, tag, 3, None, tag, document.index(segment), 5)]


@pytest.mark.parametrize("break_", ["", "\n", "\r\n", " "])
def test_trailing_separators_show_whatever_stands_between_segments(break_: str) -> None:
    document = an_850("N1*A*", "N1*B", "N1*C*", break_=break_)
    assert [(each.code, each.path) for each in said(document)] == [
        ("trailing_separators", "N1"),
        ("trailing_separators", "N1[3]"),
    ]


def test_an_id_alone_and_inner_empty_elements_say_nothing() -> None:
    assert codes(an_850("LE", "PO1*1**EA", "N1***X")) == []


@pytest.mark.parametrize("break_", ["\n", "\r", "\r\n"])
def test_a_line_break_in_an_element_is_said_for_that_element(break_: str) -> None:
    document = an_850("N1*ST*X", f"N1*a*b{break_}c*d{break_}e")
    assert [(each.code, each.position, each.element, each.path) for each in said(document)] == [
        ("line_break_in_data", 3, 2, "N1[2].02"),
        ("line_break_in_data", 3, 3, "N1[2].03"),
    ]


def test_a_line_break_in_an_isa_is_said() -> None:
    document = an_850(head=isa(e2="a\nb"))
    assert said(document) == [Said("line_break_in_data", None, "ISA", 1, 2, "ISA.02", 7, 1)]
    assert fields_of(document)["ISA.02"] == "a\nb"


@pytest.mark.parametrize("character", ["é", "日", "\x01", "\x7f", "\t", "\x85", "\u2028", "§"])
def test_a_character_outside_the_extended_set_is_said(character: str) -> None:
    document = an_850("N1*ST*X", f"N1*BT*a{character}")
    at = document.index("a" + character)
    assert said(document) == [Said("extended_charset", 1, "N1", 3, 2, "N1[2].02", at, 1)]
    assert fields_of(document)["N1[2].02"] == "a" + character


@pytest.mark.parametrize("character", ["^", "`"])
@pytest.mark.parametrize(
    ("isa12", "gs08", "is_reported"),
    [
        ("00401", "004010", True),
        ("00401", "004061", True),
        ("00401", "005010", False),
        ("00501", "005010X222A1", False),
        ("00501", "004010", True),
        ("00801", "008010", False),
        ("00401", "", True),
        ("00501", "", False),
    ],
)
def test_circumflex_and_grave_accent_belong_to_the_set_from_005010_on(
    character: str, isa12: str, gs08: str, *, is_reported: bool
) -> None:
    document = with_version(f"MSG*a{character}", isa12, gs08)
    assert ("extended_charset" in codes(document)) is is_reported
    assert fields_of(document)["MSG.01"] == f"a{character}"


def test_every_character_of_the_extended_set_is_silent() -> None:
    extended = "".join(map(chr, range(0x20, 0x7F)))
    text = extended.translate(dict.fromkeys(map(ord, "*~>^`")))
    document = an_850(f"MSG*{text}")
    assert codes(document) == []
    assert fields_of(document)["MSG.01"] == text


def test_separators_are_outside_no_set() -> None:
    head = isa("\x1d", e11="\x1e", e12="00501", e16="\x1f")
    inside = an_850("ZZZ*a\x1fb*c\x1ed", head="@").replace("@~", "").replace("*", "\x1d")
    document = head + "\x1c" + inside.replace("~", "\x1c")
    fields = fields_of(document)
    assert (fields["ZZZ.01"], fields["ZZZ.01.02"], fields["ZZZ.02[2]"]) == ("a\x1fb", "b", "d")
    assert (fields["ISA.11"], fields["ISA.16"]) == ("\x1e", "\x1f")
    assert codes(document) == []


@pytest.mark.parametrize(
    ("segment_id", "verdict"),
    [("A", True), ("1", True), ("a" * 15, True), ("a" * 16, False), ("", False), ("é", False)],
)
def test_an_id_of_up_to_fifteen_letters_and_digits_has_keys(
    segment_id: str, *, verdict: bool
) -> None:
    assert has_keys(segment_id) is verdict
