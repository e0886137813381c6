"""The deliveries to a webhook endpoint: listed, tested and replayed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, NamedTuple

from longshore.domain.audit.writer import AuditWriter, entry_of
from longshore.domain.delivery.encryption import open_failure
from longshore.domain.delivery.model import DeliveryAttempt
from longshore.domain.events.model import EventId, EventType, NewEvent, SealedEvent
from longshore.domain.events.writer import EventWriter
from longshore.domain.ports import RequestContext, Sealer
from longshore.domain.units import ReadUnit, Units, WriteUnit
from longshore.domain.webhooks.errors import EventNotFoundError, WebhookDeliveryNotFoundError
from longshore.domain.webhooks.model import (
    DeliveryProgress,
    WebhookDeliveryId,
    WebhookId,
    WebhookStatus,
)
from longshore.domain.webhooks.queue import is_wanted, queue_replays, queue_test
from longshore.domain.webhooks.service import find_endpoint, require_active
from longshore.kit.clock import Clock

MAX_REPLAYED: Final = 1_000
"""The events that one request looks at."""


class DeliveryPage(NamedTuple):
    """Deliveries of an endpoint, the newest first."""

    deliveries: tuple[DeliveryProgress, ...]
    next_before: int | None
    """The id to go on before; None at the end."""


class PeriodReplay(NamedTuple):
    """The result of a replay of a period."""

    deliveries: int
    next_after: int | None
    """The event to go on behind; None at the end of the period."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPeriod:
    """The events that are replayed: behind an id, from one time up to before another."""

    since: datetime
    until: datetime
    after: int = 0


class WebhookDeliveryService:
    """The deliveries to webhook endpoints of all accounts, each through the scope of its caller."""

    def __init__(self, units: Units, clock: Clock, sealer: Sealer) -> None:
        self._units = units
        self._clock = clock
        self._sealer = sealer

    async def test(self, context: RequestContext, endpoint_id: WebhookId) -> DeliveryProgress:
        """Record an event ``webhook.test`` and queue it for this endpoint alone.

        Raises:
            WebhookNotFoundError: There is no such endpoint.
            WebhookStateError: It is not active.
        """
        now = self._clock.now()
        new = NewEvent(
            type=EventType.WEBHOOK_TEST, data={"webhook_id": endpoint_id}, actor=context.actor
        )
        owner = (context.account_id, context.environment)

        async def test(unit: WriteUnit) -> DeliveryProgress:
            endpoint = require_active(await find_endpoint(unit, context, endpoint_id))
            writer = EventWriter(unit, self._sealer, owner)
            (event_id,) = await writer.record_at_once((new,), now)
            event = await unit.events.find(event_id)
            assert event is not None  # it was stored in this unit
            delivery_id = await queue_test(unit, endpoint, event, now)
            await self._audit(unit, context, "webhook.test", f"webhook {endpoint_id}")
            return await _progress(unit, delivery_id)

        return await self._units.write(context.scope, test)

    async def list(
        self, context: RequestContext, endpoint_id: WebhookId, before: int, limit: int
    ) -> DeliveryPage:
        """Return deliveries with smaller ids than ``before``, the newest first, with attempts.

        Raises:
            WebhookNotFoundError: There is no such endpoint.
        """

        async def read(unit: ReadUnit) -> DeliveryPage:
            await find_endpoint(unit, context, endpoint_id)
            found = await unit.webhooks.list_deliveries(endpoint_id, before, limit + 1)
            page = found[:limit]
            more = page[-1].delivery.id if len(found) > limit else None
            return DeliveryPage(await _with_attempts(unit, endpoint_id, page), more)

        return await self._units.read(context.scope, read)

    async def show(
        self, context: RequestContext, endpoint_id: WebhookId, delivery_id: WebhookDeliveryId
    ) -> DeliveryProgress:
        """Return one delivery with its attempts.

        Raises:
            WebhookNotFoundError: There is no such endpoint.
            WebhookDeliveryNotFoundError: It has no such delivery.
        """

        async def read(unit: ReadUnit) -> DeliveryProgress:
            await find_endpoint(unit, context, endpoint_id)
            found = await _delivery(unit, endpoint_id, delivery_id)
            return (await _with_attempts(unit, endpoint_id, (found,)))[0]

        return await self._units.read(context.scope, read)

    def failure_of(self, attempt: DeliveryAttempt) -> tuple[str, str]:
        """Return why an attempt failed and what the endpoint answered; empty if it did not fail."""
        failure = open_failure(self._sealer, attempt)
        return ("", "") if failure is None else (failure.message, failure.answer)

    async def replay(
        self, context: RequestContext, endpoint_id: WebhookId, delivery_id: WebhookDeliveryId
    ) -> DeliveryProgress:
        """Call an endpoint once more about the event of a delivery.

        Raises:
            WebhookNotFoundError: There is no such endpoint.
            WebhookDeliveryNotFoundError: It has no such delivery.
            WebhookStateError: The endpoint is not active.
        """
        now = self._clock.now()

        async def queue(unit: WriteUnit) -> DeliveryProgress:
            endpoint = require_active(await find_endpoint(unit, context, endpoint_id))
            old = (await _delivery(unit, endpoint_id, delivery_id)).delivery
            event = await _event(unit, context, old.event_id)
            (new_id,) = await queue_replays(unit, endpoint, (event,), now)
            await self._audit(unit, context, "webhook.replay", f"webhook {endpoint_id}")
            return await _progress(unit, new_id)

        return await self._units.write(context.scope, queue)

    async def replay_event(
        self, context: RequestContext, event_id: EventId, endpoint_id: WebhookId | None
    ) -> int:
        """Call endpoints once more about an event; return how many deliveries are queued.

        Args:
            context: The caller.
            event_id: An event of the caller's environment.
            endpoint_id: The endpoint to call, whatever its filters say; None: all active ones
                whose filters fit.

        Raises:
            EventNotFoundError: There is no such event.
            WebhookNotFoundError: There is no such endpoint.
            WebhookStateError: It is not active.
        """
        now = self._clock.now()

        async def replay(unit: WriteUnit) -> int:
            event = await _event(unit, context, event_id)
            if endpoint_id is None:
                endpoints = [
                    each.endpoint
                    for each in await unit.webhooks.list(context.environment)
                    if each.endpoint.status is WebhookStatus.ACTIVE
                    and await is_wanted(unit, each.endpoint, event)
                ]
            else:
                endpoints = [require_active(await find_endpoint(unit, context, endpoint_id))]
            for endpoint in endpoints:
                await queue_replays(unit, endpoint, (event,), now)
            await self._audit(unit, context, "event.replay", f"event {event_id}")
            return len(endpoints)

        return await self._units.write(context.scope, replay)

    async def replay_period(
        self, context: RequestContext, endpoint_id: WebhookId, period: EventPeriod
    ) -> PeriodReplay:
        """Call an endpoint once more about the events of a period that its filters fit.

        Raises:
            WebhookNotFoundError: There is no such endpoint.
            WebhookStateError: It is not active.
        """
        now = self._clock.now()

        async def replay(unit: WriteUnit) -> PeriodReplay:
            endpoint = require_active(await find_endpoint(unit, context, endpoint_id))
            events = await unit.events.list_between(
                context.environment, period.after, period.since, period.until, MAX_REPLAYED + 1
            )
            looked_at = events[:MAX_REPLAYED]
            wanted = [each for each in looked_at if await is_wanted(unit, endpoint, each)]
            await queue_replays(unit, endpoint, wanted, now)
            await self._audit(unit, context, "webhook.replay", f"webhook {endpoint_id}")
            more = looked_at[-1].id if len(events) > MAX_REPLAYED else None
            return PeriodReplay(len(wanted), more)

        return await self._units.write(context.scope, replay)

    async def _audit(self, unit: WriteUnit, context: RequestContext, action: str, of: str) -> None:
        writer = AuditWriter(unit, self._sealer, context.account_id)
        await writer.record((entry_of(context, action, of),), self._clock.now())


async def _event(unit: ReadUnit, context: RequestContext, event_id: EventId) -> SealedEvent:
    event = await unit.events.find(event_id)
    if event is None or event.environment is not context.environment:
        raise EventNotFoundError
    return event


async def _delivery(
    unit: ReadUnit, endpoint_id: WebhookId, delivery_id: WebhookDeliveryId
) -> DeliveryProgress:
    found = await unit.webhooks.find_delivery(delivery_id)
    if found is None or found.delivery.endpoint_id != endpoint_id:
        raise WebhookDeliveryNotFoundError
    return found


async def _progress(unit: ReadUnit, delivery_id: WebhookDeliveryId) -> DeliveryProgress:
    found = await unit.webhooks.find_delivery(delivery_id)
    assert found is not None  # it was stored in this unit
    return found


async def _with_attempts(
    unit: ReadUnit, endpoint_id: WebhookId, page: Sequence[DeliveryProgress]
) -> tuple[DeliveryProgress, ...]:
    """Return deliveries with their attempts, by one query; the newest delivery comes first."""
    if not page:
        return ()
    attempts = await unit.webhooks.list_attempts(
        endpoint_id, page[-1].delivery.id, page[0].delivery.id
    )
    return tuple(
        replace(
            each,
            attempts=tuple(a for a in attempts if a.outbox_id == each.delivery.outbox_id),
        )
        for each in page
    )
