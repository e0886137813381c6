"""Partners as people change them: who comes too late, what stays, and what is told of it."""

import asyncio
from datetime import timedelta

import pytest

from longshore.domain.accounts.errors import InvalidAccountParameterError
from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.delivery.circuit_breaker import Destination, DestinationFailure
from longshore.domain.delivery.outcome import AttemptOutcome, AttemptVerdict, FailureScope
from longshore.domain.events.model import NewEvent
from longshore.domain.partners.connections import (
    BasicLogin,
    HttpConnection,
    SimulatorConnection,
    secrets_of,
)
from longshore.domain.partners.encryption import digest_of, opened_secrets, terms_with_secrets
from longshore.domain.partners.errors import (
    IllegalPartnerStepError,
    InvalidPartnerError,
    PartnerEditConflictError,
    PartnerNameTakenError,
    PartnerNotFoundError,
    PartnerTradedError,
)
from longshore.domain.partners.model import (
    CLOSED_BREAKER,
    BreakerState,
    CircuitBreaker,
    Connections,
    ConnectionStatus,
    PartnerStatus,
)
from longshore.domain.partners.parser import partner_members, read_partner
from longshore.domain.partners.service import KnownPartner, PartnerSearch, PartnerService
from longshore.domain.units import WriteUnit
from longshore.kit.environment import Environment
from tests.support.clock import START, StoppedClock
from tests.support.database import Database, Engine
from tests.support.partners import (
    FIRST,
    HTTP,
    KEYED,
    OWN,
    OWN_LIVE,
    URL,
    a_partner_service,
    audited,
    changed_partner,
    events,
    new_partner,
    open_tokens,
    stored_partner,
)
from tests.support.trading import LIVE, PRODUCTION, SANDBOX, a_record, stored_transaction, write
from tests.support.vault import a_sealer

TWINS = 8
HOUR = timedelta(hours=1)
TESTING, ACTIVE, INACTIVE = PartnerStatus.TESTING, PartnerStatus.ACTIVE, PartnerStatus.INACTIVE
UNVERIFIED, DISABLED = ConnectionStatus.UNVERIFIED, ConnectionStatus.DISABLED
CREATED = "user 5 partner.create partner 1"


@pytest.fixture(autouse=True)
async def own_account(accounts: AccountService) -> None:
    await accounts.create("own", AccountType.ENTERPRISE)


@pytest.fixture
def partners(database: Database, clock: StoppedClock) -> PartnerService:
    return a_partner_service(database, clock)


def standing(known: KnownPartner) -> tuple[int, PartnerStatus, PartnerStatus | None]:
    partner = known.partner
    return partner.version, partner.status, partner.status_before


async def test_a_change_takes_the_place_of_everything_but_secrets(
    partners: PartnerService, database: Database, clock: StoppedClock
) -> None:
    made = await partners.create(OWN, new_partner(connections={"test": HTTP}, industry="retail"))
    clock.move(HOUR)
    new = {**HTTP, "url": f"{URL}/new", "headers": {"X-Key": "", "X-New": "n"}}
    new["basic"] = {"user": "them"}
    known = await partners.change(OWN, FIRST, 1, changed_partner("Bolt", connections={"test": new}))
    expected = HttpConnection(
        url=f"{URL}/new",
        headers={"X-Key": "hush-header", "X-New": "n"},
        basic=BasicLogin(user="them", password="hush-word"),
    )
    terms = known.partner.terms
    assert (terms.name, terms.industry) == ("Bolt", "")
    assert terms.connections == Connections(test=expected)
    assert terms == terms_with_secrets(a_sealer(), await stored_partner(database))
    assert known.partner.updated_at - made.partner.updated_at == HOUR
    assert known.tokens == made.tokens


async def test_a_change_of_the_server_drops_the_secrets(
    partners: PartnerService, database: Database
) -> None:
    await partners.create(OWN, new_partner(connections={"test": HTTP}))
    elsewhere = {**HTTP, "url": "https://attacker.example.net/", "headers": {"X-Key": ""}}
    elsewhere["basic"] = {"user": "us"}
    known = await partners.change(
        OWN, FIRST, 1, changed_partner("Bolt", connections={"test": elsewhere})
    )
    dropped = HttpConnection(
        url="https://attacker.example.net/", headers={"X-Key": ""}, basic=BasicLogin(user="us")
    )
    assert known.partner.terms.connections.test == dropped
    stored = await stored_partner(database)
    assert opened_secrets(a_sealer(), stored) == {"test": {}, "live": {}}
    known = await partners.change(OWN, FIRST, 2, changed_partner(connections={"test": HTTP}))
    assert secrets_of(known.partner.terms.connections.test)["password"] == "hush-word"


async def test_a_partner_that_was_read_can_be_put_back(partners: PartnerService) -> None:
    both = {"test": HTTP, "live": KEYED}
    made = await partners.create(OWN, new_partner(connections=both, settings={"gs06_pad": True}))
    shown = partner_members(made.partner.terms, made.partner.status)
    known = await partners.change(OWN, FIRST, 1, read_partner(shown, is_new=False))
    assert known.partner.terms == made.partner.terms
    assert standing(known) == (2, TESTING, None)


async def test_secrets_are_sealed_anew_only_where_they_changed(
    partners: PartnerService, database: Database
) -> None:
    await partners.create(OWN, new_partner(connections={"test": HTTP}))
    first = (await stored_partner(database)).sealed
    await partners.change(OWN, FIRST, 1, changed_partner("Bolt", connections={"test": HTTP}))
    assert (await stored_partner(database)).sealed == first
    await partners.change(OWN, FIRST, 2, changed_partner("Bolt"))
    stored = await stored_partner(database)
    assert (first.version, stored.sealed.version) == (1, 2)
    assert opened_secrets(a_sealer(), stored) == {"test": {}, "live": {}}


async def test_a_connection_of_another_type_takes_no_secret_along(
    partners: PartnerService,
) -> None:
    await partners.create(OWN, new_partner(connections={"test": HTTP}))
    other = {"type": "simulator"}
    known = await partners.change(OWN, FIRST, 1, changed_partner(connections={"test": other}))
    assert known.partner.terms.connections.test == SimulatorConnection()
    back = {"type": "http", "url": URL, "basic": {"user": "us"}}
    known = await partners.change(OWN, FIRST, 2, changed_partner(connections={"test": back}))
    expected = HttpConnection(url=URL, basic=BasicLogin(user="us"))
    assert known.partner.terms.connections.test == expected


async def statuses(database: Database) -> tuple[ConnectionStatus, ConnectionStatus]:
    stored = await stored_partner(database)
    return stored.test_status, stored.live_status


async def note(database: Database, status: ConnectionStatus) -> None:
    """Note the same of both connections, as attempts do."""

    async def work(unit: WriteUnit) -> None:
        for environment in Environment:
            await unit.partners.set_connection_status(FIRST, environment, status)

    await write(database, LIVE, work)


OTHER_LOGIN = {**HTTP, "basic": {"user": "us", "password": "new-word"}}
OTHER_CONNECTIONS = {
    "another address": ({**HTTP, "url": "https://new.example.com/"}, UNVERIFIED),
    "another password": (OTHER_LOGIN, UNVERIFIED),
    "another header": ({**HTTP, "headers": {"X-Key": "new"}}, UNVERIFIED),
    "none": ({"type": "none"}, ConnectionStatus.NOT_CONFIGURED),
}


@pytest.mark.parametrize("case", OTHER_CONNECTIONS)
async def test_a_connection_that_was_changed_is_tried_again_even_if_it_was_disabled(
    partners: PartnerService, database: Database, case: str
) -> None:
    new, expected = OTHER_CONNECTIONS[case]
    await partners.create(OWN, new_partner(connections={"test": HTTP, "live": HTTP}))
    assert await statuses(database) == (UNVERIFIED, UNVERIFIED)
    await note(database, DISABLED)
    both = {"test": new, "live": HTTP}
    await partners.change(OWN, FIRST, 1, changed_partner(connections=both))
    assert await statuses(database) == (expected, UNVERIFIED)


@pytest.mark.parametrize("status", [ConnectionStatus.CONNECTED, ConnectionStatus.FAILING])
async def test_what_is_known_of_a_connection_stays_when_something_else_changes(
    partners: PartnerService, database: Database, status: ConnectionStatus
) -> None:
    both = {"test": HTTP, "live": HTTP}
    await partners.create(OWN, new_partner(connections=both))
    await note(database, status)
    unnamed = {**HTTP, "headers": {"X-Key": ""}, "basic": {"user": "us"}}
    kept = {"test": unnamed, "live": HTTP}
    await partners.change(OWN, FIRST, 1, changed_partner("Bolt", connections=kept))
    await partners.rotate_token(OWN, FIRST, Environment.SANDBOX, 24)
    assert await statuses(database) == (status, status)


async def test_who_saves_a_partner_enables_what_was_disabled_and_a_new_token_does_not(
    partners: PartnerService, database: Database
) -> None:
    await partners.create(OWN, new_partner(connections={"test": HTTP}))
    await note(database, DISABLED)
    await partners.rotate_token(OWN, FIRST, Environment.SANDBOX, 24)
    assert await statuses(database) == (DISABLED, DISABLED)
    unnamed = {**HTTP, "headers": {"X-Key": ""}, "basic": {"user": "us"}}
    await partners.change(OWN, FIRST, None, changed_partner(connections={"test": unnamed}))
    assert await statuses(database) == (UNVERIFIED, ConnectionStatus.NOT_CONFIGURED)


async def test_who_edited_an_old_version_is_refused(
    partners: PartnerService, database: Database
) -> None:
    await partners.create(OWN, new_partner())
    await partners.change(OWN, FIRST, 1, changed_partner("Bolt"))
    with pytest.raises(PartnerEditConflictError) as refused:
        await partners.change(OWN, FIRST, 1, changed_partner("Nut"))
    assert refused.value.details[0].current_version == 2
    with pytest.raises(PartnerEditConflictError):
        await partners.delete(OWN, FIRST, 1)
    assert (await partners.get(OWN, FIRST)).partner.terms.name == "Bolt"
    assert await audited(database) == [CREATED, "user 5 partner.change partner 1"]
    assert standing(await partners.change(OWN, FIRST, None, changed_partner("Nut")))[0] == 3


@pytest.mark.parametrize("expected_version", [1, None])
async def test_of_eight_changes_at_once_none_is_lost_unseen(
    engine: Engine, database: Database, clock: StoppedClock, expected_version: int | None
) -> None:
    await a_partner_service(database, clock).create(OWN, new_partner())
    async with engine.open() as other:
        services = [a_partner_service(each, clock) for each in (database, other)]
        outcomes = await asyncio.gather(
            *(
                services[at % 2].change(OWN, FIRST, expected_version, changed_partner(f"Name {at}"))
                for at in range(TWINS)
            ),
            return_exceptions=True,
        )
    changed = [each for each in outcomes if isinstance(each, KnownPartner)]
    refused = [each for each in outcomes if isinstance(each, PartnerEditConflictError)]
    assert len(changed) + len(refused) == TWINS
    versions = sorted(each.partner.version for each in changed)
    assert versions == [*range(2, 2 + len(changed))]
    assert expected_version is None or len(changed) == 1
    newest = max(changed, key=lambda each: each.partner.version)
    assert (await stored_partner(database)).facts.name == newest.partner.terms.name


async def test_the_name_of_another_partner_is_refused(
    partners: PartnerService, database: Database
) -> None:
    await partners.create(OWN, new_partner())
    await partners.create(OWN, new_partner("Bolt"))
    with pytest.raises(PartnerNameTakenError):
        await partners.change(OWN, FIRST, 1, changed_partner("BOLT"))
    with pytest.raises(InvalidPartnerError):
        await partners.change(OWN, FIRST, 1, changed_partner(own_identity_id=3))
    assert (await stored_partner(database)).version == 1
    assert len(await audited(database)) == 2


# ---- status --------------------------------------------------------------------------------------


async def test_a_step_of_the_status_is_made_and_told(
    partners: PartnerService, database: Database
) -> None:
    await partners.create(OWN, new_partner())
    active = await partners.change(OWN, FIRST, 1, changed_partner(partner_status="active"))
    assert standing(active) == (3, ACTIVE, None)
    paused = await partners.change(OWN, FIRST, 3, changed_partner(partner_status="inactive"))
    assert standing(paused) == (5, INACTIVE, ACTIVE)
    told = [(each.type, dict(each.data), each.actor) for each in await events(database)]
    assert told[1:] == [
        (
            "partner.status_changed",
            {"partner_id": 1, "partner_status": "inactive", "previous_status": "active"},
            "user 5",
        )
    ]
    assert told[0][1]["partner_status"] == "active"


@pytest.mark.parametrize("status", ["testing", None])
async def test_a_status_that_stays_is_no_event(
    partners: PartnerService, database: Database, status: str | None
) -> None:
    await partners.create(OWN, new_partner())
    known = await partners.change(OWN, FIRST, 1, changed_partner(partner_status=status))
    assert standing(known) == (2, TESTING, None)
    assert await events(database) == []


async def test_a_step_that_does_not_exist_changes_nothing(
    partners: PartnerService, database: Database
) -> None:
    await partners.create(OWN, new_partner())
    with pytest.raises(IllegalPartnerStepError):
        await partners.change(OWN, FIRST, 1, changed_partner("Bolt", partner_status="error"))
    assert (await stored_partner(database)).facts.name == "Northwind Retail"
    assert await audited(database) == [CREATED]


# ---- deletion ------------------------------------------------------------------------------------


async def test_a_partner_goes_with_its_tokens(
    partners: PartnerService, database: Database, clock: StoppedClock
) -> None:
    await partners.create(OWN, new_partner())
    await partners.delete(OWN, FIRST, 1)
    with pytest.raises(PartnerNotFoundError):
        await partners.get(OWN, FIRST)
    assert await open_tokens(database, clock) == []
    assert await audited(database) == [CREATED, "user 5 partner.delete partner 1"]
    assert (await partners.create(OWN, new_partner())).partner.version == 1


@pytest.mark.parametrize("environment", Environment)
async def test_a_partner_that_was_traded_with_stays(
    partners: PartnerService, database: Database, environment: Environment
) -> None:
    await partners.create(OWN, new_partner())
    record = a_record(partner_id=FIRST, environment=environment)
    await stored_transaction(database, record, given=LIVE)
    with pytest.raises(PartnerTradedError) as refused:
        await partners.delete(OWN, FIRST, None)
    assert refused.value.code == "invalid_state"
    assert (await partners.page(OWN, PartnerSearch())).total == 1
    assert await audited(database) == [CREATED]


# ---- tokens --------------------------------------------------------------------------------------


async def test_a_rotation_keeps_the_old_token_for_the_overlap(
    partners: PartnerService, database: Database, clock: StoppedClock
) -> None:
    made = await partners.create(OWN, new_partner(connections={"test": HTTP}))
    known = await partners.rotate_token(OWN, FIRST, SANDBOX, 24)
    assert known.tokens[SANDBOX] != made.tokens[SANDBOX]
    assert known.tokens[PRODUCTION] == made.tokens[PRODUCTION]
    assert known.partner.terms == made.partner.terms
    assert {each.token.digest for each in await open_tokens(database, clock)} == {
        digest_of(each)
        for each in (known.tokens[SANDBOX], made.tokens[PRODUCTION], made.tokens[SANDBOX])
    }
    clock.move(24 * HOUR)
    left = {each.token.digest for each in await open_tokens(database, clock)}
    assert left == {digest_of(each) for each in known.tokens.values()}
    assert await audited(database) == [CREATED, "user 5 partner.rotate_token partner 1"]


async def test_a_rotation_without_overlap_ends_the_old_token_at_once(
    partners: PartnerService, database: Database, clock: StoppedClock
) -> None:
    await partners.create(OWN, new_partner())
    known = await partners.rotate_token(OWN_LIVE, FIRST, PRODUCTION, 0)
    left = {each.token.digest for each in await open_tokens(database, clock)}
    assert left == {digest_of(each) for each in known.tokens.values()}


@pytest.mark.parametrize("overlap_hours", [-1, 169])
async def test_an_overlap_has_at_most_a_week(
    partners: PartnerService, database: Database, clock: StoppedClock, overlap_hours: int
) -> None:
    made = await partners.create(OWN, new_partner())
    with pytest.raises(InvalidAccountParameterError) as refused:
        await partners.rotate_token(OWN, FIRST, SANDBOX, overlap_hours)
    assert refused.value.details[0].param == "overlap_hours"
    assert (await partners.get(OWN, FIRST)).tokens == made.tokens
    assert len(await open_tokens(database, clock)) == 2


async def test_of_rotations_at_once_one_token_has_no_end(
    engine: Engine, database: Database, clock: StoppedClock
) -> None:
    await a_partner_service(database, clock).create(OWN, new_partner())
    async with engine.open() as other:
        twins = [
            a_partner_service((database, other)[at % 2], clock, f"twin {at}") for at in range(TWINS)
        ]
        outcomes = await asyncio.gather(
            *(twin.rotate_token(OWN, FIRST, SANDBOX, 1) for twin in twins),
            return_exceptions=True,
        )
    rotated = [each for each in outcomes if isinstance(each, KnownPartner)]
    refused = [each for each in outcomes if isinstance(each, PartnerEditConflictError)]
    assert len(rotated) + len(refused) == TWINS
    tokens = [each.token for each in await open_tokens(database, clock)]
    endless = [each for each in tokens if each.expires_at is None and each.environment is SANDBOX]
    newest = max(rotated, key=lambda each: each.partner.version)
    assert [each.digest for each in endless] == [digest_of(newest.tokens[SANDBOX])]


async def test_a_changed_connection_closes_the_breaker_of_the_one_before(
    partners: PartnerService, database: Database
) -> None:
    await partners.create(OWN, new_partner(connections={"test": HTTP}))
    opened = CircuitBreaker(state=BreakerState.OPEN, opened_at=START, probe_at=START + HOUR)

    async def open_it(unit: WriteUnit) -> bool:
        return await unit.partners.set_breaker(FIRST, Environment.SANDBOX, CLOSED_BREAKER, opened)

    assert await database.units.write(OWN.scope, open_it)
    elsewhere = {**HTTP, "url": f"{URL}/elsewhere"}
    known = await partners.change(OWN, FIRST, 1, changed_partner(connections={"test": elsewhere}))
    assert known.partner.test_breaker == CLOSED_BREAKER


async def test_of_two_that_open_a_breaker_at_once_one_does(
    partners: PartnerService, database: Database
) -> None:
    await partners.create(OWN, new_partner(connections={"test": HTTP}))
    stored = await stored_partner(database)
    opened = CircuitBreaker(state=BreakerState.OPEN, opened_at=START, probe_at=START + HOUR)

    async def open_both(unit: WriteUnit) -> tuple[NewEvent, ...]:
        await unit.partners.set_breaker(FIRST, Environment.SANDBOX, CLOSED_BREAKER, opened)
        late = Destination(unit, stored, Environment.SANDBOX, START)  # it read the partner before
        failure = DestinationFailure(
            verdict=AttemptVerdict(AttemptOutcome.FAILED),
            scope=FailureScope.DESTINATION,
            is_trial=True,
        )
        return await late.record_failure(failure)

    assert await database.units.write(OWN.scope, open_both) == ()
    assert (await partners.get(OWN, FIRST)).partner.test_breaker == opened
