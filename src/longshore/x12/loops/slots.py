"""The parts of a compiled definition: slots, the bodies they are in, moves between them.

Theory. A body lists what may occur in the set, or in one iteration of a loop; a slot is a position
in a body, either a segment or a loop, which its trigger represents. Bodies nest as in the
definition, so the slot of the last segment determines everything that is open: the loop it begins,
the body it is in, the loop of that body, and so on outwards. The number of uses of each slot is
stored separately, in one list of counts indexed by the number of the slot.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from longshore.x12.delimiters import Delimiters
from longshore.x12.dictionary.model import Loop, Node, SegmentUse, ValueCondition

HL: Final = "HL"
USE: Final = 2  # what one use adds to a count; see Slot
SUBSTITUTE: Final = 1
_NO_LIMIT: Final = 1 << 60


@dataclass(slots=True, eq=False)
class Slot:
    """A position of a definition.

    A segment with a qualifier that is not allowed is a substitute for this slot: it sets the bit
    ``SUBSTITUTE`` of the count, so that the slot is filled but has room for a valid segment.
    """

    number: int
    use: SegmentUse
    """The use of the segment; for a loop, that of its trigger."""
    loop: Loop | None
    body: Body
    index: int
    """The index in ``body``."""
    first: int
    """The index of the first of the consecutive siblings with the same segment id, whose order is
    free."""
    loop_id: str
    inner: Body | None = None
    """The body of the loop that begins here, if ``loop`` is one."""
    base: Slot | None = None
    """The slot of the standard that this slot of a guide narrows."""
    tag: str = field(init=False)
    when: ValueCondition | None = field(init=False)
    """The condition that a segment must fulfil."""
    is_required: bool = field(init=False)
    ceiling: int = field(init=False)
    """The highest count allowed, where each use adds ``USE``."""
    moves: dict[str, Move] = field(default_factory=dict)
    choices: dict[str, Choice] = field(default_factory=dict)
    """With ``moves``, a cache of the next slots by segment id: certain ones, and those a code
    chooses."""
    at_end: tuple[int, ...] | None = None
    """The counts that must not be zero where SE follows."""

    def __post_init__(self) -> None:
        """Compute what every step needs from the definition."""
        self.tag = self.use.segment.id
        self.when = self.node.when or self.use.when
        self.is_required = self.node.is_required
        self.ceiling = USE * self.node.maximum + SUBSTITUTE if self.node.maximum else _NO_LIMIT

    @property
    def node(self) -> Node:
        """The loop, or the segment that begins none."""
        return self.use if self.loop is None else self.loop

    @property
    def counts_within(self) -> tuple[int, int]:
        """The range of the counts of the body that begins here: the first, and how many."""
        return (0, 0) if self.inner is None else (self.inner.mark, 1 + len(self.inner.slots))


@dataclass(slots=True, eq=False)
class Body:
    """The slots of a set or of one iteration of a loop, without its trigger."""

    opener: Slot | None
    """The slot of the loop; for the body of a set, that of ST."""
    depth: int
    """The depth of nesting, 0 for the set."""
    mark: int
    """The number before those of its slots. Its count is 1 while no missing segment is reported,
    because the iteration began with a segment that may not be its trigger."""
    slots: list[Slot] = field(default_factory=list)
    by_tag: dict[str, list[Slot]] = field(default_factory=dict)
    holders: dict[str, list[Slot]] = field(default_factory=dict)
    """By segment id, the loops of this body that contain it directly."""
    base: Body | None = None

    def required(self, start: int, end: int) -> Iterator[Slot]:
        """Yield the slots from index ``start`` to ``end`` (exclusive) that must be filled."""
        return (slot for slot in self.slots[start:end] if slot.is_required)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Move:
    """A step to ``slot``, prepared for the inner loop of placement."""

    slot: Slot
    number: int
    ceiling: int
    depth: int
    """The depth of the body of ``slot``."""
    must: tuple[int, ...]
    """The counts that must not be zero."""
    is_level: bool
    """The slot is an HL, whose parent must be checked."""
    blank: list[int] | None
    """Zeros for the counts ``blank_from`` to ``blank_to`` of the body that begins."""
    blank_from: int
    blank_to: int


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """Moves by the code that ``when`` tests; ``otherwise`` is the move for all other codes."""

    when: ValueCondition
    by_code: dict[str, Move]
    otherwise: Move | None
    position: int
    """The position of the element that is the code; 0 if it is a component."""

    def move(self, row: list[str], delimiters: Delimiters) -> Move | None:
        """Return the move of a segment; None if none is for its code."""
        return self.by_code.get(code_of(row, self.when, delimiters)) or self.otherwise


def code_of(row: list[str], when: ValueCondition, delimiters: Delimiters) -> str:
    """Return the value that a condition tests: an element, or a component of it."""
    text = row[when.position] if when.position < len(row) else ""
    if when.component is None:
        return text
    if delimiters.repetition:
        text = text.partition(delimiters.repetition)[0]
    parts = text.split(delimiters.component, when.component)
    return parts[when.component - 1] if when.component <= len(parts) else ""


def holds(slot: Slot, row: list[str], delimiters: Delimiters) -> bool:
    """Return whether a segment fulfils the condition of a slot."""
    when = slot.when
    return when is None or code_of(row, when, delimiters) in when.values
