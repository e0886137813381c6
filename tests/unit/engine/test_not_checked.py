"""Nothing is called valid, or acknowledged as accepted, of which only the envelope was checked."""

import json
from typing import Any

import pytest

from longshore.engine import acknowledge, parse, validate
from longshore.engine.inspect import inspect
from longshore.kit.errors import LongshoreError
from longshore.x12.validate.outcome import ValidationOutcome
from tests.support.unchecked import (
    CLAIM,
    ORDER,
    UNKNOWN_GUIDES,
    a_document,
    an_unknown_set,
    claim_under,
    documents,
    unknown_sets,
)
from tests.unit.x12.documents import interchange

UNKNOWN = unknown_sets()[0]
MIXED = a_document(ORDER, an_unknown_set(UNKNOWN, "0002"))


def answered(document: str, *, guide: str = "") -> dict[str, Any]:
    """Return the members of the answer to a document."""
    answer: dict[str, Any] = json.loads(validate(document, guide=guide).result_json())
    return answer


def test_no_document_of_which_only_the_envelope_was_checked_is_valid() -> None:
    for name, document in documents().items():
        validated = validate(document)
        assert (name, validated.outcome, validated.is_valid) == (name, "not_checked", False)
        assert (name, validated.ack, bool(validated.acknowledgement.withheld)) == (name, "", True)
        answer = json.loads(validated.result_json())
        assert (answer["valid"], answer["outcome"], answer["ack_type"]) == (
            None,
            "not_checked",
            "",
        )
        assert answer["sets"][-1]["valid"] is None
        view = json.loads(parse(document, include=["validation"]).result_json())["validation"]
        assert (view["valid"], view["ack"]) == (None, "")
        seen = json.loads(inspect(document))
        assert (seen["valid"], seen["outcome"], seen["ack"]) == (None, "not_checked", "")


def test_there_are_as_many_unknown_sets_and_guides_as_were_asked_for() -> None:
    assert (len(set(unknown_sets())), len(set(UNKNOWN_GUIDES))) == (40, 12)


def test_an_unknown_set_was_checked_to_level_0_against_nothing() -> None:
    answer = answered(a_document(an_unknown_set(UNKNOWN)))
    (entry,) = answer["sets"]
    assert entry == {
        "index": 1,
        "tx_set": UNKNOWN,
        "control_number": "0001",
        "version": "004010",
        "outcome": "not_checked",
        "valid": None,
        "definition": "none",
        "own_definition": False,
        "guide": None,
        "named_guide": None,
        "snip_level": 0,
        "codes_checked": {"enforced": [], "not_enforced": [], "own_codes": []},
    }
    assert (answer["snip_level"], answer["definition"]) == (0, "none")
    assert [(each["code"], each["message"]) for each in answer["findings"]] == [
        ("no_definition", f"no definition for {UNKNOWN} at 004010: structure not checked")
    ]


def test_each_set_of_a_document_has_an_outcome_of_its_own() -> None:
    wrong = ("ST*850*0003", "BEG*00*SA*PO-1**20261315", "PO1*1*2*EA*3.50", "SE*4*0003")
    unsound = ("ST*999*0004", "N1*ZZ*NOBODY", "SE*9*0004")
    answer = answered(a_document(ORDER, an_unknown_set(UNKNOWN, "0002"), wrong, unsound))
    assert (answer["outcome"], answer["valid"], answer["set_count"]) == ("invalid", False, 4)
    assert [
        (each["control_number"], each["outcome"], each["valid"], each["snip_level"])
        for each in answer["sets"]
    ] == [
        ("0001", "valid", True, 1),
        ("0002", "not_checked", None, 0),
        ("0003", "invalid", False, 1),
        ("0004", "invalid", False, 0),
    ]
    assert (answer["snip_level"], answer["definition"]) == (0, "exact")  # of all; of the first
    sound = a_document(ORDER, an_unknown_set(UNKNOWN, "0002"))
    assert validate(sound).outcome is ValidationOutcome.NOT_CHECKED


@pytest.mark.parametrize("guide", UNKNOWN_GUIDES)
def test_a_guide_that_is_not_known_is_said_and_the_standard_is_checked(guide: str) -> None:
    answer = answered(claim_under(guide))
    is_quotable = guide.isalnum()
    named = f"guide {guide}" if is_quotable else "the guide that is named"
    release = "005010"
    fault = "does not describe 837" if guide == "005010X221A1" else "is not known"
    assert [(each["code"], each["severity"], each["message"]) for each in answer["findings"]] == [
        (
            "guide_unknown",
            "warning",
            f"{named} {fault}; checked against 837 {release} only",
        )
    ]
    assert (answer["definition"], answer["guide"]) == ("standard", None)
    assert (answer["named_guide"], answer["snip_level"]) == (guide if is_quotable else None, 1)
    broken = answered(claim_under(guide).replace("*MI*", "*MI*~QQQ*", 1))
    assert broken["outcome"] == "invalid"


def test_a_name_that_is_too_long_is_an_error_and_is_not_quoted() -> None:
    answer = answered(claim_under("005010X222A1X"))
    assert (answer["outcome"], answer["definition"], answer["named_guide"]) == (
        "invalid",
        "standard",
        None,
    )
    assert [each["message"] for each in answer["findings"]] == [
        "GS08 is blank or longer than 12 characters",
        "the guide that is named is not known; checked against 837 005010 only",
    ]
    assert [each["outcome"] for each in answer["sets"]] == ["not_checked"]


def test_the_guide_of_a_request_may_be_unknown_too() -> None:
    answer = answered(CLAIM, guide="005010X999A9")
    assert (answer["outcome"], answer["definition"], answer["guide"]) == (
        "not_checked",
        "standard",
        None,
    )
    assert answer["named_guide"] == "005010X999A9"
    assert [each["message"] for each in answer["findings"]] == [
        "guide 005010X999A9 is not known; checked against 837 005010 only"
    ]
    without_release = answered(a_document(ORDER), guide="G")
    assert [each["message"] for each in without_release["findings"]] == [
        "guide G is not known; checked against 850 004010 only"
    ]
    of_claims = answered(a_document(ORDER), guide="005010X222A1")
    assert [each["message"] for each in of_claims["findings"]] == [
        "guide 005010X222A1 does not describe 850; checked against 850 005010 only"
    ]
    known = answered(claim_under("005010X999A9"), guide="005010X222A1")
    assert {each["code"] for each in known["findings"]} == {"set_reference_unexpected"}


def test_a_release_that_is_asked_for_hides_no_unknown_guide() -> None:
    of_unknown = validate(claim_under("005010X999A9"), release="005010")
    assert (of_unknown.outcome, [each.code for each in of_unknown.findings]) == (
        "not_checked",
        ["guide_unknown"],
    )
    of_known = validate(CLAIM, release="005010")
    assert (of_known.outcome, of_known.validation.guide) == ("valid", "005010X222A1")
    breaking_the_guide = validate(CLAIM.replace(":B:1", ":A:1"), release="005010")
    assert {each.code for each in breaking_the_guide.findings} == {"element_code_not_used"}
    of_another = validate(CLAIM, release="004010").validation
    assert (of_another.guide, of_another.definition) == (None, "exact")


def test_a_known_guide_of_another_release_is_not_called_unknown() -> None:
    found = validate(CLAIM, release="004010", guide="005010X222A1").findings[0].message
    assert found == "guide 005010X222A1 is not of this release; checked against 837 004010 only"


def test_a_group_of_acknowledgements_holds_nothing_else() -> None:
    document = a_document(an_unknown_set(UNKNOWN)).replace("GS*PO*", "GS*FA*")
    validated = validate(document, unknown_sets="accept")
    assert (validated.outcome, validated.ack) == ("invalid", "")
    assert [each.message for each in validated.findings if each.severity == "error"] == [
        f"a group FA holds acknowledgements, set {UNKNOWN} is none"
    ]
    odd = validate(document.replace(f"ST*{UNKNOWN}*", "ST*$$$*")).findings
    assert "a group FA holds acknowledgements, this set is none" in {each.message for each in odd}


def test_text_outside_the_interchange_that_may_be_a_document_was_not_checked() -> None:
    order = a_document(ORDER)
    for document in (
        order + "UNB+UNOC:3+1+2+260302:0915+77'UNZ+1+77'",
        order + order.replace("ISA*", "ISB*", 1),
        order.replace("ISA*", "ISB*", 1) + order,
        order + order[order.index("GS*") : order.index("IEA*")],
        interchange("TA1*000000101*240115*0930*A*000", "IEA*0*000000101") + "GS*PO*A*B~",
    ):
        validated = validate(document)
        assert (validated.outcome, validated.is_valid) == ("not_checked", False)
        assert {each.outcome for each in validated.sets} <= {ValidationOutcome.VALID}
        assert {each.code for each in validated.findings} <= {"trailing_data", "leading_garbage"}
    answer = answered(order + "ST*850*0002~")
    assert (answer["valid"], answer["ack_withheld"], "AK5*A" in answer["ack"]) == (None, [], True)
    assert validate(f"##VAN HDR\n{order}##VAN TRL\n").outcome is ValidationOutcome.VALID
    assert validate(order + "ISA*00*  ").outcome is ValidationOutcome.INVALID


def test_gs08_and_st03_that_differ_are_an_error_whatever_they_name() -> None:
    for at in ("*X*005010X22A1~", "*X*005010X999A9~"):
        (found,) = validate(CLAIM.replace("*X*005010X222A1~", at)).findings
        assert (found.code, found.message) == (
            "set_reference_unexpected",
            "ST03 differs from the guide that GS08 names",
        )


def test_a_convention_of_an_industry_leaves_the_outcome_and_is_said() -> None:
    (nearest,) = answered(a_document(ORDER, version="004030VICS"))["findings"]
    assert (nearest["severity"], nearest["message"]) == (
        "info",
        "checked against release 004010, the nearest available; convention VICS is not checked",
    )
    asked = validate(a_document(ORDER, version="004010VICS"), release="005010").findings
    assert [each.code for each in asked] == ["convention_not_checked"]
    for convention in ("VICS", "UCS"):
        answer = answered(a_document(ORDER, version=f"004010{convention}"))
        assert [
            (each["code"], each["severity"], each["message"]) for each in answer["findings"]
        ] == [
            (
                "convention_not_checked",
                "info",
                f"checked against 850 004010; convention {convention} is not checked",
            )
        ]
        assert (answer["outcome"], answer["definition"], answer["named_guide"]) == (
            "valid",
            "exact",
            None,
        )
    assert answered(a_document(ORDER, version="004010ACME"))["outcome"] == "not_checked"
    assert answered(a_document(ORDER, version="004010 "))["outcome"] == "valid"


def test_what_is_said_once_is_said_of_each_set_by_its_outcome() -> None:
    sets = [an_unknown_set(UNKNOWN, f"{number:04d}") for number in range(1, 4)]
    answer = answered(a_document(*sets))
    assert (answer["finding_count"], len(answer["sets"])) == (1, 3)
    assert {each["outcome"] for each in answer["sets"]} == {"not_checked"}


def test_the_code_lists_that_were_enforced_are_named() -> None:
    answer = answered(a_document(ORDER))
    codes = answer["codes_checked"]
    assert {"353", "92", "355", "478", "1073"} <= set(codes["enforced"])
    assert {"156", "363", "737"} <= set(codes["not_enforced"])
    for code, outcome in (("99", "invalid"), ("01", "valid")):
        order = (ORDER[0], ORDER[1].replace("*00*", f"*{code}*"), *ORDER[2:])
        assert answered(a_document(order))["outcome"] == outcome
    assert answer["sets"][0]["codes_checked"] == codes
    by_guide = answered(CLAIM)["codes_checked"]
    assert {"353", "98"} <= set(by_guide["enforced"])
    assert "1250" in by_guide["not_enforced"]  # the guide narrows it in some places only


def test_an_answer_with_more_sets_than_fit_says_so() -> None:
    sets = [an_unknown_set(UNKNOWN, f"{number:04d}") for number in range(1, 101)]
    answer = json.loads(validate(a_document(*sets)).result_json(10_000))
    assert (answer["set_count"], answer["sets_truncated"]) == (100, True)
    assert 0 < len(answer["sets"]) < 100
    whole = answered(a_document(*sets))
    assert (len(whole["sets"]), whole["sets_truncated"]) == (100, False)


# ---- acknowledgements ----------------------------------------------------------------------------


def test_an_acknowledgement_of_what_was_not_checked_is_withheld() -> None:
    answer = acknowledge(MIXED)
    assert (answer.text, answer.ack_type, answer.withheld) == ("", "", (2,))
    assert answered(MIXED)["ack_withheld"] == [2]
    checked = acknowledge(a_document(ORDER))
    assert (checked.ack_type, checked.withheld) == ("997", ())


def test_what_was_not_checked_is_rejected_with_code_1_where_that_is_chosen() -> None:
    rejected = acknowledge(MIXED, unknown_sets="reject")
    assert f"~AK2*850*0001~AK5*A~AK2*{UNKNOWN}*0002~AK5*R*1~AK9*P*2*2*1~" in rejected.text
    alone = acknowledge(a_document(an_unknown_set(UNKNOWN)), unknown_sets="reject")
    assert f"~AK2*{UNKNOWN}*0001~AK5*R*1~AK9*R*1*1*0~" in alone.text
    guide = acknowledge(claim_under("005010X999A9"), unknown_sets="reject")
    assert (guide.ack_type, "~IK5*R*1~AK9*R*1*1*0~" in guide.text) == ("999", True)
    assert (rejected.withheld, guide.withheld) == ((), ())


def test_what_was_not_checked_is_accepted_where_that_is_chosen() -> None:
    accepted = acknowledge(MIXED, unknown_sets="accept")
    assert f"~AK2*{UNKNOWN}*0002~AK5*A~AK9*A*2*2*2~" in accepted.text
    assert validate(MIXED, unknown_sets="accept").outcome is ValidationOutcome.NOT_CHECKED


def test_what_is_rejected_for_its_own_errors_is_not_withheld() -> None:
    wrong = an_unknown_set(UNKNOWN)[:-1]
    document = a_document((*wrong, "SE*9*0001"))
    answer = acknowledge(document)
    assert ("~AK5*R*4~AK9*R*1*1*0~" in answer.text, answer.withheld) == (True, ())
    both = acknowledge(document, unknown_sets="reject")
    assert "~AK5*R*1*4~" in both.text


def test_a_ta1_speaks_of_the_envelope_which_was_checked() -> None:
    answer = acknowledge(MIXED, ack_type="TA1")
    assert (answer.ack_type, answer.withheld, "TA1*000000101*" in answer.text) == ("TA1", (), True)


def test_an_acknowledgement_under_an_unknown_guide_is_not_acknowledged_itself() -> None:
    own = acknowledge(CLAIM).text.replace("005010X231A1", "005010X231")
    for policy in ("hold", "reject", "accept"):
        answer = acknowledge(own, unknown_sets=policy)
        assert (answer.text, answer.withheld) == ("", ())


def test_another_treatment_is_refused() -> None:
    with pytest.raises(LongshoreError) as caught:
        acknowledge(MIXED, unknown_sets="ignore")
    (detail,) = caught.value.details
    assert (detail.code, detail.param, detail.allowed) == (
        "invalid_parameter",
        "unknown_sets",
        ("reject", "accept", "hold"),
    )
    assert detail.message == (
        "Unknown treatment of unchecked sets. Use one of: reject, accept, hold."
    )
