"""Choose, order and group the rows that list rules are about.

Source: formulas.md section 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from longshore.mapping.formula_columns import formula_values
from longshore.mapping.formulas.computing import RowFault
from longshore.mapping.formulas.formula import Formula
from longshore.mapping.formulas.frame import FormulaCall
from longshore.mapping.formulas.lists import sort_order
from longshore.mapping.formulas.values import FormulaFault, Value, truth_of
from longshore.mapping.list_rules import ListFormulas
from longshore.mapping.sources_fields import FieldSource, RowTrail
from longshore.mapping.writes import Binding


class Element(NamedTuple):
    """The rows that rules below a list rule see at once: a group, or all that it chose."""

    binding: Binding
    """The ordinals that stand before those of these rules."""
    source: FieldSource


class ListReads:
    """Collects what list rules read, and the rows that their formulas have no value for."""

    def __init__(self, *, is_traced: bool) -> None:
        self.is_traced = is_traced
        self.keys: set[str] = set()
        self.faults: list[RowFault] = []


def elements_of(
    formulas: ListFormulas, source: FieldSource, call: FormulaCall, reads: ListReads
) -> Iterator[Element]:
    """Yield what the rules below a list rule see, in order.

    Args:
        formulas: The formulas of the list rule.
        source: The document as the rule sees it.
        call: What they share with the other formulas of the conversion.
        reads: Receives what they read.
    """
    if formulas.outer is None:
        yield from _within(formulas, source, call, reads, ())
        return
    for binding, trail in source.rows_of(formulas.outer):
        yield from _within(formulas, source.narrowed([trail]), call, reads, binding)


def _within(
    formulas: ListFormulas,
    source: FieldSource,
    call: FormulaCall,
    reads: ListReads,
    outer: Binding,
) -> Iterator[Element]:
    trails = [trail for _, trail in source.rows_of(formulas.rows)]
    chosen = list(range(len(trails)))
    if formulas.where is not None:
        values = _values(formulas.where, source, call, reads, outer)
        chosen = [at for at in chosen if _is_met(values, at, reads, outer)]
    if formulas.sort is not None:
        values = _values(formulas.sort, source, call, reads, outer)
        chosen = [chosen[at] for at in sort_order([values[at] for at in chosen])]
    if formulas.group is None:
        yield Element(outer, _narrowed(source, trails, chosen))
        return
    values = _values(formulas.group, source, call, reads, outer)
    groups: dict[tuple[str, Value], list[int]] = {}
    for at in chosen:
        groups.setdefault((type(values[at]).__name__, values[at]), []).append(at)
    for number, rows in enumerate(groups.values()):
        yield Element((*outer, number), _narrowed(source, trails, rows))


def _narrowed(source: FieldSource, trails: Sequence[RowTrail], rows: Sequence[int]) -> FieldSource:
    """Return the source with some rows of a list; with none, where none was chosen."""
    if rows:
        return source.narrowed([trails[at] for at in rows])
    return source.emptied(trails)


def _values(
    formula: Formula, source: FieldSource, call: FormulaCall, reads: ListReads, outer: Binding
) -> Sequence[Value]:
    made = formula_values(formula, source, call, is_traced=reads.is_traced)
    reads.keys |= made.keys
    reads.faults += [fault._replace(row=(*outer, *fault.row)) for fault in made.faults]
    return made.values


def _is_met(values: Sequence[Value], at: int, reads: ListReads, outer: Binding) -> bool:
    try:
        return truth_of(values[at], "where")
    except FormulaFault as fault:
        reads.faults.append(RowFault((*outer, at), fault.code, fault.message))
        return False
