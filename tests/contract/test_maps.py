"""Saved maps: every save is kept, and nobody overwrites or sees what is another's."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from longshore.compute.inline import InlineCompute
from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.audit.service import AuditAdministration
from longshore.domain.audit.writer import open_detail
from longshore.domain.maps import model
from longshore.domain.maps.definitions import MAX_BYTES
from longshore.domain.maps.errors import (
    EditConflictError,
    InvalidMapError,
    MapLockedError,
    MapNotFoundError,
)
from longshore.domain.maps.model import (
    Authorship,
    Candidate,
    MapHead,
    MapId,
    MapPage,
    MapQuery,
    MapVersion,
    SampleDocument,
)
from longshore.domain.maps.replay import ReplayService
from longshore.domain.maps.service import MapService
from longshore.domain.ports import SealBrokenError
from longshore.domain.units import WriteUnit
from longshore.domain.vault.model import VaultDocumentId
from longshore.engine.trials import MapTest, RuleChanges
from longshore.kit.environment import Environment
from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.mapping.compare import Difference
from tests.support.clock import START, StoppedClock
from tests.support.database import Database
from tests.support.maps import ORDER, ORDER_JSON, ORDER_RULES, UNITS, a_map, a_map_service
from tests.support.vault import a_document, a_sealer, a_vault, context, scope

SANDBOX, PRODUCTION = Environment.SANDBOX, Environment.PRODUCTION
OWN, OWN_LIVE, FOREIGN = scope(1, SANDBOX), scope(1, PRODUCTION), scope(2, SANDBOX)
ANN, STRANGER = context(1, SANDBOX), context(2, SANDBOX)
OWNER = ANN.account_id
WHO = Authorship(saved_by="ann@example.com")
BOB = Authorship(saved_by="bob@example.com", note="numbers alone")
NUMBER_ONLY = '[{"src":"BEG.03","tgt":"number"}]'


@pytest.fixture
async def maps(database: Database, clock: StoppedClock, accounts: AccountService) -> MapService:
    for name in ("own", "foreign"):
        await accounts.create(name, AccountType.ENTERPRISE)
    return a_map_service(database, clock)


async def test_a_map_comes_back_as_it_was_saved_in_both_environments(maps: MapService) -> None:
    rules = '[{"const":1.10,"tgt":"a"},{"src":"BEG.03","tgt":"b"}]'
    definition = a_map(
        rules,
        lookups=UNITS,
        sample=SampleDocument(document=ORDER, format="x12"),
        tests=(MapTest(name="one", document=ORDER, expected="{}"),),
    )
    saved = await maps.create(ANN, definition, WHO)
    assert saved.map.head == MapHead(
        id=MapId(1),
        name="Orders",
        source_fmt="x12",
        target_fmt="json",
        tx_set="850",
        direction="inbound",
        version=1,
        rule_count=2,
        is_locked=False,
        created_at=START,
        updated_at=START,
    )
    for each in (OWN, OWN_LIVE):
        found = await maps.get(each, 1)
        assert (found.definition, found.version, found.head) == (definition, 1, saved.map.head)
    assert (await maps.get(OWN, 1)).definition.field_map == rules


async def test_every_save_is_a_version_that_stays(maps: MapService, clock: StoppedClock) -> None:
    await maps.create(ANN, a_map(), WHO)
    clock.move(timedelta(hours=1))
    second = await maps.save(ANN, 1, 1, a_map(NUMBER_ONLY, name="Numbers"), BOB)
    assert (second.map.head.version, second.map.head.name) == (2, "Numbers")
    assert (await maps.get(OWN, 1, 1)).definition == a_map()
    assert (await maps.get(OWN, 1)).definition.name == "Numbers"
    assert await maps.versions(OWN, 1) == (
        MapVersion(
            version=2,
            rule_count=1,
            changes=RuleChanges(removed=1),
            note="numbers alone",
            saved_by="bob@example.com",
            saved_at=START + timedelta(hours=1),
        ),
        MapVersion(
            version=1,
            rule_count=2,
            changes=RuleChanges(added=2),
            note="",
            saved_by="ann@example.com",
            saved_at=START,
        ),
    )
    with pytest.raises(MapNotFoundError):
        await maps.get(OWN, 1, 3)


async def test_restoring_saves_the_old_version_as_the_newest(maps: MapService) -> None:
    await maps.create(ANN, a_map(), WHO)
    await maps.save(ANN, 1, 1, a_map(NUMBER_ONLY), WHO)
    restored = await maps.restore(ANN, 1, 1, WHO)
    assert (restored.map.version, restored.map.definition) == (3, a_map())
    with pytest.raises(MapNotFoundError):
        await maps.restore(ANN, 1, 9, WHO)
    assert len(await maps.versions(OWN, 1)) == 3


async def test_of_eight_saves_at_once_one_wins(maps: MapService) -> None:
    await maps.create(ANN, a_map(), WHO)
    saves = [
        maps.save(ANN, 1, 1, a_map(name=f"Orders {n}"), Authorship(saved_by=f"user {n}"))
        for n in range(8)
    ]
    answers = await asyncio.gather(*saves, return_exceptions=True)
    conflicts = [answer for answer in answers if isinstance(answer, EditConflictError)]
    assert len(conflicts) == 7
    assert {each.details[0].current_version for each in conflicts} == {2}
    newest, first = await maps.versions(OWN, 1)
    assert (newest.version, first.version) == (2, 1)
    assert (await maps.get(OWN, 1)).definition.name == newest.saved_by.replace("user", "Orders")


async def test_a_locked_map_is_neither_saved_nor_removed(maps: MapService) -> None:
    await maps.create(ANN, a_map(), WHO)
    assert (await maps.set_locked(ANN, 1, is_locked=True)).head.is_locked
    with pytest.raises(MapLockedError):
        await maps.save(ANN, 1, 1, a_map(NUMBER_ONLY), WHO)
    with pytest.raises(MapLockedError):
        await maps.restore(ANN, 1, 1, WHO)
    with pytest.raises(MapLockedError):
        await maps.delete(ANN, 1, None)
    assert len(await maps.versions(OWN, 1)) == 1
    assert not (await maps.set_locked(ANN, 1, is_locked=False)).head.is_locked
    assert (await maps.save(ANN, 1, 1, a_map(NUMBER_ONLY), WHO)).map.version == 2


async def test_a_removed_map_is_gone_with_its_versions(maps: MapService) -> None:
    await maps.create(ANN, a_map(), WHO)
    await maps.save(ANN, 1, 1, a_map(NUMBER_ONLY), WHO)
    with pytest.raises(EditConflictError):
        await maps.delete(ANN, 1, 1)
    await maps.delete(ANN, 1, 2)
    for call in (maps.get(OWN, 1), maps.versions(OWN, 1), maps.delete(ANN, 1, None)):
        with pytest.raises(MapNotFoundError):
            await call
    assert (await maps.create(ANN, a_map(), WHO)).map.head.id == 2


async def test_the_last_saved_map_is_listed_first(maps: MapService, clock: StoppedClock) -> None:
    for name in ("one", "two", "three"):
        await maps.create(ANN, a_map(name=name), WHO)
    clock.move(timedelta(seconds=1))
    await maps.save(ANN, 1, 1, a_map(name="one"), WHO)
    assert await names(maps) == ["one", "three", "two"]
    assert await maps.list(FOREIGN) == MapPage(maps=(), total=0)


async def names(maps: MapService, q: str = "", limit: int | None = None, at: int = 0) -> list[str]:
    page = await maps.list(OWN, MapQuery(q=q, limit=limit, offset=at))
    return [each.head.name for each in page.maps]


async def test_maps_are_found_by_id_and_by_part_of_the_name(maps: MapService) -> None:
    for name in ("Orders", "Ä 2 orders", "Invoices", "50%"):
        await maps.create(ANN, a_map(name=name), WHO)
    assert await names(maps, "ORDERS") == ["Ä 2 orders", "Orders"]
    assert [await names(maps, q) for q in ("ä", "%", "_", "x")] == [["Ä 2 orders"], ["50%"], [], []]
    assert await names(maps, "2") == ["Ä 2 orders"]
    assert await names(maps, "3") == ["Invoices"]
    assert (await maps.list(OWN, MapQuery(q="orders", limit=1))).total == 2


async def test_the_pages_of_a_list_are_the_list(maps: MapService) -> None:
    for name in ("one", "two", "three"):
        await maps.create(ANN, a_map(name=name), WHO)
    pages = [await names(maps, limit=2, at=at) for at in (0, 2, 4)]
    assert pages == [["three", "two"], ["one"], []]
    assert await names(maps, at=1) == ["two", "one"]


async def test_a_list_tells_when_a_map_made_its_newest_stored_document(
    maps: MapService, database: Database, clock: StoppedClock
) -> None:
    vault = a_vault(database, clock)
    for name in ("used", "never", "live"):
        await maps.create(ANN, a_map(name=name), WHO)
    for owner, map_id in ((OWN, 1), (OWN, 1), (OWN_LIVE, 3), (FOREIGN, 2)):
        clock.move(timedelta(hours=1))
        await vault.store(owner, a_document(), [a_document("{}", map_id=map_id)])
    second, third = START + timedelta(hours=2), START + timedelta(hours=3)
    shown = [
        {each.head.name: each.last_run_at for each in (await maps.list(owner)).maps}
        for owner in (OWN, OWN_LIVE)
    ]
    assert shown[0] == {"used": second, "never": None, "live": None}
    assert shown[1] == {"used": second, "never": None, "live": third}


async def test_a_neighbours_map_does_not_exist(maps: MapService) -> None:
    await maps.create(ANN, a_map(), WHO)
    calls = (
        maps.get(FOREIGN, 1),
        maps.versions(FOREIGN, 1),
        maps.save(STRANGER, 1, 1, a_map(NUMBER_ONLY), WHO),
        maps.restore(STRANGER, 1, 1, WHO),
        maps.set_locked(STRANGER, 1, is_locked=True),
        maps.delete(STRANGER, 1, None),
        maps.run_tests(FOREIGN, 1, Candidate()),
    )
    for call in calls:
        with pytest.raises(MapNotFoundError):
            await call
    found = await maps.get(OWN, 1)
    assert (found.version, found.head.is_locked, found.definition) == (1, False, a_map())


@pytest.mark.parametrize(
    ("change", "param"),
    [
        ({"name": ""}, "name"),
        ({"name": " x"}, "name"),
        ({"name": "x" * 201}, "name"),
        ({"description": "x" * 2_001}, "description"),
        ({"source_fmt": "edifact"}, "source_fmt"),
        ({"direction": "sideways"}, "direction"),
        ({"tx_set": "85"}, "tx_set"),
        ({"sample": SampleDocument(document="", format="pdf")}, "sample.format"),
        ({"lookups": '[{"name":"a","rows":[]},{"name":"a","rows":[]}]'}, "lookups"),
        ({"tests": (MapTest(name="a", document="", expected=""),) * 2}, "tests"),
    ],
)
async def test_a_definition_out_of_bounds_is_refused_and_not_stored(
    maps: MapService, change: dict[str, Any], param: str
) -> None:
    with pytest.raises(InvalidMapError) as refused:
        await maps.create(ANN, replace(a_map(), **change), WHO)
    assert [detail.param for detail in refused.value.details] == [param]
    assert await names(maps) == []


async def test_bad_rules_are_refused_with_their_places(maps: MapService) -> None:
    await maps.create(ANN, a_map(), WHO)
    bad = '[{"src":"BEG.03","tgt":"a","transform":"titlecase"},{"src":"!","tgt":"b"}]'
    with pytest.raises(LongshoreError) as refused:
        await maps.save(ANN, 1, 1, a_map(bad), WHO)
    assert refused.value.code is ErrorCode.UNSUPPORTED_TRANSFORM
    params = [detail.param for detail in refused.value.details]
    assert params == ["field_map[0].transform", "field_map[1].src"]
    assert len(await maps.versions(OWN, 1)) == 1


@pytest.mark.parametrize(
    ("change", "params"),
    [
        ({"name": "", "tx_set": "85"}, ["name", "tx_set", "field_map[0].src", "field_map[1].tgt"]),
        # Which paths are right depends on the format.
        ({"name": "", "source_fmt": "pdf"}, ["name", "source_fmt"]),
        ({"description": "x" * MAX_BYTES}, ["description", "map"]),
    ],
)
async def test_faults_of_members_and_of_rules_are_told_together(
    maps: MapService, change: dict[str, Any], params: list[str]
) -> None:
    bad = '[{"src":"!","tgt":"a"},{"src":"BEG.03","tgt":"b["}]'
    with pytest.raises(InvalidMapError) as refused:
        await maps.create(ANN, replace(a_map(bad), **change), WHO)
    assert [detail.param for detail in refused.value.details] == params
    assert refused.value.code is ErrorCode.INVALID_PARAMETER
    assert await names(maps) == []


async def test_a_save_runs_the_tests_and_refuses_nothing(maps: MapService) -> None:
    tests = (
        MapTest(name="good", document=ORDER, expected=ORDER_JSON),
        MapTest(name="other", document=ORDER, expected=ORDER_JSON.replace("PO-1", "PO-2")),
        MapTest(name="no document", document="", expected="{}"),
    )
    report = (await maps.create(ANN, a_map(tests=tests), WHO)).tests
    assert (report.passed, report.failed) == (1, 2)
    good, other, broken = report.results
    assert good.has_passed
    assert other.diff == (Difference("number", '"PO-2"', '"PO-1"'),)
    assert broken.error == "The document is empty or only white space."
    candidate = Candidate(field_map=NUMBER_ONLY)
    assert (await maps.run_tests(OWN, 1, candidate)).passed == 0
    assert (await maps.run_tests(OWN, 1, Candidate())).passed == 1


async def test_a_list_tells_how_many_tests_of_the_newest_version_fail(
    maps: MapService, database: Database, clock: StoppedClock
) -> None:
    async def counts(service: MapService) -> list[int | None]:
        return [each.issue_count for each in (await service.list(OWN)).maps]

    wrong = MapTest(name="wrong", document=ORDER, expected="{}")
    nothing = '[{"src": "ZZZ.01", "tgt": "nothing"}]'
    await maps.create(ANN, a_map(tests=(wrong,)), WHO)
    assert await counts(maps) == [1]
    await maps.run_tests(OWN, 1, Candidate(field_map=nothing))  # which passes, but is not saved
    assert await counts(maps) == [1]
    await maps.save(ANN, 1, 1, a_map(nothing, tests=(wrong,)), WHO)
    assert await counts(maps) == [0]
    await maps.restore(ANN, 1, 1, WHO)
    assert await counts(maps) == [1]
    another_start = a_map_service(database, clock)
    assert await counts(another_start) == [None]
    await another_start.run_tests(OWN, 1, Candidate())
    assert await counts(another_start) == [1]


async def test_no_more_than_a_number_of_outcomes_are_remembered(
    maps: MapService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model, "MAX_KNOWN", 2)
    for name in ("one", "two", "three"):
        await maps.create(ANN, a_map(name=name), WHO)
    assert [each.issue_count for each in (await maps.list(OWN)).maps] == [0, 0, None]


async def test_a_definition_that_was_changed_in_the_database_is_not_used(
    maps: MapService, database: Database, clock: StoppedClock
) -> None:
    await maps.create(ANN, a_map(), WHO)
    stranger = MapService(database.units, a_sealer(b"\1" * 32), clock, InlineCompute())
    with pytest.raises(SealBrokenError):
        await stranger.get(OWN, 1)


async def test_a_replay_tells_what_a_candidate_changes(
    maps: MapService, database: Database, clock: StoppedClock
) -> None:
    await maps.create(ANN, a_map(), WHO)
    vault = a_vault(database, clock)
    for content in (ORDER, ORDER.replace("PO-1", "PO-2"), ORDER):
        await vault.store(OWN, a_document(content), [a_document("{}", map_id=1)])
    await vault.store(OWN_LIVE, a_document(ORDER), [a_document("{}", map_id=1)])
    await vault.store(OWN, a_document(ORDER), [a_document("{}", map_id=2)])
    replays = ReplayService(maps, vault, InlineCompute())
    lookup = '[{"src":"BEG.03","tgt":"number","lookup":{"table":{"PO-2":"two"}}},'
    candidate = Candidate(field_map=lookup + ORDER_RULES.split(",", 1)[1].split("},", 1)[1])
    results = await replays.replay(ANN, 1, candidate, 2)
    assert [each.source_doc_id for each in results] == [5, 3]
    assert [each.replayed.outcome for each in results] == ["identical", "changed"]
    assert results[1].replayed.diff == (Difference("number", '"PO-2"', '"two"'),)
    assert {each.replayed.outcome for each in await replays.replay(ANN, 1, Candidate(), 50)} == {
        "identical"
    }
    with pytest.raises(MapNotFoundError):
        await replays.replay(STRANGER, 1, candidate, 2)

    async def remove(unit: WriteUnit) -> bool:
        return await unit.vault.delete(VaultDocumentId(5))

    assert await database.units.write(OWN, remove)
    left = await replays.replay(ANN, 1, candidate, 50)
    assert [each.source_doc_id for each in left] == [3, 1]
    assert await audited(database) == [
        ("map.create", "map 1", ""),
        ("map.replay", "map 1", "documents 5, 3"),
        ("map.replay", "map 1", "documents 5, 3, 1"),
        ("map.replay", "map 1", "documents 3, 1"),
    ]


async def audited(database: Database) -> list[tuple[str, str, str]]:
    """Return what the log says of the account, all done by ``ANN``: action, object, detail."""
    chained = await database.units.read(OWN, lambda unit: unit.audit.list_after(OWNER, 0, 100))
    assert (await AuditAdministration(database.units).verify(OWNER)).broken_at is None
    entries = [each.entry for each in chained]
    assert {(each.actor, each.ip, each.request_id) for each in entries} <= {
        (ANN.actor, ANN.ip, ANN.request_id)
    }
    return [(each.action, each.object, open_detail(a_sealer(), each)) for each in entries]


async def test_the_log_tells_of_each_change_of_a_map_once(
    maps: MapService, database: Database
) -> None:
    await maps.create(ANN, a_map(), WHO)
    await maps.save(ANN, 1, 1, a_map(NUMBER_ONLY, name="Numbers"), WHO)
    await maps.restore(ANN, 1, 1, WHO)
    for is_locked in (True, True, False, False):
        await maps.set_locked(ANN, 1, is_locked=is_locked)
    await maps.delete(ANN, 1, None)
    actions = ("create", "save", "restore", "lock", "unlock", "delete")
    assert await audited(database) == [(f"map.{each}", "map 1", "") for each in actions]


async def test_the_log_has_nothing_of_what_is_refused_or_changes_nothing(
    maps: MapService, database: Database, clock: StoppedClock
) -> None:
    await maps.create(ANN, a_map(), WHO)
    for refused in (
        maps.create(ANN, a_map(name=""), WHO),
        maps.save(ANN, 1, 7, a_map(), WHO),
        maps.restore(ANN, 1, 9, WHO),
        maps.set_locked(ANN, 9, is_locked=True),
        maps.delete(ANN, 1, 7),
    ):
        with pytest.raises(LongshoreError):
            await refused
    replays = ReplayService(maps, a_vault(database, clock), InlineCompute())
    assert await replays.replay(ANN, 1, Candidate(), 50) == ()
    assert await audited(database) == [("map.create", "map 1", "")]


async def test_a_definition_is_no_larger_than_it_may_be(maps: MapService) -> None:
    empty = a_map(sample=SampleDocument(document="", format="x12"))
    room = MAX_BYTES - len(empty.to_json())
    largest = replace(empty, sample=SampleDocument(document="x" * room, format="x12"))
    assert (await maps.create(ANN, largest, WHO)).map.definition == largest
    over = replace(empty, sample=SampleDocument(document="x" * (room + 1), format="x12"))
    with pytest.raises(InvalidMapError) as refused:
        await maps.save(ANN, 1, 1, over, WHO)
    (detail,) = refused.value.details
    assert (detail.limit, detail.max) == ("bytes", MAX_BYTES)
    assert len(await maps.versions(OWN, 1)) == 1
