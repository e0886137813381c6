"""Write the flat fields of an X12 document as JSON bytes.

Theory. There are about 114,000 keys in a megabyte, so work is done once for each segment, not for
each element. A segment whose shape (length and empty elements) was seen before is one call of an
unrolled f-string. Few batches have composites, repetitions or characters that JSON escapes; only
segments that may have them take the slow path, element by element. Both paths write the same keys,
which a property test proves (performance.md section 1, item 9).

Source: fields-and-mapping.md section 2.1.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO
from json.encoder import encode_basestring
from typing import Final

from longshore.x12.batch import BatchKind, SegmentBatch
from longshore.x12.binary import binary_value
from longshore.x12.control import SegmentSpan
from longshore.x12.delimiters import Delimiters
from longshore.x12.findings import FindingCode
from longshore.x12.members import Keys, Members, members_of
from longshore.x12.release import split_released, unreleased
from longshore.x12.report import SegmentRef, has_keys
from longshore.x12.segment_table import is_composite
from longshore.x12.walk import Walk

MAX_POSITION: Final = 999  # of an element or component: a key has two or three digits
_NEVER_SPLIT: Final = frozenset(("ISA", "BIN", "BDS"))
_MAX_SHAPES: Final = 4096

# What writes segments of a shape, and its keys. A memo, not state: bounded, since a hostile
# document can have a new shape in each segment.
_Shape = tuple[Members, Keys]
_SHAPES: Final[dict[tuple[object, ...], _Shape]] = {}


def _shape(row: Sequence[object]) -> _Shape:
    """Return how segments of this row's shape are written."""
    filled = (position for position, element in enumerate(row) if position and element)
    keys = tuple(f'{position:02d}":"' for position in filled)
    return members_of(keys), keys


# Rows without empty elements, by their length.
_FULL: Final = tuple(_shape([True] * count) for count in range(64))


def _known_shape(row: list[str]) -> _Shape:
    """Return how segments of this row's shape are written, and remember it."""
    shape = shape_of(row)
    known = _SHAPES.get(shape)
    if known is None:
        if len(_SHAPES) >= _MAX_SHAPES:
            _SHAPES.clear()
        _SHAPES[shape] = known = _shape(row)
    return known


def shape_of(row: list[str]) -> tuple[object, ...]:
    """Return what tells rows with empty elements apart: most have them in one run."""
    empty = row.count("")
    if not empty:
        return (len(row),)
    first = row.index("")
    if empty == 1:
        return len(row), first
    if empty == 2:  # noqa: PLR2004 - two places, as in every ISA
        return len(row), first, row.index("", first + 1)
    if not any(row[first : first + empty]):
        return len(row), first, empty, "in one run"
    return tuple(map(bool, row))


@lru_cache(maxsize=256)
def _care(delimiters: Delimiters) -> re.Pattern[str]:
    """Return the pattern of what the plain way cannot write: parts, and what JSON escapes."""
    marks = delimiters.component + delimiters.repetition
    return re.compile(f'["\\\\\0-\x1f{re.escape(marks)}]')


def write_plain_rows(
    rows: list[list[str]], scope: str, numbers: dict[str, int], out: list[str]
) -> int:
    """Append the members of body segments to ``out``; return how many. The hot loop of parsing.

    The rows hold nothing that JSON escapes or that has parts of its own, at most ``MAX_POSITION``
    elements, and no empty one at their end. ``numbers`` counts the segments by id and is brought
    up to date.
    """
    count = 0
    for row in rows:
        tag = row[0]
        numbers[tag] = number = numbers.get(tag, 0) + 1
        prefix = f"{scope}{tag}." if number == 1 else f"{scope}{tag}[{number}]."
        if "" in row:
            write, keys = _known_shape(row)
            out.append(write(prefix, keys, filter(None, row)))
            count += len(keys)
        elif len(row) > 1:
            write, keys = _FULL[len(row)] if len(row) < len(_FULL) else _known_shape(row)
            out.append(write(prefix, keys, row))
            count += len(keys)
    return count


class FieldWriter:
    """Writes the fields of the spans it is given, in document order."""

    def __init__(self, walk: Walk, *, is_single_octet: bool = False) -> None:
        self.field_count = 0
        """The keys written so far."""
        self.chars = 0
        """Their bytes, the last batch left out. It counts the segments in the walk's numbering."""
        self._walk = walk
        self._is_single_octet = is_single_octet
        self._json = BytesIO()  # grows in place: pieces and their join would be twice the size
        self._json.write(b"{")
        self._out: list[str] = []
        self._batch: SegmentBatch | None = None
        self._is_slow = False

    def add(self, spans: list[SegmentSpan]) -> None:
        """Write the fields of a course, whose stretches are all of one batch."""
        batch = spans[0].batch
        if batch is not self._batch:
            self._begin(batch)
        if batch.kind is BatchKind.BINARY:
            self._add_binary(spans[0])
        elif self._is_slow:
            for span in spans:
                self._add_slowly(span)
        else:
            for span in spans:
                if span.occurrence:
                    self._add_control(span)
                else:
                    self._add_plain(span)

    def json(self) -> bytes:
        """Return all fields as one JSON object; none can be added any more."""
        self._flush()
        self._json.write(b"}")
        return self._json.getvalue()

    def _begin(self, batch: SegmentBatch) -> None:
        self._flush()
        self._batch = batch
        source, delimiters = batch.source, batch.delimiters
        self._is_slow = (
            not batch.is_plain
            or (delimiters.component in source and not _is_head_only(batch))
            or (delimiters.repetition != "" and delimiters.repetition in source)
            or '"' in source
            or "\\" in source
        )

    def _flush(self) -> None:
        if self._out:
            if self.chars:
                self._json.write(b",")
            self.chars += self._json.write(",".join(self._out).encode())
            self._out = []

    def _add_plain(self, span: SegmentSpan) -> None:
        rows = span.batch.rows[span.first : span.last]
        numbers = self._walk.numbering.of(span.tx_index)
        scope = self._walk.scope(span.tx_index)
        if max(map(len, rows)) > MAX_POSITION + 1:
            for row in rows:
                numbers[row[0]] = number = numbers.get(row[0], 0) + 1
                self.field_count += self._sparse(row, _prefix(scope, row[0], number), span)
        else:
            self.field_count += write_plain_rows(rows, scope, numbers, self._out)

    def _sparse(self, row: list[str], prefix: str, span: SegmentSpan) -> int:
        """Write a segment with empty elements, or many; return how many fields it has."""
        if len(row) > MAX_POSITION + 1:
            self._report_beyond(span, row, prefix)
            row = row[: MAX_POSITION + 1]
        write, keys = _known_shape(row)
        if keys:
            self._out.append(write(prefix, keys, filter(None, row)))
        return len(keys)

    def _add_control(self, span: SegmentSpan) -> None:
        row = span.batch.rows[span.first]
        tag, number = row[0], span.occurrence
        prefix = f"{tag}." if number == 1 else f"{tag}[{number}]."
        if tag == "ISA":
            row = [element.rstrip(" ") for element in row]
        self.field_count += self._sparse(row, prefix, span)

    # ---- the slow path ------------------------------------------------------------------------

    def _add_slowly(self, span: SegmentSpan) -> None:
        batch = span.batch
        care = _care(batch.delimiters)
        numbers = self._walk.numbering.of(span.tx_index)
        scope = "" if span.occurrence else self._walk.scope(span.tx_index)
        for index in range(span.first, span.last):
            row, tag = batch.rows[index], batch.rows[index][0]
            number = span.occurrence
            if not number:
                numbers[tag] = number = numbers.get(tag, 0) + 1
            if tag in batch.odd_ids and not has_keys(tag):
                continue
            prefix = _prefix(scope, tag, number)
            if care.search(batch.texts[index]) or batch.delimiters.release or tag == "ISA":
                self._add_row_slowly(span, index, prefix)
            else:
                self.field_count += self._sparse(row, prefix, span)

    def _add_row_slowly(self, span: SegmentSpan, index: int, prefix: str) -> None:
        delimiters, row = span.batch.delimiters, span.batch.rows[index]
        parts = row
        if delimiters.release:
            text = span.batch.texts[index]
            parts = split_released(text, delimiters.element, delimiters.release)
        if len(parts) > MAX_POSITION + 1:
            self._report_beyond(span, row, prefix)
        for position, element in enumerate(parts[: MAX_POSITION + 1]):
            if not position or not element:
                continue
            key = f"{prefix}{position:02d}"
            if row[0] in _NEVER_SPLIT:
                self._member(key, element.rstrip(" ") if row[0] == "ISA" else element, delimiters)
            else:
                self._element(span, row, position, element, key)

    def _element(
        self, span: SegmentSpan, row: list[str], position: int, element: str, key: str
    ) -> None:
        delimiters = span.batch.delimiters
        for number, text in enumerate(_parts(element, delimiters.repetition, delimiters), 1):
            if not text:
                continue
            own = key if number == 1 else f"{key}[{number}]"
            self._member(own, text, delimiters)
            if delimiters.component in text and is_composite(row[0], position):
                components = _parts(text, delimiters.component, delimiters)
                if len(components) == 1:
                    continue  # each of the separators is released
                if len(components) > MAX_POSITION:
                    self._report_beyond(span, row, key)
                for part, value in enumerate(components[:MAX_POSITION], 1):
                    if value:
                        self._member(f"{own}.{part:02d}", value, delimiters)

    def _member(self, key: str, text: str, delimiters: Delimiters) -> None:
        if delimiters.release:
            marks = delimiters.element + delimiters.segment + delimiters.component
            text = unreleased(text, delimiters.release, marks + delimiters.repetition)
        if text:
            self._out.append(f'"{key}":{encode_basestring(text)}')
            self.field_count += 1

    def _add_binary(self, span: SegmentSpan) -> None:
        row = span.batch.rows[0]
        numbers = self._walk.numbering.of(span.tx_index)
        numbers[row[0]] = number = numbers.get(row[0], 0) + 1
        prefix = _prefix(self._walk.scope(span.tx_index), row[0], number)
        value, is_base64 = binary_value(row[-1], is_single_octet=self._is_single_octet)
        if is_base64:
            message = "binary data that is not text is given in base64"
            place = _place(span, 0, prefix[:-1])
            self._walk.reporter.segment(FindingCode.BINARY_BASE64, message, place, len(row) - 1)
        for position, element in enumerate([*row[:-1], value]):
            if position and element:
                self._out.append(f'"{prefix}{position:02d}":{encode_basestring(element)}')
                self.field_count += 1

    def _report_beyond(self, span: SegmentSpan, row: list[str], key: str) -> None:
        """Report that positions beyond 999 have no key."""
        rows = span.batch.rows
        index = next(index for index in range(span.first, span.last) if rows[index] is row)
        message = (
            f"positions beyond {MAX_POSITION} have no key in fields; the segments view has them"
        )
        self._walk.reporter.segment(
            FindingCode.POSITION_OUT_OF_RANGE,
            message,
            _place(span, index, key.rstrip(".")),
        )


def _is_head_only(batch: SegmentBatch) -> bool:
    """Return whether the component separator occurs as ISA16 only and needs no escape in JSON."""
    return batch.kind is BatchKind.HEAD and batch.delimiters.component.isprintable()


def _parts(text: str, separator: str, delimiters: Delimiters) -> list[str]:
    if not separator or separator not in text:
        return [text]
    if delimiters.release:
        return split_released(text, separator, delimiters.release)
    return text.split(separator)


def _place(span: SegmentSpan, index: int, key: str) -> SegmentRef:
    first = span.position if span.tx_index else span.ordinal
    return SegmentRef(
        batch=span.batch,
        at=index,
        tx_index=span.tx_index,
        position=first + index - span.first,
        key=key,
    )


def _prefix(scope: str, tag: str, number: int) -> str:
    return f"{scope}{tag}." if number == 1 else f"{scope}{tag}[{number}]."
