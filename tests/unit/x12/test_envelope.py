"""The control structure: every finding, with its acknowledgement code and exact place."""

import pytest

from longshore.engine import parse
from longshore.x12.findings import MAX_FINDINGS, Severity
from tests.unit.x12.documents import (
    GS,
    Said,
    a_group,
    a_set,
    an_850,
    codes,
    fields_of,
    interchange,
    isa,
    isa_with,
    result_of,
    said,
    segments_of,
)

IEA = "IEA*1*000000101"
SET = a_set("BEG*00*SA*PO-1")
ISA_PLACES = {
    1: 4, 3: 18, 5: 32, 6: 35, 7: 51, 8: 54, 9: 70, 10: 77, 11: 82, 12: 84, 13: 90, 14: 100,
    15: 102,
}  # fmt: skip


def lines(*segments: str, head: str = "") -> str:
    """Return an interchange with one segment a line."""
    return interchange(*segments, break_="\n", head=head)


def the_only_finding(document: str) -> tuple[Said, dict[str, str] | None, Severity]:
    parsed = parse(document)
    (finding,) = (*parsed.errors, *parsed.warnings)
    (place,) = said(document)
    ack_code = dict(finding.ack_code) if finding.ack_code else None
    return place, ack_code, finding.severity


@pytest.mark.parametrize(
    ("element", "value", "code", "ack"),
    [
        (1, "07", "authorization_qualifier_invalid", "010"),
        (1, "", "authorization_qualifier_invalid", "010"),
        (3, "02", "security_qualifier_invalid", "012"),
        (5, "", "sender_qualifier_invalid", "005"),
        (5, "Z", "sender_qualifier_invalid", "005"),
        (5, "Z-", "sender_qualifier_invalid", "005"),
        (6, "", "sender_id_invalid", "006"),
        (7, "1 ", "receiver_qualifier_invalid", "007"),
        (8, "   ", "receiver_id_invalid", "008"),
        (9, "241340", "interchange_date_invalid", "014"),
        (9, "240230", "interchange_date_invalid", "014"),
        (9, "230229", "interchange_date_invalid", "014"),
        (9, "24011", "interchange_date_invalid", "014"),
        (9, "24O115", "interchange_date_invalid", "014"),
        (9, "٢٤٠١١٥", "interchange_date_invalid", "014"),
        (10, "2400", "interchange_time_invalid", "015"),
        (10, "0960", "interchange_time_invalid", "015"),
        (10, "", "interchange_time_invalid", "015"),
        (11, "A", "standards_id_invalid", "016"),
        (11, "", "standards_id_invalid", "016"),
        (12, "00101", "interchange_version_invalid", "017"),
        (12, "00900", "interchange_version_invalid", "017"),
        (12, "4010", "interchange_version_invalid", "017"),
        (14, "2", "acknowledgment_requested_invalid", "019"),
        (14, "", "acknowledgment_requested_invalid", "019"),
        (15, "X", "usage_indicator_invalid", "020"),
        (15, "p", "usage_indicator_invalid", "020"),
    ],
)
def test_each_element_of_the_isa_has_its_rule(
    element: int, value: str, code: str, ack: str
) -> None:
    document = an_850(head=isa_with(element, value))
    found = parse(document).errors
    assert [(each.code, each.ack_code) for each in found] == [(code, {"interchange": ack})]
    place = Said(code, None, "ISA", 1, element, f"ISA.{element:02d}", ISA_PLACES[element], 1)
    assert place in said(document)


def test_a_control_number_that_is_none_is_said_and_the_trailer_still_compared() -> None:
    document = an_850(head=isa(e13="12345678"))
    assert said(document) == [
        Said("interchange_control_number_invalid", None, "ISA", 1, 13, "ISA.13", 90, 1),
        Said("interchange_control_number_mismatch", None, "IEA", 7, 2, "IEA.02",
             document.index("000000101"), 1),
    ]  # fmt: skip


@pytest.mark.parametrize("date", ["240229", "000229", "990228", "681231", "690101"])
@pytest.mark.parametrize("element", ["01", "06"])
def test_real_dates_and_known_codes_say_nothing(date: str, element: str) -> None:
    assert codes(an_850(head=isa(e9=date, e1=element, e15="P", e14="1", e10="2359"))) == []


@pytest.mark.parametrize("qualifier", ["01", "02", "08", "14", "20", "33", "38", "ZZ", "AM"])
def test_a_known_qualifier_says_nothing(qualifier: str) -> None:
    assert codes(an_850(head=isa(e5=qualifier, e7=qualifier))) == []


def test_an_unknown_qualifier_only_warns() -> None:
    document = an_850(head=isa(e5="99", e7="Q1"))
    assert parse(document).errors == ()
    assert said(document) == [
        Said("unknown_qualifier", None, "ISA", 1, 5, "ISA.05", 32, 1),
        Said("unknown_qualifier", None, "ISA", 1, 7, "ISA.07", 51, 1),
    ]


FAULTS = [
    ("SE01 wrong", (*a_group(*SET[:-1], "SE*99*0001"), IEA),
     "segment_count_wrong", {"set": "4"}, ("SE", 1, 3, 1)),
    ("SE01 empty", (*a_group(*SET[:-1], "SE**0001"), IEA),
     "segment_count_wrong", {"set": "4"}, ("SE", 1, 3, 1)),
    ("SE01 no number", (*a_group(*SET[:-1], "SE*3.0*0001"), IEA),
     "segment_count_wrong", {"set": "4"}, ("SE", 1, 3, 1)),
    ("SE02 differs", (*a_group(*SET[:-1], "SE*3*0002"), IEA),
     "set_control_number_mismatch", {"set": "3"}, ("SE", 1, 3, 2)),
    ("SE02 padded differently", (*a_group(*SET[:-1], "SE*3*00001"), IEA),
     "set_control_number_mismatch", {"set": "3"}, ("SE", 1, 3, 2)),
    ("SE02 absent", (*a_group(*SET[:-1], "SE*3"), IEA),
     "set_control_number_mismatch", {"set": "3"}, ("SE", 1, 3, 2)),
    ("ST01 too short", (*a_group("ST*85*0001", "SE*2*0001"), IEA),
     "set_id_invalid", {"set": "6"}, ("ST", 1, 1, 1)),
    ("ST02 too short", (*a_group("ST*850*001", "SE*2*001"), IEA),
     "set_control_number_invalid", {"set": "7"}, ("ST", 1, 1, 2)),
    ("ST02 too long", (*a_group("ST*850*0123456789", "SE*2*0123456789"), IEA),
     "set_control_number_invalid", {"set": "7"}, ("ST", 1, 1, 2)),
    ("SE missing before GE", (*a_group(*SET[:-1]), IEA),
     "set_trailer_missing", {"set": "2"}, ("ST", 1, 1, None)),
    ("GE01 wrong", (*a_group(*SET, sets=2), IEA),
     "set_count_wrong", {"group": "5"}, ("GE", None, 6, 1)),
    ("GE02 differs", (GS, *SET, "GE*1*8", IEA),
     "group_control_number_mismatch", {"group": "4"}, ("GE", None, 6, 2)),
    ("GS06 no number", (*a_group(*SET, number="A7"), IEA),
     "group_control_number_invalid", {"group": "6"}, ("GS", None, 2, 6)),
    ("GS06 too long", (*a_group(*SET, number="1234567890"), IEA),
     "group_control_number_invalid", {"group": "6"}, ("GS", None, 2, 6)),
    ("GE missing before IEA", (GS, *SET, IEA),
     "group_trailer_missing", {"group": "3"}, ("GS", None, 2, None)),
    ("GS08 missing", (GS.replace("*004010", ""), *SET, "GE*1*7", IEA),
     "interchange_content_invalid", {"interchange": "024"}, ("GS", None, 2, 8)),
    ("GS02 empty", (GS.replace("SENDER", ""), *SET, "GE*1*7", IEA),
     "interchange_content_invalid", {"interchange": "024"}, ("GS", None, 2, 2)),
    ("IEA01 wrong", (*a_group(*SET), "IEA*2*000000101"),
     "group_count_wrong", {"interchange": "021"}, ("IEA", None, 7, 1)),
    ("IEA01 absent", (*a_group(*SET), "IEA**000000101"),
     "group_count_wrong", {"interchange": "021"}, ("IEA", None, 7, 1)),
    ("IEA02 differs", (*a_group(*SET), "IEA*1*000000102"),
     "interchange_control_number_mismatch", {"interchange": "001"}, ("IEA", None, 7, 2)),
    ("a set outside every group", (*SET, "IEA*0*000000101"),
     "interchange_content_invalid", {"interchange": "024"}, ("ST", 1, 1, None)),
    ("SE without ST", (*a_group("SE*1*0001", sets=0), IEA),
     "control_structure_invalid", {"interchange": "022"}, ("SE", None, 3, None)),
    ("GE without GS", ("GE*1*7", "IEA*0*000000101"),
     "control_structure_invalid", {"interchange": "022"}, ("GE", None, 2, None)),
    ("TA1 in a group", (*a_group("TA1*1", *SET), IEA),
     "control_structure_invalid", {"interchange": "022"}, ("TA1", None, 3, None)),
    ("ISB in a set", (*a_group(*a_set("ISB*1")), IEA),
     "control_structure_invalid", {"interchange": "022"}, ("ISB", 1, 2, None)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("_case", "segments", "code", "ack", "place"), FAULTS, ids=[each[0] for each in FAULTS]
)
def test_each_fault_of_the_structure_is_one_error_at_its_place(
    _case: str,
    segments: tuple[str, ...],
    code: str,
    ack: dict[str, str],
    place: tuple[str, int | None, int, int | None],
) -> None:
    document = lines(*segments)
    tag, tx, position, element = place
    line = next(at for at, text in enumerate(document.split("\n"), 1) if text.startswith(tag))
    text = document.split("\n")[line - 1].rstrip("~")
    column = len("*".join(text.split("*")[:element])) + 1 if element else 0
    path = f"{tag}.{element:02d}" if element else tag
    offset = document.index("\n" + tag) + 1 + min(column, len(text))
    assert the_only_finding(document) == (
        Said(code, tx, tag, position, element, path, offset, line),
        ack,
        Severity.ERROR,
    )


def test_two_missing_identifiers_of_an_st_are_two_errors() -> None:
    document = lines(*a_group("ST", "SE*2*"), IEA)
    assert [(each.code, each.element) for each in said(document)] == [
        ("set_id_invalid", 1),
        ("set_control_number_invalid", 2),
        ("trailing_separators", None),
    ]


def test_a_set_number_used_twice_in_a_group_is_an_error_at_the_second() -> None:
    document = lines(*a_group(*SET, *SET, sets=2), IEA)
    at = document.rindex("ST*850") + 7
    assert said(document) == [Said("set_control_number_repeated", 2, "ST", 1, 2, "ST[2].02", at, 6)]
    assert parse(document).errors[0].ack_code == {"set": "23"}
    assert codes(lines(*a_group(*SET), *a_group(*SET, number="8"), "IEA*2*000000101")) == []


@pytest.mark.parametrize("second", ["7", "007"])
def test_a_group_number_used_twice_in_an_interchange_is_an_error_at_the_second(
    second: str,
) -> None:
    document = lines(*a_group(*SET), *a_group(*SET, number=second), "IEA*2*000000101")
    at = document.rindex("GS*PO") + GS.index("*7*") + 1
    assert said(document) == [
        Said("group_control_number_repeated", None, "GS", 7, 6, "GS[2].06", at, 7)
    ]
    assert parse(document).errors[0].ack_code == {"group": "19"}
    assert codes(an_850() + an_850()) == []


@pytest.mark.parametrize("trailer", ["GE*01*007", "GE*1*7", "GE*1*000000007"])
def test_group_numbers_are_compared_as_numbers(trailer: str) -> None:
    assert codes(lines(GS, *SET, trailer, IEA)) == []


def test_an_interchange_number_padded_differently_is_accepted_with_a_warning() -> None:
    document = lines(*a_group(*SET), "IEA*1*101")
    at = document.index("*101~") + 1
    assert the_only_finding(document) == (
        Said("control_number_padding", None, "IEA", 7, 2, "IEA.02", at, 7),
        None,
        Severity.WARNING,
    )


@pytest.mark.parametrize(
    ("segments", "found"),
    [
        (("TA1*000000077*240114*2359*A*000", "IEA*0*000000101"), []),
        (("TA1*1", "TA1*2", "IEA*0*000000101"), []),
        (("IEA*0*000000101",), []),
        (("TA1*1", IEA), ["ta1_only_group_count"]),
        ((IEA,), ["group_count_wrong"]),
        (("TA1*1", "IEA*2*000000101"), ["group_count_wrong"]),
        (("ISB*1", "ISE*1*2*3", "TA1*1", *a_group(*SET), IEA), []),
        (("ISX*?", *a_group(*SET), IEA), []),
        ((*a_group(*SET), "TA1*1", IEA), ["ta1_after_group"]),
        ((GS, *SET, "TA1*1", "GE*1*7", IEA), ["control_structure_invalid"]),
        ((*a_group(*SET), "ISX*?", IEA), ["control_structure_invalid"]),
        (("TA1*1", *a_group(*SET), "IEA*2*000000101"), ["group_count_wrong"]),
        ((*a_group(sets=0), IEA), []),
    ],
)  # fmt: skip
def test_interchanges_without_groups_and_with_acknowledgements(
    segments: tuple[str, ...], found: list[str]
) -> None:
    assert codes(lines(*segments, head=isa(e12="00704", e11="^"))) == found


def test_a_trailer_missing_before_the_next_header_is_said_of_the_header_left_open() -> None:
    document = lines(
        GS, *SET[:-1], *SET[:-1], GS.replace("*7*", "*8*"), "GE*0*8", "IEA*2*000000101"
    )
    first, second = document.index("ST*"), document.rindex("ST*")
    assert said(document) == [
        Said("set_trailer_missing", 1, "ST", 1, None, "ST", first, 3),
        Said("set_control_number_repeated", 2, "ST", 1, 2, "ST[2].02", second + 7, 5),
        Said("set_trailer_missing", 2, "ST", 1, None, "ST[2]", second, 5),
        Said("group_trailer_missing", None, "GS", 2, None, "GS", document.index("GS*"), 2),
    ]


def test_an_interchange_left_open_before_the_next_isa_is_said() -> None:
    document = lines(*a_group(*SET)) + lines("IEA*0*000000101")
    assert said(document) == [
        Said("interchange_trailer_missing", None, "ISA", 1, None, "ISA", 0, 1)
    ]
    assert parse(document).errors[0].ack_code == {"interchange": "023"}


def test_segments_outside_every_set_are_said_once_a_span_and_keyed_apart() -> None:
    document = lines("N1*A", "N1*B", GS, "N1*C", *a_set("N1*D"), "GE*1*7", "N1*E", IEA)
    assert [(each.code, each.position, each.path, each.line) for each in said(document)] == [
        ("interchange_content_invalid", 2, None, 2),
        ("interchange_content_invalid", 5, None, 5),
        ("interchange_content_invalid", 10, None, 10),
    ]
    fields = fields_of(document)
    names = ("N1", "ST[0]/N1", "ST[0]/N1[2]", "ST[0]/N1[4]")
    assert [fields[f"{name}.01"] for name in names] == ["D", "A", "B", "E"]


def test_a_fragment_is_held_to_no_interchange() -> None:
    assert codes("~".join((*SET, ""))) == ["no_envelope"]
    assert codes("~".join(("N1*A", *SET, "N1*B", ""))) == ["no_envelope"]
    assert codes("~".join((*SET[:-1], ""))) == ["set_trailer_missing", "no_envelope"]
    assert codes("~".join((*a_group(*SET), ""))) == ["no_envelope"]


def test_transactions_tell_release_and_count_by_group_then_st03_then_isa() -> None:
    first = a_group(*a_set("BEG*00"))
    second = (GS.replace("*7*", "*8*").replace("*004010", "*"), "ST*810*0001*005010X1", "SE*2*0001")
    third = ("ST*997*0002", "SE*2*0002", "GE*2*8")
    result = result_of(lines(*first, *second, *third, "IEA*2*000000101"))
    assert result["version"] == "004010"
    assert result["transactions"] == [
        {"index": 1, "tx_set": "850", "tx_set_name": "Purchase order", "control_number": "0001",
         "segment_count": 3, "version": "004010"},
        {"index": 2, "tx_set": "810", "tx_set_name": "Invoice", "control_number": "0001",
         "segment_count": 2, "version": "005010X1"},
        {"index": 3, "tx_set": "997", "tx_set_name": "Functional acknowledgment",
         "control_number": "0002", "segment_count": 2, "version": "00401"},
    ]  # fmt: skip


def test_the_version_of_a_document_without_group_is_that_of_its_isa() -> None:
    assert result_of(lines("IEA*0*000000101"))["version"] == "00401"


def test_positions_count_from_st_and_restart() -> None:
    view = segments_of(
        lines(*a_group(*a_set("N1*A", "N1*B"), *a_set("N1*C", number="0002"), sets=2), IEA)
    )
    assert [(each["n"], each["tx"], each["pos"], each["key"]) for each in view] == [
        (1, 0, 0, "ISA"), (2, 0, 0, "GS"),
        (3, 1, 1, "ST"), (4, 1, 2, "N1"), (5, 1, 3, "N1[2]"), (6, 1, 4, "SE"),
        (7, 2, 1, "ST[2]"), (8, 2, 2, "ST[2]/N1"), (9, 2, 3, "SE[2]"),
        (10, 0, 0, "GE"), (11, 0, 0, "IEA"),
    ]  # fmt: skip


def test_a_flood_of_findings_is_counted_not_listed() -> None:
    document = lines(*a_group(*a_set(*["ref*1"] * 700, "N1**"), sets=3), IEA)
    parsed = parse(document)
    assert [each.code for each in parsed.errors] == [
        "set_count_wrong"
    ]  # warnings push no error out
    assert len(parsed.warnings) == MAX_FINDINGS + 1
    last = parsed.warnings[-1]
    more = "lowercase_segment_id 300, trailing_separators 1"
    assert (last.code, last.message) == (
        "findings_truncated",
        f"only {MAX_FINDINGS} errors and as many warnings are listed; more: {more}",
    )
