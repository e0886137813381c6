"""Queues deliveries: finds what an endpoint is called about, and stores an entry for each call.

``EventFanOut`` follows the feed of each account. It looks at the events behind the position of an
endpoint and moves the position in the same unit, so each event is queued exactly once for each
endpoint, whatever dies in between.

Calls of one endpoint have two orders among themselves: so at most two run at once, besides
retries, and what waits behind them costs nothing.

Fault points: ``webhooks.fan_out.before_commit``, ``webhooks.fan_out.after_commit``.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from longshore.domain.delivery.model import JobKind, NewOutboxEntry, OutboxId
from longshore.domain.events.model import EventType, SealedEvent
from longshore.domain.partners.model import PartnerId
from longshore.domain.ports import SYSTEM
from longshore.domain.units import ReadUnit, Units, WriteUnit
from longshore.domain.webhooks.model import WebhookDeliveryId, WebhookEndpoint, WebhookStatus
from longshore.domain.webhooks.store import EndpointRef, NewWebhookDelivery
from longshore.kit.clock import Clock
from longshore.kit.faults import fault_point

CONCURRENT_CALLS: Final = 2
"""Of one endpoint, without retries."""
BATCH: Final = 100
"""The events that are looked at in one unit."""


class EventFanOut:
    """Queues deliveries of new events for the endpoints of all accounts."""

    def __init__(self, units: Units, clock: Clock) -> None:
        self._units = units
        self._clock = clock

    async def run_once(self) -> int:
        """Look at all new events; return how many deliveries were queued."""

        async def list_behind(unit: ReadUnit) -> Sequence[EndpointRef]:
            return await unit.webhooks.list_behind()

        count = 0
        for ref in await self._units.read(SYSTEM, list_behind):
            while (queued := await self._advance(ref)) is not None:
                count += queued
        return count

    async def _advance(self, ref: EndpointRef) -> int | None:
        """Look at the next events for an endpoint.

        Returns:
            How many deliveries were queued; None if there are no new events for it.
        """
        now = self._clock.now()

        async def advance(unit: WriteUnit) -> int | None:
            stored = await unit.webhooks.find(ref.id)
            assert stored is not None  # rows of endpoints stay
            endpoint = stored.endpoint
            last = await unit.events.last(endpoint.account_id)
            if endpoint.status is not WebhookStatus.ACTIVE or last <= endpoint.position:
                return None
            events = await unit.events.list_after(
                endpoint.environment, endpoint.position, BATCH, endpoint.terms.events
            )
            # What was committed since ``last`` was read comes next time.
            events = [each for each in events if each.id <= last]
            to = events[-1].id if len(events) == BATCH else last
            wanted = [each for each in events if await is_wanted(unit, endpoint, each)]
            entries = [await _queue(unit, endpoint, each, now) for each in wanted]
            if not await unit.webhooks.move(endpoint, to):
                raise _MovedMeanwhileError
            for event, entry in zip(wanted, entries, strict=True):
                await _describe(unit, endpoint, (event, entry, 0), now)
            fault_point("webhooks.fan_out.before_commit")
            return len(wanted)

        try:
            queued = await self._units.write(ref.scope, advance)
        except _MovedMeanwhileError:
            return None
        fault_point("webhooks.fan_out.after_commit")
        return queued


class _MovedMeanwhileError(Exception):
    """Another worker has queued these events; nothing was kept."""


async def is_wanted(unit: ReadUnit, endpoint: WebhookEndpoint, event: SealedEvent) -> bool:
    """Tell whether an endpoint is called about an event."""
    terms = endpoint.terms
    if event.type is EventType.WEBHOOK_TEST:
        return False
    if terms.events and event.type not in terms.events:
        return False
    return not terms.partner_ids or await _partner_of(unit, event) in terms.partner_ids


async def _partner_of(unit: ReadUnit, event: SealedEvent) -> PartnerId | None:
    named = event.data.get("partner_id")
    return (
        PartnerId(int(named)) if named is not None else await unit.webhooks.find_partner_of(event)
    )


async def queue_replays(
    unit: WriteUnit, endpoint: WebhookEndpoint, events: Sequence[SealedEvent], now: datetime
) -> list[WebhookDeliveryId]:
    """Queue events again under one number of a replay, so under other ids than before."""
    if not events:
        return []
    entries = [await _queue(unit, endpoint, each, now) for each in events]
    replay = await unit.webhooks.draw_replay(endpoint.id)
    return [
        await _describe(unit, endpoint, (event, entry, replay), now)
        for event, entry in zip(events, entries, strict=True)
    ]


async def queue_test(
    unit: WriteUnit, endpoint: WebhookEndpoint, event: SealedEvent, now: datetime
) -> WebhookDeliveryId:
    """Queue an event that was recorded for this endpoint; it waits behind no other."""
    entry = await _queue(unit, endpoint, event, now, is_ordered=False)
    return await _describe(unit, endpoint, (event, entry, 0), now)


# Entries are stored before the row of the endpoint is changed, as whoever ends an entry does: else
# each would wait for the other.
async def _queue(
    unit: WriteUnit,
    endpoint: WebhookEndpoint,
    event: SealedEvent,
    now: datetime,
    *,
    is_ordered: bool = True,
) -> OutboxId:
    order = f"webhook/{endpoint.id}/{event.id % CONCURRENT_CALLS}"
    entry = NewOutboxEntry(
        kind=JobKind.WEBHOOK,
        environment=endpoint.environment,
        due_at=now,
        order_key=order if is_ordered else None,
    )
    return await unit.outbox.insert(endpoint.account_id, entry, now)


async def _describe(
    unit: WriteUnit,
    endpoint: WebhookEndpoint,
    queued: tuple[SealedEvent, OutboxId, int],
    now: datetime,
) -> WebhookDeliveryId:
    event, outbox_id, replay = queued
    new = NewWebhookDelivery(endpoint=endpoint, event=event, replay=replay, outbox_id=outbox_id)
    return await unit.webhooks.insert_delivery(new, now)
