"""Stores for drawing control numbers in a unit.

A counter is the row of its key. Who draws holds that row until the unit ends, so that of units at
once each gets other numbers, and one that is rolled back leaves no gap. Several counters are drawn
from in the order of ``NumberKind``, or two units could wait for each other.

Source: x12.md section 3.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from longshore.domain.control_numbers.numbers import CounterKey, NumberKind, NumberRange
from longshore.domain.ports import AccountId
from longshore.kit.environment import Environment


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberRequest:
    """A request for some numbers of one range."""

    key: CounterKey
    numbers: NumberRange
    count: int
    skip_since: datetime
    """Numbers that callers used since then, in interchanges they numbered themselves, are left out.
    """


class Allotment(NamedTuple):
    """Numbers that were drawn, in order."""

    numbers: tuple[int, ...]
    before: int
    """Where the counter stood; one less than the least where the range began (anew)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counter:
    """Where a counter stands."""

    key: CounterKey
    environment: Environment
    last: int | None
    """The number it gave last, None before the first."""
    reserved: int
    """The numbers that the next draw skips because the database was restored from a backup."""
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingNumbers:
    """Numbers ``first`` to ``last`` that a partner passed over."""

    kind: NumberKind
    environment: Environment
    first: int
    last: int
    since: datetime
    """Aware UTC."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingQuery:
    """A search for gaps in what was received since a time, of at most ``widest`` numbers."""

    key: CounterKey
    """The counter of ISA13 of what we send, whose answers come the other way."""
    since: datetime
    widest: int
    most: int


class ControlNumberReadStore(Protocol):
    """Counters, to be read."""

    async def list(self, peers: Sequence[tuple[str, str]]) -> Sequence[Counter]:
        """Return the counters towards these qualifiers and ids, by environment and kind."""
        ...

    async def list_missing(self, query: MissingQuery) -> Sequence[MissingNumbers]:
        """Return gaps in the ISA13 received from a partner, those noticed last first."""
        ...


class ControlNumberStore(ControlNumberReadStore, Protocol):
    """Counters, to be read and to be drawn from."""

    async def draw(
        self, owner: tuple[AccountId, Environment], request: NumberRequest, now: datetime
    ) -> Allotment:
        """Return the free numbers that follow; the counter then stands at the last of them.

        Raises:
            RangeExhaustedError: The range has not as many that are free; the counter has not moved.
        """
        ...

    async def draw_even_if_used(
        self, owner: tuple[AccountId, Environment], request: NumberRequest, now: datetime
    ) -> tuple[int, ...]:
        """Return the numbers that follow, used or not; more than the range has go around it."""
        ...

    async def advance(
        self,
        owner: tuple[AccountId, Environment],
        key: CounterKey,
        numbers: NumberRange,
        count: int,
        now: datetime,
    ) -> int:
        """Skip the next ``count`` numbers of a range; return the number that is now the last.

        ``count`` is less than the size of the range.
        """
        ...

    async def hold(
        self, owner: tuple[AccountId, Environment], key: CounterKey, now: datetime
    ) -> int | None:
        """Keep others from drawing until the unit ends; return where the counter stands.

        For who is about to store an interchange with a number of its own.
        """
        ...

    async def used(
        self, owner: tuple[AccountId, Environment], key: CounterKey, number: int
    ) -> datetime | None:
        """Return when a number was used last in what we sent, allotted or not; None: never."""
        ...
