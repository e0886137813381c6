"""Place the segments of one transaction set, each in its slot.

Theory. The ``automaton`` follows a set first. It knows which segments may come next and counts few
of them. Where it has no next state, the uses of all slots so far are counted. From then on the slot
of the last segment determines which loops are open, so the next step is one look-up by segment id
(and by code, where a condition decides), computed when it is first needed; then a count is compared
with its maximum. ``recovery``, the slow path, places every segment that this does not.

Source: docs/reference/dictionary.md section 8.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from typing import NamedTuple

from longshore.x12.delimiters import Delimiters
from longshore.x12.loops.automaton import AutomatonState, automaton_of
from longshore.x12.loops.faults import LoopStep, StructureFault
from longshore.x12.loops.levels import Levels
from longshore.x12.loops.moves import at_end, find_move
from longshore.x12.loops.recovery import Recovery
from longshore.x12.loops.slots import HL, USE, Choice, Move, Slot
from longshore.x12.loops.state import SetState
from longshore.x12.loops.table import LoopTable


class SetCursor(NamedTuple):
    """The position of a segment in its definition."""

    loop_id: str
    """The innermost open loop, else ``heading`` or ``summary``."""
    path: tuple[LoopStep, ...]
    """The open loops, outermost first."""
    slot: Slot | None
    """The slot of the segment, if it has one."""
    has_place: bool
    """The segment is allowed at this position."""


class Placement:
    """Places the segments between ST and SE of one set, in order.

    Args:
        known_ids: The segment ids of the dictionary; others are reported as unknown.
    """

    def __init__(self, table: LoopTable, delimiters: Delimiters, known_ids: Container[str]) -> None:
        self._table = table
        self._delimiters = delimiters
        self._known_ids = known_ids
        self._levels: Levels | None = None
        self._automaton = automaton_of(table)
        self._at: AutomatonState | None = self._automaton.start  # None: the track has been left
        self._followed: list[Slot] = []
        self._limited: Counter[Slot] | None = None  # uses of slots that the track does not count
        self._counted: SetState | None = None
        self._has_ended = False

    @property
    def _state(self) -> SetState:
        """The state of the set; reading it leaves the automaton."""
        if self._counted is None:
            self._counted = self._count()
            self._at = None
        return self._counted

    def _count(self) -> SetState:
        """Return the state that the segments followed so far lead to, all uses counted."""
        state = SetState(self._table, self._delimiters)
        state.levels = self._levels or state.levels
        state.position += len(self._followed)
        for position, slot in enumerate(self._followed, 2):
            state.slot = slot
            if not state.counts[slot.number]:
                state.firsts[slot.number] = position, slot.tag
            state.counts[slot.number] += USE
            state.begin(slot)
        return state

    @property
    def faults(self) -> list[StructureFault]:
        """The faults so far, in the order in which they became certain; it may be emptied."""
        return [] if self._counted is None else self._counted.faults

    @property
    def position(self) -> int:
        """The position in the set of the last segment placed; 1 before the first."""
        if self._counted is None:
            return 1 + len(self._followed) + self._has_ended
        return self._counted.position

    @property
    def pending_positions(self) -> frozenset[int]:
        """Positions before the last segment at which a fault may yet be reported."""
        return self._state.pending_positions

    @property
    def slots_in_order(self) -> list[Slot]:
        """The slots of all segments of a set that has ended, if all were in order; else none."""
        return self._followed if self._has_ended else []

    @property
    def is_astray(self) -> bool:
        """True if the last segment fits only into a loop that is misplaced."""
        return self._state.is_astray

    @property
    def loop_id(self) -> str:
        """The innermost loop of the last segment, else ``heading`` or ``summary``."""
        return self._state.placed.loop_id

    def path(self) -> tuple[LoopStep, ...]:
        """Return the loops around the last segment, outermost first."""
        return self._state.path(self._state.placed)

    def place(self, row: list[str]) -> Slot | None:
        """Place one segment; return its slot, or None if it has no place.

        A segment in a misplaced loop (``is_astray``) has a slot, so that its elements can be
        checked.
        """
        self._state.is_late = False
        placed = self._place_counted(self._state, (row,))
        if placed:
            return placed[0]
        self._state.position += 1
        return Recovery(self._state, self._known_ids).place(row)

    def pass_over(self) -> None:
        """Count a segment that is in the set but does not belong to it."""
        self._state.position += 1

    def locate(self, row: list[str]) -> SetCursor:
        """Place one segment and return its cursor."""
        slot, at = self.place(row), self._state.placed
        has_place = slot is not None and self._state.has_place
        return SetCursor(at.loop_id, self._state.path(at), slot, has_place)

    def place_all(self, rows: Sequence[list[str]]) -> list[Slot]:
        """Place segments up to the first one with a possible fault; ``place`` takes that one.

        Returns:
            The slots of the segments that were placed.
        """
        if self._at is not None:
            placed = self._follow(self._at, rows)
            if placed is not None:
                return placed
        return self._place_counted(self._state, rows)

    def _follow(self, at: AutomatonState, rows: Sequence[list[str]]) -> list[Slot] | None:
        """Place segments on the track; None where all uses have to be counted to be sure."""
        slots, at = self._automaton.follow(at, rows, self._delimiters)
        if self._is_in_excess(slots):
            return None
        if HL in self._table.everywhere:
            self._enter_levels(rows, slots)
        self._followed += slots
        self._at = at if len(slots) == len(rows) else None
        return slots

    def _is_in_excess(self, slots: list[Slot]) -> bool:
        """Return whether a slot may have been used too often that the track does not count."""
        least = self._automaton.least_maximum
        if not least or len(self._followed) + len(slots) <= least:
            return False
        is_limited = self._automaton.limited.__contains__
        if self._limited is None:
            self._limited = Counter(filter(is_limited, self._followed))
        self._limited.update(filter(is_limited, slots))
        return self._automaton.is_in_excess(self._limited)

    def _enter_levels(self, rows: Sequence[list[str]], slots: list[Slot]) -> None:
        """Note the HL segments; cut ``slots`` at one whose parent is wrong."""
        if self._levels is None:
            self._levels = Levels(has_nested=self._table.has_nested_levels)
        del slots[_entered(self._levels, rows, slots) :]

    def _place_counted(self, state: SetState, rows: Sequence[list[str]]) -> list[Slot]:
        placed: list[Slot] = []
        if state.above:
            return placed
        counts, slot, pending_depth = state.counts, state.slot, state.pending_depth
        for row in rows:
            move = slot.moves.get(row[0]) or self._chosen(slot, row)
            if move is None:
                break
            count = counts[move.number] + USE
            if count > move.ceiling or move.depth < pending_depth:
                break
            if move.must and not all(map(counts.__getitem__, move.must)):
                break
            if move.is_level and not state.levels.enter(row, move.slot):
                break
            if count == USE:
                state.firsts[move.number] = state.position + len(placed) + 1, move.slot.tag
            counts[move.number] = count
            if move.blank is not None:
                counts[move.blank_from : move.blank_to] = move.blank
            slot = move.slot
            placed.append(slot)
        state.slot = slot
        state.position += len(placed)
        return placed

    def finish(self) -> None:
        """Report the segments that are missing at SE."""
        if self._at is not None and self._at.can_end:
            self._has_ended = True
            return
        state = self._state
        state.position += 1
        must = at_end(state.slot)
        if state.has_recovered or not all(map(state.counts.__getitem__, must)):
            state.close_all()

    def _chosen(self, slot: Slot, row: list[str]) -> Move | None:
        choice = slot.choices.get(row[0])
        if choice is not None and choice.position and choice.position < len(row):
            return choice.by_code.get(row[choice.position], choice.otherwise)
        if row[0] not in self._table.everywhere:
            return None
        step: Choice | Move | None = choice or find_move(slot, row[0])
        return step.move(row, self._state.delimiters) if isinstance(step, Choice) else step


def slots_in_order(
    table: LoopTable, delimiters: Delimiters, rows: Sequence[list[str]], tags: list[str]
) -> list[Slot] | None:
    """Return the slots of the segments between ST and SE, or None unless all are in order.

    The list is shared and must not be changed.

    Args:
        table: The compiled definition.
        delimiters: The separators in force.
        rows: The segments.
        tags: Their ids.
    """
    automaton = automaton_of(table)
    slots = automaton.slots_of(rows, tags, delimiters)
    if slots is None:
        return None
    is_limited = automaton.limited.__contains__
    is_long = len(slots) > automaton.least_maximum > 0
    if is_long and automaton.is_in_excess(Counter(filter(is_limited, slots))):
        return None
    if HL in table.everywhere:
        levels = Levels(has_nested=table.has_nested_levels)
        if _entered(levels, rows, slots) < len(slots):
            return None
    return slots


def _entered(levels: Levels, rows: Sequence[list[str]], slots: list[Slot]) -> int:
    """Note the HL segments; return the index of the first whose parent is wrong, else the end."""
    for index in [index for index, slot in enumerate(slots) if slot.tag == HL]:
        if not levels.enter(rows[index], slots[index]):
            return index
    return len(slots)
