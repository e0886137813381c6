"""A partner's complaint brought back to our document: value, key, offset, rule, hint."""

from collections.abc import Mapping
from json import dumps

import pytest

from longshore.domain.acks.back_mapping import (
    MAX_ERRORS,
    OurSet,
    errors_of,
    noted_positions,
    our_sets,
    rules_by_target,
)
from longshore.domain.acks.model import AckError, AckErrorLevel, AckForm
from longshore.engine import Stamp, convert
from longshore.x12.acks.read import SetAck, read_group_ack
from longshore.x12.delimiters import Delimiters
from longshore.x12.dictionary.library import shipped
from longshore.x12.walk import Walk
from tests.unit.x12.documents import a_group, a_set, an_850, interchange, isa

BODY = (
    "BEG*00*SA*PO-1**20240115",
    "PO1*1*10*EA*9.25**UP*012345678905",
    "PO1*2*20*EA*1.5**XX*4711",
    "CTT*2",
)
DOCUMENT = an_850(*BODY, break_="\r\n")
MARKS = Delimiters("*", "~", ":", "^")


def an_ack(*notes: str) -> SetAck:
    rows = [each.split("*") for each in ("ST*997*0001", "AK1*PO*7", "AK2*850*0001", *notes)]
    return read_group_ack(rows, MARKS).sets[0]


def ours(
    ack: SetAck, document: str = DOCUMENT, tx_index: int = 1, rules: Mapping[str, int] | None = None
) -> OurSet:
    walk = Walk(lambda: (document,))
    return our_sets(walk, {tx_index: noted_positions(ack)}, shipped(), rules or {})[tx_index]


def errors(
    *notes: str,
    document: str = DOCUMENT,
    tx_index: int = 1,
    rules: Mapping[str, int] | None = None,
    form: AckForm = AckForm.F997,
) -> list[AckError]:
    ack = an_ack(*notes)
    return [*errors_of(ack, form, ours(ack, document, tx_index, rules))]


def test_an_element_is_found_with_its_rule_and_what_would_be_allowed() -> None:
    rules = {"PO1[2].06": 12, "PO1[2].02": 3}
    (error,) = errors("AK3*PO1*4**8", "AK4*6*235*7*XX", rules=rules)
    assert (error.our_value, error.our_path, error.our_rule) == ("XX", "PO1[2].06", "field_map[12]")
    assert error.our_offset is not None
    assert DOCUMENT[error.our_offset : error.our_offset + 7] == "XX*4711"
    assert (error.level, error.source, error.segment_position) == (AckErrorLevel.ELEMENT, "AK4", 4)
    assert (error.element_ref, error.code, error.code_meaning, error.bad_value) == (
        *("235", "7", "Invalid code value"),
        "XX",
    )
    codes = error.hint.removeprefix("Allowed here: ").split(", ")
    assert len(codes) == 33
    assert "XX" not in codes


def test_of_a_short_list_every_code_is_named() -> None:
    (error,) = errors("AK3*BEG*2**8", "AK4*1*353*7*00")
    assert error.hint.startswith("Allowed here: 00, ")
    assert (error.our_path, error.our_value, error.our_rule) == ("BEG.01", "00", "")


def test_other_errors_have_no_hint() -> None:
    (error,) = errors("AK3*PO1*3**8", "AK4*2*330*5*10")
    assert (error.our_value, error.hint) == ("10", "")


def test_where_there_are_no_codes_there_is_no_hint() -> None:
    (error,) = errors("AK3*PO1*3**8", "AK4*2*330*7*10")
    assert (error.our_path, error.hint) == ("PO1.02", "")


def test_a_missing_element_is_where_it_would_be() -> None:
    (error,) = errors("AK3*CTT*5**8", "AK4*2*347*1")
    assert (error.our_path, error.our_value) == ("CTT.02", "")
    assert error.our_offset == DOCUMENT.index("CTT*2") + len("CTT*2")


def test_a_segment_is_found_with_the_first_rule_that_wrote_it() -> None:
    written = [("PO1.01", 1), ("PO1[2].02", 4), ("PO1[2].01", 5), ("PO1[2].03", None)]
    rules = rules_by_target(dumps({"outputs": [{"tgt": t, "rule": r} for t, r in written]}))
    (error,) = errors("AK3*PO1*4**7", rules=rules)
    assert (error.level, error.source) == (AckErrorLevel.SEGMENT, "AK3")
    assert (error.our_path, error.our_rule) == ("PO1[2]", "field_map[4]")
    assert error.our_offset == DOCUMENT.index("PO1*2*20")


def test_a_missing_segment_has_its_place_before_the_one_found_instead() -> None:
    (error,) = errors("AK3*CUR*3**3")
    assert (error.our_path, error.our_offset) == ("", DOCUMENT.index("PO1*1*10"))


@pytest.mark.parametrize(
    "note", ["AK3*REF*4**2", "AK3*PO1*99**8", "AK3*PO1***8", "AK3*PO1*x**8", "AK3*REF*4**8"]
)
def test_where_the_partner_counts_otherwise_nothing_is_guessed(note: str) -> None:
    for error in errors(note, "AK4*6*235*7*XX"):
        assert (error.our_path, error.our_value, error.our_offset, error.hint) == ("", "", None, "")


def test_an_element_without_position_is_not_guessed() -> None:
    (error,) = errors("AK3*PO1*4**8", "AK4**235*7")
    assert (error.our_path, error.our_offset) == ("", None)


def test_a_segment_error_beside_element_errors_is_listed_first() -> None:
    found = errors("AK3*PO1*4**5", "AK4*6*235*7*XX")
    assert [(each.level.value, each.code) for each in found] == [("segment", "5"), ("element", "7")]
    found = errors("AK3*PO1*4**8")
    assert [(each.level.value, each.code) for each in found] == [("segment", "8")]


def test_the_header_of_a_set_has_its_own_key() -> None:
    (error,) = errors("AK3*ST*1**8", "AK4*2*329*6")
    assert (error.our_path, error.our_value) == ("ST.02", "0001")


def test_a_later_set_is_counted_by_itself() -> None:
    second = a_set("BEG*00*SA*PO-2**20240115", "PO1*1*7*EA*3**UP*1", number="0002")
    groups = a_group(*a_set(*BODY), *second, sets=2)
    document = interchange(*groups, "IEA*1*000000101")
    (error,) = errors("AK3*PO1*3**8", "AK4*2*330*7*7", document=document, tx_index=2)
    assert (error.our_path, error.our_value) == ("ST[2]/PO1.02", "7")
    assert error.our_offset == document.index("PO1*1*7") + 6
    (header,) = errors("AK3*ST*1**8", "AK4*2*329*6", document=document, tx_index=2)
    assert header.our_path == "ST[2].02"


def test_several_sets_are_found_in_one_walk() -> None:
    second = a_set("BEG*00*SA*PO-2**20240115", "PO1*1*7*EA*3**UP*1", number="0002")
    document = interchange(*a_group(*a_set(*BODY), *second, sets=2), "IEA*1*000000101")
    wanted = {1: frozenset({4}), 2: frozenset({3}), 9: frozenset({2})}
    found = our_sets(Walk(lambda: (document,)), wanted, shipped(), {})
    keys = {index: [each.key for each in ours.segments.values()] for index, ours in found.items()}
    assert keys == {1: ["PO1[2]"], 2: ["ST[2]/PO1"], 9: []}


def test_a_wrapped_document_counts_its_line_breaks() -> None:
    text = an_850(*BODY)
    wrapped = "\n".join(text[at : at + 60] for at in range(0, len(text), 60))
    (error,) = errors("AK3*PO1*4**8", "AK4*7*234*7", document=wrapped)
    assert error.our_offset is not None
    assert wrapped[error.our_offset :].replace("\n", "").startswith("4711~CTT")


HEAD_5010 = isa(e11="^", e12="00501", e16=":")
HI = "HI*ABK:A1^ABF:B2*BK:X"


@pytest.mark.parametrize(
    ("position", "path", "value", "behind"),
    [
        ("1", "HI.01", "ABK:A1", "ABK:A1^"),
        ("1:2", "HI.01.02", "A1", "A1^"),
        ("1:2:2", "HI.01[2].02", "B2", "B2*"),
        ("1::2", "HI.01[2]", "ABF:B2", "ABF:B2*"),
        ("1:3", "HI.01.03", "", "^ABF"),
        ("1:1:3", "HI.01[3]", "", "*BK"),
        ("2:1", "HI.02.01", "BK", "BK:X~"),
        ("3:2", "HI.03.02", "", "~SE"),
    ],
)
def test_parts_of_an_element_are_found(position: str, path: str, value: str, behind: str) -> None:
    body = a_set("BHT*0019*00*B-1", HI, set_id="837")
    gs = "GS*HC*SENDER*RECEIVER*20240115*0930*7*X*005010X222A1"
    document = interchange(gs, *body, "GE*1*7", "IEA*1*000000101", head=HEAD_5010)
    note = f"IK4*{position}*1271*I6"
    (error,) = errors("IK3*HI*3**8", note, document=document, form=AckForm.F999)
    assert (error.our_path, error.our_value, error.source) == (path, value, "IK4")
    assert error.our_offset is not None
    assert document[error.our_offset :].startswith(behind)


def test_a_component_of_what_has_none_is_the_whole() -> None:
    (error,) = errors("AK3*ZZZ*3**8", "AK4*1:1*1*7", document=an_850(BODY[0], "ZZZ*AB"))
    assert (error.our_path, error.our_value) == ("ZZZ.01", "AB")


def test_released_separators_are_data() -> None:
    head = isa(e11="^", e12="00704", e16=":")
    group = a_group(*a_set("BEG*00*SA*PO?*1**20240115"))
    document = interchange("ISX*?", *group, "IEA*1*000000101", head=head)
    (error,) = errors("AK3*BEG*2**8", "AK4*3*324*5", document=document)
    assert (error.our_path, error.our_value) == ("BEG.03", "PO*1")
    assert error.our_offset == document.index("PO?*1")


def test_binary_data_is_found_as_a_whole() -> None:
    body = ("BEG*00*SA*PO-1**20240115", "BIN*5*A~B*C", "CTT*1")
    document = an_850(*body)
    (error,) = errors("AK3*BIN*3**8", "AK4*2*785*6", document=document)
    assert (error.our_path, error.our_value) == ("BIN.02", "A~B*C")
    assert error.our_offset == document.index("A~B*C")


def test_a_composite_written_by_parts_has_the_rule_of_the_first() -> None:
    rules = {"ZZZ.01.01": 2, "ZZZ.01.02": 3}
    document = an_850(BODY[0], "ZZZ*A>B")
    (whole,) = errors("AK3*ZZZ*3**8", "AK4*1*1*7", document=document, rules=rules)
    (part,) = errors("AK3*ZZZ*3**8", "AK4*1:2*1*7", document=document, rules=rules)
    assert (whole.our_rule, part.our_rule) == ("field_map[2]", "field_map[3]")


def test_rules_come_from_the_lineage_that_a_conversion_leaves() -> None:
    rules = [
        {"const": "00", "tgt": "BEG.01"},
        {"const": "SA", "tgt": "BEG.02"},
        {"src": "po", "tgt": "BEG.03"},
    ]
    converted = convert(
        '{"po": "PO-7"}',
        rules,
        source_format="json",
        target_format="x12",
        envelope={"tx_set": "850"},
        is_explained=True,
        stamp=Stamp(date="20240115", time="0930"),
    )
    lineage = converted.outputs[0].explain
    assert lineage is not None
    found = rules_by_target(lineage)
    assert found["BEG.03"] == 2
    assert "ISA.13" not in found
    document = converted.output
    (error,) = errors("AK3*BEG*2**8", "AK4*3*324*5*PO-7", document=document, rules=found)
    assert (error.our_value, error.our_rule) == ("PO-7", "field_map[2]")


def test_a_set_that_is_not_there_has_nothing() -> None:
    found = ours(an_ack("AK3*PO1*3**8"), tx_index=9)
    assert (found.segments, found.definition) == ({}, None)


def test_a_fragment_is_found_too() -> None:
    document = "ST*850*0001~BEG*00*SA*PO-1**20240115~SE*3*0001~"
    (error,) = errors("AK3*BEG*2**8", "AK4*3*324*5", document=document)
    assert (error.our_path, error.our_offset) == ("BEG.03", document.index("PO-1"))


def test_at_most_1000_errors_are_kept() -> None:
    notes = ("AK3*PO1*4**5",) * (MAX_ERRORS + 1)
    assert len(errors(*notes)) == MAX_ERRORS
