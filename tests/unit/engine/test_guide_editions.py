"""Errata of a guide are judged by the edition that is held, and the answer says so."""

import pytest

from longshore.engine import validate
from longshore.x12.dictionary.library import shipped
from tests.support.unchecked import claim_under


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
