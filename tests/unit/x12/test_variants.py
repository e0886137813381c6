"""The documents in tests/sets: each is valid, each variant has exactly the findings it names."""

import pytest

from longshore.x12.dictionary.library import shipped
from tests.unit.x12.variants import (
    FAULTS,
    NAMES,
    Said,
    Variant,
    document_of,
    said,
    validated,
    variants,
)

VARIANTS = list(variants())


def test_every_file_is_of_a_definition() -> None:
    known = {
        f"{entry.tx_set}_{which}"
        for entry in shipped().contents
        for which in (*entry.releases, *entry.guides)
    }
    assert set(NAMES) <= known
    assert {name.partition("_")[0] for name in NAMES} >= {
        *("204", "214", "810", "835", "837", "850", "855", "856", "997", "999")
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_document_is_valid(name: str) -> None:
    document, accepted = document_of(name)
    assert said(document) == Said([], accepted)
    validation = validated(document)
    assert (validation.is_valid, validation.definition) == (True, "exact")
    assert f"{validation.tx_set}_{validation.version}" == name


@pytest.mark.parametrize("name", NAMES)
def test_a_set_has_variants_of_all_kinds(name: str) -> None:
    kinds = {each.fault for each in VARIANTS if each.of == name}
    assert kinds >= set(FAULTS)
    assert kinds & {"note", "count"}
    names = [each.name for each in VARIANTS if each.of == name]
    assert len(set(names)) == len(names) >= 6


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda each: f"{each.of}: {each.name}")
def test_a_variant_has_these_findings_and_this_answer(variant: Variant) -> None:
    assert said(variant.text) == variant.expected
