"""Usage of accounts as operators and owners see it, and quotas as operators set them."""

from collections.abc import Sequence
from typing import Final

from longshore.domain.accounts.errors import AccountNotFoundError
from longshore.domain.accounts.model import Account
from longshore.domain.accounts.service import fold
from longshore.domain.audit.model import NewEntry
from longshore.domain.audit.writer import AuditWriter
from longshore.domain.ports import NO_QUOTA, OPERATOR, SYSTEM, AccountId, Scope, StorageQuota
from longshore.domain.units import ReadUnit, Units, WriteUnit
from longshore.domain.usage.store import AccountUsage
from longshore.kit.clock import Clock

_SET_QUOTA: Final = "account.set_quota"


class UsageService:
    """Usage and quotas of all accounts.

    Args:
        units: The units of work.
        clock: The clock.
        quota: The quota of accounts that have none of their own.
    """

    def __init__(self, units: Units, clock: Clock, quota: StorageQuota = NO_QUOTA) -> None:
        self._units = units
        self._clock = clock
        self._quota = quota

    async def set_quota(self, name: str, max_bytes: int | None, max_records: int | None) -> Account:
        """Change what the account may store (None: the setting, 0: anything); return it.

        Raises:
            AccountNotFoundError: No account has this name.
        """
        now = self._clock.now()

        async def change(unit: WriteUnit) -> Account:
            account = await unit.accounts.find(fold(name))
            if account is None:
                raise AccountNotFoundError(name)
            await unit.usage.set_quota(account.id, max_bytes, max_records)
            words = ["default" if each is None else str(each) for each in (max_bytes, max_records)]
            of = f"account {account.id}, bytes {words[0]}, records {words[1]}"
            entry = NewEntry(actor=OPERATOR, action=_SET_QUOTA, object=of)
            await AuditWriter(unit, None, account.id).record((entry,), now)
            return account

        return await self._units.write(SYSTEM, change)

    async def find(self, account_id: AccountId, scope: Scope = SYSTEM) -> AccountUsage:
        """Return what an account has stored, and its quota with that of the settings filled in."""

        async def find(unit: ReadUnit) -> AccountUsage:
            return await unit.usage.find(account_id)

        usage = await self._units.read(scope, find)
        return usage.with_quota(self._quota)

    async def total_usage(self) -> AccountUsage:
        """Return what all accounts have stored together."""

        async def list_all(unit: ReadUnit) -> Sequence[AccountUsage]:
            return await unit.usage.list()

        found = await self._units.read(SYSTEM, list_all)
        return AccountUsage(
            bytes=sum(each.bytes for each in found),
            records=sum(each.records for each in found),
            is_near=any(each.is_near for each in found),
        )
