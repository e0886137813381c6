"""Control numbers: their ranges and counters, how they are written, and how many are left.

A counter remembers the number it gave last. After the largest number of its range comes the
smallest, and never 0. Nothing is drawn here: ``draw_envelope_numbers`` of
``outbound.control_numbers`` draws from the counters, which are rows (``ControlNumberStore.draw``).

Source: x12.md section 3, contract.md section 15 (``control-numbers``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum, unique
from typing import Final, NamedTuple

from longshore.domain.partners.model import Identity
from longshore.domain.partners.setting_kinds import MAX_NUMBER, SetNumbering

ISA_WIDTH: Final = 9
GROUP_WIDTH: Final = 9
SET_WIDTH: Final = 4
_FIRST_SET: Final = 1  # of a group in which ST02 begins anew
_LOW_SHARE: Final = 10  # a tenth of the range
_DAY: Final = timedelta(days=1)
_MICROSECOND: Final = timedelta(microseconds=1)


@unique
class NumberKind(StrEnum):
    """The number that is counted: ISA13, GS06, or ST02 that counts on from group to group."""

    ISA = "isa"
    GS = "gs"
    ST = "st"


class CounterKey(NamedTuple):
    """Whom a counter counts for, within an account and an environment.

    Of ISA13 the two identities; of GS06 and ST02 our GS02 and their GS03, with ``""`` as
    qualifiers, whatever GS01 is.
    """

    kind: NumberKind
    own_qualifier: str
    own_id: str
    peer_qualifier: str
    peer_id: str
    """The id of the other side as the envelope has it, never the number of a partner."""


def isa_counter(own: Identity, partner: Identity) -> CounterKey:
    """Return the counter of ISA13 between two."""
    return CounterKey(NumberKind.ISA, own.qualifier, own.isa_id, partner.qualifier, partner.isa_id)


def group_counter(own: Identity, partner: Identity, kind: NumberKind = NumberKind.GS) -> CounterKey:
    """Return the counter of GS06 between two, or of ST02 where it counts on."""
    return CounterKey(kind, "", own.group_id, "", partner.group_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberRange:
    """The numbers ``least`` to ``most``, both included."""

    least: int = 1
    most: int = MAX_NUMBER

    def __post_init__(self) -> None:
        """Make sure that the range has a number, and none that does not exist."""
        assert 1 <= self.least <= self.most <= MAX_NUMBER

    @property
    def size(self) -> int:
        """Return how many numbers there are."""
        return self.most - self.least + 1

    def after(self, last: int | None) -> int:
        """Return the number that follows ``last``, None before the first.

        Behind the largest, and behind one that is not in the range, comes the smallest.
        """
        if last is None or not self.least <= last < self.most:
            return self.least
        return last + 1

    def skip(self, last: int | None, count: int) -> int | None:
        """Return where a counter stands after it skipped ``count`` numbers.

        It skips at most half of the range, so that a short one does not go around to numbers that
        were just used. ``last`` None: nothing was drawn; None is returned if nothing is skipped.
        """
        skipped = min(count, self.size // 2)
        if not skipped:
            return last
        before = self.least - 1 if last is None or not self.least <= last <= self.most else last
        return self.least + (before - self.least + skipped) % self.size


class RangeExhaustedError(RuntimeError):
    """Every number of the range is used: there is none to draw."""


# ---- as text -------------------------------------------------------------------------------------


def isa_number(number: int) -> str:
    """Return ISA13: nine digits."""
    return f"{number:0{ISA_WIDTH}d}"


def group_number(number: int, *, is_padded: bool = False) -> str:
    """Return GS06, unpadded unless the partner wants it (``gs06_pad``)."""
    return f"{number:0{GROUP_WIDTH}d}" if is_padded else str(number)


def set_number(number: int) -> str:
    """Return ST02: at least four digits."""
    return f"{number:0{SET_WIDTH}d}"


def set_numbers_from(first: int, count: int) -> tuple[int, ...]:
    """Return the ST02 of the sets of a group: ``first`` and those that follow it."""
    numbers = [first]
    while len(numbers) < count:
        numbers.append(NumberRange().after(numbers[-1]))
    return tuple(numbers)


def set_numbers_by_group(
    numbering: SetNumbering, first: int, counts: Iterable[int]
) -> tuple[tuple[str, ...], ...]:
    """Return ST02 of the sets of each group, as text.

    ``first`` is that of the first set if they count on; else each group begins with 1. ``counts``
    says how many sets each group has.
    """
    groups = []
    for count in counts:
        numbers = set_numbers_from(
            first if numbering is SetNumbering.CONTINUOUS else _FIRST_SET, count
        )
        groups.append(tuple(map(set_number, numbers)))
        first = NumberRange().after(numbers[-1])
    return tuple(groups)


# ---- how long it lasts ---------------------------------------------------------------------------


def left(numbers: NumberRange, last: int | None) -> int:
    """Return how many numbers follow before the range begins anew."""
    if last is None or not numbers.least <= last <= numbers.most:
        return numbers.size
    return numbers.most - last


def days_left(numbers_left: int, drawn: int, since: datetime, now: datetime) -> int | None:
    """Return for how many whole days the rest lasts at the pace since then; None: no telling.

    ``drawn`` tells how many numbers were drawn between ``since`` and ``now``.
    """
    elapsed = now - since
    if drawn <= 0 or elapsed <= timedelta():
        return None
    # In whole microseconds: a timedelta ends after some million years.
    return numbers_left * (elapsed // _MICROSECOND) // (drawn * (_DAY // _MICROSECOND))


def is_low(numbers: NumberRange, last: int | None) -> bool:
    """Tell whether less than a tenth of the range is left (event ``control_number.low``)."""
    return left(numbers, last) * _LOW_SHARE < numbers.size
