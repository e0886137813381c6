"""Compile a list of mapping rules before any data is there, reporting all faults at once.

Source: fields-and-mapping.md sections 5 to 7 and 10, contract.md section 2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError, more_in_details
from longshore.mapping.conflicts import Token, conflicts
from longshore.mapping.formulas.syntax import DIFFERENT_ROWS
from longshore.mapping.members import RuleFaults
from longshore.mapping.paths import PathReader, SourcePath
from longshore.mapping.paths_fields import read_csv_path, read_json_path, read_xml_path
from longshore.mapping.paths_x12 import X12Path, read_x12_path
from longshore.mapping.rule import Lookups, Rule, RuleReader
from longshore.mapping.rule_formulas import RuleFormulas
from longshore.mapping.target_paths import TARGET_PATHS, JsonTarget
from longshore.mapping.targets_json import Skeleton, skeleton_of
from longshore.mapping.writes import OnDuplicate

MAX_RULES: Final = 10_000

SOURCE_PATHS: Final[Mapping[str, PathReader]] = MappingProxyType({
    "x12": read_x12_path,
    "json": read_json_path,
    "csv": read_csv_path,
    "xml": read_xml_path,
})
"""The reader of source paths, by source format."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleList:
    """Checked rules."""

    rules: tuple[Rule, ...]
    source_format: str
    target_format: str
    const_prefixes: frozenset[tuple[Token, ...]]
    """The ways up to the wildcards that constants need."""
    alone: frozenset[int]
    """The indexes of the rules to whose positions no other rule writes."""
    singles: tuple[SourcePath, ...]
    """The paths ``single`` of the rules that have one, in order."""
    skeleton: Skeleton | None
    """For rules that each write at most one value, to a position of its own in a JSON document
    without arrays; None for other rules."""
    is_about_one_set: bool
    """They read only one set of an X12 document and its envelope."""
    needs_moment: bool
    """A formula reads the date or time of the call."""


def compile_rules(
    field_map: Sequence[object],
    *,
    source_format: str,
    target_format: str,
    lookups: Lookups = MappingProxyType({}),
) -> RuleList:
    """Check rules and make them ready.

    Args:
        field_map: The rules as decoded from JSON, numbers with a fraction as ``Decimal``.
        source_format: One of ``SOURCE_PATHS``.
        target_format: One of ``TARGET_PATHS``.
        lookups: Tables that ``table_id`` may name.

    Raises:
        LongshoreError: invalid_mapping_rule, invalid_formula, unsupported_transform or
            limit_exceeded, with a detail for each fault of each rule, in order.
    """
    if len(field_map) > MAX_RULES:
        too_many = _too_many_rules()
        raise too_many
    faults = RuleFaults()
    read_path, read_target = SOURCE_PATHS[source_format], TARGET_PATHS[target_format]
    reader = RuleReader(read_path, read_target, lookups, faults)
    read = (reader.rule(index, given) for index, given in enumerate(field_map))
    formulas = RuleFormulas(read_path, lookups, source_format, target_format, faults)
    rules = formulas.added_to([rule for rule in read if rule is not None], field_map)
    for at, message in conflicts((rule.index, rule.target) for rule in rules):
        faults.report(f"field_map[{at}].tgt", message)
    if faults.details:
        refusal = _refusal(sorted(faults.details, key=_rule_of))
        raise refusal
    alone = _alone(rules)
    return RuleList(
        rules=rules,
        source_format=source_format,
        target_format=target_format,
        const_prefixes=frozenset(
            rule.prefixes[-1] for rule in rules if rule.is_repeated and rule.prefixes
        ),
        alone=alone,
        singles=tuple(rule.single for rule in rules if rule.single is not None),
        skeleton=_skeleton(rules, alone),
        is_about_one_set=all(map(_is_about_one_set, rules)),
        needs_moment=any(rule.formula is not None and rule.formula.needs_moment for rule in rules),
    )


def _alone(rules: Sequence[Rule]) -> frozenset[int]:
    uses = Counter(rule.target for rule in rules)
    return frozenset(
        rule.index
        for rule in rules
        if uses[rule.target] == 1 and rule.on_duplicate is OnDuplicate.LAST
    )


def _skeleton(rules: Sequence[Rule], alone: frozenset[int]) -> Skeleton | None:
    targets = [rule.target for rule in rules if rule.index in alone and _is_straight(rule)]
    places = [target.steps for target in targets if isinstance(target, JsonTarget)]
    return skeleton_of(places) if len(places) == len(rules) else None


def _is_straight(rule: Rule) -> bool:
    if not isinstance(rule.target, JsonTarget) or not all(
        isinstance(step, str) for step in rule.target.steps
    ):
        return False
    if rule.formula is not None:
        return rule.formula.is_single and rule.when is None
    return rule.single is not None or not (rule.sources or rule.when)


def _is_about_one_set(rule: Rule) -> bool:
    paths = (*rule.sources, rule.when.path) if rule.when else rule.sources
    return all(isinstance(path, X12Path) and path.is_about_one_set for path in paths)


def _too_many_rules() -> LongshoreError:
    code = ErrorCode.LIMIT_EXCEEDED
    message = f"at most {MAX_RULES} rules are allowed"
    detail = ErrorDetail(
        code=code, param="field_map", message=message, limit="rules", max=MAX_RULES
    )
    return LongshoreError(code, f"A{message[1:]}.", details=(detail,))


def _rule_of(detail: ErrorDetail) -> int:
    """Return the index of the rule that a detail, such as of ``field_map[2].src``, is about."""
    assert detail.param is not None  # each names its place
    return int(detail.param.partition("[")[2].partition("]")[0])


def _refusal(details: list[ErrorDetail]) -> LongshoreError:
    """Return the refusal of all faults; its code and text are those of the first."""
    first = details[0]
    allowed = f" Use one of: {', '.join(first.allowed)}." if first.allowed else ""
    others = more_in_details(len(details))
    text = f"{first.message[0].upper()}{first.message[1:]} ({first.param}).{allowed}{others}"
    code = ErrorCode.INVALID_FORMULA if first.code == DIFFERENT_ROWS else ErrorCode(first.code)
    return LongshoreError(code, text, details=tuple(details))
