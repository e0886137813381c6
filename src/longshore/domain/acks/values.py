"""One value of a segment by its position: its key, its text, and where it stands in the segment.

Source: fields-and-mapping.md section 2.1 (keys), x12.md sections 1.4 and 1.8.
"""

from __future__ import annotations

from typing import NamedTuple

from longshore.formats.keys import numbered
from longshore.x12.binary import LENGTH_ELEMENT
from longshore.x12.control import element_at
from longshore.x12.delimiters import Delimiters
from longshore.x12.release import split_released, unreleased
from longshore.x12.segment_table import is_composite


class ValuePart(NamedTuple):
    """A value of a segment: the end of its key, such as ``01[2].03``, its text, its offset.

    ``offset``: 0-based, in the segment. A value that is not there is ``""``, where it would be.
    """

    key: str
    value: str
    offset: int


class _Span(NamedTuple):
    """A text, and where it begins in the segment."""

    offset: int
    text: str

    def inner(self, separator: str, release: str, index: int) -> _Span:
        """Return the part at ``index`` between separators; behind the last one, nothing."""
        parts = (
            split_released(self.text, separator, release) if release else self.text.split(separator)
        )
        before = sum(len(part) + 1 for part in parts[:index])
        if index < len(parts):
            return _Span(self.offset + before, parts[index])
        return _Span(self.offset + len(self.text), "")


def part_at(
    text: str, row: list[str], marks: Delimiters, place: tuple[int, int, int]
) -> ValuePart | None:
    """Return a value of a segment.

    ``text`` and ``row``: the segment, and its id with its elements. ``place``: element and
    repetition from 1, component from 1 or 0 for the whole; None if the element is below 1.
    """
    position, repeat, component = place
    if position < 1:
        return None
    key = f"{position:02d}"
    if row[0] in LENGTH_ELEMENT and position > LENGTH_ELEMENT[row[0]]:
        return ValuePart(key, element_at(row, position), len(text) - len(row[-1]))
    span = _Span(0, text).inner(marks.element, marks.release, position)
    if marks.repetition:
        span = span.inner(marks.repetition, marks.release, repeat - 1)
        key = numbered(key, repeat)
    if component and is_composite(row[0], position):
        has_parts = marks.component in span.text or component > 1
        span = span.inner(marks.component, marks.release, component - 1)
        key = f"{key}.{component:02d}" if has_parts else key
    value = unreleased(span.text, marks.release, marks.marks) if marks.release else span.text
    return ValuePart(key, value, span.offset)
