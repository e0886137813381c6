"""The code lists that come with Longshore: they fit their elements, and refuse only where sure."""

from __future__ import annotations

import pytest

from longshore.x12.acks import codes as known
from longshore.x12.dictionary.library import shipped
from longshore.x12.dictionary.release import FIRST_CLASS

WORDS = shipped().vocabulary
CODED = sorted({
    number for number, lines in WORDS.elements.items() if any(it.codes for it in lines)
})
STRICT = {
    "acknowledgment_request",
    "credit_or_debit",
    "hierarchical_child",
    "usage",
    "yes_no",
}
MAX_WORDS = 6


def meanings(number: str, release: str) -> dict[str, str]:
    element = WORDS.element(number, release)
    return dict(element.codes.meanings) if element and element.codes else {}


@pytest.mark.parametrize("release", FIRST_CLASS)
@pytest.mark.parametrize("number", CODED)
def test_codes_are_as_long_as_their_element(number: str, release: str) -> None:
    element = WORDS.element(number, release)
    lengths = {len(code) for code in meanings(number, release)}
    assert element is None or lengths <= set(range(element.minimum, element.maximum + 1))


def test_only_lists_that_are_whole_refuse_other_codes() -> None:
    assert {name for name, each in WORDS.code_lists.items() if each.is_strict} == STRICT


def test_meanings_are_short() -> None:
    long = [
        (name, code)
        for name, each in WORDS.code_lists.items()
        for code, meaning, _ in each.codes
        if len(meaning.split()) > MAX_WORDS
    ]
    assert long == []


@pytest.mark.parametrize(
    ("number", "codes"),
    [
        ("620", known.SEGMENT_CODES),
        ("621", known.ELEMENT_CODES),
        ("618", known.SET_CODES),
        ("716", known.GROUP_CODES),
        ("715", known.GROUP_STATUSES),
        ("717", known.SET_STATUSES),
        ("I17", known.INTERCHANGE_STATUSES),
        ("I18", known.INTERCHANGE_CODES),
    ],
)
def test_every_code_of_an_acknowledgement_has_a_meaning(number: str, codes: frozenset[str]) -> None:
    assert set(meanings(number, "005010")) == codes


def test_a_code_has_a_meaning_where_its_release_knows_it() -> None:
    assert "18" not in meanings("718", "004010")
    assert meanings("718", "005010")["18"] == "set not in this group"
