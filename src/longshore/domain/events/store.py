"""Stores of the events slice in a unit.

A reader who goes on after the last id it saw misses nothing: ids are drawn from a row of the
account that a unit holds until it ends. So the unit that drew 7 has ended before another one draws
8, and whoever sees 8 sees 7. What is rolled back leaves no gap.

The units of one account wait for one another from the draw on. So events come last in a unit,
before nothing but audit entries: that is also the one order in which the two rows are held. What is
appended gets its ids when the unit ends: on PostgreSQL in the call that also commits, so that no
unit waits for the process of another.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol

from longshore.domain.events.model import EventId, EventType, SealedEvent
from longshore.domain.ports import AccountId
from longshore.kit.environment import Environment


class EventReadStore(Protocol):
    """The feed of an account, to be read."""

    async def list_after(
        self,
        environment: Environment,
        after: int,
        limit: int,
        types: Collection[EventType] = (),
    ) -> Sequence[SealedEvent]:
        """Return events of an environment behind an id, oldest first; without types of any."""
        ...

    async def list_between(
        self, environment: Environment, after: int, since: datetime, until: datetime, limit: int
    ) -> Sequence[SealedEvent]:
        """Return events behind an id, from one time up to before another, oldest first."""
        ...

    async def last(self, account_id: AccountId) -> EventId:
        """Return the newest id of an account, in any environment; 0 before the first event."""
        ...

    async def find(self, event_id: EventId) -> SealedEvent | None:
        """Return the event with this id."""
        ...

    async def list_of_transaction(self, transaction_id: int) -> Sequence[SealedEvent]:
        """Return the timeline of a transaction, oldest first."""
        ...


class EventStore(EventReadStore, Protocol):
    """The feed of an account, to be read and continued."""

    def append(self, events: Sequence[SealedEvent]) -> None:
        """Store events under the next ids when the unit ends, before its audit entries.

        Their own are not used. This unit does not read them before.
        """
        ...

    async def draw(self, account_id: AccountId, count: int) -> Sequence[EventId]:
        """Return the next ids; until the unit ends no other gets any of this account."""
        ...

    async def insert(self, events: Sequence[SealedEvent]) -> None:
        """Store events under ids that were drawn in this unit."""
        ...
