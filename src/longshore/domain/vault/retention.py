"""Removes the documents that accounts keep no longer; the clock decides when it is asked to.

How long an account keeps them is read in each unit that removes some: who keeps them for longer
while a purge runs loses nothing more.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from longshore.domain.accounts.model import Account
from longshore.domain.ports import SYSTEM, Scope
from longshore.domain.units import ReadUnit, Units, WriteUnit
from longshore.kit.clock import Clock
from longshore.kit.environment import Environment

PURGE_BATCH: Final = 500
"""Documents that one write unit removes: others wait for no longer than that takes."""


class Retention:
    """The retention of all accounts; a suspended one's documents age as well."""

    def __init__(self, units: Units, clock: Clock) -> None:
        self._units = units
        self._clock = clock

    async def purge(self) -> int:
        """Remove what has expired in every account, each in its own scope; return how much.

        In units of at most ``PURGE_BATCH`` documents. A kill between two of them leaves the rest
        to the next call.

        Raises:
            LongshoreError: ``storage_unavailable``; the next call goes on with the rest.
        """
        now, removed = self._clock.now(), 0
        for account in await self._units.read(SYSTEM, _accounts):
            if account.retention_days is not None:
                # Production sees the documents of both environments.
                scope = Scope(account_id=account.id, environment=Environment.PRODUCTION)
                removed += await self._purge(scope, now)
        return removed

    async def _purge(self, scope: Scope, now: datetime) -> int:
        async def remove(unit: WriteUnit) -> int:
            (account,) = await unit.accounts.list()
            if account.retention_days is None:
                return 0
            before = now - timedelta(days=account.retention_days)
            expired = await unit.vault.list_expired(before, PURGE_BATCH)
            return sum([await unit.vault.delete(each) for each in expired])

        removed = batch = await self._units.write(scope, remove)
        while batch == PURGE_BATCH:
            batch = await self._units.write(scope, remove)
            removed += batch
        return removed


async def _accounts(unit: ReadUnit) -> Sequence[Account]:
    return await unit.accounts.list()
