"""What cannot work is refused when a partner is saved, and shown where it was stored before."""

import asyncio
from dataclasses import replace

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.partners.encryption import facts_of
from longshore.domain.partners.errors import InvalidPartnerError, PartnerIdentityTakenError
from longshore.domain.partners.model import PartnerId, PartnerStatus
from longshore.domain.partners.service import PartnerSearch, PartnerService
from longshore.domain.partners.status import refuse_unusable
from longshore.domain.partners.targets import NEEDS_HTTPS, NOT_PERMITTED
from longshore.domain.units import WriteUnit
from longshore.transport.addresses import Destinations
from tests.support.clock import START, StoppedClock
from tests.support.database import Database
from tests.support.partners import (
    FIRST,
    NEIGHBOUR,
    OWN,
    SFTP,
    a_partner_service,
    changed_partner,
    new_partner,
    stored_partner,
)
from tests.support.trading import TEST, write

AS2 = {
    "type": "as2",
    "url": "https://as2.example.com/",
    "as2_from": "US",
    "as2_to": "THEM",
    "mdn": "async",
}
IDENTITY = {"isa_qualifier": "01", "isa_id": "123456789"}


@pytest.fixture
async def partners(
    database: Database, clock: StoppedClock, accounts: AccountService
) -> PartnerService:
    for name in ("own", "Northwind"):
        await accounts.create(name, AccountType.ENTERPRISE)
    return a_partner_service(database, clock)


async def count(partners: PartnerService) -> int:
    return (await partners.page(OWN, PartnerSearch())).total


async def test_what_is_not_built_is_refused_all_at_once_and_nothing_is_stored(
    partners: PartnerService,
) -> None:
    members: dict[str, object] = {
        "connections": {"test": AS2, "live": SFTP},
        "settings": {"overlays": ["acme"]},
    }
    refused = {
        "settings.overlays": 'The setting "overlays" is not built yet, so it has no effect.'
        " Leave it out.",
    }
    with pytest.raises(InvalidPartnerError) as created:
        await partners.create(OWN, new_partner("Bolt", **members))
    assert created.value.code == "invalid_parameter"
    assert {each.param: each.message for each in created.value.details} == refused
    assert await count(partners) == 0
    defaults: dict[str, object] = {"overlays": []}
    await partners.create(OWN, new_partner(settings=defaults))
    with pytest.raises(InvalidPartnerError) as changed:
        await partners.change(OWN, FIRST, 1, changed_partner("Bolt", **members))
    assert {each.param: each.message for each in changed.value.details} == refused
    assert (await partners.get(OWN, FIRST)).partner.version == 1


def test_a_type_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(InvalidPartnerError) as unknown:
        new_partner(connections={"test": {"type": "ftp"}})
    assert unknown.value.details[0].allowed == (
        "http",
        "as2",
        "sftp",
        "ftps",
        "mailbox",
        "simulator",
        "none",
    )


async def test_what_was_stored_before_is_shown(
    partners: PartnerService, database: Database
) -> None:
    old = new_partner(connections={"test": AS2}, settings={"overlays": ["acme"]})

    async def work(unit: WriteUnit) -> PartnerId | None:
        facts, status = facts_of(old.terms), PartnerStatus.TESTING
        return await unit.partners.insert(OWN.account_id, facts, status, START)

    assert await write(database, TEST, work) == FIRST
    terms = (await partners.get(OWN, FIRST)).partner.terms
    assert (terms.connections, terms.settings) == (old.terms.connections, old.terms.settings)


@pytest.mark.parametrize(
    ("url", "test", "live"),
    [
        ("https://10.0.0.7/in", NOT_PERMITTED, NOT_PERMITTED),
        ("https://127.0.0.1:8443/", NOT_PERMITTED, NOT_PERMITTED),
        ("https://169.254.169.254/latest", NOT_PERMITTED, NOT_PERMITTED),
        ("https://[fd00::1]/", NOT_PERMITTED, NOT_PERMITTED),
        ("https://localhost:8443/", NOT_PERMITTED, NOT_PERMITTED),
        ("https://EDI.localhost./", NOT_PERMITTED, NOT_PERMITTED),
        ("https://notlocalhost/", "", ""),
        ("https://[::ffff:192.168.1.1]/", NOT_PERMITTED, NOT_PERMITTED),
        ("http://93.184.216.34/", "", NEEDS_HTTPS),
        ("http://edi.example.com/", "", NEEDS_HTTPS),
        ("https://93.184.216.34/", "", ""),
        ("https://edi.example.com/", "", ""),
    ],
)
def test_an_address_that_nothing_is_sent_to_is_refused_as_it_shows(
    url: str, test: str, live: str
) -> None:
    http = {"type": "http", "url": url}
    terms = new_partner(connections={"test": http, "live": http}).terms
    sides = {"connections.test.url": test, "connections.live.url": live}
    expected = {param: text for param, text in sides.items() if text}
    found: dict[str | None, str] = {}
    try:
        refuse_unusable(terms, Destinations())
    except InvalidPartnerError as refusal:
        found = {each.param: each.message for each in refusal.details}
    assert found == expected


def test_networks_that_the_operator_allows_are_taken_but_never_metadata() -> None:
    allowed = Destinations(["127.0.0.0/8", "10.0.0.0/8", "169.254.0.0/16"])
    for url in ("http://127.0.0.1:9000/in", "http://10.0.0.7/", "http://localhost/"):
        http = {"type": "http", "url": url}
        refuse_unusable(new_partner(connections={"test": http, "live": http}).terms, allowed)
    http = {"type": "http", "url": "https://169.254.169.254/"}
    with pytest.raises(InvalidPartnerError):
        refuse_unusable(new_partner(connections={"test": http}).terms, allowed)


# ---- identities ----------------------------------------------------------------------------------


async def test_an_identity_that_another_partner_has_is_refused_with_its_name(
    partners: PartnerService,
) -> None:
    await partners.create(OWN, new_partner(**IDENTITY))
    await partners.change(OWN, FIRST, 1, changed_partner(**IDENTITY, partner_status="inactive"))
    await partners.create(OWN, new_partner("Bolt", **IDENTITY, gs_id="BOLT"))
    same = new_partner("Third", **IDENTITY, gs_id="123456789")
    with pytest.raises(PartnerIdentityTakenError) as created:
        await partners.create(OWN, same)
    with pytest.raises(PartnerIdentityTakenError) as changed:
        await partners.change(OWN, PartnerId(2), None, changed_partner("Bolt", **IDENTITY))
    for error in (created.value, changed.value):
        assert (error.code, error.details[0].param) == ("invalid_state", "isa_id")
        assert error.message == (
            "Partner 1 (Northwind Retail) has the identity 01/123456789 already. What arrives from"
            ' it would belong to both: change that partner, or give this one another "gs_id".'
        )
    assert await count(partners) == 2
    await partners.create(NEIGHBOUR, same)
    for name in ("no identity", "none either"):
        await partners.create(OWN, new_partner(name))


async def test_those_that_had_the_same_identity_before_may_still_be_changed(
    partners: PartnerService, database: Database
) -> None:
    await partners.create(OWN, new_partner(**IDENTITY))
    stored = await stored_partner(database)
    twice = replace(stored.facts, name="Bolt", folded_name="bolt")

    async def work(unit: WriteUnit) -> PartnerId | None:
        return await unit.partners.insert(OWN.account_id, twice, PartnerStatus.TESTING, START)

    second = await write(database, TEST, work)
    assert second is not None
    away = changed_partner("Bolt", **IDENTITY, partner_status="inactive")
    assert (await partners.change(OWN, second, None, away)).partner.status == "inactive"


async def test_of_two_that_are_made_at_once_with_one_identity_one_is_refused(
    partners: PartnerService,
) -> None:
    made = [new_partner(f"Partner {number}", **IDENTITY) for number in range(6)]
    done = await asyncio.gather(
        *(partners.create(OWN, each) for each in made), return_exceptions=True
    )
    assert [isinstance(each, PartnerIdentityTakenError) for each in done].count(True) == 5
    assert await count(partners) == 1
