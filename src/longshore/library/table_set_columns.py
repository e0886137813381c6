"""The typed values that a transaction set has for the columns of its business rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from longshore.library.containers import DocumentLoop, SegmentContainer, TransactionSet
from longshore.library.segments import DocumentSegment
from longshore.library.table_columns import TABLES, ColumnType
from longshore.library.table_sources import ColumnSource, RowSource
from longshore.library.table_values import NotOfTypeError, Value, implied_decimals, typed

Report = Callable[[DocumentSegment, str, int, str], None]
"""Takes an element that is no value of its column: segment, its id, position, name of the column.
"""
_PAIRS_END: Final = 32  # no segment has more elements


class SetColumns:
    """Finds the values of columns in a transaction set."""

    def __init__(self, st: TransactionSet, report: Report) -> None:
        self._st = st
        self._report = report
        # Of each loop and set around a row, the segments in it and in its loops, by id.
        self._near: dict[SegmentContainer, dict[str, list[DocumentSegment]]] = {}
        # Of each segment and position, the elements behind the codes in pairs from there on.
        self._pairs: dict[tuple[DocumentSegment, int], dict[str, str]] = {}

    def first(self, source: ColumnSource | None, column: str, kind: ColumnType) -> Value:
        """Return the value of the first segment that a source names, None without one."""
        if source is None:
            return None
        return self._typed(self._st.first_segment(source.segment_id), source, column, kind)

    def rows(self, source: RowSource) -> Iterator[tuple[int, tuple[Value, ...]]]:
        """Yield the position in the file and the values of each row."""
        return self._rows_in(source, self._st, [])

    def _rows_in(
        self, source: RowSource, holder: SegmentContainer, around: list[SegmentContainer]
    ) -> Iterator[tuple[int, tuple[Value, ...]]]:
        """Yield a row for each loop in ``holder`` that is one, those within others too."""
        inner = [*around, holder]
        for loop in holder:
            if not isinstance(loop, DocumentLoop):
                continue
            first = loop.first
            if first.id == source.trigger and _has(first, source.qualifiers):
                yield first.ordinal, self._row(source, loop, inner)
            yield from self._rows_in(source, loop, inner)

    def _row(
        self, source: RowSource, loop: DocumentLoop, around: Sequence[SegmentContainer]
    ) -> tuple[Value, ...]:
        values = []
        for name, kind in TABLES[source.table][6:]:
            value: Value = None
            for each in source.columns.get(name, ()):
                value = self._typed(self._found(each, loop, around), each, name, kind)
                if value is not None:
                    break
            values.append(value)
        return tuple(values)

    def _found(
        self, source: ColumnSource, loop: DocumentLoop, around: Sequence[SegmentContainer]
    ) -> DocumentSegment:
        """Return the segment of a source that is nearest to a row, a false one without any."""
        for holder in (loop, *reversed(around)):
            near = self._near.get(holder)
            if near is None:
                near = self._near[holder] = _segments_near(holder)
            for segment in near.get(source.segment_id, ()):
                if (not source.qualifiers or _has(segment, source.qualifiers)) and (
                    not source.pairs or self._paired(segment, source)
                ):
                    return segment
        return DocumentSegment.absent(source.segment_id)

    def _typed(
        self, segment: DocumentSegment, source: ColumnSource, column: str, kind: ColumnType
    ) -> Value:
        position = source.position
        if source.pairs:
            text = self._paired(segment, source)
        elif source.component:
            text = segment[f"{segment.id}{position:02d}-{source.component}"]
        else:
            text = segment[position]
        if not text:
            return None
        is_amount = kind is ColumnType.AMOUNT
        try:
            return typed(text, kind, implied_decimals(segment, position) if is_amount else 0)
        except NotOfTypeError:
            self._report(segment, segment.id, position, column)
            return None

    def _paired(self, segment: DocumentSegment, source: ColumnSource) -> str:
        """Return the element behind the first code of a source that a segment has."""
        pairs = self._pairs.get((segment, source.position))
        if pairs is None:
            end = min(len(segment), _PAIRS_END)
            pairs = {segment[at]: segment[at + 1] for at in range(source.position, end, 2)}
            self._pairs[segment, source.position] = pairs
        return next((pairs[code] for code in source.pairs if pairs.get(code)), "")


def _has(segment: DocumentSegment, qualifiers: tuple[tuple[int, tuple[str, ...]], ...]) -> bool:
    return all(segment[position] in values for position, values in qualifiers)


def _segments_near(holder: SegmentContainer) -> dict[str, list[DocumentSegment]]:
    """Return the segments directly in a loop or set, then those in the loops in it, by their id."""
    found: dict[str, list[DocumentSegment]] = {}
    loops = []
    for each in holder.children:
        if isinstance(each, DocumentSegment):
            found.setdefault(each.id, []).append(each)
        else:
            loops.append(each)
    for loop in loops:
        for each in loop.children:
            if isinstance(each, DocumentSegment):
                found.setdefault(each.id, []).append(each)
    return found
