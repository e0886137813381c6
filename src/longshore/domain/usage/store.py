"""Stores of the usage slice in a unit; the read store lacks every writing method."""

from collections.abc import Sequence
from typing import Protocol

from longshore.domain.ports import AccountId
from longshore.domain.usage.model import AccountUsage


class UsageReadStore(Protocol):
    """Usage of accounts, to be read."""

    async def find(self, account_id: AccountId) -> AccountUsage:
        """Return the usage of an account."""
        ...

    async def list(self) -> Sequence[AccountUsage]:
        """Return the usage of each account that has stored something or has a quota."""
        ...


class UsageStore(UsageReadStore, Protocol):
    """Usage of accounts; what is stored and removed is counted by the unit itself."""

    async def set_quota(
        self, account_id: AccountId, max_bytes: int | None, max_records: int | None
    ) -> None:
        """Set the quota of an account; None: that of the settings, 0: none."""
        ...

    async def set_near(self, account_id: AccountId, *, is_near: bool) -> None:
        """Note whether the event about the quota was recorded."""
        ...
