"""Place segments that the fast path cannot place, with a fault, so that the set continues.

Theory. A fault must not make the segments after it look wrong. So the position that a set has
reached is never moved back: a segment out of order gets a cursor of its own above it, from which
the following segments may continue, up to the position it came from. It need not be decided whether
that segment is late or those before it are early. A required segment that was passed is pending,
and is reported as missing only when its loop ends without it. A segment of a loop that is not open
begins that loop astray, and the segments after it that fit there belong to it, unless the set is
waiting for them.

Source: docs/reference/dictionary.md section 8, step 4; x12.md section 2.4.
"""

from __future__ import annotations

from collections.abc import Container

from longshore.x12.dictionary.model import STANDARD, Loop
from longshore.x12.loops.faults import LoopFaultKind, StructureFault
from longshore.x12.loops.moves import Cursor, LoopTarget, OpenLoop, open_loops, passed, targets
from longshore.x12.loops.slots import HL, USE, Body, Slot, holds
from longshore.x12.loops.state import SetState


class Recovery:
    """Finds the place, or the fault, of one segment."""

    def __init__(self, state: SetState, known_ids: Container[str]) -> None:
        self._state = state
        self._known_ids = known_ids
        self._around: list[OpenLoop] = []  # the open bodies, when the segment came

    def place(self, row: list[str]) -> Slot | None:
        """Place a segment on the slow path; None if it has no place."""
        tag = row[0]
        if tag not in self._state.table.everywhere:
            is_known = tag in self._known_ids
            self._unplaced(LoopFaultKind.NOT_IN_SET if is_known else LoopFaultKind.UNKNOWN_ID, tag)
            return None
        self._around = [*open_loops(self._state.cursors)]
        ahead = [each for each in targets(self._around, tag) if self._holds(each.slot, row)]
        ahead = [each for each in ahead if self._is_child(each.slot, row)] or ahead
        return (
            self._ahead(ahead, row)
            or self._excess(ahead, row)
            or self._late(row, is_exact=True)
            or self._without_trigger(row, is_exact=True)
            or self._wrong_code(row)
            or self._late(row, is_exact=False)
            or self._without_trigger(row, is_exact=False)
            or self._astray(row)
        )

    def _is_child(self, slot: Slot, row: list[str]) -> bool:
        """Return whether a segment is an HL whose HL02 names the level that ``slot`` is in.

        A level that several others may hold is thereby placed in the one it names.
        """
        return slot.tag == HL and self._state.levels.is_parent(row, slot)

    def _ahead(self, ahead: list[LoopTarget], row: list[str]) -> Slot | None:
        """Place a segment in the first of several slots that has room.

        Args:
            ahead: The slots.
            row: The segment.
        """
        found = [target for target in ahead if self._state.has_room(target.slot)]
        if not found:
            return None
        target = found[0]
        if target.frame.height:
            target = next(filter(self._is_awaited, found), target)
        return self._go(target, row)

    def _is_awaited(self, target: LoopTarget) -> bool:
        """Return whether the set, at its true position, waits for this segment."""
        slot = target.slot
        return (
            target.frame.height == 0
            and slot.is_required
            and not self._state.is_filled(slot)
            and all(map(self._state.is_filled, target.skipped()))
        )

    def _excess(self, ahead: list[LoopTarget], row: list[str]) -> Slot | None:
        """Place a segment that would be right, were there not enough of them."""
        if not ahead:
            return None
        target = ahead[0]
        if self._has_lost_trigger(target):
            assert target.frame.body.opener is not None  # it is a loop
            self._begin_next(target.frame.body.opener)
            return self._go(target, row)
        slot = self._go(target, row)
        self._report_excess(slot)
        return slot

    def _has_lost_trigger(self, target: LoopTarget) -> bool:
        """Return whether an iteration without trigger began with the segment that came too late.

        It did if that is what every iteration begins with, and was there, and if more of what was
        there comes again; provided that the loop may.
        """
        state, body = self._state, target.frame.body
        opener = body.opener
        if not state.above or opener is None or opener.loop is None:
            return False
        late = state.above[-1]
        return (
            late.floor is body
            and not late.is_astray
            and late.slot is next(body.required(0, len(body.slots)), None)
            and state.counts[late.slot.number] > late.slot.ceiling
            and state.has_room(opener)
            and not any(map(state.is_pending, body.slots))
        )

    def _begin_next(self, opener: Slot) -> None:
        """Begin the next iteration, whose late segment has been reported, with that segment."""
        state, late = self._state, self._state.above[-1].slot
        state.counts[opener.number] += USE
        state.begin(opener)
        state.counts[late.number] += USE
        state.firsts[late.number] = state.position - 1, late.tag

    def _report_excess(self, slot: Slot) -> None:
        node = slot.node
        is_loop = isinstance(node, Loop)
        count = self._state.counts[slot.number] // USE
        is_by_standard = 0 < node.base_maximum < count
        self._report(
            LoopFaultKind.LOOP_OVER_MAXIMUM if is_loop else LoopFaultKind.SEGMENT_OVER_MAXIMUM,
            slot,
            STANDARD if is_by_standard else node.layer,
            maximum=node.base_maximum if is_by_standard else node.maximum,
        )

    def _late(self, row: list[str], *, is_exact: bool) -> Slot | None:
        """Place a segment whose position has passed.

        Args:
            row: The segment.
            is_exact: Place it only if no condition on a code excludes it; the condition of a loop
                always does.
        """
        found = [
            target
            for target in passed(self._around, row[0])
            if self._holds(target.slot, row) or not (is_exact or target.slot.inner)
        ]
        if not found:
            return None
        body = found[0].frame.body
        found = [target for target in found if target.frame.body is body]
        target = max(found, key=self._need)
        layer = self._layer(row)
        behind = self._state.first_behind(target.slot)
        self._turn_back(target)
        self._state.fill(target.slot, row)
        self._state.is_late = target.slot.inner is None
        self._report(LoopFaultKind.OUT_OF_ORDER, target.slot, layer, behind=behind)
        return target.slot

    def _need(self, target: LoopTarget) -> int:
        """Rate how well a passed slot could do with a segment."""
        state = self._state
        return 2 * state.is_pending(target.slot) + state.has_room(target.slot)

    def _turn_back(self, target: LoopTarget) -> None:
        """Put a cursor at a passed slot, above the current one unless that is its own."""
        state, frame = self._state, target.frame
        height = frame.height
        if height and frame.is_floor:
            state.close(target.closed)
            del state.above[height:]
            state.above[height - 1] = state.above[height - 1]._replace(slot=target.slot)
            return
        self._drop(height, target.closed)
        state.above.append(Cursor(target.slot, frame.body, frame.start))

    def _drop(self, height: int, closed: tuple[OpenLoop, ...]) -> None:
        """Remove the cursors above one."""
        self._state.close(frame for frame in closed if frame.height > height)
        del self._state.above[height:]

    def _wrong_code(self, row: list[str]) -> Slot | None:
        """Place a segment whose code is not allowed at this position."""
        found = list(targets(self._around, row[0]))
        if not found:
            return None
        target = max(found, key=lambda each: self._fitness(each, found[0], row))
        if target.slot.inner is not None:
            self._state.go(target)
        self._state.fill_with_substitute(target.slot, row)
        when = target.slot.when
        assert when is not None  # it would fit otherwise
        allowed = tuple(
            value
            for each in found
            if each.frame.body is target.frame.body and each.slot.when is not None
            for value in each.slot.when.values
        )
        self._report(
            LoopFaultKind.QUALIFIER_NOT_ALLOWED,
            target.slot,
            target.slot.node.layer,
            element=when.position,
            component=when.component or 0,
            allowed=allowed,
        )
        return target.slot

    def _fitness(self, target: LoopTarget, nearest: LoopTarget, row: list[str]) -> tuple[bool, ...]:
        """Rate how well a slot fits a segment whose code is not allowed."""
        state, slot = self._state, target.slot
        is_near = target.frame is nearest.frame
        is_awaited = is_near and slot.is_required and not state.is_filled(slot)
        return self._is_child(slot, row), is_awaited, is_near and state.has_room(slot), is_near

    def _without_trigger(self, row: list[str], *, is_exact: bool) -> Slot | None:
        """Place a segment of a loop that is still to come and whose trigger is missing or late.

        Args:
            row: The segment.
            is_exact: Place it only if a condition on a code identifies the segment.
        """
        state = self._state
        for frame in self._around:
            for holder in () if frame.is_floor else frame.body.holders.get(row[0], ()):
                slot = self._match(_within(holder, row[0]), row)
                is_wanted = holder.is_required and not state.is_filled(holder)
                is_fit = slot is not None and not (is_exact and slot.when is None)
                if is_wanted and is_fit and holder.index >= frame.start:
                    assert slot is not None
                    fault = state.unplaced(LoopFaultKind.UNEXPECTED, row[0])
                    state.add_pending(holder, fault._replace(layer=self._layer(row)))
                    self._begin_astray(slot)
                    return slot
        return None

    def _astray(self, row: list[str]) -> Slot | None:
        """Report a segment that has no place, and begin the loop it belongs to."""
        state = self._state
        if row[0] == HL:
            state.levels.add(row, None)
        if self._unused(row):
            return None
        self._unplaced(LoopFaultKind.UNEXPECTED, row[0])
        slot = self._home(row)
        is_of_standard = slot.body.base is None and state.table.definition.base is not None
        if slot.body.depth and not is_of_standard:
            self._begin_astray(slot)
        elif slot.inner is not None:
            self._open_astray(slot, slot.inner)
        return None

    def _begin_astray(self, slot: Slot) -> None:
        """Begin the loop that a segment belongs to, without its trigger."""
        opener = slot.body.opener
        if opener is not None and opener.tag == HL:
            self._state.levels.add([HL], None)
        if slot.inner is not None:
            self._state.begin(slot)
        self._open_astray(slot, slot.body)

    def _unused(self, row: list[str]) -> bool:
        """Report a segment that the standard allows at this position and the guide does not.

        It is not reported in a loop whose trigger has a code that is not allowed.
        """
        state, found = self._state, self._in_standard(row)
        if found is None:
            return False
        body, slot = found
        if not state.counts[body.mark]:
            fault = state.unplaced(LoopFaultKind.NOT_USED, row[0])
            state.faults.append(fault._replace(layer=state.table.definition.layer))
        if slot.inner is not None:
            self._open_astray(slot, slot.inner)
        return True

    def _in_standard(self, row: list[str]) -> tuple[Body, Slot] | None:
        """Return the slot that the standard has for a segment here, and the guide's body around it.

        None without a guide, and where the standard has none either.
        """
        for body, at, *_ in self._around:
            if body.base is None:
                continue
            base = at.base if at is not None else None
            if base is not None and base.body is not body.base:
                continue  # a level in a level: in the standard the outer one has ended
            start = base.first if base is not None else 0
            ahead = [slot for slot in body.base.by_tag.get(row[0], ()) if slot.index >= start]
            slot = self._match(ahead, row)
            if slot is not None:
                return body, slot
        return None

    def _layer(self, row: list[str]) -> str:
        """Return the layer that forbids a segment here: the guide, if the standard allows it."""
        return STANDARD if self._in_standard(row) is None else self._state.table.definition.layer

    def _home(self, row: list[str]) -> Slot:
        """Return the slot a segment would have, best one in a loop near to those that are open."""
        near = [
            slot
            for frame in self._around
            for holder in frame.body.holders.get(row[0], ())
            for slot in _within(holder, row[0])
        ]
        everywhere = self._state.table.everywhere[row[0]]
        return self._match([*near, *everywhere], row) or everywhere[0]

    def _open_astray(self, slot: Slot, floor: Body) -> None:
        """Begin a misplaced body; it ends with the first segment that does not fit."""
        state = self._state
        height = next((at for at, each in enumerate(state.above) if each.is_astray), None)
        if height is not None:
            del state.above[height:]
        assert floor.opener is not None  # the set itself is always open
        state.begin(floor.opener)
        state.above.append(Cursor(slot, floor, len(floor.slots), is_astray=True))

    def _unplaced(self, kind: LoopFaultKind, tag: str) -> None:
        self._state.faults.append(self._state.unplaced(kind, tag))

    def _go(self, target: LoopTarget, row: list[str]) -> Slot:
        self._state.go(target)
        self._state.fill(target.slot, row)
        return target.slot

    def _holds(self, slot: Slot, row: list[str]) -> bool:
        return holds(slot, row, self._state.delimiters)

    def _match(self, slots: list[Slot], row: list[str]) -> Slot | None:
        return next((slot for slot in slots if self._holds(slot, row)), None)

    def _report(  # noqa: PLR0913 - the members of a fault
        self,
        kind: LoopFaultKind,
        slot: Slot,
        layer: str,
        *,
        element: int = 0,
        component: int = 0,
        maximum: int = 0,
        allowed: tuple[str, ...] = (),
        behind: tuple[str, int] = ("", 0),
    ) -> None:
        """Report the last segment, which was placed at ``slot``."""
        state = self._state
        self._state.faults.append(
            StructureFault(
                kind,
                slot.tag,
                state.position,
                slot.loop_id,
                layer,
                state.path(slot),
                element,
                component,
                maximum,
                allowed,
                *behind,
            )
        )


def _within(holder: Slot, tag: str) -> list[Slot]:
    """Return the slots of a segment id in the loop that begins at ``holder``."""
    assert holder.inner is not None  # it is a holder
    return holder.inner.by_tag[tag]
