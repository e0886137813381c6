"""The connections that an operator has to look at, of all accounts, on both databases."""

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.overview.failing_connections import list_failing_connections
from longshore.domain.partners.model import ConnectionStatus, PartnerId
from longshore.domain.units import WriteUnit
from longshore.domain.webhooks.model import DisabledReason
from longshore.kit.environment import Environment
from tests.support.clock import StoppedClock
from tests.support.database import Database
from tests.support.partners import NEIGHBOUR, OWN, a_partner_service, new_partner
from tests.support.trading import write
from tests.support.webhooks import some_hooks

SANDBOX, LIVE = Environment.SANDBOX, Environment.PRODUCTION


async def test_what_fails_or_waits_for_a_person_is_listed_by_account(
    database: Database, clock: StoppedClock, accounts: AccountService
) -> None:
    for name in ("own", "Northwind"):
        await accounts.create(name, AccountType.ENTERPRISE)
    partners = a_partner_service(database, clock)
    http = {"type": "http", "url": "https://edi.example.com/"}
    both = await partners.create(OWN, new_partner("Both", connections={"test": http, "live": http}))
    for context in (OWN, NEIGHBOUR):
        await partners.create(context, new_partner("Other", connections={"test": http}))
    assert await list_failing_connections(database.units) == []

    hooks = some_hooks(database, clock)
    gone, by_user = await hooks.endpoint(), await hooks.endpoint()

    async def fail(unit: WriteUnit) -> None:
        for environment, status in (
            (SANDBOX, ConnectionStatus.CONNECTED),
            (LIVE, ConnectionStatus.DISABLED),
        ):
            await unit.partners.set_connection_status(both.partner.id, environment, status)
        await unit.webhooks.disable(gone.id, DisabledReason.GONE, clock.now())
        await unit.webhooks.disable(by_user.id, DisabledReason.BY_USER, clock.now())

    await write(database, OWN.scope, fail)

    async def fail_elsewhere(unit: WriteUnit) -> None:
        failing = ConnectionStatus.FAILING
        await unit.partners.set_connection_status(PartnerId(3), SANDBOX, failing)

    await write(database, NEIGHBOUR.scope, fail_elsewhere)
    found = await list_failing_connections(database.units)
    assert [
        (each.account_id, each.environment, each.holder, each.holder_id, each.status)
        for each in found
    ] == [
        (OWN.account_id, SANDBOX, "webhook", gone.id, "disabled"),
        (OWN.account_id, LIVE, "partner", both.partner.id, "disabled"),
        (NEIGHBOUR.account_id, SANDBOX, "partner", 3, "failing"),
    ]
