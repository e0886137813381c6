"""Wrong separators of an ISA are one finding, which counts what follows from them."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from longshore.engine import Validated, validate
from longshore.x12.findings import Finding
from longshore.x12.validate.separators import MAX_CHARS

ROOT = Path(__file__).parents[4]
REMITTANCE = (ROOT / "samples/835_remittance/input.edi").read_text(encoding="utf-8")
CLAIM = (ROOT / "samples/837p_claim/input.edi").read_text(encoding="utf-8")
ACK_997 = (ROOT / "tests/cases/32_997_partial_in.edi").read_text(encoding="utf-8")
ACK_999 = (ROOT / "tests/cases/33_999_in.edi").read_text(encoding="utf-8")
MIXED = REMITTANCE.replace(":", ">").replace("*>~", "*:~")
COMPONENT = "ISA16 declares : as component separator, the data uses >"


def said(findings: Sequence[Finding]) -> list[tuple[str, str | None, int | None]]:
    return [(each.code, each.path, each.folded) for each in findings]


def counts(validated: Validated) -> tuple[int, int]:
    return validated.validation.finding_count, validated.validation.error_count


def test_a_component_separator_that_is_not_declared_is_one_finding() -> None:
    validated = validate(MIXED)
    [finding] = validated.findings
    assert finding.message == (
        f"{COMPONENT}; 11 consequences: element_too_long 4, element_code_not_used 4, "
        "element_missing 3"
    )
    assert said([finding]) == [("component_separator_mismatch", "ISA.16", 11)]
    assert (finding.severity, finding.segment_id, finding.segment_position) == ("error", "ISA", 1)
    assert (finding.offset, finding.line) == (MIXED.index(":~"), 1)
    assert (finding.element_position, finding.tx_index, finding.ack_code) == (16, None, None)
    assert (counts(validated), validated.is_valid) == ((1, 1), False)


def test_the_acknowledgement_rejects_what_was_read_as_declared() -> None:
    ack = validate(MIXED).ack
    assert "IK4*1:1*235*5*HC>G0438~" in ack
    assert "IK5*R*5*I5~" in ack or "IK5*R*5~" in ack


def test_other_errors_stay_listed_and_counted() -> None:
    validated = validate(MIXED.replace("DTM*472*20260326", "DTM*472*20260399"))
    assert said(validated.findings) == [
        ("component_separator_mismatch", "ISA.16", 11),
        ("element_date_invalid", "DTM[6].02", None),
    ]
    assert counts(validated) == (2, 2)


def test_a_segment_with_another_error_keeps_all_that_was_found_in_it() -> None:
    validated = validate(MIXED.replace("HC>G0444>59", f"HC>{'G' * 49}"))
    assert said(validated.findings) == [
        ("component_separator_mismatch", "ISA.16", 8),
        ("element_too_long", "SVC[2].01.01", None),
        ("element_code_not_used", "SVC[2].01.01", None),
        ("element_missing", "SVC[2].01.02", None),
    ]


def test_one_composite_that_differs_from_the_others_is_no_wrong_declaration() -> None:
    validated = validate(REMITTANCE.replace("HC:G0438", "HC>G0438"))
    assert [each.code for each in validated.findings] == [
        "element_too_long",
        "element_code_not_used",
        "element_missing",
    ]
    assert counts(validated) == (3, 3)


def test_a_repetition_separator_that_stands_in_data_is_one_finding() -> None:
    validated = validate(CLAIM.replace("*^*00501", "*-*00501"))
    [finding] = validated.findings
    assert said([finding]) == [("repetition_separator_in_data", "ISA.11", 8)]
    assert finding.message == (
        "ISA11 declares - as repetition separator, but it occurs in ordinary data; "
        "8 consequences: too_many_repetitions 8"
    )
    assert finding.offset == CLAIM.index("*^*00501") + 1
    assert "IK4*3::2*127*12*BATCH~" in validated.ack


def test_an_element_repeated_by_the_common_separator_stays_an_error_of_its_own() -> None:
    validated = validate(CLAIM.replace("REF*6R*30071-1", "REF*6R*30071^1"))
    assert said(validated.findings) == [("too_many_repetitions", "REF[2].02[2]", None)]


@pytest.mark.parametrize(
    ("declared", "words"),
    [("U", "declares no repetition separator"), ("-", "declares - as repetition separator")],
)
def test_a_repetition_separator_that_is_not_declared_is_one_finding(
    declared: str, words: str
) -> None:
    validated = validate(
        ACK_999.replace("CTX*CLM01:A1", "CTX*CLM01:A1^TRN02:7^NM109:8").replace(
            "*^*00501", f"*{declared}*00501"
        )
    )
    [finding] = validated.findings
    assert said([finding]) == [("repetition_separator_mismatch", "ISA.11", 1)]
    assert (
        finding.message == f"ISA11 {words}, the data uses ^; 1 consequence: too_many_components 1"
    )


def test_both_separators_may_be_wrong() -> None:
    wrong = CLAIM.replace(":", ">").replace("*>~", "*:~").replace("*^*00501", "*-*00501")
    validated = validate(wrong)
    assert [(code, path) for code, path, _ in said(validated.findings)] == [
        ("repetition_separator_in_data", "ISA.11"),
        ("component_separator_mismatch", "ISA.16"),
    ]
    assert sum(each.folded or 0 for each in validated.findings) > 30


def test_each_interchange_is_looked_at_by_itself() -> None:
    sound_but_one = REMITTANCE.replace("DTM*405*20260409", "DTM*405*20260499")
    validated = validate(f"{sound_but_one}\n{MIXED}")
    assert said(validated.findings) == [
        ("element_date_invalid", "DTM.02", None),
        ("component_separator_mismatch", "ISA[2].16", 11),
    ]


def test_more_errors_than_are_listed_are_all_counted() -> None:
    claim = MIXED[MIXED.index("CLP*WL-30084") : MIXED.index("PLB*")]
    many = MIXED.replace("PLB*", claim * 400 + "DTM*1*1~PLB*").replace("SE*31*", "SE*2832*")
    before, after = validate(many.replace(">", ":")), validate(many)
    [cause, *others] = after.findings
    assert (cause.code, cause.folded) == ("component_separator_mismatch", 1_211)
    assert said(others) == said(before.findings)
    assert counts(after) == (counts(before)[0] + 1, counts(before)[1] + 1)


def test_a_separator_that_would_make_more_errors_than_are_listed_is_not_taken() -> None:
    claim = REMITTANCE[REMITTANCE.index("CLP*WL-30084") : REMITTANCE.index("PLB*")]
    many = REMITTANCE.replace("PLB*", f"{claim * 400}PLB*").replace("HC:G0438", "HC>G0438")
    codes = {each.code for each in validate(many).findings}
    assert "component_separator_mismatch" not in codes
    assert "element_too_long" in codes


def test_of_a_very_long_document_the_errors_are_listed_as_they_are() -> None:
    padded = MIXED + "\n" * (MAX_CHARS - len(MIXED))
    assert counts(validate(padded)) == counts(validate(MIXED))
    validated = validate(padded + "\n")
    assert validated.outcome == "invalid"
    codes = {each.code for each in validated.findings}
    assert "element_missing" in codes
    assert "component_separator_mismatch" not in codes


def test_without_an_isa_that_can_be_changed_all_is_listed() -> None:
    fragment = MIXED[MIXED.index("ST*") : MIXED.index("GE*")]
    wrapped = "\n".join(MIXED.replace("\n", "")[at : at + 104] for at in range(0, len(MIXED), 104))
    for text in (fragment.replace(">", "\\").replace("CTX", ""), wrapped):
        codes = [each.code for each in validate(text, guide="005010X221A1").findings]
        assert "component_separator_mismatch" not in codes
        assert codes.count("element_too_long") >= 4


def test_a_control_character_is_shown_by_its_number() -> None:
    [finding] = validate(MIXED.replace(">", "\x1f")).findings
    assert finding.message.startswith(
        "ISA16 declares : as component separator, the data uses 0x1F; 15 consequences: "
    )


def test_where_all_consequences_are_warnings_the_cause_is_one() -> None:
    codes = ("element_too_long", "element_code_not_used", "element_missing")
    validated = validate(
        MIXED.replace("DTM*472*20260326", "DTM*472*20260399"),
        leniency=dict.fromkeys(codes[1:], "warning"),
    )
    assert [each.severity for each in validated.findings] == ["error", "error"]
    lenient = validate(MIXED, leniency=dict.fromkeys(codes, "warning"))
    assert (counts(lenient), lenient.is_valid) == ((11, 0), True)


def test_an_isa_that_begins_no_interchange_is_no_place_for_a_cause() -> None:
    """What goes before it had no ISA, so its separators were guessed."""
    text = (
        "CTX*D8*1200*HC:99213~"
        "ISA*00*          *0*          *ZZ*SENDER         *ZZ*A *RECEIVER       "
        "*260302*0915*U*00401*000000417*837*T*:~"
        "GS*SH*SENDER*RECEIVER*20260302*0915*417*X*~ST*837*0001"
    )
    codes = [each.code for each in validate(text).findings]
    assert codes[:2] == ["no_envelope", "control_structure_invalid"]
    assert "component_separator_mismatch" not in codes


def test_an_unusual_character_is_no_sign_of_a_separator() -> None:
    """Any character becomes usual once an ISA declares it."""
    text = ACK_997.replace("AK2*850*0002~\n", "AK2*850*0002~\nIK4*A^*20240229*A~\n")
    codes = [each.code for each in validate(text).findings]
    assert codes == ["segment_not_in_set", "extended_charset", "segment_count_wrong"]
