"""The loops that are open at a segment, with HL loops nested by HL02.

A definition may have one HL loop for all levels. Which HL loop holds which is then in the data:
HL02 names the HL01 of the parent, and a loop whose parent is not open has none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar

from longshore.x12.control import element_at
from longshore.x12.loops.faults import LoopStep
from longshore.x12.loops.placement import SetCursor
from longshore.x12.loops.slots import HL

MAX_LEVELS: Final = 64  # of loops that are nested; readers of JSON give up where nesting is deep

LoopT = TypeVar("LoopT")


def _ignore_end() -> None:
    """Do nothing at the end of a loop."""


class LoopNesting(Generic[LoopT]):
    """Follows the segments of one set, and keeps the loops that are open, as the caller made them.

    Loops below ``MAX_LEVELS`` are not opened.

    Args:
        begin: Makes a loop in the innermost open one. Called with the loop's step in the
            definition, None for an HL loop without a definition.
        on_end: Called when the innermost open loop ends.
    """

    def __init__(
        self, begin: Callable[[LoopStep | None], LoopT], on_end: Callable[[], None] = _ignore_end
    ) -> None:
        self._begin = begin
        self._on_end = on_end
        self._levels: list[tuple[str, LoopT]] = []  # HL01 of the HL loops that are open
        self._inner: list[tuple[LoopStep, LoopT]] = []  # the other loops, in the last of those
        self._depths: dict[str, int] = {}  # how many loops are open when one of this HL01 is
        self._too_deep: set[str] = set()  # HL01 of the HL loops that were not opened

    @property
    def innermost(self) -> LoopT | None:
        """The innermost open loop, None outside every loop."""
        if self._inner:
            return self._inner[-1][1]
        return self._levels[-1][1] if self._levels else None

    def close(self) -> None:
        """Close every loop."""
        self._close_levels(0)

    def enter(self, row: Sequence[str], cursor: SetCursor | None) -> bool:
        """Close and open loops so that the innermost one is that of a segment of the body.

        A segment without a place opens and closes none, and neither does the HL of a loop that is
        too deep.

        Args:
            row: The id and the elements of the segment.
            cursor: Its position in the definition; None if there is no definition.

        Returns:
            Whether the segment has a place in the loops: False if it has none in the definition,
            or if it begins a loop that is too deep.
        """
        if cursor is not None and not cursor.has_place:
            return False
        if row[0] == HL:
            return self._begin_level(row, cursor)
        return cursor is None or self._enter_inner(cursor)

    def _begin_level(self, row: Sequence[str], cursor: SetCursor | None) -> bool:
        number, parent = element_at(row, 1), element_at(row, 2)
        depth = self._depths.get(parent, 0) if parent else 0
        if depth >= MAX_LEVELS or parent in self._too_deep:
            self._too_deep.add(number)
            return False
        self._close_levels(depth)
        step = cursor.path[-1] if cursor is not None and cursor.path else None
        self._levels.append((number, self._begin(step)))
        self._depths.setdefault(number, len(self._levels))
        return True

    def _enter_inner(self, cursor: SetCursor) -> bool:
        """Open the loops of a segment, within the last HL loop if that is one of them."""
        path = cursor.path
        start = len(path)
        while start and path[start - 1].segment_id != HL:
            start -= 1
        if not start and self._levels:
            self._close_levels(0)
        inner = path[start:]
        is_trigger = cursor.slot is not None and cursor.slot.inner is not None
        common = 0
        for (one, _), other in zip(self._inner, inner[: len(inner) - is_trigger], strict=False):
            if one != other:
                break
            common += 1
        if common < len(self._inner):
            self._close_inner(common)
        for step in inner[common:]:
            if len(self._levels) + len(self._inner) >= MAX_LEVELS:
                return not is_trigger
            self._inner.append((step, self._begin(step)))
        return True

    def _close_levels(self, depth: int) -> None:
        """Close all but the outermost ``depth`` HL loops."""
        self._close_inner(0)
        while len(self._levels) > depth:
            number, _ = self._levels.pop()
            if self._depths[number] > len(self._levels):
                del self._depths[number]
            self._on_end()

    def _close_inner(self, count: int) -> None:
        """Close all but the outermost ``count`` loops in the last HL loop."""
        while len(self._inner) > count:
            self._inner.pop()
            self._on_end()
