"""The rows of received acknowledgements: TA1, 997 and 999.

A row is about what it answers: an interchange (TA1), a group (AK9), a transaction set (AK2 with its
AK5 or IK5), a segment (AK3 or IK3) or an element (AK4 or IK4).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from longshore.library.segments import DocumentSegment

ACKNOWLEDGING_SETS: Final = frozenset(("997", "999"))
_SET_RESULTS: Final = frozenset(("AK5", "IK5"))
_SEGMENT_NOTES: Final = frozenset(("AK3", "IK3"))
_ELEMENT_NOTES: Final = frozenset(("AK4", "IK4"))
_COUNT: Final = re.compile("[0-9]{1,9}")  # of 32 bits
Values = tuple[object, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answered:
    """The columns that say what a row answers, in their order."""

    level: str
    ack_type: str
    interchange: str = ""
    functional_id: str = ""
    group: str = ""
    tx_set: str = ""
    set_number: str = ""
    segment_id: str = ""
    segment_position: int | None = None
    loop_id: str = ""

    def row(self, status: str, codes: Iterable[str], element: Values = (None,) * 5) -> Values:
        """Return the values of a row, empty ones as None."""
        place = (
            *(self.level, self.ack_type, self.interchange, self.functional_id, self.group),
            *(self.tx_set, self.set_number, status),
        )
        about = (self.segment_id or None, self.segment_position, self.loop_id or None)
        texts = tuple(each or None for each in place)
        return (*texts, [each for each in codes if each], *about, *element)


def ta1_row(segment: DocumentSegment) -> Values:
    """Return the values of the row of a TA1."""
    answered = _Answered(level="interchange", ack_type="TA1", interchange=segment[1])
    return answered.row(segment[4], (segment[5],))


def group_rows(segments: Sequence[DocumentSegment]) -> Iterator[tuple[int, Values]]:
    """Yield the position in the file and the values of each row of a 997 or 999."""
    group = _Answered(level="group", ack_type=segments[0][1])
    answered = group
    for index, segment in enumerate(segments):
        tag = segment.id
        if tag == "AK1":
            group = replace(group, functional_id=segment[1], group=segment[2])
            answered = group
        elif tag == "AK2":
            answered = replace(group, level="set", tx_set=segment[1], set_number=segment[2])
            yield segment.ordinal, answered.row(*_set_result(segments[index + 1 :]))
        elif tag in _SEGMENT_NOTES:
            answered = replace(
                answered,
                level="segment",
                segment_id=segment[1],
                segment_position=_count(segment[2]),
                loop_id=segment[3],
            )
            yield segment.ordinal, answered.row("", (segment[4],))
        elif tag in _ELEMENT_NOTES:
            positions = [part for repetition in segment.repetitions(1) for part in repetition]
            counts = [_count(part) for part in (*positions, "", "")[:3]]
            element = (*counts, segment[2] or None, segment[4] or None)
            of_element = replace(answered, level="element")
            yield segment.ordinal, of_element.row("", (segment[3],), element)
        elif tag == "AK9":
            codes = (segment[at] for at in range(5, 10))
            yield segment.ordinal, group.row(segment[1], codes)


def _set_result(segments: Iterable[DocumentSegment]) -> tuple[str, list[str]]:
    """Return status and codes of the set whose AK2 the segments follow, ``""`` without a result."""
    for segment in segments:
        if segment.id in _SET_RESULTS:
            return segment[1], [segment[at] for at in range(2, 7)]
        if segment.id in {"AK2", "AK9"}:
            break
    return "", []


def _count(text: str) -> int | None:
    return int(text) if _COUNT.fullmatch(text) else None
