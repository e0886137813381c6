"""The outbox and the delivery attempts: their rows, and the stores that a unit offers for them.

An entry is claimed in the system scope, for any account; everything after that runs in the scope of
its own account and environment. The worker that claimed it holds a lease and the number of the
attempt. A result is stored only while that is still the number (fencing), so a worker whose lease
has ended changes nothing.

    held ⇄ due ⇄ leased → done, dead          held, due → cancelled

Entries with one order key are sent one after the other, the oldest first: an entry waits while an
earlier one is due, leased or held. An entry that is sent again after ``dead`` or ``done`` is a new
one, behind the others.

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
    """What an entry of the outbox is about."""

    DOCUMENT = "document"
    """An interchange of documents is delivered."""
    ACKNOWLEDGEMENT = "acknowledgement"
    """An interchange of acknowledgements is delivered."""
    RECEIVE = "receive"
    """A receipt is processed."""
    RELEASE = "release"
    """An interchange that was set aside is processed for its partner, as if it had come now."""
    REPLAY = "replay"
    """A stored interchange is processed again; no acknowledgement of it is sent."""
    REPLAY_ACKNOWLEDGED = "replay_acknowledged"
    """The same, and it is acknowledged as well."""


def order_key(kind: JobKind, partner_id: PartnerId, functional_group: str) -> str:
    """Return the key under which deliveries keep their order: partner and kind of document.

    ``functional_group``: GS01 of the first group. Acknowledgements do not wait for documents, and
    have one order among themselves.
    """
    of_kind = kind.value if kind is JobKind.ACKNOWLEDGEMENT else functional_group
    return f"{partner_id}/{of_kind}"


OutboxId = NewType("OutboxId", int)
AttemptId = NewType("AttemptId", int)

ATTEMPT_PLACE_KIND: Final = "delivery_attempt"


@unique
class OutboxState(StrEnum):
    """How far an entry is. ``held``: nothing is done until somebody lets it go."""

    DUE = "due"
    LEASED = "leased"
    HELD = "held"
    DONE = "done"
    DEAD = "dead"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewOutboxEntry:
    """Work to be done after the commit that stores it.

    ``kind``: what is done, such as ``document`` or ``receive``. ``order_key`` None: it waits for
    nothing. The ids name what it is done with.
    """

    kind: str
    environment: Environment
    due_at: datetime
    partner_id: PartnerId | None = None
    order_key: str | None = None
    interchange_id: InterchangeId | None = None
    transaction_id: TransactionId | None = None
    receipt_id: int | None = None
    ack_id: int | None = None
    is_held: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxEntry:
    """A stored entry. ``attempt``: how often it was claimed.

    ``new.due_at``: when it may be claimed; while it is leased, when the lease ends.
    """

    id: OutboxId
    account_id: AccountId
    new: NewOutboxEntry
    state: OutboxState
    attempt: int
    lease_owner: str | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRequest:
    """What a worker asks for: at most ``most`` entries, leased to ``owner`` until then."""

    owner: str
    now: datetime
    lease_until: datetime
    most: int
    kinds: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """The right to do an entry: its number, and that of the attempt."""

    id: OutboxId
    attempt: int


class HeldPartner(NamedTuple):
    """A partner that entries of one environment are held for."""

    account_id: AccountId
    environment: Environment
    partner_id: PartnerId


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptResult:
    """What came of an attempt. ``facts`` and ``wrapped_key``: the sealed text of the error."""

    finished_at: datetime
    outcome: AttemptOutcome
    http_status: int | None = None
    error_code: str | None = None
    next_attempt_at: datetime | None = None
    wrapped_key: bytes = b""
    facts: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryAttempt:
    """An attempt to deliver. ``result`` None: it runs, or nobody knows."""

    id: AttemptId
    account_id: AccountId
    environment: Environment
    outbox_id: OutboxId
    attempt: int
    message_id: str
    started_at: datetime
    result: AttemptResult | None


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
        """Return when the first entry may be claimed; None if there is none. For ``SYSTEM``."""
        ...

    async def list_leased(self, owner: str) -> Sequence[OutboxEntry]:
        """Return the entries that a worker has leased, oldest first. For ``SYSTEM``."""
        ...

    async def list_held_partners(self) -> Sequence[HeldPartner]:
        """Return the partners that entries are held for. For ``SYSTEM``."""
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

        For ``SYSTEM``. What others hold is passed over, not waited for.
        """
        ...

    async def claim_following(
        self, ended: OutboxEntry, request: ClaimRequest
    ) -> OutboxEntry | None:
        """Lease the entry that has waited for one that has ended, if it is due; cheap.

        In the scope of the account. ``request``: whose ``most`` and ``kinds`` are not looked at.
        """
        ...

    async def renew(self, lease: Lease, until: datetime) -> bool:
        """Prolong a lease; False if it is another's by now."""
        ...

    async def finish(self, lease: Lease, to: OutboxState, now: datetime) -> bool:
        """End an entry as ``done`` or ``dead``; False if the lease is another's by now."""
        ...

    async def put_back(self, lease: Lease, due_at: datetime, now: datetime) -> bool:
        """Let an entry be claimed again then; False if the lease is another's by now."""
        ...

    async def change_waiting(
        self,
        entry_id: OutboxId,
        start: OutboxState,
        to: OutboxState,
        due_at: datetime,
        now: datetime,
    ) -> bool:
        """Hold, let go or cancel an entry; False if it does not stand at ``start``."""
        ...

    async def begin_attempt(
        self, entry: OutboxEntry, message_id: str, now: datetime
    ) -> AttemptId | None:
        """Note that an attempt begins; None if it is noted already."""
        ...

    async def end_attempt(self, lease: Lease, result: AttemptResult) -> bool:
        """Note what came of an attempt; False if that is known already."""
        ...

    async def lose_attempts(self, lease: Lease, now: datetime) -> int:
        """Note of earlier attempts without a result that they are lost; return how many."""
        ...
