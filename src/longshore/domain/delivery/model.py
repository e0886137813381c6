"""The outbox and the delivery attempts: entries, their states, and what was tried.

A worker claims entries in the system scope, for any account; everything after that runs in the
scope of the entry's account and environment. The worker holds a lease and the number of the
attempt. A result is stored only while that is still the number (fencing), so a worker whose lease
has ended changes nothing.

    held ⇄ due ⇄ leased → done, dead          leased → suspended → due, dead
    held, due, suspended, awaiting → cancelled     leased → awaiting → done, due, dead

Entries with one order key are sent one after the other, the oldest first: an entry waits while an
earlier one is due, leased or held. An entry that is sent again after ``dead`` or ``done`` is a new
one, behind the others.

The first entry of an order is suspended when it alone may be at fault: it failed again and again,
with answers that do not say whether the document or the destination is broken. The entry behind it
is then sent as a trial. If that is delivered, the suspended entry is dead; if not, it is due again
and the trial waits behind it.

An entry is awaiting when the partner has taken the message and its receipt comes later, in a
connection of its own. What is behind it in its order is sent meanwhile. Without a receipt in time
the attempt has failed.

Source: reliability.md section 10, transports.md section 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum, unique
from typing import Final, NamedTuple, NewType

from longshore.domain.delivery.outcome import AttemptOutcome
from longshore.domain.partners.model import PartnerId
from longshore.domain.ports import AccountId
from longshore.domain.transactions.model import InterchangeId, TransactionId
from longshore.kit.environment import Environment


@unique
class JobKind(StrEnum):
    """The kind of job that an entry of the outbox is for."""

    DOCUMENT = "document"
    """Deliver an interchange of documents."""
    ACKNOWLEDGEMENT = "acknowledgement"
    """Deliver an interchange of acknowledgements."""
    RECEIVE = "receive"
    """Process a receipt."""
    RELEASE = "release"
    """Process an interchange of the quarantine for its partner, as if it had just arrived."""
    REPLAY = "replay"
    """Process a stored interchange again, without acknowledging it."""
    REPLAY_ACKNOWLEDGED = "replay_acknowledged"
    """Process a stored interchange again and acknowledge it."""
    AS2_RECEIPT = "as2_receipt"
    """Send the receipt for an AS2 message to the URL that its sender named."""
    WEBHOOK = "webhook"
    """Call a webhook endpoint about an event; claimed by workers that do nothing else."""
    POLL = "poll"
    """Fetch files from the mailbox of a partner; due again and again."""


def order_key(kind: JobKind, partner_id: PartnerId, functional_group: str) -> str:
    """Return the key under which deliveries keep their order: partner and kind of document.

    Acknowledgements do not wait for documents, and have one order among themselves.

    Args:
        kind: What is delivered.
        partner_id: The partner that gets it.
        functional_group: GS01 of its first group.
    """
    of_kind = kind.value if kind is JobKind.ACKNOWLEDGEMENT else functional_group
    return f"{partner_id}/{of_kind}"


OutboxId = NewType("OutboxId", int)
AttemptId = NewType("AttemptId", int)

ATTEMPT_PLACE_KIND: Final = "delivery_attempt"


@unique
class OutboxState(StrEnum):
    """State of an entry of the outbox."""

    DUE = "due"
    """It is done when its time has come and nothing of its order is before it."""
    LEASED = "leased"
    """A worker has claimed it."""
    HELD = "held"
    """Nothing is done until the partner takes documents again."""
    SUSPENDED = "suspended"
    """The entry behind it is sent as a trial first."""
    AWAITING = "awaiting"
    """It was sent, and the receipt of the partner is awaited."""
    DONE = "done"
    DEAD = "dead"
    """It was given up. A person may send it again."""
    CANCELLED = "cancelled"


BLOCKING_STATES: Final = frozenset({OutboxState.DUE, OutboxState.LEASED, OutboxState.HELD})
"""The states of an entry that those behind it in its order wait for."""

WAITING_STATES: Final = frozenset({
    *(OutboxState.DUE, OutboxState.HELD, OutboxState.SUSPENDED, OutboxState.AWAITING)
})
"""The states of an entry that is still to be done and that no worker has."""

OPEN_STATES: Final = WAITING_STATES | {OutboxState.LEASED}
"""The states of an entry whose work has not ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewOutboxEntry:
    """Work to be done after the commit that stores it. The ids name what it is done with."""

    kind: str
    """A ``JobKind``."""
    environment: Environment
    due_at: datetime
    partner_id: PartnerId | None = None
    order_key: str | None = None
    """The order it keeps; None: it waits for nothing."""
    interchange_id: InterchangeId | None = None
    transaction_id: TransactionId | None = None
    receipt_id: int | None = None
    ack_id: int | None = None
    is_held: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxEntry:
    """A stored entry."""

    id: OutboxId
    account_id: AccountId
    new: NewOutboxEntry
    """The entry as it was stored; its ``due_at`` says when it may be claimed, or when its lease
    ends."""
    state: OutboxState
    attempt: int
    """The number of times that it was claimed."""
    trial_of: OutboxId | None = None
    """The suspended entry that it was made the trial of; it may be settled by now."""
    lease_owner: str | None
    created_at: datetime
    updated_at: datetime


class ReservedSlots(NamedTuple):
    """The number of entries of each kind that are claimed first, if so many are due.

    The remaining ones are those that have been due longest.
    """

    deliveries: int = 0
    others: int = 0


NO_RESERVED_SLOTS: Final = ReservedSlots()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRequest:
    """A worker's request to claim entries."""

    owner: str
    """The name of the worker, for its leases."""
    now: datetime
    lease_until: datetime
    most: int
    """The largest number of entries."""
    reserved: ReservedSlots = NO_RESERVED_SLOTS


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """The right of a worker to do an entry, as long as the attempt has this number."""

    id: OutboxId
    attempt: int


class HeldPartner(NamedTuple):
    """A partner for which entries of one environment are held."""

    account_id: AccountId
    environment: Environment
    partner_id: PartnerId


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptResult:
    """The result of an attempt."""

    finished_at: datetime
    outcome: AttemptOutcome
    http_status: int | None = None
    error_code: str | None = None
    next_attempt_at: datetime | None = None
    """When the schedule has the next attempt; None: this was the last one."""
    wrapped_key: bytes = b""
    """The encrypted key of ``facts``."""
    facts: bytes = b""
    """The encrypted text of the error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryAttempt:
    """An attempt to deliver."""

    id: AttemptId
    account_id: AccountId
    environment: Environment
    outbox_id: OutboxId
    attempt: int
    message_id: str
    started_at: datetime
    result: AttemptResult | None
    """None while it runs, and after a crash until the next attempt begins."""
    receipt_due_at: datetime | None = None
    """When the receipt of the partner is due, while it is awaited; in a mailbox, the fetch."""
    is_in_mailbox: bool = False
    """True while it waits for its partner in a mailbox."""


class RecentAttempt(NamedTuple):
    """An attempt that has ended, as the circuit breaker sees it."""

    finished_at: datetime
    outcome: AttemptOutcome
    http_status: int | None
    error_code: str | None
