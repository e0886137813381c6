"""The rows of all tables that one file has.

The same bytes give the same rows, apart from the seconds in ``files``.
"""

from __future__ import annotations

import gc
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Final, NamedTuple, Protocol

from longshore.kit.digests import sha256
from longshore.kit.errors import LongshoreError
from longshore.library.containers import TransactionSet
from longshore.library.documents import CheckedTransactionSet, Document, read
from longshore.library.segments import DocumentSegment, parts_of
from longshore.library.table_acknowledgements import ACKNOWLEDGING_SETS, group_rows, ta1_row
from longshore.library.table_columns import ColumnType
from longshore.library.table_set_columns import SetColumns
from longshore.library.table_sources import (
    ROW_SOURCES,
    SET_DATES,
    SET_TOTALS,
)
from longshore.library.table_values import (
    NotOfTypeError,
    timestamp,
)
from longshore.x12.business_keys import KEY_ELEMENTS
from longshore.x12.findings import Finding, Severity

Row = tuple[object, ...]

TYPE_CODE: Final = "column_type"
"""The code of a finding about a text that is no value of the type of its column."""
_LAYER: Final = "table"
_OF_SEGMENTS: Final = frozenset(("segments", "elements"))
_OF_PIECES: Final = _OF_SEGMENTS | {"acknowledgements"}
_OF_INTERCHANGES: Final = frozenset(("ISA", "IEA"))
_PAIRS_END: Final = 32  # no segment has more elements
_PIECE_ROWS: Final = 4096
_DONE: Final = "done"
_REJECTED: Final = "rejected"
_STATUS: Final = 7  # the position in a row of ``files``


class Partition(NamedTuple):
    """The folder that rows are filed in: their transaction set, and its day."""

    tx_set: str
    """ST01, ``""`` outside every set."""
    day: str
    """GS04 as ``YYYY-MM-DD``, ``""`` if it is no date with a century."""


OUTSIDE: Final = Partition("", "")
"""The partition of rows that belong to no transaction set."""


class RowTaker(Protocol):
    """Protocol of what takes the rows of a file."""

    def __call__(self, table: str, partition: Partition, rows: list[Row], /) -> None:
        """Take the next rows of a table; the list belongs to the taker."""


def rows_of_file(content: bytes, file: str, tables: Collection[str]) -> dict[str, list[Row]]:
    """Return the rows of a file, by table; its row in ``files`` without the seconds.

    A file that is rejected has no other rows.

    Args:
        content: The bytes of the file.
        file: Its name, for the key.
        tables: The names of the tables that are wanted.
    """
    made: dict[str, list[Row]] = {name: [] for name in tables}

    def take(table: str, _partition: Partition, rows: list[Row]) -> None:
        made[table] += rows

    with _garbage_left():
        row = give_rows(content, file, tables, take)
    return {"files": [row]} if is_rejected(row) else made | {"files": [row]}


@contextmanager
def _garbage_left() -> Iterator[None]:
    """Leave garbage alone: rows are kept, so looking at them again and again finds none."""
    is_collected = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_collected:
            gc.enable()


def give_rows(content: bytes, file: str, tables: Collection[str], take: RowTaker) -> Row:
    """Give away the rows of a file piece by piece; return its row in ``files``, without seconds.

    The rows of a table come in the order of the file. If the file is rejected, rows that were given
    before do not count.

    Args:
        content: The bytes of the file.
        file: Its name, for the key.
        tables: The names of the tables that are wanted.
        take: Called with the rows.
    """
    digest = sha256(content)
    try:
        document = read(content)
        _DocumentRows(document, (file, digest), tables, take).give()
    except LongshoreError as refusal:
        return rejected(file, digest, len(content), str(refusal.code), refusal.message)
    counts = (
        *(len(document.interchanges), len(document.groups), len(document.transaction_sets)),
        *(document.segment_count, document.validated.validation.finding_count),
    )
    keys = (file, digest, None, None, None)
    return (*keys, len(content), document.charset, _DONE, None, None, *counts)


def rejected(file: str, digest: bytes | None, size: int | None, code: str, message: str) -> Row:
    """Return the row of a file that cannot be read, without seconds."""
    keys = (file, digest, None, None, None)
    return (*keys, size, None, _REJECTED, code, message, None, None, None, None, None)


def is_rejected(row: Row) -> bool:
    """Return whether a row of ``files`` is that of a file that could not be read."""
    return row[_STATUS] == _REJECTED


class _DocumentRows:
    """Makes the rows of a document."""

    def __init__(
        self, document: Document, keys: Row, tables: Collection[str], take: RowTaker
    ) -> None:
        self._document = document
        self._keys = keys
        self._tables = tables
        self._take = take
        self._rows: dict[str, list[Row]] = {name: [] for name in tables}  # not given yet
        self._of_columns: list[tuple[Partition, Row]] = []  # findings about the types of columns
        self._places = dict(_places(document))  # interchange, group and set, by set
        self._partitions = dict(_partitions(document))

    def give(self) -> None:
        """Give away the rows of all tables but ``files``."""
        self._add_envelopes()
        partition = OUTSIDE
        for each, place in self._pieces():
            current = OUTSIDE
            if isinstance(each, CheckedTransactionSet):
                current = self._partitions[each.index]
            if current != partition or any(map(_is_piece, self._rows.values())):
                self._give(partition)
                partition = current
            if isinstance(each, CheckedTransactionSet):
                self._add_segments(each, place)
                self._add_set(each)
                self._add_acknowledgements(each, place)
                each.forget()  # the segments of one set at a time are in memory
            else:
                self._add_segment(each, (*place, each.ordinal), None)
                if each.id == "TA1":
                    self._add("acknowledgements", (*place, each.ordinal), ta1_row(each))
        self._give(partition)
        if "findings" in self._rows:
            for tx_index, found in groupby(self._document.findings, attrgetter("tx_index")):
                for finding in found:
                    self._add_finding(finding)
                self._give(self._partitions.get(tx_index, OUTSIDE))
            for of_type, pairs in groupby(self._of_columns, itemgetter(0)):
                self._take("findings", of_type, [row for _, row in pairs])

    def _add_envelopes(self) -> None:
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

    def _add(self, table: str, place: Row, values: Row) -> None:
        if table in self._rows:
            self._rows[table].append((*self._keys, *place, *values))

    def _give(self, partition: Partition) -> None:
        """Give away the rows there are, all of one partition."""
        for table, rows in self._rows.items():
            if rows:
                self._take(table, partition, rows)
                self._rows[table] = []

    # ---- segments -------------------------------------------------------------------------------

    def _pieces(self) -> Iterator[tuple[DocumentSegment | CheckedTransactionSet, Row]]:
        """Yield the sets, and if rows of segments are wanted those outside, each with its place."""
        if _OF_PIECES.isdisjoint(self._rows):
            yield from ((st, self._places[st.index]) for st in self._document.transaction_sets)
            return
        heads = frozenset(self._document.interchange_ordinals)
        interchange: int | None = None
        group: int | None = None
        groups = 0
        for each in self._document.pieces():
            if isinstance(each, CheckedTransactionSet):
                yield each, self._places[each.index]
                continue
            if each.ordinal in heads:
                interchange = (interchange or 0) + 1
            if each.id == "GS":
                groups += 1
                group = groups
            elif each.id in _OF_INTERCHANGES:
                group = None
            yield each, (interchange, group, None)
            if each.id == "GE":
                group = None

    def _add_segments(self, st: CheckedTransactionSet, place: Row) -> None:
        """Add the rows of the segments of a set."""
        if _OF_SEGMENTS.isdisjoint(self._rows):
            return
        levels: tuple[str, str] | None = None
        for number, segment in enumerate(st.segments(), 1):
            if segment.id == "HL":
                levels = segment[1], segment[2]
            self._add_segment(segment, (*place, segment.ordinal), levels)
            if number % _PIECE_ROWS == 0:
                self._give(self._partitions[st.index])

    def _add_segment(
        self, segment: DocumentSegment, place: Row, levels: tuple[str, str] | None
    ) -> None:
        parts = parts_of(segment)
        if "segments" in self._rows:
            loops = segment.loops
            number, parent = levels or (None, None)
            self._add("segments", place, (
                *(segment.id, [each.loop_id for each in loops], [each.number for each in loops]),
                *(number, parent or None, parts),
            ))  # fmt: skip
        if "elements" in self._rows:
            for at, repetitions in enumerate(parts, 1):
                for repetition, components in enumerate(repetitions, 1):
                    for component, value in enumerate(components, 1):
                        if value:
                            position = component if len(components) > 1 else None
                            name = segment.name(at) or None
                            values = (segment.id, at, repetition, position, value, name)
                            self._add("elements", place, values)

    # ---- transaction sets -----------------------------------------------------------------------

    def _add_set(self, st: CheckedTransactionSet) -> None:
        place = self._places[st.index]
        columns = SetColumns(st, partial(self._report, place))
        if "transaction_sets" in self._rows:
            keys = KEY_ELEMENTS.get(st.id, ())[:1]
            key = next((st.first_segment(each.segment_id)[each.position] for each in keys), "")
            self._add("transaction_sets", place, (
                *(st.id, st.control_number, st.version, st.guide or None, st.definition),
                *(str(st.outcome), self._error_count(st), key or None),
                columns.first(SET_DATES.get(st.id), "reference_date", ColumnType.DATE),
                columns.first(SET_TOTALS.get(st.id), "total", ColumnType.AMOUNT),
                st.segment_count,
            ))  # fmt: skip
        for source in ROW_SOURCES.get(st.id, ()):
            for segment, values in columns.rows(source) if source.table in self._rows else ():
                self._add(source.table, (*place, segment), values)

    def _add_acknowledgements(self, st: CheckedTransactionSet, place: Row) -> None:
        if st.id in ACKNOWLEDGING_SETS and "acknowledgements" in self._rows:
            for segment, values in group_rows([*st.segments()]):
                self._add("acknowledgements", (*place, segment), values)

    def _error_count(self, st: TransactionSet) -> int | None:
        """Return how many errors a set has, None if not all findings of the document are known."""
        if self._document.validated.validation.finding_count > len(self._document.findings):
            return None
        return self._errors[st.index]

    @cached_property
    def _errors(self) -> Counter[int | None]:
        """The number of errors, by the position of the set."""
        found = self._document.findings
        return Counter(each.tx_index for each in found if each.severity is Severity.ERROR)

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
        row = (
            *(*self._keys, *place, ordinal, TYPE_CODE, str(Severity.WARNING), _LAYER, message),
            *(segment_id, position, loop_id, at, None, None, None, path, None, None, None, None),
        )
        tx_index = place[-1]
        partition = self._partitions[tx_index] if isinstance(tx_index, int) else OUTSIDE
        self._of_columns.append((partition, row))

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


def _is_piece(rows: Sequence[Row]) -> bool:
    return len(rows) >= _PIECE_ROWS


def _places(document: Document) -> Iterator[tuple[int, Row]]:
    """Yield each set, from 1, with its place: interchange, group and set, None without them."""
    for st in document.transaction_sets:
        interchange = bisect_right(document.interchange_ordinals, st.ordinal) or None
        yield st.index, (interchange, None, st.index)
    for index, group in enumerate(document.groups, 1):
        around = None if group.interchange_index is None else group.interchange_index + 1
        for st in group.transaction_sets:
            yield st.index, (around, index, st.index)


def _partitions(document: Document) -> Iterator[tuple[int, Partition]]:
    """Yield each set, from 1, with its partition."""
    for st in document.transaction_sets:
        yield st.index, Partition(st.id, "")
    for group in document.groups:
        try:
            at = timestamp(group.date, "0000")
        except NotOfTypeError:
            continue
        for st in group.transaction_sets:
            yield st.index, Partition(st.id, "" if at is None else at.date().isoformat())
