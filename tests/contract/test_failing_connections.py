"""The connections that an operator has to look at, of all accounts, on both databases."""

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.overview.failing_connections import list_failing_connections
from longshore.domain.partners.model import ConnectionStatus, PartnerId
from longshore.domain.partners.service import PartnerService
from longshore.domain.ports import Scope
from longshore.domain.units import WriteUnit
from longshore.domain.webhooks.model import DisabledReason
from longshore.kit.environment import Environment
from tests.support.clock import StoppedClock
from tests.support.database import Database
from tests.support.partners import (
    NEIGHBOUR,
    OWN,
    a_partner_service,
    changed_partner,
    new_partner,
)
from tests.support.trading import write
from tests.support.webhooks import some_hooks

SANDBOX, LIVE = Environment.SANDBOX, Environment.PRODUCTION
HTTP = {"type": "http", "url": "https://edi.example.com/"}
Row = tuple[int, Environment, str, int, str]


@pytest.fixture
async def partners(
    database: Database, clock: StoppedClock, accounts: AccountService
) -> PartnerService:
    """Partner 1 of an account with both connections, and one more of each of two accounts."""
    for name in ("own", "Northwind"):
        await accounts.create(name, AccountType.ENTERPRISE)
    service = a_partner_service(database, clock)
    await service.create(OWN, new_partner("Both", connections={"test": HTTP, "live": HTTP}))
    for context in (OWN, NEIGHBOUR):
        await service.create(context, new_partner("Other", connections={"test": HTTP}))
    return service


async def listed(database: Database) -> list[Row]:
    return [
        (each.account_id, each.environment, each.holder, each.holder_id, each.status)
        for each in await list_failing_connections(database.units)
    ]


async def set_status(
    database: Database, scope: Scope, partner_id: int, at: Environment, status: ConnectionStatus
) -> None:
    async def change(unit: WriteUnit) -> None:
        await unit.partners.set_connection_status(PartnerId(partner_id), at, status)

    await write(database, scope, change)


@pytest.mark.usefixtures("partners")
async def test_what_fails_or_waits_for_a_person_is_listed_by_account(
    database: Database, clock: StoppedClock
) -> None:
    assert await listed(database) == []
    hooks = some_hooks(database, clock)
    gone, by_user = await hooks.endpoint(), await hooks.endpoint()

    async def disable(unit: WriteUnit) -> None:
        await unit.webhooks.disable(gone.id, DisabledReason.GONE, clock.now())
        await unit.webhooks.disable(by_user.id, DisabledReason.BY_USER, clock.now())

    await write(database, OWN.scope, disable)
    await set_status(database, OWN.scope, 1, SANDBOX, ConnectionStatus.CONNECTED)
    await set_status(database, OWN.scope, 1, LIVE, ConnectionStatus.DISABLED)
    await set_status(database, NEIGHBOUR.scope, 3, SANDBOX, ConnectionStatus.FAILING)
    assert await listed(database) == [
        (OWN.account_id, SANDBOX, "webhook", gone.id, "disabled"),
        (OWN.account_id, LIVE, "partner", 1, "disabled"),
        (NEIGHBOUR.account_id, SANDBOX, "partner", 3, "failing"),
    ]


async def test_a_partner_that_is_inactive_is_left_out(
    partners: PartnerService, database: Database
) -> None:
    await set_status(database, NEIGHBOUR.scope, 3, SANDBOX, ConnectionStatus.FAILING)
    assert len(await listed(database)) == 1
    paused = changed_partner("Other", connections={"test": HTTP}, partner_status="inactive")
    changed = await partners.change(NEIGHBOUR, PartnerId(3), None, paused)
    assert changed.partner.connection_status(SANDBOX) is ConnectionStatus.FAILING
    assert await listed(database) == []
