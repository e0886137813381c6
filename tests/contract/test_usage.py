"""Storage of an account: counted where it is stored and removed, and refused beyond the quota."""

from datetime import timedelta

import pytest

from longshore.compute.inline import InlineCompute
from longshore.domain.accounts.service import AccountService
from longshore.domain.events.model import SealedEvent
from longshore.domain.inbound.channel import InboundChannel
from longshore.domain.inbound.intake import Incoming, IncomingDocument, IntakeService
from longshore.domain.maps.model import Authorship, SampleDocument
from longshore.domain.maps.service import MapService
from longshore.domain.partners.encryption import TokenWriter
from longshore.domain.partners.model import Identity, InboundTokenId
from longshore.domain.ports import StorageQuota
from longshore.domain.units import WriteUnit
from longshore.domain.usage.errors import StorageQuotaError
from longshore.domain.usage.service import UsageService
from longshore.domain.usage.store import AccountUsage
from longshore.domain.vault.service import Retention, VaultService
from longshore.kit.environment import Environment
from longshore.kit.errors import ErrorCode
from longshore.storage.queries import Query
from tests.support.clock import START, StoppedClock
from tests.support.database import Database, Engine
from tests.support.maps import ORDER, a_map, a_map_service
from tests.support.ports import some_ports
from tests.support.submitting import ACCOUNT, SubmitSetup, a_submit_setup, context
from tests.support.trading import LIVE, SANDBOX, TEST, write
from tests.support.vault import a_document, a_sealer, a_vault

CONTENTS = {
    "receipts": "content",
    "interchanges": "content",
    "vault_documents": "content",
    "map_versions": "body",
    "transactions": "''",
}


@pytest.fixture
async def setup(
    database: Database, engine: Engine, clock: StoppedClock, accounts: AccountService
) -> SubmitSetup:
    return await a_submit_setup(database, engine, clock, accounts)


async def in_tables(engine: Engine) -> tuple[int, int]:
    """Return bytes and records as the tables have them."""
    size = records = 0
    async with engine.unguarded() as execute:
        for table, column in CONTENTS.items():
            text = f"SELECT count(*), COALESCE(sum(length({column})), 0) FROM {table}"
            ((count, length),) = await execute(Query(text, frozenset()), {})
            size, records = size + int(length), records + count
    return size, records


async def usage_of(setup: SubmitSetup) -> AccountUsage:
    return await UsageService(setup.database.units, setup.clock).find(ACCOUNT)


async def channel_of(setup: SubmitSetup) -> InboundChannel:
    """Return an inbound address of a new partner."""
    partner_id = await setup.partner("Sender")

    async def work(unit: WriteUnit) -> None:
        await TokenWriter(unit, a_sealer(), (ACCOUNT, partner_id)).insert("T" * 43, SANDBOX, START)

    await write(setup.database, LIVE, work)
    return InboundChannel(
        account_id=ACCOUNT,
        environment=SANDBOX,
        partner_id=partner_id,
        token_id=InboundTokenId(1),
    )


def incoming(number: int) -> Incoming:
    return Incoming(documents=(IncomingDocument(content=b"ISA %d" % number),))


async def near_events(setup: SubmitSetup) -> list[dict[str, int | str]]:
    found: list[SealedEvent] = [*await setup.events()]
    return [dict(each.data) for each in found if each.type == "account.storage_near_quota"]


async def test_what_is_stored_and_removed_is_counted_with_it(
    setup: SubmitSetup, engine: Engine, accounts: AccountService
) -> None:
    vault = a_vault(setup.database, setup.clock)
    await vault.store(TEST, a_document(), [a_document("{}")])
    channel = await channel_of(setup)
    intake = IntakeService(some_ports(setup.database, setup.clock))
    await intake.receive(channel, incoming(1))
    await intake.receive(channel, incoming(1))  # a repeat, which is not stored
    await setup.partner(identity=Identity(qualifier="ZZ", isa_id="ANOTHER"))
    await setup.submit(partner_id=2)
    used = await usage_of(setup)
    assert (used.bytes, used.records) == await in_tables(engine)
    assert used.records == 2 + 1 + 1 + 1
    await accounts.set_retention("ACMECORP", 1)
    setup.clock.move(timedelta(days=2))
    assert await Retention(setup.database.units, setup.clock).purge() == 2
    used = await usage_of(setup)
    assert (used.bytes, used.records) == await in_tables(engine)
    assert used.records == 3
    total = await UsageService(setup.database.units, setup.clock).total_usage()
    assert (total.bytes, total.records) == (used.bytes, used.records)


async def test_versions_of_maps_are_counted_with_their_samples_and_refused_beyond_the_quota(
    setup: SubmitSetup, engine: Engine
) -> None:
    units, by = setup.database.units, Authorship(saved_by="ann@example.com")
    sample = SampleDocument(document=ORDER, format="x12")
    await a_map_service(setup.database, setup.clock).create(context(), a_map(sample=sample), by)
    used = await usage_of(setup)
    assert (used.bytes, used.records) == await in_tables(engine)
    assert (used.bytes > len(ORDER), used.records) == (True, 1)
    maps = MapService(units, a_sealer(), setup.clock, InlineCompute(), StorageQuota(max_records=1))
    less = StorageQuota(max_bytes=used.bytes)
    for limit, full in (
        ("stored_records", maps),
        ("stored_bytes", MapService(units, a_sealer(), setup.clock, InlineCompute(), less)),
    ):
        with pytest.raises(StorageQuotaError) as caught:
            await full.save(context(), 1, 1, a_map(), by)
        assert caught.value.details[0].limit == limit
        assert await usage_of(setup) == used
    await maps.delete(context(), 1, 1)
    assert await usage_of(setup) == AccountUsage(max_bytes=0, max_records=0)


async def test_beyond_the_quota_nothing_is_stored_and_the_refusal_says_how_much_there_is(
    setup: SubmitSetup, engine: Engine
) -> None:
    quota = StorageQuota(max_records=4)
    channel = await channel_of(setup)
    await setup.partner(identity=Identity(qualifier="ZZ", isa_id="ANOTHER"))
    vault = VaultService(setup.database.units, setup.clock, a_sealer(), InlineCompute(), quota)
    intake = IntakeService(some_ports(setup.database, setup.clock, quota=quota))
    submits = setup.served(quota=quota)
    for number in range(4):
        await intake.receive(channel, incoming(number))
    before = await in_tables(engine)
    setup.service = submits
    for refused in (
        intake.receive(channel, incoming(5)),
        setup.submit(partner_id=2),
        vault.store(TEST, a_document(), []),
    ):
        with pytest.raises(StorageQuotaError) as caught:
            await refused
        detail = caught.value.details[0]
        assert caught.value.code is ErrorCode.STORAGE_QUOTA_EXCEEDED
        assert (detail.limit, detail.used, detail.max) == ("stored_records", 4, 4)
        assert caught.value.message == (
            "The account may store 4 records and uses 4; this was not stored."
            " Remove documents, or let the operator raise the quota."
        )
    assert await in_tables(engine) == before
    await intake.receive(channel, incoming(3))  # a repeat is answered as before
    await UsageService(setup.database.units, setup.clock).set_quota("acmecorp", None, 5)
    await intake.receive(channel, incoming(5))


async def test_at_80_percent_an_event_tells_of_it_once_for_each_crossing(
    setup: SubmitSetup, accounts: AccountService
) -> None:
    quota = StorageQuota(max_bytes=10**12, max_records=5)
    vault = VaultService(setup.database.units, setup.clock, a_sealer(), InlineCompute(), quota)
    scope = TEST
    for _ in range(4):
        await vault.store(scope, a_document(), [])
    assert await near_events(setup) == []
    await vault.store(scope, a_document(), [])
    with pytest.raises(StorageQuotaError):
        await vault.store(scope, a_document(), [])
    near = {"limit": "stored_records", "used": 4, "max": 5}
    assert await near_events(setup) == [near]
    assert (await usage_of(setup)).is_near
    await accounts.set_retention("ACMECORP", 1)
    setup.clock.move(timedelta(days=2))
    await Retention(setup.database.units, setup.clock).purge()
    for _ in range(5):
        await vault.store(scope, a_document(), [])
    assert await near_events(setup) == [near, near]


async def test_an_account_sees_its_own_usage_alone_and_the_quota_that_holds(
    setup: SubmitSetup, accounts: AccountService
) -> None:
    service = UsageService(setup.database.units, setup.clock, StorageQuota(max_bytes=70))
    await a_vault(setup.database, setup.clock).store(TEST, a_document(), [])
    await service.set_quota("ACMECORP", 0, 9)
    own = await service.find(ACCOUNT, TEST)
    assert (own.records, own.max_bytes, own.max_records) == (1, 0, 9)
    other = await accounts.create("other", (await accounts.list())[0].account_type)
    assert await service.find(other.id) == AccountUsage(max_bytes=70, max_records=0)
    assert await service.find(other.id, TEST) == AccountUsage(max_bytes=70, max_records=0)
    assert TEST.environment is Environment.SANDBOX
