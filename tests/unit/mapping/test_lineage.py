"""Which keys of a source count as unused."""

import json

from longshore.formats import x12doc
from longshore.mapping.lineage import unused_fields, unused_x12
from tests.unit.mapping.outcomes import case, outcome_of, rule
from tests.unit.mapping.test_sources_x12 import TWO


def unused_after(paths: list[str], document: str) -> list[str]:
    rules = [rule(path, f"t{at}") for at, path in enumerate(paths)]
    reads = outcome_of(rules, document, is_explained=True).reads
    return unused_x12(json.loads(x12doc.parse(document).fields_json), reads)


def test_the_envelope_is_left_out_and_what_was_read_too() -> None:
    unused = unused_after(["BEG.03"], case())
    assert unused[:4] == ["BEG.01", "BEG.02", "BEG.05", "REF.01"]
    assert "REF.02" in unused
    assert not [key for key in unused if key.split(".")[0] in {"ISA", "GS", "ST", "SE", "GE"}]


def test_keys_of_further_sets_are_no_envelope() -> None:
    assert "ST[2]/BEG.03" in unused_after(["BEG.03"], TWO)
    assert "ST[2].01" not in unused_after(["BEG.03"], TWO)


CLAIM = case("21_837_composite_repetition.edi")


def about(segment: str, unused: list[str]) -> list[str]:
    return [key for key in unused if key.startswith(segment)]


def test_a_composite_and_its_components_stand_for_each_other() -> None:
    assert about("SV1.01", unused_after(["SV1.01"], CLAIM)) == []
    parts = ["SV1.01.01", "SV1.01.02", "SV1.01.03"]
    assert about("SV1.01", unused_after(parts, CLAIM)) == []
    assert about("SV1.01", unused_after(parts[:2], CLAIM)) == ["SV1.01", "SV1.01.03"]
    assert about("HI.01[2]", unused_after(["HI.01[2]"], CLAIM)) == []
    assert about("HI.01.", unused_after(["HI.01[2]"], CLAIM)) == ["HI.01.01", "HI.01.02"]


def test_keys_of_other_formats_stand_for_themselves() -> None:
    assert unused_fields(["a", "a.b", "c"], {"a.b"}) == ["a", "c"]
