"""Webhook endpoints that say what a test tells, and what is queued and sent to them."""

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from longshore.domain.delivery.ports import Sent
from longshore.domain.delivery.worker import Worker
from longshore.domain.events.model import EventId, EventType, NewEvent
from longshore.domain.events.writer import EventWriter
from longshore.domain.ports import Ports, RequestContext
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.domain.webhooks.deliveries import WebhookDeliveryService
from longshore.domain.webhooks.delivery import WebhookSender
from longshore.domain.webhooks.model import (
    DeliveryProgress,
    WebhookEndpoint,
    WebhookId,
    WebhookTerms,
)
from longshore.domain.webhooks.ports import WebhookCall
from longshore.domain.webhooks.queue import EventFanOut
from longshore.domain.webhooks.service import WebhookService
from tests.support.clock import StoppedClock
from tests.support.database import Database
from tests.support.dispatch import OK, EvenIds
from tests.support.partners import OWN
from tests.support.ports import some_ports
from tests.support.trading import read, write
from tests.support.vault import a_sealer

URL = "https://erp.example.com/hooks"
BASE_URL = "https://edi.example.com"

Say = Callable[[WebhookCall], Awaitable[Sent]]


class Receiver:
    """A transport of webhooks that keeps what was called, and says what a test tells."""

    def __init__(self, *says: Sent | Say) -> None:
        self.calls: list[WebhookCall] = []
        self.says = list(says)

    async def call(self, call: WebhookCall) -> Sent:
        self.calls.append(call)
        said = self.says.pop(0) if self.says else OK
        return said if isinstance(said, Sent) else await said(call)

    @property
    def ids(self) -> list[str]:
        """The ids of the calls, in their order."""
        return [each.message_id for each in self.calls]

    def body(self, at: int = -1) -> dict[str, Any]:
        """Return the body of a call."""
        members: dict[str, Any] = json.loads(self.calls[at].body)
        return members


@dataclass(frozen=True)
class Hooks:
    """The services of webhooks, and a worker that calls one receiver."""

    database: Database
    clock: StoppedClock
    ports: Ports
    receiver: Receiver = field(default_factory=Receiver)

    @property
    def service(self) -> WebhookService:
        of = self.ports
        return WebhookService(of.units, of.clock, of.sealer, of.ids, of.destinations)

    @property
    def deliveries(self) -> WebhookDeliveryService:
        return WebhookDeliveryService(self.ports.units, self.clock, self.ports.sealer)

    def worker(self, receiver: Receiver | None = None, owner: str = "worker 1") -> Worker:
        sender = WebhookSender(self.ports, receiver or self.receiver, BASE_URL)
        return Worker(self.ports, {}, sender, owner=owner, for_webhooks=True)

    async def endpoint(self, by: RequestContext = OWN, **members: object) -> WebhookEndpoint:
        given: dict[str, Any] = {"url": URL, **members}
        issued = await self.service.create(by, WebhookTerms(**given))
        return issued.endpoint

    async def happens(
        self,
        kind: EventType = EventType.MAP_SAVED,
        by: RequestContext = OWN,
        **data: int | str,
    ) -> EventId:
        """Record an event."""
        owner = (by.account_id, by.environment)

        async def record(unit: WriteUnit) -> EventId:
            new = NewEvent(type=kind, data=data or {"map_id": 7}, actor="user 5")
            writer = EventWriter(unit, a_sealer(), owner)
            (event_id,) = await writer.record_at_once((new,), self.clock.now())
            return event_id

        return await write(self.database, by.scope, record)

    async def fan_out(self) -> int:
        return await EventFanOut(self.database.units, self.clock).run_once()

    async def call(self) -> int:
        """Queue new events and make the calls that are due; return how many entries were done."""
        await self.fan_out()
        worker, count = self.worker(), 0
        while done := await worker.run_once():
            count += done
        return count

    async def listed(
        self, endpoint_id: WebhookId, by: RequestContext = OWN
    ) -> Sequence[DeliveryProgress]:
        return (await self.deliveries.list(by, endpoint_id, 2**63 - 1, 100)).deliveries

    async def shown(self, endpoint_id: WebhookId, by: RequestContext = OWN) -> WebhookEndpoint:
        async def find(unit: ReadUnit) -> WebhookEndpoint:
            stored = await unit.webhooks.find(endpoint_id)
            assert stored is not None
            return stored.endpoint

        return await read(self.database, by.scope, find)


def some_hooks(database: Database, clock: StoppedClock, *says: Sent | Say) -> Hooks:
    ports = some_ports(database, clock, ids=EvenIds("webhooks"))
    return Hooks(database, clock, ports, Receiver(*says))
