"""The flat fields of an X12 document as JSON bytes: the one seam for an accelerator.

Theory. There are about 114,000 keys in a megabyte, so nothing may be done per element that can be
done per segment. A segment without empty elements, or with a pattern of them seen before, is one
``%`` on a ready template. Composites, repetitions and characters that JSON escapes are rare per
batch; only segments in which they may occur take the careful way, element by element. Both ways
write the same keys, which a property test holds (performance.md section 1.9).

Source: fields-and-mapping.md section 2.1.
"""

from __future__ import annotations

import re
from functools import lru_cache
from json.encoder import encode_basestring
from typing import Final

from longshore.x12.batch import BatchKind, SegmentBatch
from longshore.x12.binary import binary_value
from longshore.x12.delimiters import Delimiters
from longshore.x12.envelope import Stretch
from longshore.x12.findings import FindingCode, Severity
from longshore.x12.members import MEMBERS
from longshore.x12.release import split_released, unreleased
from longshore.x12.report import SegmentPlace
from longshore.x12.segment_table import is_composite
from longshore.x12.syntax import has_keys
from longshore.x12.walk import Walk

MAX_POSITION: Final = 999  # of an element or component: a key has two or three digits
_KEY: Final = "\x01"  # stands in a template for the prefix of the keys
_NEVER_SPLIT: Final = frozenset(("ISA", "BIN", "BDS"))
_USUAL_ELEMENTS: Final = len(MEMBERS)
_MOST_SHAPES: Final = 1024


def _template(is_filled: tuple[bool, ...]) -> tuple[str, int]:
    """Return the format of a segment of this shape, and how many fields it has.

    The format takes id and elements; the id and what is not filled are left out.
    """
    parts, lead = ["%.0s"], ""
    for position, filled in enumerate(is_filled[1:], 1):
        parts.append(f'{lead}"{_KEY}{position:02d}":"%s"' if filled else "%.0s")
        lead = "," if filled else lead
    return "".join(parts), sum(is_filled[1:])


_sparse_template = lru_cache(maxsize=4096)(_template)


@lru_cache(maxsize=256)
def _care(delimiters: Delimiters) -> re.Pattern[str]:
    """Return the pattern of what a template cannot write: parts, and what JSON escapes."""
    marks = delimiters.component + delimiters.repetition
    return re.compile(f'["\\\\\0-\x1f{re.escape(marks)}]')


class FieldWriter:
    """Writes the fields of the courses it is given, in document order.

    ``field_count``: the keys written so far. It counts the segments in the walk's numbering.
    """

    def __init__(self, walk: Walk, *, is_single_octet: bool = False) -> None:
        self.field_count = 0
        self._walk = walk
        self._is_single_octet = is_single_octet
        self._pieces: list[bytes] = []
        self._shapes: dict[tuple[object, ...], tuple[str, int]] = {}
        self._out: list[str] = []
        self._batch: SegmentBatch | None = None
        self._is_careful = False

    def add(self, course: list[Stretch]) -> None:
        """Write the fields of a course, whose stretches are all of one batch."""
        if not course:
            return
        batch = course[0].batch
        if batch is not self._batch:
            self._begin(batch)
        if batch.kind is BatchKind.BINARY:
            self._add_binary(course[0])
        elif self._is_careful:
            for stretch in course:
                self._add_careful(stretch)
        else:
            for stretch in course:
                if stretch.occurrence:
                    self._add_control(stretch)
                else:
                    self._add_plain(stretch)

    def json(self) -> bytes:
        """Return all fields as one JSON object."""
        self._flush()
        return b"{" + b",".join(self._pieces) + b"}"

    def _begin(self, batch: SegmentBatch) -> None:
        self._flush()
        self._batch = batch
        source, delimiters = batch.source, batch.delimiters
        self._is_careful = (
            not batch.is_plain
            or (delimiters.component in source and not _is_head_only(batch))
            or (delimiters.repetition != "" and delimiters.repetition in source)
            or '"' in source
            or "\\" in source
        )

    def _flush(self) -> None:
        if self._out:
            self._pieces.append(",".join(self._out).encode())
            self._out = []

    def _add_plain(self, stretch: Stretch) -> None:
        """Write body segments in which nothing needs care: the hot loop of parsing."""
        numbers = self._walk.numbering.of(stretch.tx_index)
        scope = self._walk.scope(stretch.tx_index)
        out, count, shapes = self._out, 0, self._shapes
        for row in stretch.batch.rows[stretch.first : stretch.last]:
            tag = row[0]
            numbers[tag] = number = numbers.get(tag, 0) + 1
            prefix = f"{scope}{tag}." if number == 1 else f"{scope}{tag}[{number}]."
            elements = len(row)
            if elements >= _USUAL_ELEMENTS:
                count += self._sparse(row, prefix, stretch)
                continue
            if "" in row:
                template, filled = shapes.get(_shape_of(row)) or self._shape(row)
                if filled:
                    # A plain batch has no control character in its data: the mark is no value.
                    out.append((template % tuple(row)).replace(_KEY, prefix))
                    count += filled
            elif elements > 1:
                out.append(MEMBERS[elements](prefix, *row))
                count += elements - 1
        self.field_count += count

    def _shape(self, row: list[str]) -> tuple[str, int]:
        """Return and remember template and field count of segments of this row's shape."""
        if len(self._shapes) >= _MOST_SHAPES:
            self._shapes.clear()
        self._shapes[_shape_of(row)] = known = _sparse_template(tuple(map(bool, row)))
        return known

    def _sparse(self, row: list[str], prefix: str, stretch: Stretch) -> int:
        """Write a segment with empty elements, or many; return how many fields it has."""
        if len(row) > MAX_POSITION + 1:
            self._report_beyond(stretch, row, prefix)
            row = row[: MAX_POSITION + 1]
        template, count = _sparse_template(tuple(map(bool, row)))
        if count:
            self._out.append(template.replace(_KEY, prefix) % tuple(row))
        return count

    def _add_control(self, stretch: Stretch) -> None:
        row = stretch.batch.rows[stretch.first]
        tag, number = row[0], stretch.occurrence
        prefix = f"{tag}." if number == 1 else f"{tag}[{number}]."
        if tag == "ISA":
            row = [element.rstrip(" ") for element in row]
        elements = len(row)
        if 1 < elements < _USUAL_ELEMENTS and "" not in row:
            self._out.append(MEMBERS[elements](prefix, *row))
            self.field_count += elements - 1
        else:
            self.field_count += self._sparse(row, prefix, stretch)

    # ---- the careful way ----------------------------------------------------------------------

    def _add_careful(self, stretch: Stretch) -> None:
        batch = stretch.batch
        care = _care(batch.delimiters)
        numbers = self._walk.numbering.of(stretch.tx_index)
        scope = "" if stretch.occurrence else self._walk.scope(stretch.tx_index)
        for index in range(stretch.first, stretch.last):
            row, tag = batch.rows[index], batch.rows[index][0]
            number = stretch.occurrence
            if not number:
                numbers[tag] = number = numbers.get(tag, 0) + 1
            if tag in batch.odd_ids and not has_keys(tag):
                continue
            prefix = _prefix(scope, tag, number)
            if care.search(batch.texts[index]) or batch.delimiters.release or tag == "ISA":
                self._careful_row(stretch, index, prefix)
            else:
                self.field_count += self._sparse(row, prefix, stretch)

    def _careful_row(self, stretch: Stretch, index: int, prefix: str) -> None:
        delimiters, row = stretch.batch.delimiters, stretch.batch.rows[index]
        parts = row
        if delimiters.release:
            text = stretch.batch.texts[index]
            parts = split_released(text, delimiters.element, delimiters.release)
        if len(parts) > MAX_POSITION + 1:
            self._report_beyond(stretch, row, prefix)
        for position, element in enumerate(parts[: MAX_POSITION + 1]):
            if not position or not element:
                continue
            key = f"{prefix}{position:02d}"
            if row[0] in _NEVER_SPLIT:
                self._member(key, element.rstrip(" ") if row[0] == "ISA" else element, delimiters)
            else:
                self._element(stretch, row, position, element, key)

    def _element(
        self, stretch: Stretch, row: list[str], position: int, element: str, key: str
    ) -> None:
        delimiters = stretch.batch.delimiters
        for number, text in enumerate(_parts(element, delimiters.repetition, delimiters), 1):
            if not text:
                continue
            own = key if number == 1 else f"{key}[{number}]"
            self._member(own, text, delimiters)
            if delimiters.component in text and is_composite(row[0], position):
                components = _parts(text, delimiters.component, delimiters)
                if len(components) > MAX_POSITION:
                    self._report_beyond(stretch, row, key)
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

    def _add_binary(self, stretch: Stretch) -> None:
        row = stretch.batch.rows[0]
        numbers = self._walk.numbering.of(stretch.tx_index)
        numbers[row[0]] = number = numbers.get(row[0], 0) + 1
        prefix = _prefix(self._walk.scope(stretch.tx_index), row[0], number)
        value, is_base64 = binary_value(row[-1], is_single_octet=self._is_single_octet)
        if is_base64:
            message = "binary data that is not text is given in base64"
            place = _place(stretch, 0, prefix[:-1])
            self._walk.reporter.segment(
                FindingCode.BINARY_BASE64, Severity.WARNING, message, place, len(row) - 1
            )
        for position, element in enumerate([*row[:-1], value]):
            if position and element:
                self._out.append(f'"{prefix}{position:02d}":{encode_basestring(element)}')
                self.field_count += 1

    def _report_beyond(self, stretch: Stretch, row: list[str], key: str) -> None:
        """Say that positions beyond 999 have no key."""
        rows = stretch.batch.rows
        index = next(index for index in range(stretch.first, stretch.last) if rows[index] is row)
        message = (
            f"positions beyond {MAX_POSITION} have no key in fields; the segments view has them"
        )
        self._walk.reporter.segment(
            FindingCode.POSITION_OUT_OF_RANGE,
            Severity.WARNING,
            message,
            _place(stretch, index, key.rstrip(".")),
        )


def _is_head_only(batch: SegmentBatch) -> bool:
    """Tell whether the component separator stands there as ISA16 only, and JSON can hold it."""
    return batch.kind is BatchKind.HEAD and batch.delimiters.component.isprintable()


def _shape_of(row: list[str]) -> tuple[object, ...]:
    """Return what tells rows with empty elements apart: most have them in one run."""
    empty, first = row.count(""), row.index("")
    if empty == 1 or not any(row[first : first + empty]):
        return len(row), first, empty
    return tuple(map(bool, row))


def _parts(text: str, separator: str, delimiters: Delimiters) -> list[str]:
    if not separator or separator not in text:
        return [text]
    if delimiters.release:
        return split_released(text, separator, delimiters.release)
    return text.split(separator)


def _place(stretch: Stretch, index: int, key: str) -> SegmentPlace:
    first = stretch.position if stretch.tx_index else stretch.ordinal
    return SegmentPlace(
        batch=stretch.batch,
        index=index,
        tx_index=stretch.tx_index,
        position=first + index - stretch.first,
        key=key,
    )


def _prefix(scope: str, tag: str, number: int) -> str:
    return f"{scope}{tag}." if number == 1 else f"{scope}{tag}[{number}]."
