"""Saved maps are run for received documents and for submissions, with their lineage."""

import json

import pytest

from longshore.compute.documents import convert_result
from longshore.compute.inline import InlineCompute
from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.acting import Acting
from longshore.domain.map_runs import SavedMapRunner
from longshore.domain.maps.model import Authorship, MapDefinition
from longshore.domain.maps.service import MapService
from longshore.domain.ports import AccountId
from longshore.domain.submission.ports import Conversion
from longshore.kit.environment import Environment
from longshore.kit.errors import LongshoreError
from tests.support.clock import StoppedClock
from tests.support.database import Database
from tests.support.maps import ORDER, ORDER_JSON, a_map, a_map_service

ACTING = Acting(account_id=AccountId(1), environment=Environment.SANDBOX, actor="worker")


@pytest.fixture
async def maps(accounts: AccountService, database: Database, clock: StoppedClock) -> MapService:
    await accounts.create("demo", AccountType.DEVELOPER)
    return a_map_service(database, clock)


@pytest.fixture
def runner(maps: MapService, clock: StoppedClock) -> SavedMapRunner:
    return SavedMapRunner(maps, clock, InlineCompute(), convert_result)


async def saved(maps: MapService, definition: MapDefinition) -> int:
    by = Authorship(saved_by="cli", note="")
    return (await maps.create(ACTING, definition, by)).map.head.id


async def test_a_received_document_is_converted_by_the_newest_version(
    maps: MapService, runner: SavedMapRunner
) -> None:
    made = await runner.run(ACTING, await saved(maps, a_map()), ORDER)
    assert (made.text, made.fmt, made.transaction_set) == (ORDER_JSON, "json", "850")
    assert made.filename.startswith("850-")
    assert (made.filename[-5:], made.map_version) == (".json", 1)
    assert made.explain
    outputs = json.loads(made.explain)["outputs"]
    assert [(each["tgt"], each["rule"]) for each in outputs][:1] == [("number", 0)]


async def test_a_document_to_be_sent_is_converted_by_the_version_that_is_named(
    maps: MapService, runner: SavedMapRunner
) -> None:
    map_id = await saved(maps, a_map())
    made = await runner.convert(
        ACTING, Conversion(document=ORDER, map_id=map_id, map_version=1, tx_set="850")
    )
    assert (made.text, made.format, made.source_format) == (ORDER_JSON, "json", "x12")
    assert (made.map_id, made.map_version, made.source_set) == (map_id, 1, "850")
    assert json.loads(made.explain)["outputs"]


async def test_a_map_that_is_not_there_is_refused(runner: SavedMapRunner) -> None:
    with pytest.raises(LongshoreError) as refused:
        await runner.run(ACTING, 9, ORDER)
    assert refused.value.code == "not_found"
