"""The loops that are open at a segment, with HL loops nested by HL02.

A definition may have one HL loop for all levels. Which HL loop holds which is then in the data:
HL02 names the HL01 of the parent.
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


class LoopNesting(Generic[LoopT]):
    """Follows the segments of one set, and keeps the loops that are open, as the caller made them.

    Args:
        begin: Makes a loop in the innermost open one. Called with the loop's step in the
            definition, None for an HL loop without a definition.
    """

    def __init__(self, begin: Callable[[LoopStep | None], LoopT]) -> None:
        self._begin = begin
        self._levels: list[tuple[str, LoopT]] = []  # HL01 of the HL loops that are open
        self._inner: list[tuple[LoopStep, LoopT]] = []  # the other loops, in the last of those
        self._depths: dict[str, int] = {}

    @property
    def innermost(self) -> LoopT | None:
        """The innermost open loop, None outside every loop."""
        if self._inner:
            return self._inner[-1][1]
        return self._levels[-1][1] if self._levels else None

    def close(self) -> None:
        """Close every loop."""
        self._levels, self._inner = [], []

    def enter(self, row: Sequence[str], cursor: SetCursor | None) -> None:
        """Close and open loops so that the innermost one is that of a segment of the body.

        A segment without a place opens and closes none.

        Args:
            row: The id and the elements of the segment.
            cursor: Its position in the definition; None if there is no definition.
        """
        if cursor is not None and not cursor.has_place:
            return
        if row[0] == HL:
            self._begin_level(row, cursor)
        elif cursor is not None:
            self._enter_inner(cursor)

    def _begin_level(self, row: Sequence[str], cursor: SetCursor | None) -> None:
        number, parent = element_at(row, 1), element_at(row, 2)
        depth = min(self._depths.get(parent, 0), MAX_LEVELS - 1) if parent else 0
        self._inner = []
        del self._levels[depth:]
        step = cursor.path[-1] if cursor is not None and cursor.path else None
        self._levels.append((number, self._begin(step)))
        self._depths[number] = len(self._levels)

    def _enter_inner(self, cursor: SetCursor) -> None:
        """Open the loops of a segment, within the last HL loop if that is one of them."""
        path = cursor.path
        levels = [at for at, step in enumerate(path, 1) if step.segment_id == HL]
        if not levels:
            self._levels = []
        inner = path[levels[-1] :] if levels else path
        is_trigger = cursor.slot is not None and cursor.slot.inner is not None
        common = 0
        for (one, _), other in zip(self._inner, inner[: len(inner) - is_trigger], strict=False):
            if one != other:
                break
            common += 1
        del self._inner[common:]
        for step in inner[common : MAX_LEVELS - len(self._levels)]:
            self._inner.append((step, self._begin(step)))
