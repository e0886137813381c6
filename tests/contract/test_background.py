"""From a submitted document to its acknowledgement: all services, the simulator, one loop."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from longshore.background import open_runner, trading_ports
from longshore.compute.inline import InlineCompute
from longshore.database import OpenSealer
from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.outbound.submission import SubmitOrder
from longshore.domain.partners.connections import SIMULATOR_URL
from longshore.domain.partners.model import Direction, PartnerId
from longshore.domain.partners.store import PartnerQuery
from longshore.domain.ports import AccountId, Ports, RequestContext
from longshore.domain.trading import Trading, open_trading
from longshore.domain.transactions.model import AckStatus, States
from longshore.domain.units import ReadUnit
from longshore.settings import Settings
from longshore.storage.postgres.database import PostgresDatabase
from longshore.storage.sqlite.database import SqliteDatabase
from longshore.telemetry.metrics import Metrics
from tests.support.as2 import as2_members, pem_pair
from tests.support.database import Database
from tests.support.partners import new_partner
from tests.support.trading import SANDBOX, TEST, read
from tests.support.vault import a_sealer, an_index

AN_850 = Path("samples/850_purchase_order/input.edi").read_text(encoding="utf-8")
US = RequestContext(account_id=AccountId(1), environment=SANDBOX, actor="key 1")


@pytest.fixture
async def ports(database: Database, accounts: AccountService) -> AsyncIterator[Ports]:
    await accounts.create("own", AccountType.ENTERPRISE)
    opened = OpenSealer(
        sealer=a_sealer(),
        index=an_index(),
        cursor_key=bytes(32),
        sftp_host_key=bytes(32),
        made_key=None,
    )
    assert isinstance(database, SqliteDatabase | PostgresDatabase)
    with closing(InlineCompute()) as compute:
        yield trading_ports(Settings(), database, opened, compute, compute)


async def states(database: Database, number: int) -> States:
    async def look(unit: ReadUnit) -> States:
        (stored,) = [
            each
            for each in await unit.transactions.list_of_interchange(1)  # type: ignore[arg-type]  # the first
            if each.transaction.id == number
        ]
        return stored.transaction.record.states

    return await read(database, TEST, look)


async def the_partner(database: Database) -> PartnerId:
    async def look(unit: ReadUnit) -> PartnerId:
        (stored,) = await unit.partners.list(PartnerQuery())
        return stored.id

    return await read(database, TEST, look)


async def an_as2_simulator(trading: Trading) -> PartnerId:
    for name in ("US co", "THEM"):
        await trading.as2_identities.create(US, name, pem_pair(name))
    connections = {"test": as2_members(url=SIMULATOR_URL)}
    known = await trading.partners.create(
        US, new_partner("AS2", isa_id="AS2", connections=connections)
    )
    return known.partner.id


@pytest.mark.parametrize(
    ("script", "ack", "is_as2"),
    [("accept", AckStatus.ACCEPTED, False), ("reject:4", AckStatus.REJECTED, True)],
)
async def test_the_simulator_acknowledges_what_was_submitted(
    database: Database, ports: Ports, script: str, ack: AckStatus, *, is_as2: bool
) -> None:
    trading: Trading = open_trading(ports)
    assert await trading.provisioner.provision_accounts() == 1
    order = SubmitOrder(
        partner_id=await (an_as2_simulator(trading) if is_as2 else the_partner(database)),
        tx_set="850",
        direction=Direction.OUTBOUND,
        content=AN_850,
        restamp=True,
        metadata={"simulate": script},
    )
    submitted = await trading.submissions.submit(US, order)
    number = submitted.transaction_id
    assert number is not None
    assert isinstance(database, SqliteDatabase | PostgresDatabase)
    metrics = Metrics()
    runner = open_runner(Settings(), ports, metrics)
    running = asyncio.create_task(runner.run())
    while (found := await states(database, number)).ack is not ack:  # noqa: ASYNC110 - rows send no events
        await asyncio.sleep(0.01)
    runner.stop()
    await running
    assert found.delivery.value == "delivered"
    assert runner.counts == {("document", "done"): 1, ("receive", "done"): 1}
    attempts = b'longshore_delivery_attempts_total{outcome="succeeded"} 1.0\n'
    assert attempts in metrics.render()
