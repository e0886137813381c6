"""Usage of storage by an account, and the stores of it in a unit.

Bytes are those of receipts, interchanges, vault documents and versions of maps, which have samples,
as they are stored; records are these and transactions. They are counted in the unit that stores or
removes them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from longshore.domain.ports import AccountId, StorageQuota


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountUsage:
    """Storage that an account uses."""

    bytes: int = 0
    records: int = 0
    max_bytes: int | None = None
    """The quota of this account; None: that of the settings, 0: none."""
    max_records: int | None = None
    is_near: bool = False
    """True if the event about the quota was recorded and the usage has not fallen since."""

    def with_quota(self, default: StorageQuota) -> "AccountUsage":
        """Return the usage with the quota of the settings where the account has none."""
        return replace(
            self,
            max_bytes=default.max_bytes if self.max_bytes is None else self.max_bytes,
            max_records=default.max_records if self.max_records is None else self.max_records,
        )


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
