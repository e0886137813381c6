"""The feed of events of an account, a page at a time.

A reader goes on after the last id it saw and misses nothing (``domain.events.store``). An event
says what happened and to which ids; ``url_of`` tells where the thing can be fetched.
Source: contract.md sections 13 and 15 (``GET /api/v1/events``).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from longshore.domain.events.model import EventId, EventType, SealedEvent
from longshore.domain.ports import RequestContext
from longshore.domain.units import ReadUnit, Units

_PLACES: Final[Mapping[str, tuple[str, str]]] = {
    "transaction": ("transaction_id", "/api/v1/transactions/"),
    "ack": ("transaction_id", "/api/v1/transactions/"),
    "partner": ("partner_id", "/api/v1/partners/"),
    "control_number": ("partner_id", "/api/v1/partners/"),
    "document": ("doc_id", "/api/v1/documents/"),
    "webhook": ("webhook_id", "/api/v1/webhooks/"),
}
"""By the first word of a type: the id in the data that counts, and what stands before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedEvent:
    """An event as readers see it."""

    event: SealedEvent
    path: str
    """Where what it is about is found, ``""`` if nowhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPage:
    """Events in ascending order of ids."""

    events: tuple[FeedEvent, ...]
    next_after: int
    """The id to go on behind."""
    has_more: bool


class EventService:
    """The feeds of all accounts, each through the scope of its caller."""

    def __init__(self, units: Units) -> None:
        self._units = units

    async def page(
        self, context: RequestContext, after: int, limit: int, types: Collection[EventType] = ()
    ) -> EventPage:
        """Return events of the caller's environment behind an id; without types of any type.

        Ids are those of the account: in one environment some are missing. On a page without
        events ``next_after`` is ``after``, so that asking again goes on at the same place.
        """

        async def read(unit: ReadUnit) -> Sequence[SealedEvent]:
            return await unit.events.list_after(context.environment, after, limit + 1, types)

        found = await self._units.read(context.scope, read)
        events = tuple(FeedEvent(event=each, path=path_of(each)) for each in found[:limit])
        last = events[-1].event.id if events else EventId(after)
        return EventPage(events=events, next_after=last, has_more=len(found) > limit)


def path_of(event: SealedEvent) -> str:
    """Return the path of what an event is about, such as ``/api/v1/documents/7``."""
    member, prefix = _PLACES.get(event.type.partition(".")[0], ("", ""))
    number = event.data.get(member)
    return "" if number is None else f"{prefix}{number}"
