"""Draw the control numbers of an interchange that is sent, and write them into its template.

The counters are rows of the database: ``unit.control_numbers.draw`` moves one on, and holds it
until the unit ends. They are drawn from in the order of their kinds: ISA13, GS06, ST02.

A draw that leaves less than a tenth of a range (``numbers.is_low``), or that starts the range
again, raises one event. A draw from a range with too few free numbers raises one each time. A
preview uses the first number of each range and draws none.

Source: x12.md section 3, contract.md section 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import pairwise
from typing import Final

from longshore.domain.control_numbers.numbers import (
    CounterKey,
    NumberKind,
    NumberRange,
    RangeExhaustedError,
    group_counter,
    group_number,
    is_low,
    isa_counter,
    isa_number,
    left,
    set_numbers_by_group,
)
from longshore.domain.control_numbers.store import Allotment, NumberRequest
from longshore.domain.events.model import EventType, NewEvent
from longshore.domain.interchanges.encryption import seal_content
from longshore.domain.outbound.envelope import EnvelopeNumbers, OutboundGroup
from longshore.domain.outbound.errors import NumbersExhaustedError
from longshore.domain.outbound.interchange import WrittenInterchange
from longshore.domain.outbound.templates import Template, TradingParties, fill_template, local_time
from longshore.domain.partners.model import Partner
from longshore.domain.partners.setting_kinds import SetNumbering
from longshore.domain.partners.settings import PartnerSettings
from longshore.domain.ports import AccountId, Sealer
from longshore.domain.units import WriteUnit
from longshore.kit.environment import Environment

_FIRST: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """The numbers that were drawn for one interchange."""

    interchange: int
    groups: tuple[int, ...]
    first_set: int = _FIRST
    """The first ST02; where they begin anew in each group, it is 1 and none was drawn."""


def number_range(settings: PartnerSettings) -> NumberRange:
    """Return the numbers a partner takes."""
    return NumberRange(least=settings.control_min, most=settings.control_max)


def counted_sets(groups: Sequence[OutboundGroup], settings: PartnerSettings) -> int:
    """Return how many ST02 have to be drawn: none where they begin anew in each group."""
    if settings.st02 is SetNumbering.PER_GROUP:
        return 0
    return sum(len(group.sets) for group in groups)


def envelope_numbers(
    groups: Sequence[OutboundGroup], drawn: Drawn, settings: PartnerSettings, local_now: datetime
) -> EnvelopeNumbers:
    """Return the numbers as they are written. ``local_now`` is in the partner's time zone."""
    counts = [len(group.sets) for group in groups]
    return EnvelopeNumbers(
        interchange=isa_number(drawn.interchange),
        groups=tuple(group_number(number, is_padded=settings.gs06_pad) for number in drawn.groups),
        sets=set_numbers_by_group(settings.st02, drawn.first_set, counts),
        date=local_now.strftime("%Y%m%d"),
        time=local_now.strftime("%H%M"),
    )


def preview_numbers(
    groups: Sequence[OutboundGroup], settings: PartnerSettings, local_now: datetime
) -> EnvelopeNumbers:
    """Return the numbers of a dry run."""
    counted = tuple(range(_FIRST, len(groups) + _FIRST))
    return envelope_numbers(groups, Drawn(interchange=_FIRST, groups=counted), settings, local_now)


Events = tuple[NewEvent, ...]
SKIPPED_FOR: Final = timedelta(days=366)
"""The time for which a used number is not drawn again, whether we drew it or a caller gave it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NumbersWanted:
    """The count of numbers that an interchange needs, and the parties between which it goes."""

    owner: tuple[AccountId, Environment]
    parties: TradingParties
    groups: int
    sets: int = 0
    """0 if ST02 begins anew in each group."""
    may_repeat: bool = False
    """Draw used numbers again if too few are free."""


async def assign_control_numbers(
    unit: WriteUnit,
    sealer: Sealer,
    owner: tuple[AccountId, Environment],
    parties: TradingParties,
    template: Template,
    now: datetime,
) -> tuple[WrittenInterchange, Events]:
    """Draw the numbers of an interchange; return it with the events to record.

    It is encrypted here and not before the unit, since its bytes are known only now.

    Raises:
        NumbersExhaustedError: The range agreed with the partner has too few free numbers.
    """
    settings = parties.partner.terms.settings
    wanted = NumbersWanted(
        owner=owner,
        parties=parties,
        groups=len(template.groups),
        sets=counted_sets(template.groups, settings),
    )
    drawn, events = await draw_envelope_numbers(unit, wanted, now)
    local_now = local_time(now, settings.timezone)
    numbers = envelope_numbers(template.groups, drawn, settings, local_now)
    text, outline = fill_template(template, numbers)
    content = text.encode()
    written = WrittenInterchange(
        text=text,
        outline=outline,
        parts=seal_content(sealer, content, {}),
        file_size=len(content),
        body_digest=sha256(content).digest(),
        is_allotted=True,
    )
    return written, events


async def draw_envelope_numbers(
    unit: WriteUnit, wanted: NumbersWanted, now: datetime
) -> tuple[Drawn, Events]:
    """Draw the numbers of one interchange; return them with the events to record.

    Raises:
        NumbersExhaustedError: The range agreed with the partner has too few free numbers.
    """
    (interchange,), isa_events = await draw_of_kind(unit, wanted, NumberKind.ISA, now)
    groups, gs_events = await draw_of_kind(unit, wanted, NumberKind.GS, now)
    sets, st_events = await draw_of_kind(unit, wanted, NumberKind.ST, now)
    first_set = sets[0] if sets else _FIRST
    drawn = Drawn(interchange=interchange, groups=groups, first_set=first_set)
    return drawn, isa_events + gs_events + st_events


async def draw_of_kind(
    unit: WriteUnit, wanted: NumbersWanted, kind: NumberKind, now: datetime
) -> tuple[tuple[int, ...], Events]:
    """Draw the numbers of one kind, maybe none; return them with the events to record.

    Raises:
        NumbersExhaustedError: The range agreed with the partner has too few free numbers.
    """
    key, numbers, count = _counter_of(wanted, kind)
    if not count:
        return (), ()
    request = NumberRequest(key=key, numbers=numbers, count=count, skip_since=now - SKIPPED_FOR)
    try:
        allotted = await unit.control_numbers.draw(wanted.owner, request, now)
    except RangeExhaustedError as error:
        exhausted = _low(key, wanted.parties.partner, 0)
        if not wanted.may_repeat:
            raise NumbersExhaustedError(wanted.owner, exhausted) from error
        used = await unit.control_numbers.draw_even_if_used(wanted.owner, request, now)
        return used, (exhausted,)
    if not becomes_low(numbers, allotted):
        return allotted.numbers, ()
    low = _low(key, wanted.parties.partner, left(numbers, allotted.numbers[-1]))
    return allotted.numbers, (low,)


def _counter_of(wanted: NumbersWanted, kind: NumberKind) -> tuple[CounterKey, NumberRange, int]:
    """Return the counter of a kind, its range, and how many numbers are wanted from it."""
    own, terms = wanted.parties.own, wanted.parties.partner.terms
    them, agreed = terms.identity, number_range(terms.settings)
    counters = {
        NumberKind.ISA: (isa_counter(own, them), agreed, 1),
        NumberKind.GS: (group_counter(own, them), agreed, wanted.groups),
        NumberKind.ST: (group_counter(own, them, NumberKind.ST), NumberRange(), wanted.sets),
    }
    return counters[kind]


def becomes_low(numbers: NumberRange, allotted: Allotment) -> bool:
    """Tell whether a draw is the one that leaves little of a range, or goes past its end."""
    drawn, before = allotted
    if is_low(numbers, before):
        return False
    has_wrapped = any(after <= each for each, after in pairwise((before, *drawn)))
    return has_wrapped or any(is_low(numbers, each) for each in drawn)


def _low(key: CounterKey, partner: Partner, numbers_left: int) -> NewEvent:
    data = {"partner_id": partner.id, "kind": key.kind.value, "left": numbers_left}
    return NewEvent(type=EventType.CONTROL_NUMBER_LOW, data=data)
