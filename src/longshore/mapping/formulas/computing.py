"""Compute a formula for every row of a document.

Source: formulas.md sections 2, 4 and 5.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeVar

from longshore.mapping.formulas.compiled import Rows
from longshore.mapping.formulas.formula import Formula
from longshore.mapping.formulas.frame import FormulaCall, Frame, Row
from longshore.mapping.formulas.values import FormulaFault, Value, value_of
from longshore.mapping.source import MapSource

_NODES_BETWEEN: Final = 5_000  # that are computed between two checkpoints
Item = TypeVar("Item")


ReadPlace = tuple[int, int]
"""The number of a path in its formula, and of a value among those of the path."""


class RowFault(NamedTuple):
    """A row for which a formula has no value, and why."""

    row: Row
    code: str
    message: str


class RowReads(NamedTuple):
    """The places that one value came from."""

    places: tuple[ReadPlace, ...] = ()
    hits: tuple[tuple[str, str], ...] = ()
    """Besides paths: the rows of tables and the time of the call, by name."""


@dataclass(slots=True)
class FormulaValues:
    """The values of a formula."""

    rows: list[Row]
    values: list[Value]
    faults: list[RowFault] = field(default_factory=list)
    reads: list[RowReads] = field(default_factory=list)
    """The places that each value came from; empty unless requested."""


class _Watched(Sequence[Value]):
    """Values of a path by place, of which each is noted when it is read."""

    def __init__(
        self,
        values: Sequence[Value],
        places: Sequence[int | None],
        slot: int,
        log: list[ReadPlace],
    ) -> None:
        self._values = values
        self._places = places
        self._slot = slot
        self._log = log

    def __getitem__(self, at: int) -> Value:  # type: ignore[override]  # nobody slices it
        place = self._places[at]
        if place is None:
            return None
        self._log.append((self._slot, place))
        return self._values[place]

    def __len__(self) -> int:
        return len(self._places)


class FormulaReader:
    """Reads the paths of one formula in one document.

    Args:
        formula: The formula.
        source: The document.
        others: The rows that other rules write, for a formula that is repeated in each.
    """

    def __init__(self, formula: Formula, source: MapSource, others: Iterable[Row] = ()) -> None:
        self._formula = formula
        self._source = source
        self.readings = [source.read(path) for path in formula.paths]
        """The values of each path."""
        self.rows: Sequence[Row] = self._rows(others)
        """The rows that it is computed for."""

    def _rows(self, others: Iterable[Row]) -> Sequence[Row]:
        formula = self._formula
        if not formula.depth:
            return [()]
        if formula.rows_path is None:
            return sorted(others)
        path, slot = formula.rows_path
        if slot is not None:
            return self.readings[slot].bindings
        depth = formula.depth
        return sorted({each[:depth] for each in self._source.read_condition(path).bindings})

    def frame(self, call: FormulaCall, scope: object, log: list[ReadPlace] | None = None) -> Frame:
        """Return what the formula computes with.

        Args:
            call: What it shares with the other formulas of the conversion.
            scope: The list that its rule writes.
            log: Receives the values that are read, if they are asked for.
        """
        columns: list[Sequence[Value]] = []
        lists: list[Sequence[Sequence[Value]]] = []
        for slot, (path, bound) in enumerate(
            zip(self._formula.paths, self._formula.bound, strict=True)
        ):
            values = self._values(slot)
            if len(path.prefixes) > bound:
                columns.append(())
                lists.append(self._lists(slot, values, log))
            else:
                columns.append(self._column(slot, values, log))
                lists.append(())
        return Frame(call, columns, lists, self.rows, scope)

    def _values(self, slot: int) -> Sequence[Value]:
        values = self.readings[slot].values
        return [value_of(text) for text in values] if self._source.has_literals else values

    def _column(
        self, slot: int, values: Sequence[Value], log: list[ReadPlace] | None
    ) -> Sequence[Value]:
        bound, bindings = self._formula.bound[slot], self.readings[slot].bindings
        if log is not None:
            places = _aligned(self.rows, bindings, range(len(values)), bound)
            return _Watched(values, places, slot, log)
        return _aligned(self.rows, bindings, values, bound)

    def _lists(
        self, slot: int, values: Sequence[Value], log: list[ReadPlace] | None
    ) -> Sequence[Sequence[Value]]:
        bound, bindings = self._formula.bound[slot], self.readings[slot].bindings
        if log is not None:
            groups = _grouped(self.rows, bindings, range(len(values)), bound)
            return [_Watched(values, group, slot, log) for group in groups]
        return _grouped(self.rows, bindings, values, bound)


def _aligned(
    rows: Sequence[Row], bindings: Sequence[Row], items: Sequence[Item], bound: int
) -> Sequence[Item | None]:
    """Return for each row the item that belongs to it; a single item for all of them."""
    if not bound or bindings == rows:
        return items
    by_binding = dict(zip(bindings, items, strict=True))
    return [by_binding.get(row[:bound]) for row in rows]


def _grouped(
    rows: Sequence[Row], bindings: Sequence[Row], items: Sequence[Item], bound: int
) -> Sequence[Sequence[Item]]:
    """Return for each row the items that belong to it."""
    if not bound:
        return [items] * len(rows)
    groups = defaultdict[Row, list[Item]](list)
    for binding, item in zip(bindings, items, strict=True):
        groups[binding[:bound]].append(item)
    return [groups.get(row[:bound], ()) for row in rows]


def computed(
    formula: Formula,
    frame: Frame,
    *,
    holds: Callable[[Row], bool] | None = None,
    log: list[ReadPlace] | None = None,
) -> FormulaValues:
    """Return the values of a formula for the rows of a frame.

    Args:
        formula: The formula.
        frame: What it computes with.
        holds: Decides whether it is computed for a row; None: for all.
        log: Where the frame notes what is read, if that is asked for.

    Raises:
        LongshoreError: limit_exceeded: the formulas of the conversion take too many steps.
        ValueTooLongError: A value is too long.
    """
    made = FormulaValues([], [])
    call, compute, rows = frame.call, formula.compute, frame.rows
    call.spend(len(rows))
    between = max(_NODES_BETWEEN // formula.node_count, 1)
    for at, row in enumerate(rows):
        if holds is not None and not holds(row):
            continue
        if not (at + 1) % between:
            call.checkpoint(0)
        frame.row, frame.inner = at, -1
        value: Value = None
        try:
            if formula.made is not None:
                _add_made(formula.made, frame, made, compute)
                continue
            value = compute(frame)
        except FormulaFault as fault:
            made.faults.append(RowFault(row, fault.code, fault.message))
        made.rows.append(row)
        made.values.append(value)
        if log is not None:
            made.reads.append(RowReads(tuple(dict.fromkeys(log)), tuple(dict.fromkeys(frame.hits))))
            log.clear()
        frame.hits.clear()
    return made


def single_value(
    formula: Formula, source: MapSource, call: FormulaCall
) -> tuple[Value, Sequence[RowFault]]:
    """Return the value of a formula that reads no list, sooner than ``computed``."""
    read = value_of if source.has_literals else _as_it_is
    columns: list[Sequence[Value]] = [(read(text),) for text in source.values(formula.paths)]
    call.spend(1)
    try:
        return formula.compute(Frame(call, columns, [], [()])), ()
    except FormulaFault as fault:
        return None, (RowFault((), fault.code, fault.message),)


def _as_it_is(text: str | None) -> Value:
    return text


def _add_made(
    list_made: Rows, frame: Frame, made: FormulaValues, compute: Callable[[Frame], Value]
) -> None:
    """Add each value of a list that a formula makes itself."""
    for inner in range(list_made.count(frame)):
        frame.inner = inner
        value: Value = None
        try:
            value = compute(frame)
        except FormulaFault as fault:
            made.faults.append(RowFault((inner,), fault.code, fault.message))
        made.rows.append((inner,))
        made.values.append(value)
        made.reads.append(RowReads())
