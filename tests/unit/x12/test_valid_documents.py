"""Generated documents of every definition: valid ones are clean, faults are reported exactly."""

from collections.abc import Callable, Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.x12.dictionary.model import Definition
from longshore.x12.findings import Finding
from longshore.x12.validate.validation import validate
from tests.unit.x12.bad_elements import Fault, with_one_bad_element
from tests.unit.x12.single_faults import (
    Case,
    Expected,
    with_one_amount_wrong,
    with_one_twice,
    with_two_swapped,
    without_one,
)
from tests.unit.x12.valid_documents import Document, DocumentKind, a_document, by_name, name_of

BY_NAME = by_name()
DEFINITIONS = list(BY_NAME.values())
MAX_CASES = 40  # of a kind, of one document
MANY_SEGMENTS = 4_000  # from about there on, what is known of good documents is put together
SUMS = ("out_of_balance", "line_count_wrong")  # what a missing or double segment also changes


def findings_of(text: str) -> tuple[Finding, ...]:
    return validate(lambda: (text,)).findings


@pytest.mark.parametrize("definition", DEFINITIONS, ids=name_of)
@pytest.mark.parametrize("manner", [DocumentKind.MINIMAL, DocumentKind.MAXIMAL])
def test_a_valid_document_has_no_finding(definition: Definition, manner: DocumentKind) -> None:
    for seed in range(3):
        assert findings_of(a_document(definition, manner, seed).text()) == ()


@given(st.sampled_from(sorted(BY_NAME)), st.integers(0, 2**32))
def test_a_random_valid_document_has_no_finding(name: str, seed: int) -> None:
    assert findings_of(a_document(BY_NAME[name], DocumentKind.RANDOM, seed).text()) == ()


def test_maximal_documents_have_every_position() -> None:
    for definition in DEFINITIONS:
        document = a_document(definition, DocumentKind.MAXIMAL)
        written = {id(item.use) for item in document.items}
        assert [use.segment.id for _, use in definition.positions() if id(use) not in written] == []


def reported(case: Case, document: Document) -> list[Expected]:
    """Return what is said of a broken document, sums aside."""
    loops = {loop.id for around, _ in document.definition.positions() for loop in around}
    return [
        Expected(
            each.code,
            each.layer,
            each.segment_id or "",
            each.segment_position or 0,
            each.loop_id if each.loop_id in loops else None,
        )
        for each in findings_of(document.text(case.rows))
        if not each.code.endswith(SUMS)
    ]


@pytest.mark.parametrize("definition", DEFINITIONS, ids=name_of)
@pytest.mark.parametrize("manner", [DocumentKind.MINIMAL, DocumentKind.MAXIMAL])
@pytest.mark.parametrize("broken", [without_one, with_one_twice, with_two_swapped])
def test_a_single_fault_is_reported_exactly(
    definition: Definition, manner: DocumentKind, broken: Callable[[Document], Iterator[Case]]
) -> None:
    document = a_document(definition, manner)
    cases = list(broken(document))
    assert cases or manner is DocumentKind.MINIMAL or definition.functional_id == "FA"
    for case in Random(0).sample(cases, min(MAX_CASES, len(cases))):
        assert reported(case, document) == [case.expected]


@pytest.mark.parametrize("definition", DEFINITIONS, ids=name_of)
def test_an_amount_that_does_not_agree_is_reported(definition: Definition) -> None:
    document = a_document(definition, DocumentKind.MAXIMAL)
    cases = list(with_one_amount_wrong(document))
    assert bool(cases) is (definition.tx_set in {"810", "835", "837", "850", "855", "856"})
    for case in cases:
        found = findings_of(document.text(case.rows))
        said = [(each.code, each.segment_position, each.element_position) for each in found]
        assert said == case.expected
        assert [each.ack_code for each in found] == [None] * len(found)


@pytest.mark.parametrize("definition", DEFINITIONS, ids=name_of)
def test_a_bad_element_is_reported_exactly(definition: Definition) -> None:
    document = a_document(definition, DocumentKind.MAXIMAL, 1)
    cases = list(with_one_bad_element(document))
    for case in Random(1).sample(cases, min(MAX_CASES, len(cases))):
        assert element_faults(document.text(case.rows)) == [case.fault]


@pytest.mark.parametrize("definition", DEFINITIONS, ids=name_of)
def test_a_bad_element_is_reported_after_many_good_documents(definition: Definition) -> None:
    document = a_document(definition, DocumentKind.MAXIMAL, 1)
    text = document.text()
    for _ in range(2 + MANY_SEGMENTS // len(document.items)):
        assert findings_of(text) == ()
    cases = list(with_one_bad_element(document))
    for case in Random(2).sample(cases, 10):
        assert element_faults(document.text(case.rows)) == [case.fault]


def element_faults(text: str) -> list[Fault]:
    """Return what is said of elements, sums aside."""
    return [
        Fault(
            each.code,
            each.layer,
            each.segment_position or 0,
            each.element_position or 0,
            each.component_position,
            each.element_ref,
        )
        for each in findings_of(text)
        if not each.code.endswith(SUMS)
    ]
