"""Errata of a guide are judged by the edition that is held, and the answer says so."""

import pytest

from longshore.engine import validate
from longshore.x12.dictionary.library import shipped
from tests.support.unchecked import ORDER, a_document, claim_under


def test_an_erratum_is_judged_by_the_nearest_edition() -> None:
    answer = validate(claim_under("005010X222A2"))
    check = answer.sets[0].check
    assert check.used is not None
    assert (answer.outcome, check.definition, check.used.guide, check.named_guide) == (
        *("valid", "nearest", "005010X222A1", None),
    )
    assert [(each.code, each.message) for each in answer.findings] == [
        ("nearest_definition", "checked against guide 005010X222A1, the nearest available")
    ]


def test_st03_names_the_edition_of_gs08() -> None:
    text = claim_under("005010X222A2")
    other = text.replace("*0731*005010X222A2~", "*0731*005010X222A1~")
    codes = [each.code for each in validate(other).findings]
    assert codes == ["set_reference_unexpected"]
    absent = text.replace("*0731*005010X222A2~", "*0731~")
    assert [each.code for each in validate(absent).findings] == [
        *("nearest_definition", "element_missing"),
    ]


def test_a_request_may_name_an_erratum() -> None:
    answer = validate(claim_under("005010X222A1"), guide="005010X222A2")
    assert (answer.outcome, answer.sets[0].check.definition) == ("valid", "nearest")
    under_release = validate(claim_under("005010X222A2"), release="005010")
    assert "guide_unknown" not in {each.code for each in under_release.findings}


@pytest.mark.parametrize(
    ("named", "held"),
    [
        ("005010X222A1", "005010X222A1"),
        ("005010X222A2", "005010X222A1"),
        ("005010X223A1", "005010X223A2"),
        ("005010X223A3", "005010X223A2"),
        ("005010X224A2", "005010X224A2"),
        ("005010X224A1", "005010X224A2"),
        ("005010X224A3", "005010X224A2"),
        ("005010X222", ""),
        ("005010X221A1", ""),
    ],
)
def test_the_guide_that_is_held(named: str, held: str) -> None:
    assert shipped().held_guide("837", named) == held


@pytest.mark.parametrize(
    ("release", "date", "expected"),
    [
        ("003040", "260115", []),
        ("003040", "20260115", [("element_too_long", 5), ("element_date_invalid", 5)]),
        ("003040", "260230", [("element_date_invalid", 5)]),
        ("003070", "260115", []),
        ("003070", "20260115", []),
        ("003070", "2026011", [("element_date_invalid", 5)]),
        ("004060", "260115", [("element_too_short", 5), ("element_date_invalid", 5)]),
    ],
)
def test_an_older_release_has_dates_of_six_digits(
    release: str, date: str, expected: list[tuple[str, int]]
) -> None:
    text = a_document(ORDER, version=release).replace("PO-1**20260115", f"PO-1**{date}")
    answer = validate(text)
    check = answer.sets[0].check
    assert check.used is not None
    assert (check.definition, check.used.release) == ("nearest", "004010")
    nearest, *errors = answer.findings
    assert nearest.message == "checked against release 004010, the nearest available"
    assert [(each.code, each.element_position) for each in errors] == expected
