"""From the walk of the X12 core to segments and transaction sets."""

from __future__ import annotations

from collections.abc import Iterator

from longshore.library.containers import SetSource, path_of
from longshore.library.segments import DocumentSegment, SegmentPlace, row_of
from longshore.x12.batch import BatchKind
from longshore.x12.control import SegmentSpan, element_at
from longshore.x12.dictionary.library import shipped
from longshore.x12.loops.documents import DocumentPlacement, NamedVersions
from longshore.x12.walk import Walk


def walked_segments(walk: Walk, placement: DocumentPlacement) -> Iterator[DocumentSegment]:
    """Yield all segments of a document, the envelope's too, in memory that does not grow."""
    for spans in walk.span_lists():
        for span in spans:
            yield from _span_segments(walk, span, placement)


def outer_segments(walk: Walk) -> Iterator[DocumentSegment | int]:
    """Yield the segments outside transaction sets, and of each set its position, from 1."""
    nowhere = DocumentPlacement(shipped())
    tx_index: int | None = None
    for spans in walk.span_lists():
        for span in spans:
            if not span.tx_index:
                yield from _span_segments(walk, span, nowhere)
            elif span.tx_index != tx_index:
                tx_index = span.tx_index
                yield tx_index


def _span_segments(
    walk: Walk, span: SegmentSpan, placement: DocumentPlacement
) -> Iterator[DocumentSegment]:
    batch, cursors = span.batch, placement.of(span)
    numbers = walk.numbering.of(span.tx_index)
    scope = "" if span.occurrence else walk.scope(span.tx_index)
    for ahead, cursor in enumerate(cursors):
        row, text = batch.rows[span.first + ahead], batch.texts[span.first + ahead]
        if batch.delimiters.release and batch.kind is BatchKind.SEGMENTS:
            row = row_of(text, batch.delimiters, is_binary=False)
        number = span.occurrence
        if not number:
            numbers[row[0]] = number = numbers.get(row[0], 0) + 1
        place = SegmentPlace(
            span.ordinal + ahead,
            span.position + ahead if span.tx_index else 0,
            path_of(scope, row[0], number),
        )
        yield DocumentSegment(text, row, batch.delimiters, place, cursor)


class SetCollector:
    """Collects the segments of one transaction set after the other."""

    def __init__(self) -> None:
        self._interchange_version = ""
        self._group_version = ""
        self._set: SetSource | None = None

    def take(self, span: SegmentSpan) -> SetSource | None:
        """Take the next span; return the set that ended before it, if one did."""
        row = span.batch.rows[span.first]
        ended = None
        if self._set is not None and self._set.tx_index != span.tx_index:
            ended = self.finish()
        if span.tx_index and self._set is None:
            self._set = SetSource(
                tx_index=span.tx_index,
                texts=[],
                delimiters=span.batch.delimiters,
                ordinal=span.ordinal,
                occurrences={},
                binaries=set(),
                versions=NamedVersions(
                    element_at(row, 1),
                    self._group_version,
                    self._interchange_version,
                    element_at(row, 3),
                ),
            )
        if self._set is not None:
            if span.occurrence:
                self._set.occurrences[len(self._set.texts)] = span.occurrence
            if span.batch.kind is BatchKind.BINARY:
                self._set.binaries.add(len(self._set.texts))
            self._set.texts.extend(span.batch.texts[span.first : span.last])
        else:
            self._note_header(row)
        return ended

    def finish(self) -> SetSource | None:
        """Return the set that is open, if one is."""
        ended, self._set = self._set, None
        return ended

    def _note_header(self, row: list[str]) -> None:
        if row[0] == "ISA":
            self._interchange_version, self._group_version = element_at(row, 12).strip(), ""
        elif row[0] == "GS":
            self._group_version = element_at(row, 8)
        elif row[0] in {"GE", "IEA"}:
            self._group_version = ""
