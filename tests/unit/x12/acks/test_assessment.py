"""What becomes of sets, groups and interchanges."""

import pytest

from longshore.x12.acks.assessment import assess_interchange, assess_set, form_of
from longshore.x12.acks.codes import F997_4010, F997_5010, F999, Form, Status
from longshore.x12.acks.profile import (
    AckProfile,
    AckType,
    CountMismatch,
    RejectLevel,
    UnknownSets,
)
from longshore.x12.control import InterchangeSummary, SetSummary
from longshore.x12.delimiters import Delimiters
from longshore.x12.results import SetResult
from tests.unit.x12.acks.acknowledged import a_document, a_result, an_error, inside, the_ack
from tests.unit.x12.documents import a_set

STRICT = AckProfile()
LENIENT = AckProfile(reject_level=RejectLevel.LENIENT)
COUNTING_LOOSELY = AckProfile(count_mismatch=CountMismatch.ACCEPT_WITH_ERRORS)
LENIENT_COUNTING_LOOSELY = AckProfile(
    reject_level=RejectLevel.LENIENT, count_mismatch=CountMismatch.ACCEPT_WITH_ERRORS
)
ISA = "*".join(["ISA", *[""] * 16]).split("*")


def the_set(*codes: str) -> SetSummary:
    return SetSummary(1, "850", "0001", "004010", ["ST", "850", "0001"], codes=codes)


def status_of(
    profile: AckProfile, *codes: str, result: SetResult | None = None, form: Form = F997_5010
) -> str:
    return assess_set(the_set(*codes), result or SetResult(), form, profile).status


def test_a_set_without_errors_is_accepted() -> None:
    assessment = assess_set(the_set(), SetResult(is_checked=True), F997_4010, STRICT)
    assert (assessment.status, assessment.codes, assessment.is_faultless) == (
        Status.ACCEPTED,
        (),
        True,
    )


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("hold", (Status.ACCEPTED, (), True, True)),
        ("accept", (Status.ACCEPTED, (), True, False)),
        ("reject", (Status.REJECTED, ("1",), False, False)),
    ],
)
def test_a_set_that_was_not_checked_is_held_accepted_or_rejected(
    policy: str, expected: tuple[Status, tuple[str, ...], bool, bool]
) -> None:
    profile = AckProfile(unknown_sets=UnknownSets(policy))
    assessment = assess_set(the_set(), SetResult(), F997_4010, profile)
    assert (
        assessment.status,
        assessment.codes,
        assessment.is_faultless,
        assessment.is_held,
    ) == expected
    checked = assess_set(the_set(), SetResult(is_checked=True), F997_4010, profile)
    assert (checked.status, checked.is_held) == (Status.ACCEPTED, False)


def test_errors_of_a_set_that_was_not_checked_count_as_ever() -> None:
    for policy, codes in (("hold", ("4",)), ("accept", ("4",)), ("reject", ("4", "1"))):
        profile = AckProfile(unknown_sets=UnknownSets(policy))
        assessment = assess_set(the_set("4"), SetResult(), F997_4010, profile)
        assert (assessment.status, assessment.codes, assessment.is_held) == (
            Status.REJECTED,
            codes,
            False,
        )
    loosely = AckProfile(count_mismatch=CountMismatch.ACCEPT_WITH_ERRORS)
    assessment = assess_set(the_set("4"), SetResult(), F997_4010, loosely)
    assert (assessment.status, assessment.is_held) == (Status.WITH_ERRORS, True)


@pytest.mark.parametrize("code", ["1", "2", "3", "4", "6", "7", "18", "19", "23"])
def test_a_fault_of_its_frame_rejects_a_set_at_every_level(code: str) -> None:
    assert status_of(STRICT, code) == status_of(LENIENT, code) == "R"


@pytest.mark.parametrize("code", ["8", "10", "27"])
def test_another_code_rejects_at_level_strict_alone(code: str) -> None:
    assert (status_of(STRICT, code), status_of(LENIENT, code)) == ("R", "E")


@pytest.mark.parametrize(
    ("profile", "codes", "status"),
    [
        (COUNTING_LOOSELY, ("4",), "E"),
        (LENIENT_COUNTING_LOOSELY, ("4",), "E"),
        (COUNTING_LOOSELY, ("4", "3"), "R"),
        (LENIENT_COUNTING_LOOSELY, ("3", "4"), "R"),
        (STRICT, ("4",), "R"),
        (LENIENT, ("4",), "R"),
    ],
)
def test_a_wrong_count_can_be_accepted_with_errors(
    profile: AckProfile, codes: tuple[str, ...], status: str
) -> None:
    assert status_of(profile, *codes) == status


@pytest.mark.parametrize(
    ("segment", "element", "status"),
    [
        ("1", "", "R"), ("2", "", "R"), ("3", "", "R"), ("6", "", "R"), ("7", "", "R"),
        ("4", "", "E"), ("5", "", "E"), ("8", "", "E"),
        ("8", "1", "R"), ("8", "2", "R"), ("8", "3", "R"), ("8", "6", "R"), ("8", "10", "R"),
        ("8", "4", "E"), ("8", "5", "E"), ("8", "7", "E"), ("8", "8", "E"), ("8", "9", "E"),
        ("8", "12", "E"), ("8", "13", "E"),
    ],
)  # fmt: skip
def test_level_lenient_rejects_for_grave_errors_alone(
    segment: str, element: str, status: str
) -> None:
    result = a_result(an_error("PO1", 5, segment, element))
    assert status_of(LENIENT, result=result) == status
    assert status_of(STRICT, result=result) == "R"


def test_errors_that_are_only_counted_validate_like_the_others() -> None:
    result = SetResult()
    result.count({"segment": "8", "element": "7"}, "standard", times=2_000)
    assert status_of(LENIENT, result=result) == "E"
    result.count({"segment": "3"}, "standard")
    assert (status_of(LENIENT, result=result), result.error_count) == ("R", 2_001)


@pytest.mark.parametrize(
    ("layers", "form", "status", "codes"),
    [
        (("standard",), F997_5010, "R", ("5",)),
        (("standard",), F999, "R", ("5",)),
        (("005010X222A1",), F999, "R", ("I5",)),
        (("005010X222A1",), F997_5010, "A", ()),
        (("005010X222A1", "standard"), F999, "R", ("5",)),
        (("005010X222A1", "standard"), F997_5010, "R", ("5",)),
    ],
)
def test_a_997_is_validated_without_what_only_a_guide_forbids(
    layers: tuple[str, ...], form: Form, status: str, codes: tuple[str, ...]
) -> None:
    result = a_result(*(an_error("CLM", 5, "8", "7", layer=layer) for layer in layers))
    assessment = assess_set(the_set(), result, form, STRICT)
    assert (assessment.status, assessment.codes) == (status, codes)


@pytest.mark.parametrize(
    ("version", "isa12", "ack_type", "form"),
    [
        ("004010", "00401", AckType.AUTO, F997_4010),
        ("004010VICS", "00401", AckType.AUTO, F997_4010),
        ("004010X098A1", "00401", AckType.AUTO, F997_4010),
        ("003050", "00305", AckType.AUTO, F997_4010),
        ("005010", "00401", AckType.AUTO, F997_5010),
        ("007040", "00704", AckType.AUTO, F997_5010),
        ("", "00501", AckType.AUTO, F997_5010),
        ("X", "", AckType.AUTO, F997_4010),
        ("005010X222A1", "00501", AckType.AUTO, F999),
        ("005010X222A1", "00501", AckType.NONE, F999),
        ("005010X222A1", "00501", AckType.A997, F997_5010),
        ("004010", "00401", AckType.A999, F999),
        ("004010", "00401", AckType.A997, F997_4010),
    ],
)
def test_the_form_follows_the_version_of_the_group(
    version: str, isa12: str, ack_type: AckType, form: Form
) -> None:
    assert form_of(version, isa12, ack_type) is form


@pytest.mark.parametrize(
    ("codes", "is_fixed_width", "status", "code"),
    [
        ((), True, "A", "000"),
        (("014",), True, "R", "014"),
        (("020",), True, "E", "020"),
        (("021", "019"), True, "E", "021"),
        (("019", "001", "023"), True, "R", "001"),
        (("000", "029"), True, "A", "000"),
        ((), False, "R", "022"),
        (("014",), False, "R", "022"),
    ],
)
def test_an_interchange_is_validated_by_the_first_code_that_rejects_it(
    *, codes: tuple[str, ...], is_fixed_width: bool, status: str, code: str
) -> None:
    marks = Delimiters("*", "~", ":")
    summary = InterchangeSummary(marks, ISA, is_fixed_width=is_fixed_width, codes=codes)
    assessment = assess_interchange(summary)
    assert (assessment.status, assessment.code) == (status, code)


GOOD, BAD, LOOSE = a_set(number="0001"), a_set(number="0002"), a_set(number="0003")


def ak9(codes_by_set: dict[int, str], *sets: tuple[str, ...], count: int | None = None) -> str:
    """Return the AK9 where sets have one element error of these AK403 codes, validated lenient."""
    document = a_document("004010", *sets)
    if count is not None:
        document = document.replace(f"GE*{len(sets)}*", f"GE*{count}*")
    results = {
        index: a_result(an_error("BEG", 2, "8", code, at=1, ref="353"))
        for index, code in codes_by_set.items()
    }
    text = inside(the_ack(document, results, LENIENT), "AK1")
    return "AK9*" + text.rsplit("AK9*", 1)[1]


@pytest.mark.parametrize(
    ("codes_by_set", "result"),
    [
        ({}, "AK9*A*3*3*3~"),
        ({2: "7"}, "AK9*E*3*3*3~"),
        ({2: "1"}, "AK9*P*3*3*2~"),
        ({1: "7", 2: "1"}, "AK9*P*3*3*2~"),
        ({1: "1", 2: "1", 3: "1"}, "AK9*R*3*3*0~"),
        ({1: "7", 2: "7", 3: "7"}, "AK9*E*3*3*3~"),
    ],
)
def test_the_status_of_a_group_follows_from_its_sets(
    codes_by_set: dict[int, str], result: str
) -> None:
    assert ak9(codes_by_set, GOOD, BAD, LOOSE) == result


@pytest.mark.parametrize(
    ("codes_by_set", "result"),
    [
        ({}, "AK9*E*7*2*2*5~"),
        ({1: "1"}, "AK9*P*7*2*1*5~"),
        ({1: "1", 2: "1"}, "AK9*R*7*2*0*5~"),
    ],
)
def test_a_wrong_number_of_sets_is_accepted_with_errors_if_the_sets_are_fine(
    codes_by_set: dict[int, str], result: str
) -> None:
    assert ak9(codes_by_set, GOOD, BAD, count=7) == result


def test_an_empty_group_is_accepted() -> None:
    text = the_ack(a_document("004010"))
    assert inside(text, "ST") == "AK1*PO*101~AK9*A*0*0*0~"


def test_a_number_of_sets_that_is_none_is_replaced_by_the_counted_one() -> None:
    document = a_document("004010", GOOD).replace("GE*1*", "GE*many*")
    assert inside(the_ack(document), "ST").endswith("AK9*E*1*1*1*5~")


@pytest.mark.parametrize(
    ("number", "trailer_number", "code"), [("101", "102", "4"), ("A", "A", "6"), ("", "", "6")]
)
def test_a_fault_of_the_group_rejects_all_its_sets_and_lists_only_bad_ones(
    number: str, trailer_number: str, code: str
) -> None:
    document = a_document("004010", GOOD, BAD).replace("*101*X", f"*{number}*X")
    document = document.replace("GE*2*101", f"GE*2*{trailer_number}")
    bad = {2: a_result(an_error("BEG", 2, "8", "7", at=1, ref="353", value="X"))}
    text = inside(the_ack(document, bad, LENIENT), "AK1")
    assert text == f"AK2*850*0002~AK3*BEG*2**8~AK4*1*353*7*X~AK5*R*5~AK9*R*2*2*0*{code}~"
