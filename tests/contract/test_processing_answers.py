"""What our answers and records say in rarer cases: empty groups, guides, long lists of findings."""

from dataclasses import replace

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.maps.model import Authorship
from longshore.domain.partners.model import Identity, Route
from longshore.domain.partners.setting_kinds import CodeCheck
from longshore.domain.partners.settings import PartnerSettings
from longshore.x12.acks.profile import AckType, RejectLevel
from longshore.x12.dictionary.own_codes import CodeAction, CodeLists, CodeRow
from tests.support.clock import StoppedClock
from tests.support.database import Database
from tests.support.maps import a_map, a_map_service
from tests.support.processing import (
    Trade,
    a_processor,
    a_sender,
    a_trade,
    case,
    case_text,
    segments,
    summary,
    terms,
)
from tests.support.trading import SANDBOX
from tests.support.vault import context

EMPTY_GROUP = ("GE*1*101~", "GE*1*101~\nGS*IN*ACMERETAIL*OTHER*20240115*0930*7*X*004010~\nGE*0*7~")


@pytest.fixture(autouse=True)
async def account(accounts: AccountService) -> None:
    await accounts.create("own", AccountType.ENTERPRISE)


@pytest.fixture
async def trade(database: Database, clock: StoppedClock) -> Trade:
    return await a_trade(database, clock)


async def last_errors(trade: Trade) -> list[str | None]:
    found = [each.record.last_error for each in await trade.records()]
    return [None if each is None else each.code for each in found]


async def test_a_group_without_sets_has_a_row_of_its_own(trade: Trade) -> None:
    await trade.receive(case_text(1, EMPTY_GROUP, ("IEA*1", "IEA*2")))
    (answer,) = await trade.answers()
    assert segments(answer, "AK9") == ["AK9*A*1*1*1", "AK9*A*0*0*0"]
    rows = [each.row for each in await trade.acks()]
    assert [(each.transaction_id, each.facts.functional_group) for each in rows] == [
        (1, "PO"),
        (None, "IN"),
    ]
    assert [each.acked_group_id for each in rows] == [1, 2]


async def test_a_997_lists_what_the_standard_forbids_alone(
    database: Database, clock: StoppedClock
) -> None:
    trade = await a_trade(database, clock, terms(ack_type=AckType.A997))
    await trade.receive(as_acme(case(21)))
    (own,) = await trade.acks()
    assert own.row.facts.ack_type.value == "997"
    (interchange,) = await trade.interchanges()
    _, facts = await trade.content(interchange)
    said = [each for each in facts["findings"] if each["ack_code"]]
    standard = [each["ack_code"]["segment"] for each in said if each["layer"] == "standard"]
    assert len(standard) < len(said)
    assert [each.source for each in own.row.facts.errors].count("AK3") <= len(standard)
    assert len(own.row.facts.errors) == len(standard)


def as_acme(content: bytes) -> bytes:
    """Return a document as one of the partner's, by its fixed places."""
    text = content.decode()
    return f"{text[:32]}ZZ*ACMERETAIL     *14*0614141SUPPLIER{text[69:]}".encode()


async def test_errors_that_nobody_listed_reject_a_set_all_the_same(trade: Trade) -> None:
    wrong = "PO1*1*x*EA*9.25~\n" * 1_100
    other = "SE*16*0001~\nST*850*0002~\nBEG*00*SA*PO-9**2024x~\nPO1*1*x*EA*1~\nSE*4*0002~"
    text = case_text(
        1, ("PO1*1*10*EA", f"{wrong}PO1*1*10*EA"), ("SE*16*0001~", other), ("GE*1", "GE*2")
    )
    await trade.receive(text)
    statuses = [each.record.states.validation.value for each in await trade.records()]
    assert statuses == ["invalid", "invalid"]
    assert (await last_errors(trade))[1] in {"set_rejected", "element_date_invalid"}
    (interchange,) = await trade.interchanges()
    _, facts = await trade.content(interchange)
    assert len(facts["findings"]) < facts["finding_count"]


async def test_a_set_that_is_sound_among_too_many_findings_has_warnings(trade: Trade) -> None:
    wrong = "PO1*1*x*EA*9.25~\n" * 1_100
    sound = case_text(14).decode().split("ST*850*0002~")[1].split("GE*")[0]
    other = f"SE*1116*0001~\nST*850*0002~{sound}"
    text = case_text(
        1,
        ("PO1*1*10*EA", f"{wrong}PO1*1*10*EA"),
        ("CTT*3*15~\n", "CTT*1103~\n"),
        ("SE*16*0001~\n", other),
        ("GE*1", "GE*2"),
    )
    await trade.receive(text)
    statuses = [each.record.states.validation.value for each in await trade.records()]
    assert statuses == ["invalid", "valid_with_warnings"]


async def test_a_record_names_the_first_error_and_no_warning(trade: Trade) -> None:
    warned = ("PO-4711", "PÖ-4711")
    await trade.receive(case_text(1, warned, ("DTM*002*20240201", "DTM*002*20240230")))
    (interchange,) = await trade.interchanges()
    _, facts = await trade.content(interchange)
    assert [each["severity"] for each in facts["findings"]] == ["warning", "error"]
    assert await last_errors(trade) == ["element_date_invalid"]


async def test_the_sets_of_a_rejected_group_say_so(trade: Trade) -> None:
    await trade.receive(case(28))
    assert summary(await trade.records()) == [("850", "done", "invalid", "rejected")]
    assert await last_errors(trade) == ["group_rejected"]


async def test_a_lenient_partner_has_a_set_with_errors_passed_on(
    database: Database, clock: StoppedClock
) -> None:
    settings = PartnerSettings(reject_level=RejectLevel.LENIENT)
    trade = await a_trade(database, clock, terms(settings=settings))
    await trade.receive(case_text(1, ("DTM*002*20240201", "DTM*002*20240230")))
    assert summary(await trade.records()) == [("850", "done", "invalid", "accepted_with_errors")]


async def test_imported_codes_reach_the_processing_of_a_partner_that_uses_them(
    database: Database, clock: StoppedClock
) -> None:
    lists = CodeLists([CodeRow("353", "00", action=CodeAction.REMOVE)])
    trade = await a_trade(database, clock, terms(settings=PartnerSettings(codes=CodeCheck.PARTNER)))
    trade = replace(trade, processor=a_processor(database, clock, code_lists=lambda: lists))
    await trade.receive(case(1))
    assert summary(await trade.records()) == [("850", "done", "invalid", "rejected")]
    (answer,) = await trade.answers()
    assert segments(answer, "AK4") == ["AK4*1*353*7*00"]


async def test_a_zone_that_is_none_has_the_time_of_utc(
    database: Database, clock: StoppedClock
) -> None:
    settings = PartnerSettings(timezone="Nowhere/None")
    trade = await a_trade(database, clock, terms(settings=settings))
    await trade.receive(case(1))
    (answer,) = await trade.answers()
    assert segments(answer, "GS")[0].split("*")[4:6] == ["20260115", "1405"]


async def test_control_characters_of_an_envelope_are_stored_as_none(trade: Trade) -> None:
    await trade.receive(case_text(1, ("GS*PO*ACMERETAIL", "GS*PO*ACME\0\aRETAIL")))
    (record,) = await trade.records()
    assert record.record.states.processing == "done"
    (answer,) = await trade.answers()
    assert segments(answer, "GS")[0].split("*")[3] == "ACME??RETAIL"
    (interchange,) = await trade.interchanges()
    assert b"ACME\0\aRETAIL" in (await trade.content(interchange))[0]


async def test_a_refused_interchange_without_sets_has_a_record(trade: Trade) -> None:
    await trade.receive(case_text(31, ("IEA*0*", "IEA*0*9")))
    records = await trade.records()
    assert summary(records) == [("", "quarantined", "not_checked", "not_expected")]
    assert await last_errors(trade) == ["001"]


async def test_partners_with_other_addresses_are_not_asked(
    trade: Trade, database: Database
) -> None:
    other = Identity(qualifier="12", isa_id="5551234")
    await a_sender(database, terms(name="Other", identity=other))
    await trade.receive(case(1))
    assert [each.record.partner_id for each in await trade.records()] == [trade.partner_id]


async def test_long_documents_are_converted_and_sealed_too(
    database: Database, clock: StoppedClock
) -> None:
    by = Authorship(saved_by="cli", note="")
    await a_map_service(database, clock).create(context(1, SANDBOX), a_map(), by)
    route = Route(tx_set="850", map_id=1, save_to_vault=True)
    trade = await a_trade(database, clock, terms(routes=(route,)))
    line = f"PO1*1*1*EA*1**UP*012345678905~\nPID*F****{'long ' * 14}words~\n"
    counts = (("CTT*3*15", f"{line * 3_000}CTT*3003*3015"), ("SE*16", "SE*6016"))
    text = case_text(1, *counts)
    assert len(text) > 262_144
    await trade.receive(text)
    (record,) = await trade.stored()
    assert (record.output_doc_id, record.transaction.record.doc_id) == (2, 1)
