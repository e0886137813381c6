"""The stores of AS2 identities and of AS2 receipts in a unit.

The private keys are one encrypted JSON list of PEM texts, in the order of the certificates. They
are bound to the id of the row and to ``sealed_version``, which counts how often they changed.

A receipt that has a connection of its own belongs to an entry of the outbox: ``inbound`` to the
delivery whose receipt is awaited, ``outbound`` to the job that sends it. What it holds is one
encrypted JSON object.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Protocol

from longshore.domain.accounts.model import Account
from longshore.domain.as2.model import As2Identity, As2IdentityId, As2ReceiptId
from longshore.domain.delivery.model import OutboxId
from longshore.domain.partners.model import Direction, PartnerId
from longshore.domain.ports import AccountId, KeyForRow
from longshore.kit.environment import Environment

KEYS_ROW_KIND: Final = "as2_keys"
RECEIPT_ROW_KIND: Final = "as2_receipt"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredAs2Identity:
    """An identity as it lies in its row."""

    identity: As2Identity
    sealed_version: int
    wrapped_key: bytes
    private_keys: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewAs2Identity:
    """An identity to be stored; its private keys are encrypted already."""

    account_id: AccountId
    environment: Environment
    name: str
    certificates: tuple[str, ...]
    private_keys: bytes = field(repr=False)


class As2IdentityReadStore(Protocol):
    """AS2 identities, to be read."""

    async def find(self, environment: Environment, name: str) -> StoredAs2Identity | None:
        """Return the identity of the account with this name in an environment."""
        ...

    async def find_with_account(self, name: str) -> tuple[StoredAs2Identity, Account] | None:
        """Return the identity of any account with this name, and its account."""
        ...

    async def list(self, environment: Environment) -> Sequence[StoredAs2Identity]:
        """Return those of an environment, in the order they were made."""
        ...


class As2IdentityStore(As2IdentityReadStore, Protocol):
    """AS2 identities, to be read and changed."""

    async def insert(self, new: NewAs2Identity, key_for: KeyForRow, now: datetime) -> As2IdentityId:
        """Store an identity at sealed version 1; return its id.

        Raises:
            NotUniqueError: Out of the unit: an account of the installation has the name.
        """
        ...

    async def change_keys(self, changed: StoredAs2Identity, now: datetime) -> bool:
        """Store other keys; False unless ``sealed_version`` is the one after the stored one."""
        ...

    async def delete(self, identity_id: As2IdentityId) -> bool:
        """Remove an identity; False if there is none."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class NewReceiptRow:
    """The plain columns of a receipt to be stored."""

    account_id: AccountId
    environment: Environment
    direction: Direction
    partner_id: PartnerId
    outbox_id: OutboxId
    message_id: str
    """Of the message of ours that is awaited a receipt for, without brackets; else ``""``."""
    attempt: int
    """The number of the delivery attempt that it is for; of ours, how often it was sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredAs2Receipt:
    """A receipt as it lies in its row."""

    id: As2ReceiptId
    new: NewReceiptRow
    sealed_version: int
    wrapped_key: bytes
    facts: bytes = field(repr=False)


class As2ReceiptReadStore(Protocol):
    """AS2 receipts with connections of their own, to be read."""

    async def find_awaited(self, partner_id: PartnerId, message_id: str) -> StoredAs2Receipt | None:
        """Return the receipt that is awaited for a message to a partner, also if it came."""
        ...

    async def find_of_entry(self, outbox_id: OutboxId) -> StoredAs2Receipt | None:
        """Return the receipt that belongs to an entry of the outbox."""
        ...


class As2ReceiptStore(As2ReceiptReadStore, Protocol):
    """AS2 receipts, to be read and changed."""

    async def insert(
        self, new: NewReceiptRow, key_for: KeyForRow, facts: bytes, now: datetime
    ) -> As2ReceiptId:
        """Store a receipt at sealed version 1, with its encrypted facts; return its id."""
        ...

    async def lock(self, outbox_id: OutboxId) -> StoredAs2Receipt | None:
        """Return the receipt of an entry, which no other unit changes until this one ends."""
        ...

    async def change(self, changed: StoredAs2Receipt, now: datetime) -> bool:
        """Store other facts; False unless ``sealed_version`` is the one after the stored one."""
        ...
