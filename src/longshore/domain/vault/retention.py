"""Removes the documents that accounts keep no longer; the clock decides when it is asked to."""

from collections.abc import Sequence
from typing import Protocol

from longshore.domain.accounts.model import Account
from longshore.domain.ports import Scope
from longshore.domain.vault.service import VaultService
from longshore.kit.environment import Environment


class AccountList(Protocol):
    """Where the accounts come from."""

    async def list(self) -> Sequence[Account]:
        """Return all accounts."""
        ...


class Retention:
    """The retention of all accounts; a suspended one's documents age as well."""

    def __init__(self, accounts: AccountList, vault: VaultService) -> None:
        self._accounts = accounts
        self._vault = vault

    async def purge(self) -> int:
        """Remove what has expired in every account, each in its own scope; return how much.

        Raises:
            LongshoreError: ``storage_unavailable``; the next call goes on with the rest.
        """
        removed = 0
        for account in await self._accounts.list():
            if account.retention_days is not None:
                # Production sees the documents of both environments.
                scope = Scope(account_id=account.id, environment=Environment.PRODUCTION)
                removed += await self._vault.purge(scope, account.retention_days)
        return removed
