"""Saved maps are run for received documents and for submissions, with their lineage."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

import pytest

from longshore.compute.documents import convert_result
from longshore.compute.inline import InlineCompute
from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.maps.model import Authorship, MapDefinition
from longshore.domain.maps.runner import SavedMapRunner
from longshore.domain.maps.running import MapConversion
from longshore.domain.maps.service import MapService
from longshore.domain.ports import AccountId, RequestContext
from longshore.kit.environment import Environment
from longshore.kit.errors import LongshoreError
from longshore.mapping.writes import MappingWarning
from tests.support.clock import StoppedClock
from tests.support.database import Database
from tests.support.maps import ORDER, ORDER_JSON, a_map, a_map_service
from tests.support.submitting import a_set, an_interchange

NUMBER_TEXT = '{"src":"BEG.03","tgt":"number"}'
ACTING = RequestContext(account_id=AccountId(1), environment=Environment.SANDBOX, actor="worker")


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
        ACTING, MapConversion(document=ORDER, map_id=map_id, map_version=1, tx_set="850")
    )
    (part,) = made.parts
    assert (part.text, made.format, made.source_format) == (ORDER_JSON, "json", "x12")
    assert (made.map_id, made.map_version, made.source_set) == (map_id, 1, "850")
    assert json.loads(part.explain)["outputs"]


async def test_the_warnings_of_a_received_document_are_named(
    maps: MapService, runner: SavedMapRunner
) -> None:
    unit = '{"src":"PO1[*].03","tgt":"units[*]","transform":"date_iso"}'
    rules = f"[{NUMBER_TEXT},{unit}]"
    definition = a_map(rules)
    made = await runner.run(ACTING, await saved(maps, definition), ORDER)
    assert [each.code for each in made.warnings] == ["date_iso"]


async def test_the_warnings_of_a_formula_name_the_first_row_and_the_number_of_rows(
    maps: MapService, runner: SavedMapRunner
) -> None:
    """The same for what is received and for what is sent."""
    rule = '{"formula":"{PO1[*].03} + 1","tgt":"lines[*].unit"}'
    map_id = await saved(maps, a_map(f"[{NUMBER_TEXT},{rule}]"))
    received = await runner.run(ACTING, map_id, ORDER)
    sent = await runner.convert(ACTING, conversion(map_id, ORDER))
    assert received.warnings == sent.warnings
    assert sent.warnings == (
        MappingWarning(
            "formula_type",
            "+ needs numbers and got a text; the value is missing",
            param="field_map[1]",
            tgt="lines[*].unit",
            count=2,
            row=(1,),
        ),
    )


async def test_a_received_document_of_which_nothing_is_converted_is_refused(
    maps: MapService, runner: SavedMapRunner
) -> None:
    map_id = await saved(maps, a_map('[{"src":"REF.02","tgt":"reference"}]'))
    with pytest.raises(LongshoreError) as refused:
        await runner.run(ACTING, map_id, ORDER)
    assert (refused.value.code, refused.value.message) == (
        "conversion_failed",
        (
            "The document was not converted: no rule found a value in the document: nothing of it"
            " is in the output. Change the map, or use another one."
        ),
    )
    assert [each.code for each in refused.value.details] == ["nothing_converted"]


async def test_a_map_that_is_not_there_is_refused(runner: SavedMapRunner) -> None:
    with pytest.raises(LongshoreError) as refused:
        await runner.run(ACTING, 9, ORDER)
    assert refused.value.code == "not_found"


# ---- whole documents -----------------------------------------------------------------------------

TO_X12 = [{"const": "00", "tgt": "BEG.01"}, {"const": "SA", "tgt": "BEG.02"}]


def a_map_to_x12(source: str, *rules: object, tx_set: str = "850") -> MapDefinition:
    """Return a map that makes X12 sets."""
    field_map = json.dumps([*rules, *TO_X12])
    return replace(a_map(field_map), source_fmt=source, target_fmt="x12", tx_set=tx_set)


def conversion(map_id: int, document: str, tx_set: str = "850") -> MapConversion:
    return MapConversion(document=document, map_id=map_id, map_version=None, tx_set=tx_set)


NUMBER = {"src": "BEG.03", "tgt": "BEG.03"}
TWO_ORDERS = ORDER + ORDER.replace("PO-1", "PO-2").replace("0001", "0002")
TWO_INTERCHANGES = an_interchange() + an_interchange(a_set("BEG*00*SA*PO-2**20240115"))


@pytest.mark.parametrize("document", [TWO_ORDERS, TWO_INTERCHANGES])
async def test_a_document_of_several_sets_is_converted_set_by_set(
    maps: MapService, runner: SavedMapRunner, document: str
) -> None:
    map_id = await saved(maps, a_map_to_x12("x12", NUMBER))
    made = await runner.convert(ACTING, conversion(map_id, document))
    texts = [each.text for each in made.parts]
    assert [text.count("ISA*") for text in texts] == [1, 1]
    assert ["~BEG*00*SA*PO-1~" in text for text in texts] == [True, False]
    assert ["~BEG*00*SA*PO-2~" in text for text in texts] == [False, True]
    lineage = [json.loads(each.explain)["outputs"] for each in made.parts]
    assert [[each["after"] for each in of if each["tgt"] == "BEG.03"] for of in lineage] == [
        *(["PO-1"], ["PO-2"]),
    ]
    assert made.warnings == ()


async def test_a_map_that_reads_all_sets_itself_runs_once(
    maps: MapService, runner: SavedMapRunner
) -> None:
    rules = ({"src": "ST[2]/BEG.03", "tgt": "BEG.03"}, {"src": "ST[1]/BEG.03", "tgt": "REF.02"})
    map_id = await saved(maps, a_map_to_x12("x12", *rules))
    (part,) = (await runner.convert(ACTING, conversion(map_id, TWO_ORDERS))).parts
    assert "~BEG*00*SA*PO-2~REF**PO-1~" in part.text


async def test_the_set_is_the_one_that_is_submitted_where_the_map_names_none(
    maps: MapService, runner: SavedMapRunner
) -> None:
    map_id = await saved(maps, a_map_to_x12("x12", NUMBER, tx_set=""))
    (part,) = (await runner.convert(ACTING, conversion(map_id, ORDER, "875"))).parts
    assert "~ST*875*0001~" in part.text


@dataclass(frozen=True)
class Incomplete:
    """A document that a map with one rule converts in part, and what is said of it."""

    source: str
    src: str
    document: str
    codes: tuple[str, ...]
    message: str


ROWS = "number does not say which rows it means; [*] stands for all of them, an index for one"
INCOMPLETE = (
    Incomplete(
        "x12",
        "ST[2]/BEG.03",
        TWO_ORDERS,
        ("sets_not_converted",),
        "1 of 2 transaction sets were not converted: the rules read only the others",
    ),
    Incomplete(
        "x12",
        "BEG.03",
        TWO_ORDERS.replace("BEG*00*SA*PO-2", "BEG*00*SA*"),
        ("nothing_converted",),
        "no rule found a value in 1 of 2 transaction sets",
    ),
    Incomplete(
        "csv",
        "number",
        "number\r\nPO-1\r\nPO-2\r\n",
        ("rows_not_converted",),
        f"1 row was not converted: {ROWS}",
    ),
    Incomplete(
        "json",
        "number",
        '[{"number": "PO-1"}, {"number": "PO-2"}]',
        ("rows_not_converted", "nothing_converted"),
        f"2 rows were not converted: {ROWS}",
    ),
)


@pytest.mark.parametrize("case", INCOMPLETE, ids=lambda case: f"{case.source} {case.codes[0]}")
async def test_a_document_that_would_be_converted_in_part_is_refused(
    maps: MapService, runner: SavedMapRunner, case: Incomplete
) -> None:
    map_id = await saved(maps, a_map_to_x12(case.source, {"src": case.src, "tgt": "BEG.03"}))
    with pytest.raises(LongshoreError) as refused:
        await runner.convert(ACTING, conversion(map_id, case.document))
    assert refused.value.code == "conversion_failed"
    others = " There is one more: see details." if len(case.codes) > 1 else ""
    advice = "Submit each part by itself, or change the map."
    if case.codes == ("nothing_converted",):
        advice = "Change the map, or use another one."
    assert refused.value.message == f"Nothing was sent: {case.message}. {advice}{others}"
    assert [(each.code, each.param) for each in refused.value.details] == [
        (code, "document") for code in case.codes
    ]


OTHER_SET = "The map is for transaction set 810, but ST[1] of the document is 850."


async def test_what_is_advised_can_be_done(maps: MapService, runner: SavedMapRunner) -> None:
    """Neither a submission nor a received document can be forced or given another format."""
    map_id = await saved(maps, a_map_to_x12("x12", NUMBER, tx_set="810"))
    json_text = '{"number": "PO-1"}'
    cut = TWO_ORDERS.removesuffix("SE*6*0002~")
    x12_map = await saved(maps, replace(a_map_to_x12("x12", NUMBER), name="other"))

    async def refusals() -> AsyncIterator[str]:
        for run in (
            runner.convert(ACTING, conversion(map_id, ORDER)),
            runner.run(ACTING, map_id, ORDER),
            runner.convert(ACTING, conversion(map_id, json_text)),
            runner.convert(ACTING, conversion(x12_map, cut)),
        ):
            with pytest.raises(LongshoreError) as refused:
                await run
            yield refused.value.message

    force, change, form, complete = [each async for each in refusals()]
    assert force == (
        f"{OTHER_SET} Use another map, or convert the document with force and submit the output as"
        " content."
    )
    assert change == f"{OTHER_SET} Change the map, or use another one."
    assert form == "This is JSON; use a map that reads json."
    assert complete.startswith("Nothing was sent: the document is not complete: ")
    assert complete.endswith(
        " Submit a document that is complete and has nothing outside its interchanges."
    )
