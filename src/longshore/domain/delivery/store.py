"""The outbox and the delivery attempts: their rows, and the stores that a unit offers for them.

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

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum, unique
from typing import Final, NamedTuple, NewType, Protocol

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
    """When the receipt of the partner is due, while it is awaited."""


class RecentAttempt(NamedTuple):
    """An attempt that has ended, as the circuit breaker sees it."""

    finished_at: datetime
    outcome: AttemptOutcome
    http_status: int | None
    error_code: str | None


class OutboxReadStore(Protocol):
    """The outbox and the attempts, to be read."""

    async def find(self, entry_id: OutboxId) -> OutboxEntry | None:
        """Return the entry with this id."""
        ...

    async def list_of_interchange(self, interchange_id: InterchangeId) -> Sequence[OutboxEntry]:
        """Return the entries of an interchange, oldest first."""
        ...

    async def list_attempts(self, interchange_id: InterchangeId) -> Sequence[DeliveryAttempt]:
        """Return the attempts to deliver an interchange, oldest first."""
        ...

    async def next_due(self) -> datetime | None:
        """Return when the first entry may be claimed; None if there is none. For ``SYSTEM``.

        Calls of webhooks do not count, nor do they in ``claim`` and ``oldest_due``: their own
        store has them.
        """
        ...

    async def oldest_due(self, now: datetime) -> datetime | None:
        """Return since when the entry is due that is due longest, for ``SYSTEM``; None if none is.

        An entry that waits behind another one of its order is not due.
        """
        ...

    async def find_blocking(self, entry: OutboxEntry) -> OutboxEntry | None:
        """Return the first entry of an order that this one waits behind; None if it does not."""
        ...

    async def has_open(self, account_id: AccountId, new: NewOutboxEntry) -> bool:
        """Tell whether the order of an entry has one whose work has not ended."""
        ...

    async def list_recent_attempts(
        self, partner_id: PartnerId, environment: Environment, most: int
    ) -> Sequence[RecentAttempt]:
        """Return attempts to deliver to a partner that have ended, the newest first."""
        ...

    async def list_leased(self, owner: str | None) -> Sequence[OutboxEntry]:
        """Return what a worker has leased, or any worker, oldest first. For ``SYSTEM``."""
        ...

    async def list_awaiting(self, due_until: datetime, most: int) -> Sequence[OutboxEntry]:
        """Return entries whose receipt was due by then, the longest due first. For ``SYSTEM``."""
        ...

    async def list_held_partners(self) -> Sequence[HeldPartner]:
        """Return the partners for which entries are held. For ``SYSTEM``.

        Costs the same however many entries are held for each.
        """
        ...

    async def list_held(
        self, partner_id: PartnerId, environment: Environment, most: int
    ) -> Sequence[OutboxEntry]:
        """Return the entries that are held for a partner, oldest first."""
        ...


class OutboxStore(OutboxReadStore, Protocol):
    """The outbox and the attempts, to be read and changed."""

    async def insert(self, account_id: AccountId, new: NewOutboxEntry, now: datetime) -> OutboxId:
        """Store an entry; return its id."""
        ...

    async def claim(self, request: ClaimRequest) -> Sequence[OutboxEntry]:
        """Lease entries that are due, the longest due first, and count their attempts.

        For ``SYSTEM``. Entries that another claim has locked are passed over. What waits behind
        another entry costs nothing.
        """
        ...

    async def claim_following(
        self, ended: OutboxEntry, request: ClaimRequest
    ) -> OutboxEntry | None:
        """Lease the entry that is first in the order of one that has ended, if it is due.

        Cheaper than ``claim``, and in the scope of the account. The ``most`` and ``reserved`` of
        the request are ignored.
        """
        ...

    async def renew(self, lease: Lease, until: datetime) -> bool:
        """Prolong a lease; False if another worker has it by now."""
        ...

    async def finish(self, lease: Lease, to: OutboxState, now: datetime) -> bool:
        """End an entry as ``done`` or ``dead``; False if another worker has the lease by now."""
        ...

    async def put_back(
        self, lease: Lease, due_at: datetime, now: datetime, to: OutboxState = OutboxState.DUE
    ) -> bool:
        """Give a lease back: the entry is due then, or suspended.

        Returns:
            False if another worker has the lease by now.
        """
        ...

    async def make_trial(self, entry_id: OutboxId, suspended_id: OutboxId) -> None:
        """Note that the result of an entry decides about a suspended one."""
        ...

    async def resume_suspended(self, now: datetime) -> int:
        """Make suspended entries due whose trial was cancelled; return how many. For ``SYSTEM``."""
        ...

    async def make_due(
        self,
        partner_id: PartnerId,
        environment: Environment,
        at: datetime,
        unchanged_since: datetime,
    ) -> int:
        """Bring forward the next attempts for a partner to ``at``; return how many.

        Entries that changed after ``unchanged_since``, and those that were never attempted, keep
        their time.
        """
        ...

    async def make_order_due(self, entry: OutboxEntry, now: datetime) -> int:
        """Make an entry due, and all that it waits behind in its order; return how many changed."""
        ...

    async def return_leases(self, owners: Sequence[str], now: datetime) -> int:
        """Make due what these workers have leased; return how much it was. For ``SYSTEM``."""
        ...

    async def change_waiting(
        self,
        entry_id: OutboxId,
        start: OutboxState,
        to: OutboxState,
        due_at: datetime,
        now: datetime,
    ) -> bool:
        """Hold, release, resume or cancel an entry; False if it is not in state ``start``."""
        ...

    async def begin_attempt(
        self, entry: OutboxEntry, message_id: str, now: datetime
    ) -> AttemptId | None:
        """Store that an attempt begins; None if it is stored already."""
        ...

    async def end_attempt(self, lease: Lease, result: AttemptResult) -> bool:
        """Store the result of an attempt; False if it has one already."""
        ...

    async def await_receipt(self, lease: Lease, http_status: int, due_at: datetime) -> None:
        """Note of an attempt that the partner has taken it, and when its receipt is due."""
        ...

    async def forget_attempt(self, attempt_id: AttemptId) -> None:
        """Remove a failed attempt that a later probe replaces."""
        ...

    async def lose_attempts(self, lease: Lease, now: datetime) -> int:
        """Store that earlier attempts without a result are lost; return how many."""
        ...
