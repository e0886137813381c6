"""The vault: what is stored comes back, only to whom it belongs, and is found and paged."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest

from longshore.compute.inline import InlineCompute
from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.pages import PageParameters
from longshore.domain.ports import Scope, SealBrokenError
from longshore.domain.units import ReadUnit
from longshore.domain.vault.model import (
    DocumentNotFoundError,
    VaultDocument,
    VaultDocumentId,
    VaultQuery,
    VaultStatus,
)
from longshore.domain.vault.service import VaultService
from longshore.kit.environment import Environment
from tests.support.clock import START, StoppedClock
from tests.support.database import CountedUnits, Database
from tests.support.vault import PURCHASE_ORDER, a_document, a_sealer, a_vault, context, scope

SANDBOX, PRODUCTION = Environment.SANDBOX, Environment.PRODUCTION
TEST, LIVE = scope(1, SANDBOX), scope(1, PRODUCTION)
FOREIGN_TEST, FOREIGN_LIVE = scope(2, SANDBOX), scope(2, PRODUCTION)
EVERYTHING = VaultQuery(environment=SANDBOX)


@pytest.fixture
async def vault(database: Database, clock: StoppedClock, accounts: AccountService) -> VaultService:
    for name in ("own", "foreign"):
        await accounts.create(name, AccountType.ENTERPRISE)
    return a_vault(database, clock)


async def ids_in(vault: VaultService, query: VaultQuery = EVERYTHING) -> list[int]:
    return [each.id for each in (await vault.list(TEST, query, PageParameters(limit=50))).documents]


async def test_a_document_comes_back_as_it_was_stored(vault: VaultService) -> None:
    output = a_document('{"number":"PO-1","ü":"€"}', filename="850-1a2b3c4d.json", fmt="json")
    stored = await vault.store(TEST, None, [output])
    opened = await vault.get(TEST, stored.output_ids[0])
    assert (opened.content, opened.explain) == ('{"number":"PO-1","ü":"€"}', None)
    assert opened.sha256 == "b92e00dccdb61379454f624387ce9197ed2cc998fa1def96ee609e4cc0f8f1b6"
    assert opened.document == VaultDocument(
        id=VaultDocumentId(1),
        environment=SANDBOX,
        filename="850-1a2b3c4d.json",
        fmt="json",
        direction="inbound",
        transaction_set="850",
        status=VaultStatus.PROCESSED,
        file_size=28,
        transaction_id=None,
        map_id=None,
        map_version=None,
        source_doc_id=None,
        created_at=START,
    )


async def test_what_a_conversion_made_names_its_source_and_its_map(
    vault: VaultService,
) -> None:
    of_map = {"map_id": 7, "map_version": 3}
    outputs = [a_document("{}", **of_map, explain='{"targets":[]}'), a_document("[]", **of_map)]
    stored = await vault.store(TEST, a_document(), outputs)
    assert (stored.source_id, stored.output_ids) == (1, (2, 3))
    opened = [await vault.get(TEST, VaultDocumentId(number)) for number in (1, 2, 3)]
    assert [each.document.source_doc_id for each in opened] == [None, 1, 1]
    assert [each.document.map_id for each in opened] == [None, 7, 7]
    assert [each.document.map_version for each in opened] == [None, 3, 3]
    assert [each.explain for each in opened] == [None, '{"targets":[]}', None]
    assert opened[0].content == PURCHASE_ORDER


@pytest.mark.usefixtures("vault")  # which has the accounts
async def test_source_and_outputs_are_stored_in_one_unit(
    units: CountedUnits, clock: StoppedClock
) -> None:
    counted = VaultService(units, clock, a_sealer(), InlineCompute())
    await counted.store(TEST, a_document(), [a_document("{}"), a_document("[]")])
    assert (units.writes, units.reads) == (1, 0)


async def test_a_unit_that_fails_stores_neither_source_nor_output(
    vault: VaultService,
) -> None:
    broken = a_document("{}", map_id=2**63)  # no column holds it
    with pytest.raises(Exception, match=r"int64|too big"):
        await vault.store(TEST, a_document(), [broken])
    assert await ids_in(vault) == []


async def test_a_document_leaves_in_one_commit_with_its_entry_in_the_log(
    vault: VaultService, units: CountedUnits, clock: StoppedClock, database: Database
) -> None:
    await vault.store(TEST, None, [a_document()])
    counted = VaultService(units, clock, a_sealer(), InlineCompute())
    ann = context(1, SANDBOX)
    assert (await counted.read(ann, VaultDocumentId(1))).content == PURCHASE_ORDER
    assert (units.writes, units.reads) == (1, 1)
    for absent, who in ((VaultDocumentId(9), ann), (VaultDocumentId(1), context(2, SANDBOX))):
        with pytest.raises(DocumentNotFoundError):
            await counted.read(who, absent)
    own, foreign = [await audited(database, each) for each in (TEST, FOREIGN_TEST)]
    expected = [(ann.actor, "document.read", "document 1", ann.ip, ann.request_id)]
    assert (own, foreign, units.writes) == (expected, [], 1)


async def audited(database: Database, owner: Scope) -> list[tuple[str, ...]]:
    """Return who did what to what, from where, in which request."""
    account_id = owner.account_id
    assert account_id is not None
    chained = await database.units.read(owner, lambda unit: unit.audit.list_after(account_id, 0, 9))
    entries = [each.entry for each in chained]
    return [(each.actor, each.action, each.object, each.ip, each.request_id) for each in entries]


async def test_a_document_that_cannot_be_opened_leaves_no_entry(
    vault: VaultService, units: CountedUnits, clock: StoppedClock, database: Database
) -> None:
    stored = await vault.store(TEST, None, [a_document()])
    stranger = VaultService(units, clock, a_sealer(b"\1" * 32), InlineCompute())
    with pytest.raises(SealBrokenError):
        await stranger.read(context(1, SANDBOX), stored.output_ids[0])
    assert (await audited(database, TEST), units.writes) == ([], 0)


async def test_a_long_document_comes_back(vault: VaultService) -> None:
    content = "".join(f"line {number} of a long document\n" for number in range(40_000))
    stored = await vault.store(TEST, None, [a_document(content)])
    opened = await vault.get(TEST, stored.output_ids[0])
    assert opened.content == content
    assert opened.document.file_size == len(content)


@pytest.mark.parametrize("content", ["", "\0", "a\r\nb", "\ufeff", "ß" * 1000], ids=repr)
async def test_any_text_comes_back(vault: VaultService, content: str) -> None:
    stored = await vault.store(TEST, None, [a_document(content)])
    assert (await vault.get(TEST, stored.output_ids[0])).content == content


async def test_each_scope_gets_its_own_documents_and_no_others(vault: VaultService) -> None:
    owners = (TEST, LIVE, FOREIGN_TEST, FOREIGN_LIVE)
    for number, owner in enumerate(owners, start=1):
        stored = await vault.store(owner, None, [a_document(f"of {number}")])
        assert stored.output_ids == (number,)
    visible: dict[Scope, set[int]] = {}
    for owner in owners:
        visible[owner] = set()
        for number in (1, 2, 3, 4, 5):
            try:
                opened = await vault.get(owner, VaultDocumentId(number))
            except DocumentNotFoundError:
                continue
            assert opened.content == f"of {number}"
            visible[owner].add(number)
    assert list(visible.values()) == [{1}, {1, 2}, {3}, {3, 4}]


async def test_a_list_shows_one_environment_even_to_those_who_may_see_both(
    vault: VaultService,
) -> None:
    for owner in (TEST, LIVE, FOREIGN_LIVE):
        await vault.store(owner, None, [a_document()])
    live = VaultQuery(environment=PRODUCTION)
    found = {
        (owner.environment, query.environment): [
            each.id for each in (await vault.list(owner, query, PageParameters(limit=50))).documents
        ]
        for owner in (TEST, LIVE)
        for query in (EVERYTHING, live)
    }
    assert found == {
        (SANDBOX, SANDBOX): [1],
        (SANDBOX, PRODUCTION): [],
        (PRODUCTION, SANDBOX): [1],
        (PRODUCTION, PRODUCTION): [2],
    }


@pytest.fixture
async def filled(vault: VaultService, clock: StoppedClock) -> VaultService:
    """Four documents, a day apart."""
    for document in (
        a_document(),
        a_document("{}", filename="850-2b.json", fmt="json", map_id=7),
        a_document("<a/>", filename="810-3c.xml", fmt="xml", direction="outbound"),
        a_document("a,b", filename="4-4d.csv", fmt="csv", transaction_set="", map_id=8),
    ):
        await vault.store(TEST, None, [document])
        clock.move(timedelta(days=1))
    return vault


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        pytest.param({}, [4, 3, 2, 1], id="all, newest first"),
        pytest.param({"q": "850-"}, [2, 1], id="beginning of the name"),
        pytest.param({"q": "50-"}, [], id="not its middle"),
        pytest.param({"q": "4"}, [4], id="id, or a name that begins so"),
        pytest.param({"q": "3"}, [3], id="id"),
        pytest.param({"q": "85%"}, [], id="no wildcard"),
        pytest.param({"q": "9223372036854775808"}, [], id="no id so large"),
        pytest.param({"fmt": "json"}, [2], id="format"),
        pytest.param({"direction": "outbound"}, [3], id="direction"),
        pytest.param({"transaction_set": "850"}, [3, 2, 1], id="set"),
        pytest.param({"transaction_set": ""}, [4], id="no set"),
        pytest.param({"map_id": 8}, [4], id="map"),
        pytest.param({"since": START + timedelta(days=2)}, [4, 3], id="since, inclusive"),
        pytest.param({"before": START + timedelta(days=2)}, [2, 1], id="before, exclusive"),
        pytest.param({"q": "850-", "fmt": "x12"}, [1], id="all have to fit"),
    ],
)
async def test_a_list_is_filtered_and_counted(
    filled: VaultService, filters: dict[str, Any], expected: list[int]
) -> None:
    query = VaultQuery(environment=SANDBOX, **filters)
    page = await filled.list(TEST, query, PageParameters(limit=50))
    assert ([each.id for each in page.documents], page.total.count) == (expected, len(expected))


async def test_pages_follow_one_another(filled: VaultService) -> None:
    pages = [
        await filled.list(TEST, EVERYTHING, PageParameters(limit=3, offset=offset))
        for offset in (0, 3, 6)
    ]
    assert [[each.id for each in page.documents] for page in pages] == [[4, 3, 2], [1], []]
    assert [page.total.count for page in pages] == [4, 4, 4]


async def test_the_sources_of_a_map_are_listed_once_newest_first(vault: VaultService) -> None:
    for owner, map_id in ((TEST, 7), (TEST, 8), (TEST, 7), (LIVE, 7)):
        outputs = [a_document("{}", map_id=map_id), a_document("[]", map_id=map_id)]
        await vault.store(owner, a_document(), outputs)
    await vault.store(TEST, None, [a_document("{}", map_id=7)])
    assert await vault.list_sources(TEST, 7, SANDBOX, 50) == (7, 1)
    assert await vault.list_sources(TEST, 7, SANDBOX, 1) == (7,)
    assert await vault.list_sources(LIVE, 7, PRODUCTION, 50) == (10,)
    assert await vault.list_sources(FOREIGN_LIVE, 7, SANDBOX, 50) == ()


async def test_what_has_expired_is_listed_oldest_first_to_whom_it_belongs(
    filled: VaultService, database: Database
) -> None:
    for owner in (LIVE, FOREIGN_TEST):
        await filled.store(owner, None, [a_document()])

    async def expired(owner: Scope, before: datetime, most: int = 50) -> list[int]:
        async def find(unit: ReadUnit) -> Sequence[VaultDocumentId]:
            return await unit.vault.list_expired(before, most)

        return list(await database.units.read(owner, find))

    instant = timedelta(microseconds=1)
    later = START + timedelta(days=9)
    assert [await expired(each, later) for each in (TEST, LIVE)] == [[1, 2, 3, 4], [1, 2, 3, 4, 5]]
    assert await expired(FOREIGN_LIVE, later) == [6]
    assert await expired(LIVE, later, 2) == [1, 2]
    assert [await expired(LIVE, START + each) for each in (timedelta(), instant)] == [[], [1]]
