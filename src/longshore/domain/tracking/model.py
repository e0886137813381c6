"""What is told of a transaction: its record, its timeline, its deliveries, its bytes.

Source: contract.md sections 5 and 15.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum, unique

from longshore.domain.delivery.store import DeliveryAttempt
from longshore.domain.pages import PageAsked, Total
from longshore.domain.transactions.model import Transaction, TransactionId, TransactionStatus
from longshore.domain.transactions.query import DEFAULT_SORT, Sort
from longshore.domain.transactions.states import derived_status
from longshore.kit.errors import ErrorCode


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackedTransaction:
    """A transaction with all that is known of it.

    ``output_doc_id``: the document of the vault that the partner's map made of it.
    """

    transaction: Transaction
    output_doc_id: int | None

    @property
    def status(self) -> TransactionStatus:
        """The four axes in one word."""
        record = self.transaction.record
        return derived_status(record.direction, record.states)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListRequest(PageAsked):
    """Which page of a list: behind ``cursor``, a ``next_cursor``, or else from ``offset`` on."""

    sort: Sort = DEFAULT_SORT
    cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TransactionPage:
    """A page of a list. ``next_cursor``: None on the last page."""

    transactions: tuple[TrackedTransaction, ...]
    total: Total
    next_cursor: str | None

    @property
    def has_more(self) -> bool:
        """Whether something fits behind this page."""
        return self.next_cursor is not None


@unique
class TimelineKind(StrEnum):
    """What can be told of in a timeline; what is of one moment is told in this order."""

    CREATED = "created"
    VALIDATED = "validated"
    REPLAY = "replay"
    QUEUED = "queued"
    ATTEMPT = "attempt"
    DELIVERED = "delivered"
    ACK = "ack"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineEntry:
    """Something that happened. ``status``: how it ended, or what the transaction became."""

    at: datetime
    kind: TimelineKind
    status: str = ""
    message: str = ""
    actor: str = ""
    event_id: int | None = None
    attempt: int | None = None
    ack_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """An attempt to deliver. ``message``: why it failed, ``""`` where it did not."""

    attempt: DeliveryAttempt
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TransactionContent:
    """The bytes of a whole interchange as it was sent or received; ``filename``: made by us."""

    content: bytes
    filename: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """A transaction that was not put back into the queue, and why."""

    id: TransactionId
    code: ErrorCode


@dataclass(frozen=True, slots=True, kw_only=True)
class Redriven:
    """How many transactions were put back into the queue, and which were not."""

    queued: int
    skipped: tuple[Skipped, ...]
