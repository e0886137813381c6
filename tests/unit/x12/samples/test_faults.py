"""A sample with one fault has exactly the findings that are expected."""

from collections.abc import Iterator
from dataclasses import fields
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.x12.dictionary.model import Definition
from longshore.x12.findings import Finding, FindingCode
from longshore.x12.samples.expected import ExpectedFinding
from longshore.x12.samples.faults import FAULTS, broken_rows, faults
from longshore.x12.samples.numbers import SeededNumbers
from longshore.x12.samples.parts import SampleKind
from longshore.x12.validate.validation import validate
from tests.unit.x12.valid_documents import a_document, by_name

BY_NAME = by_name()
PARTS = 8  # of all definitions, each in a test of its own
MANY_SEGMENTS = 4_000  # from about there on, what is known of good documents is put together
OFTEN = {FindingCode.SEGMENT_MISSING, FindingCode.SEGMENT_OVER_MAXIMUM}


def findings_of(text: str) -> tuple[Finding, ...]:
    return validate(lambda: (text,)).findings


def as_expected(finding: Finding, expected: ExpectedFinding) -> dict[str, object]:
    """Return the members of a finding of which something is expected."""
    names = ["severity", *(each.name for each in fields(expected))]
    return {name: getattr(finding, name) for name in names if getattr(expected, name) is not None}


def with_faults(
    definition: Definition, kind: SampleKind, seed: int, count: int
) -> Iterator[FindingCode]:
    """Check faults of each code in one sample; yield the codes of which there are some."""
    document = a_document(definition, kind, seed)
    for code in FAULTS:
        for fault in islice(faults(code, document.sample, SeededNumbers(seed)), count):
            found = findings_of(document.text(broken_rows(document.sample, fault)))
            assert len(found) == len(fault.expected)
            for finding, expected in zip(found, fault.expected, strict=True):
                assert as_expected(finding, expected) == expected.members()
            assert code in {each.code for each in fault.expected}
            yield code


@pytest.mark.parametrize("part", range(PARTS))
def test_every_fault_is_reported_exactly_by_every_definition(part: int) -> None:
    for definition in [*BY_NAME.values()][part::PARTS]:
        made = {*with_faults(definition, SampleKind.PLAIN, 1, 2)}
        made |= {*with_faults(definition, SampleKind.FULL, 0, 1)}
        assert made >= {FindingCode.TOO_MANY_ELEMENTS, FindingCode.ELEMENT_MISSING}


def test_there_is_a_sample_for_every_fault() -> None:
    made: set[FindingCode] = set()
    for name in ("835_005010X221A1", "837_005010X222A1", "810_004010", "820_005010X306"):
        made |= {*with_faults(BY_NAME[name], SampleKind.FULL, 0, 1)}
    for name in ("271_005010", "850_005010"):
        made |= {*with_faults(BY_NAME[name], SampleKind.PLAIN, 4, 9)}
    assert made == FAULTS.keys()


def test_what_others_could_be_meant_for_is_not_left_out() -> None:
    sample = a_document(BY_NAME["404_005010"], SampleKind.FULL).sample
    left_out = {
        fault.expected[0].segment_id
        for fault in faults(FindingCode.SEGMENT_MISSING, sample, SeededNumbers(0))
    }
    assert "M3" in left_out
    assert "LE" not in left_out  # what follows it may belong to the loop that it ends


def test_neighbours_that_could_be_meant_for_other_places_are_not_swapped() -> None:
    sample = a_document(BY_NAME["404_005010"], SampleKind.FULL).sample
    code = FindingCode.SEGMENT_OUT_OF_ORDER
    swapped = {
        (fault.rows[1][0], fault.rows[0][0]) for fault in faults(code, sample, SeededNumbers(0))
    }
    assert ("LH3", "LFH") in swapped
    assert ("LH2", "LH3") not in swapped  # an LH2 may follow it, in the next loop


@given(
    st.sampled_from(sorted(BY_NAME)),
    st.sampled_from([SampleKind.MINIMAL, SampleKind.PLAIN, SampleKind.VARIED]),
    st.integers(0, 2**53),
)
def test_any_fault_is_reported_exactly(name: str, kind: SampleKind, seed: int) -> None:
    for _ in with_faults(BY_NAME[name], kind, seed, 1):
        pass


def test_a_bad_element_is_reported_after_many_good_documents() -> None:
    names = ("204_004010", "850_005010", "837_005010X222A1", "835_005010X221A1", "856_004010")
    for name in names:
        document = a_document(BY_NAME[name], SampleKind.FULL, 1)
        for _ in range(2 + MANY_SEGMENTS // len(document.items)):
            assert findings_of(document.text()) == ()
        assert set(with_faults(BY_NAME[name], SampleKind.FULL, 1, 2)) >= OFTEN
