"""Suggestions hold for every document: they are unique, compile together and give values."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.kit.errors import LongshoreError
from longshore.mapping.rule_texts import RuleText
from longshore.mapping.rules import compile_rules
from longshore.mapping.run import run
from longshore.mapping.suggest import Suggestions, suggest
from tests.unit.mapping.outcomes import source_of

SAMPLES = sorted(Path("samples").glob("*/input.*"))
CASES = sorted(Path("tests/cases").glob("*.edi"))
FORMATS = {".edi": "x12", ".json": "json", ".xml": "xml", ".csv": "csv"}
NAMES = st.text(max_size=8) | st.sampled_from((
    "poNumber",
    "order",
    "date",
    "lines",
    "qty",
    "shipTo",
    "name",
    "a.b[*]",
    "@id",
    "{u}x",
    "",
))
VALUES = st.text(max_size=4) | st.none() | st.integers() | st.sampled_from(("2026-01-31", "PO-1"))
DOCUMENTS = st.dictionaries(
    NAMES,
    st.recursive(
        VALUES,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
        max_leaves=8,
    ),
    min_size=1,
    max_size=5,
)


def text_of(path: Path) -> str:
    return path.read_bytes().decode("latin-1" if path in CASES else "utf-8")


def check(found: Suggestions, document: str, source_format: str, target_format: str) -> None:
    for side in ("src", "tgt"):
        assert len({getattr(each, side) for each in found.found}) == len(found.found)
    given_rules = [rule for each in found.found for rule in each.rules]
    rules = compile_rules(given_rules, source_format=source_format, target_format=target_format)
    source = source_of(source_format, document, is_explained=False, tx_index=1)
    assert all(writes.entries for writes in run(rules, source).writes)


@pytest.mark.parametrize("path", [*SAMPLES, *CASES], ids=lambda path: "/".join(path.parts[-2:]))
def test_of_every_document_for_every_sample(path: Path) -> None:
    document, source_format = text_of(path), FORMATS[path.suffix]
    for sample in SAMPLES:
        target_format = FORMATS[sample.suffix]
        rules = RuleText("[]", source_format=source_format, target_format=target_format)
        check(suggest(document, text_of(sample), rules), document, source_format, target_format)


@given(source=DOCUMENTS, target=DOCUMENTS)
def test_of_any_json_for_any_json(source: dict[str, object], target: dict[str, object]) -> None:
    document = json.dumps(source)
    rules = RuleText("[]", source_format="json", target_format="json")
    try:
        found = suggest(document, json.dumps(target), rules)
    except LongshoreError:
        return  # a lone surrogate or the like
    check(found, document, "json", "json")
