"""Apply rules to a source: the values to write, and their origins.

Source: fields-and-mapping.md sections 5 and 8.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from longshore.mapping.columns import Column, column_of, condition_of, keys_of
from longshore.mapping.conflicts import Token, wildcard_prefixes
from longshore.mapping.formula_columns import fault_warnings, formula_column, late_column
from longshore.mapping.formulas.computing import RowFault
from longshore.mapping.formulas.frame import FormulaCall
from longshore.mapping.list_rows import ListReads, elements_of
from longshore.mapping.pipeline import (
    Checkpoint,
    ValuePipeline,
    fill_gaps,
    refuse_missing,
    too_long,
)
from longshore.mapping.rule import Rule
from longshore.mapping.rules import ListScope, RuleList
from longshore.mapping.source import MAX_VALUES, MapSource, too_many_values
from longshore.mapping.sources_fields import FieldSource
from longshore.mapping.target_paths import Index, JsonTarget
from longshore.mapping.values import ValueTooLongError
from longshore.mapping.writes import Binding, MappingWarning, RuleWrites, ValueOrigin

LOOP_SCOPE_GUESSED: Final = "loop_scope_guessed"


@dataclass(slots=True)
class RuleMatches:
    """The values that rules found in the source."""

    without_value: list[int] = field(default_factory=list)
    """The indexes of the rules to which the source gave no value that they could write.

    Rules whose condition is not fulfilled are not among them.
    """
    has_value: bool = False
    """A rule with a source wrote a value: one of the source, or its default."""


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """The outcome of a list of rules."""

    writes: list[RuleWrites]
    """One for each rule, in order."""
    warnings: list[MappingWarning]
    found: RuleMatches
    reads: frozenset[str] = frozenset()
    """The canonical keys that written values and fulfilled conditions read; empty unless requested.
    """


# Where a rule writes, by names, and what.
StraightWrite = tuple[tuple[str | Index, ...], str]


def no_budget(_chars: int) -> None:
    """Return a checkpoint that never ends a run."""


def run(
    rule_list: RuleList,
    source: MapSource,
    *,
    is_explained: bool = False,
    checkpoint: Checkpoint = no_budget,
    rules_between: int = 1,
    moment: datetime | None = None,
) -> RunOutcome:
    """Apply rules to a source.

    Args:
        rule_list: The compiled rules.
        source: The source document.
        is_explained: Also record the origin of each value.
        checkpoint: Called after every ``rules_between`` rules, and more often during costly
            operations; an exception it raises ends the run.
        rules_between: The number of rules between two calls of ``checkpoint``.
        moment: Date and time of the call, for formulas that read them.

    Raises:
        TypeError: A formula needs ``moment``.
        LongshoreError: conversion_failed with required_missing, lookup_miss, type_mismatch or
            date_invalid; limit_exceeded with values, value_chars or formula_steps.
    """
    call = _call(rule_list, moment, checkpoint)
    made = _Run(rule_list, source, call, rules_between, is_explained=is_explained)
    outcome = made.outcome()
    made.warn_of_faults(rule_list.all_rules)
    return outcome


def run_straight(
    rule_list: RuleList,
    source: MapSource,
    checkpoint: Checkpoint = no_budget,
    rules_between: int = 1,
    moment: datetime | None = None,
) -> tuple[list[StraightWrite], list[MappingWarning], RuleMatches]:
    """Apply straight rules; return what they write, the warnings, and what they found.

    ``run`` gives the same result more slowly: the cost of small documents is by rule, not by
    length.

    Raises:
        TypeError, LongshoreError: As ``run``.
    """
    call = _call(rule_list, moment, checkpoint)
    made = _Run(rule_list, source, call, rules_between, is_explained=False)
    outcome = made.straight()
    made.warn_of_faults(rule_list.rules)
    return outcome


def _call(rule_list: RuleList, moment: datetime | None, checkpoint: Checkpoint) -> FormulaCall:
    if moment is None and rule_list.needs_moment:
        raise TypeError("today() and now() need the time of the call")
    return FormulaCall(moment, checkpoint)


class _Run:
    def __init__(
        self,
        rule_list: RuleList,
        source: MapSource,
        call: FormulaCall,
        rules_between: int,
        *,
        is_explained: bool,
    ) -> None:
        self._rules = rule_list.rules
        self._scopes = rule_list.scopes
        self._consumed = rule_list.consumed
        self._singles = rule_list.singles
        self._alone = rule_list.alone
        self._source = source
        self._call = call
        self._checkpoint = call.checkpoint
        self._between = rules_between
        self._is_explained = is_explained
        self._value_count = 0
        self._warnings: list[MappingWarning] = []
        self._pipeline = ValuePipeline(
            call.checkpoint, self._warnings, has_literals=source.has_literals
        )
        self._faults: dict[int, list[RowFault]] = {}
        self._found = RuleMatches()
        self._reads: set[str] = set()
        # The occurrences that wildcards of constants mean.
        self._bindings: dict[tuple[Token, ...], set[Binding]] = {
            prefix: set() for prefix in rule_list.const_prefixes
        }

    def outcome(self) -> RunOutcome:
        alone = self._alone
        values = self._source.values(self._singles)
        writes = [_writes_of(rule, is_alone=rule.index in alone) for rule in self._rules]
        for rule, made in zip(self._rules, writes, strict=True):
            if not (rule.index + 1) % self._between:
                self._checkpoint(0)
            is_single = rule.single is not None and not self._is_explained
            value = self._pipeline.single(rule, next(values)) if is_single else None
            if value is not None:
                made.entries = [((), value)]
                self._found.has_value = True
            elif not rule.is_repeated:
                self._write_values(rule, made)
        inner = [writes_below for scope in self._scopes for writes_below in self._below(scope)]
        # Only now is it certain which occurrences their wildcards mean.
        for rule, made in zip(self._rules, writes, strict=True):
            if rule.is_repeated and rule.formula is not None:
                self._write_values(rule, made)
            elif rule.is_repeated:
                self._write_const(rule, made)
        self._warn_of_guesses()
        all_writes = sorted((*writes, *inner), key=lambda each: each.rule) if inner else writes
        return RunOutcome(all_writes, self._warnings, self._found, frozenset(self._reads))

    def _below(self, scope: ListScope) -> Iterable[RuleWrites]:
        """Run the rules below a list rule, once for each element; return what they write."""
        assert isinstance(self._source, FieldSource)  # list rules are for such documents
        made = {rule.index: _writes_of(rule, is_alone=True) for rule in scope.rules.all_rules}
        reads = ListReads(is_traced=self._is_explained)
        without_value: set[int] = set()
        around = self._call.outer
        for binding, source in elements_of(scope.formulas, self._source, self._call, reads):
            self._call.outer = (*around, *binding)
            below = _Run(
                scope.rules, source, self._call, self._between, is_explained=self._is_explained
            )
            without_value.update(self._run_below(below, binding, made))
        self._call.outer = around
        self._found.without_value += [at for at in without_value if not made[at].entries]
        self._reads |= reads.keys
        param = f"field_map[{scope.rule.index}]"
        self._warnings += fault_warnings(param, scope.rule.tgt, reads.faults)
        return made.values()

    def _run_below(
        self, below: _Run, outer: Binding, made: Mapping[int, RuleWrites]
    ) -> Sequence[int]:
        """Add what the rules of one element write; return those that found nothing."""
        below._value_count = self._value_count
        outcome = below.outcome()
        self._value_count = below._value_count
        for writes in outcome.writes:
            made[writes.rule].append(writes, outer)
            self._note_rows(writes, outer)
        for index, faults in below._faults.items():
            found = [fault._replace(row=(*outer, *fault.row)) for fault in faults]
            self._faults.setdefault(index, []).extend(found)
        self._warnings += outcome.warnings
        self._found.has_value |= outcome.found.has_value
        self._reads |= outcome.reads
        return outcome.found.without_value

    def _note_rows(self, writes: RuleWrites, outer: Binding) -> None:
        """Note the rows that a rule below a list rule writes, for constants above."""
        prefixes = wildcard_prefixes(writes.target)[self._consumed :] if self._bindings else ()
        for depth, prefix in enumerate(prefixes, 1):
            if prefix in self._bindings:
                rows = {(*outer, *binding)[:depth] for binding, _ in writes.entries}
                self._bindings[prefix] |= rows

    def warn_of_faults(self, rules: Iterable[Rule]) -> None:
        """Add a warning for each kind of fault of each formula."""
        for rule in rules if self._faults else ():
            faults = self._faults.get(rule.index, ())
            self._warnings += fault_warnings(rule.param, rule.tgt, faults)

    def straight(self) -> tuple[list[StraightWrite], list[MappingWarning], RuleMatches]:
        written: list[StraightWrite] = []
        values = self._source.values(self._singles)
        has_literals, found, between = self._source.has_literals, self._found, self._between
        for number, rule in enumerate(self._rules, 1):
            if not number % between:
                self._checkpoint(0)
            if rule.formula is not None:
                value = self._instead(rule)
            elif rule.single is None:
                value = rule.values.const
            else:
                value = next(values)
                is_kept = rule.is_plain and not has_literals
                if not is_kept:
                    value = self._pipeline.single(rule, value)
                if value is not None:
                    found.has_value = True
                elif is_kept:
                    found.without_value.append(rule.index)
                else:
                    value = self._instead(rule)
            if value is not None:
                assert isinstance(rule.target, JsonTarget)  # it is straight
                written.append((rule.target.steps, value))
        self._warn_of_guesses()
        return written, self._warnings, found

    def _instead(self, rule: Rule) -> str | None:
        """Return what is written of a formula, or instead of a missing value; None: nothing."""
        made = _writes_of(rule, is_alone=True)
        self._write_values(rule, made)
        return next((value for _, value in (*made.entries, *made.fillers)), None)

    def _warn_of_guesses(self) -> None:
        for path in self._source.guessed_paths():
            message = f"no structure table says what belongs to the loops of {path}: guessed"
            self._warnings.append(MappingWarning(LOOP_SCOPE_GUESSED, message))

    def _write_const(self, rule: Rule, made: RuleWrites) -> None:
        const = rule.values.const
        assert const is not None  # a rule without sources has one
        holds = self._condition(rule)
        if holds is None or holds(()):
            bindings = sorted(self._others(rule)) if rule.prefixes else [()]
            if len(bindings) > 1:
                self._checkpoint(len(const) * len(bindings))
            made.entries = [(binding, const) for binding in bindings]
        if self._is_explained:
            made.origins = [ValueOrigin("const", (), const)] * len(made.entries)

    def _write_values(self, rule: Rule, made: RuleWrites) -> None:
        holds = self._condition(rule)
        column = self._column(rule, holds)
        self._count(len(column.bindings))
        is_applied = holds is None or any(map(holds, column.bindings or [()]))
        if holds is not None:
            column = column.only(holds)
        elif not column.bindings:
            refuse_missing(rule)
        for depth, prefix in enumerate(rule.prefixes if self._bindings else (), 1):
            if prefix in self._bindings:
                self._bindings[prefix].update(binding[:depth] for binding in column.bindings)
        is_late = rule.formula is not None and rule.formula.is_late
        finals = column.values if is_late else self._pipeline.finals(rule, column.values)
        pairs = zip(column.bindings, finals, strict=True)
        made.entries = [(binding, final) for binding, final in pairs if final is not None]
        if is_applied and not made.entries:
            self._found.without_value.append(rule.index)
        if len(made.entries) < len(finals):
            self._checkpoint(len(rule.values.default or "") * len(finals))
            fill_gaps(rule, made, column.bindings, finals)
        if made.entries:
            self._found.has_value = True
        if self._is_explained:
            self._explain(made, column, finals)

    def _column(self, rule: Rule, holds: Callable[[Binding], bool] | None) -> Column:
        """Return the values of a rule's sources, or of its formula where it applies.

        Raises:
            too_long: A LongshoreError limit_exceeded.
        """
        formula = rule.formula
        if formula is None:
            return column_of(rule, self._source, is_traced=self._is_explained)
        others = self._others(rule) if formula.is_repeated else ()
        if formula.is_late:
            default = rule.values.default or ""

            def finish(text: str | None) -> str:
                return self._pipeline.finals(rule, (text,))[0] or default

            return late_column(
                rule, formula, self._source, self._call, others=others, finish=finish
            )
        try:
            column, faults = formula_column(
                rule,
                formula,
                self._source,
                self._call,
                others=others,
                holds=holds,
                is_traced=self._is_explained,
            )
        except ValueTooLongError as error:
            raise too_long(rule) from error
        self._faults.setdefault(rule.index, []).extend(faults)
        return column

    def _others(self, rule: Rule) -> Iterable[Binding]:
        """Return the rows that other rules write to the list of a rule."""
        return self._bindings[rule.prefixes[-1]]

    def _condition(self, rule: Rule) -> Callable[[Binding], bool] | None:
        """Return what tells whether a rule applies; None if it always does."""
        if rule.when is None:
            return None
        self._count(len(self._source.read_condition(rule.when.path).bindings))
        if self._is_explained:
            self._reads |= keys_of(rule.when, self._source)
        return condition_of(rule.when, rule.bound, self._source)

    def _explain(self, made: RuleWrites, column: Column, finals: Sequence[str | None]) -> None:
        origins: dict[Binding, ValueOrigin] = {}
        each = zip(column.bindings, column.values, column.reads, finals, strict=True)
        for binding, value, (sources, keys), final in each:
            if final is not None:
                origins[binding] = ValueOrigin("source", sources, str(value))
                self._reads.update(keys)
        made.origins = [
            origins.get(binding) or ValueOrigin("default", (), value)
            for binding, value in (*made.entries, *made.fillers)
        ]

    def _count(self, values: int) -> None:
        """Count values that are read.

        Raises:
            too_many_values: A LongshoreError limit_exceeded.
        """
        self._value_count += values
        if self._value_count > MAX_VALUES:
            raise too_many_values()


def _writes_of(rule: Rule, *, is_alone: bool) -> RuleWrites:
    return RuleWrites(
        rule.index,
        rule.target,
        rule.on_duplicate,
        rule.duplicate_separator,
        bool(rule.sources),
        is_alone,
    )
