"""Locate the segments of an X12 set: in which loops, distinguished by which codes.

Source: contract.md section 15, fields-and-mapping.md section 4.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from longshore.mapping.segments import Segments
from longshore.mapping.suggest_meanings import CODES, LISTS, QUALIFIERS
from longshore.x12.control import element_at
from longshore.x12.dictionary.model import Definition, ElementType, ElementUse
from longshore.x12.loops.placement import Placement
from longshore.x12.loops.slots import HL, Slot
from longshore.x12.loops.table import table_of
from longshore.x12.segment_table import KNOWN_SEGMENTS

_MAX_LOOPS: Final = 8  # around a segment; a sender may nest levels without limit
_CODE = re.compile("[A-Za-z0-9]{1,6}")

Inner = tuple[str, str, str, str]
"""Id and condition of a loop, ``""`` for the set; id and condition of a segment."""


@dataclass(frozen=True, slots=True, eq=False)
class SegmentLocation:
    """A location of segments: a slot, the codes that distinguish them, and the loops around them.

    Equal segments share one.
    """

    tag: str
    slot: Slot
    codes: tuple[tuple[int, str], ...] | None
    """By position; None: one that should be there is not, or too much is around."""
    around: tuple[SegmentLocation, ...]
    """Outermost first."""

    @property
    def condition(self) -> str:
        """The codes as a path writes them."""
        return ",".join(f"{position:02d}={code}" for position, code in self.codes or ())

    @property
    def meaning(self) -> str:
        """The meaning of the codes, in words."""
        uses = self.slot.use.segment.uses
        words = (code_meaning(uses[position - 1], code) for position, code in self.codes or ())
        return " ".join(filter(None, words))

    @property
    def list_name(self) -> str:
        """The name of a list of such loops; ``""`` if they are no items of a list."""
        if self.slot.loop is None:
            return ""
        return (self.tag == HL and self.meaning) or LISTS.get(self.tag, "")

    @property
    def is_distinguished(self) -> bool:
        """True if all codes are there, its own and those around it."""
        return all(each.codes is not None for each in (*self.around, self))


class SegmentLocations:
    """The segments of a set that have a place, and their locations."""

    def __init__(self, segments: Segments, definition: Definition) -> None:
        self.at: list[tuple[int, SegmentLocation]] = []
        """The index of each segment, with its location."""
        self.level_counts: Counter[str] = Counter()
        """The number of HL of each code."""
        self._known: dict[tuple[SegmentLocation | None, int, object], SegmentLocation] = {}
        self._levels: dict[str, SegmentLocation] = {}
        placement = Placement(table_of(definition), segments.marks[0], KNOWN_SEGMENTS)
        current: SegmentLocation | None = None
        for at in range(len(segments.tags)):
            row = segments.plain_row(at)
            cursor = placement.locate(row)
            if cursor.slot is None or not cursor.has_place:
                continue
            current = self._location(row, cursor.slot, current)
            self.at.append((at, current))

    def _location(
        self, row: list[str], slot: Slot, before: SegmentLocation | None
    ) -> SegmentLocation:
        if row[0] == HL:
            parent = self._levels.get(element_at(row, 2))
        else:
            opened = (*before.around, before) if before else ()
            while opened and opened[-1].slot.inner is not slot.body:
                opened = opened[:-1]
            parent = opened[-1] if opened else None
        around = (*parent.around, parent) if parent else ()
        codes = _codes(row, slot)
        if len(around) > _MAX_LOOPS:
            codes, around = None, ()
        location = self._known.setdefault(
            (parent, slot.number, codes), SegmentLocation(row[0], slot, codes, around)
        )
        if row[0] == HL:
            self._levels[element_at(row, 1)] = location
            self.level_counts[location.condition] += 1
        return location

    def inner(self) -> frozenset[Inner]:
        """Return the segments that occur in a further loop of a loop, or of the set."""
        return frozenset(
            (*_name(location.around[:end]), location.tag, condition)
            for location in self._known.values()
            for end in range(len(location.around))
            if not (end and any(holder.tag == HL for holder in location.around[end:]))
            for condition in (location.condition, "")
        )


def _name(around: tuple[SegmentLocation, ...]) -> tuple[str, str]:
    """Return the id and condition of the innermost loop; of the set, nothing."""
    return (around[-1].tag, around[-1].condition) if around else ("", "")


def _codes(row: list[str], slot: Slot) -> tuple[tuple[int, str], ...] | None:
    """Return the codes that distinguish a segment from others of its id; None if they cannot."""
    use, tag = slot.use, slot.tag
    if tag in LISTS and tag != HL and slot.loop is not None:
        return ()
    positions = QUALIFIERS.get(tag)
    if positions is None:
        first = use.segment.uses[0].type if use.segment.uses else None
        is_coded = isinstance(first, ElementType) and first.codes is not None
        positions = (1,) if is_coded and slot.node.maximum != 1 else ()
    codes = tuple((at, element_at(row, at)) for at in positions if element_at(row, at))
    is_distinguished = bool(codes) or not positions
    return codes if is_distinguished and all(_CODE.fullmatch(code) for _, code in codes) else None


def code_meaning(use: ElementUse, code: str) -> str:
    """Return the meaning of a code, in the words that fields are named with; ``""`` if unknown."""
    assert isinstance(use.type, ElementType)  # codes are no composites
    named = CODES.get(use.type.number, {})
    if code in named or use.type.codes is None:
        return named.get(code, "")
    return use.type.codes.meanings.get(code, "").partition(",")[0]
