"""Samples of every definition that comes with Longshore have no finding, not even a warning."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.x12.samples.parts import SampleKind
from longshore.x12.validate.validation import validate
from tests.unit.x12.valid_documents import a_document, by_name

BY_NAME = by_name()
PARTS = 8  # of all definitions, each in a test of its own
names = st.sampled_from(sorted(BY_NAME))
kinds = st.sampled_from(SampleKind)


def codes_of(text: str) -> list[str]:
    return [each.code for each in validate(lambda: (text,)).findings]


@pytest.mark.parametrize("part", range(PARTS))
def test_samples_of_each_kind_are_valid_by_every_definition(part: int) -> None:
    seeds = {SampleKind.PLAIN: 2}
    for definition in [*BY_NAME.values()][part::PARTS]:
        for kind in SampleKind:
            for seed in range(seeds.get(kind, 1)):
                document = a_document(definition, kind, seed)
                assert codes_of(document.text()) == []
                written = {id(item.use) for item in document.items}
                left = [use for _, use in definition.positions() if id(use) not in written]
                assert left == [] or kind is not SampleKind.FULL  # which has every position


def test_samples_of_these_definitions_are_valid() -> None:
    names = ("214_004010", "810_004010", "835_004010", "850_005010", "856_004010", "997_004010")
    guides = ("837_005010X222A1", "271_005010X279A1", "277_005010X212")
    for name in (*names, *guides):
        for kind in SampleKind:
            for seed in range(3):
                assert codes_of(a_document(BY_NAME[name], kind, seed).text()) == []


@given(names, kinds, st.integers(0, 2**53))
def test_any_sample_is_valid(name: str, kind: SampleKind, seed: int) -> None:
    assert codes_of(a_document(BY_NAME[name], kind, seed).text()) == []


def test_a_plain_sample_has_lines_and_a_minimal_one_what_is_required() -> None:
    order = BY_NAME["850_004010"]
    for seed in range(20):
        plain = [row[0] for row in a_document(order, SampleKind.PLAIN, seed).rows]
        assert 1 <= plain.count("PO1") <= 3
        minimal = a_document(order, SampleKind.MINIMAL, seed).rows
        assert [row[0] for row in minimal] == ["BEG", "PO1"]
