"""The stores of the outbox and of the delivery attempts, which a unit offers.

Source: reliability.md section 10.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from longshore.domain.delivery.model import (
    AttemptId,
    AttemptResult,
    ClaimRequest,
    DeliveryAttempt,
    HeldPartner,
    Lease,
    NewOutboxEntry,
    OutboxEntry,
    OutboxId,
    OutboxState,
    RecentAttempt,
)
from longshore.domain.partners.model import PartnerId
from longshore.domain.ports import AccountId
from longshore.domain.transactions.model import InterchangeId
from longshore.kit.environment import Environment


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

    async def list_waiting_files(
        self, partner_id: PartnerId, environment: Environment, most: int
    ) -> Sequence[OutboxEntry]:
        """Return the entries that a partner has not taken or answered yet, oldest first."""
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

    async def await_receipt(self, lease: Lease, status: int | None, due_at: datetime) -> None:
        """Note of an attempt that the partner has taken it, and when its receipt is due.

        Without an HTTP ``status`` it lies in the mailbox of the partner.
        """
        ...

    async def forget_attempt(self, attempt_id: AttemptId) -> None:
        """Remove a failed attempt that a later probe replaces."""
        ...

    async def lose_attempts(self, lease: Lease, now: datetime) -> int:
        """Store that earlier attempts without a result are lost; return how many."""
        ...
