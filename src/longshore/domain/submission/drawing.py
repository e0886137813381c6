"""Draws the control numbers of an interchange inside the unit that stores it.

The counters are drawn from in the order of their kinds: ISA13, GS06, ST02. Whoever is about to run
out is told once: with the draw that leaves less than a tenth of the range (``numbers.is_low``).

Source: x12.md section 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
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
from longshore.domain.control_numbers.store import ControlNumbersWriteUnit, NumberRequest
from longshore.domain.events.model import EventType, NewEvent
from longshore.domain.partners.model import Identity, Partner
from longshore.domain.ports import AccountId
from longshore.domain.submission.errors import NumbersExhaustedError
from longshore.domain.submission.numbering import Drawn, number_range
from longshore.kit.environment import Environment

SKIPPED_FOR: Final = timedelta(days=366)
"""How long a number is not drawn again, whoever used it: we, or a caller by himself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NumbersWanted:
    """How many numbers are needed, between whom. ``sets``: 0 where ST02 begins anew each time."""

    owner: tuple[AccountId, Environment]
    partner: Partner
    own: Identity
    groups: int
    sets: int = 0


class Draws(NamedTuple):
    """What was drawn, and what is to be told of it."""

    drawn: Drawn
    events: tuple[NewEvent, ...]


async def draw_numbers(
    unit: ControlNumbersWriteUnit, wanted: NumbersWanted, now: datetime
) -> Draws:
    """Draw the numbers of one interchange.

    Raises:
        NumbersExhaustedError: The range agreed with the partner has not as many that are free.
    """
    partner = wanted.partner
    them, agreed = partner.terms.identity, number_range(partner.terms.settings)
    asked = [
        (isa_counter(wanted.own, them), agreed, 1),
        (group_counter(wanted.own, them), agreed, wanted.groups),
        (group_counter(wanted.own, them, NumberKind.ST), NumberRange(), wanted.sets),
    ]
    drawn: list[tuple[int, ...]] = []
    events: list[NewEvent] = []
    for key, numbers, count in asked:
        request = NumberRequest(key=key, numbers=numbers, count=count, skip_since=now - SKIPPED_FOR)
        try:
            found = await unit.control_numbers.draw(wanted.owner, request, now) if count else ()
        except RangeExhaustedError as error:
            raise NumbersExhaustedError(wanted.owner, _low(key, partner, 0)) from error
        drawn.append(found)
        if becomes_low(numbers, found):
            events.append(_low(key, partner, left(numbers, found[-1])))
    (interchange,), groups, sets = drawn
    last_set = (sets[0] - 1 or None) if sets else None
    return Draws(Drawn(interchange=interchange, groups=groups, last_set=last_set), tuple(events))


def becomes_low(numbers: NumberRange, drawn: Sequence[int]) -> bool:
    """Tell whether a draw is the one that leaves little of a range."""
    if not drawn:
        return False
    before = drawn[0] - 1 if drawn[0] > numbers.least else None
    return not is_low(numbers, before) and any(is_low(numbers, each) for each in drawn)


def _low(key: CounterKey, partner: Partner, numbers_left: int) -> NewEvent:
    data = {"partner_id": partner.id, "kind": key.kind.value, "left": numbers_left}
    return NewEvent(type=EventType.CONTROL_NUMBER_LOW, data=data)
