"""The segment a finding is about, as a line to look at with a mark below the place."""

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len

from longshore.cli.terminal import visible
from longshore.x12.delimiters import Delimiters

_BLANK = " \t\r\n"
_CUT = "…"


class Quotation(NamedTuple):
    """A segment with visible control characters, and the column of a mark below it."""

    line: str
    column: int
    """Column of the mark, from 0."""


def quotation(
    text: str, offset: int, delimiters: Sequence[Delimiters], most_cells: int
) -> Quotation:
    """Return the segment around the 0-based character ``offset`` of a document.

    Of a segment that takes more than ``most_cells`` columns, the mark included, the part around the
    place. Binary data is cut where it holds a terminator: this is to look at, not to go on with.
    """
    terminator = _in_force(text, offset, delimiters).segment
    before = text.rfind(terminator, 0, offset)
    start = before + len(terminator) if before >= 0 else 0
    while start < offset and text[start] in _BLANK:
        start += 1
    end = text.find(terminator, offset)
    end = len(text) if end < 0 else end
    return _fitted(text, start, offset, end, most_cells - (offset == end))


def _in_force(text: str, offset: int, delimiters: Sequence[Delimiters]) -> Delimiters:
    """Return the separators of the interchange that begins last before the place."""
    if len(delimiters) == 1:
        return delimiters[0]
    return max(delimiters, key=lambda each: text.rfind(f"ISA{each.element}", 0, offset + 4))


def _fitted(text: str, start: int, offset: int, end: int, most_cells: int) -> Quotation:
    first, last = max(start, offset - most_cells), min(end, offset + most_cells)
    before, after = visible(text[first:offset]), visible(text[offset:last])
    room = most_cells - cell_len(after)
    if cell_len(before) + cell_len(after) > most_cells:
        room = max(room, most_cells // 2)
    is_cut_before = first > start or cell_len(before) > room
    while cell_len(before) > room - is_cut_before:
        before = before[1:]
    before = _CUT * is_cut_before + before
    room = most_cells - cell_len(before)
    is_cut_after = last < end or cell_len(after) > room
    while cell_len(after) > room - is_cut_after:
        after = after[:-1]
    return Quotation(before + after + _CUT * is_cut_after, cell_len(before))
