"""Place segments without counting: an automaton whose states are made on demand.

Theory. The segments that may follow depend on the slot of the last segment and on the number of
uses of the slots that are still within reach: those of the same run of siblings, in each open body.
Real documents have few such states, so each state is made once and remembers its successors; then a
segment costs one look-up. Counting more than ``MAX_COUNTED`` uses would make too many states: a
slot that may be used more often counts as used or not, and the caller adds up its uses.

The automaton accepts only segments that are in order. Where it has no next state, ``placement``
counts.

Source: docs/reference/dictionary.md section 8, steps 1 to 3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from longshore.x12.delimiters import Delimiters
from longshore.x12.loops.moves import at_end, find_move
from longshore.x12.loops.slots import SUBSTITUTE, USE, Body, Choice, Move, Slot, code_of
from longshore.x12.loops.table import MAX_TABLES, LoopTable

MAX_STATES: Final = 4096  # of a definition; then they are forgotten, to bound memory
MAX_COUNTED: Final = 30
_MAX_SHAPES: Final = 1024
_MAX_IN_SHAPE: Final = 200  # segments
_MAX_COUNTED_CEILING: Final = USE * MAX_COUNTED + SUBSTITUTE


class AutomatonState(dict[str, "AutomatonState"]):
    """A state of a set, and its successors by segment id.

    Raises:
        KeyError: On look-up, if no segment of that id or code may follow.
    """

    __slots__ = ("_automaton", "can_end", "choice", "counts", "slot")

    def __init__(
        self,
        automaton: Automaton,
        slot: Slot,
        counts: Mapping[int, int],
        choice: Choice | None = None,
    ) -> None:
        super().__init__()
        self._automaton = automaton
        self.slot = slot
        self.counts = counts
        """The uses of the slots within reach, by number."""
        self.choice = choice
        """None; else a code decides, and it is by code that states follow."""
        self.can_end = all(number in counts for number in at_end(slot))
        """SE may follow."""

    def chosen(self, row: list[str], delimiters: Delimiters) -> AutomatonState:
        """Return the state that follows by the code of a segment.

        Raises:
            KeyError: None is for its code.
        """
        assert self.choice is not None  # the caller has tested it
        position = self.choice.position
        if position and position < len(row):
            return self[row[position]]
        return self[code_of(row, self.choice.when, delimiters)]

    def __missing__(self, key: str) -> AutomatonState:
        if self.choice is None:
            self[key] = found = self._after_tag(key)
            return found
        move = self.choice.by_code.get(key)
        if move is not None:
            self[key] = found = self._automaton.after(self, move)
            return found
        if self.choice.otherwise is None:
            raise KeyError(key)
        return self._automaton.after(
            self, self.choice.otherwise
        )  # not stored: there is no limit on codes

    def _after_tag(self, tag: str) -> AutomatonState:
        step = self.slot.moves.get(tag) or self.slot.choices.get(tag) or find_move(self.slot, tag)
        if step is None:
            raise KeyError(tag)
        if isinstance(step, Choice):
            return AutomatonState(self._automaton, self.slot, self.counts, step)
        return self._automaton.after(self, step)


class Automaton:
    """The states of one definition."""

    def __init__(self, start: Slot) -> None:
        self._states: dict[tuple[int, tuple[tuple[int, int], ...]], AutomatonState] = {}
        self.start = AutomatonState(self, start, {})
        """Behind ST."""
        assert start.inner is not None  # the body of the set
        self._shapes: dict[tuple[str, ...], list[Slot]] = {}
        self._deciding = frozenset(_deciding(start.inner))
        self.limited = frozenset(_limited(start.inner))
        """The slots with a maximum that the states do not count."""
        self.least_maximum = min((slot.node.maximum for slot in self.limited), default=0)
        """The smallest of theirs, 0 where there is none."""

    def follow(
        self, at: AutomatonState, rows: Sequence[list[str]], delimiters: Delimiters
    ) -> tuple[list[Slot], AutomatonState]:
        """Return the slots of segments up to the first that has no place, and the last state."""
        slots: list[Slot] = []
        try:
            for row in rows:
                state = at[row[0]]
                if state.choice is not None:
                    state = state.chosen(row, delimiters)
                slots.append(state.slot)
                at = state
        except KeyError:
            pass
        return slots, at

    def slots_of(
        self, rows: Sequence[list[str]], tags: list[str], delimiters: Delimiters
    ) -> list[Slot] | None:
        """Return the slots of the segments of a whole set, or None unless all have a place.

        Where no code decides, sets with the same segment ids have the same slots. A sender writes
        many sets of one shape, so shapes are cached.
        """
        shape = tuple(tags)
        known = self._shapes.get(shape)
        if known is not None:
            return known
        slots, at = self.follow(self.start, rows, delimiters)
        if len(slots) < len(rows) or not at.can_end:
            return None
        if len(tags) <= _MAX_IN_SHAPE and self._deciding.isdisjoint(tags):
            if len(self._shapes) >= _MAX_SHAPES:
                self._shapes.clear()
            self._shapes[shape] = slots
        return slots

    def is_in_excess(self, uses: Counter[Slot]) -> bool:
        """Return whether a slot was used more often than its maximum, whatever loop it is in."""
        return any(count > slot.node.maximum for slot, count in uses.items())

    def after(self, state: AutomatonState, move: Move) -> AutomatonState:
        """Return the state after a move.

        Raises:
            KeyError: The move exceeds a maximum, or leaves out a required segment.
        """
        counts, slot = state.counts, move.slot
        count = counts.get(move.number, 0) + USE
        if count > move.ceiling or not all(number in counts for number in move.must):
            raise KeyError(slot.tag)
        if is_uncounted(slot):
            count = USE
        kept = {**_within_reach(slot, counts), move.number: count}
        key = (move.number, tuple(sorted(kept.items())))
        found = self._states.get(key)
        if found is None:
            if len(self._states) >= MAX_STATES:
                self._states.clear()
                self.start.clear()
            found = self._states[key] = AutomatonState(self, slot, kept)
        return found


@lru_cache(maxsize=MAX_TABLES)
def automaton_of(table: LoopTable) -> Automaton:
    """Return the automaton of a definition, from a cache."""
    return Automaton(table.start)


def is_uncounted(slot: Slot) -> bool:
    """Return whether states do not count the uses of a slot."""
    return slot.ceiling > _MAX_COUNTED_CEILING


def _limited(body: Body) -> Iterator[Slot]:
    for slot in body.slots:
        if is_uncounted(slot) and slot.node.maximum:
            yield slot
        if slot.inner is not None:
            yield from _limited(slot.inner)


def _deciding(body: Body) -> Iterator[str]:
    """Yield the segment ids of slots that a code decides."""
    for slot in body.slots:
        if slot.when is not None:
            yield slot.tag
        if slot.inner is not None:
            yield from _deciding(slot.inner)


def _within_reach(slot: Slot, counts: Mapping[int, int]) -> dict[int, int]:
    """Return the counts of the run of siblings of a slot, and of those around it."""
    found: dict[int, int] = {}
    at: Slot | None = slot
    while at is not None:
        for each in at.body.slots[at.first :]:
            if each.first != at.first:
                break
            if each.number in counts:
                found[each.number] = counts[each.number]
        at = at.body.opener
    return found
