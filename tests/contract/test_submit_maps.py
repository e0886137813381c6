"""Documents that a saved map converts and sends: identity, envelope, all their sets."""

import json
from dataclasses import replace
from typing import Any

import pytest

from longshore.compute.documents import convert_result
from longshore.compute.inline import InlineCompute
from longshore.domain.accounts.service import AccountService
from longshore.domain.maps.model import Authorship
from longshore.domain.maps.runner import SavedMapRunner
from longshore.domain.maps.running import ConvertedDocument, ConvertedPart
from longshore.domain.partners.connections import HttpConnection
from longshore.domain.partners.model import Connections, Identity, PartnerStatus
from longshore.domain.partners.setting_kinds import SetNumbering
from longshore.domain.partners.settings import PartnerSettings
from longshore.domain.vault.model import VaultDocumentId
from longshore.domain.vault.service import open_document
from longshore.kit.errors import LongshoreError
from longshore.mapping.writes import MappingWarning
from tests.contract.test_submit_outcomes import MADE, Converting
from tests.support.clock import StoppedClock
from tests.support.database import Database, Engine
from tests.support.dispatch import Destination, a_worker
from tests.support.maps import a_map, a_map_service
from tests.support.submitting import SubmitSetup, a_set, a_submit_setup, an_interchange, context
from tests.support.trading import LIVE, PRODUCTION, read
from tests.support.vault import a_sealer

LINES = [
    {"const": "00", "tgt": "BEG.01"},
    {"const": "SA", "tgt": "BEG.02"},
    {"const": "20240115", "tgt": "BEG.05"},
    {"const": "1", "tgt": "PO1.01"},
    {"const": "1", "tgt": "PO1.02"},
    {"const": "EA", "tgt": "PO1.03"},
    {"const": "auto", "tgt": "CTT.01"},
]
NUMBERS = {
    "json": ("order.number", '{"order": {"number": "PO-1"}}'),
    "xml": ("Order.Number", "<Order><Number>PO-1</Number></Order>"),
    "csv": ("number", "number\r\nPO-1\r\n"),
    # The header names strangers: nothing of it counts but that it is no test.
    "x12": (
        "BEG.03",
        an_interchange(sender=("ZZ", "A"), receiver=("ZZ", "B"), number="000000999", usage="P"),
    ),
}
BODY = "BEG*00*SA*PO-1**20240115~PO1*1*1*EA~CTT*1~SE*5*0001~"
ON_HTTP = Connections(live=HttpConnection(url="https://live.example.com/in"))


@pytest.fixture
async def setup(
    database: Database, engine: Engine, clock: StoppedClock, accounts: AccountService
) -> SubmitSetup:
    return await a_submit_setup(database, engine, clock, accounts)


async def with_map(setup: SubmitSetup, source: str, src: str, *others: object) -> int:
    """Save a map of an 850 in the service of the setup; return its id."""
    rules = [{"src": src, "tgt": "BEG.03"}, *LINES, *others]
    definition = replace(
        a_map(json.dumps(rules)), source_fmt=source, target_fmt="x12", direction="outbound"
    )
    maps = a_map_service(setup.database, setup.clock)
    runner = SavedMapRunner(maps, setup.clock, InlineCompute(), convert_result)
    setup.service = setup.served(maps=runner)
    by = Authorship(saved_by="cli", note="")
    return (await maps.create(context(), definition, by)).map.head.id


# ---- the partner's envelope ----------------------------------------------------------------------


@pytest.mark.parametrize("source", NUMBERS)
async def test_what_a_map_makes_reaches_a_partner_in_production_in_its_own_envelope(
    setup: SubmitSetup, source: str
) -> None:
    src, document = NUMBERS[source]
    map_id = await with_map(setup, source, src)
    await setup.partner(status=PartnerStatus.ACTIVE, connections=ON_HTTP)
    order: dict[str, Any] = {"document": document, "map_id": map_id, "by": context(PRODUCTION)}
    dry = await setup.submit_json(dry_run=True, **order)
    assert (dry["status"], dry["environment"]) == ("dry_run", "production")
    assert dry["control_numbers"] == {"isa": "000000001", "gs": "1", "st": ["0001"]}
    await setup.submit(**order)
    answer = await setup.submit_json(**order)
    assert (answer["status"], answer["environment"]) == ("queued", "production")
    assert answer["control_numbers"] == {"isa": "000000002", "gs": "2", "st": ["0001"]}
    assert answer["warnings"] == []
    partner = Destination()
    worker = a_worker(setup.database, setup.clock, partner)
    assert await worker.run_once() == 2
    assert partner.parcels[1].content.decode() == (
        "ISA*00*          *00*          *ZZ*ACMECORP       *01*123456789      *260115*1405*U*00401"
        "*000000002*0*P*>~GS*PO*ACMECORP*NWRETAIL*20260115*1405*2*X*004010~ST*850*0001~"
        f"{BODY}GE*1*2~IEA*1*000000002~"
    )


async def test_the_version_is_the_one_agreed_with_the_partner(setup: SubmitSetup) -> None:
    map_id = await with_map(setup, "json", "order.number")
    await setup.partner(version="005010")
    await setup.submit(document=NUMBERS["json"][1], map_id=map_id)
    assert "*^*00501*000000001*0*T*>~GS*PO*ACMECORP*NWRETAIL*20260115*1405*1*X*005010~" in (
        await setup.sent()
    )


async def test_a_guide_of_another_set_is_not_the_version_of_this_one(setup: SubmitSetup) -> None:
    map_id = await with_map(setup, "json", "order.number")
    await setup.partner(version="005010X222A1")
    await setup.submit(document=NUMBERS["json"][1], map_id=map_id)
    assert "*X*005010~ST*850*0001~" in await setup.sent()


async def test_a_document_of_others_is_sent_live_in_a_new_envelope(setup: SubmitSetup) -> None:
    await setup.partner(status=PartnerStatus.ACTIVE)
    strange = an_interchange(sender=("ZZ", "SENDER"), receiver=("ZZ", "RECEIVER"), usage="P")
    answer = await setup.submit_json(strange, by=context(PRODUCTION), restamp=True)
    assert (answer["environment"], answer["warnings"]) == ("production", [])
    assert "*ZZ*ACMECORP       *01*123456789      *" in await setup.sent()
    assert "*000000001*0*P*>~" in await setup.sent()


async def test_a_test_document_is_never_sent_live_in_a_new_envelope_either(
    setup: SubmitSetup,
) -> None:
    await setup.partner(status=PartnerStatus.ACTIVE)
    strange = an_interchange(sender=("ZZ", "SENDER"), receiver=("ZZ", "RECEIVER"), usage="T")
    answer = await setup.submit_json(strange, by=context(PRODUCTION), restamp=True)
    assert answer["environment"] == "sandbox"


async def test_the_preview_envelope_of_a_map_cannot_be_kept(setup: SubmitSetup) -> None:
    map_id = await with_map(setup, "json", "order.number")
    await setup.partner()
    before = await setup.counts()
    with pytest.raises(LongshoreError) as refused:
        await setup.submit(document=NUMBERS["json"][1], map_id=map_id, restamp=False)
    assert (refused.value.code, refused.value.message) == (
        "invalid_parameter",
        (
            'Parameter "restamp" cannot be false with "document": the envelope that a map writes is'
            " a preview, and the partner's replaces it."
        ),
    )
    assert await setup.counts() == before


# ---- all sets ------------------------------------------------------------------------------------


def made_of(*documents: str, **members: object) -> ConvertedDocument:
    """Return what a map made of a document of several sets: these, each with its lineage."""
    outputs = [
        {"tgt": tgt, "rule": rule}
        for tgt, rule in (("ISA.13", None), ("ST.02", None), ("BEG.03", 4), ("SE.01", None))
    ]
    lineage = json.dumps({"outputs": outputs, "unused": ["N1.02"]})
    parts = tuple(ConvertedPart(each, lineage) for each in documents)
    return replace(MADE, parts=parts, **members)  # type: ignore[arg-type]  # as the fields


def an_order(number: str, mark: str = "*") -> str:
    """Return an interchange of one order, as a map makes it."""
    one = an_interchange(a_set(f"BEG*00*SA*{number}**20240115", "PO1*1*1*EA", "CTT*1"))
    return one.replace("*", mark)


async def test_every_set_of_a_document_is_sent_in_one_interchange(setup: SubmitSetup) -> None:
    await setup.partner(settings=PartnerSettings(st02=SetNumbering.CONTINUOUS))
    # Of the second, a value holds the usual separator of elements.
    made = made_of(an_order("PO-1"), an_order("PO-2*B", "|").replace("PO-2|B", "PO-2*B"))
    setup.service = setup.served(maps=Converting(made))
    dry = await setup.submit_json(document="{}", map_id=3, dry_run=True)
    assert dry["control_numbers"]["st"] == ["0001", "0002"]
    assert await setup.counts() == {}
    answer = await setup.submit_json(document="{}", map_id=3)
    assert (answer["transaction_ids"], answer["interchange_id"]) == ([1, 2], 1)
    assert answer["control_numbers"] == {"isa": "000000001", "gs": "1", "st": ["0001", "0002"]}
    sent = await setup.sent()
    assert sent.count("ISA|") == sent.count("GS|") == 1
    assert "~ST|850|0001~BEG|00|SA|PO-1||20240115~" in sent
    assert "~ST|850|0002~BEG|00|SA|PO-2*B||20240115~" in sent
    assert sent.endswith("~SE|5|0002~GE|2|1~IEA|1|000000001~")
    records = [(await setup.record(number)).record for number in (1, 2)]
    assert [each.facts.references[0].value for each in records] == ["PO-1", "PO-2*B"]
    assert [each.doc_id for each in records] == [2, 2]


async def test_the_lineage_names_the_places_of_each_set(setup: SubmitSetup) -> None:
    await setup.partner()
    setup.service = setup.served(maps=Converting(made_of(an_order("PO-1"), an_order("PO-2"))))
    await setup.submit(document="{}", map_id=3)
    found = await read(setup.database, LIVE, lambda unit: unit.vault.find(VaultDocumentId(2)))
    assert found is not None
    opened = open_document(a_sealer(), found)
    assert opened.content == await setup.sent()
    lineage = json.loads(opened.explain or "")
    assert [each["tgt"] for each in lineage["outputs"]] == [
        *("ISA.13", "ST.02", "BEG.03", "SE.01"),
        *("ST[2].02", "ST[2]/BEG.03", "SE[2].01"),
    ]
    assert lineage["unused"] == ["N1.02", "N1.02"]


async def test_sets_that_do_not_go_together_are_refused_and_nothing_is_stored(
    setup: SubmitSetup,
) -> None:
    await setup.partner()
    other = an_interchange(a_set(set_id="855"))
    setup.service = setup.served(maps=Converting(made_of(an_order("PO-1"), other)))
    with pytest.raises(LongshoreError) as refused:
        await setup.submit(document="{}", map_id=3)
    assert (refused.value.code, refused.value.message) == (
        "tx_set_mismatch",
        "The content has transaction sets of another code (ST01) than tx_set says.",
    )
    assert await setup.counts() == {}


async def test_several_sets_for_a_partner_without_an_id_are_refused(setup: SubmitSetup) -> None:
    await setup.partner(identity=Identity(qualifier="ZZ", isa_id=""))
    setup.service = setup.served(maps=Converting(made_of(an_order("PO-1"), an_order("PO-2"))))
    with pytest.raises(LongshoreError) as refused:
        await setup.submit(document="{}", map_id=3)
    assert refused.value.message == "The partner has no ISA id for an envelope."
    assert await setup.counts() == {}


async def test_more_sets_than_are_taken_at_once_are_refused(setup: SubmitSetup) -> None:
    await setup.partner()
    setup.service = setup.served(maps=Converting(made_of(*[an_order("PO-1")] * 1_001)))
    with pytest.raises(LongshoreError) as refused:
        await setup.submit(document="{}", map_id=3)
    (detail,) = refused.value.details
    assert (detail.code, detail.param, detail.limit, detail.max) == (
        *("limit_exceeded", "document", "sets", 1_000),
    )
    assert await setup.counts() == {}


async def test_warnings_of_the_conversion_and_of_the_envelope_are_in_the_answer(
    setup: SubmitSetup,
) -> None:
    settings = PartnerSettings(fixed_separators=True, replace_delimiters_with=" ")
    await setup.partner(settings=settings)
    warnings = (
        MappingWarning("separators_changed", "of the preview"),
        MappingWarning(
            "lookup_miss", "no row fits", param="field_map[2]", tgt="PO1", count=5, row=(1, 2)
        ),
    )
    made = made_of(an_order("PO-1"), an_order("A>B"), warnings=warnings)
    setup.service = setup.served(maps=Converting(made))
    answer = await setup.submit_json(document="{}", map_id=3)
    assert [each["code"] for each in answer["warnings"]] == ["lookup_miss", "separator_replaced"]
    assert answer["warnings"][0] == {
        "code": "lookup_miss",
        "message": "no row fits",
        "param": "field_map[2]",
        "tgt": "PO1",
        "count": 5,
        "row": [1, 2],
    }
    assert "*A B*" in await setup.sent()
