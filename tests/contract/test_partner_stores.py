"""Own identities, partners and the tokens of their inbound URLs, on both engines."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.partners.model import (
    ConnectionStatus,
    Identity,
    InboundToken,
    InboundTokenId,
    OwnIdentity,
    OwnIdentityId,
    PartnerId,
    PartnerStatus,
)
from longshore.domain.partners.status import PartnerState
from longshore.domain.partners.store import (
    PartnerQuery,
    SealedSecrets,
    SealedToken,
    StoredPartner,
)
from longshore.domain.ports import SYSTEM, AccountId, NotUniqueError, Scope
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.environment import Environment
from tests.support.clock import START
from tests.support.database import Database, Engine
from tests.support.trading import (
    FOREIGN_LIVE,
    LIVE,
    PRODUCTION,
    SANDBOX,
    TEST,
    a_partner,
    a_record,
    any_key,
    partner_facts,
    read,
    stored_transaction,
    write,
)

WRITERS = 8
HOUR = timedelta(hours=1)
OURS = Identity(qualifier="ZZ", isa_id="ACMECORP", gs_id="ACME")
TESTING, ACTIVE, INACTIVE = PartnerStatus.TESTING, PartnerStatus.ACTIVE, PartnerStatus.INACTIVE


@pytest.fixture(autouse=True)
async def two_accounts(accounts: AccountService) -> None:
    for name in ("own", "foreign"):
        await accounts.create(name, AccountType.ENTERPRISE)


async def identities(database: Database, given: Scope = LIVE) -> list[OwnIdentity]:
    async def work(unit: ReadUnit) -> list[OwnIdentity]:
        return [*await unit.identities.list()]

    return await read(database, given, work)


async def add_identity(
    database: Database, identity: Identity, given: Scope = LIVE
) -> OwnIdentity | None:
    async def work(unit: WriteUnit) -> OwnIdentity | None:
        assert given.account_id is not None
        return await unit.identities.insert(given.account_id, identity, START)

    return await write(database, given, work)


async def test_an_identity_exists_once_in_an_account(database: Database) -> None:
    first = OwnIdentity(id=OwnIdentityId(1), identity=OURS)
    assert await add_identity(database, OURS) == first
    assert await add_identity(database, OURS) is None
    assert await add_identity(database, OURS, FOREIGN_LIVE) is not None
    other = replace(OURS, gs_id="ACME2")
    assert await add_identity(database, other) is not None
    assert [each.identity for each in await identities(database)] == [OURS, other]


async def test_an_identity_that_a_partner_names_is_not_removed(database: Database) -> None:
    for identity in (OURS, replace(OURS, isa_id="OTHER")):
        await add_identity(database, identity)

    async def work(unit: WriteUnit) -> list[bool]:
        facts = partner_facts(own_identity_id=OwnIdentityId(1))
        await unit.partners.insert(AccountId(1), facts, TESTING, START)
        return [await unit.identities.delete(OwnIdentityId(number)) for number in (1, 2, 2)]

    assert await write(database, LIVE, work) == [False, True, False]
    assert [each.id for each in await identities(database)] == [1]


async def test_an_identity_becomes_another_but_not_one_that_exists(database: Database) -> None:
    taken, new = replace(OURS, isa_id="TAKEN"), replace(OURS, isa_id="NEW")
    for identity in (OURS, taken):
        await add_identity(database, identity)

    async def change(to: Identity, number: int = 1) -> bool:
        async def work(unit: WriteUnit) -> bool:
            return await unit.identities.change(OwnIdentityId(number), to)

        return await write(database, LIVE, work)

    assert (await change(new), await change(new, 3)) == (True, False)
    with pytest.raises(NotUniqueError):
        await change(taken)
    assert [each.identity for each in await identities(database)] == [new, taken]


async def find(database: Database, partner_id: int, given: Scope = LIVE) -> StoredPartner | None:
    async def work(unit: ReadUnit) -> StoredPartner | None:
        return await unit.partners.find(PartnerId(partner_id))

    return await read(database, given, work)


async def test_a_partner_comes_back_as_it_was_stored(database: Database) -> None:
    partner_id = await a_partner(database)
    assert await find(database, partner_id, TEST) == StoredPartner(
        id=PartnerId(1),
        account_id=AccountId(1),
        version=1,
        state=PartnerState(TESTING),
        facts=partner_facts(),
        test_status=ConnectionStatus.UNVERIFIED,
        live_status=ConnectionStatus.NOT_CONFIGURED,
        sealed=SealedSecrets(version=0, wrapped_key=bytes(65), secrets=b""),
        last_activity_at=None,
        created_at=START,
        updated_at=START,
    )
    assert await find(database, partner_id, FOREIGN_LIVE) is None


async def test_a_name_exists_once_in_an_account_however_it_is_written(database: Database) -> None:
    await a_partner(database)
    await a_partner(database, given=FOREIGN_LIVE)

    async def work(unit: WriteUnit) -> PartnerId | None:
        facts = partner_facts("NORTHWIND retail")
        return await unit.partners.insert(AccountId(1), facts, TESTING, START)

    assert await write(database, LIVE, work) is None

    another = await a_partner(database, "Another")

    async def rename(unit: WriteUnit) -> bool:
        return await unit.partners.change(another, 1, partner_facts(), START)

    with pytest.raises(NotUniqueError):
        await write(database, LIVE, rename)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (PartnerQuery(), [1, 2, 3]),
        (PartnerQuery(statuses=frozenset({TESTING})), [1, 3]),
        (PartnerQuery(statuses=frozenset({ACTIVE, INACTIVE})), [2]),
        (PartnerQuery(folded_prefix="north"), [1, 2]),
        (PartnerQuery(folded_prefix="%"), []),
        (PartnerQuery(statuses=frozenset({ACTIVE}), folded_prefix="s"), []),
    ],
)
async def test_partners_are_filtered_counted_and_paged(
    database: Database, query: PartnerQuery, expected: list[int]
) -> None:
    for name, status in (("Northwind", TESTING), ("Northern", ACTIVE), ("Southern", TESTING)):
        await a_partner(database, name, status=status)
    await a_partner(database, "Northwest", FOREIGN_LIVE)

    async def work(unit: ReadUnit) -> tuple[list[int], int, list[int]]:
        found = [each.id for each in await unit.partners.list(query)]
        page = [each.id for each in await unit.partners.list(query, 1, 1)]
        return [*found], await unit.partners.count(query), [*page]

    assert await read(database, TEST, work) == (expected, len(expected), expected[1:2])


async def test_routing_learns_how_each_partner_is_addressed(database: Database) -> None:
    await a_partner(database, status=ACTIVE)
    await a_partner(database, given=FOREIGN_LIVE)

    async def work(unit: ReadUnit) -> list[object]:
        return [*await unit.partners.list_addresses()]

    identity = Identity(qualifier="01", isa_id="123456789", gs_id="NWRETAIL")
    assert await read(database, TEST, work) == [(1, ACTIVE, identity, None)]


async def test_what_is_known_of_a_connection_is_noted_once_and_outlives_a_change(
    database: Database,
) -> None:
    await a_partner(database)

    async def work(unit: WriteUnit) -> list[bool]:
        connected = ConnectionStatus.CONNECTED
        known = [
            await unit.partners.set_connection_status(PartnerId(1), each, connected)
            for each in (SANDBOX, SANDBOX, PRODUCTION)
        ]
        renamed = partner_facts("Renamed", test_type="none", live_type="http")
        return [*known, await unit.partners.change(PartnerId(1), 1, renamed, START)]

    assert await write(database, LIVE, work) == [True, False, True, True]
    kept = await find(database, 1)
    assert kept is not None
    assert {kept.test_status, kept.live_status} == {ConnectionStatus.CONNECTED}


async def test_the_latest_activity_is_kept(database: Database) -> None:
    await a_partner(database)

    async def record(at: datetime) -> None:
        async def work(unit: WriteUnit) -> None:
            await unit.partners.record_activity(PartnerId(1), at)

        await write(database, TEST, work)

    for hours in (1, 3, 2):
        await record(START + hours * HOUR)
    stored = await find(database, 1)
    assert stored is not None
    assert (stored.last_activity_at, stored.version) == (START + 3 * HOUR, 1)


async def test_a_partner_that_was_traded_with_is_not_removed(database: Database) -> None:
    traded, untraded = await a_partner(database), await a_partner(database, "Untraded")
    await stored_transaction(database, a_record(partner_id=traded), TEST)
    await insert_token(database, untraded)

    async def work(unit: WriteUnit) -> list[bool]:
        tries = ((traded, 1), (untraded, 2), (untraded, 1), (untraded, 1))
        return [await unit.partners.delete(*each) for each in tries]

    assert await write(database, LIVE, work) == [False, False, True, False]
    assert await find(database, traded) is not None
    assert await find(database, untraded) is None


def a_token(digest: bytes) -> InboundToken:
    return InboundToken(
        id=InboundTokenId(0),
        account_id=AccountId(1),
        partner_id=PartnerId(1),
        environment=SANDBOX,
        digest=digest,
        created_at=START,
    )


async def insert_token(
    database: Database, partner_id: int, digest: bytes = b"0", environment: Environment = SANDBOX
) -> InboundTokenId:
    async def work(unit: WriteUnit) -> InboundTokenId:
        token = replace(a_token(digest), partner_id=PartnerId(partner_id), environment=environment)
        return await unit.tokens.insert(token, b"sealed", any_key)

    return await write(database, LIVE, work)


async def open_tokens(database: Database, now: datetime, given: Scope = TEST) -> list[SealedToken]:
    async def work(unit: ReadUnit) -> list[SealedToken]:
        return [*await unit.tokens.list_open(now)]

    return await read(database, given, work)


async def test_a_token_is_found_by_its_hash_in_the_system_scope_alone(database: Database) -> None:
    await a_partner(database)
    token_id = await insert_token(database, 1, b"digest")

    async def work(unit: ReadUnit) -> object:
        found = await unit.tokens.find_by_digest(b"digest")
        return found and (found[0], found[1].name)

    token = replace(a_token(b"digest"), id=token_id)
    assert await read(database, SYSTEM, work) == (token, "own")
    assert await read(database, FOREIGN_LIVE, work) is None
    sealed = SealedToken(token=token, wrapped_key=b"k" * 65, sealed=b"sealed")
    assert await open_tokens(database, START) == [sealed]
    assert await open_tokens(database, START, FOREIGN_LIVE) == []


async def test_a_rotated_token_ends_and_others_stay(database: Database) -> None:
    await a_partner(database)
    for number, environment in enumerate((SANDBOX, SANDBOX, PRODUCTION, SANDBOX)):
        await insert_token(database, 1, bytes([number]), environment)

    async def work(unit: WriteUnit) -> list[int]:
        newest = replace(a_token(b""), id=InboundTokenId(4))
        return [await unit.tokens.end_others(newest, START + each * HOUR) for each in (2, 1, 3)]

    assert await write(database, LIVE, work) == [2, 2, 0]
    moments = (START, START + HOUR)
    open_ids = [[each.token.id for each in await open_tokens(database, at)] for at in moments]
    assert open_ids == [[4, 3, 2, 1], [4, 3]]


async def test_all_tokens_of_a_partner_are_revoked_once(database: Database) -> None:
    await a_partner(database)
    await a_partner(database, "Other")
    for number, partner_id in enumerate((1, 1, 2)):
        await insert_token(database, partner_id, bytes([number]))

    async def work(unit: WriteUnit) -> list[int]:
        return [await unit.tokens.revoke_all(PartnerId(1), START) for _ in range(2)]

    assert await write(database, LIVE, work) == [2, 0]
    assert [each.token.id for each in await open_tokens(database, START)] == [3]


RACES: Mapping[str, Callable[[WriteUnit, int], Awaitable[bool]]] = {
    "change": lambda unit, number: unit.partners.change(
        PartnerId(1), 1, partner_facts(f"Name {number}"), START
    ),
    "standing": lambda unit, _: unit.partners.set_state(
        PartnerId(1), PartnerState(TESTING), PartnerState(INACTIVE, TESTING), START
    ),
    "secrets": lambda unit, number: unit.partners.set_secrets(
        PartnerId(1), SealedSecrets(version=1, wrapped_key=bytes([number]), secrets=b"s")
    ),
    "connection": lambda unit, _: unit.partners.set_connection_status(
        PartnerId(1), SANDBOX, ConnectionStatus.FAILING
    ),
    "delete": lambda unit, _: unit.partners.delete(PartnerId(1), 1),
}


@pytest.mark.parametrize("name", RACES)
async def test_one_of_eight_writers_wins_each_conditional_change(
    engine: Engine, database: Database, name: str
) -> None:
    await a_partner(database)
    async with engine.open() as other:

        async def attempt(number: int) -> bool:
            async def work(unit: WriteUnit) -> bool:
                await unit.partners.find(PartnerId(1))
                return await RACES[name](unit, number)

            return await write((database, other)[number % 2], LIVE, work)

        assert sum(await asyncio.gather(*map(attempt, range(WRITERS)))) == 1


async def test_a_partner_that_stands_elsewhere_makes_no_step(database: Database) -> None:
    await a_partner(database)

    async def step(start: PartnerState, to: PartnerState) -> bool:
        async def work(unit: WriteUnit) -> bool:
            return await unit.partners.set_state(PartnerId(1), start, to, START + HOUR)

        return await write(database, LIVE, work)

    paused = PartnerState(INACTIVE, TESTING)
    assert not await step(PartnerState(ACTIVE), paused)
    assert await step(PartnerState(TESTING), paused)
    assert not await step(PartnerState(INACTIVE, ACTIVE), PartnerState(ACTIVE))
    stored = await find(database, 1)
    assert stored is not None
    assert (stored.state, stored.version, stored.updated_at) == (paused, 2, START + HOUR)


async def test_secrets_follow_their_version(database: Database) -> None:
    await a_partner(database)

    async def store(version: int) -> bool:
        async def work(unit: WriteUnit) -> bool:
            new = SealedSecrets(version=version, wrapped_key=b"k", secrets=bytes([version]))
            return await unit.partners.set_secrets(PartnerId(1), new)

        return await write(database, LIVE, work)

    assert [await store(version) for version in (2, 1, 1, 2)] == [False, True, False, True]
    stored = await find(database, 1)
    assert stored is not None
    assert stored.sealed == SealedSecrets(version=2, wrapped_key=b"k", secrets=b"\x02")
