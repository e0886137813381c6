"""What received documents set in motion: maps, acknowledgements of ours, each exactly once."""

import json
from dataclasses import replace

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.control_numbers.numbers import NumberKind, NumberRange, group_counter
from longshore.domain.control_numbers.store import NumberRequest
from longshore.domain.delivery.model import JobKind
from longshore.domain.events.model import EventType
from longshore.domain.events.service import EventService
from longshore.domain.events.writer import open_message
from longshore.domain.maps.model import Authorship
from longshore.domain.maps.running import MapOutput
from longshore.domain.partners.model import Direction, Identity, Route
from longshore.domain.partners.setting_kinds import OnError, SetNumbering
from longshore.domain.partners.settings import PartnerSettings
from longshore.domain.ports import AccountId, RequestContext
from longshore.domain.transactions.store import SealedTransaction
from longshore.domain.units import WriteUnit
from longshore.domain.vault.model import OpenedDocument, VaultDocumentId
from longshore.domain.vault.service import VaultService
from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.x12.acks.profile import AckType
from tests.support.answers import ORDERS_SENT, sent
from tests.support.clock import START, StoppedClock
from tests.support.database import Database
from tests.support.maps import a_map, a_map_service
from tests.support.processing import (
    ACME,
    OWN,
    Trade,
    a_processor,
    a_trade,
    case,
    case_text,
    own_identity,
    segments,
    summary,
    terms,
)
from tests.support.submitting import NoMaps
from tests.support.trading import LIVE, SANDBOX, TEST, a_partner, read, write
from tests.support.vault import a_sealer, a_vault, context

ORDER = Route(tx_set="850", map_id=1, save_to_vault=True)


@pytest.fixture(autouse=True)
async def account(accounts: AccountService) -> None:
    await accounts.create("own", AccountType.ENTERPRISE)


@pytest.fixture
def vault(database: Database, clock: StoppedClock) -> VaultService:
    return a_vault(database, clock)


async def saved_map(database: Database, clock: StoppedClock) -> None:
    by = Authorship(saved_by="cli", note="")
    await a_map_service(database, clock).create(context(1, SANDBOX), a_map(), by)


async def document(vault: VaultService, number: int | None) -> OpenedDocument:
    assert number is not None
    return await vault.get(TEST, VaultDocumentId(number))


# ---- maps ----------------------------------------------------------------------------------------


async def test_what_a_map_makes_is_kept_with_what_it_read(
    database: Database, clock: StoppedClock, vault: VaultService
) -> None:
    await saved_map(database, clock)
    trade = await a_trade(database, clock, terms(routes=(ORDER,)))
    await trade.receive(case(14))
    records: list[SealedTransaction] = await trade.stored()
    outputs = [await document(vault, each.output_doc_id) for each in records]
    numbers = [json.loads(each.content)["number"] for each in outputs]
    assert numbers == ["PO-4711", "PO-4712"]
    assert [each.document.map_version for each in outputs] == [1, 1]
    assert all(each.explain for each in outputs)
    sources = [await document(vault, each.transaction.record.doc_id) for each in records]
    assert [each.content.count("ST*850*") for each in sources] == [1, 1]
    assert [each.document.source_doc_id for each in outputs] == [
        each.document.id for each in sources
    ]
    own = [each.transaction.id for each in records]
    for documents in (outputs, sources):
        assert [each.document.transaction_id for each in documents] == own
    told = [each for each, _ in await trade.events()]
    assert told.count("document.stored") == 2


async def test_the_event_of_an_output_has_the_warnings_of_the_conversion(
    database: Database, clock: StoppedClock
) -> None:
    unit = '{"src":"PO1[*].03","tgt":"units[*]","transform":"date_iso"}'
    sums = '{"formula":"{PO1[*].03} + 1","tgt":"sums[*]"}'
    definition = a_map(f'[{{"src":"BEG.03","tgt":"number"}},{unit},{sums}]')
    by = Authorship(saved_by="cli", note="")
    await a_map_service(database, clock).create(context(1, SANDBOX), definition, by)
    trade = await a_trade(database, clock, terms(routes=(ORDER,)))
    await trade.receive(case(1))
    page = await EventService(database.units).page(context(1, SANDBOX), 0, 100)
    (event,) = [each.event for each in page.events if each.event.type == "document.stored"]
    assert event.data["warnings"] == "date_iso,formula_type"
    assert open_message(a_sealer(), event) == (
        "3 of 3 values are not as date_iso expects; left unchanged (date_iso field_map[1]"
        " units[*]). + needs numbers and got a text; the value is missing (formula_type"
        " field_map[2] sums[*] row 1 and 2 more)."
    )


async def test_without_a_wish_for_the_source_the_output_alone_is_kept(
    database: Database, clock: StoppedClock
) -> None:
    await saved_map(database, clock)
    route = replace(ORDER, save_to_vault=False)
    trade = await a_trade(database, clock, terms(routes=(route,)))
    await trade.receive(case(1))
    (record,) = await trade.stored()
    assert (record.output_doc_id, record.transaction.record.doc_id) == (1, None)


async def test_a_set_that_its_map_refuses_fails_alone(
    database: Database, clock: StoppedClock
) -> None:
    trade = await a_trade(database, clock, terms(routes=(ORDER,)))
    await trade.receive(case(1))
    (record,) = await trade.records()
    assert summary([record]) == [("850", "failed", "valid", "accepted")]
    error = record.record.last_error
    assert error is not None
    assert (error.code, error.message[:24]) == ("not_found", "The map could not be run")
    assert [each for each, _ in await trade.events()][:3] == [
        "transaction.received",
        "transaction.validated",
        "transaction.failed",
    ]


async def test_a_replay_runs_the_map_that_failed(
    database: Database, clock: StoppedClock, vault: VaultService
) -> None:
    trade = await a_trade(database, clock, terms(routes=(ORDER,)))
    await trade.receive(case(1))
    await saved_map(database, clock)
    (interchange,) = await trade.interchanges()
    await trade.let_go(interchange)
    await trade.again(interchange, JobKind.REPLAY)
    (record,) = await trade.stored()
    assert (record.output_doc_id, record.transaction.record.doc_id) == (2, 1)
    for number in (1, 2):
        assert (await document(vault, number)).document.transaction_id == record.transaction.id
    assert summary(await trade.records()) == [("850", "done", "valid", "accepted")]


class Overloaded(NoMaps):
    """A runner that has no time."""

    async def run(self, context: RequestContext, map_id: int, document: str) -> MapOutput:
        raise LongshoreError(ErrorCode.OVERLOADED, f"Try {context.actor} {map_id} {len(document)}.")


async def test_what_has_to_wait_fails_nothing(database: Database, clock: StoppedClock) -> None:
    trade = await a_trade(database, clock, terms(routes=(ORDER,)))
    busy = replace(trade, processor=a_processor(database, clock, maps=Overloaded()))
    with pytest.raises(LongshoreError, match="Try worker 1"):
        await busy.receive(case(1))
    assert (await trade.records(), await trade.events()) == ([], [])


@pytest.mark.parametrize(
    ("on_error", "kept"),
    [(OnError.SPLIT, [1, None]), (OnError.SUSPEND_GROUP, [None, None])],
)
async def test_a_rejected_set_keeps_back_what_the_partner_wants(
    database: Database, clock: StoppedClock, on_error: OnError, kept: list[int | None]
) -> None:
    await saved_map(database, clock)
    settings = PartnerSettings(on_error=on_error)
    route = replace(ORDER, save_to_vault=False)
    trade = await a_trade(database, clock, terms(routes=(route,), settings=settings))
    await trade.receive(case(29))
    assert [each.output_doc_id for each in await trade.stored()] == kept
    codes = [
        each.record.last_error and each.record.last_error.code for each in await trade.records()
    ]
    first = None if on_error is OnError.SPLIT else "suspended"
    assert codes == [first, "set_control_number_repeated"]


async def test_what_was_suspended_is_passed_on_when_a_person_replays_it(
    database: Database, clock: StoppedClock
) -> None:
    await saved_map(database, clock)
    settings = PartnerSettings(on_error=OnError.SUSPEND_INTERCHANGE)
    route = replace(ORDER, save_to_vault=False)
    trade = await a_trade(database, clock, terms(routes=(route,), settings=settings))
    await trade.receive(case(29))
    (interchange,) = await trade.interchanges()
    await trade.let_go(interchange)
    await trade.again(interchange, JobKind.REPLAY)
    assert [each.output_doc_id for each in await trade.stored()] == [1, None]
    first, _ = await trade.records()
    assert first.record.last_error is None


# ---- our numbers ---------------------------------------------------------------------------------


async def test_answers_are_numbered_one_after_the_other(
    database: Database, clock: StoppedClock
) -> None:
    settings = PartnerSettings(st02=SetNumbering.CONTINUOUS, gs06_pad=True)
    trade = await a_trade(database, clock, terms(settings=settings))
    await trade.receive(case(13))
    await trade.receive(case_text(1, ("000000101", "000000103"), ("PO-4711", "PO-1")))
    answers = [each.replace("'", "~").replace("|", "*") for each in await trade.answers()]
    heads = [each.split("*")[13] for each in answers]
    assert heads == ["000000001", "000000002", "000000003"]
    assert [segments(each, "GE")[0] for each in answers] == [
        "GE*1*000000001",
        "GE*1*000000002",
        "GE*1*000000003",
    ]
    assert [segments(each, "ST")[0] for each in answers] == [
        "ST*997*0001",
        "ST*997*0002",
        "ST*997*0003",
    ]


def of_two_applications(number: str = "000000101") -> bytes:
    """Return an order with another group, to another application of ours."""
    group = case_text(1).decode().split("\n")[1:-2]
    other = [
        each.replace("*0614141SUPPLIER*", "*DEPOT*").replace("*101*X", "*102*X") for each in group
    ]
    other[-1] = "GE*1*102~"
    groups = ("GE*1*101~\nIEA*1", "GE*1*101~\n" + "\n".join(other) + "\nIEA*2")
    return case_text(1, groups, ("*000000101", f"*{number}"))


async def test_groups_of_other_applications_have_counters_of_their_own(
    database: Database, clock: StoppedClock
) -> None:
    trade = await a_trade(database, clock, terms(ack_type=AckType.A997))
    await trade.receive(of_two_applications())
    (answer,) = await trade.answers()
    senders = [each.split("*")[2::4][0] for each in segments(answer, "GS")]
    assert senders == ["0614141SUPPLIER", "DEPOT"]
    assert [each.split("*")[6] for each in segments(answer, "GS")] == ["1", "1"]


async def test_continuous_numbers_of_sets_begin_anew_after_999999999_in_a_later_group_too(
    database: Database, clock: StoppedClock
) -> None:
    settings = PartnerSettings(st02=SetNumbering.CONTINUOUS)
    trade = await a_trade(database, clock, terms(ack_type=AckType.A997, settings=settings))
    own, them = replace(OWN, gs_id="0614141SUPPLIER"), replace(ACME, gs_id="ACMERETAIL")
    number = NumberRange(least=999_999_998, most=999_999_998)
    key = group_counter(own, them, NumberKind.ST)
    request = NumberRequest(key=key, numbers=number, count=1, skip_since=START)

    async def move_on(unit: WriteUnit) -> object:
        return await unit.control_numbers.draw((AccountId(1), SANDBOX), request, START)

    await write(database, LIVE, move_on)
    await trade.receive(of_two_applications())
    (answer,) = await trade.answers()
    assert segments(answer, "ST") == ["ST*997*999999999", "ST*997*0001"]


async def test_where_no_number_is_free_what_comes_is_answered_with_used_ones(
    database: Database, clock: StoppedClock
) -> None:
    settings = PartnerSettings(control_min=7, control_max=7)
    agreed = terms(ack_type=AckType.A997, settings=settings)
    trade = await a_trade(database, clock, agreed)
    for number in ("000000101", "000000102"):
        await trade.receive(of_two_applications(number))
    assert [each.record.states.processing for each in await trade.records()] == ["done"] * 4
    first, second = await trade.answers()
    assert segments(second, "IEA") == segments(first, "IEA") == ["IEA*2*000000007"]
    assert segments(second, "GE") == segments(first, "GE") == ["GE*1*7", "GE*1*7"]
    told = await numbers_low(database)
    assert told == [("isa", 0), ("gs", 0), ("gs", 0)] * 2


async def numbers_low(database: Database) -> list[tuple[object, object]]:
    events = await read(database, LIVE, lambda unit: unit.events.list_after(SANDBOX, 0, 1_000))
    low = [each.data for each in events if each.type is EventType.CONTROL_NUMBER_LOW]
    return [(data["kind"], data["left"]) for data in low]


# ---- acknowledgements received -------------------------------------------------------------------

ACK_OF_ORDERS = (
    "ISA*00*          *00*          *01*123456789      *ZZ*ACMECORP       *260115*1505*U*00401"
    "*000000009*0*T*>~GS*FA*NWRETAIL*ACME*20260115*1505*9*X*004010~ST*997*0001~"
    "AK1*PO*123~AK2*850*0002~AK5*R*5~AK9*P*2*2*1~SE*6*0001~GE*1*9~IEA*1*000000009~"
)


async def test_a_997_changes_what_it_answers_and_is_answered_by_nothing(
    database: Database, clock: StoppedClock
) -> None:
    partner_id = await a_partner(database)
    await own_identity(database, Identity(qualifier="ZZ", isa_id="ACMECORP"))
    await sent(database, ORDERS_SENT)
    processor = a_processor(database, clock)
    trade = Trade(database=database, clock=clock, processor=processor, partner_id=partner_id)
    await trade.receive(ACK_OF_ORDERS.encode())
    outbound = await trade.records(Direction.OUTBOUND)
    assert [each.record.states.ack.value for each in outbound] == ["accepted", "rejected"]
    (record,) = await trade.records()
    assert summary([record]) == [("997", "done", "valid", "not_expected")]
    assert record.record.business_key == "123"
    told = [each for each, _ in await trade.events()]
    assert (told.count("ack.received"), told.count("transaction.rejected")) == (1, 1)
    assert [
        each.new.direction for each in await trade.interchanges(direction=Direction.OUTBOUND)
    ] == ["outbound"]  # the orders alone


async def test_31_a_ta1_alone_has_an_interchange_and_no_record(
    database: Database, clock: StoppedClock
) -> None:
    trade = await a_trade(database, clock)
    await trade.receive(case(31))
    (interchange,) = await trade.interchanges()
    assert (interchange.new.status.value, await trade.records()) == ("processed", [])
    assert [each for each, _ in await trade.events()] == ["ack.unmatched"]


async def test_33_a_999_to_nothing_is_kept(database: Database, clock: StoppedClock) -> None:
    trade = await a_trade(database, clock)
    await trade.receive(case(33))
    (ack,) = await trade.acks()
    assert (ack.row.facts.ack_type.value, ack.row.is_matched) == ("999", False)
    assert await trade.answers() == []
