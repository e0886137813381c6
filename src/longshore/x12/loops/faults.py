"""Faults in the order and number of a set's segments, before they become findings."""

from __future__ import annotations

from enum import StrEnum, auto
from typing import NamedTuple


class LoopFaultKind(StrEnum):
    """The kinds of structure faults.

    ``STRUCTURE_CODES`` of ``validate.wording`` has the finding of each, ``ACK_CODES`` of
    ``findings`` the codes that acknowledge it.
    """

    SEGMENT_MISSING = auto()
    LOOP_MISSING = auto()
    SEGMENT_OVER_MAXIMUM = auto()
    LOOP_OVER_MAXIMUM = auto()
    OUT_OF_ORDER = auto()  # in an open loop, but its position has passed
    UNEXPECTED = auto()  # in the set, but in no loop that is open
    NOT_IN_SET = auto()
    UNKNOWN_ID = auto()
    QUALIFIER_NOT_ALLOWED = auto()  # the segment is allowed here, its code is not
    NOT_USED = auto()  # the standard has it here, the guide does not
    PARENT_UNKNOWN = auto()  # no earlier HL has the number in HL02
    PARENT_NOT_ALLOWED = auto()  # an HL of the level that HL02 names holds none of this one


class LoopStep(NamedTuple):
    """A loop on the way to a segment, and which of its iterations, from 1."""

    loop_id: str
    number: int
    label: str
    segment_id: str
    """The segment id of its trigger."""


class StructureFault(NamedTuple):
    """One fault."""

    kind: LoopFaultKind
    segment_id: str
    """The segment at fault, or missing; of a loop, its trigger."""
    position: int
    """The position in the set, ST = 1, of the segment at fault, or of the one found instead of a
    missing one."""
    loop_id: str
    """The loop it belongs in, ``heading`` or ``summary``."""
    layer: str
    path: tuple[LoopStep, ...]
    """The open loops around it."""
    element: int = 0
    component: int = 0
    """1-based, 0 for none."""
    maximum: int = 0
    """The maximum that was exceeded, else 0."""
    allowed: tuple[str, ...] = ()
    """The codes that would have been."""
    passed_id: str = ""
    passed_position: int = 0
    """The position of the first segment after the place of one that is out of order; 0, and
    ``passed_id`` is ``""``, if it is not known."""
