"""Outlines of sent interchanges: the values of envelope, groups and sets for their rows.

    outline_of("ISA*…~GS*PO*…~ST*850*0001~…") →
        from ZZ/ACMECORP to 01/123456789, number 000000123: a group PO 50 with one set, 850 0001

Source: contract.md section 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple

from longshore.domain.interchanges.store import NewGroup, plain, plain_group
from longshore.domain.partners.model import Identity, Pair, pair_of
from longshore.domain.transactions.model import Reference, SetFacts
from longshore.domain.transactions.references import ReferenceCollector
from longshore.x12.control import SegmentSpan
from longshore.x12.envelope import Envelope
from longshore.x12.traces import SetTraces, TraceCollector
from longshore.x12.walk import Walk


class SetNumbers(NamedTuple):
    """The numbers by which a set is known."""

    references: tuple[Reference, ...] = ()
    traces: SetTraces | None = None
    """None of a set that is neither a request nor a response."""


NumbersBySet = Mapping[int, SetNumbers]
"""By the index of a set, from 1."""


class NumberCollector:
    """Reads the numbers of all sets of a document, list by list of a walk (``x12.walk``)."""

    def __init__(self) -> None:
        self._references = ReferenceCollector()
        self._traces = TraceCollector()

    def add(self, spans: list[SegmentSpan]) -> None:
        """Take a list of spans."""
        self._references.add(spans)
        self._traces.add(spans)

    def found(self) -> dict[int, SetNumbers]:
        """Return the numbers of each set by its index, from 1."""
        traces = self._traces.found()
        return {
            index: SetNumbers(references, traces.get(index))
            for index, references in self._references.found().items()
        }


class SetOutline(NamedTuple):
    """A set: its index in the document from 1, ST01, ST02, its segments from ST to SE."""

    tx_index: int
    set_id: str
    control_number: str
    segment_count: int
    numbers: SetNumbers = SetNumbers()


class GroupOutline(NamedTuple):
    """A group and its sets."""

    header: NewGroup | None
    """None: the sets are in no group."""
    sets: tuple[SetOutline, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InterchangeOutline:
    """An interchange: ISA05 to ISA08, ISA13, 09, 10, 12 and 15, without padding; its groups.

    All texts are fit for plain columns (``plain``).
    """

    pair: Pair
    control_number: str
    date: str
    time: str
    version: str
    usage: str
    groups: tuple[GroupOutline, ...]

    @property
    def sets(self) -> tuple[SetOutline, ...]:
        """All its sets, in the order their records are stored."""
        return tuple(chain.from_iterable(group.sets for group in self.groups))

    def facts(self, group: GroupOutline, one: SetOutline, file_size: int) -> SetFacts:
        """Return what the record of a set says. ``file_size`` is bytes of the interchange."""
        header = group.header or _NO_GROUP
        return SetFacts(
            tx_set=one.set_id,
            version=header.version,
            functional_group=header.functional_id,
            isa_control_number=self.control_number,
            gs_control_number=header.gs_control_number,
            st_control_number=one.control_number,
            sender=Identity(qualifier=self.pair.sender.qualifier, isa_id=self.pair.sender.id),
            receiver=Identity(qualifier=self.pair.receiver.qualifier, isa_id=self.pair.receiver.id),
            usage_indicator=self.usage,
            references=one.numbers.references,
            segment_count=one.segment_count,
            file_size=file_size,
        )


_NO_GROUP = NewGroup(
    functional_id="", sender_code="", receiver_code="", gs_control_number="", version=""
)


def outline_of(text: str) -> InterchangeOutline:
    """Return what is in an interchange that we wrote, by reading it.

    Raises:
        LongshoreError: As a walk; never for what our writers made.
    """
    walk, numbers = Walk(lambda: (text,)), NumberCollector()
    for spans in walk.span_lists():
        numbers.add(spans)
    return outlined(walk.envelope, numbers.found())


def outlined(envelope: Envelope, numbers: NumbersBySet) -> InterchangeOutline:
    """Return what is in the first interchange of a document that was walked through."""
    isa = [plain(element) for element in envelope.interchanges[0].header]
    grouped = {index for group in envelope.groups for index in group.sets}
    strays = [each.index for each in envelope.sets if each.index not in grouped]
    groups = [
        GroupOutline(plain_group(group), _sets(envelope, group.sets, numbers))
        for group in envelope.groups
    ]
    if strays:
        groups.append(GroupOutline(None, _sets(envelope, strays, numbers)))
    return InterchangeOutline(
        pair=pair_of(isa),
        control_number=isa[13],
        date=isa[9],
        time=isa[10],
        version=isa[12],
        usage=isa[15],
        groups=tuple(groups),
    )


def without_numbers(outline: InterchangeOutline) -> InterchangeOutline:
    """Return an interchange that has no control numbers, since it is not sent."""
    groups = (
        GroupOutline(
            None if header is None else replace(header, gs_control_number=""),
            tuple(each._replace(control_number="") for each in sets),
        )
        for header, sets in outline.groups
    )
    return replace(outline, control_number="", groups=tuple(groups))


def _sets(
    envelope: Envelope, indexes: Iterable[int], numbers: NumbersBySet
) -> tuple[SetOutline, ...]:
    found = (envelope.sets[index - 1] for index in indexes)
    return tuple(
        SetOutline(
            each.index,
            plain(each.set_id),
            plain(each.control_number),
            each.segment_count,
            numbers.get(each.index, SetNumbers()),
        )
        for each in found
    )
