"""The values of rules with a formula: computed, as text, with what they were read from.

Source: formulas.md sections 2 and 5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from longshore.mapping.columns import Column, Read
from longshore.mapping.formulas.computing import (
    FormulaReader,
    FormulaValues,
    ReadPlace,
    RowFault,
    RowReads,
    computed,
    single_value,
)
from longshore.mapping.formulas.formula import Formula
from longshore.mapping.formulas.frame import FormulaCall
from longshore.mapping.formulas.values import FormulaFault, Value, text_of
from longshore.mapping.rule import Rule
from longshore.mapping.source import MapSource, SourcePlace
from longshore.mapping.writes import Binding, JsonLiteral, LateValue, MappingWarning, ReadValue

Finish = Callable[[str | None], str]
"""Returns what is written for a value."""


def formula_column(  # noqa: PLR0913 - what a row is computed from
    rule: Rule,
    formula: Formula,
    source: MapSource,
    call: FormulaCall,
    *,
    others: Iterable[Binding],
    holds: Callable[[Binding], bool] | None,
    is_traced: bool,
) -> tuple[Column, Sequence[RowFault]]:
    """Return the values of a rule's formula, and the rows for which it has none.

    Args:
        rule: The rule.
        formula: Its formula.
        source: The document.
        call: What it shares with the other formulas of the conversion.
        others: The rows that other rules write, for a formula that is repeated in each.
        holds: Decides whether the rule applies to a row; None: to all.
        is_traced: Also return what each value was read from.
    """
    if formula.is_single and holds is None and not is_traced:
        value, faults = single_value(formula, source, call)
        return Column([()], [_text(rule, value)]), faults
    log: list[ReadPlace] | None = [] if is_traced else None
    reader = FormulaReader(formula, source, others)
    frame = reader.frame(call, (rule.list_written, call.outer), log)
    made = computed(formula, frame, holds=holds, log=log)
    texts = [_text(rule, value) for value in made.values]
    reads = list(_reads(reader, formula, source, made)) if is_traced else ()
    return Column(made.rows, texts, reads), made.faults


class ListValues(NamedTuple):
    """The values of a formula for each row of a list."""

    values: Sequence[Value]
    faults: Sequence[RowFault]
    keys: frozenset[str]
    """The keys that were read; empty unless requested."""


def formula_values(
    formula: Formula, source: MapSource, call: FormulaCall, *, is_traced: bool
) -> ListValues:
    """Return the values of a formula of a list rule."""
    log: list[ReadPlace] | None = [] if is_traced else None
    reader = FormulaReader(formula, source)
    made = computed(formula, reader.frame(call, None, log), log=log)
    reads = _reads(reader, formula, source, made) if is_traced else ()
    return ListValues(
        made.values, made.faults, frozenset(key for read in reads for key in read.keys)
    )


def late_column(
    rule: Rule,
    formula: Formula,
    source: MapSource,
    call: FormulaCall,
    *,
    others: Iterable[Binding],
    finish: Finish,
) -> Column:
    """Return values that are computed when the output before them is written."""
    reader = FormulaReader(formula, source, others)
    frame = reader.frame(call, (rule.list_written, call.outer))

    def late(at: int) -> str:
        def compute(written: Mapping[str, int]) -> str:
            frame.written, frame.row, frame.inner = written, at, -1
            try:
                value = formula.compute(frame)
            except FormulaFault:
                value = None
            return finish(None if value is None else text_of(value))

        return LateValue(compute)

    return Column(reader.rows, [late(at) for at in range(len(reader.rows))])


def _text(rule: Rule, value: Value) -> str | None:
    if value is None or isinstance(value, str):
        return value
    keeps_kind = rule.values.finish is None and isinstance(value, (Decimal, bool))
    return JsonLiteral(text_of(value)) if keeps_kind else text_of(value)


def _reads(
    reader: FormulaReader, formula: Formula, source: MapSource, made: FormulaValues
) -> Iterator[Read]:
    places = [source.places(path) for path in formula.paths]
    for row_reads in made.reads:
        yield _read(row_reads, reader, places)


def _read(
    row_reads: RowReads, reader: FormulaReader, places: Sequence[Sequence[SourcePlace]]
) -> Read:
    sources: list[ReadValue] = []
    keys: list[str] = []
    for slot, at in row_reads.places:
        place, value = places[slot][at], reader.readings[slot].values[at]
        keys += place.conditions
        if value is not None:
            sources.append(ReadValue(place.key, place.span, str(value)))
            keys.append(place.key)
    hits = [ReadValue(name, None, value) for name, value in row_reads.hits]
    return Read((*sources, *hits), tuple(keys))


def fault_warnings(param: str, tgt: str, faults: Sequence[RowFault]) -> Iterator[MappingWarning]:
    """Yield a warning for each kind of fault, with its first row and the number of rows."""
    kinds: dict[tuple[str, str], list[RowFault]] = {}
    for fault in faults:
        kinds.setdefault((fault.code, fault.message), []).append(fault)
    for (code, message), found in kinds.items():
        row = tuple(ordinal + 1 for ordinal in found[0].row)
        text = f"{message}; the value is missing"
        count = len(found) if row else 0
        yield MappingWarning(code, text, param, tgt, count=count, row=row)
