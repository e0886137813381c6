"""The rows of all tables that one file has.

The same bytes give the same rows, apart from the seconds in ``files``.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from hashlib import sha256
from typing import Final

from longshore.kit.errors import LongshoreError
from longshore.library.containers import DocumentLoop, SegmentContainer, TransactionSet
from longshore.library.documents import CheckedTransactionSet, Document, read
from longshore.library.segments import DocumentSegment
from longshore.library.table_columns import TABLES, ColumnType, TableColumn
from longshore.library.table_sources import (
    BUSINESS_TABLES,
    ROW_SOURCES,
    SET_DATES,
    SET_TOTALS,
    ColumnSource,
    RowSource,
)
from longshore.library.table_values import (
    NotOfTypeError,
    Value,
    implied_decimals,
    timestamp,
    typed,
)
from longshore.x12.business_keys import KEY_ELEMENTS
from longshore.x12.findings import Finding, Severity

Row = tuple[object, ...]

TYPE_CODE: Final = "column_type"
"""The code of a finding about a text that is no value of the type of its column."""
_LAYER: Final = "table"
_OF_SEGMENTS: Final = frozenset(("segments", "elements"))
_OF_INTERCHANGES: Final = frozenset(("ISA", "IEA"))
_PAIRS_END: Final = 32  # no segment has more elements


def rows_of_file(content: bytes, file: str, tables: Collection[str]) -> dict[str, list[Row]]:
    """Return the rows of a file, by table; its row in ``files`` without the seconds.

    A file that is rejected has no other rows.

    Args:
        content: The bytes of the file.
        file: Its name, for the key.
        tables: The names of the tables that are wanted.
    """
    digest = sha256(content).digest()
    try:
        document = read(content)
        rows = _DocumentRows(document, (file, digest), tables)
        made = rows.make()
    except LongshoreError as refusal:
        return rejected(file, digest, len(content), str(refusal.code), refusal.message)
    counts = (
        *(len(document.interchanges), len(document.groups), len(document.transaction_sets)),
        *(document.segment_count, document.validated.validation.finding_count),
    )
    keys = (file, digest, None, None, None)
    head = (len(content), document.charset, "done", None, None)
    made["files"] = [(*keys, *head, *counts)]
    return made


def rejected(
    file: str, digest: bytes | None, size: int | None, code: str, message: str
) -> dict[str, list[Row]]:
    """Return the row of a file that cannot be read."""
    keys = (file, digest, None, None, None)
    row = (*keys, size, None, "rejected", code, message, None, None, None, None, None)
    return {"files": [row]}


class _DocumentRows:
    """Makes the rows of a document."""

    def __init__(self, document: Document, keys: Row, tables: Collection[str]) -> None:
        self._document = document
        self._keys = keys
        self._tables = tables
        self._rows: dict[str, list[Row]] = {name: [] for name in tables}
        self._of_columns: list[Row] = []  # findings about the types of columns
        self._places = dict(_places(document))  # interchange, group and set, by set

    def make(self) -> dict[str, list[Row]]:
        """Return the rows of all tables but ``files``."""
        if not _OF_SEGMENTS.isdisjoint(self._rows):
            self._follow_segments()
        for index, each in enumerate(self._document.interchanges, 1):
            isa, marks = each, each.delimiters
            self._add("interchanges", (index, None, None), (
                *(*isa.sender, *isa.receiver, isa.date, isa.time, isa.version),
                *(isa.control_number, isa.usage_indicator, marks.element, marks.segment),
                *(marks.component, marks.repetition or None, isa.is_ack_requested),
                isa.is_complete,
            ))  # fmt: skip
        for index, group in enumerate(self._document.groups, 1):
            around = None if group.interchange_index is None else group.interchange_index + 1
            try:
                at = timestamp(group.date, group.time)
            except NotOfTypeError:
                at = None
                self._report((around, index, None), None, "GS", 4, "timestamp")
            self._add("groups", (around, index, None), (
                *(group.functional_id, group.sender, group.receiver, at),
                *(group.control_number, group.version),
            ))  # fmt: skip
        for st in self._document.transaction_sets:
            self._add_set(st)
        for finding in self._document.findings:
            self._add_finding(finding)
        if "findings" in self._rows:
            self._rows["findings"] += self._of_columns
        return self._rows

    def _add(self, table: str, place: Row, values: Row) -> None:
        if table in self._rows:
            self._rows[table].append((*self._keys, *place, *values))

    # ---- segments -------------------------------------------------------------------------------

    def _follow_segments(self) -> None:
        """Make the rows of segments and elements."""
        starts = {each.ordinal: each.index for each in self._document.transaction_sets}
        heads = frozenset(self._document.interchange_ordinals)
        interchange: int | None = None
        group: int | None = None
        groups, set_index = 0, 0
        levels: tuple[str, str] | None = None
        for segment in self._document.segments():
            if segment.ordinal in heads:
                interchange = (interchange or 0) + 1
            if segment.id == "GS":
                groups += 1
                group = groups
            elif segment.id in _OF_INTERCHANGES:
                group = None
            set_index = starts.get(segment.ordinal, set_index if segment.position else 0)
            place = (interchange, group, set_index or None)
            if segment.ordinal in starts:
                levels = None
            if segment.id == "HL":
                levels = segment[1], segment[2]
            if segment.id == "GE":
                group = None
            self._add_segment(segment, (*place, segment.ordinal), levels if set_index else None)

    def _add_segment(
        self, segment: DocumentSegment, place: Row, levels: tuple[str, str] | None
    ) -> None:
        if "segments" in self._rows:
            parts = [segment.repetitions(at) for at in range(1, len(segment))]
            loops = segment.loops
            number, parent = levels or (None, None)
            self._add("segments", place, (
                *(segment.id, [each.loop_id for each in loops], [each.number for each in loops]),
                *(number, parent or None, parts),
            ))  # fmt: skip
        if "elements" in self._rows:
            for at in range(1, len(segment)):
                for repetition, components in enumerate(segment.repetitions(at), 1):
                    for component, value in enumerate(components, 1):
                        if value:
                            position = component if len(components) > 1 else None
                            name = segment.name(at) or None
                            values = (segment.id, at, repetition, position, value, name)
                            self._add("elements", place, values)

    # ---- transaction sets -----------------------------------------------------------------------

    def _add_set(self, st: CheckedTransactionSet) -> None:
        place = self._places[st.index]
        is_wanted = not BUSINESS_TABLES.isdisjoint(self._tables)
        if "transaction_sets" in self._rows:
            errors = sum(each.severity is Severity.ERROR for each in st.findings)
            keys = KEY_ELEMENTS.get(st.id, ())[:1]
            key = next((st.first_segment(each.segment_id)[each.position] for each in keys), "")
            day, total = SET_DATES.get(st.id), SET_TOTALS.get(st.id)
            self._add("transaction_sets", place, (
                *(st.id, st.control_number, st.version, st.guide or None, st.definition),
                *(str(st.outcome), errors, key or None),
                self._of_set(st, day, TableColumn("reference_date", ColumnType.DATE)),
                self._of_set(st, total, TableColumn("total", ColumnType.AMOUNT)),
                st.segment_count,
            ))  # fmt: skip
        for source in ROW_SOURCES.get(st.id, ()) if is_wanted else ():
            if source.table in self._rows:
                self._add_business_rows(source, st, [])

    def _of_set(
        self, st: TransactionSet, source: ColumnSource | None, column: TableColumn
    ) -> Value:
        if source is None:
            return None
        return self._typed(
            st.first_segment(source.segment_id), source, column, self._places[st.index]
        )

    def _add_business_rows(
        self, source: RowSource, holder: SegmentContainer, around: list[SegmentContainer]
    ) -> None:
        """Add a row for each loop in ``holder`` that is one, those within others too."""
        inner = [*around, holder]
        for loop in holder:
            if not isinstance(loop, DocumentLoop):
                continue
            first = loop.first
            if first.id == source.trigger and _has(first, source.qualifiers):
                self._add_business_row(source, loop, inner)
            self._add_business_rows(source, loop, inner)

    def _add_business_row(
        self, source: RowSource, loop: DocumentLoop, around: Sequence[SegmentContainer]
    ) -> None:
        (st,) = around[:1]
        assert isinstance(st, TransactionSet)  # every loop is in one
        place, values = self._places[st.index], []
        for column in TABLES[source.table][6:]:
            value: Value = None
            for each in source.columns.get(column.name, ()):
                segment = _found(each, loop, around)
                value = self._typed(segment, each, column, place)
                if value is not None:
                    break
            values.append(value)
        self._add(source.table, (*place, loop.first.ordinal), tuple(values))

    def _typed(
        self, segment: DocumentSegment, source: ColumnSource, column: TableColumn, place: Row
    ) -> Value:
        position = source.position
        text = segment[position]
        if source.component:
            text = segment[f"{segment.id}{position:02d}-{source.component}"]
        if source.pairs:
            text = _paired(segment, source)
        try:
            return typed(text, column.type, implied_decimals(segment, position))
        except NotOfTypeError:
            self._report(place, segment, segment.id, position, column.name)
            return None

    # ---- findings -------------------------------------------------------------------------------

    def _report(
        self, place: Row, segment: DocumentSegment | None, segment_id: str, at: int, column: str
    ) -> None:
        """Note that an element is no value of the type of a column."""
        message = f"{segment_id}{at:02d} is no value for the column {column}: it is null"
        ordinal = position = loop_id = path = None
        if segment is not None:
            ordinal, position = segment.ordinal, segment.position
            loop_id, path = segment.loop_id or None, f"{segment.path}.{at:02d}"
        self._of_columns.append((
            *(*self._keys, *place, ordinal, TYPE_CODE, str(Severity.WARNING), _LAYER, message),
            *(segment_id, position, loop_id, at, None, None, None, path, None, None, None, None),
        ))

    def _add_finding(self, each: Finding) -> None:
        place: Row = (None, None, None)
        ordinal = each.segment_position
        if each.tx_index:
            place = self._places[each.tx_index]
            start = self._document.transaction_sets[each.tx_index - 1].ordinal
            ordinal = None if ordinal is None else start + ordinal - 1
        self._add("findings", (*place, ordinal), (
            *(str(each.code), str(each.severity), each.layer, each.message, each.segment_id),
            *(each.segment_position, each.loop_id, each.element_position),
            *(each.component_position, each.repeat, each.element_ref, each.path, each.offset),
            *(each.line, None if each.allowed is None else [*each.allowed]),
            None if each.ack_code is None else [*each.ack_code.items()],
        ))  # fmt: skip


def _places(document: Document) -> Iterator[tuple[int, Row]]:
    """Yield each set, from 1, with its place: interchange, group and set, None without them."""
    for st in document.transaction_sets:
        interchange = bisect_right(document.interchange_ordinals, st.ordinal) or None
        yield st.index, (interchange, None, st.index)
    for index, group in enumerate(document.groups, 1):
        around = None if group.interchange_index is None else group.interchange_index + 1
        for st in group.transaction_sets:
            yield st.index, (around, index, st.index)


def _has(segment: DocumentSegment, qualifiers: tuple[tuple[int, tuple[str, ...]], ...]) -> bool:
    return all(segment[position] in values for position, values in qualifiers)


def _found(
    source: ColumnSource, loop: DocumentLoop, around: Sequence[SegmentContainer]
) -> DocumentSegment:
    """Return the segment of a source that is nearest to a row, a false one without any."""
    for holder in (loop, *reversed(around)):
        for segment in _near(holder):
            is_one = segment.id == source.segment_id and _has(segment, source.qualifiers)
            if is_one and (not source.pairs or _paired(segment, source)):
                return segment
    return DocumentSegment.absent(source.segment_id)


def _near(holder: SegmentContainer) -> Iterator[DocumentSegment]:
    """Yield the segments directly in a loop or set, then those directly in the loops in it."""
    yield from (each for each in holder if isinstance(each, DocumentSegment))
    for each in holder:
        if isinstance(each, DocumentLoop):
            yield from (inner for inner in each if isinstance(inner, DocumentSegment))


def _paired(segment: DocumentSegment, source: ColumnSource) -> str:
    """Return the element behind the first code of a source that a segment has."""
    end = min(len(segment), _PAIRS_END)
    pairs = {segment[at]: segment[at + 1] for at in range(source.position, end, 2)}
    return next((pairs[code] for code in source.pairs if pairs.get(code)), "")
