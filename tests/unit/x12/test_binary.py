"""Binary segments: data by length, counted in octets, else in characters, else split normally."""

import base64

import pytest

from longshore.x12.binary import BinarySegment, Octets, binary_value, read_binary
from longshore.x12.delimiters import Delimiters
from tests.unit.x12.documents import (
    Said,
    a_set,
    an_850,
    codes,
    fields_of,
    interchange,
    isa,
    said,
    segments_of,
)

MARKS = Delimiters("*", "~", ":")
HEAD = isa() + "~"


def read(text: str, *, is_last: bool = True) -> BinarySegment | int | None:
    return read_binary(text, 0, MARKS, Octets(is_single_octet=False), is_last=is_last)


@pytest.mark.parametrize(
    "data",
    ["", "A~B*C:\nD~", "~~~", "***", "ISA*00*", "IEA*1*000000101~", "~IEA*0*000000101~" + HEAD],
    ids=repr,
)
def test_data_may_hold_anything(data: str) -> None:
    document = an_850(f"BIN*{len(data)}*{data}", "N1*ST*X")
    fields = fields_of(document)
    assert fields.get("BIN.02", "") == data
    assert (fields["BIN.01"], fields["N1.02"], fields["SE.01"]) == (str(len(data)), "X", "4")
    assert codes(document) == []


def test_a_filtered_binary_segment_has_its_length_second() -> None:
    document = an_850("BDS*B64*5*A~B*C", "N1*ST*X")
    fields = fields_of(document)
    assert (fields["BDS.01"], fields["BDS.02"], fields["BDS.03"]) == ("B64", "5", "A~B*C")
    assert fields["N1.02"] == "X"


@pytest.mark.parametrize(("break_", "segment"), [("\r\n", "~"), ("", "\n"), ("", "\r\n")])
def test_binary_data_ends_before_any_terminator(break_: str, segment: str) -> None:
    document = an_850("BIN*3*\r\n~", "BIN*0*", "N1*ST*X", break_=break_, segment=segment)
    fields = fields_of(document)
    assert (fields["BIN.02"], fields["BIN[2].01"], fields["N1.02"]) == ("\r\n~", "0", "X")
    assert codes(document) == []


@pytest.mark.parametrize("count", [5, 7])
def test_length_counts_utf_8_octets_else_characters(count: int) -> None:
    # Five characters in seven octets; after five octets there is no terminator.
    document = an_850(f"BIN*{count}*é~aéb", "N1*ST*X")
    assert fields_of(document)["BIN.02"] == "é~aéb"
    assert codes(document) == []


def test_octets_come_before_characters_where_both_lead_to_a_terminator() -> None:
    document = an_850("BIN*2*é~", "N1*ST*X")
    assert fields_of(document)["BIN.02"] == "é"
    assert "N1.02" in fields_of(document)


def test_length_counts_the_octets_of_an_iso_8859_1_document() -> None:
    document = an_850("BIN*2*é~", "N1*ST*Zürich").encode("iso-8859-1")
    fields = fields_of(document)
    # The data are the octets E9 7E, which are no UTF-8 text.
    assert fields["BIN.02"] == base64.b64encode(b"\xe9~").decode()
    assert fields["N1.02"] == "Zürich"
    assert codes(document) == ["binary_base64", "extended_charset"]


def test_octets_that_are_utf_8_in_an_iso_8859_1_document_are_text() -> None:
    data = "é".encode()
    document = an_850("BIN*2*@@", "N1*ST*~").encode().replace(b"@@", data).replace(b"~N", b"~N")
    latin = document.replace(b"ST*~", b"ST*\xff")
    assert fields_of(latin)["BIN.02"] == "é"


@pytest.mark.parametrize("data", ["a\0b", "\x1b[1m", "\x7f", "\x01", "\x0c"], ids=repr)
def test_data_with_control_characters_is_base64(data: str) -> None:
    document = an_850("N1*ST*X", f"BIN*{len(data)}*{data}")
    at = document.index("BIN")
    assert fields_of(document)["BIN.02"] == base64.b64encode(data.encode()).decode()
    place = at + len(f"BIN*{len(data)}*")
    assert said(document) == [Said("binary_base64", 1, "BIN", 3, 2, "BIN.02", place, 1)]
    assert segments_of(document)[4]["e"] == [
        str(len(data)), {"b64": base64.b64encode(data.encode()).decode()}
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("segment", "values"),
    [
        ("BIN*99*ABC", ["99", "ABC"]),
        ("BIN*2*ABC", ["2", "ABC"]),
        ("BIN*-1*ABC", ["-1", "ABC"]),
        ("BIN*x*ABC", ["x", "ABC"]),
        ("BIN**ABC", ["", "ABC"]),
        ("BIN*٣*ABC", ["٣", "ABC"]),
        ("BIN*3", ["3"]),
        ("BIN*", [""]),
        ("BIN*9999999999*ABC", ["9999999999", "ABC"]),
        ("BDS*ASC*99*ABC", ["ASC", "99", "ABC"]),
        ("BDS*3*ABC", ["3", "ABC"]),
        ("BDS*" + "A" * 300 + "*1*B", ["A" * 300, "1", "B"]),
    ],
)
def test_a_lying_length_splits_normally_and_is_said(segment: str, values: list[str]) -> None:
    document = an_850("N1*ST*X", segment, "N1*BT*Y")
    at = document.index(segment)
    tag = segment[:3]
    assert Said("binary_length_mismatch", 1, tag, 3, None, tag, at, 1) in said(document)
    found = segments_of(document)[4]
    assert (found["id"], found["e"]) == (tag, values)
    assert fields_of(document)["N1[2].02"] == "Y"


def test_a_binary_segment_without_elements_is_an_ordinary_one() -> None:
    assert codes(an_850("BIN", "BDS")) == []


def test_lying_data_is_split_into_its_parts_by_no_separator_but_the_element_separator() -> None:
    document = an_850("BIN*9*A>B", head=isa(e11="^", e12="00501"))
    fields = fields_of(document)
    assert fields["BIN.02"] == "A>B"
    assert "BIN.02.01" not in fields


@pytest.mark.parametrize("count", [3, 4])
def test_data_at_the_end_of_the_document_may_lack_its_terminator(count: int) -> None:
    document = interchange(*a_set(), break_="\n").rsplit("SE", 1)[0] + f"BIN*{count}*A~B"
    found = codes(document)
    assert ("binary_length_mismatch" in found) == (count == 4)
    assert "missing_final_terminator" in found
    assert segments_of(document)[2]["e"] == ["3", "A~B"] if count == 3 else ["4", "A"]


def test_binary_segments_are_numbered_like_others() -> None:
    fields = fields_of(an_850("BIN*1*A", "BIN*1*~", "BIN*9*C"))
    assert (fields["BIN.02"], fields["BIN[2].02"], fields["BIN[3].02"]) == ("A", "~", "C")


def test_reading_asks_for_the_text_it_needs_to_decide() -> None:
    assert read("BIN*5*AB", is_last=False) == 6 + 5 + 2
    assert read("BIN*5", is_last=False) == 256
    assert read("BDS*ASC*5", is_last=False) == 256
    assert read("BIN*5*AB") is None
    assert read("BIN*2*AB~") == BinarySegment(elements=["BIN", "2", "AB"], end=8)


def test_octets_are_counted_from_any_place() -> None:
    octets = Octets(is_single_octet=False)
    text = "aé~日b"
    asked = [(1, 2), (0, 3), (0, 2), (3, 3), (3, 4), (5, 9), (2, 0)]
    ends = [octets.end_of(text, start, count, ("~", "b")) for start, count in asked]
    assert ends == [2, 2, None, 4, 5, None, 2]
    assert octets.end_of("abc", 1, 99, ("~",)) == 100
    assert Octets(is_single_octet=True).end_of(text, 1, 2, ("~",)) == 3


@pytest.mark.parametrize(
    ("data", "single", "value"),
    [
        ("plain\ttext\r\n", False, ("plain\ttext\r\n", False)),
        ("é", False, ("é", False)),
        ("\xc3\xa9", True, ("é", False)),
        ("\xe9", True, ("6Q==", True)),
        ("\x00", False, ("AA==", True)),
    ],
)
def test_the_value_is_text_where_the_octets_are(
    data: str, value: tuple[str, bool], *, single: bool
) -> None:
    assert binary_value(data, is_single_octet=single) == value
