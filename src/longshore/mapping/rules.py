"""Compile a list of mapping rules before any data is there, reporting all faults at once.

Source: fields-and-mapping.md sections 5 to 7 and 10, contract.md section 2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError, more_in_details
from longshore.mapping.conflicts import WILDCARD, Token, conflicts
from longshore.mapping.formulas.formula import Formula, FormulaContext
from longshore.mapping.formulas.syntax import DIFFERENT_ROWS
from longshore.mapping.list_rules import (
    ListCompiler,
    ListFormulas,
    ListRule,
    is_list_rule,
    read_list_rule,
)
from longshore.mapping.members import RuleFaults
from longshore.mapping.paths import PathReader, SourcePath
from longshore.mapping.paths_fields import FieldPath, read_csv_path, read_json_path, read_xml_path
from longshore.mapping.paths_x12 import X12Path, read_x12_path
from longshore.mapping.rule import Lookups, Rule, RuleReader
from longshore.mapping.rule_formulas import WHOLE, RuleFormulas, RuleScope
from longshore.mapping.target_paths import (
    ALL,
    TARGET_PATHS,
    Index,
    JsonTarget,
    TargetPathError,
)
from longshore.mapping.targets_json import Skeleton, skeleton_of
from longshore.mapping.writes import OnDuplicate

MAX_RULES: Final = 10_000
_SET_FRAME: Final = frozenset(("ST", "SE"))

SOURCE_PATHS: Final[Mapping[str, PathReader]] = MappingProxyType({
    "x12": read_x12_path,
    "json": read_json_path,
    "csv": read_csv_path,
    "xml": read_xml_path,
})
"""The reader of source paths, by source format."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListScope:
    """A list rule with the rules that see the rows it chooses."""

    rule: ListRule
    formulas: ListFormulas
    rules: RuleList

    @property
    def needs_moment(self) -> bool:
        """A formula reads the date or time of the call."""
        own = (self.formulas.group, self.formulas.sort, self.formulas.where)
        return self.rules.needs_moment or any(map(_needs_moment, own))


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleList:
    """Checked rules."""

    rules: tuple[Rule, ...]
    """Those that see the whole document."""
    scopes: tuple[ListScope, ...]
    """The rules about lists, with those below them."""
    consumed: int
    """The number of wildcards of their targets that the list rules above them stand for."""
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
    sets: frozenset[Index | None]
    """The sets of an X12 source whose data ``rules`` read: None for the one they are run for."""

    @property
    def count(self) -> int:
        """The number of rules, list rules among them."""
        return len(self.rules) + sum(1 + scope.rules.count for scope in self.scopes)

    @property
    def all_rules(self) -> tuple[Rule, ...]:
        """The rules with those below list rules, in order."""
        inner = [rule for scope in self.scopes for rule in scope.rules.all_rules]
        return (
            tuple(sorted((*self.rules, *inner), key=lambda rule: rule.index))
            if inner
            else self.rules
        )


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
    compiler = _Compiler(field_map, source_format, target_format, lookups, faults)
    made = compiler.compiled()
    for at, message in conflicts((rule.index, rule.target) for rule in made.all_rules):
        faults.report(f"field_map[{at}].tgt", message)
    if faults.details:
        refusal = _refusal(sorted(faults.details, key=_rule_of))
        raise refusal
    return made if made.scopes else replace(made, skeleton=_skeleton(made.rules, made.alone))


class _Compiler:
    """Compiles the rules of one list, those below a list rule apart."""

    def __init__(
        self,
        field_map: Sequence[object],
        source_format: str,
        target_format: str,
        lookups: Lookups,
        faults: RuleFaults,
    ) -> None:
        self._field_map = field_map
        self._source_format = source_format
        self._target_format = target_format
        self._lookups = lookups
        self._faults = faults
        self._read_target = TARGET_PATHS[target_format]
        self._list_compiler = ListCompiler(self._context, faults)

    def compiled(self) -> RuleList:
        indexes = [index for index, _ in enumerate(self._field_map)]
        about_lists = [index for index in indexes if is_list_rule(self._field_map[index])]
        if not about_lists:
            return self._scope(indexes, [], (), WHOLE)
        found = (self._list_rule(index) for index in about_lists)
        lists = [rule for rule in found if rule is not None]
        return self._scope(
            [each for each in indexes if each not in about_lists], lists, (), RuleScope()
        )

    def _list_rule(self, index: int) -> ListRule | None:
        given = self._field_map[index]
        assert isinstance(given, Mapping)  # it has members
        if self._source_format == "x12":
            message = "group, sort and where need a JSON, XML or CSV document"
            self._faults.report(f"field_map[{index}]", message)
            return None
        return read_list_rule(index, given, self._read_target, self._target_format, self._faults)

    def _scope(
        self,
        indexes: Sequence[int],
        lists: Sequence[ListRule],
        firsts: tuple[str, ...],
        scope: RuleScope,
    ) -> RuleList:
        """Compile the rules that see the same rows.

        Args:
            indexes: The indexes of the rules, those below list rules among them.
            lists: The list rules among them.
            firsts: The prefixes of the lists of which they see one row.
            scope: What that means for them.
        """
        direct = [rule for rule in lists if not any(each.is_around(rule) for each in lists)]
        below = {rule.index: self._below(rule, indexes) for rule in direct}
        inner = {index for found in below.values() for index in found}
        own = [index for index in indexes if index not in inner]
        read_path = self._path_reader(firsts)
        reader = RuleReader(
            read_path, self._read_target, self._lookups, self._faults, scope.consumed
        )
        read = (reader.rule(index, self._field_map[index]) for index in own)
        formulas = RuleFormulas(
            read_path,
            self._lookups,
            self._source_format,
            self._target_format,
            self._faults,
            scope,
        )
        rules = formulas.added_to([rule for rule in read if rule is not None], self._field_map, own)
        scopes = []
        for rule in direct:
            outer = formulas.rows_of(_around(rule.written))
            found = self._list_compiler.compile(
                rule, rule.wildcards - scope.consumed, firsts, outer
            )
            if found is None:
                continue
            within = [each for each in lists if rule.is_around(each)]
            taken = rule.wildcards - (found.group is None)
            taken = 0 if self._target_format == "csv" else taken
            made = self._scope(
                below[rule.index],
                within,
                found.firsts,
                RuleScope(taken, bool(found.firsts) or found.group is not None),
            )
            scopes.append(ListScope(rule=rule, formulas=found, rules=made))
        return self._rule_list(rules, tuple(scopes), scope.consumed)

    def _below(self, rule: ListRule, indexes: Sequence[int]) -> list[int]:
        return [index for index in indexes if self._is_below(rule, self._field_map[index])]

    def _is_below(self, rule: ListRule, given: object) -> bool:
        tgt = given.get("tgt") if isinstance(given, Mapping) else None
        if not isinstance(tgt, str):
            return False
        try:
            return rule.is_above(self._read_target(tgt))
        except TargetPathError:
            return False

    def _path_reader(self, firsts: tuple[str, ...]) -> PathReader:
        read = SOURCE_PATHS[self._source_format]
        if not firsts:
            return read

        def read_first(text: str, *, is_open: bool) -> tuple[SourcePath, int]:
            path, end = read(text, is_open=is_open)
            assert isinstance(path, FieldPath)  # list rules are for these formats
            return path.at_first(firsts), end

        return read_first

    def _context(self, firsts: tuple[str, ...]) -> FormulaContext:
        return RuleFormulas(
            self._path_reader(firsts),
            self._lookups,
            self._source_format,
            self._target_format,
            self._faults,
            WHOLE,
        ).context

    def _rule_list(
        self, rules: tuple[Rule, ...], scopes: tuple[ListScope, ...], consumed: int
    ) -> RuleList:
        alone = _alone(rules)
        return RuleList(
            rules=rules,
            scopes=scopes,
            consumed=consumed,
            source_format=self._source_format,
            target_format=self._target_format,
            const_prefixes=frozenset(
                rule.prefixes[-1] for rule in rules if rule.is_repeated and rule.prefixes
            ),
            alone=alone,
            singles=tuple(rule.single for rule in rules if rule.single is not None),
            skeleton=None,
            is_about_one_set=all(map(_is_about_one_set, rules)),
            needs_moment=any(_needs_moment(rule.formula) for rule in rules)
            or any(scope.needs_moment for scope in scopes),
            sets=_sets(rules),
        )


def _around(written: tuple[Token, ...]) -> tuple[Token, ...]:
    """Return the innermost list around one of the output."""
    ends = [at for at, token in enumerate(written, 1) if token.kind == WILDCARD]
    return written[: ends[-2]] if len(ends) > 1 else ()


def _needs_moment(formula: Formula | None) -> bool:
    return formula is not None and formula.needs_moment


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


def _sets(rules: Sequence[Rule]) -> frozenset[Index | None]:
    """Return the sets that rules read; a condition (``when``) reads no data into the output."""
    paths = [path for rule in rules for path in rule.sources if isinstance(path, X12Path)]
    body = [path.tx_index for path in paths if not path.is_control]
    return frozenset(body or map(_framed_set, paths) if paths else [None])


def _framed_set(path: X12Path) -> Index | None:
    """Return the set whose ST or SE a path reads, None for that the rules are run for."""
    step = path.steps[0]
    if step.segment_id in _SET_FRAME and (step.index is ALL or step.index > 1):
        return step.index
    return None


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
