"""The sets of a submitted document, put into the groups that they will be written in.

Source: contract.md section 6, x12.md section 1.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from operator import itemgetter
from typing import Final, NamedTuple

from longshore.kit.errors import ErrorCode
from longshore.mapping.envelopes import FUNCTIONAL_IDS
from longshore.x12.control import SegmentSpan, element_at
from longshore.x12.dictionary.release import is_guide_id, release_of
from longshore.x12.walk import Walk
from longshore.x12.writer.headers import GroupHeader
from longshore.x12.writer.refusals import unwritable
from longshore.x12.writer.segments import Segment, elements_of

_REPETITIONS_SINCE: Final = "004020"


class PlannedSet(NamedTuple):
    """A set to be written: ST01, ST03, and its segments between ST and SE."""

    set_id: str
    reference: str
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboundGroup:
    """A group to be written. ``functional_id``: GS01, ``agency``: GS07, ``version``: GS08."""

    functional_id: str
    version: str
    agency: str
    sets: tuple[PlannedSet, ...]


class _Head(NamedTuple):
    """What sets have in common that are written in one group; ``ordinal``: of their own GS."""

    ordinal: int
    functional_id: str
    version: str
    agency: str


def plan_envelope(walk: Walk, version: str) -> tuple[OutboundGroup, ...]:
    """Return the groups that the sets of a document are written in, in document order.

    Sets that came in a group stay in it. Bare ones that follow each other share a group if it is
    of the same kind; its version is the guide that ST03 names, else ``version``. ``walk``: a new
    one.

    Raises:
        unwritable: A LongshoreError invalid_parameter: which group a bare set belongs in is not
            known.
    """
    reader = _Reader(version)
    for stretch in chain.from_iterable(walk.courses()):
        reader.take(stretch)
    return tuple(
        OutboundGroup(
            functional_id=head.functional_id,
            version=head.version,
            agency=head.agency,
            sets=tuple(planned for _, planned in sets),
        )
        for head, sets in groupby(reader.sets(), key=itemgetter(0))
    )


def joined_groups(groups: Sequence[OutboundGroup]) -> tuple[OutboundGroup, ...]:
    """Return groups of the same kind and version that follow each other as one."""
    found: list[OutboundGroup] = []
    for group in groups:
        if found and replace(found[-1], sets=()) == replace(group, sets=()):
            found[-1] = replace(group, sets=(*found[-1].sets, *group.sets))
        else:
            found.append(group)
    return tuple(found)


class _Reader:
    """Collects the sets of a document."""

    def __init__(self, version: str) -> None:
        self._version = version
        self._sets: list[tuple[_Head, list[str], list[Segment]]] = []
        self._ordinal = 0
        self._gs: GroupHeader | None = None

    def take(self, stretch: SegmentSpan) -> None:
        """Take the segments of a stretch; what stands outside sets is left out."""
        batch = stretch.batch
        row = batch.rows[stretch.first]
        if not stretch.occurrence:
            if stretch.tx_index:
                self._add(batch.texts[stretch.first : stretch.last], stretch)
        elif row[0] == "GS":
            self._ordinal, self._gs = stretch.occurrence, GroupHeader.of(row)
        elif row[0] == "GE":
            self._ordinal, self._gs = 0, None
        elif row[0] == "ST":
            self._sets.append((self._head(row), row, []))

    def sets(self) -> Iterator[tuple[_Head, PlannedSet]]:
        """Yield the sets, each with what tells its group."""
        for head, row, segments in self._sets:
            planned = PlannedSet(element_at(row, 1), element_at(row, 3), tuple(segments))
            yield head, planned

    def _add(self, texts: list[str], stretch: SegmentSpan) -> None:
        head, _, segments = self._sets[-1]
        marks = stretch.batch.delimiters
        if release_of(head.version, "") < _REPETITIONS_SINCE:
            marks = marks._replace(repetition="")  # guessed for bare sets; here it is data
        segments += (elements_of(text, marks) for text in texts)

    def _head(self, row: list[str]) -> _Head:
        gs = self._gs
        if gs is not None:
            return _Head(self._ordinal, gs.functional_id, gs.version, gs.agency)
        reference = element_at(row, 3)
        version = reference if is_guide_id(reference) else self._version
        functional_id = FUNCTIONAL_IDS.get(element_at(row, 1))
        if functional_id is None:
            message = (
                "The functional group of this transaction set is not known;"
                " submit it in an envelope of its own."
            )
            raise unwritable(message, "content", ErrorCode.INVALID_PARAMETER)
        return _Head(0, functional_id, version, "X")
