"""The parts of a compiled definition: slots, the bodies they stand in, moves between them.

Theory. A body is the list of what may stand in the set, or in one iteration of a loop; a slot is a
position in a body, either a segment or a loop, which its trigger stands for. Bodies nest as the
definition says, so the slot of the last segment tells all that is open: the loop it begins, the
body it stands in, the loop that body is of, and so on outwards. How often each slot was used lies
apart, in one list of counts that the slots number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from longshore.x12.delimiters import Delimiters
from longshore.x12.dictionary.model import Loop, Node, SegmentUse, ValueCondition

HL: Final = "HL"
USE: Final = 2  # what one use adds to a count; see Slot
STAND_IN: Final = 1
_NO_LIMIT: Final = 1 << 60


@dataclass(slots=True, eq=False)
class Slot:
    """A position of a definition.

    ``use``: the segment's; of a loop, its trigger's. ``loop`` and ``inner``: the loop that begins
    here and its body. ``index``: in ``body``; ``first``: index of the first of the same-tag
    siblings in a row that this is one of, whose order is free. ``base``: the standard's slot that
    this one, of a guide, narrows. ``when``: the condition under which a segment is meant.
    ``moves`` and ``choices``: a memo of where each next segment id leads, for certain or by a code;
    ``at_end``: of the counts that may not be zero where SE follows.

    ``ceiling`` is for counts in which a use adds ``USE``. A segment with a qualifier that is not
    allowed stands in for this slot: it sets the bit ``STAND_IN``, so that the slot counts as
    filled, but leaves room for a good one.
    """

    number: int
    use: SegmentUse
    loop: Loop | None
    body: Body
    index: int
    first: int
    loop_id: str
    inner: Body | None = None
    base: Slot | None = None
    tag: str = field(init=False)
    when: ValueCondition | None = field(init=False)
    is_required: bool = field(init=False)
    ceiling: int = field(init=False)
    moves: dict[str, Move] = field(default_factory=dict)
    choices: dict[str, Choice] = field(default_factory=dict)
    at_end: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        """Take from the definition what every step asks for."""
        self.tag = self.use.segment.id
        self.when = self.node.when or self.use.when
        self.is_required = self.node.is_required
        self.ceiling = USE * self.node.maximum + STAND_IN if self.node.maximum else _NO_LIMIT

    @property
    def node(self) -> Node:
        """The loop, or the segment that begins none."""
        return self.use if self.loop is None else self.loop

    @property
    def counts_within(self) -> tuple[int, int]:
        """Which counts are those of the body that begins here: the first, and how many."""
        return (0, 0) if self.inner is None else (self.inner.mark, 1 + len(self.inner.slots))


@dataclass(slots=True, eq=False)
class Body:
    """What may stand in a set or in one iteration of a loop, the trigger left out.

    ``opener``: the slot of the loop; of a set's body, that of ST. ``holders``: by segment id, the
    loops of this body in which that id stands directly. ``depth``: 0 for the set. ``mark``: the
    number before those of its slots; that count is 1 while nothing is known to be missing, since
    the iteration began with a segment that only may be its trigger.
    """

    opener: Slot | None
    depth: int
    mark: int
    slots: list[Slot] = field(default_factory=list)
    by_tag: dict[str, list[Slot]] = field(default_factory=dict)
    holders: dict[str, list[Slot]] = field(default_factory=dict)
    base: Body | None = None

    def required(self, start: int, end: int) -> Iterator[Slot]:
        """Yield the slots from index ``start`` to ``end`` (exclusive) that must be filled."""
        return (slot for slot in self.slots[start:end] if slot.is_required)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Move:
    """A step to ``slot``, as a hot loop wants it.

    ``depth``: of the body ``slot`` stands in. ``must``: the counts that may not be zero.
    ``is_level``: an HL, whose parent is to be looked up. ``blank``: zeros for the counts of the
    body that begins, those from ``blank_from`` to ``blank_to``.
    """

    slot: Slot
    number: int
    ceiling: int
    depth: int
    must: tuple[int, ...]
    is_level: bool
    blank: list[int] | None
    blank_from: int
    blank_to: int


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """Moves by the code that ``when`` looks at; ``otherwise`` is the one for all other codes.

    ``position``: of the element whose text is the code; 0 where it is a component.
    """

    when: ValueCondition
    by_code: dict[str, Move]
    otherwise: Move | None
    position: int

    def move(self, row: list[str], delimiters: Delimiters) -> Move | None:
        """Return the move of a segment; None if none is for its code."""
        return self.by_code.get(code_of(row, self.when, delimiters)) or self.otherwise


def code_of(row: list[str], when: ValueCondition, delimiters: Delimiters) -> str:
    """Return what a condition looks at: an element, or a component of its first repetition."""
    text = row[when.position] if when.position < len(row) else ""
    if when.component is None:
        return text
    if delimiters.repetition:
        text = text.partition(delimiters.repetition)[0]
    parts = text.split(delimiters.component, when.component)
    return parts[when.component - 1] if when.component <= len(parts) else ""


def holds(slot: Slot, row: list[str], delimiters: Delimiters) -> bool:
    """Tell whether a segment fulfils the condition of a slot."""
    when = slot.when
    return when is None or code_of(row, when, delimiters) in when.values
