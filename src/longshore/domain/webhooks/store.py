"""The stores of webhook endpoints and of the deliveries to them in a unit.

The secrets of an endpoint are one encrypted JSON list. They are bound to the id of the row and to
``sealed_version``, which counts how often they changed. A delivery is an entry of the outbox with a
row of its own, which says what the entry is for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Protocol

from longshore.domain.delivery.model import (
    AttemptId,
    ClaimRequest,
    DeliveryAttempt,
    OutboxEntry,
    OutboxId,
    RecentAttempt,
)
from longshore.domain.events.model import EventId, SealedEvent
from longshore.domain.partners.model import CircuitBreaker, PartnerId
from longshore.domain.ports import AccountId, KeyForRow, Scope
from longshore.domain.webhooks.model import (
    DeliveryProgress,
    WebhookDelivery,
    WebhookDeliveryId,
    WebhookEndpoint,
    WebhookId,
    WebhookTerms,
)
from longshore.kit.environment import Environment

SECRETS_ROW_KIND: Final = "webhook_secrets"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredWebhook:
    """An endpoint as it lies in its row."""

    endpoint: WebhookEndpoint
    sealed_version: int
    wrapped_key: bytes
    secrets: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewWebhook:
    """An endpoint to be stored; its secrets are encrypted already."""

    account_id: AccountId
    environment: Environment
    terms: WebhookTerms
    position: EventId
    secrets: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewWebhookDelivery:
    """A delivery to be stored."""

    endpoint: WebhookEndpoint
    event: SealedEvent
    replay: int
    outbox_id: OutboxId


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointRef:
    """An endpoint of any account."""

    id: WebhookId
    scope: Scope


class WebhookReadStore(Protocol):
    """Webhook endpoints and their deliveries, to be read."""

    async def find(self, endpoint_id: WebhookId) -> StoredWebhook | None:
        """Return the endpoint with this id, also a deleted one."""
        ...

    async def list(self, environment: Environment) -> Sequence[StoredWebhook]:
        """Return those of an environment that are not deleted, in the order they were made."""
        ...

    async def list_behind(self) -> Sequence[EndpointRef]:
        """Return active ones with events that were not looked at for them. For ``SYSTEM``."""
        ...

    async def next_due(self) -> datetime | None:
        """Return when the first call may be claimed; None if there is none. For ``SYSTEM``."""
        ...

    async def list_all(self) -> Sequence[EndpointRef]:
        """Return those of all accounts, also deleted ones. For ``SYSTEM``."""
        ...

    async def find_delivery(self, delivery_id: WebhookDeliveryId) -> DeliveryProgress | None:
        """Return the delivery with this id, without its attempts."""
        ...

    async def find_delivery_of_entry(self, outbox_id: OutboxId) -> WebhookDelivery | None:
        """Return the delivery that an entry of the outbox is for."""
        ...

    async def list_deliveries(
        self, endpoint_id: WebhookId, before: int, limit: int
    ) -> Sequence[DeliveryProgress]:
        """Return deliveries with smaller ids than ``before``, the newest first, no attempts."""
        ...

    async def list_attempts(
        self, endpoint_id: WebhookId, first: WebhookDeliveryId, last: WebhookDeliveryId
    ) -> Sequence[DeliveryAttempt]:
        """Return the attempts of the deliveries with ids in a range, oldest first."""
        ...

    async def list_recent_attempts(
        self, endpoint_id: WebhookId, most: int
    ) -> Sequence[RecentAttempt]:
        """Return attempts that have ended, the newest first."""
        ...

    async def list_ended(
        self, endpoint_id: WebhookId, before: datetime, most: int
    ) -> Sequence[tuple[WebhookDeliveryId, OutboxId]]:
        """Return deliveries stored before a time whose work has ended, the oldest first."""
        ...

    async def find_partner_of(self, event: SealedEvent) -> PartnerId | None:
        """Return the partner of the transaction or interchange that an event is about."""
        ...


class WebhookStore(WebhookReadStore, Protocol):
    """Webhook endpoints and their deliveries, to be read and changed."""

    async def claim(self, request: ClaimRequest) -> Sequence[OutboxEntry]:
        """Lease calls, as ``OutboxStore.claim`` leases all else; nothing is reserved."""
        ...

    async def leave_order(self, entry: OutboxEntry) -> None:
        """Let what follows an entry in its order be claimed, as if the entry had no order."""
        ...

    async def insert(self, new: NewWebhook, key_for: KeyForRow, now: datetime) -> WebhookId:
        """Store an endpoint at sealed version 1; return its id."""
        ...

    async def change(self, endpoint_id: WebhookId, terms: WebhookTerms, now: datetime) -> bool:
        """Change its terms; False if there is none."""
        ...

    async def change_secrets(self, changed: StoredWebhook, now: datetime) -> bool:
        """Store other secrets; False unless ``sealed_version`` is the one after the stored one."""
        ...

    async def disable(self, endpoint_id: WebhookId, reason: str, now: datetime) -> bool:
        """Stop calls; False if it was not active."""
        ...

    async def enable(self, endpoint_id: WebhookId, position: EventId, now: datetime) -> bool:
        """Begin calls with the events behind ``position``; False if it was not disabled."""
        ...

    async def delete(self, endpoint_id: WebhookId, now: datetime) -> bool:
        """End it for good and forget its URL and secrets; False if there is none."""
        ...

    async def move(self, endpoint: WebhookEndpoint, to: EventId) -> bool:
        """Note up to where events were looked at; False if another worker was first."""
        ...

    async def draw_replay(self, endpoint_id: WebhookId) -> int:
        """Return the number of the next replay; until the unit ends no other gets one."""
        ...

    async def set_breaker(self, endpoint: WebhookEndpoint, to: CircuitBreaker) -> bool:
        """Change the circuit breaker; False if another worker was first."""
        ...

    async def record_success(self, endpoint_id: WebhookId, now: datetime) -> None:
        """Store that a call succeeded."""
        ...

    async def record_failure(self, endpoint_id: WebhookId, now: datetime) -> None:
        """Store that a call failed."""
        ...

    async def insert_delivery(self, new: NewWebhookDelivery, now: datetime) -> WebhookDeliveryId:
        """Store what an entry of the outbox is for; return the id."""
        ...

    async def begin_attempt(
        self, entry: OutboxEntry, delivery: WebhookDelivery, now: datetime
    ) -> AttemptId | None:
        """Store that an attempt begins; None if it is stored already."""
        ...

    async def make_due(
        self, endpoint_id: WebhookId, at: datetime, unchanged_since: datetime
    ) -> int:
        """Bring forward next attempts, as ``OutboxStore.make_due`` does for a partner."""
        ...

    async def delete_delivery(self, delivery_id: WebhookDeliveryId, outbox_id: OutboxId) -> None:
        """Remove an ended delivery with its attempts and its entry."""
        ...
