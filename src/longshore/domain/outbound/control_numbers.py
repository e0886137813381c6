"""Control numbers of an interchange that is sent: how many are needed, and how they are drawn.

Counters are drawn from in the order of their kinds: ISA13, GS06, ST02. A draw that leaves less than
a tenth of a range (``numbers.is_low``), or that starts the range again, raises one event. A draw
from a range with too few free numbers raises one each time. A preview uses the first number of each
range and draws none.

Source: x12.md section 3, contract.md section 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Final, NamedTuple

from longshore.domain.control_numbers.numbers import (
    CounterKey,
    NumberKind,
    NumberRange,
    RangeExhaustedError,
    draw,
    first_set_number,
    group_counter,
    group_number,
    is_low,
    isa_counter,
    isa_number,
    left,
    set_number,
)
from longshore.domain.control_numbers.store import Allotment, NumberRequest
from longshore.domain.events.model import EventType, NewEvent
from longshore.domain.outbound.envelope import EnvelopeNumbers, OutboundGroup
from longshore.domain.outbound.errors import NumbersExhaustedError
from longshore.domain.partners.model import Identity, Partner
from longshore.domain.partners.setting_kinds import SetNumbering
from longshore.domain.partners.settings import PartnerSettings
from longshore.domain.ports import AccountId
from longshore.domain.units import WriteUnit
from longshore.kit.environment import Environment


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """Numbers that were drawn: of the interchange, and of each group.

    ``last_set``: the last ST02 sent before, where they count on; else None.
    """

    interchange: int
    groups: tuple[int, ...]
    last_set: int | None = None


_FIRST: Final = 1


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
    """Return the numbers as they are written. ``local_now``: in the partner's time zone."""
    sets: list[tuple[str, ...]] = []
    last = drawn.last_set
    for group in groups:
        first = first_set_number(settings.st02, last)
        numbers = draw(NumberRange(), first - 1, len(group.sets)).numbers
        sets.append(tuple(map(set_number, numbers)))
        last = numbers[-1]
    return EnvelopeNumbers(
        interchange=isa_number(drawn.interchange),
        groups=tuple(group_number(number, is_padded=settings.gs06_pad) for number in drawn.groups),
        sets=tuple(sets),
        date=local_now.strftime("%Y%m%d"),
        time=local_now.strftime("%H%M"),
    )


def preview_numbers(
    groups: Sequence[OutboundGroup], settings: PartnerSettings, local_now: datetime
) -> EnvelopeNumbers:
    """Return the numbers of a dry run."""
    counted = tuple(range(_FIRST, len(groups) + _FIRST))
    return envelope_numbers(groups, Drawn(interchange=_FIRST, groups=counted), settings, local_now)


SKIPPED_FOR: Final = timedelta(days=366)
"""How long a number is not drawn again, whoever used it: we, or a caller by himself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NumbersWanted:
    """How many numbers are needed, between whom. ``sets``: 0 where ST02 begins anew each time.

    ``may_repeat``: where too few are free, used ones are drawn again.
    """

    owner: tuple[AccountId, Environment]
    partner: Partner
    own: Identity
    groups: int
    sets: int = 0
    may_repeat: bool = False


class DrawnNumbers(NamedTuple):
    """What was drawn, and what is to be told of it."""

    drawn: Drawn
    events: tuple[NewEvent, ...]


class DrawsOfKind(NamedTuple):
    """Numbers of one kind, in order, and what is to be told of them."""

    numbers: tuple[int, ...]
    events: tuple[NewEvent, ...]


async def draw_numbers(unit: WriteUnit, wanted: NumbersWanted, now: datetime) -> DrawnNumbers:
    """Draw the numbers of one interchange.

    Raises:
        NumbersExhaustedError: The range agreed with the partner has not as many that are free.
    """
    found = [await draw_of_kind(unit, wanted, kind, now) for kind in NumberKind]
    ((interchange,), _), (groups, _), (sets, _) = found
    last_set = (sets[0] - 1 or None) if sets else None
    drawn = Drawn(interchange=interchange, groups=groups, last_set=last_set)
    return DrawnNumbers(drawn, tuple(event for each in found for event in each.events))


async def draw_of_kind(
    unit: WriteUnit, wanted: NumbersWanted, kind: NumberKind, now: datetime
) -> DrawsOfKind:
    """Draw what is wanted of one kind, maybe nothing.

    Raises:
        NumbersExhaustedError: The range agreed with the partner has not as many that are free.
    """
    key, numbers, count = _asked(wanted, kind)
    if not count:
        return DrawsOfKind((), ())
    request = NumberRequest(key=key, numbers=numbers, count=count, skip_since=now - SKIPPED_FOR)
    try:
        allotted = await unit.control_numbers.draw(wanted.owner, request, now)
    except RangeExhaustedError as error:
        exhausted = _low(key, wanted.partner, 0)
        if not wanted.may_repeat:
            raise NumbersExhaustedError(wanted.owner, exhausted) from error
        again = await unit.control_numbers.draw_again(wanted.owner, request, now)
        return DrawsOfKind(again, (exhausted,))
    if not becomes_low(numbers, allotted):
        return DrawsOfKind(allotted.numbers, ())
    low = _low(key, wanted.partner, left(numbers, allotted.numbers[-1]))
    return DrawsOfKind(allotted.numbers, (low,))


def _asked(wanted: NumbersWanted, kind: NumberKind) -> tuple[CounterKey, NumberRange, int]:
    own, them = wanted.own, wanted.partner.terms.identity
    agreed = number_range(wanted.partner.terms.settings)
    asked = {
        NumberKind.ISA: (isa_counter(own, them), agreed, 1),
        NumberKind.GS: (group_counter(own, them), agreed, wanted.groups),
        NumberKind.ST: (group_counter(own, them, NumberKind.ST), NumberRange(), wanted.sets),
    }
    return asked[kind]


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
