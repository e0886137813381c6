"""Read the formulas of a list of rules, each bound to the rows of its target.

Source: fields-and-mapping.md section 5, formulas.md sections 1 and 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from longshore.kit.errors import ErrorDetail
from longshore.mapping.conflicts import Token, wildcard_prefixes
from longshore.mapping.formulas.formula import FormulaContext, ParsedFormula
from longshore.mapping.formulas.syntax import FormulaError
from longshore.mapping.members import RuleFaults
from longshore.mapping.paths import PathReader, SourcePath, SourcePathError, read_source
from longshore.mapping.rule import Lookups, Rule
from longshore.mapping.target_paths import CsvTarget, TargetPath

# A list of the output; the rows of a CSV document are one too.
_List = tuple[Token, ...]
_ROWS: _List = ()


class RuleScope(NamedTuple):
    """The rows that rules below a list rule see."""

    consumed: int = 0
    """The number of wildcards of their targets that the list rules stand for."""
    is_element: bool = False
    """They see one row of a list of the output."""


WHOLE: Final = RuleScope()
"""The scope of rules that are below no list rule."""


class RuleFormulas:
    """Reads the formulas of one list of rules.

    Args:
        read_path: Reads the paths of the source format.
        lookups: The tables that formulas may name.
        source_format: The format of the documents.
        target_format: The format of the outputs.
        faults: Receives the faults.
        scope: What list rules above them mean for them.
    """

    def __init__(
        self,
        read_path: PathReader,
        lookups: Lookups,
        source_format: str,
        target_format: str,
        faults: RuleFaults,
        scope: RuleScope,
    ) -> None:
        self._consumed = scope.consumed
        self._read_path = read_path
        self._row_suffix = "/_" if source_format == "csv" else ""
        self._context = FormulaContext(
            lambda text: read_source(read_path, text),
            self._rows_path,
            lookups,
            target_format,
            scope.is_element,
        )
        self._faults = faults
        # The prefixes of the paths of each list that rules write, by the list.
        self._lists: dict[_List, tuple[str, ...]] = {}

    @property
    def context(self) -> FormulaContext:
        """The way in which paths and tables are read."""
        return self._context

    def rows_of(self, list_written: _List) -> tuple[str, ...]:
        """Return the prefixes of the paths that rules write to a list; empty if there is none."""
        return self._lists.get(list_written, ())

    def added_to(
        self, rules: Sequence[Rule], field_map: Sequence[object], indexes: Iterable[int]
    ) -> tuple[Rule, ...]:
        """Return the rules with their formulas.

        Args:
            rules: The rules without faults so far, in order.
            field_map: All rules of the map, as they were given.
            indexes: Which of them this is about.
        """
        parsed: dict[int, ParsedFormula] = {}
        for index in indexes:
            given = field_map[index]
            text = given.get("formula") if isinstance(given, Mapping) else None
            if isinstance(text, str):
                self._parse(index, text, parsed)
        for rule in rules:
            if rule.lead is not None:
                self._note(rule.target, rule.lead.prefixes)
        if not parsed:
            return tuple(rules)
        for rule in rules:
            if rule.index in parsed:
                self._note(rule.target, parsed[rule.index].own_rows)
        return tuple(self._with_formula(rule, parsed.get(rule.index), field_map) for rule in rules)

    def _parse(self, index: int, text: str, parsed: dict[int, ParsedFormula]) -> None:
        try:
            parsed[index] = ParsedFormula(text, self._context)
        except FormulaError as error:
            self._report(index, error)

    def _note(self, target: TargetPath, prefixes: tuple[str, ...]) -> None:
        """Note which list of the document a rule writes to its target."""
        if isinstance(target, CsvTarget):
            self._lists[_ROWS] = max(self._lists.get(_ROWS, ()), prefixes, key=len)
            return
        lists = wildcard_prefixes(target)[self._consumed :]
        for depth, list_written in enumerate(lists, 1):
            if len(prefixes) >= depth:
                self._lists.setdefault(list_written, prefixes[:depth])

    def _rows_path(self, prefix: str) -> SourcePath | None:
        text = prefix + self._row_suffix
        try:
            path, end = self._read_path(text, is_open=True)
        except SourcePathError:
            return None  # of sets, which are no segments
        return path if end == len(text) else None

    def _with_formula(
        self, rule: Rule, parsed: ParsedFormula | None, field_map: Sequence[object]
    ) -> Rule:
        if parsed is None:
            return rule
        target = rule.target
        is_csv = isinstance(target, CsvTarget)
        list_written = _ROWS if is_csv else (rule.prefixes or (_ROWS,))[-1]
        rows = self._lists.get(list_written, ())
        wildcards = target.wildcards - self._consumed
        try:
            formula = parsed.bind(None if is_csv else wildcards, rows)
        except FormulaError as error:
            self._report(rule.index, error)
            return rule
        given = field_map[rule.index]
        assert isinstance(given, Mapping)  # it became a rule
        has_several = formula.depth > wildcards or formula.made is not None
        if has_several and not is_csv and given.get("on_duplicate") is None:
            message = (
                "the formula has several values and tgt one place: "
                "say in on_duplicate what to do, or make one value of them by sum, first or join"
            )
            self._faults.report(f"{rule.param}.tgt", message)
        bound = 0 if rule.when is None else formula.shared(rule.when.path.prefixes)
        return replace(
            rule,
            sources=formula.paths,
            formula=formula,
            is_repeated=formula.is_repeated,
            bound=bound,
        )

    def _report(self, index: int, error: FormulaError) -> None:
        param = f"field_map[{index}].formula"
        detail = ErrorDetail(
            code=error.code, param=param, message=str(error), position=error.position
        )
        self._faults.add(detail)
