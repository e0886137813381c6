"""AS2 identities on both databases: one owner for each name, and keys that nobody else opens."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from longshore.as2.certificates import PemKeyPair
from longshore.as2.headers import MessageHeaders
from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.as2.encryption import open_keys
from longshore.domain.as2.errors import (
    As2IdentityNotFoundError,
    As2KeysError,
    InvalidAs2NameError,
)
from longshore.domain.as2.identities import MAX_IDENTITIES, As2IdentityService
from longshore.domain.as2.intake import As2Intake
from longshore.domain.as2.model import As2Identity, As2IdentityId, As2Keys
from longshore.domain.as2.store import StoredAs2Identity
from longshore.domain.delivery.attempt_start import AttemptStarter
from longshore.domain.inbound.intake import IncomingDocument
from longshore.domain.partners.connections import As2Connection
from longshore.domain.ports import SealBrokenError
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.storage.as2 import SqlAs2IdentityStore
from tests.support.as2 import CERTIFICATE, as2_members
from tests.support.clock import StoppedClock
from tests.support.database import Database
from tests.support.partners import (
    NEIGHBOUR,
    OWN,
    OWN_LIVE,
    a_partner_service,
    audited,
    new_partner,
)
from tests.support.ports import some_ports
from tests.support.trading import SANDBOX, read
from tests.support.vault import a_sealer

FIRST, SECOND = PemKeyPair(CERTIFICATE, "first key"), PemKeyPair(CERTIFICATE, "second key")
NAME = "ACME"


@pytest.fixture
async def identities(
    database: Database, clock: StoppedClock, accounts: AccountService
) -> As2IdentityService:
    for name in ("own", "Northwind"):
        await accounts.create(name, AccountType.ENTERPRISE)
    return As2IdentityService(database.units, clock, a_sealer())


async def stored(database: Database) -> StoredAs2Identity:
    async def find(unit: ReadUnit) -> StoredAs2Identity | None:
        return await unit.as2_identities.find(SANDBOX, NAME)

    found = await read(database, OWN.scope, find)
    assert found is not None
    return found


async def keys(database: Database) -> list[str]:
    opened = open_keys(a_sealer(), await stored(database))
    return [pair.private_key for pair in opened.pairs]


async def test_keys_are_replaced_in_three_steps(
    identities: As2IdentityService, database: Database
) -> None:
    created = await identities.create(OWN, NAME, FIRST)
    assert (created.name, created.certificates) == (NAME, (CERTIFICATE,))
    assert await keys(database) == ["first key"]
    added = await identities.add_key(OWN, NAME, SECOND)
    assert len(added.certificates) == 2
    assert await keys(database) == ["first key", "second key"]
    await identities.switch_keys(OWN, NAME)
    assert await keys(database) == ["second key", "first key"]
    await identities.drop_key(OWN, NAME)
    assert await keys(database) == ["second key"]
    assert await identities.export_key(OWN, NAME) == SECOND
    assert b"second key" not in (await stored(database)).private_keys
    await identities.delete(OWN, NAME)
    assert await identities.list(OWN) == ()
    assert [entry.split()[2] for entry in await audited(database)] == [
        *("as2.create_identity", "as2.add_key", "as2.switch_keys", "as2.drop_key"),
        *("as2.export_key", "as2.delete_identity"),
    ]


async def test_steps_that_make_no_sense_are_refused(identities: As2IdentityService) -> None:
    await identities.create(OWN, NAME, FIRST)
    for step in (identities.switch_keys, identities.drop_key):
        with pytest.raises(As2KeysError, match=r"^The identity has one key only\."):
            await step(OWN, NAME)
    await identities.add_key(OWN, NAME, SECOND)
    with pytest.raises(As2KeysError, match=r"^The identity has two keys already\."):
        await identities.add_key(OWN, NAME, SECOND)
    with pytest.raises(InvalidAs2NameError, match=r"^Parameter \"as2_name\" must be a name"):
        await identities.create(OWN, "two\nlines", FIRST)


async def test_a_name_has_one_owner_in_the_installation(identities: As2IdentityService) -> None:
    await identities.create(OWN, NAME, FIRST)
    for context in (OWN, OWN_LIVE, NEIGHBOUR):
        with pytest.raises(InvalidAs2NameError, match=r"^This AS2 name is used already\."):
            await identities.create(context, NAME, SECOND)
    await identities.create(NEIGHBOUR, "acme", SECOND)
    for context in (OWN_LIVE, NEIGHBOUR):
        with pytest.raises(As2IdentityNotFoundError):
            await identities.add_key(context, NAME, SECOND)
        with pytest.raises(As2IdentityNotFoundError):
            await identities.export_key(context, NAME)
        with pytest.raises(As2IdentityNotFoundError):
            await identities.delete(context, NAME)
    names = [[each.name for each in await identities.list(at)] for at in (OWN, OWN_LIVE, NEIGHBOUR)]
    assert names == [[NAME], [], ["acme"]]


async def test_keys_open_in_their_row_only(
    identities: As2IdentityService, database: Database
) -> None:
    await identities.create(OWN, NAME, FIRST)
    found = await stored(database)
    other: As2Identity = replace(found.identity, id=As2IdentityId(2))
    for changed in (
        replace(found, identity=other),
        replace(found, sealed_version=2),
        replace(found, identity=replace(found.identity, certificates=())),
    ):
        with pytest.raises(SealBrokenError):
            open_keys(a_sealer(), changed)


async def test_an_account_has_a_limited_number_of_identities(
    identities: As2IdentityService,
) -> None:
    for number in range(MAX_IDENTITIES):
        await identities.create(OWN, f"ACME {number}", FIRST)
    with pytest.raises(As2KeysError, match=r"^An account has at most 50 AS2 identities"):
        await identities.create(OWN, NAME, FIRST)
    await identities.create(OWN_LIVE, NAME, FIRST)


async def test_a_message_is_stored_once_with_its_answer(
    identities: As2IdentityService, database: Database, clock: StoppedClock
) -> None:
    await identities.create(OWN, NAME, FIRST)
    members = as2_members(as2_from=NAME, certificates=[CERTIFICATE])
    partners = a_partner_service(database, clock)
    live = new_partner("Live", connections={"live": members})
    await partners.create(OWN, live)
    elsewhere = as2_members(as2_from="ANOTHER", certificates=[CERTIFICATE])
    await partners.create(OWN, new_partner("Elsewhere", connections={"test": elsewhere}))
    closed = new_partner(
        "Closed", connections={"test": members}, settings={"inbound_networks": ["192.0.2.0/24"]}
    )
    partner_id = (await partners.create(OWN, closed)).partner.id
    intake = As2Intake(some_ports(database, clock))
    headers = MessageHeaders(sender="THEM", receiver=NAME, message_id="<1>")
    assert await intake.find(headers, "198.51.100.1") is None
    assert await intake.find(replace(headers, sender="them"), "192.0.2.7") is None
    found = await intake.find(headers, "192.0.2.7")
    assert found is not None
    assert (found.partner_id, found.keys.pairs) == (partner_id, (FIRST,))
    assert await intake.find_answer(found, "<1>") is None
    document = IncomingDocument(content=b"ISA~")
    first = await intake.store(found, "<1>", document, b"the answer")
    second = await intake.store(found, "<1>", document, b"another answer")
    assert (first.answer, first.is_duplicate) == (b"the answer", False)
    assert second == replace(first, is_duplicate=True)
    assert await intake.find_answer(found, "<1>") == second
    third = await intake.store(found, "<2>", document, b"")
    assert (third.receipt_id, third.is_duplicate) == (first.receipt_id + 1, False)


async def test_two_changes_of_keys_at_once_are_one(
    identities: As2IdentityService, database: Database, clock: StoppedClock
) -> None:
    await identities.create(OWN, NAME, FIRST)
    found = await stored(database)

    async def change(unit: object) -> bool:
        return await unit.as2_identities.change_keys(  # type: ignore[attr-defined, no-any-return]
            replace(found, sealed_version=3), clock.now()
        )

    assert not await database.units.write(OWN.scope, change)
    assert await keys(database) == ["first key"]


async def test_a_change_of_keys_that_came_too_late_is_refused(
    identities: As2IdentityService, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def is_overtaken(*_: object) -> bool:
        return False

    await identities.create(OWN, NAME, FIRST)
    monkeypatch.setattr(SqlAs2IdentityStore, "change_keys", is_overtaken)
    with pytest.raises(As2KeysError, match=r"^The keys of the identity were changed meanwhile\."):
        await identities.add_key(OWN, NAME, SECOND)


async def test_a_document_is_sent_with_the_keys_of_its_identity(
    identities: As2IdentityService, database: Database, clock: StoppedClock
) -> None:
    await identities.create(OWN, NAME, FIRST)
    starter = AttemptStarter(some_ports(database, clock), ())
    entry = SimpleNamespace(new=SimpleNamespace(environment=SANDBOX))

    async def keys_of(name: str) -> As2Keys | None:
        connection = As2Connection(url="https://as2.example.com/", as2_from=name, as2_to="THEM")

        async def find(unit: WriteUnit) -> As2Keys | None:
            return await starter._as2_keys(unit, entry, connection)  # type: ignore[arg-type]  # noqa: SLF001 - what begins an attempt is much larger

        return await database.units.write(OWN.scope, find)

    found = await keys_of(NAME)
    assert found is not None
    assert found.pairs == (FIRST,)
    assert await keys_of("NOBODY") is None


async def test_a_saved_message_is_opened_with_the_keys_and_terms_of_its_names(
    database: Database, clock: StoppedClock, identities: As2IdentityService
) -> None:
    await identities.create(OWN, NAME, FIRST)
    partners = a_partner_service(database, clock)
    for own in ("OTHER", NAME):
        terms = as2_members(as2_from=own, url=f"https://{own.lower()}.example.com/")
        await partners.create(OWN, new_partner(own, connections={"test": terms}))
    keys, connection = await identities.keys_to_open(OWN, NAME, "THEM")
    assert (keys.pairs, connection and connection.url) == ((FIRST,), "https://acme.example.com/")
    assert (await identities.keys_to_open(OWN, NAME, "NOBODY"))[1] is None
    with pytest.raises(As2IdentityNotFoundError):
        await identities.keys_to_open(NEIGHBOUR, NAME, "THEM")
    opened = [entry for entry in await audited(database) if "as2.open_message" in entry]
    assert opened == ["user 5 as2.open_message as2_identity 1"] * 2
