"""An event: something that happened, with the ids of what it happened to.

Source: contract.md section 13; section 15 (``GET /api/v1/events``, timeline).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum, unique
from typing import Final, NewType

from longshore.domain.ports import AccountId
from longshore.kit.environment import Environment

EventId = NewType("EventId", int)
"""The place of an event in the feed of its account, from 1, in the order of commits."""

ROW_KIND: Final = "event"


@unique
class EventType(StrEnum):
    """The kinds of events."""

    TRANSACTION_RECEIVED = "transaction.received"
    TRANSACTION_VALIDATED = "transaction.validated"
    TRANSACTION_INVALID = "transaction.invalid"
    TRANSACTION_QUEUED = "transaction.queued"
    TRANSACTION_DELIVERED = "transaction.delivered"
    TRANSACTION_FAILED = "transaction.failed"
    TRANSACTION_ACKNOWLEDGED = "transaction.acknowledged"
    TRANSACTION_REJECTED = "transaction.rejected"
    TRANSACTION_DUPLICATE = "transaction.duplicate"
    TRANSACTION_QUARANTINED = "transaction.quarantined"
    TRANSACTION_HELD = "transaction.held"
    TRANSACTION_CANCELLED = "transaction.cancelled"
    TRANSACTION_RELEASED = "transaction.released"
    ACK_RECEIVED = "ack.received"
    ACK_SENT = "ack.sent"
    ACK_FAILED = "ack.failed"
    ACK_OVERDUE = "ack.overdue"
    ACK_UNMATCHED = "ack.unmatched"
    ACK_CONFLICT = "ack.conflict"
    RESPONSE_MATCHED = "response.matched"
    RESPONSE_UNMATCHED = "response.unmatched"
    RESPONSE_OVERDUE = "response.overdue"
    PARTNER_STATUS_CHANGED = "partner.status_changed"
    PARTNER_CIRCUIT_OPENED = "partner.circuit_opened"
    PARTNER_CIRCUIT_CLOSED = "partner.circuit_closed"
    DOCUMENT_STORED = "document.stored"
    MAP_SAVED = "map.saved"
    CONTROL_NUMBER_LOW = "control_number.low"
    CERTIFICATE_EXPIRING = "certificate.expiring"
    ACCOUNT_STORAGE_NEAR_QUOTA = "account.storage_near_quota"
    WEBHOOK_DISABLED = "webhook.disabled"
    WEBHOOK_TEST = "webhook.test"
    """Recorded for one endpoint, at somebody's request; no other endpoint is called about it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEvent:
    """An event to be recorded."""

    type: EventType
    data: Mapping[str, int | str] = field(default_factory=dict)
    """Ids and words of state alone, such as ``{"transaction_id": 7, "status": "queued"}``; it lies
    in the open.
    """
    transaction_id: int | None = None
    """Whose timeline it is in."""
    actor: str = ""
    """``key 3``, ``user 5``, ``worker``, ``""`` where nobody acted."""
    message: str = ""
    """A sentence for people, sealed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedEvent:
    """An event as it lies in its row; without a message both ``facts`` and key are empty."""

    id: EventId
    account_id: AccountId
    environment: Environment
    type: EventType
    data: Mapping[str, int | str]
    transaction_id: int | None
    actor: str
    created_at: datetime
    wrapped_key: bytes = b""
    facts: bytes = b""
