"""Rules about the rows of a list of the output: which rows there are, in which order, in groups.

Source: fields-and-mapping.md section 5, formulas.md section 4.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from longshore.kit.errors import ErrorDetail
from longshore.mapping.conflicts import Token, wildcard_prefixes
from longshore.mapping.formulas.formula import Formula, FormulaContext, ParsedFormula
from longshore.mapping.formulas.syntax import FormulaError
from longshore.mapping.members import Members, RuleFaults
from longshore.mapping.paths_fields import FieldPath
from longshore.mapping.target_paths import TargetPath, TargetPathError

LIST_MEMBERS: Final = ("group", "sort", "where")
_CSV_ROWS: Final = "row[*]"


@dataclass(frozen=True, slots=True)
class ListRule:
    """One such rule, whose formulas are not compiled yet."""

    index: int
    tgt: str
    written: tuple[Token, ...]
    """The list of the output; empty for the rows of a CSV document."""
    wildcards: int
    """The number of wildcards of its target."""
    texts: Mapping[str, str]
    """Its formulas by the name of their member."""

    def is_above(self, target: TargetPath) -> bool:
        """Return whether a target is within the rows of its list."""
        return not self.written or self.written in wildcard_prefixes(target)

    def is_around(self, other: ListRule) -> bool:
        """Return whether another list is within the rows of this one."""
        is_longer = len(self.written) < len(other.written)
        return is_longer and other.written[: len(self.written)] == self.written


class ListFormulas(NamedTuple):
    """The formulas of a list rule, and the rows that they are about."""

    outer: FieldPath | None
    """The path to the rows of the lists around it; None if there are none."""
    rows: FieldPath
    """The path to its rows, within one row of the lists around it."""
    firsts: tuple[str, ...]
    """The prefixes of the lists around it, of which the rules see one row."""
    group: Formula | None
    sort: Formula | None
    where: Formula | None


def is_list_rule(given: object) -> bool:
    """Return whether a rule is about the rows of a list."""
    return isinstance(given, Mapping) and not given.keys().isdisjoint(LIST_MEMBERS)


def read_list_rule(
    index: int,
    given: Mapping[str, object],
    read_target: Callable[[str], TargetPath],
    target_format: str,
    faults: RuleFaults,
) -> ListRule | None:
    """Return a list rule, or None if it has a fault.

    Args:
        index: Its index among all rules.
        given: Its members.
        read_target: Reads the targets of the output format.
        target_format: The output format.
        faults: Receives the faults.
    """
    members = Members(given, f"field_map[{index}]", faults)
    before = faults.count
    extensions = [name for name in given if name.startswith("x_")]
    members.refuse_unknown(("tgt", "note", *LIST_MEMBERS, *extensions))
    members.text("note")
    texts = {name: text for name in LIST_MEMBERS if (text := members.text(name)) is not None}
    tgt = members.text("tgt", is_required=True)
    if faults.count > before or tgt is None:
        return None
    written = _list_of(tgt, read_target, target_format)
    if written is None:
        example = _CSV_ROWS if target_format == "csv" else "orders[*]"
        members.report("tgt", f"group, sort and where are about a list, such as {example}")
        return None
    return ListRule(index, tgt, written[-1] if written else (), max(len(written), 1), texts)


def _list_of(
    tgt: str, read_target: Callable[[str], TargetPath], target_format: str
) -> tuple[tuple[Token, ...], ...] | None:
    """Return the lists on the way to a target that is one; None if it is none."""
    if target_format == "csv":
        return () if tgt == _CSV_ROWS else None
    if not tgt.endswith("[*]"):
        return None
    try:
        # An X12 target is an element; any of them is in the same segments.
        return wildcard_prefixes(read_target(f"{tgt}.01" if target_format == "x12" else tgt))
    except TargetPathError:
        return None


class ListCompiler:
    """Compiles the formulas of list rules.

    Args:
        context: Returns how paths are read by rules that see one row of some lists.
        faults: Receives the faults.
    """

    def __init__(
        self, context: Callable[[tuple[str, ...]], FormulaContext], faults: RuleFaults
    ) -> None:
        self._context = context
        self._faults = faults

    def compile(
        self, rule: ListRule, wildcards: int, firsts: tuple[str, ...], outer: Sequence[str]
    ) -> ListFormulas | None:
        """Return the formulas of a rule; None if it has a fault.

        Args:
            rule: The rule.
            wildcards: The number of wildcards of its target that are its own.
            firsts: The prefixes of the lists of which it sees one row.
            outer: The prefixes of the paths that rules write to the list around it.
        """
        context = self._context(firsts)
        before = self._faults.count
        prefixes: list[tuple[str, ...]] = []
        for name, text in rule.texts.items():
            prefixes += self._lists(rule, name, text, context)
        if self._faults.count > before:
            return None
        found = _rows_among(prefixes, wildcards, outer)
        if found is None:
            self._faults.report(
                f"field_map[{rule.index}]",
                "its formulas name no list: a path needs as many [*] as tgt, or one that is joined",
            )
            return None
        around, rows = found
        inner = self._context((*firsts, *around))
        formulas = {
            name: self._bound(rule, name, text, inner, rows) for name, text in rule.texts.items()
        }
        rows_path = inner.read_rows(rows)
        outer_path = context.read_rows(around[-1]) if around else None
        assert isinstance(rows_path, FieldPath)  # these formats have rows of every list
        assert outer_path is None or isinstance(outer_path, FieldPath)
        return ListFormulas(
            outer=outer_path,
            rows=rows_path,
            firsts=(*firsts, *around),
            group=formulas.get("group"),
            sort=formulas.get("sort"),
            where=formulas.get("where"),
        )

    def _lists(
        self, rule: ListRule, name: str, text: str, context: FormulaContext
    ) -> list[tuple[str, ...]]:
        """Return the prefixes of the paths of a formula."""
        try:
            return ParsedFormula(text, context).lists
        except FormulaError as error:
            self._report(rule, name, error)
            return []

    def _bound(
        self, rule: ListRule, name: str, text: str, context: FormulaContext, rows: str
    ) -> Formula | None:
        try:
            return ParsedFormula(text, context).bind(1, (rows,))
        except FormulaError as error:
            self._report(rule, name, error)
            return None

    def _report(self, rule: ListRule, name: str, error: FormulaError) -> None:
        detail = ErrorDetail(
            code=error.code,
            param=f"field_map[{rule.index}].{name}",
            message=str(error),
            position=error.position,
        )
        self._faults.add(detail)


def _rows_among(
    found: Sequence[tuple[str, ...]], wildcards: int, outer: Sequence[str]
) -> tuple[tuple[str, ...], str] | None:
    """Return the lists around the rows that formulas are about, and the list of these rows."""
    around = tuple(outer)[: wildcards - 1]
    for prefixes in found:
        if len(prefixes) == wildcards and (not outer or prefixes[:-1] == around):
            return prefixes[:-1], prefixes[-1]
    for prefixes in found:
        if len(prefixes) == 1 and len(around) == wildcards - 1 and prefixes != around[:1]:
            return around, prefixes[0]
    return None
