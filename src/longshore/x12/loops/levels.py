"""The hierarchy of HL segments: every HL02 names an earlier HL that may hold this one.

Source: docs/reference/dictionary.md section 8, step 5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from longshore.x12.loops.faults import LoopFaultKind
from longshore.x12.loops.slots import HL, Body, Slot
from longshore.x12.loops.table import LoopTable

_LEVEL: Final = 3  # HL03


class Levels:
    """The HL segments of a set by HL01.

    Args:
        has_nested: The definition has a loop for each level and nests them; else one loop serves
            all and any HL may hold any other.
    """

    def __init__(self, *, has_nested: bool) -> None:
        self._has_nested = has_nested
        self._slots: dict[str, Slot | None] = {}
        self._unnamed = 0

    def is_parent(self, row: list[str], slot: Slot) -> bool:
        """Return whether HL02 names an HL that opened the body of ``slot``."""
        opener = slot.body.opener
        return len(row) > 2 and opener is not None and self._slots.get(row[2]) is opener  # noqa: PLR2004 - HL02

    def fault(self, row: list[str], slot: Slot) -> LoopFaultKind | None:
        """Return what is wrong with HL02."""
        parent = row[2] if len(row) > 2 else ""  # noqa: PLR2004 - HL02
        if not parent:
            return None
        if parent not in self._slots:
            if not self._unnamed:
                return LoopFaultKind.PARENT_UNKNOWN
            self._unnamed -= 1
            self._slots[parent] = None
        holder = self._slots[parent]
        if not self._has_nested or holder is None:
            return None
        return None if holder is slot.body.opener else LoopFaultKind.PARENT_NOT_ALLOWED

    def enter(self, row: list[str], slot: Slot) -> bool:
        """Note an HL if its parent is right; return whether it is."""
        if self.fault(row, slot) is not None:
            return False
        self.add(row, slot)
        return True

    def add(self, row: list[str], slot: Slot | None) -> None:
        """Note an HL; ``slot`` is None where its level is in doubt.

        One without a number, or whose segment is missing, may be the parent of the next unknown.
        """
        if len(row) > 1:
            self._slots[row[1]] = slot
        else:
            self._unnamed += 1


class _AnyLevel(dict[str, Slot]):
    """The slot of every level, where one loop serves all."""

    def __init__(self, slot: Slot) -> None:
        super().__init__()
        self._slot = slot

    def __missing__(self, code: str) -> Slot:
        return self._slot


def level_slots(table: LoopTable) -> Mapping[str, Slot] | None:
    """Return the slots of HL segments by HL03; None if HL03 does not determine them."""
    assert table.start.inner is not None  # the body of the set
    slots = [*_levels(table.start.inner)]
    if slots and not table.has_nested_levels:
        return _AnyLevel(slots[0])
    found: dict[str, Slot] = {}
    for slot in slots:
        when = slot.when
        if when is None or (when.position, when.component) != (_LEVEL, None):
            return None
        if not found.keys().isdisjoint(when.values):
            return None
        found.update(dict.fromkeys(when.values, slot))
    return found


def _levels(body: Body) -> Iterator[Slot]:
    for slot in body.slots:
        if slot.tag == HL:
            yield slot
        if slot.inner is not None:
            yield from _levels(slot.inner)
