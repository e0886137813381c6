"""The state of a set while its segments are placed: open loops, counts, pending slots, faults."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from longshore.x12.delimiters import Delimiters
from longshore.x12.dictionary.model import STANDARD
from longshore.x12.loops.faults import LoopFaultKind, LoopStep, StructureFault
from longshore.x12.loops.levels import Levels
from longshore.x12.loops.moves import Cursor, LoopTarget, OpenLoop, open_loops
from longshore.x12.loops.slots import HL, SUBSTITUTE, USE, Body, Slot
from longshore.x12.loops.table import LoopTable


class PendingSlot(NamedTuple):
    """A required slot that was passed, and the position of the segment that passed it."""

    slot: Slot
    position: int
    instead: StructureFault | None = None
    """The fault to report, should the slot be filled yet."""


class SetState:
    """The state of one transaction set."""

    def __init__(self, table: LoopTable, delimiters: Delimiters) -> None:
        self.table = table
        self.delimiters = delimiters
        self.faults: list[StructureFault] = []
        self.position = 1
        """The position of the last segment, ST = 1."""
        self.slot = table.start
        """The slot of the last segment that was in order."""
        self.above: list[Cursor] = []
        """Cursors of segments found out of order since."""
        self.counts = [0] * table.size
        """By slot number, see ``Slot``."""
        self.firsts: dict[int, tuple[int, str]] = {}
        """By slot number, position and id of the first segment that filled it; only of slots that
        are filled (``counts``) does it concern what is open."""
        self.levels = Levels(has_nested=table.has_nested_levels)
        self.pending_depth = 0
        """The depth of the innermost body with a pending slot; 0 if all can wait until the set
        ends."""
        self.is_late = False
        """The last segment begins no loop and its position has passed."""
        self._pending: dict[int, PendingSlot] = {}

    @property
    def has_recovered(self) -> bool:
        """True if a segment is out of order or a slot is pending."""
        return bool(self.above or self._pending)

    @property
    def cursors(self) -> list[Cursor]:
        """All cursors, the true position first."""
        return [Cursor(self.slot), *self.above]

    @property
    def placed(self) -> Slot:
        """The slot of the last segment in an open loop, or of ST."""
        last = self.slot
        for cursor in self.above:
            if cursor.is_astray:
                break
            last = cursor.slot
        return last

    @property
    def is_astray(self) -> bool:
        """True if the last segment is in a misplaced loop."""
        return any(cursor.is_astray for cursor in self.above)

    @property
    def has_place(self) -> bool:
        """True if the last segment is in order, or at least in an open loop."""
        return not self.is_late and not self.is_astray

    @property
    def pending_positions(self) -> frozenset[int]:
        """Positions of the segments that passed a pending slot."""
        return frozenset(pending.position for pending in self._pending.values())

    def is_filled(self, slot: Slot) -> bool:
        """Return whether a segment, or one in its stead, fills ``slot``."""
        return self.counts[slot.number] > 0

    def is_pending(self, slot: Slot) -> bool:
        """Return whether ``slot`` was passed though required."""
        return slot.number in self._pending

    def has_room(self, slot: Slot) -> bool:
        """Return whether ``slot`` may be filled once more."""
        return self.counts[slot.number] + USE <= slot.ceiling

    def path(self, slot: Slot) -> tuple[LoopStep, ...]:
        """Return the open loops around ``slot``, the one it begins included, outermost first."""
        steps = []
        opener = slot if slot.inner is not None else slot.body.opener
        while opener is not None and opener.loop is not None:
            number = (self.counts[opener.number] + SUBSTITUTE) // USE
            steps.append(LoopStep(opener.loop.id, number, opener.loop.label, opener.tag))
            opener = opener.body.opener
        return tuple(reversed(steps))

    def unplaced(self, kind: LoopFaultKind, tag: str) -> StructureFault:
        """Return the fault of the last segment, which has no place."""
        at = self.placed
        path = self.path(at)
        return StructureFault(kind, tag, self.position, at.loop_id, STANDARD, path)

    def add_pending(self, slot: Slot, instead: StructureFault) -> None:
        """Note that a segment of the loop ``slot`` has come, but not yet its trigger."""
        self._note_first(slot, instead.segment_id)
        self.counts[slot.number] |= SUBSTITUTE
        self._pending[slot.number] = PendingSlot(slot, self.position, instead)
        self._measure()

    def first_behind(self, slot: Slot) -> tuple[str, int]:
        """Return id and position of the first segment after the place of ``slot`` in its body.

        They are ``""`` and 0 if none is known.
        """
        behind = (
            self.firsts[each.number]
            for each in slot.body.slots
            if each.first > slot.first and self.counts[each.number]
        )
        position, tag = min(behind, default=(0, ""))
        return tag, position

    def go(self, target: LoopTarget) -> None:
        """Move to a slot ahead: close what ends, note what is skipped."""
        self.close(target.closed)
        for slot in target.skipped():
            if not self._is_made_up(slot):
                self._pending[slot.number] = PendingSlot(slot, self.position)
        height = target.frame.height
        if height:
            self.above[height - 1] = self.above[height - 1]._replace(slot=target.slot)
            del self.above[height:]
        else:
            self.slot = target.slot
            self.above.clear()

    def close(self, closed: Iterable[OpenLoop]) -> None:
        """Report what is missing in bodies that end."""
        for frame in closed:
            if frame.is_floor:
                continue
            self._report_pending(frame.body)
            for slot in () if self.counts[frame.body.mark] else frame.required():
                if not self._is_made_up(slot):
                    self.missing(slot, self.position)

    def close_all(self) -> None:
        """Report what is missing in every body that is open."""
        self.close(open_loops(self.cursors))

    def fill(self, slot: Slot, row: list[str]) -> None:
        """Count a segment, begin its loop, check the parent of an HL."""
        self._note_first(slot, slot.tag)
        self.counts[slot.number] += USE
        pending = self._pending.pop(slot.number, None)
        if pending is not None and pending.instead is not None:
            self.counts[slot.number] -= SUBSTITUTE
            self.faults.append(pending.instead)
        self.begin(slot)
        self._measure()
        if slot.tag == HL:
            self.level(slot, row)
            self.levels.add(row, slot)

    def fill_with_substitute(self, slot: Slot, row: list[str]) -> None:
        """Count a segment whose code is not the one of ``slot``, and begin its loop."""
        self._note_first(slot, slot.tag)
        self.counts[slot.number] |= SUBSTITUTE
        if slot.inner is not None:
            self.begin(slot)
            self.counts[slot.inner.mark] = 1
        if slot.tag == HL:
            self.level(slot, row)
            self.levels.add(row, None)

    def _note_first(self, slot: Slot, segment_id: str) -> None:
        if not self.counts[slot.number]:
            self.firsts[slot.number] = self.position, segment_id

    def level(self, slot: Slot, row: list[str]) -> None:
        """Report an HL whose parent is wrong."""
        kind = self.levels.fault(row, slot)
        if kind is not None:
            path = self.path(slot)
            self.faults.append(
                StructureFault(kind, HL, self.position, slot.loop_id, STANDARD, path, 2)
            )

    def begin(self, slot: Slot) -> None:
        """Forget the counts of the body that begins with ``slot``."""
        first, length = slot.counts_within
        self.counts[first : first + length] = [0] * length

    def missing(self, slot: Slot, position: int) -> None:
        """Report that ``slot`` is not filled."""
        is_loop = slot.loop is not None
        self.faults.append(
            StructureFault(
                LoopFaultKind.LOOP_MISSING if is_loop else LoopFaultKind.SEGMENT_MISSING,
                slot.tag,
                position,
                slot.loop_id,
                STANDARD if self._is_required_by_standard(slot) else slot.node.layer,
                self.path(slot.body.opener) if slot.body.opener is not None else (),
            )
        )

    def _is_required_by_standard(self, slot: Slot) -> bool:
        """Return whether the standard demands ``slot`` too, and no other one fulfils its demand."""
        return slot.node.base_requirement == "M" and not any(
            other.base is slot.base and self.is_filled(other)
            for other in slot.body.by_tag[slot.tag]
        )

    def _report_pending(self, body: Body) -> None:
        for number, pending in list(self._pending.items()):
            if pending.slot.body is body:
                del self._pending[number]
                self.missing(pending.slot, pending.position)

    def _is_made_up(self, slot: Slot) -> bool:
        """Return whether ``slot`` is filled, if only by a segment whose code is not allowed.

        Such a segment counts for the slot it was placed in, or for a sibling once the right segment
        has come for that slot.
        """
        if self.is_filled(slot):
            return True
        for other in slot.body.by_tag[slot.tag]:
            count = self.counts[other.number]
            if other.first == slot.first and count > USE and count % USE == SUBSTITUTE:
                self.counts[other.number] -= SUBSTITUTE
                return True
        return False

    def _measure(self) -> None:
        """Recompute ``pending_depth``; a pending loop counts one level deeper."""
        pending = self._pending.values()
        depths = (each.slot.body.depth + (each.instead is not None) for each in pending)
        self.pending_depth = max(depths, default=0)
