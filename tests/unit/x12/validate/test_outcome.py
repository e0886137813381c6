"""The outcome of documents without any set, and of sets by their own errors."""

import pytest

from longshore.x12.findings import Severity
from longshore.x12.validate.outcome import ValidationOutcome
from longshore.x12.validate.validation import Options, validate
from tests.support.unchecked import ORDER, a_document, an_unknown_set, unknown_sets
from tests.unit.x12.documents import interchange

TA1 = "TA1*000000101*240115*0930*A*000"


def outcome_of(document: str) -> str:
    """Return the outcome of a document."""
    return validate(lambda: (document,)).outcome


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (interchange(TA1, "IEA*0*000000101"), "valid"),
        (interchange(TA1, "IEA*0*000000101") + interchange("IEA*0*000000101"), "not_checked"),
        (interchange(TA1, "IEA*0*000000102"), "invalid"),
        (interchange("IEA*0*000000101"), "not_checked"),
        (a_document(), "not_checked"),
        ("BEG*00*SA*PO-1**20260115~", "not_checked"),
        ("ST*850*0001~BEG*00*SA*PO-1**20260115~SE*3*0001~", "not_checked"),
    ],
)
def test_a_document_without_a_set_is_valid_only_if_it_is_a_ta1(
    document: str, expected: str
) -> None:
    assert outcome_of(document) == expected


def test_valid_is_true_false_or_none() -> None:
    assert {each: each.is_valid for each in ValidationOutcome} == {
        "valid": True,
        "invalid": False,
        "not_checked": None,
    }


def test_leniency_makes_no_set_checked() -> None:
    unknown = a_document(an_unknown_set(unknown_sets()[0]))
    for severity in Severity:
        options = Options(leniency={"no_definition": severity})
        found = validate(lambda: (unknown,), options=options)
        expected = "invalid" if severity is Severity.ERROR else "not_checked"
        assert (found.outcome, [each.outcome for each in found.sets()]) == (expected, [expected])


def test_a_set_with_more_errors_than_are_listed_is_invalid() -> None:
    bad = ("ST*850*0001", ORDER[1], *["QQQ"] * 1_200, "SE*1203*0001")
    other = ("ST*850*0002", ORDER[1], "PO1*1*x*EA", "SE*4*0002")
    found = validate(lambda: (a_document(bad, other),))
    assert {each.tx_index for each in found.findings} == {1}
    assert [each.outcome for each in found.sets()] == ["invalid", "invalid"]


def test_the_nearest_release_is_a_check() -> None:
    found = validate(lambda: (a_document(ORDER, version="004030"),))
    assert (found.outcome, found.definition, found.snip_level) == ("valid", "nearest", 1)
