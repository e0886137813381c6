"""The rules of suggestions: which JSON type they write, and whether they work on the document.

Source: contract.md section 15, fields-and-mapping.md section 5 (type).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from longshore.kit.errors import ErrorDetail, LongshoreError
from longshore.mapping.document_x12 import X12Document
from longshore.mapping.paths import SourcePathError, read_source
from longshore.mapping.paths_fields import read_json_path
from longshore.mapping.rule import Rule
from longshore.mapping.rule_texts import RuleText, read_lookups
from longshore.mapping.rules import MAX_RULES, compile_rules
from longshore.mapping.source import MapSource
from longshore.mapping.sources_fields import FieldSource
from longshore.mapping.sources_x12 import X12Source
from longshore.mapping.suggest_x12 import MAX_CHARS
from longshore.mapping.target_paths import TargetPath
from longshore.mapping.tree_xml import xml_root
from longshore.mapping.trees import CsvRoot, json_root
from longshore.mapping.values import ValueFaultError
from longshore.mapping.writes import JsonLiteral
from longshore.x12.dictionary.library import shipped


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """Suggested rules for one target."""

    src: str
    """The source of the first rule."""
    tgt: str
    transform: str
    score: float
    """0 to 1."""
    reason: str
    """The reason in words, such as ``same meaning: purchase order number; value looks like a
    date``."""
    group: str
    """The outermost loop or list of the source, else ``heading``."""
    rules: tuple[dict[str, str], ...]
    """The rules that accepting it adds to ``field_map``: one for each position of the value."""


# ---- types -------------------------------------------------------------------------------------


def types_in(target_sample: str, rules: RuleText) -> Callable[[str], dict[str, str]]:
    """Return a function from a target to the members of a rule that write the type of the sample.

    A number gives ``type: number``, true and false ``type: boolean``; null takes any value, and is
    written where there is none. Texts need no type, nor do formats without types.
    """
    if rules.target_format != "json":
        return lambda _: {}
    sample = FieldSource(json_root(target_sample), has_literals=True)
    of_null = {"on_missing": "null"} | ({"type": "raw"} if rules.source_format == "json" else {})

    def members_for(path: str) -> dict[str, str]:
        try:
            values = sample.read(read_source(read_json_path, path)).values
        except SourcePathError:
            return {}  # nor can it be a target: the rule is not suggested
        found = {_type_of(value) for value in values if value is not None}
        if not found:
            return of_null
        (only, *others) = found
        return {"type": only} if only and not others else {}

    return members_for


def _type_of(value: str) -> str:
    """Return the ``type`` of a JSON value; ``""`` of a text."""
    if not isinstance(value, JsonLiteral):
        return ""
    return "boolean" if value in {"true", "false"} else "number"


# ---- proof -------------------------------------------------------------------------------------


def sound_suggestions(
    found: Sequence[Suggestion], given: Sequence[object], rules: RuleText, document: str
) -> Iterator[tuple[Suggestion, TargetPath]]:
    """Yield the suggestions that compile with the existing rules and give a value, with targets."""
    kept = _affordable(found, MAX_RULES - len(given))
    faulty = _faulty(kept, given, rules)
    while faulty:
        kept = [each for each in kept if each.tgt not in faulty]
        faulty = _faulty(kept, given, rules)
    source = _SOURCES[rules.source_format](document)
    compiled = iter(
        compile_rules(
            [rule for each in kept for rule in each.rules],
            source_format=rules.source_format,
            target_format=rules.target_format,
        ).rules
    )
    for suggestion in kept:
        own = [next(compiled) for _ in suggestion.rules]
        values = [value for rule in own for value in _values(rule, source)]
        if values and all(_is_writable(own[0], value) for value in values):
            yield suggestion, own[0].target


def _affordable(found: Sequence[Suggestion], most: int) -> list[Suggestion]:
    """Return as many suggestions as have at most so many rules."""
    kept = []
    for each in found:
        most -= len(each.rules)
        if most < 0:
            break
        kept.append(each)
    return kept


def _values(rule: Rule, source: MapSource) -> Iterator[str]:
    """Yield what a rule reads; ``when`` has the wildcards of the source."""
    values = source.read(rule.sources[0]).values
    if rule.when is None:
        yield from (value for value in values if value is not None)
        return
    conditions = source.read(rule.when.path).values
    for value, condition in zip(values, conditions, strict=True):
        if value is not None and rule.when.holds(condition):
            yield value


def _is_writable(rule: Rule, value: str) -> bool:
    """Return whether a value can be written as the type of the rule."""
    finish = rule.values.finish or str
    try:
        finish(value)
    except ValueFaultError:
        return False
    return True


def _faulty(kept: Sequence[Suggestion], given: Sequence[object], rules: RuleText) -> frozenset[str]:
    """Return the targets of suggestions that do not compile with the rules given."""
    made = [rule for each in kept for rule in each.rules]
    try:
        compile_rules(
            [*given, *made],
            source_format=rules.source_format,
            target_format=rules.target_format,
            lookups=read_lookups(rules.lookups),
        )
    except LongshoreError as refusal:
        indexes = (_rule_index(detail) - len(given) for detail in refusal.details)
        return frozenset(made[index]["tgt"] for index in indexes if index >= 0)
    return frozenset()


def _rule_index(detail: ErrorDetail) -> int:
    """Return the index of the rule that a detail, such as of ``field_map[2].src``, is about."""
    return int(str(detail.param).partition("[")[2].partition("]")[0])


def _x12_source(document: str) -> MapSource:
    return X12Source(X12Document(document[:MAX_CHARS], only=1), shipped())


_SOURCES: Final[Mapping[str, Callable[[str], MapSource]]] = MappingProxyType({
    "x12": _x12_source,
    "json": lambda document: FieldSource(json_root(document), has_literals=True),
    "csv": lambda document: FieldSource(CsvRoot(document)),
    "xml": lambda document: FieldSource(xml_root(document)),
})
