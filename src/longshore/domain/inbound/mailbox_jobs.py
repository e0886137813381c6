"""The jobs of the outbox that poll mailboxes: one is made for each mailbox.

A partner is the same in both environments, and a unit of the sandbox stores nothing of production:
so the entries are not stored with the partner, but by a worker that looks at all partners.
"""

from __future__ import annotations

from datetime import datetime

from longshore.domain.accounts.model import AccountStatus
from longshore.domain.delivery.model import JobKind, NewOutboxEntry
from longshore.domain.partners.connections import ConnectionType, mailbox_of
from longshore.domain.partners.encryption import partner_of
from longshore.domain.partners.model import PartnerId
from longshore.domain.ports import SYSTEM, AccountId, Ports, Scope
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.environment import Environment


class MailboxScheduler:
    """Makes the entry of the outbox for each mailbox that has none."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    async def run_once(self) -> int:
        """Look at the mailboxes of all accounts; return how many got an entry."""

        async def accounts(unit: ReadUnit) -> list[AccountId]:
            found = await unit.accounts.list()
            return [each.id for each in found if each.status is AccountStatus.ACTIVE]

        return sum([
            await self._schedule(each) for each in await self._ports.units.read(SYSTEM, accounts)
        ])

    async def _schedule(self, account_id: AccountId) -> int:
        now = self._ports.clock.now()

        async def missing(unit: ReadUnit) -> list[NewOutboxEntry]:
            wanted = [
                _poll(stored.id, environment, now)
                for kind in (ConnectionType.SFTP, ConnectionType.FTPS)
                for stored in await unit.partners.list_connected(kind)
                for environment in Environment
                if mailbox_of(partner_of(stored).terms.connections.of(environment))
            ]
            return [each for each in wanted if not await unit.outbox.has_open(account_id, each)]

        # That scope sees the entries of both environments.
        scope = Scope(account_id=account_id, environment=Environment.PRODUCTION)
        found = await self._ports.units.read(scope, missing)
        for new in found:
            await self.insert(account_id, new)
        return len(found)

    async def insert(self, account_id: AccountId, new: NewOutboxEntry) -> None:
        """Store an entry, unless another worker has, or the partner is removed by now."""
        partner_id = new.partner_id
        assert partner_id is not None

        async def insert(unit: WriteUnit) -> None:
            is_there = await unit.partners.find(partner_id) is not None
            if is_there and not await unit.outbox.has_open(account_id, new):
                await unit.outbox.insert(account_id, new, new.due_at)

        scope = Scope(account_id=account_id, environment=new.environment)
        await self._ports.units.write(scope, insert)


def _poll(partner_id: PartnerId, environment: Environment, now: datetime) -> NewOutboxEntry:
    return NewOutboxEntry(
        kind=JobKind.POLL,
        environment=environment,
        due_at=now,
        partner_id=partner_id,
        order_key=f"{partner_id}/{JobKind.POLL}",
    )
