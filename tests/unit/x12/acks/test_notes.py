"""The notes about segments and elements, in each form of acknowledgement."""

import pytest

from longshore.x12.acks.contexts import add_contexts
from longshore.x12.acks.profile import AckProfile, AckType
from longshore.x12.findings import Finding, Trigger
from longshore.x12.results import BusinessUnit, SetResult
from longshore.x12.walk import Walk
from tests.unit.x12.acks.acknowledged import (
    GUIDE,
    a_document,
    a_result,
    acknowledgements,
    an_error,
    inside,
    notes,
    the_ack,
)
from tests.unit.x12.documents import a_set

AS_997 = AckProfile(ack_type=AckType.A997)


@pytest.mark.parametrize(
    ("finding", "written"),
    [
        (an_error("PO1", 9, "8", "2", at=2, ref="330"), "AK3*PO1*9**8~AK4*2*330*2~"),
        (
            an_error("DTM", 4, "8", "8", at=2, ref="373", value="20240230"),
            "AK3*DTM*4**8~AK4*2*373*8*20240230~",
        ),
        (an_error("PO1", 9, "8", "6", at=2, ref="330"), "AK3*PO1*9**8~AK4*2*330*6~"),
        (an_error("N1", 5, "8", "2", at=4, ref="67"), "AK3*N1*5**8~AK4*4*67*2~"),
        (an_error("BEG", 2, "3"), "AK3*BEG*2**3~"),
        (an_error("QQQ", 3, "1"), "AK3*QQQ*3**1~"),
        (an_error("CLM", 3, "6"), "AK3*CLM*3**6~"),
        (an_error("BEG", 3, "5"), "AK3*BEG*3**5~"),
        (an_error("CUR", 5, "7"), "AK3*CUR*5**7~"),
        (an_error("ref", 3, "1"), "AK3*ref*3**1~"),
    ],
    ids=["43", "44", "45", "46", "47", "48 unknown", "48 foreign", "49 over", "49 late", "18"],
)
def test_each_kind_of_error_has_its_note(finding: Finding, written: str) -> None:
    assert notes(finding) == f"{written}AK5*R*5~"


@pytest.mark.parametrize(
    ("version", "written"),
    [("004010", "AK4*1>4**3~"), ("005010", "AK4*1:4**13~"), (GUIDE, "IK4*1:4**13~")],
)
def test_a_component_too_many_has_its_code_in_each_form(version: str, written: str) -> None:
    finding = an_error("SV1", 3, "8", "13", at=1, component=4)
    assert written in notes(finding, version=version)


@pytest.mark.parametrize(
    ("version", "written"),
    [("004010", "AK4*1**3~"), ("005010", "AK4*1::3**12~"), (GUIDE, "IK4*1::3**12~")],
)
def test_a_repetition_has_a_place_since_005010(version: str, written: str) -> None:
    finding = an_error("HI", 3, "8", "12", at=1, repeat=3)
    assert written in notes(finding, version=version)


def test_errors_of_one_segment_share_its_note() -> None:
    first = an_error("PO1", 3, "8", "1", at=2, ref="330")
    between = an_error("PID", 4, "5")
    second = an_error("PO1", 3, "8", "7", at=6, ref="235", value="ZZ")
    assert notes(first, between, second) == (
        "AK3*PO1*3**8~AK4*2*330*1~AK4*6*235*7*ZZ~AK3*PID*4**5~AK5*R*5~"
    )


def test_a_segment_can_be_wrong_itself_next_to_its_elements() -> None:
    over, wrong = an_error("BEG", 3, "5"), an_error("BEG", 3, "8", "7", at=1, ref="353", value="X")
    assert notes(over, wrong) == "AK3*BEG*3**5~AK3*BEG*3**8~AK4*1*353*7*X~AK5*R*5~"


def test_an_error_of_elements_may_name_none() -> None:
    assert notes(an_error("LE", 3, "8")) == "AK3*LE*3**8~AK5*R*5~"


def test_two_codes_that_become_one_are_written_once() -> None:
    findings = [
        an_error("HI", 3, "8", "12", at=1),
        an_error("HI", 3, "8", "13", at=1),
        an_error("HI", 3, "8", "3", at=1),
    ]
    assert notes(*findings) == "AK3*HI*3**8~AK4*1**3~AK5*R*5~"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("x" * 120, "*" + "x" * 99),
        ("Zürich", "*Zürich"),
        ("a:b", "*a:b"),
        ("a>b", ""),
        ("a*b", ""),
        ("a\tb", ""),
        ("\x00", ""),
        ("   ", ""),
        ("", ""),
        (None, ""),
    ],
)
def test_a_bad_value_is_quoted_where_it_can_be(value: str | None, written: str) -> None:
    finding = an_error("PO1", 3, "8", "7", at=6, ref="235", value=value)
    assert notes(finding) == f"AK3*PO1*3**8~AK4*6*235*7{written}~AK5*R*5~"


@pytest.mark.parametrize(
    ("segment_id", "value", "written"),
    [
        (None, "LONGID", "LON"),
        (None, "A>ID", "A?I"),
        (None, "a\nb", "a?b"),
        (None, None, "???"),
        ("", "", "???"),
    ],
)
def test_an_id_that_is_none_is_named_as_well_as_can_be(
    segment_id: str | None, value: str | None, written: str
) -> None:
    assert notes(an_error(segment_id, 3, "1", value=value)) == f"AK3*{written}*3**1~AK5*R*5~"


@pytest.mark.parametrize(
    ("ref", "written"), [("C040", ""), ("12345", ""), (None, ""), ("1325", "1325")]
)
def test_only_a_number_refers_to_an_element(ref: str | None, written: str) -> None:
    finding = an_error("REF", 3, "8", "7", at=4, ref=ref, value="X")
    assert notes(finding) == f"AK3*REF*3**8~AK4*4*{written}*7*X~AK5*R*5~"


@pytest.mark.parametrize("count", [99, 100])
def test_at_most_99_elements_are_noted_for_a_segment(count: int) -> None:
    errors = [an_error("PO1", 3, "8", "1", at=at) for at in range(1, count + 1)]
    document = a_document("004010", a_set())
    ((_, ack),) = acknowledgements(document, {1: a_result(*errors)})
    assert ack.text.count("~AK4*") == 99
    assert ack.is_truncated is (count == 100)


def test_errors_that_were_not_kept_are_said_to_be_left_out() -> None:
    result = a_result(an_error("PO1", 3, "8", "1", at=2, ref="330"))
    result.count({"segment": "8", "element": "7"}, "standard", times=10_000)
    ((_, ack),) = acknowledgements(a_document("004010", a_set()), {1: result})
    assert inside(ack.text, "AK2") == "AK3*PO1*3**8~AK4*2*330*1~AK5*R*5~AK9*R*1*1*0~"
    assert ack.is_truncated


def test_what_a_997_does_not_carry_does_not_truncate_it() -> None:
    result = a_result(an_error("CLM", 3, "8", "I6", at=5, layer=GUIDE))
    document = a_document(GUIDE, a_set(set_id="837"), group_id="HC")
    ((plan, ack),) = acknowledgements(document, {1: result}, AS_997)
    assert inside(ack.text, "AK2") == "AK5*A~AK9*A*1*1*1~"
    assert (plan.ack_types, ack.is_truncated) == (("997",), False)


def test_errors_of_the_guide_are_reported_in_a_999_alone() -> None:
    findings = [
        an_error("NM1", 3, "I4", layer=GUIDE, loop="2010AA"),
        an_error("CLM", 4, "8", "I6", at=5, component=3, ref="1325", value="7", layer=GUIDE),
        an_error("SV1", 5, "8", "5", at=2, ref="782", value="9" * 20),
    ]
    assert notes(*findings, version=GUIDE) == (
        "IK3*NM1*3*2010AA*I4~IK3*CLM*4**8~IK4*5:3*1325*I6*7~"
        "IK3*SV1*5**8~IK4*2*782*5*99999999999999999999~IK5*R*5~"
    )
    assert notes(*findings, version=GUIDE, profile=AS_997) == (
        "AK3*SV1*5**8~AK4*2*782*5*99999999999999999999~AK5*R*5~"
    )


def test_a_set_with_errors_of_the_guide_alone_says_so() -> None:
    finding = an_error("CLM", 4, "8", "I6", at=5, component=3, ref="1325", value="7", layer=GUIDE)
    assert notes(finding, version=GUIDE).endswith("~IK5*R*I5~")


@pytest.mark.parametrize(
    ("loop", "written"),
    [("2300", "2300"), ("heading", ""), ("summary", ""), ("LOOPID7", ""), (None, "")],
)
def test_a_999_names_the_loop(loop: str | None, written: str) -> None:
    finding = an_error("CLM", 4, "3", loop=loop)
    assert notes(finding, version=GUIDE) == f"IK3*CLM*4*{written}*3~IK5*R*5~"
    assert notes(finding, version=GUIDE, profile=AS_997) == "AK3*CLM*4**3~AK5*R*5~"


CLAIMS = (
    *("BHT*0019", "HL*1**20*1", "HL*2*1*22*0", "NM1*IL*1*DOE*****MI*MEMBER1", "DMG*D8"),
    *("CLM*A1*100", "NM1*IL*1*OTHER*****MI*OTHER1", "LX*1", "CLM*A2*50", "LX*1"),
    *("HL*3*1*22*0", "NM1*QC*1*ROE*****MI*PATIENT1", "NM1*85*2*CLINIC*****XX*1"),
)


def a_999(position: int, code: str = "8") -> str:
    """Return the context of an error at this position of the claims."""
    document = a_document(GUIDE, a_set(*CLAIMS, set_id="837"), group_id="HC")
    result = a_result(an_error("XX", position, code, "1" if code == "8" else "", at=1, loop="L"))
    add_contexts(Walk(lambda: (document,)), {1: result})
    text = inside(the_ack(document, {1: result}), f"IK3*XX*{position}")
    return text.split("IK4*", maxsplit=1)[0].split("IK5*", maxsplit=1)[0]


@pytest.mark.parametrize(
    ("position", "context"),
    [
        (2, ""),
        (4, ""),
        (5, "CTX*SUBSCRIBER NAME NM109:MEMBER1~"),
        (6, "CTX*SUBSCRIBER NAME NM109:MEMBER1~"),
        (7, "CTX*CLM01:A1~"),
        (8, "CTX*CLM01:A1~"),
        (9, "CTX*CLM01:A1~"),
        (10, "CTX*CLM01:A2~"),
        (12, ""),
        (14, "CTX*PATIENT NAME NM109:PATIENT1~"),
    ],
)
def test_a_999_names_the_business_unit(position: int, context: str) -> None:
    assert a_999(position) == context


def test_a_missing_segment_belongs_to_the_unit_before_the_place() -> None:
    assert a_999(10, code="3") == a_999(10, code="I6") == "CTX*CLM01:A1~"


@pytest.mark.parametrize(
    ("set_id", "row", "context"),
    [
        ("276", "TRN*1*T1", "CTX*TRN02:T1~"),
        ("835", "TRN*1*T1", "CTX*TRN02:T1~"),
        ("820", "ENT*7", "CTX*ENT01:7~"),
        ("834", "REF*0F*S1", "CTX*SUBSCRIBER NUMBER REF02:S1~"),
        ("834", "REF*1L*S1", ""),
        ("837", "CLM*" + "9" * 40, "CTX*CLM01:" + "9" * 35 + "~"),
        ("837", "CLM*A:1", ""),
        ("850", "CLM*A1", ""),
    ],
)
def test_each_set_has_its_business_unit(set_id: str, row: str, context: str) -> None:
    document = a_document(GUIDE, a_set(row, "ZZZ*1", set_id=set_id))
    result = a_result(an_error("ZZZ", 3, "1"))
    add_contexts(Walk(lambda: (document,)), {1: result})
    text = inside(the_ack(document, {1: result}), "IK3")
    assert text == f"{context}IK5*R*5~AK9*R*1*1*0~"


def contexts_of(*sets: tuple[str, ...], last_error: int = 3) -> list[SetResult]:
    """Return the results of sets of which all but the first have an error, up to a position."""
    document = a_document(GUIDE, *sets)
    results = {index: SetResult() for index in range(1, len(sets) + 1)}
    for result in list(results.values())[1:]:
        result.add(an_error("ZZZ", last_error, "1"))
    add_contexts(Walk(lambda: (document,)), results)
    return list(results.values())


def test_an_insured_member_ends_the_unit_of_the_one_before() -> None:
    members = a_set("INS*Y", "REF*0F*S1", "INS*Y", set_id="834")
    faultless, first, second = contexts_of(members, members, members)
    assert faultless.units == []
    assert first.units == [(3, "SUBSCRIBER NUMBER REF02", "S1"), (4, "", "")] == second.units


def test_contexts_are_found_however_a_set_is_read() -> None:
    body = [f"CLM*{number}" for number in range(20_000)]
    sets = a_set(set_id="837"), a_set(*body, number="0002", set_id="837")
    _, result = contexts_of(*sets, last_error=20_001)
    assert result.units == [(at + 2, "CLM01", str(at)) for at in range(20_000)]


def test_nothing_is_read_far_behind_the_last_error() -> None:
    body = [f"CLM*{number}" for number in range(20_000)]
    _, result = contexts_of(a_set(set_id="837"), a_set(*body, number="0002", set_id="837"))
    assert result.units[0] == (2, "CLM01", "0")
    assert len(result.units) < 2_000


LOOPS = ("LS*OUT", "ZZZ*1", "LS*IN:", "ZZZ*2", "LE*IN", "ZZZ*3", "LE*OUT", "ZZZ*4", "LE*X", "ZZZ*5")


@pytest.mark.parametrize(
    ("position", "code", "loop"),
    [
        (2, "1", ""),
        (3, "1", "OUT"),
        (4, "1", "OUT"),
        (5, "1", "IN?"),
        (5, "3", "OUT"),
        (6, "3", "IN?"),
        (6, "1", "OUT"),
        (7, "1", "OUT"),
        (9, "1", ""),
        (11, "1", ""),
    ],
)
def test_a_997_names_the_loop_between_ls_and_le(position: int, code: str, loop: str) -> None:
    document = a_document("005010", a_set(*LOOPS))
    result = a_result(an_error("ZZZ", position, code, loop="PO1"))
    add_contexts(Walk(lambda: (document,)), {1: result})
    text = inside(the_ack(document, {1: result}), "AK2")
    assert text == f"AK3*ZZZ*{position}*{loop}*{code}~AK5*R*5~AK9*R*1*1*0~"


TRIGGER = Trigger("CLM", 22, "2300", 5, 3, "1325")


def test_a_situational_rule_tells_its_trigger_after_the_business_unit() -> None:
    result = a_result(an_error("DTP", 30, "I6", layer=GUIDE, loop="2300", trigger=TRIGGER))
    result.units = [BusinessUnit(2, "CLM01", "A1")]
    text = the_ack(a_document(GUIDE, a_set(set_id="837")), {1: result})
    assert inside(text, "AK2") == (
        "IK3*DTP*30*2300*I6~CTX*CLM01:A1~CTX*SITUATIONAL TRIGGER*CLM*22*2300*5:3*1325~"
        "IK5*R*I5~AK9*R*1*1*0~"
    )


def test_the_trigger_of_an_element_follows_its_note() -> None:
    trigger = Trigger("CLM", 22)
    finding = an_error("CLM", 22, "8", "I9", at=11, ref="C024", layer=GUIDE, trigger=trigger)
    assert notes(finding, version=GUIDE) == (
        "IK3*CLM*22**8~IK4*11**I9~CTX*SITUATIONAL TRIGGER*CLM*22~IK5*R*I5~"
    )


def test_a_997_tells_no_trigger() -> None:
    finding = an_error("CLM", 22, "2", trigger=TRIGGER)
    assert notes(finding, version=GUIDE, profile=AS_997) == "AK3*CLM*22**2~AK5*R*5~"


def test_errors_without_acknowledgement_code_are_not_for_it() -> None:
    result = SetResult()
    assert result.error_count == 0
    result.add(an_error("CLM", 3, "8", "I6", layer=GUIDE))
    assert result.error_count == 1
    result.add(an_error("CLM", 3, "8", "1"))
    assert result.error_count == 2
