"""An interchange that is complete except for its control numbers.

Control numbers are drawn inside the unit that stores the interchange, where work has to be short.
So the text is written before, with a mark in the place of each number, and is split at the marks.
Filling a template joins the pieces with the numbers.

Source: contract.md section 6, x12.md section 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from itertools import chain
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from longshore.domain.interchanges.encryption import SealedParts, seal_content
from longshore.domain.interchanges.store import NewGroup, plain
from longshore.domain.outbound.envelope import (
    EnvelopeNumbers,
    EnvelopeParties,
    OutboundGroup,
    Wrapped,
    write_envelope,
)
from longshore.domain.outbound.outlines import (
    GroupOutline,
    InterchangeOutline,
    NumbersBySet,
    SetNumbers,
    SetOutline,
)
from longshore.domain.partners.encryption import partner_of
from longshore.domain.partners.errors import PartnerNotFoundError
from longshore.domain.partners.identities import own_identity
from longshore.domain.partners.model import Identity, Pair, Partner, PartnerId, address_of
from longshore.domain.ports import Compute, Sealer
from longshore.domain.units import ReadUnit
from longshore.x12.writer.interchange import ISA_WIDTHS

_ISA12: Final = slice(84, 89)
_NUMBER_CHARS: Final = ISA_WIDTHS[12]
_PRIVATE_USE: Final = 0xF0000  # and the 65,535 characters behind it
_WORD_BYTES: Final = 2
_FRAME_SEGMENTS: Final = 2  # ST and SE


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """The text around the numbers, and the kind of each number."""

    pieces: tuple[str, ...]
    """One more than there are places for numbers."""
    outline: InterchangeOutline
    """With ``""`` for each number."""
    groups: tuple[OutboundGroup, ...]
    """As planned, without their segments."""
    preview: EnvelopeNumbers
    """Numbers that were not drawn, with date and time."""


class FilledInterchange(NamedTuple):
    """An interchange as it is sent."""

    text: str
    outline: InterchangeOutline


def mark_of(document: str) -> str:
    """Return nine characters that ``document`` does not hold one after the other.

    They are made from its hash, so that nobody can write a document that holds them.
    """
    digest = sha256(document.encode("utf-8", "surrogatepass")).digest()
    words = (
        digest[at : at + _WORD_BYTES] for at in range(0, _NUMBER_CHARS * _WORD_BYTES, _WORD_BYTES)
    )
    return "".join(chr(_PRIVATE_USE + int.from_bytes(word, "big")) for word in words)


def template_of(
    groups: Sequence[OutboundGroup], preview: EnvelopeNumbers, addressed: EnvelopeParties, mark: str
) -> tuple[Template, Wrapped]:
    """Return the template of an interchange, and how it was written.

    ``mark`` is of the document that the groups are of (``mark_of``).

    Raises:
        LongshoreError: As ``write_envelope``.
    """
    marked = replace(
        preview,
        interchange=mark,
        groups=(mark,) * len(groups),
        sets=tuple((mark,) * len(group.sets) for group in groups),
    )
    wrapped = write_envelope(groups, marked, addressed)
    template = Template(
        pieces=tuple(wrapped.text.split(mark)),
        outline=_outline(groups, wrapped.text[_ISA12], preview, addressed),
        groups=tuple(map(_without_segments, groups)),
        preview=preview,
    )
    return template, wrapped


def fill_template(template: Template, numbers: EnvelopeNumbers) -> FilledInterchange:
    """Return the interchange with its numbers."""
    numbers_in_order = chain(_in_order(numbers), ("",))
    text = "".join(chain.from_iterable(zip(template.pieces, numbers_in_order, strict=True)))
    groups = (
        _with_control_numbers(*each)
        for each in zip(template.outline.groups, numbers.groups, numbers.sets, strict=True)
    )
    outline = replace(template.outline, control_number=numbers.interchange, groups=tuple(groups))
    return FilledInterchange(text, outline)


def with_numbers(template: Template, numbers: NumbersBySet) -> Template:
    """Return a template whose sets are known by these numbers."""
    groups = tuple(
        group._replace(
            sets=tuple(
                each._replace(numbers=numbers.get(each.tx_index, SetNumbers()))
                for each in group.sets
            )
        )
        for group in template.outline.groups
    )
    return replace(template, outline=replace(template.outline, groups=groups))


def _in_order(numbers: EnvelopeNumbers) -> Iterator[str]:
    """Yield each number as often as it stands in an interchange, in order."""
    yield numbers.interchange
    for group, sets in zip(numbers.groups, numbers.sets, strict=True):
        yield group
        for number in sets:
            yield from (number, number)
        yield group
    yield numbers.interchange


def _with_control_numbers(
    group: GroupOutline, number: str, set_numbers: tuple[str, ...]
) -> GroupOutline:
    assert group.header is not None  # what we write has no sets outside groups
    sets = tuple(
        each._replace(control_number=set_number)
        for each, set_number in zip(group.sets, set_numbers, strict=True)
    )
    return GroupOutline(replace(group.header, gs_control_number=number), sets)


def _outline(
    groups: Sequence[OutboundGroup],
    version: str,
    preview: EnvelopeNumbers,
    addressed: EnvelopeParties,
) -> InterchangeOutline:
    own, partner = addressed.own, addressed.terms.identity
    outlines, index = [], 0
    for group in groups:
        header = NewGroup(
            functional_id=plain(group.functional_id),
            sender_code=own.group_id,
            receiver_code=partner.group_id,
            gs_control_number="",
            version=plain(group.version),
        )
        sets = tuple(
            SetOutline(at, each.set_id, "", len(each.segments) + _FRAME_SEGMENTS)
            for at, each in enumerate(group.sets, index + 1)
        )
        index += len(sets)
        outlines.append(GroupOutline(header, sets))
    return InterchangeOutline(
        pair=Pair(address_of(own), address_of(partner)),
        control_number="",
        date=preview.date[2:],
        time=preview.time,
        version=version,
        usage=addressed.usage,
        groups=tuple(outlines),
    )


def _without_segments(group: OutboundGroup) -> OutboundGroup:
    return replace(group, sets=tuple(each._replace(segments=()) for each in group.sets))


LONG_BYTES: Final = 262_144  # below it sealing is done sooner than a thread is woken
MAX_INLINE_VALIDATION_CHARS: Final = 2_048
"""Longer documents are validated outside the event loop: hostile ones cost 20 us a character."""


class TradingParties(NamedTuple):
    """Whom a document is for, without secrets, and who we are towards them."""

    partner: Partner
    own: Identity


async def find_parties(unit: ReadUnit, partner_id: int) -> TradingParties:
    """Return a partner and our identity.

    Raises:
        PartnerNotFoundError: There is no such partner.
        NoOwnIdentityError: The account has no identity.
    """
    stored = await unit.partners.find(PartnerId(partner_id))
    if stored is None:
        raise PartnerNotFoundError
    partner = partner_of(stored)
    return TradingParties(partner, own_identity(partner, await unit.identities.list()))


async def are_unchanged(unit: ReadUnit, known: TradingParties) -> bool:
    """Tell whether partner and identity are what they were when a document was written for them."""
    partner, own = known
    stored = await unit.partners.find(partner.id)
    if stored is None or stored.version != partner.version:
        return False
    return own_identity(partner, await unit.identities.list()) == own


def local_time(now: datetime, zone: str) -> datetime:
    """Return a moment in a time zone; one that this machine does not know counts as UTC."""
    try:
        return now.astimezone(ZoneInfo(zone))
    except (ZoneInfoNotFoundError, OSError):  # the name of a directory is an OSError
        return now.astimezone(UTC)


async def sealed(executor: Compute, sealer: Sealer, content: bytes) -> SealedParts:
    """Return the bytes of an interchange sealed, long ones outside the event loop."""
    if len(content) <= LONG_BYTES:
        return seal_content(sealer, content, {})
    return await executor.submit_to_executor(seal_content, sealer, content, {})
