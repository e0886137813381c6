"""What becomes of documents with errors, dry runs, inbound ones, conversions and corrections."""

from dataclasses import replace

import pytest

from longshore.domain.accounts.service import AccountService
from longshore.domain.audit.model import NewEntry
from longshore.domain.audit.writer import open_detail
from longshore.domain.events.writer import open_message
from longshore.domain.interchanges.encryption import open_receipt
from longshore.domain.interchanges.store import InterchangeStatus, ReceiptId
from longshore.domain.maps.running import ConvertedDocument, ConvertedPart, MapConversion
from longshore.domain.outbound.checks import OnInvalid
from longshore.domain.outbound.errors import DocumentInvalidError
from longshore.domain.partners.model import Connections, Direction, PartnerStatus
from longshore.domain.partners.setting_kinds import CodeCheck
from longshore.domain.partners.settings import PartnerSettings
from longshore.domain.ports import RequestContext
from longshore.domain.transactions.model import (
    DeliveryStatus,
    InterchangeId,
    LastError,
    Source,
    ValidationStatus,
)
from longshore.domain.vault.model import SealedRecord, VaultDocumentId
from longshore.domain.vault.service import open_document
from longshore.kit.errors import LongshoreError
from longshore.x12.dictionary.own_codes import CodeAction, CodeLists, CodeRow
from longshore.x12.findings import Severity
from tests.support.clock import START, StoppedClock
from tests.support.database import Database, Engine
from tests.support.submitting import (
    ACCOUNT,
    BEG,
    CTT,
    PO1,
    NoMaps,
    SubmitSetup,
    a_set,
    a_submit_setup,
    an_interchange,
    context,
)
from tests.support.trading import LIVE, PRODUCTION, SANDBOX, read
from tests.support.vault import a_sealer

BAD = a_set(BEG, "PO1*1*1*EA*9.25**VP", CTT)
MESSAGE = "The document has an error and was not sent."
REASON = (
    "The document has an error and was not sent: element is missing, which other elements here"
    " require (PO1.07)."
)
UNSENT = {"interchanges": 1, "transactions": 1, "transaction_references": 1, "events": 1}


@pytest.fixture
async def setup(
    database: Database, engine: Engine, clock: StoppedClock, accounts: AccountService
) -> SubmitSetup:
    return await a_submit_setup(database, engine, clock, accounts)


# ---- documents with errors -----------------------------------------------------------------------


async def test_the_sandbox_sends_a_document_with_errors_and_lists_them(setup: SubmitSetup) -> None:
    await setup.partner()
    answer = await setup.submit_json(BAD)
    assert (answer["status"], answer["validation"]["valid"]) == ("queued", False)
    (error,) = answer["validation"]["errors"]
    assert (error["code"], error["path"], error["segment_position"]) == (
        "element_condition_missing",
        "PO1.07",
        3,
    )
    assert (await setup.record(1)).record.states.validation is ValidationStatus.INVALID
    assert [each.type for each in await setup.events()] == [
        "transaction.invalid",
        "transaction.queued",
    ]


async def test_what_is_only_stored_has_a_record_and_no_number(setup: SubmitSetup) -> None:
    await setup.partner()
    answer = await setup.submit_json(BAD, on_invalid=OnInvalid.STORE)
    assert (answer["status"], answer["transaction_id"], answer["control_numbers"]) == (
        "invalid",
        1,
        None,
    )
    assert answer["message"] == "The document has errors; it was stored and not sent."
    assert (answer["ack_expected"], answer["ack_due_at"]) == (False, None)
    assert await setup.counts() == UNSENT
    found = (await setup.record(1)).record
    assert (found.states.delivery, found.states.validation) == (
        DeliveryStatus.NOT_APPLICABLE,
        ValidationStatus.INVALID,
    )
    assert found.last_error == LastError(code="document_invalid", message=REASON, at=START)
    assert found.facts.references[0].value == "PO-1"
    assert found.facts.isa_control_number == found.facts.gs_control_number == ""
    assert await setup.sent() == BAD


async def test_imported_codes_are_used_for_a_partner_that_uses_them(setup: SubmitSetup) -> None:
    await setup.partner(
        status=PartnerStatus.ACTIVE, settings=PartnerSettings(codes=CodeCheck.PARTNER)
    )
    lists = CodeLists([CodeRow("353", "00", action=CodeAction.REMOVE)])
    setup.service = setup.served(code_lists=lambda: lists)
    with pytest.raises(DocumentInvalidError) as refused:
        await setup.submit(by=context(PRODUCTION))
    assert [each.code for each in refused.value.details] == ["element_code_invalid"]
    setup.service = setup.served()
    await setup.submit(by=context(PRODUCTION))
    assert (await setup.record(2)).record.last_error is None


async def test_production_refuses_it_and_names_the_record(setup: SubmitSetup) -> None:
    await setup.partner(status=PartnerStatus.ACTIVE)
    with pytest.raises(DocumentInvalidError) as refused:
        await setup.submit(BAD, by=context(PRODUCTION), idempotency_key="K-1")
    assert (refused.value.code, refused.value.message) == ("document_invalid", MESSAGE)
    assert refused.value.transaction_id == 1
    (detail,) = refused.value.details
    assert (detail.code, detail.param) == ("element_condition_missing", "content")
    assert (detail.offset, detail.line) == (56, 1)
    assert await setup.counts() == UNSENT


async def test_the_numbers_of_an_envelope_that_is_not_sent_count_as_unused(
    setup: SubmitSetup,
) -> None:
    await setup.partner()
    whole = an_interchange(BAD, a_set(number="0002"))
    answer = await setup.submit_json(whole, on_invalid=OnInvalid.STORE)
    assert answer["transaction_ids"] == [1, 2]
    assert (await setup.record(2)).record.states.validation is ValidationStatus.INVALID
    found = await read(setup.database, LIVE, lambda unit: unit.interchanges.find(InterchangeId(1)))
    assert found is not None
    new = found[0].new
    assert (new.status, new.reason, new.isa_control_number) == (
        InterchangeStatus.FAILED,
        "document_invalid",
        "",
    )
    assert (await setup.submit_json(whole))["warnings"] == []


async def test_a_stray_set_is_stored_without_numbers_too(setup: SubmitSetup) -> None:
    await setup.partner()
    stray = an_interchange().partition("GS*")[0] + a_set() + "IEA*0*000000123~"
    answer = await setup.submit_json(stray, on_invalid=OnInvalid.STORE)
    assert (answer["status"], await setup.counts()) == ("invalid", UNSENT)


async def test_each_set_has_its_own_validation_when_it_is_sent(setup: SubmitSetup) -> None:
    await setup.partner()
    odd = a_set(BEG, PO1, "CTT*1****", number="0002")
    await setup.submit(BAD + odd + a_set(number="0003"))
    states = [(await setup.record(number)).record.states.validation for number in (1, 2, 3)]
    assert states == [
        ValidationStatus.INVALID,
        ValidationStatus.VALID_WITH_WARNINGS,
        ValidationStatus.VALID,
    ]


async def test_leniency_of_the_partner_is_heeded(setup: SubmitSetup) -> None:
    lenient = {"element_condition_missing": Severity.WARNING}
    await setup.partner(status=PartnerStatus.ACTIVE, settings=PartnerSettings(leniency=lenient))
    answer = await setup.submit_json(BAD, by=context(PRODUCTION))
    assert (answer["status"], answer["validation"]["valid"]) == ("queued", True)
    assert [each["code"] for each in answer["validation"]["warnings"]] == [
        "element_condition_missing"
    ]


async def test_of_many_findings_the_first_are_shown_and_all_counted(setup: SubmitSetup) -> None:
    await setup.partner()
    lines = ["PO1*1*1*EA*9.25**VP"] * 101
    answer = await setup.submit_json(a_set(BEG, *lines, "CTT*101"))
    assert len(answer["validation"]["errors"]) == 100
    assert answer["warnings"] == [
        {
            "code": "findings_truncated",
            "message": (
                "The document has 101 errors and 0 warnings; the first 100 and 0 are shown."
                " Validate lists more."
            ),
        }
    ]


# ---- dry runs ------------------------------------------------------------------------------------


async def test_a_dry_run_stores_nothing_and_shows_preview_numbers(setup: SubmitSetup) -> None:
    await setup.partner()
    answer = await setup.submit_json(
        a_set() + a_set(number="0002"), dry_run=True, idempotency_key="K-1"
    )
    assert (answer["status"], answer["transaction_id"], answer["transaction_ids"]) == (
        "dry_run",
        None,
        [],
    )
    assert answer["control_numbers"] == {"isa": "000000001", "gs": "1", "st": ["0001", "0002"]}
    assert (answer["ack_expected"], answer["ack_due_at"]) == (True, "2026-01-17T14:05:09")
    assert answer["message"] == "This was a dry run: nothing was stored or sent."
    assert await setup.counts() == {}


async def test_a_dry_run_refuses_what_a_submission_would(setup: SubmitSetup) -> None:
    await setup.partner(status=PartnerStatus.ACTIVE)
    live = an_interchange(usage="P")
    await setup.submit(live, by=context(PRODUCTION))
    before = await setup.counts()
    with pytest.raises(LongshoreError) as refused:
        await setup.submit(live, by=context(PRODUCTION), dry_run=True)
    assert refused.value.code == "duplicate_interchange"
    other = live.replace("000000123", "000000124")
    answer = await setup.submit_json(other, by=context(PRODUCTION), dry_run=True)
    assert answer["control_numbers"]["isa"] == "000000124"
    assert await setup.counts() == before


async def test_a_dry_run_tells_of_errors_without_refusing_them(setup: SubmitSetup) -> None:
    await setup.partner(status=PartnerStatus.ACTIVE, connections=Connections())
    answer = await setup.submit_json(BAD, by=context(PRODUCTION), dry_run=True)
    assert (answer["status"], answer["validation"]["valid"]) == ("dry_run", False)
    assert answer["ack_expected"] is False
    held = await setup.submit_json(by=context(PRODUCTION), dry_run=True)
    assert (held["ack_expected"], held["ack_due_at"]) == (True, None)
    inbound = await setup.submit_json(
        by=context(PRODUCTION), dry_run=True, direction=Direction.INBOUND
    )
    assert (inbound["status"], inbound["control_numbers"]) == ("dry_run", None)
    assert (inbound["ack_expected"], await setup.counts()) == (False, {})


# ---- inbound -------------------------------------------------------------------------------------


@pytest.mark.parametrize("segments", [1, 14_000])
async def test_an_inbound_document_is_a_receipt_to_be_processed(
    setup: SubmitSetup, segments: int
) -> None:
    await setup.partner()
    body = (BEG, *["PO1*1*1*EA*9.25**VP*A1"] * segments, f"CTT*{segments}")
    content = an_interchange(
        a_set(*body), usage="P", sender=("01", "123456789"), receiver=("ZZ", "ACMECORP")
    )
    answer = await setup.submit_json(content, direction=Direction.INBOUND, source=Source.BROWSER)
    assert (answer["status"], answer["receipt_id"], answer["control_numbers"]) == (
        "received",
        1,
        None,
    )
    assert [each["code"] for each in answer["warnings"]] == ["usage_mismatch"]
    assert await setup.counts() == {"receipts": 1, "outbox": 1, "audit_entries": 1}
    found = await read(setup.database, LIVE, lambda unit: unit.receipts.find(ReceiptId(1)))
    assert found is not None
    new = found[0].new
    assert (new.environment, new.partner_id, new.source) == (SANDBOX, 1, Source.BROWSER)
    assert open_receipt(a_sealer(), *found).content.decode() == content


async def test_an_inbound_document_with_errors_is_received_all_the_same(setup: SubmitSetup) -> None:
    await setup.partner(status=PartnerStatus.ACTIVE)
    answer = await setup.submit_json(BAD, by=context(PRODUCTION), direction=Direction.INBOUND)
    assert (answer["status"], answer["environment"]) == ("received", "production")


async def test_an_inbound_document_of_a_stranger_is_refused_in_production(
    setup: SubmitSetup,
) -> None:
    await setup.partner(status=PartnerStatus.ACTIVE)
    with pytest.raises(LongshoreError) as refused:
        await setup.submit(
            an_interchange(usage="P"), by=context(PRODUCTION), direction=Direction.INBOUND
        )
    assert [each.message for each in refused.value.details] == [
        "The sender in the ISA is not the partner's.",
        "The receiver in the ISA is not yours.",
    ]
    assert await setup.counts() == {}


# ---- conversions ---------------------------------------------------------------------------------

ORDER = '{"number": "PO-1"}'
MADE = ConvertedDocument(
    parts=(ConvertedPart(an_interchange(usage="T", number="000000001"), '{"written":[]}'),),
    format="x12",
    map_id=3,
    map_version=2,
    source_format="json",
    source_set="",
)


class Converting(NoMaps):
    """Makes what it is answer, and notes what it was asked."""

    def __init__(self, made: ConvertedDocument = MADE) -> None:
        self._made = made
        self.asked: list[MapConversion] = []

    async def convert(
        self, context: RequestContext, conversion: MapConversion
    ) -> ConvertedDocument:
        assert context.account_id == 1
        self.asked.append(conversion)
        return self._made


async def stored(setup: SubmitSetup, number: int) -> SealedRecord:
    found = await read(setup.database, LIVE, lambda unit: unit.vault.find(VaultDocumentId(number)))
    assert found is not None
    return found


@pytest.mark.parametrize("document", [ORDER, ORDER + " " * 300_000])
async def test_a_document_is_converted_numbered_and_kept_with_its_lineage(
    setup: SubmitSetup, document: str
) -> None:
    await setup.partner()
    converting = Converting()
    setup.service = setup.served(maps=converting)
    answer = await setup.submit_json(document=document, map_id=3)
    assert converting.asked == [
        MapConversion(document=document, map_id=3, map_version=None, tx_set="850", version="004010")
    ]
    assert answer["control_numbers"] == {"isa": "000000001", "gs": "1", "st": ["0001"]}
    assert (await setup.record(1)).record.doc_id == 2
    source, made = await stored(setup, 1), await stored(setup, 2)
    assert open_document(a_sealer(), source).content == document
    opened = open_document(a_sealer(), made)
    assert (opened.content, opened.explain) == (await setup.sent(), '{"written":[]}')
    assert (made.document.map_id, made.document.map_version) == (3, 2)
    assert made.document.source_doc_id == 1
    assert source.document.transaction_id == made.document.transaction_id == 1
    assert (await setup.events())[-1].type == "document.stored"


async def test_a_map_that_makes_something_else_is_refused(setup: SubmitSetup) -> None:
    await setup.partner()
    setup.service = setup.served(maps=Converting(replace(MADE, format="json")))
    with pytest.raises(LongshoreError) as refused:
        await setup.submit(document=ORDER, map_id=3)
    assert (refused.value.code, refused.value.message) == (
        "unsupported_format",
        "The map makes json; what is submitted has to be X12.",
    )
    assert await setup.counts() == {}


# ---- corrections ---------------------------------------------------------------------------------


async def test_a_corrected_resend_names_its_parent_and_is_audited(setup: SubmitSetup) -> None:
    await setup.partner()
    await setup.submit(BAD)
    await setup.submit(parent_id=1, reason="a part number was missing", source=Source.BROWSER)
    assert (await setup.record(2)).record.parent_id == 1
    answer = [open_message(a_sealer(), each) for each in await setup.events()]
    assert answer[-2:] == ["Corrected from transaction 1: a part number was missing", ""]
    (entry,) = await read(
        setup.database, LIVE, lambda unit: unit.audit.list_newest(ACCOUNT, None, 10)
    )
    found = entry.entry
    assert NewEntry(
        actor=found.actor,
        action=found.action,
        object=found.object,
        ip=found.ip,
        request_id=found.request_id,
        detail=open_detail(a_sealer(), found),
    ) == NewEntry(
        actor="key 3",
        action="transaction.correct",
        object="transaction 1",
        ip="192.0.2.7",
        request_id="req_1",
        detail="a part number was missing",
    )


# ---- numbers that run out ------------------------------------------------------------------------


async def test_who_runs_out_of_numbers_is_told_once(setup: SubmitSetup) -> None:
    await setup.partner(settings=PartnerSettings(control_min=1, control_max=20))
    for _ in range(20):
        await setup.submit()
    low = [each.data for each in await setup.events() if each.type == "control_number.low"]
    assert low == [
        {"partner_id": 1, "kind": "isa", "left": 1},
        {"partner_id": 1, "kind": "gs", "left": 1},
    ]
    assert "*000000020*0*T*>~" in await setup.sent(20)
