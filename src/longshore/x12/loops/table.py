"""Compile a definition into slots.

The slots of the standard that a guide narrows are part of the guide's table: they distinguish a
segment the guide does not use from one that is not allowed at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from longshore.x12.dictionary.model import Definition, Loop, Node, SegmentType, SegmentUse
from longshore.x12.loops.slots import HL, Body, Slot

MAX_TABLES: Final = 64
HEADING: Final = "heading"
SUMMARY: Final = "summary"
# Triggers of the top-level loops that are the detail area of their set.
DETAIL_TRIGGERS: Final = frozenset((
    *("PO1", "IT1", "HL", "LX", "CLP", "INS", "LIN", "W01"),
    *("W04", "W07", "W12", "ENT", "CLM", "POC", "S5", "OID"),
))
_ST: Final = SegmentUse(segment=SegmentType("ST", ()), requirement="M", maximum=1)


@dataclass(slots=True, eq=False)
class LoopTable:
    """A compiled definition."""

    definition: Definition
    start: Slot
    """The slot of ST, where every set begins."""
    size: int
    """The number of counts that a set needs."""
    everywhere: dict[str, list[Slot]]
    """All slots of a segment id, those of the guide before those of the standard."""
    has_nested_levels: bool
    """HL loops are nested, instead of one loop for all levels."""


@lru_cache(maxsize=MAX_TABLES)
def table_of(definition: Definition) -> LoopTable:
    """Return the table of a definition, from a cache."""
    return _Compiler().table(definition)


class _Compiler:
    def __init__(self) -> None:
        self._size = 0
        self._everywhere: dict[str, list[Slot]] = {}

    def table(self, definition: Definition) -> LoopTable:
        start = self._start(definition)
        levels = self._everywhere.get(HL, [])
        has_nested_levels = any(_is_level(slot.body.opener) for slot in levels)
        if definition.base is not None:
            _pair(start, self._start(definition.base))
        return LoopTable(definition, start, self._size, self._everywhere, has_nested_levels)

    def _start(self, definition: Definition) -> Slot:
        outside = Body(None, -1, self._take())
        start = Slot(self._take(), _ST, None, outside, 0, 0, HEADING)
        body = start.inner = Body(start, 0, self._take())
        self._fill(body, definition.body, HEADING)
        is_summary = False
        for slot in body.slots:
            if slot.loop is None and is_summary:
                slot.loop_id = SUMMARY
            is_summary = is_summary or (slot.loop is not None and slot.tag in DETAIL_TRIGGERS)
        return start

    def _fill(self, body: Body, nodes: tuple[Node, ...], loop_id: str) -> None:
        """Give ``body`` its slots, numbered in a row, then the bodies in it theirs."""
        for node in nodes:
            if node.requirement != "N":
                self._add(body, node, loop_id)
        for slot in body.slots:
            if slot.loop is not None:
                slot.inner = Body(slot, body.depth + 1, self._take())
                self._fill(slot.inner, slot.loop.body[1:], slot.loop.id)
                for tag in slot.inner.by_tag:
                    body.holders.setdefault(tag, []).append(slot)

    def _add(self, body: Body, node: Node, loop_id: str) -> None:
        loop = node if isinstance(node, Loop) else None
        use = node.trigger if isinstance(node, Loop) else node
        loop_id = loop_id if loop is None else loop.id
        index = first = len(body.slots)
        if body.slots and body.slots[-1].tag == use.segment.id:
            first = body.slots[-1].first
        slot = Slot(self._take(), use, loop, body, index, first, loop_id)
        body.slots.append(slot)
        body.by_tag.setdefault(slot.tag, []).append(slot)
        self._everywhere.setdefault(slot.tag, []).append(slot)

    def _take(self) -> int:
        self._size += 1
        return self._size - 1


def _is_level(slot: Slot | None) -> bool:
    return slot is not None and slot.tag == HL


def _pair(slot: Slot, base: Slot) -> None:
    """Set ``base`` of a slot of a guide, and of all slots within it."""
    slot.base = base
    if slot.inner is None or base.inner is None:
        return
    inner, standard = slot.inner, base.inner
    inner.base = standard
    at = 0
    for each in inner.slots:
        found = next((one for one in standard.slots[at:] if _is_like(one, each)), None)
        if found is not None:
            at = found.index
        elif each.tag == slot.tag == HL:  # one loop of the standard serves all levels
            found = base
        if found is not None:
            _pair(each, found)


def _is_like(one: Slot, other: Slot) -> bool:
    return one.tag == other.tag and (one.loop is None) == (other.loop is None)
