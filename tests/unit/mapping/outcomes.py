"""Rules run over small documents, and what came of them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import pytest

from longshore.kit.errors import ErrorDetail, LongshoreError
from longshore.mapping.document_x12 import X12Document
from longshore.mapping.rules import compile_rules
from longshore.mapping.run import RunOutcome, run
from longshore.mapping.source import MapSource
from longshore.mapping.sources_fields import FieldSource
from longshore.mapping.sources_x12 import X12Source
from longshore.mapping.tree_xml import xml_root
from longshore.mapping.trees import CsvRoot, json_root
from longshore.mapping.writes import Binding
from longshore.x12.dictionary.library import shipped

CASES = Path("tests/cases")
ORDER = "01_850_basic.edi"
JsonRule = Mapping[str, object]
Entries = list[tuple[Binding, str]]


def case(name: str = ORDER) -> str:
    return (CASES / name).read_text(encoding="utf-8")


def rule(src: object, tgt: str = "t", **others: object) -> JsonRule:
    return {"src": src, "tgt": tgt, **others}


def source_of(source_format: str, document: str, *, is_explained: bool, tx_index: int) -> MapSource:
    match source_format:
        case "x12":
            read = X12Document(document, is_traced=is_explained)
            return X12Source(read, shipped(), tx_index)
        case "json":
            return FieldSource(json_root(document), has_literals=True)
        case "xml":
            return FieldSource(xml_root(document))
        case _:
            return FieldSource(CsvRoot(document))


def outcome_of(
    rules: Sequence[object],
    document: str | None = None,
    source_format: str = "x12",
    *,
    is_explained: bool = False,
    lookups: Mapping[str, Mapping[str, str]] = MappingProxyType({}),
    tx_index: int = 1,
) -> RunOutcome:
    compiled = compile_rules(
        rules, source_format=source_format, target_format="json", lookups=lookups
    )
    text = case() if document is None else document
    source = source_of(source_format, text, is_explained=is_explained, tx_index=tx_index)
    return run(compiled, source, is_explained=is_explained)


def entries_of(
    rules: Sequence[object], document: str | None = None, source_format: str = "x12", **others: int
) -> list[Entries]:
    """Return the entries of each rule."""
    made = outcome_of(rules, document, source_format, **others)  # type: ignore[arg-type]  # tx_index
    return [each.entries for each in made.writes]


def values_of(given: object, document: str | None = None, source_format: str = "x12") -> list[str]:
    """Return the values of one rule."""
    (entries,) = entries_of([given], document, source_format)
    return [value for _, value in entries]


def refusal_of(
    rules: Sequence[object], document: str | None = None, source_format: str = "x12"
) -> tuple[str, tuple[ErrorDetail, ...]]:
    with pytest.raises(LongshoreError) as caught:
        outcome_of(rules, document, source_format)
    return caught.value.code, caught.value.details


def failure_of(
    given: object, document: str | None = None, source_format: str = "x12"
) -> tuple[str, str | None]:
    """Return exact code and place of a failed conversion."""
    code, (detail,) = refusal_of([given], document, source_format)
    assert code == "conversion_failed"
    return detail.code, detail.param
