"""The envelope that a submitted document is given: around bare sets, or in place of its own.

Control numbers are allotted between ``planning.plan_envelope``, which says how many are needed, and
``write_envelope``. Neither is used for an interchange that keeps its envelope: of that one a single
character changes at most (``with_usage``).

Source: contract.md section 6, x12.md sections 1.1, 1.5 and 3, fields-and-mapping.md section 7.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from longshore.domain.partners.model import Identity, PartnerTerms
from longshore.domain.submission.planning import OutboundGroup
from longshore.x12.binary import LENGTH_ELEMENT
from longshore.x12.delimiters import Delimiters
from longshore.x12.dictionary.release import release_of
from longshore.x12.walk import Walk
from longshore.x12.writer.headers import GroupHeader, InterchangeHeader
from longshore.x12.writer.interchange import REPETITION_SINCE, InterchangeWriter
from longshore.x12.writer.segments import Components, Element, Segment
from longshore.x12.writer.separators import separators_for

_USAGE: Final = 15  # ISA15
_VERSION_CHARS: Final = 5  # ISA12


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvelopeNumbers:
    """What is not ours to make: numbers and time. ``groups``: GS06, ``sets``: ST02 of each group.

    ``date``: CCYYMMDD, ``time``: HHMM, both in the partner's time zone.
    """

    interchange: str
    groups: tuple[str, ...]
    sets: tuple[tuple[str, ...], ...]
    date: str
    time: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Addressed:
    """From whom and to whom, on what terms. ``usage``: ISA15."""

    own: Identity
    terms: PartnerTerms
    usage: str


class Wrapped(NamedTuple):
    """An interchange that was written, and the separators in it.

    ``is_changed``: other ones than the partner's, since values hold those. ``is_replaced``: marks
    in values were replaced, as the partner's settings say.
    """

    text: str
    delimiters: Delimiters
    is_changed: bool
    is_replaced: bool


def write_envelope(
    groups: Sequence[OutboundGroup], numbers: EnvelopeNumbers, addressed: Addressed
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

    ``walk``: a new one through ``text``, which begins with an interchange.
    """
    batch = next(walk.courses())[0].batch
    row = batch.rows[0]
    before = batch.starts[0] + sum(len(element) + 1 for element in row[:_USAGE])
    at, end = (
        walk.reader.places.of(each, batch)[0] for each in (before, before + len(row[_USAGE]))
    )
    return text[:at] + usage + text[end:]


def _interchange_header(
    groups: Sequence[OutboundGroup], numbers: EnvelopeNumbers, addressed: Addressed
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
    group: OutboundGroup, number: str, numbers: EnvelopeNumbers, addressed: Addressed
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
