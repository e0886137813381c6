"""The segments of one set or of the envelope, found by id; elements are split on demand.

A segment is stored as its text: rows of elements would take many times the memory of a document of
which the rules need a few.

Source: x12.md section 1, fields-and-mapping.md section 2.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from longshore.mapping.paths_x12 import SegmentCondition
from longshore.x12.batch import BatchKind
from longshore.x12.binary import LENGTH_ELEMENT, binary_value
from longshore.x12.control import SegmentSpan
from longshore.x12.delimiters import Delimiters
from longshore.x12.release import split_released, unreleased

NEVER_SPLIT: Final = frozenset(("ISA", "BIN", "BDS"))


class SegmentValue(NamedTuple):
    """A value and its raw text: ``[start, end)`` in the text of its segment."""

    value: str
    start: int
    end: int
    is_part: bool
    """It is a component, and not the only one."""


class Segments:
    """Segments in order."""

    def __init__(self, tx_index: int, *, is_single_octet: bool = False) -> None:
        self.tx_index = tx_index
        """The index of their set, from 1; 0 outside every set, or for the envelope."""
        self.tags: list[str] = []
        """Their ids."""
        self.marks: list[Delimiters] = []
        """The separators of each."""
        self.starts: list[int] = []
        """The reader's offset of each, if the document is traced."""
        self.are_plain = False
        """All are known to be plain, as ``is_plain`` says of one."""
        self._is_single_octet = is_single_octet
        self._texts: list[str] = []
        self._rows: list[list[str] | None] = []  # None: not split yet
        self._by_id: dict[str, list[int]] = {}

    def add(self, span: SegmentSpan, *, is_traced: bool) -> None:
        """Append the segments of a stretch."""
        batch, first, last = span.batch, span.first, span.last
        is_binary = batch.kind is BatchKind.BINARY
        self._rows += batch.rows[first:last] if is_binary else [None] * (last - first)
        self.tags += [row[0] for row in batch.rows[first:last]]
        self._texts += batch.texts[first:last]
        self.marks += [batch.delimiters] * (last - first)
        if is_traced:
            self.starts += batch.starts[first:last]

    def add_rows(
        self, texts: Sequence[str], rows: Sequence[list[str]], delimiters: Delimiters
    ) -> None:
        """Append segments whose texts are split already."""
        self.tags += [row[0] for row in rows]
        self.marks += [delimiters] * len(rows)
        self._texts += texts
        self._rows += rows

    @property
    def by_id(self) -> Mapping[str, list[int]]:
        """The indexes of the segments of each id; read it when all segments are there."""
        numbers = self._by_id
        if not numbers:
            for at, tag in enumerate(self.tags):
                if tag in numbers:
                    numbers[tag].append(at)
                else:
                    numbers[tag] = [at]
        return numbers

    def row(self, at: int) -> list[str]:
        """Return the id and the elements of a segment; released separators are still marked."""
        found = self._rows[at]
        if found is None:
            marks = self.marks[at]
            found = self._rows[at] = _parts(self._texts[at], marks.element, marks.release)
        return found

    def is_plain(self, at: int) -> bool:
        """Return whether whole elements of a segment can be read from its row unchanged."""
        if self.are_plain:
            return True
        marks = self.marks[at]
        if marks.release or self.tags[at] in NEVER_SPLIT:
            return False
        return not marks.repetition or marks.repetition not in self._texts[at]

    def plain_row(self, at: int) -> list[str]:
        """Return the id and the elements of a segment; a released separator is data."""
        row, marks = self.row(at), self.marks[at]
        if not marks.release:
            return row
        return [unreleased(text, marks.release, marks.marks) for text in row]

    def repetitions(self, at: int, position: int) -> int:
        """Return how many repetitions an element has; 0 if it is empty."""
        row, marks = self.row(at), self.marks[at]
        text = row[position] if position < len(row) else ""
        if not text or not marks.repetition or row[0] in NEVER_SPLIT:
            return len(text[:1])
        return len(_parts(text, marks.repetition, marks.release))

    def holding(self, places: Iterable[int], condition: SegmentCondition) -> list[int]:
        """Return those of several segments that fulfil a condition, which an empty value may do."""
        position, component, (is_equal, values) = condition
        if self.are_plain and not component:
            rows = ((at, self._rows[at] or self.row(at)) for at in places)
            return [
                at
                for at, row in rows
                if ((row[position] if position < len(row) else "") in values) is is_equal
            ]
        return [
            at
            for at in places
            if (self._first_value(at, position, component) in values) is is_equal
        ]

    def _first_value(self, at: int, position: int, component: int) -> str:
        """Return the first value of an element, or of a component unless that is 0."""
        if component or not self.is_plain(at):
            cell = self.cell(at, position, component=component)
            return "" if cell is None else cell.value
        row = self._rows[at] or self.row(at)
        return row[position] if position < len(row) else ""

    def cell(
        self, at: int, position: int, repetition: int = 1, component: int = 0
    ) -> SegmentValue | None:
        """Return a value; None if it is missing or empty.

        Args:
            at: The index of the segment.
            position: The position of the element.
            repetition: The repetition of the element.
            component: The position of the component, 0 for the whole repetition.
        """
        row, marks = self.row(at), self.marks[at]
        if position >= len(row):
            return None
        tag, text = row[0], row[position]
        start = sum(map(len, row[:position])) + position
        count = 1
        if tag in NEVER_SPLIT:
            text = text.rstrip(" ") if tag == "ISA" else text
            if repetition > 1 or component > 1:
                return None
        else:
            if marks.repetition:
                text, start, count = _part(text, start, marks.repetition, marks.release, repetition)
            elif repetition > 1:
                return None
            if component:
                text, start, count = _part(text, start, marks.component, marks.release, component)
        value = self._value(tag, position, text, marks)
        if not value:
            return None
        return SegmentValue(value, start, start + len(text), bool(component) and count > 1)

    def _value(self, tag: str, position: int, text: str, marks: Delimiters) -> str:
        if position == LENGTH_ELEMENT.get(tag, -1) + 1:
            return binary_value(text, is_single_octet=self._is_single_octet)[0]
        return unreleased(text, marks.release, marks.marks) if marks.release else text


def _part(text: str, start: int, separator: str, release: str, number: int) -> tuple[str, int, int]:
    """Return the part of this number, from 1, where it starts, and how many parts there are.

    An empty text if there is none.
    """
    if separator not in text:
        return (text if number == 1 else ""), start, 1
    parts = _parts(text, separator, release)
    if number > len(parts):
        return "", start, len(parts)
    return parts[number - 1], start + sum(map(len, parts[: number - 1])) + number - 1, len(parts)


def _parts(text: str, separator: str, release: str) -> list[str]:
    return split_released(text, separator, release) if release else text.split(separator)
