"""Stores of the overview in a unit, for one environment; read only.

A store belongs to one unit and its scope. Spans of time: ``since`` inclusive, ``before`` exclusive.
``most``: partners decide how many groups there are, so that no more than these are read; where
nothing else is said, those that began last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol

from longshore.domain.control_numbers.numbers import NumberKind
from longshore.domain.overview.model import DayVolume, OutstandingAcks
from longshore.domain.partners.model import Direction, PartnerId
from longshore.domain.transactions.model import States
from longshore.kit.environment import Environment


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredStates:
    """The number of a day's transactions with the same states."""

    day: date
    direction: Direction
    states: States
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredLatency:
    """The number of acknowledgements that came on a day and took the same seconds."""

    day: date
    seconds: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A group of counted things."""

    name: str
    """The value that they share, such as a set or the code of a reason."""
    count: int
    since: datetime | None
    """The time of the oldest, None: nobody knows."""
    partner_id: PartnerId | None = None
    """Whose they are, where that is asked and known; ``partner_name`` is ``""`` otherwise."""
    partner_name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCounter:
    """The number given last towards a partner."""

    kind: NumberKind
    last: int
    partner_id: PartnerId
    partner_name: str
    settings: str
    """Of the partner, as JSON."""


class OverviewReadStore(Protocol):
    """The figures, to be read."""

    async def volumes(
        self, environment: Environment, since: datetime, before: datetime, most: int
    ) -> Sequence[DayVolume]:
        """Return how many transactions were stored, by day and set.

        The ``most`` frequent sets of the whole span are reported singly, all others as one.
        """
        ...

    async def count(self, environment: Environment, since: datetime, before: datetime) -> int:
        """Return how many transactions were stored."""
        ...

    async def unusual(
        self, environment: Environment, since: datetime, before: datetime
    ) -> Sequence[StoredStates]:
        """Return how many are not just delivered, acknowledged or processed, by day and states.

        All that failed are among them.
        """
        ...

    async def latencies(
        self, environment: Environment, since: datetime, before: datetime
    ) -> Sequence[StoredLatency]:
        """Return how long acknowledgements took, by day and ascending within it."""
        ...

    async def awaited(self, environment: Environment) -> OutstandingAcks:
        """Return the outstanding acknowledgements."""
        ...

    async def rejections(
        self, environment: Environment, since: datetime, before: datetime, most: int
    ) -> Sequence[Group]:
        """Return sets of ours that were rejected, by partner and complaints.

        ``name`` is the words of these. At most so many groups, the most frequent first.
        """
        ...

    async def open_rejections(
        self, environment: Environment, since: datetime, before: datetime, most: int
    ) -> Sequence[Group]:
        """Return those of ``rejections`` that were not made anew, by a reissue or a correction."""
        ...

    async def overdue(self, environment: Environment, most: int) -> Sequence[Group]:
        """Return acknowledgements that did not come in time, by set."""
        ...

    async def quarantined(self, environment: Environment) -> Sequence[Group]:
        """Return interchanges that wait for a decision, by the code of the reason."""
        ...

    async def undelivered(self, environment: Environment, most: int) -> Sequence[Group]:
        """Return transactions whose delivery failed for good and that none replaces, by partner."""
        ...

    async def invalid_received(
        self, environment: Environment, since: datetime, most: int
    ) -> Sequence[Group]:
        """Return invalid received transactions that no other one replaces, by partner and set."""
        ...

    async def failing_partners(self, environment: Environment, most: int) -> Sequence[Group]:
        """Return what waits to be sent over connections that do not work, by partner.

        ``name`` is the status of the connection; ``since`` None: nothing waits.
        """
        ...

    async def counters(self, environment: Environment) -> Sequence[StoredCounter]:
        """Return where the counters of interchanges and groups stand, by partner."""
        ...
