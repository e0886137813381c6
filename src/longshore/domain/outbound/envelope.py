"""The envelope of a submitted document: groups for its sets, ISA and GS around them.

``plan_envelope`` says how many control numbers are needed; ``write_envelope`` writes the envelope
with them. An interchange that keeps its own envelope uses neither: at most one character of it
changes (``with_usage``).

Source: contract.md section 6, x12.md sections 1.1, 1.5 and 3, fields-and-mapping.md section 7.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from operator import itemgetter
from typing import Final, NamedTuple

from longshore.domain.partners.model import Identity, PartnerTerms
from longshore.kit.errors import ErrorCode
from longshore.mapping.envelopes import FUNCTIONAL_IDS
from longshore.x12.binary import LENGTH_ELEMENT
from longshore.x12.control import SegmentSpan, element_at
from longshore.x12.delimiters import Delimiters
from longshore.x12.dictionary.release import is_guide_id, release_of
from longshore.x12.walk import Walk
from longshore.x12.writer.headers import GroupHeader, InterchangeHeader
from longshore.x12.writer.interchange import REPETITION_SINCE, InterchangeWriter
from longshore.x12.writer.refusals import unwritable
from longshore.x12.writer.segments import Components, Element, Segment, elements_of
from longshore.x12.writer.separators import separators_for

_REPETITIONS_SINCE: Final = "004020"


class PlannedSet(NamedTuple):
    """A set to be written: ST01, ST03, and its segments between ST and SE."""

    set_id: str
    reference: str
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboundGroup:
    """A group to be written."""

    functional_id: str
    """GS01, ``agency``: GS07, ``version``: GS08."""
    version: str
    agency: str
    sets: tuple[PlannedSet, ...]


class _Head(NamedTuple):
    """The values that sets share which are written in one group."""

    ordinal: int
    """Of their own GS."""
    functional_id: str
    version: str
    agency: str


def plan_envelope(walk: Walk, version: str) -> tuple[OutboundGroup, ...]:
    """Return the groups that the sets of a document are written in, in document order.

    Sets that came in a group stay in it. Bare ones that follow each other share a group if it is
    of the same kind; its version is the guide that ST03 names, else ``version``. ``walk`` is a new
    one.

    Raises:
        unwritable: A LongshoreError invalid_parameter: which group a bare set belongs in is not
            known.
    """
    reader = _Reader(version)
    for span in chain.from_iterable(walk.span_lists()):
        reader.take(span)
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

    def take(self, span: SegmentSpan) -> None:
        """Take the segments of a stretch; what stands outside sets is left out."""
        batch = span.batch
        row = batch.rows[span.first]
        if not span.occurrence:
            if span.tx_index:
                self._add(batch.texts[span.first : span.last], span)
        elif row[0] == "GS":
            self._ordinal, self._gs = span.occurrence, GroupHeader.of(row)
        elif row[0] == "GE":
            self._ordinal, self._gs = 0, None
        elif row[0] == "ST":
            self._sets.append((self._head(row), row, []))

    def sets(self) -> Iterator[tuple[_Head, PlannedSet]]:
        """Yield the sets, each with what tells its group."""
        for head, row, segments in self._sets:
            planned = PlannedSet(element_at(row, 1), element_at(row, 3), tuple(segments))
            yield head, planned

    def _add(self, texts: list[str], span: SegmentSpan) -> None:
        head, _, segments = self._sets[-1]
        marks = span.batch.delimiters
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


_USAGE: Final = 15  # ISA15
_VERSION_CHARS: Final = 5  # ISA12


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvelopeNumbers:
    """The values of an envelope that are given: control numbers and time."""

    interchange: str
    groups: tuple[str, ...]
    """GS06, ``sets``: ST02 of each group."""
    sets: tuple[tuple[str, ...], ...]
    date: str
    """CCYYMMDD, ``time``: HHMM, both in the partner's time zone."""
    time: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvelopeParties:
    """From whom and to whom, on what terms."""

    own: Identity
    terms: PartnerTerms
    usage: str
    """ISA15."""


class Wrapped(NamedTuple):
    """An interchange that was written, and the separators in it."""

    text: str
    delimiters: Delimiters
    is_changed: bool
    """Other ones than the partner's, since values hold those."""
    is_replaced: bool
    """Marks in values were replaced, as the partner's settings say."""


def write_envelope(
    groups: Sequence[OutboundGroup], numbers: EnvelopeNumbers, addressed: EnvelopeParties
) -> Wrapped:
    """Return an interchange of these groups, at least one, in the partner's separators.

    Raises:
        LongshoreError: delimiter_in_data: a value holds a separator and they are fixed, or the
            values hold all that could be one. invalid_parameter: an id is too long for its place.
    """
    settings = addressed.terms.settings
    header = _interchange_header(groups, numbers, addressed)
    wanted = settings.separators
    if header.version < REPETITION_SINCE:
        wanted = wanted._replace(repetition="")
    delimiters, written = wanted, groups
    if not settings.fixed_separators:
        delimiters = separators_for(_values(groups, header), wanted)
    elif settings.replace_delimiters_with is not None:
        marks = dict.fromkeys(wanted.marks, settings.replace_delimiters_with)
        written = _changed(groups, str.maketrans(marks))
    writer = InterchangeWriter(delimiters)
    writer.open_interchange(header)
    for group, number, set_numbers in zip(written, numbers.groups, numbers.sets, strict=True):
        writer.open_group(_group_header(group, number, numbers, addressed))
        for planned, set_number in zip(group.sets, set_numbers, strict=True):
            writer.open_set(planned.set_id, set_number, planned.reference)
            for segment in planned.segments:
                writer.add(segment)
    return Wrapped(writer.finish(), delimiters, delimiters != wanted, written != groups)


def with_usage(text: str, walk: Walk, usage: str) -> str:
    """Return a document with another ISA15; nothing else of it changes.

    ``walk`` is a new one through ``text``, which begins with an interchange.
    """
    batch = next(walk.span_lists())[0].batch
    row = batch.rows[0]
    before = batch.starts[0] + sum(len(element) + 1 for element in row[:_USAGE])
    at, end = (
        walk.reader.positions.of(each, batch)[0] for each in (before, before + len(row[_USAGE]))
    )
    return text[:at] + usage + text[end:]


def _interchange_header(
    groups: Sequence[OutboundGroup], numbers: EnvelopeNumbers, addressed: EnvelopeParties
) -> InterchangeHeader:
    own, partner = addressed.own, addressed.terms.identity
    agreed = addressed.terms.version[:_VERSION_CHARS]
    releases = [release_of(group.version, agreed) for group in groups]
    return InterchangeHeader(
        sender=(own.qualifier, own.isa_id),
        receiver=(partner.qualifier, partner.isa_id),
        date=numbers.date[2:],
        time=numbers.time,
        version=max(releases)[:_VERSION_CHARS],
        control_number=numbers.interchange,
        usage=addressed.usage,
    )


def _group_header(
    group: OutboundGroup, number: str, numbers: EnvelopeNumbers, addressed: EnvelopeParties
) -> GroupHeader:
    return GroupHeader(
        functional_id=group.functional_id,
        sender=addressed.own.group_id,
        receiver=addressed.terms.identity.group_id,
        date=numbers.date,
        time=numbers.time,
        control_number=number,
        version=group.version,
        agency=group.agency,
    )


# ---- values --------------------------------------------------------------------------------------


def _values(groups: Sequence[OutboundGroup], header: InterchangeHeader) -> Iterator[str]:
    """Yield all texts that no separator may occur in."""
    yield from (*header.sender, *header.receiver)
    for group in groups:
        yield from (group.functional_id, group.version)
        for planned in group.sets:
            yield from (planned.set_id, planned.reference)
            for segment in planned.segments:
                yield from _texts(segment)


def _texts(segment: Segment) -> Iterator[str]:
    for element in segment[: _data_at(segment)]:
        for repetition in element if isinstance(element, list) else [element]:
            yield from (repetition,) if isinstance(repetition, str) else repetition


def _changed(groups: Sequence[OutboundGroup], marks: dict[int, str]) -> tuple[OutboundGroup, ...]:
    """Return the groups with other characters in their values."""

    def text(value: str) -> str:
        return value.translate(marks)

    return tuple(
        replace(
            group,
            sets=tuple(
                each._replace(segments=tuple(_mapped(one, text) for one in each.segments))
                for each in group.sets
            ),
        )
        for group in groups
    )


def _mapped(segment: Segment, text: Callable[[str], str]) -> Segment:
    data_at = _data_at(segment)
    head = [_element(element, text) for element in segment[:data_at]]
    return [*head, *segment[len(head) :]]


def _element(element: Element, text: Callable[[str], str]) -> Element:
    if isinstance(element, list):
        return [_repetition(each, text) for each in element]
    return _repetition(element, text)


def _repetition(value: str | Components, text: Callable[[str], str]) -> str | Components:
    return text(value) if isinstance(value, str) else tuple(map(text, value))


def _data_at(segment: Segment) -> int:
    """Return where binary data stands, which may hold anything; else the number of elements."""
    tag = segment[0]
    assert isinstance(tag, str)  # a segment begins with its id
    return LENGTH_ELEMENT[tag] + 1 if tag in LENGTH_ELEMENT else len(segment)
