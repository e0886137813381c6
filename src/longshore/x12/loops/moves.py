"""Find the slots that a segment may fill, searching outwards and forwards, with a cache.

Source: docs/reference/dictionary.md section 8, steps 1 to 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from longshore.x12.dictionary.model import ValueCondition
from longshore.x12.loops.slots import HL, Body, Choice, Move, Slot


class Cursor(NamedTuple):
    """A position from which the next slots are searched: after ``slot``.

    The first cursor of a set is its true position. Those above it are of segments that were found
    out of order: such a cursor ends at index ``limit`` of the body ``floor``.
    """

    slot: Slot
    floor: Body | None = None
    limit: int = 0
    is_astray: bool = False
    """The body ``floor`` is not open: its loop is misplaced."""


class OpenLoop(NamedTuple):
    """An open body and the range in it that is searched: from ``start`` to ``end`` (exclusive)."""

    body: Body
    at: Slot | None
    """The last slot filled in it; None where only its trigger has been read."""
    start: int
    end: int
    height: int
    """The height of its cursor."""
    is_floor: bool
    """Missing segments of this body are not reported by this cursor."""

    def required(self) -> Iterator[Slot]:
        """Yield what must be filled before this body ends."""
        return iter(()) if self.is_floor else self.body.required(self.start, self.end)


@dataclass(frozen=True, slots=True, eq=False)
class LoopTarget:
    """A slot that a segment may fill, in an open ``frame``; ``closed`` are those further in."""

    slot: Slot
    frame: OpenLoop
    closed: tuple[OpenLoop, ...]

    def left(self) -> Iterator[Slot]:
        """Yield what had to be filled in the bodies that end."""
        return chain.from_iterable(frame.required() for frame in self.closed)

    def skipped(self) -> Iterator[Slot]:
        """Yield the required slots that are skipped in the body that continues."""
        if self.frame.is_floor:
            return iter(())
        return self.frame.body.required(self.frame.start, self.slot.first)

    def move(self) -> Move:
        """Return what a hot loop needs of it."""
        slot = self.slot
        first, length = slot.counts_within
        return Move(
            slot=slot,
            number=slot.number,
            ceiling=slot.ceiling,
            depth=slot.body.depth,
            must=tuple(each.number for each in chain(self.left(), self.skipped())),
            is_level=slot.tag == HL,
            blank=[0] * length if length else None,
            blank_from=first,
            blank_to=first + length,
        )


def open_loops(cursors: Sequence[Cursor]) -> Iterator[OpenLoop]:
    """Yield the open bodies, innermost first, from the last cursor to the first."""
    for height in reversed(range(len(cursors))):
        slot, floor, limit, _ = cursors[height]
        if slot.inner is not None:
            end, is_floor = len(slot.inner.slots), slot.inner is floor
            yield OpenLoop(slot.inner, None, 0, end, height, is_floor)
            if is_floor:
                continue
        at: Slot | None = slot
        while at is not None:
            is_floor = at.body is floor
            end = limit if is_floor else len(at.body.slots)
            yield OpenLoop(at.body, at, at.first, end, height, is_floor)
            at = None if is_floor else at.body.opener


def targets(around: Sequence[OpenLoop], tag: str) -> Iterator[LoopTarget]:
    """Yield the slots that a segment may fill, the nearest first.

    Args:
        around: All open loops, innermost first.
        tag: The segment id.
    """
    for closed, frame in enumerate(around):
        for slot in frame.body.by_tag.get(tag, ()):
            if frame.start <= slot.index < frame.end:
                yield LoopTarget(slot, frame, tuple(around[:closed]))


def passed(around: Sequence[OpenLoop], tag: str) -> Iterator[LoopTarget]:
    """Yield where a segment ``tag`` could have gone before, the nearest body first."""
    for closed, frame in enumerate(around):
        for slot in frame.body.by_tag.get(tag, ()):
            if slot.index < frame.start:
                yield LoopTarget(slot, frame, tuple(around[:closed]))


def find_move(slot: Slot, tag: str) -> Move | Choice | None:
    """Return the first move of a segment from ``slot``, or the choice of it; it remembers it.

    None where there is none, and where conditions on different elements decide.
    """
    found = list(targets([*open_loops((Cursor(slot),))], tag))
    if not found:
        return None
    when = found[0].slot.when
    if when is None:
        move = slot.moves[tag] = found[0].move()
        return move
    choice = _choice(found, when)
    if choice is not None:
        slot.choices[tag] = choice
    return choice


def _choice(found: list[LoopTarget], when: ValueCondition) -> Choice | None:
    by_code: dict[str, Move] = {}
    position = when.position if when.component is None else 0
    for target in found:
        condition = target.slot.when
        if condition is None:
            return Choice(when, by_code, target.move(), position)
        if (condition.position, condition.component) != (when.position, when.component):
            return None
        for value in condition.values:
            by_code.setdefault(value, target.move())
    return Choice(when, by_code, None, position)


def at_end(slot: Slot) -> tuple[int, ...]:
    """Return the counts that may not be zero where SE follows ``slot``, and remember them."""
    if slot.at_end is None:
        slot.at_end = tuple(
            each.number for frame in open_loops((Cursor(slot),)) for each in frame.required()
        )
    return slot.at_end
