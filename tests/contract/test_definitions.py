"""Imported definitions on both databases: whose they are, what they change, and when."""

import asyncio
from datetime import timedelta

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.definitions import cache, service
from longshore.domain.definitions.errors import DefinitionNotFoundError, DefinitionStateError
from longshore.domain.definitions.model import OwnDefinitionId
from longshore.domain.definitions.service import DefinitionService
from longshore.domain.ports import NoDefinitions, RequestContext, StorageQuota
from longshore.domain.transactions.model import ValidationStatus
from longshore.domain.usage.errors import StorageQuotaError
from longshore.engine.definitions import DefinitionFile
from tests.support.clock import START, StoppedClock
from tests.support.database import Database, Engine
from tests.support.definitions import AN_ESL, AN_ORDER, a_definition_service
from tests.support.partners import NEIGHBOUR, OWN, OWN_LIVE, audited
from tests.support.processing import ACME, a_trade
from tests.support.processing import OWN as OUR
from tests.support.submitting import a_submit_setup, an_interchange

FILE = DefinitionFile("order.esl")
ANOTHER = AN_ESL.replace("Order of ours", "Another")


def an_order_of_acme() -> bytes:
    """Return a document from the partner of the cases, with a set that is valid by ours alone."""
    sender, receiver = (ACME.qualifier, ACME.isa_id), (OUR.qualifier, OUR.isa_id)
    return an_interchange(AN_ORDER, sender=sender, receiver=receiver).encode()


@pytest.fixture
async def definitions(
    database: Database, clock: StoppedClock, accounts: AccountService
) -> DefinitionService:
    for name in ("own", "Northwind"):
        await accounts.create(name, AccountType.ENTERPRISE)
    return a_definition_service(database, clock)


async def titles(definitions: DefinitionService, context: RequestContext) -> list[str]:
    return [each.facts.title for each in await definitions.list(context)]


async def test_imports_of_one_definition_at_the_same_moment_leave_one(
    definitions: DefinitionService,
) -> None:
    for _ in range(2):  # without an earlier one, and with one
        await asyncio.gather(*(definitions.import_file(OWN, AN_ESL, FILE) for _ in range(6)))
        assert await titles(definitions, OWN) == ["Order of ours"]


async def test_a_definition_is_of_one_account_in_one_environment(
    definitions: DefinitionService,
) -> None:
    done = await definitions.import_file(OWN, AN_ESL, FILE)
    (stored,) = done.definitions
    assert (stored.id, stored.created_at, done.replaced) == (1, START, frozenset())
    facts = stored.facts
    assert (facts.key, facts.form, facts.file_name) == (
        ("850", "004010", ""),
        "mulesoft",
        "order.esl",
    )
    for other in (OWN_LIVE, NEIGHBOUR):
        assert await titles(definitions, other) == []
        assert await definitions.current(other.scope) is None
        for act in (definitions.show, definitions.delete):
            with pytest.raises(DefinitionNotFoundError):
                await act(other, stored.id)
    shown, texts = await definitions.show(OWN, stored.id)
    assert shown == stored
    assert texts["850.xd"].splitlines()[1] == 'set 850 PO 004010 "Order of ours"'
    assert sum(map(len, texts.values())) == facts.size


async def test_an_import_replaces_an_earlier_one_and_both_are_audited(
    definitions: DefinitionService, database: Database
) -> None:
    await definitions.import_file(OWN, AN_ESL, FILE)
    done = await definitions.import_file(OWN, ANOTHER, FILE)
    assert done.replaced == {OwnDefinitionId(2)}
    assert await titles(definitions, OWN) == ["Another"]
    await definitions.delete(OWN, OwnDefinitionId(2))
    assert await titles(definitions, OWN) == []
    assert await audited(database) == [
        "user 5 definition.import definition 1",
        "user 5 definition.import definition 2",
        "user 5 definition.delete definition 2",
    ]


async def test_validation_uses_what_is_stored_and_reads_texts_once(
    definitions: DefinitionService, database: Database, clock: StoppedClock
) -> None:
    other_process = a_definition_service(database, clock)
    assert await other_process.current(OWN.scope) is None
    await definitions.import_file(OWN, AN_ESL, FILE)
    first = await other_process.current(OWN.scope)
    assert first is not None
    assert await other_process.current(OWN.scope) is first
    clock.move(cache.LIFETIME)
    assert await other_process.current(OWN.scope) is first
    clock.move(timedelta(seconds=-1))
    assert await other_process.current(OWN.scope) is first
    await definitions.import_file(OWN, ANOTHER, FILE)
    second = await other_process.current(OWN.scope)
    assert second not in (None, first)
    await definitions.delete(OWN, OwnDefinitionId(2))
    assert await other_process.current(OWN.scope) is None


async def test_a_demo_has_none() -> None:
    source = NoDefinitions()
    source.announce()
    assert await source.current(OWN.scope) is None


async def test_texts_of_all_accounts_together_are_limited_in_memory(
    definitions: DefinitionService, monkeypatch: pytest.MonkeyPatch
) -> None:
    for context in (OWN, NEIGHBOUR):
        await definitions.import_file(context, AN_ESL, FILE)
    first = await definitions.current(OWN.scope)
    assert await definitions.current(OWN.scope) is first
    size = (await definitions.list(OWN))[0].facts.size
    monkeypatch.setattr(cache, "MAX_CHARS", size)
    assert await definitions.current(NEIGHBOUR.scope) == first
    again = await definitions.current(OWN.scope)  # read again
    assert again == first
    assert again is not first


async def test_an_account_has_a_limited_number_and_length_of_definitions(
    definitions: DefinitionService, monkeypatch: pytest.MonkeyPatch
) -> None:
    await definitions.import_file(OWN, AN_ESL, FILE)
    other = AN_ESL.replace("850", "855").replace("PO", "PR")
    monkeypatch.setattr(service, "MAX_DEFINITIONS", 1)
    with pytest.raises(DefinitionStateError, match="at most 1 definitions in an environment"):
        await definitions.import_file(OWN, other, FILE)
    await definitions.import_file(OWN, ANOTHER, FILE)
    monkeypatch.setattr(service, "MAX_ACCOUNT_CHARS", 1)
    with pytest.raises(DefinitionStateError, match="at most 1 characters"):
        await definitions.import_file(OWN, AN_ESL, FILE)
    assert await titles(definitions, OWN) == ["Another"]


async def test_definitions_count_as_stored(
    database: Database, clock: StoppedClock, accounts: AccountService
) -> None:
    await accounts.create("own", AccountType.ENTERPRISE)
    small = a_definition_service(database, clock, quota=StorageQuota(max_records=1))
    await small.import_file(OWN, AN_ESL, FILE)
    with pytest.raises(StorageQuotaError):
        await small.import_file(OWN, AN_ESL.replace("850", "855").replace("PO", "PR"), FILE)
    await small.import_file(OWN, ANOTHER, FILE)  # in place of the first
    await small.delete(OWN, OwnDefinitionId(2))
    await small.import_file(OWN, AN_ESL, FILE)


async def test_a_submitted_document_is_validated_by_it(
    database: Database, engine: Engine, clock: StoppedClock, accounts: AccountService
) -> None:
    setup = await a_submit_setup(database, engine, clock, accounts)
    await setup.partner()
    content = an_interchange(AN_ORDER)
    definitions = a_definition_service(database, clock)
    await definitions.import_file(OWN, AN_ESL, FILE)
    await setup.submit(content)
    assert (await setup.record(1)).record.states.validation is ValidationStatus.VALID


async def test_a_received_document_is_validated_and_acknowledged_by_it(
    database: Database, clock: StoppedClock, accounts: AccountService
) -> None:
    await accounts.create("own", AccountType.ENTERPRISE)
    trade = await a_trade(database, clock)
    content = an_order_of_acme()
    await trade.receive(content)
    await a_definition_service(database, clock).import_file(OWN, AN_ESL, FILE)
    await trade.receive(content.replace(b"000000123", b"000000124"))
    states = [each.record.states.validation for each in await trade.records()]
    assert states == [ValidationStatus.INVALID, ValidationStatus.VALID]
