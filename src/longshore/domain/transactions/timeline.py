"""The history of a transaction as it is shown: timeline, deliveries and content.

The timeline joins events, delivery attempts and acknowledgements. An acknowledgement for which
there is an event appears once.

Source: contract.md sections 5 and 15.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum, unique
from types import MappingProxyType
from typing import Final

from longshore.domain.acks.model import Ack, AckRowStatus
from longshore.domain.delivery.encryption import open_failure
from longshore.domain.delivery.model import WAITING_STATES, DeliveryAttempt, OutboxState
from longshore.domain.events.model import EventType, SealedEvent
from longshore.domain.events.writer import open_message
from longshore.domain.pages import PageParameters, Total
from longshore.domain.ports import RequestContext, Sealer
from longshore.domain.transactions.actions import found_transaction
from longshore.domain.transactions.lists import DEFAULT_SORT, Sort
from longshore.domain.transactions.model import Transaction, TransactionId, TransactionStatus
from longshore.domain.transactions.states import derived_status
from longshore.domain.units import ReadUnit, Units
from longshore.kit.errors import ErrorCode


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackedTransaction:
    """A transaction with all that is known of it."""

    transaction: Transaction
    output_doc_id: int | None
    """The document of the vault that the partner's map made of it."""

    @property
    def status(self) -> TransactionStatus:
        """The four axes in one word."""
        record = self.transaction.record
        return derived_status(record.direction, record.states)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListRequest(PageParameters):
    """The requested page of a list: after ``cursor``, a ``next_cursor``, or from ``offset`` on."""

    sort: Sort = DEFAULT_SORT
    cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TransactionPage:
    """A page of a list."""

    transactions: tuple[TrackedTransaction, ...]
    total: Total
    next_cursor: str | None
    """None on the last page."""

    @property
    def has_more(self) -> bool:
        """Return whether entries follow this page."""
        return self.next_cursor is not None


@unique
class TimelineKind(StrEnum):
    """The kinds of entries in a timeline; entries of one moment are listed in this order."""

    CREATED = "created"
    VALIDATED = "validated"
    CONVERTED = "converted"
    REPLAY = "replay"
    QUEUED = "queued"
    ATTEMPT = "attempt"
    DELIVERED = "delivered"
    ACK = "ack"
    RESPONSE = "response"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineEntry:
    """Something that happened."""

    at: datetime
    kind: TimelineKind
    status: str = ""
    """The outcome, or the new status of the transaction."""
    message: str = ""
    actor: str = ""
    event_id: int | None = None
    attempt: int | None = None
    ack_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """An attempt to deliver."""

    attempt: DeliveryAttempt
    message: str
    """Why it failed, or that its receipt is awaited; ``""`` else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TransactionContent:
    """The bytes of a whole interchange as it was sent or received."""

    content: bytes
    filename: str
    """Made by us."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """A transaction that was not put back into the queue, and why."""

    id: TransactionId
    code: ErrorCode


@dataclass(frozen=True, slots=True, kw_only=True)
class Redriven:
    """The number of transactions that were queued again, and those that were not."""

    queued: int
    skipped: tuple[Skipped, ...]


KINDS: Final[Mapping[EventType, TimelineKind]] = MappingProxyType({
    EventType.TRANSACTION_RECEIVED: TimelineKind.CREATED,
    EventType.TRANSACTION_VALIDATED: TimelineKind.VALIDATED,
    EventType.TRANSACTION_INVALID: TimelineKind.VALIDATED,
    EventType.TRANSACTION_DUPLICATE: TimelineKind.VALIDATED,
    EventType.TRANSACTION_QUARANTINED: TimelineKind.VALIDATED,
    EventType.TRANSACTION_RELEASED: TimelineKind.REPLAY,
    EventType.TRANSACTION_QUEUED: TimelineKind.QUEUED,
    EventType.TRANSACTION_HELD: TimelineKind.QUEUED,
    EventType.TRANSACTION_DELIVERED: TimelineKind.DELIVERED,
    EventType.TRANSACTION_FAILED: TimelineKind.ATTEMPT,
    EventType.TRANSACTION_ACKNOWLEDGED: TimelineKind.ACK,
    EventType.TRANSACTION_REJECTED: TimelineKind.ACK,
    EventType.TRANSACTION_CANCELLED: TimelineKind.CANCELLED,
    EventType.DOCUMENT_STORED: TimelineKind.CONVERTED,
    EventType.ACK_RECEIVED: TimelineKind.ACK,
    EventType.ACK_SENT: TimelineKind.ACK,
    EventType.ACK_FAILED: TimelineKind.ACK,
    EventType.ACK_OVERDUE: TimelineKind.ACK,
    EventType.ACK_UNMATCHED: TimelineKind.ACK,
    EventType.ACK_CONFLICT: TimelineKind.ACK,
    EventType.RESPONSE_MATCHED: TimelineKind.RESPONSE,
    EventType.RESPONSE_UNMATCHED: TimelineKind.RESPONSE,
    EventType.RESPONSE_OVERDUE: TimelineKind.RESPONSE,
})
"""The timeline entry for each event of a transaction; other events are not shown there."""

_RANKS: Final = {kind: rank for rank, kind in enumerate(TimelineKind)}
_RUNNING: Final = "running"
_AWAITING: Final = "awaiting_receipt"
_UNSENT_STATES: Final = WAITING_STATES - {OutboxState.AWAITING}
_TAKEN: Final = "The partner has taken it. Its receipt (MDN) is awaited."
_IN_MAILBOX: Final = "It lies in the mailbox of the partner, who has not fetched it yet."
_WAITING: Final = frozenset({AckRowStatus.PENDING, AckRowStatus.QUEUED})


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The stored history of a transaction, each list oldest first."""

    transaction: Transaction
    events: Sequence[SealedEvent]
    attempts: Sequence[DeliveryAttempt]
    acks: Sequence[Ack]


def timeline_of(sealer: Sealer, history: History) -> tuple[TimelineEntry, ...]:
    """Return what happened to a transaction, oldest first.

    Raises:
        SealBrokenError: A message is not what was stored.
    """
    entries = [entry for event in history.events for entry in _of_event(sealer, event)]
    known_acks = {each.ack_id for each in entries}
    entries = [
        *_creation(history.transaction, entries),
        *entries,
        *(_of_attempt(delivery_of(sealer, each)) for each in history.attempts),
        *(entry for ack in history.acks if ack.id not in known_acks for entry in _of_ack(ack)),
    ]
    return tuple(sorted(entries, key=_place))


def delivery_of(sealer: Sealer, attempt: DeliveryAttempt) -> Delivery:
    """Return what is reported an attempt.

    Raises:
        SealBrokenError: Its error is not what was stored.
    """
    failure = open_failure(sealer, attempt)
    message = failure.message if failure else ""
    if attempt.receipt_due_at is not None:
        message = _IN_MAILBOX if attempt.is_in_mailbox else _TAKEN
    return Delivery(attempt=attempt, message=message)


def _place(entry: TimelineEntry) -> tuple[datetime, int]:
    return entry.at, _RANKS[entry.kind]


def _creation(
    transaction: Transaction, entries: Iterable[TimelineEntry]
) -> Iterator[TimelineEntry]:
    """Yield how it began, unless an event says so: what is sent has none of its own."""
    if all(each.kind is not TimelineKind.CREATED for each in entries):
        yield TimelineEntry(at=transaction.created_at, kind=TimelineKind.CREATED)


def _of_event(sealer: Sealer, event: SealedEvent) -> Iterator[TimelineEntry]:
    kind = KINDS.get(event.type)
    if kind is TimelineKind.CONVERTED and "warnings" not in event.data:
        return  # a conversion without warnings
    if kind is not None:
        yield TimelineEntry(
            at=event.created_at,
            kind=kind,
            status=str(event.data.get("status", event.type.partition(".")[2])),
            message=open_message(sealer, event),
            actor=event.actor,
            event_id=event.id,
            attempt=_number(event, "attempt"),
            ack_id=_number(event, "ack_id"),
        )


def _number(event: SealedEvent, name: str) -> int | None:
    number = event.data.get(name)
    return number if isinstance(number, int) else None


def _of_attempt(delivery: Delivery) -> TimelineEntry:
    attempt = delivery.attempt
    return TimelineEntry(
        at=attempt.started_at,
        kind=TimelineKind.ATTEMPT,
        status=_attempt_status(attempt),
        message=delivery.message,
        attempt=attempt.attempt,
    )


def _attempt_status(attempt: DeliveryAttempt) -> str:
    if attempt.result is not None:
        return attempt.result.outcome
    return _RUNNING if attempt.receipt_due_at is None else _AWAITING


def _of_ack(ack: Ack) -> Iterator[TimelineEntry]:
    """Yield that an acknowledgement came or went; one that is awaited, or queued, did neither."""
    row = ack.row
    if row.status not in _WAITING:
        yield TimelineEntry(
            at=row.received_at or row.sent_at or ack.updated_at,
            kind=TimelineKind.ACK,
            status=row.result or row.status,
            message=row.facts.summary,
            ack_id=ack.id,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingDelivery:
    """The reason why a transaction is not sent yet."""

    waits_behind: TransactionId | None = None
    """The first set of the document that is sent before it; None: it is the next one."""
    next_attempt_at: datetime | None = None
    """When it is sent; None: it waits behind another one, is held, or does not wait."""


class PendingDeliveries:
    """The reasons why transactions are not sent yet, each read with the scope of the caller."""

    def __init__(self, units: Units) -> None:
        self._units = units

    async def find(self, context: RequestContext, transaction_id: int) -> PendingDelivery:
        """Return what a transaction waits for.

        Raises:
            TransactionNotFoundError: The scope has none of this id.
        """

        async def read(unit: ReadUnit) -> PendingDelivery:
            return await _find(unit, transaction_id)

        return await self._units.read(context.scope, read)


async def _find(unit: ReadUnit, transaction_id: int) -> PendingDelivery:
    number = (await found_transaction(unit, transaction_id)).transaction.record.interchange_id
    entries = [] if number is None else await unit.outbox.list_of_interchange(number)
    waiting = [each for each in entries if each.state in _UNSENT_STATES]
    if not waiting:
        return PendingDelivery()
    blocking = await unit.outbox.find_blocking(waiting[-1])
    if blocking is None:
        is_due = waiting[-1].state is OutboxState.DUE
        return PendingDelivery(next_attempt_at=waiting[-1].new.due_at if is_due else None)
    assert blocking.new.interchange_id is not None  # what has an order is delivered
    ids = await unit.transactions.list_ids(blocking.new.interchange_id)
    return PendingDelivery(waits_behind=min(ids, default=None))
