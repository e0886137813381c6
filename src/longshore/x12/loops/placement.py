"""The segments of one transaction set, each to its slot.

Theory. In a document without structure faults the slot of the last segment tells what is open, so
the next step is one look-up by segment id (and code, where a condition decides), learned when it
is first needed; then a count is compared with its ceiling. Whatever that does not settle is left,
untouched, to the slow way in ``recovery``.

Source: docs/reference/dictionary.md section 6.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import NamedTuple

from longshore.x12.delimiters import Delimiters
from longshore.x12.loops.faults import LoopStep, StructureFault
from longshore.x12.loops.moves import at_end, learn
from longshore.x12.loops.recovery import Recovery
from longshore.x12.loops.slots import USE, Choice, Move, Slot
from longshore.x12.loops.state import SetState
from longshore.x12.loops.table import Table


class Standing(NamedTuple):
    """Where a segment stands.

    ``loop_id``: the innermost open loop, else ``heading`` or ``summary``. ``path``: the open loops,
    outermost first. ``slot``: what judges it, if anything. ``has_place``: it belongs there.
    """

    loop_id: str
    path: tuple[LoopStep, ...]
    slot: Slot | None
    has_place: bool


class Placement:
    """Places the segments between ST and SE of one set, in order.

    ``known_ids``: the segment ids of the dictionary; others are reported as unknown.
    """

    def __init__(self, table: Table, delimiters: Delimiters, known_ids: Container[str]) -> None:
        self._state = SetState(table, delimiters)
        self._known_ids = known_ids

    @property
    def faults(self) -> list[StructureFault]:
        """The faults so far, in the order in which they became certain; it may be emptied."""
        return self._state.faults

    @property
    def position(self) -> int:
        """The position in the set of the last segment placed; 1 before the first."""
        return self._state.position

    @property
    def owed_positions(self) -> frozenset[int]:
        """Positions before the last segment at which a fault may yet be reported."""
        return self._state.owed_positions

    @property
    def is_astray(self) -> bool:
        """Whether the last segment fits only into a loop that has no place where it stands."""
        return self._state.is_astray

    @property
    def loop_id(self) -> str:
        """The innermost loop the last segment stands in, else ``heading`` or ``summary``."""
        return self._state.placed.loop_id

    def path(self) -> tuple[LoopStep, ...]:
        """Return the loops the last segment stands in, outermost first."""
        return self._state.path(self._state.placed)

    def place(self, row: list[str]) -> Slot | None:
        """Place one segment; None if it has no place.

        A segment in a loop that has no place itself (``is_astray``) has a slot, so that its
        elements can be judged.
        """
        self._state.is_late = False
        placed = self.place_all((row,))
        if placed:
            return placed[0]
        self._state.position += 1
        return Recovery(self._state, self._known_ids).place(row)

    def stand(self, row: list[str]) -> Standing:
        """Place one segment and tell where it stands."""
        slot, at = self.place(row), self._state.placed
        has_place = slot is not None and self._state.has_place
        return Standing(at.loop_id, self._state.path(at), slot, has_place)

    def place_all(self, rows: Iterable[list[str]]) -> list[Slot]:
        """Place segments up to the first one that is at fault or needs a closer look.

        Only the rows that are placed, and the one behind them, are taken from an iterator.
        Returns the slots of those that were placed; the next row is for ``place``.
        """
        state = self._state
        placed: list[Slot] = []
        if state.above:
            return placed
        counts, slot, owed_depth = state.counts, state.slot, state.owed_depth
        for row in rows:
            move = slot.moves.get(row[0])
            if move is None:
                choice = slot.choices.get(row[0])
                if choice is not None and choice.position and choice.position < len(row):
                    move = choice.by_code.get(row[choice.position], choice.otherwise)
                else:
                    move = self._chosen(slot, row)
                if move is None:
                    break
            count = counts[move.number] + USE
            if count > move.ceiling or move.depth < owed_depth:
                break
            if move.must and not all(map(counts.__getitem__, move.must)):
                break
            if move.is_level and not state.levels.enter(row, move.slot):
                break
            counts[move.number] = count
            if move.blank is not None:
                counts[move.blank_from : move.blank_to] = move.blank
            slot = move.slot
            placed.append(slot)
        state.slot = slot
        state.position += len(placed)
        return placed

    def finish(self) -> None:
        """Report what is missing where SE stands."""
        state = self._state
        state.position += 1
        must = at_end(state.slot)
        if state.has_recovered or not all(map(state.counts.__getitem__, must)):
            state.close_all()

    def _chosen(self, slot: Slot, row: list[str]) -> Move | None:
        choice: Choice | Move | None = slot.choices.get(row[0])
        if choice is None:
            choice = learn(slot, row[0])
        if isinstance(choice, Choice):
            return choice.move(row, self._state.delimiters)
        return choice
