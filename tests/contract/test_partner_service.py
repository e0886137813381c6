"""Partners as people make and read them: secrets, tokens, and who sees what."""

from dataclasses import replace

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.maps.model import Authorship
from longshore.domain.partners.connections import BasicLogin, HttpConnection
from longshore.domain.partners.encryption import digest_of, opened_secrets, partner_of
from longshore.domain.partners.errors import (
    InvalidPartnerError,
    PartnerNameTakenError,
    PartnerNotFoundError,
)
from longshore.domain.partners.model import PartnerId, PartnerStatus
from longshore.domain.partners.service import (
    VISIBLE_TO_API_KEY,
    KnownPartner,
    PartnerSearch,
    PartnerService,
)
from longshore.domain.partners.store import SECRETS_ROW_KIND
from longshore.domain.ports import AccountId, AssociatedData, SealBrokenError
from tests.support.clock import START, StoppedClock
from tests.support.database import Database, Engine
from tests.support.maps import a_map, a_map_service
from tests.support.partners import (
    FIRST,
    HTTP,
    KEYED,
    NEIGHBOUR,
    OWN,
    OWN_LIVE,
    URL,
    a_partner_service,
    audited,
    changed_partner,
    new_partner,
    open_tokens,
    stored_partner,
)
from tests.support.trading import PRODUCTION, SANDBOX
from tests.support.vault import a_sealer

TESTING, ACTIVE = PartnerStatus.TESTING, PartnerStatus.ACTIVE
PLACE = AssociatedData(
    account_id=AccountId(1), environment=None, kind=SECRETS_ROW_KIND, id=FIRST, version=1
)


@pytest.fixture(autouse=True)
async def two_accounts(accounts: AccountService) -> None:
    for name in ("own", "foreign"):
        await accounts.create(name, AccountType.ENTERPRISE)


@pytest.fixture
def partners(database: Database, clock: StoppedClock) -> PartnerService:
    return a_partner_service(database, clock)


# ---- made and read -------------------------------------------------------------------------------


async def test_a_partner_comes_back_as_it_was_given(partners: PartnerService) -> None:
    new = new_partner(
        isa_qualifier="01",
        isa_id="123456789",
        gs_id="NWRETAIL",
        version="005010",
        tx_sets=["850", "855"],
        ack_type="999",
        ack_hours=4,
        industry="retail",
        contact_email="edi@northwind.example",
        connections={"test": HTTP, "live": KEYED},
        settings={"gs06_pad": True, "separators": "| ~ : ^"},
        routes=[{"tx_set": "850", "save_to_vault": True}],
        partner_status="pending",
    )
    known = await partners.create(OWN, new)
    assert known == await partners.get(OWN, known.partner.id)
    assert known.partner.terms == new.terms
    assert (known.partner.version, known.partner.status) == (1, PartnerStatus.PENDING)
    assert (known.partner.created_at, known.partner.last_activity_at) == (START, None)


async def test_a_partner_begins_as_testing_with_a_token_for_each_environment(
    partners: PartnerService, database: Database, clock: StoppedClock
) -> None:
    known = await partners.create(OWN, new_partner())
    assert known.partner.status is TESTING
    assert set(known.tokens) == {SANDBOX, PRODUCTION}
    assert {len(text) for text in known.tokens.values()} == {43}
    digests = {each.token.digest for each in await open_tokens(database, clock)}
    assert digests == {digest_of(text) for text in known.tokens.values()}


async def test_secrets_lie_sealed_apart_from_the_rest(
    partners: PartnerService, database: Database, engine: Engine
) -> None:
    known = await partners.create(OWN, new_partner(connections={"test": HTTP, "live": KEYED}))
    stored = await stored_partner(database)
    assert opened_secrets(a_sealer(), stored) == {
        "test": {"headers.X-Key": "hush-header", "password": "hush-word"},
        "live": {"headers.X-Key": "hush-key"},
    }
    dumped = await engine.dump()
    assert URL.encode() in dumped
    for secret in ("hush-header", "hush-word", "hush-key", *known.tokens.values()):
        assert secret.encode() not in dumped
    assert "hush" not in repr(known) + repr(stored) + repr(partner_of(stored))
    assert not any(text in repr(known) for text in known.tokens.values())


async def test_what_was_sealed_for_one_partner_opens_for_no_other(
    partners: PartnerService, database: Database
) -> None:
    await partners.create(OWN, new_partner(connections={"test": HTTP}))
    stored = await stored_partner(database)
    moved = replace(stored, id=PartnerId(2))
    with pytest.raises(SealBrokenError):
        opened_secrets(a_sealer(), moved)


@pytest.mark.parametrize("content", [b"", b"[]", b'{"test":{}}', b'{"test":1,"live":{}}'])
async def test_secrets_that_are_none_are_told_as_broken(
    partners: PartnerService, database: Database, content: bytes
) -> None:
    await partners.create(OWN, new_partner(connections={"test": HTTP}))
    stored, sealer = await stored_partner(database), a_sealer()
    of = stored.sealed
    key = sealer.unwrap(of.wrapped_key, PLACE)
    broken = replace(stored, sealed=replace(of, secrets=sealer.seal(key, content)))
    with pytest.raises(SealBrokenError):
        opened_secrets(sealer, broken)


@pytest.mark.parametrize("name", ["Northwind Retail", "NORTHWIND retail", "\uff2eorthwind Retail"])
async def test_a_name_is_taken_in_any_case(
    partners: PartnerService, database: Database, name: str
) -> None:
    await partners.create(OWN, new_partner())
    with pytest.raises(PartnerNameTakenError) as refused:
        await partners.create(OWN, new_partner(name))
    assert [(each.code, each.param) for each in refused.value.details] == [
        ("invalid_parameter", "name")
    ]
    await partners.create(NEIGHBOUR, new_partner(name))
    assert (await partners.page(OWN, PartnerSearch())).total == 1
    assert await audited(database) == ["user 5 partner.create partner 1"]


async def test_identities_and_maps_of_others_are_refused_all_at_once(
    partners: PartnerService, database: Database
) -> None:
    maps, by = a_map_service(database, StoppedClock()), Authorship(saved_by="user 5")
    await maps.create(OWN_LIVE, a_map(), by)
    routes = [{"tx_set": "850", "map_id": 1}, {"tx_set": "810", "map_id": 2}, {"tx_set": "997"}]
    with pytest.raises(InvalidPartnerError) as refused:
        await partners.create(OWN, new_partner(own_identity_id=7, routes=routes))
    named = [each.param for each in refused.value.details]
    assert named == ["own_identity_id", "routes[1].map_id"]
    assert (await partners.page(OWN, PartnerSearch())).total == 0
    assert (await partners.create(OWN, new_partner(routes=routes[:1]))).partner.terms.routes


# ---- lists ---------------------------------------------------------------------------------------


async def test_a_page_has_what_fits_by_id(partners: PartnerService) -> None:
    for name in ("Acme", "acorn", "Bolt", "ACE"):
        await partners.create(OWN, new_partner(name))
    await partners.create(NEIGHBOUR, new_partner("Acid"))

    async def names(**search: object) -> tuple[list[str], int]:
        found = await partners.page(OWN, PartnerSearch(**search))  # type: ignore[arg-type]  # as its field
        return [each.partner.terms.name for each in found.partners], found.total

    assert await names() == (["Acme", "acorn", "Bolt", "ACE"], 4)
    assert await names(q="Ac") == (["Acme", "acorn", "ACE"], 3)
    assert await names(limit=2, offset=1) == (["acorn", "Bolt"], 4)
    assert await names(statuses=frozenset({ACTIVE})) == ([], 0)
    assert await names(statuses=frozenset()) == ([], 0)


async def test_a_page_shows_tokens_and_no_secret(partners: PartnerService) -> None:
    known = await partners.create(OWN, new_partner(connections={"test": HTTP}))
    other = await partners.create(OWN, new_partner("Bolt"))
    first, second = (await partners.page(OWN, PartnerSearch())).partners
    assert (first.tokens, second.tokens) == (known.tokens, other.tokens)
    shown = first.partner.terms.connections.test
    assert shown == HttpConnection(url=URL, headers={"X-Key": ""}, basic=BasicLogin(user="us"))


async def test_a_sandbox_key_sees_partners_in_testing_only(partners: PartnerService) -> None:
    await partners.create(OWN, new_partner("Pending", partner_status="pending"))
    await partners.create(OWN, new_partner("Testing"))
    seen = VISIBLE_TO_API_KEY[SANDBOX]
    found = await partners.page(OWN, PartnerSearch(statuses=seen))
    assert [each.partner.id for each in found.partners] == [2]
    with pytest.raises(PartnerNotFoundError):
        await partners.get(OWN, FIRST, seen)
    assert (await partners.get(OWN, FIRST, VISIBLE_TO_API_KEY[PRODUCTION])).partner.id == FIRST


async def test_a_neighbours_partner_is_not_found_whatever_is_asked(
    partners: PartnerService, database: Database
) -> None:
    await partners.create(NEIGHBOUR, new_partner())
    for attempt in (
        partners.get(OWN, FIRST),
        partners.change(OWN, FIRST, None, changed_partner("Mine")),
        partners.delete(OWN, FIRST, None),
        partners.rotate_token(OWN, FIRST, SANDBOX, 0),
    ):
        with pytest.raises(PartnerNotFoundError):
            await attempt
    assert (await partners.get(NEIGHBOUR, FIRST)).partner.version == 1
    assert await audited(database) == []


async def test_live_urls_are_shown_of_active_partners_in_production_alone(
    partners: PartnerService,
) -> None:
    known = await partners.create(OWN, new_partner())
    test = f"https://b/edi/receive/{known.tokens[SANDBOX]}?env=test"
    live = f"https://b/edi/receive/{known.tokens[PRODUCTION]}"

    def shown(known: KnownPartner) -> list[str]:
        return [
            known.inbound_url(of, "https://b", to)
            for of in (SANDBOX, PRODUCTION)
            for to in (SANDBOX, PRODUCTION)
        ]

    assert shown(known) == [test, test, "", ""]
    active = await partners.change(OWN, FIRST, 1, changed_partner(partner_status="active"))
    assert shown(active) == [test, test, "", live]
    assert shown(replace(active, tokens={})) == ["", "", "", ""]
