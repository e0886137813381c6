"""Find the scope of a segment: the loop it begins, or everything that an HL holds.

Source: fields-and-mapping.md section 4 (``>``, ``>>`` and ``:``).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from functools import cached_property
from typing import Final

from longshore.mapping.segments import Segments
from longshore.mapping.source import MAX_VALUES, too_many_values
from longshore.x12.dictionary.model import Definition
from longshore.x12.loops.placement import Placement
from longshore.x12.loops.slots import HL, Body, Slot
from longshore.x12.loops.table import DETAIL_TRIGGERS, table_of
from longshore.x12.segment_table import KNOWN_SEGMENTS

_SUMMARY: Final = ("CTT", "TDS", "PLB", "W76", "W03")


# Segments from an index to another, exclusive.
Span = tuple[int, int]


class Scopes:
    """The scopes of the segments of one set.

    Args:
        segments: The segments of the set.
        definition: Returns the definition of the set; called on first use.
    """

    def __init__(self, segments: Segments, definition: Callable[[], Definition | None]) -> None:
        self.is_guessed = False
        """A scope was searched that no definition determines."""
        self._segments = segments
        self._definition = definition
        self._visits = 0
        self._spans: dict[int, Span] = {}
        self._guesses: set[int] = set()  # the parents whose spans are guessed
        self._late: dict[int, Slot] = {}  # by segment that comes too late, where it should be
        self._is_within: dict[tuple[Slot, Slot], bool] = {}

    def outermost(self, segment_id: str) -> list[int]:
        """Return the segments of an id that are in no loop, or begin a loop that is in none."""
        places = self._segments.by_id.get(segment_id, [])
        slots = self._slots
        if not slots:
            self.is_guessed = bool(places)
            return places
        return [at for at in places if (body := self._body(at)) is not None and not body.depth]

    def direct(self, parent: int, segment_id: str) -> list[int]:
        """Return the segments of an id that are in the loop of ``parent`` and in none inside it.

        A level (HL) directly in another is its child. A segment that comes too late is in the loop
        in which it should have come.
        """
        found = self.found(parent, segment_id, is_deep=False)
        slots = self._slots
        if not found or segment_id == HL or not slots:
            self.is_guessed = self.is_guessed or bool(found and not slots)
            return found
        opener = slots[parent]
        if opener is None:
            return found
        return [at for at in found if self._body(at) is opener.inner]

    def found(self, parent: int, segment_id: str, *, is_deep: bool) -> list[int]:
        """Return the indexes of the segments of one id in the scope of another segment, in order.

        Args:
            parent: The index of the segment whose scope is searched.
            segment_id: The id of the segments to find.
            is_deep: Search all levels below an HL, not only its own.
        """
        is_level = self._segments.tags[parent] == HL
        if is_level and segment_id == HL:
            return self._below(parent) if is_deep else self._children.get(parent, [])
        places = self._segments.by_id.get(segment_id, [])
        if not (is_level and is_deep):
            return self._within(parent, places)
        levels = sorted((parent, *self._below(parent)))
        return [at for level in levels for at in self._within(level, places)]

    def _within(self, parent: int, places: list[int]) -> list[int]:
        """Return those of the segments that a segment holds itself."""
        first, last = self._span(parent)
        return places[bisect_left(places, first) : bisect_left(places, last)]

    def _span(self, parent: int) -> Span:
        """Return what a segment holds itself: of an HL what it owns, else its loop."""
        if parent not in self._spans:
            is_level = self._segments.tags[parent] == HL
            self._spans[parent] = self._own(parent) if is_level else self._loop(parent)
        self.is_guessed = self.is_guessed or parent in self._guesses
        return self._spans[parent]

    # ---- levels -------------------------------------------------------------------------------

    @cached_property
    def _children(self) -> dict[int, list[int]]:
        """By HL segment, those whose HL02 is its HL01; each after its parent, so no circles."""
        children: dict[int, list[int]] = {}
        by_number: dict[str, int] = {}
        for at in self._segments.by_id.get(HL, ()):
            row = [*self._segments.row(at), "", ""]
            if row[2] in by_number:
                children.setdefault(by_number[row[2]], []).append(at)
            if row[1]:
                by_number[row[1]] = at
        return children

    def _below(self, parent: int) -> list[int]:
        """Return all levels below an HL, in order.

        Raises:
            too_many_values: A LongshoreError limit_exceeded; levels nest too deep for the rules.
        """
        found: list[int] = []
        waiting = [parent]
        while waiting:
            children = self._children.get(waiting.pop(), ())
            found += children
            waiting += children
        self._visits += len(found)
        if self._visits > MAX_VALUES:
            raise too_many_values()
        return sorted(found)

    def _own(self, level: int) -> Span:
        """Return what an HL owns directly: up to the next one, or the summary.

        What the definition has inside the level is no summary, such as TDS in an 857.
        """
        slots, ends = self._slots, (HL, *_SUMMARY)
        slot = slots[level] if slots else None
        end = self._next(level, ends)
        while slot is not None and end < len(slots) and self._segments.tags[end] != HL:
            if slots[end] is None or not self._belongs(slots[end], slot):
                break
            end = self._next(end, ends)
        return level + 1, end

    # ---- loops --------------------------------------------------------------------------------

    def _loop(self, trigger: int) -> Span:
        """Return the rest of the loop that a segment begins; nothing if it begins none."""
        slots = self._slots
        slot = slots[trigger] if slots else None
        if slot is None:
            self._guesses.add(trigger)
            tag = self._segments.tags[trigger]
            triggers = () if tag in DETAIL_TRIGGERS else DETAIL_TRIGGERS
            return trigger + 1, self._next(trigger, (tag, *_SUMMARY, *triggers))
        end = trigger + 1
        if slot.inner is None:
            return end, end
        while end < len(slots) and self._belongs(slots[end], slot):
            end += 1
        return trigger + 1, end

    def _next(self, start: int, ids: tuple[str, ...]) -> int:
        """Return the index of the next segment with one of these ids, or the end."""
        places = (self._segments.by_id.get(each, ()) for each in ids)
        following = (
            each[at] for each in places if (at := bisect_left(each, start + 1)) < len(each)
        )
        return min(following, default=len(self._segments.tags))

    def _belongs(self, slot: Slot | None, trigger: Slot) -> bool:
        """Return whether a segment is in the loop that last began with ``trigger``.

        One without a place is in the loop before it.
        """
        if slot is None:
            return True
        known = self._is_within.get((slot, trigger))
        if known is None:
            body: Body | None = slot.body
            while body is not None and body is not trigger.inner:
                body = body.opener.body if body.opener is not None else None
            known = self._is_within[slot, trigger] = body is not None
        return known

    @cached_property
    def _slots(self) -> list[Slot | None]:
        """The slot of each segment in the definition; empty without a definition."""
        definition = self._definition()
        if definition is None or not self._segments.tags:
            return []
        segments = self._segments
        placement = Placement(table_of(definition), segments.marks[0], KNOWN_SEGMENTS)
        rows = [segments.plain_row(at) for at in range(len(segments.tags))]
        slots: list[Slot | None] = [*placement.place_all(rows)]
        for row in rows[len(slots) :]:
            cursor = placement.locate(row)
            if cursor.slot is not None and not cursor.has_place and not placement.is_astray:
                self._late[len(slots)] = cursor.slot
            slots.append(cursor.slot if cursor.has_place else None)
        return slots

    def _body(self, at: int) -> Body | None:
        """Return the body of the definition that a segment is in; None if it has no place."""
        slot = self._slots[at] or self._late.get(at)
        return None if slot is None else slot.body
