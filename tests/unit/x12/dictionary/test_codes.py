"""The code lists that come with Longshore: they fit their elements, and refuse only where sure."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from longshore.x12.acks import codes as known
from longshore.x12.dictionary.library import shipped
from longshore.x12.dictionary.model import CompositeType, ElementType, ElementUse
from longshore.x12.dictionary.release import FIRST_CLASS

WORDS = shipped().vocabulary
CODED = sorted({
    number for number, lines in WORDS.elements.items() if any(it.codes for it in lines)
})
WHOLE = {
    "acknowledgment_request",
    "allowance_or_charge",
    "assignment_of_benefits",
    "credit_or_debit",
    "description_kind",
    "hierarchical_child",
    "relationship_code",
    "usage",
    "yes_no",
}
MAX_WORDS = 6


def meanings(number: str, release: str) -> dict[str, str]:
    element = WORDS.element(number, release)
    return dict(element.codes.meanings) if element and element.codes else {}


def coded_by(tx_set: str, guide: str) -> Iterator[tuple[ElementType, str]]:
    """Yield the codes that a guide asks for, each with its element."""
    release = shipped().guide_release(tx_set, guide)
    definition = shipped().definition(tx_set, release, guide)
    assert definition is not None
    for around, use in definition.positions():
        conditions = [(use.segment, use.when)]
        conditions += [(loop.trigger.segment, loop.when) for loop in around]
        for segment, when in conditions:
            if when is not None:
                of = simple(segment.uses[when.position - 1], when.component)
                yield from ((of, value) for value in when.values)
        for position, rule in use.rules.items():
            part = use.segment.uses[position - 1]
            yield from ((simple(part, None), code) for code in rule.codes or ())
            for component, inner in rule.components.items():
                yield from ((simple(part, component), code) for code in inner.codes or ())


def simple(use: ElementUse, component: int | None) -> ElementType:
    """Return the type of an element, or of a component of it."""
    if component is not None:
        assert isinstance(use.type, CompositeType)
        use = use.type.uses[component - 1]
    assert isinstance(use.type, ElementType)
    return use.type


@pytest.mark.parametrize("release", FIRST_CLASS)
@pytest.mark.parametrize("number", CODED)
def test_codes_are_as_long_as_their_element(number: str, release: str) -> None:
    element = WORDS.element(number, release)
    lengths = {len(code) for code in meanings(number, release)}
    if element is not None and element.codes is not None:
        lengths |= {len(block) for block in element.codes.blocks}
    assert element is None or lengths <= set(range(element.minimum, element.maximum + 1))


def test_a_strict_list_is_whole_or_has_blocks_for_the_codes_without_meaning() -> None:
    strict = {name: each for name, each in WORDS.code_lists.items() if each.is_strict}
    assert {name for name, each in strict.items() if not each.blocks} == WHOLE
    assert len(strict) == 52
    assert [
        name for name, each in WORDS.code_lists.items() if each.blocks and name not in strict
    ] == []


def test_every_code_that_a_guide_names_is_in_the_list_of_its_element() -> None:
    unknown = {
        (element.number, code)
        for entry in shipped().contents
        for guide in entry.guides
        for element, code in coded_by(entry.tx_set, guide)
        if element.codes is not None and element.codes.is_strict and code not in element.codes
    }
    assert unknown == set()


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
