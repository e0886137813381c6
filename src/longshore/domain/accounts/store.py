"""Stores of the accounts slice in a unit; the read stores lack every writing method.

Each store belongs to one unit and its scope: outside the system scope it sees and changes rows of
the scope's account only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from longshore.domain.accounts.model import (
    Account,
    AccountId,
    AccountStatus,
    AccountType,
    ApiKey,
    ApiKeyId,
    KeyScope,
)
from longshore.kit.environment import Environment


@dataclass(frozen=True, slots=True, kw_only=True)
class NewApiKey:
    """A key to be stored; ``digest`` is the SHA-256 of its text (32 bytes)."""

    account_id: AccountId
    environment: Environment
    digest: bytes
    prefix: str
    last_four: str
    scopes: frozenset[KeyScope]
    created_at: datetime
    expires_at: datetime | None
    name: str = ""


class AccountReadStore(Protocol):
    """Accounts, to be read."""

    async def find(self, folded_name: str) -> Account | None:
        """Return the account whose folded name (``service.fold``) this is."""
        ...

    async def list(self) -> Sequence[Account]:
        """Return all accounts, in the order they were made."""
        ...


class AccountStore(AccountReadStore, Protocol):
    """Accounts, to be read and changed."""

    async def insert(
        self, name: str, folded_name: str, account_type: AccountType, created_at: datetime
    ) -> Account | None:
        """Store an active account and return it; None if the folded name is taken."""
        ...

    async def set_status(self, account_id: AccountId, status: AccountStatus) -> None:
        """Change the status; the same status again changes nothing."""
        ...

    async def set_plan(self, account_id: AccountId, account_type: AccountType) -> None:
        """Change the plan; the same plan again changes nothing."""
        ...

    async def set_retention(self, account_id: AccountId, retention_days: int | None) -> None:
        """Change how long documents are kept; None: for ever."""
        ...


class ApiKeyReadStore(Protocol):
    """API keys, to be read."""

    async def find(self, key_id: ApiKeyId) -> ApiKey | None:
        """Return the key with this id."""
        ...

    async def find_with_account(self, digest: bytes) -> tuple[ApiKey, Account] | None:
        """Return the key with this SHA-256, and its account."""
        ...

    async def list(self, account_id: AccountId | None) -> Sequence[ApiKey]:
        """Return the keys of one account, or all with None, in the order they were made."""
        ...


class ApiKeyStore(ApiKeyReadStore, Protocol):
    """API keys, to be read and changed."""

    async def insert(self, new: NewApiKey) -> ApiKey:
        """Store a key and return it with its id."""
        ...

    async def revoke(self, key_id: ApiKeyId, revoked_at: datetime) -> None:
        """Set the time of revocation unless one is set."""
        ...

    async def replace(
        self, key_id: ApiKeyId, replaced_by: ApiKeyId, *, expires_at: datetime
    ) -> bool:
        """Mark the key as rotated and let it expire; False if it was revoked or rotated before."""
        ...

    async def record_use(self, key_id: ApiKeyId, used_at: datetime) -> None:
        """Set the time of last use unless a later one is set."""
        ...
