"""The control structure: control segments, summaries of interchanges, groups and sets.

Source: x12.md section 1.5.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from longshore.x12.batch import SegmentBatch
from longshore.x12.delimiters import Delimiters
from longshore.x12.findings import ACK_CODES, FindingCode
from longshore.x12.report import SegmentRef

# Numbered over the whole document; their keys take no transaction set prefix.
CONTROL_IDS: Final = frozenset(("ISA", "IEA", "GS", "GE", "ST", "SE", "TA1", "ISB", "ISE", "ISX"))
OUTSIDE_SETS: Final = frozenset(("GS", "GE", "IEA"))
GROUP_NUMBER = re.compile("[0-9]{1,9}")
SET_ID = re.compile("[A-Za-z0-9]{3}")
SET_NUMBER = re.compile("[A-Za-z0-9]{4,9}")
_COUNT = re.compile("[0-9]{1,10}")


class SegmentSpan(NamedTuple):
    """Consecutive segments of a batch: one control segment, or body segments of one set."""

    batch: SegmentBatch
    first: int
    """The index in ``batch`` of the first segment."""
    last: int
    """The index in ``batch`` after the last segment."""
    tx_index: int
    """The index of their transaction set, from 1; 0 outside every set."""
    position: int
    """The position of the first segment in its set, ST = 1; 0 outside every set."""
    ordinal: int
    """The position of the first segment in the document, from 1."""
    occurrence: int
    """The number of a control segment among those of its id, from 1; 0 for body segments."""


@dataclass(slots=True)
class InterchangeSummary:
    """An interchange: its separators and the elements of its ISA, padded."""

    delimiters: Delimiters
    header: list[str]
    has_ta1: bool = False
    is_fixed_width: bool = True
    codes: tuple[str, ...] = ()
    """The TA105 codes of what is wrong with it, each once, in the order found."""


@dataclass(slots=True)
class GroupSummary:
    """A functional group: its GS, its sets and its faults."""

    interchange: int | None
    """The index of its interchange, from 0; None in a document without ISA."""
    header: list[str]
    """The elements of its GS."""
    first_set: int
    """The index its first set has or would have, from 1; the others follow it."""
    set_count: int = 0
    trailer_count: str | None = None
    """GE01 as received, None if there is no GE."""
    codes: tuple[str, ...] = ()
    """The AK905 codes of what is wrong with it, each once, in the order found."""

    @property
    def functional_id(self) -> str:
        """GS01, ``""`` if it is missing."""
        return element_at(self.header, 1)

    @property
    def control_number(self) -> str:
        """GS06, ``""`` if it is missing."""
        return element_at(self.header, 6)

    @property
    def version(self) -> str:
        """GS08, ``""`` if it is missing."""
        return element_at(self.header, 8)

    @property
    def sets(self) -> range:
        """The indexes of its sets."""
        return range(self.first_set, self.first_set + self.set_count)


@dataclass(slots=True)
class SetSummary:
    """A transaction set; ``segment_count`` includes ST and SE."""

    index: int
    set_id: str
    control_number: str
    version: str
    header: list[str]
    """The elements of its ST."""
    segment_count: int = 1
    has_trailer: bool = False
    codes: tuple[str, ...] = ()
    """The AK502 codes of what is wrong with its frame, each once, in the order found."""


Summary = InterchangeSummary | GroupSummary | SetSummary


ControlRef = tuple[SegmentBatch, int, int, int, int]
"""A control segment: batch, index in it, tx_index, position, occurrence. Cheaper to make than a
``SegmentRef``, which ``segment_ref`` makes of it for a finding."""


@dataclass(slots=True)
class OpenGroup:
    """A functional group that is open, and what its trailer will be compared with."""

    ref: ControlRef
    control_number: str
    version: str
    summary: GroupSummary
    set_numbers: set[str] = field(default_factory=set)


@dataclass(slots=True)
class OpenInterchange:
    """An interchange that is open, and what its trailer will be compared with."""

    ref: ControlRef
    control_number: str
    version: str
    summary: InterchangeSummary
    group_count: int = 0
    group_numbers: set[int] = field(default_factory=set)


def keep_code(code: FindingCode, summary: Summary) -> None:
    """Add the acknowledgement code that ``code`` leads to, if ``summary`` lacks it."""
    (ack_code,) = ACK_CODES[code].values()  # a fault of the envelope concerns one level
    if ack_code not in summary.codes:
        summary.codes += (ack_code,)


def segment_ref(ref: ControlRef) -> SegmentRef:
    """Return the ``SegmentRef`` of a control segment."""
    batch, index, tx_index, position, occurrence = ref
    tag = batch.rows[index][0]
    key = tag if occurrence == 1 else f"{tag}[{occurrence}]"
    return SegmentRef(batch, index, tx_index, position, key)


def next_control(tags: list[str], start: int) -> int:
    """Return the index of the next control segment from ``start``, or the length of ``tags``."""
    try:
        end = tags.index("SE", start)
    except ValueError:
        end = len(tags)
    if CONTROL_IDS.isdisjoint(tags[start:end]):
        return end
    return next(index for index in range(start, end) if tags[index] in CONTROL_IDS)


def element_at(row: Sequence[str], position: int) -> str:
    """Return the element at 1-based ``position``, ``""`` if the segment is shorter."""
    return row[position] if position < len(row) else ""


def is_count(text: str, count: int) -> bool:
    """Return whether ``text`` is the number ``count``, leading zeros allowed."""
    return text == str(count) or (_COUNT.fullmatch(text) is not None and int(text) == count)


def is_same_number(one: str, other: str) -> bool:
    """Return whether two control numbers are equal as texts or as numbers."""
    if one == other:
        return True
    are_numbers = GROUP_NUMBER.fullmatch(one) and GROUP_NUMBER.fullmatch(other)
    return bool(are_numbers) and int(one) == int(other)
