"""A webhook endpoint: a URL that is called about events, and the secrets that sign the calls.

An endpoint belongs to one environment of one account. It is called about the events behind its
``position`` in the feed of the account. Rotating its secret leaves two for a while, which both
sign, so that the receiver can change to the new one without missing a call.

Source: transports.md section 4; Standard Webhooks 1.0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum, unique
from typing import Final, NewType

from longshore.domain.delivery.model import DeliveryAttempt, OutboxId, OutboxState
from longshore.domain.events.model import EventId, EventType, SealedEvent
from longshore.domain.partners.model import CLOSED_BREAKER, CircuitBreaker, PartnerId
from longshore.domain.ports import AccountId
from longshore.kit.environment import Environment

WebhookId = NewType("WebhookId", int)
WebhookDeliveryId = NewType("WebhookDeliveryId", int)

MAX_ENDPOINTS: Final = 20
"""Of an account in an environment."""
MAX_SECRETS: Final = 2
"""The one that was made last, and during a rotation the one before it."""
MAX_OVERLAP_HOURS: Final = 168
OVERLAP_HOURS: Final = 24
MAX_DESCRIPTION_CHARS: Final = 200
MAX_PARTNERS: Final = 100
"""Of the partners that an endpoint is limited to."""


@unique
class WebhookStatus(StrEnum):
    """State of an endpoint."""

    ACTIVE = "active"
    DISABLED = "disabled"
    """It is not called until somebody enables it again."""
    DELETED = "deleted"


@unique
class DisabledReason(StrEnum):
    """Why an endpoint is disabled."""

    GONE = "gone"
    """It answered with status 410."""
    FAILING = "failing"
    """No call succeeded for days."""
    BY_USER = "by_user"


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookTerms:
    """Where and about what an endpoint is called."""

    url: str
    description: str = ""
    events: tuple[EventType, ...] = ()
    """Empty: events of all types."""
    partner_ids: tuple[PartnerId, ...] = ()
    """Empty: whatever an event is about; otherwise it must be about one of these partners."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookSecret:
    """A secret that signs calls."""

    text: str = field(repr=False)
    """The secret as it is shown: ``whsec_`` and the key in base64."""
    expires_at: datetime | None = None
    """When it signs no more; None for the newest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookEndpoint:
    """A stored endpoint. Times are aware UTC."""

    id: WebhookId
    account_id: AccountId
    environment: Environment
    terms: WebhookTerms
    status: WebhookStatus
    disabled_reason: DisabledReason | None
    """None unless it is disabled."""
    position: EventId
    """The last event that was looked at for it."""
    created_at: datetime
    last_success_at: datetime | None = None
    last_failure_at: datetime | None = None
    failing_since: datetime | None = None
    """The first failure since the last success; None after a success."""
    breaker: CircuitBreaker = CLOSED_BREAKER


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookDelivery:
    """A call of an endpoint about one event, with all its attempts."""

    id: WebhookDeliveryId
    account_id: AccountId
    environment: Environment
    endpoint_id: WebhookId
    outbox_id: OutboxId
    event_id: EventId
    event_type: EventType
    replay: int
    """The number of the replay that caused it, 0 without one."""
    message_id: str
    """The header ``webhook-id``, the same in each attempt: ``evt_31``, of a replay ``evt_31_2``."""
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryProgress:
    """A delivery, and how far it is."""

    delivery: WebhookDelivery
    state: OutboxState
    due_at: datetime
    """When it may be claimed, or when its lease ends."""
    attempts: tuple[DeliveryAttempt, ...] = ()
    """The oldest first."""


def message_id_of(event_id: EventId, replay: int) -> str:
    """Return the ``webhook-id`` of an event, or of one of its replays."""
    return f"evt_{event_id}_{replay}" if replay else f"evt_{event_id}"


def event_data(
    event: SealedEvent, url: str, *, is_replay: bool = False
) -> Mapping[str, int | str | bool]:
    """Return the data of an event as receivers see it: ids, the environment, and a link."""
    data: dict[str, int | str | bool] = {**event.data}
    is_again = bool(data.pop("replay", 0))
    return {
        "event_id": event.id,
        **data,
        "environment": event.environment.value,
        "url": url,
        "replay": is_again or is_replay,
    }
