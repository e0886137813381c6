"""Draws the control numbers of an interchange inside the unit that stores it.

The counters are drawn from in the order of their kinds: ISA13, GS06, ST02. Whoever is about to run
out is told once: with the draw that leaves less than a tenth of the range (``numbers.is_low``), or
that goes past it; and whenever the range has too few that are free.

Source: x12.md section 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Final, NamedTuple

from longshore.domain.control_numbers.numbers import (
    CounterKey,
    NumberKind,
    NumberRange,
    RangeExhaustedError,
    group_counter,
    is_low,
    isa_counter,
    left,
)
from longshore.domain.control_numbers.store import Allotment, NumberRequest
from longshore.domain.events.model import EventType, NewEvent
from longshore.domain.partners.model import Identity, Partner
from longshore.domain.ports import AccountId
from longshore.domain.submission.errors import NumbersExhaustedError
from longshore.domain.submission.numbering import Drawn, number_range
from longshore.domain.units import WriteUnit
from longshore.kit.environment import Environment

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
