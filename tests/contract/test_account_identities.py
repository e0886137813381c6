"""Own identities, what accounts begin with, and where control numbers stand."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from longshore.domain.accounts.model import Account, AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.control_numbers.numbers import (
    CounterKey,
    NumberKind,
    NumberRange,
    group_counter,
    isa_counter,
)
from longshore.domain.control_numbers.service import ControlNumberService, CounterView
from longshore.domain.control_numbers.store import NumberRequest
from longshore.domain.partners.errors import (
    IdentityInUseError,
    InvalidPartnerError,
    NoOwnIdentityError,
    PartnerNotFoundError,
)
from longshore.domain.partners.identities import (
    MAX_IDENTITIES,
    IdentityService,
    WantedIdentity,
    own_identity,
)
from longshore.domain.partners.model import (
    Identity,
    OwnIdentity,
    OwnIdentityId,
    PartnerId,
    PartnerStatus,
)
from longshore.domain.partners.service import PartnerSearch, PartnerService
from longshore.domain.partners.simulators import AccountProvisioner
from longshore.domain.ports import AccountId
from longshore.domain.units import WriteUnit
from longshore.kit.environment import Environment
from tests.support.clock import START, CountedIds, StoppedClock
from tests.support.database import Database, Engine
from tests.support.partners import (
    FIRST,
    NEIGHBOUR,
    OWN,
    OWN_LIVE,
    a_partner_service,
    audited,
    new_partner,
)
from tests.support.trading import LIVE, PRODUCTION, SANDBOX, TEST, write
from tests.support.vault import a_sealer

TWINS = 8
DAY = timedelta(days=1)
ACME = Identity(qualifier="ZZ", isa_id="ACME")
DUNS = Identity(qualifier="01", isa_id="123456789", gs_id="ACMEGS")
THEM = Identity(qualifier="01", isa_id="987654321", gs_id="THEM")


@pytest.fixture(autouse=True)
async def two_accounts(accounts: AccountService) -> None:
    for name in ("Acme & Söhne", "foreign"):
        await accounts.create(name, AccountType.ENTERPRISE)


@pytest.fixture
def partners(database: Database, clock: StoppedClock) -> PartnerService:
    return a_partner_service(database, clock)


@pytest.fixture
def identities(database: Database, clock: StoppedClock) -> IdentityService:
    return IdentityService(database.units, clock, a_sealer())


def equipment(database: Database, clock: StoppedClock, seed: str = "equip") -> AccountProvisioner:
    return AccountProvisioner(database.units, clock, a_sealer(), CountedIds(seed))


def wanted(*identities: Identity) -> list[WantedIdentity]:
    return [WantedIdentity(None, each) for each in identities]


def own(number: int, identity: Identity) -> OwnIdentity:
    return OwnIdentity(id=OwnIdentityId(number), identity=identity)


# ---- identities ----------------------------------------------------------------------------------


async def test_identities_are_added_changed_and_removed_at_once(
    identities: IdentityService, database: Database
) -> None:
    assert await identities.replace(OWN, wanted(ACME, DUNS)) == (own(1, ACME), own(2, DUNS))
    changed = replace(DUNS, gs_id="")
    third = Identity(qualifier="ZZ", isa_id="THIRD")
    now = await identities.replace(OWN, [WantedIdentity(None, third), WantedIdentity(2, changed)])
    assert [each.identity for each in now] == [changed, third]
    assert now[0].id == 2
    assert await identities.list(OWN_LIVE) == now
    assert await identities.list(NEIGHBOUR) == ()
    assert await audited(database) == ["user 5 account.set_identities account 1"] * 2


@pytest.mark.parametrize(
    ("given", "params"),
    [
        ([], ["identities"]),
        (
            wanted(*(replace(ACME, isa_id=f"ID{at}") for at in range(MAX_IDENTITIES + 1))),
            ["identities"],
        ),
        (wanted(replace(ACME, qualifier="1")), ["identities[0].qualifier"]),
        (
            wanted(ACME, Identity(qualifier="", isa_id="", gs_id="\n")),
            [f"identities[1].{name}" for name in ("qualifier", "gs_id", "isa_id")],
        ),
        (wanted(replace(ACME, isa_id="SIXTEEN-CHARS-16")), ["identities[0].isa_id"]),
        (wanted(ACME, ACME), ["identities[1]"]),
        ([WantedIdentity(1, ACME), WantedIdentity(1, DUNS)], ["identities[1]"]),
        ([WantedIdentity(1, ACME), WantedIdentity(9, DUNS)], ["identities[1].id"]),
        ([WantedIdentity(2, ACME)], ["identities[0].id"]),
    ],
)
async def test_faults_of_identities_are_told_and_nothing_changes(
    identities: IdentityService, given: list[WantedIdentity], params: list[str]
) -> None:
    await identities.replace(OWN, wanted(ACME))
    await identities.replace(NEIGHBOUR, wanted(DUNS))
    with pytest.raises(InvalidPartnerError) as refused:
        await identities.replace(OWN, given)
    assert [each.param for each in refused.value.details] == params
    assert await identities.list(OWN) == (own(1, ACME),)


async def test_identities_do_not_change_places(identities: IdentityService) -> None:
    await identities.replace(OWN, wanted(ACME, DUNS))
    with pytest.raises(InvalidPartnerError) as refused:
        await identities.replace(OWN, [WantedIdentity(1, DUNS), WantedIdentity(2, ACME)])
    assert "in two" in refused.value.message
    assert await identities.list(OWN) == (own(1, ACME), own(2, DUNS))


async def test_an_identity_that_a_partner_names_stays(
    identities: IdentityService, partners: PartnerService
) -> None:
    await identities.replace(OWN, wanted(ACME, DUNS))
    await partners.create(OWN, new_partner(own_identity_id=2))
    with pytest.raises(IdentityInUseError) as refused:
        await identities.replace(OWN, [WantedIdentity(1, ACME)])
    assert "01/123456789" in refused.value.message
    assert len(await identities.list(OWN)) == 2


async def test_we_are_who_the_partner_names_else_our_first(
    identities: IdentityService, partners: PartnerService
) -> None:
    known = await identities.replace(OWN, wanted(ACME, DUNS))
    plain = (await partners.create(OWN, new_partner())).partner
    named = (await partners.create(OWN, new_partner("Bolt", own_identity_id=2))).partner
    assert (own_identity(plain, known), own_identity(named, known)) == (ACME, DUNS)
    with pytest.raises(NoOwnIdentityError) as refused:
        own_identity(plain, ())
    assert refused.value.code == "invalid_state"


# ---- what accounts begin with --------------------------------------------------------------------


async def test_an_account_begins_with_an_identity_and_a_simulator(
    database: Database, clock: StoppedClock, identities: IdentityService, partners: PartnerService
) -> None:
    assert await equipment(database, clock).provision_accounts() == 2
    (first,) = await identities.list(OWN)
    assert first.identity == Identity(qualifier="ZZ", isa_id="ACME & SOHNE")
    (simulator,) = (await partners.page(OWN, PartnerSearch())).partners
    partner = simulator.partner
    assert (partner.terms.name, partner.status) == ("Simulator", PartnerStatus.TESTING)
    assert partner.terms.identity.edi_identity == "ZZ/SIMULATOR"
    assert partner.terms.connections.of(SANDBOX).type == "simulator"
    assert partner.terms.connections.of(PRODUCTION).type == "none"
    assert len(simulator.tokens[SANDBOX]) == 43
    assert await audited(database) == ["operator account.equip account 1"]


async def test_what_was_given_once_is_not_given_again(
    database: Database, clock: StoppedClock, identities: IdentityService, partners: PartnerService
) -> None:
    await equipment(database, clock).provision_accounts()
    await identities.replace(OWN, [WantedIdentity(1, DUNS)])
    await partners.delete(OWN, FIRST, None)
    assert await equipment(database, clock, "again").provision_accounts() == 0
    assert await identities.list(OWN) == (own(1, DUNS),)
    assert (await partners.page(OWN, PartnerSearch())).total == 0


async def test_a_partner_that_is_called_simulator_already_stays_as_it_is(
    database: Database, clock: StoppedClock, identities: IdentityService, partners: PartnerService
) -> None:
    made = await partners.create(OWN, new_partner("SIMULATOR"))
    assert await equipment(database, clock).provision_accounts() == 2
    assert len(await identities.list(OWN)) == 1
    assert (await partners.page(OWN, PartnerSearch())).partners == (made,)


async def test_of_servers_that_start_at_once_one_equips(
    engine: Engine, database: Database, clock: StoppedClock, partners: PartnerService
) -> None:
    async with engine.open() as other:
        starting = [
            equipment((database, other)[at % 2], clock, f"server {at}") for at in range(TWINS)
        ]
        counts = await asyncio.gather(*(each.provision_accounts() for each in starting))
    assert sum(counts) == 2
    assert (await partners.page(OWN, PartnerSearch())).total == 1
    assert (await partners.page(NEIGHBOUR, PartnerSearch())).total == 1


# ---- control numbers -----------------------------------------------------------------------------


async def draw(
    database: Database,
    key: CounterKey,
    count: int,
    environment: Environment = SANDBOX,
    numbers: NumberRange = NumberRange(),  # noqa: B008 - a frozen value
) -> None:
    request = NumberRequest(key=key, numbers=numbers, count=count, skip_since=START)

    async def work(unit: WriteUnit) -> None:
        await unit.control_numbers.draw((AccountId(1), environment), request, START)

    await write(database, LIVE if environment is PRODUCTION else TEST, work)


async def test_counters_say_how_long_they_last(
    database: Database, clock: StoppedClock, identities: IdentityService, partners: PartnerService
) -> None:
    await identities.replace(OWN, wanted(ACME, DUNS))
    members = {"isa_qualifier": "01", "isa_id": "987654321", "gs_id": "THEM"}
    settings = {"control_min": 101, "control_max": 200}
    await partners.create(OWN, new_partner(settings=settings, **members))
    agreed = NumberRange(least=101, most=200)
    await draw(database, isa_counter(ACME, THEM), 20, numbers=agreed)
    await draw(database, isa_counter(DUNS, THEM), 5)  # of another identity of ours
    await draw(database, group_counter(ACME, THEM), 50, PRODUCTION, agreed)
    await draw(database, group_counter(ACME, THEM, NumberKind.ST), 3, PRODUCTION)
    clock.move(10 * DAY)
    counters = ControlNumberService(database.units, clock)
    isa = CounterView(
        kind=NumberKind.ISA, environment=SANDBOX, last=120, range=agreed, left=80, days_left=40
    )
    assert await counters.of_partner(OWN, FIRST) == (isa,)
    both = await counters.of_partner(OWN_LIVE, FIRST)
    assert [(each.kind, each.last, each.left, each.days_left) for each in both] == [
        ("isa", 120, 80, 40),
        ("gs", 150, 50, 10),
        ("st", 3, 999_999_996, 3_333_333_320),
    ]


async def test_counters_of_a_partner_nobody_knows_are_not_found(
    database: Database, clock: StoppedClock, partners: PartnerService
) -> None:
    await partners.create(NEIGHBOUR, new_partner())
    counters = ControlNumberService(database.units, clock)
    with pytest.raises(PartnerNotFoundError):
        await counters.of_partner(OWN, PartnerId(1))
    with pytest.raises(NoOwnIdentityError):
        await counters.of_partner(NEIGHBOUR, PartnerId(1))


async def test_an_account_can_be_equipped_alone(
    database: Database, clock: StoppedClock, accounts: AccountService, partners: PartnerService
) -> None:
    account = await accounts.find("foreign")
    assert isinstance(account, Account)
    assert await equipment(database, clock).provision_defaults(account)
    assert not await equipment(database, clock, "again").provision_defaults(account)
    assert (await partners.page(OWN, PartnerSearch())).total == 0
