"""The control numbers of an interchange we write: how many are drawn, and how they stand there.

A preview has the first number of everything, and draws none.

Source: x12.md section 3, contract.md section 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from longshore.domain.control_numbers.numbers import (
    NumberRange,
    draw,
    first_set_number,
    group_number,
    isa_number,
    set_number,
)
from longshore.domain.partners.setting_kinds import SetNumbering
from longshore.domain.partners.settings import PartnerSettings
from longshore.domain.submission.planning import OutboundGroup
from longshore.domain.submission.wrapping import EnvelopeNumbers


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
