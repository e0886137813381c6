"""The elements of a GS, and what stands behind the last element of a control segment."""

import pytest

from longshore.engine import parse, validate
from longshore.x12.clean_document import read_clean_document
from longshore.x12.group_header import group_header_faults, is_good_group_header
from tests.unit.x12.documents import a_set, codes, interchange, isa, said

SET = a_set("BEG*00*SA*PO-1**20240115", "PO1*1*1*EA*1")
ELEMENTS = ("GS", "PO", "SENDER", "RECEIVER", "20240115", "0930", "7", "X", "004010")
OFFSETS = {1: 109, 2: 112, 3: 119, 4: 128, 5: 137, 6: 142, 7: 144, 8: 146, 9: 153}
TA1_REFUSES = {"interchange": "024"}


def gs(**elements: str) -> list[str]:
    """Return a GS; ``e4="20240230"`` sets its element 4, ``e9`` adds one."""
    row = [*ELEMENTS, ""] if "e9" in elements else [*ELEMENTS]
    return [elements.get(f"e{at}", value) for at, value in enumerate(row)]


def document(header: list[str], *, ge: str = "GE*1*7", iea: str = "IEA*1*000000101") -> str:
    return interchange("*".join(header), *SET, ge, iea, head=isa(e14="1"))


@pytest.mark.parametrize(
    ("element", "value", "code"),
    [
        (1, "", "interchange_content_invalid"),
        (1, " ", "interchange_content_invalid"),
        (2, " ", "interchange_content_invalid"),
        (2, "SIXTEENCHARACTER", "interchange_content_invalid"),
        (3, "", "interchange_content_invalid"),
        (4, "", "group_date_invalid"),
        (4, "20240230", "group_date_invalid"),
        (4, "20230229", "group_date_invalid"),
        (4, "240115", "group_date_invalid"),
        (4, "00000115", "group_date_invalid"),
        (4, "2024O115", "group_date_invalid"),
        (4, "٢٠٢٤٠١١٥", "group_date_invalid"),
        (5, "", "group_time_invalid"),
        (5, "2400", "group_time_invalid"),
        (5, "0960", "group_time_invalid"),
        (5, "09300", "group_time_invalid"),
        (5, "093060", "group_time_invalid"),
        (5, "093059123", "group_time_invalid"),
        (7, "", "group_agency_invalid"),
        (7, "x", "group_agency_invalid"),
        (7, "XT", "group_agency_invalid"),
        (8, "0040100040100", "interchange_content_invalid"),
        (9, "Z", "too_many_group_elements"),
    ],
)
def test_each_element_of_the_gs_has_its_rule(element: int, value: str, code: str) -> None:
    text = document(gs(**{f"e{element}": value}))
    [finding] = [each for each in parse(text).errors if each.segment_id == "GS"]
    assert (finding.code, finding.ack_code, finding.severity) == (code, TA1_REFUSES, "error")
    assert (finding.segment_position, finding.element_position) == (2, element)
    assert (finding.path, finding.offset) == (f"GS.{element:02d}", OFFSETS[element])
    assert "~TA1*000000101*240115*0930*R*024~" in validate(text).ack


@pytest.mark.parametrize("value", ["", "A7", "1234567890", "-7", "7 "])
def test_a_group_number_that_is_none_rejects_the_group_alone(value: str) -> None:
    text = document(gs(e6=value), ge=f"GE*1*{value}")
    [finding] = parse(text).errors
    assert (finding.code, finding.ack_code) == ("group_control_number_invalid", {"group": "6"})
    assert (finding.element_position, finding.offset) == (6, OFFSETS[6])
    assert "~TA1*000000101*240115*0930*A*000~" in validate(text).ack


def test_a_gs_without_elements_breaks_every_rule_in_order() -> None:
    found = said(document(["GS"]))
    assert [each.element for each in found if each.segment == "GS"] == [1, 2, 3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize("time", ["0000", "2359", "093059", "0930591", "09305912"])
@pytest.mark.parametrize("date", ["20240229", "20240131", "20240430", "19991231"])
def test_real_dates_and_times_say_nothing(date: str, time: str) -> None:
    assert codes(document(gs(e4=date, e5=time, e7="T"))) == []


@pytest.mark.parametrize(
    ("date", "version", "isa12", "found"),
    [
        ("240115", "003050", "00305", []),
        ("240115", "003070", "00307", []),
        ("20240115", "003050", "00305", []),
        ("240230", "003050", "00305", ["group_date_invalid"]),
        ("240115", "004010VICS", "00401", ["group_date_invalid"]),
        ("240115", "T", "00401", ["group_date_invalid"]),
        ("240115", "T", "00304", []),
    ],
)
def test_dates_had_six_digits_before_004010(
    date: str, version: str, isa12: str, found: list[str]
) -> None:
    header = "*".join(gs(e4=date, e8=version))
    text = interchange(header, *SET, "GE*1*7", "IEA*1*000000101", head=isa(e12=isa12))
    assert codes(text) == found


def test_without_any_release_both_forms_of_a_date_are_dates() -> None:
    assert [*group_header_faults(gs(e4="240115", e8="T"), "")] == []
    assert [*group_header_faults(gs(e4="240115", e8="T"), "4010 ")] == []


@pytest.mark.parametrize(
    ("ge", "iea", "code", "ack_code", "place"),
    [
        ("GE*1*7*X", "IEA*1*000000101", "too_many_group_elements", TA1_REFUSES, ("GE", 7, 3)),
        ("GE*1*7", "IEA*1*000000101*X", "too_many_interchange_elements",
         {"interchange": "022"}, ("IEA", 8, 3)),
        ("GE*1*7", "IEA*1*000000101**X", "too_many_interchange_elements",
         {"interchange": "022"}, ("IEA", 8, 3)),
    ],
)  # fmt: skip
def test_a_trailer_has_two_elements(
    ge: str, iea: str, code: str, ack_code: dict[str, str], place: tuple[str, int, int]
) -> None:
    text = document(gs(), ge=ge, iea=iea)
    [finding] = parse(text).errors
    assert (finding.code, finding.ack_code) == (code, ack_code)
    found = (finding.segment_id, finding.segment_position, finding.element_position)
    assert found == place
    assert f"*R*{ack_code['interchange']}~" in validate(text).ack


def test_empty_elements_behind_the_last_one_do_not_count() -> None:
    text = document([*gs(), "", ""], ge="GE*1*7*", iea="IEA*1*000000101**")
    assert codes(text) == ["trailing_separators"] * 3


def test_the_fast_way_knows_no_gs_that_breaks_a_rule() -> None:
    assert read_clean_document(document(gs()), may_have_parts=True) is not None
    for element in range(1, 9):
        for value in ("", " ", "~~~", "20240230", "2460", "0123456789012345"):
            row = gs(**{f"e{element}": value})
            assert not (is_good_group_header(row) and [*group_header_faults(row, "00401")])
            if [*group_header_faults(row, "00401")]:
                assert read_clean_document(document(row), may_have_parts=True) is None
