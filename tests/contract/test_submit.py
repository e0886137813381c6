"""Documents that are submitted: what is stored, queued and answered."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from longshore.domain.accounts.service import AccountService
from longshore.domain.acks.model import AckForm, AckRowStatus
from longshore.domain.acks.store import StoredAck
from longshore.domain.delivery.model import NewOutboxEntry, OutboxState
from longshore.domain.events.writer import open_message
from longshore.domain.interchanges.store import InterchangeStatus
from longshore.domain.partners.model import Connections, Direction, PartnerId, PartnerStatus
from longshore.domain.partners.setting_kinds import SetNumbering
from longshore.domain.partners.settings import PartnerSettings
from longshore.domain.transactions.model import (
    AckStatus,
    DeliveryStatus,
    InterchangeId,
    ProcessingStatus,
    Reference,
    States,
    TransactionId,
    ValidationStatus,
)
from longshore.x12.acks.profile import AckType
from longshore.x12.delimiters import Delimiters
from tests.support.clock import START, StoppedClock
from tests.support.database import Database, Engine
from tests.support.submitting import (
    CTT,
    PO1,
    SubmitSetup,
    a_set,
    a_submit_setup,
    an_interchange,
    context,
)
from tests.support.trading import LIVE, PRODUCTION, SANDBOX, read
from tests.support.vault import a_sealer

DUE = START + timedelta(hours=48)
WRAPPED = (
    "ISA*00*          *00*          *ZZ*ACMECORP       *01*123456789      *260115*1405*U*00401"
    "*000000001*0*T*>~GS*PO*ACMECORP*NWRETAIL*20260115*1405*1*X*004010~ST*850*0001~"
    "BEG*00*SA*PO-1**20240115~PO1*1*1*EA*9.25**VP*A1~CTT*1~SE*5*0001~GE*1*1~IEA*1*000000001~"
)
LIVE_PARTNER = PartnerStatus.ACTIVE


@pytest.fixture
async def setup(
    database: Database, engine: Engine, clock: StoppedClock, accounts: AccountService
) -> SubmitSetup:
    return await a_submit_setup(database, engine, clock, accounts)


async def acks(setup: SubmitSetup, number: int = 1) -> Sequence[StoredAck]:
    return await read(
        setup.database, LIVE, lambda unit: unit.acks.list_of_transaction(TransactionId(number))
    )


# ---- sets without an envelope --------------------------------------------------------------------


async def test_bare_sets_are_wrapped_and_numbered(setup: SubmitSetup) -> None:
    await setup.partner()
    answer = await setup.submit()
    assert answer.members() == {
        "transaction_id": 1,
        "status": "queued",
        "environment": "sandbox",
        "message": "Transaction accepted.",
        "transaction_ids": [1],
        "interchange_id": 1,
        "receipt_id": None,
        "duplicate": False,
        "ack_expected": True,
        "ack_due_at": "2026-01-17T14:05:09",
        "validation": {"valid": True, "outcome": "valid", "errors": [], "warnings": []},
        "control_numbers": {"isa": "000000001", "gs": "1", "st": ["0001"]},
        "warnings": [],
    }
    assert await setup.sent() == WRAPPED


async def test_a_submission_is_one_row_of_each_kind(setup: SubmitSetup) -> None:
    await setup.partner()
    await setup.submit()
    assert await setup.counts() == {
        "interchanges": 1,
        "functional_groups": 1,
        "transactions": 1,
        "transaction_references": 1,
        "acks": 1,
        "outbox": 1,
        "control_counters": 2,
        "events": 2,
    }


async def test_the_record_says_what_was_sent_and_how_far_it_is(setup: SubmitSetup) -> None:
    await setup.partner()
    await setup.submit(metadata={"batch": "7"}, business_key="B-1")
    found = (await setup.record(1)).record
    assert (found.metadata, found.business_key) == ({"batch": "7"}, "B-1")
    assert found.states == States(
        ProcessingStatus.NOT_APPLICABLE,
        ValidationStatus.VALID,
        DeliveryStatus.PENDING,
        AckStatus.PENDING,
    )
    facts = found.facts
    assert facts.references == (Reference("BEG.03", "Purchase order number", "PO-1"),)
    assert (facts.segment_count, facts.file_size) == (5, len(WRAPPED))
    assert (facts.tx_set, facts.version, facts.functional_group) == ("850", "004010", "PO")
    assert (facts.sender.isa_id, facts.receiver.isa_id) == ("ACMECORP", "123456789")
    assert (facts.isa_control_number, facts.gs_control_number) == ("000000001", "1")
    assert (facts.st_control_number, facts.usage_indicator) == ("0001", "T")


async def test_delivery_is_due_at_once_and_waits_for_the_same_kind_of_document(
    setup: SubmitSetup,
) -> None:
    await setup.partner()
    await setup.submit()
    (entry,) = await setup.outbox()
    assert (entry.state, entry.attempt) == (OutboxState.DUE, 0)
    assert entry.new == NewOutboxEntry(
        kind="document",
        environment=SANDBOX,
        due_at=START,
        partner_id=PartnerId(1),
        order_key="1/PO",
        interchange_id=InterchangeId(1),
    )


async def test_an_acknowledgement_of_each_set_is_waited_for(setup: SubmitSetup) -> None:
    await setup.partner(ack_hours=48)
    await setup.submit(a_set() + a_set(number="0002"))
    (second,) = await acks(setup, 2)
    row = second.ack.row
    assert (row.status, row.direction, row.expected_by) == (
        AckRowStatus.PENDING,
        Direction.INBOUND,
        DUE,
    )
    facts = row.facts
    assert (facts.ack_type, facts.tx_set, facts.functional_group) == (AckForm.F997, "850", "PO")
    assert (facts.acked_gs_control_number, facts.acked_st_control_number) == ("1", "0002")
    assert (row.acked_interchange_id, row.acked_group_id) == (1, 1)


async def test_events_tell_what_happened_to_each_set_in_order(setup: SubmitSetup) -> None:
    await setup.partner()
    await setup.submit()
    assert [(each.type, each.data, each.actor) for each in await setup.events()] == [
        (kind, {"transaction_id": 1, "interchange_id": 1, "partner_id": 1}, "key 3")
        for kind in ("transaction.validated", "transaction.queued")
    ]


async def test_groups_follow_the_kinds_of_sets_and_one_number_each(setup: SubmitSetup) -> None:
    await setup.partner(settings=PartnerSettings(gs06_pad=True, st02=SetNumbering.CONTINUOUS))
    content = a_set() + a_set("BEG*00*SA*PO-2**20240115", PO1, CTT, number="0009")
    for numbers in (["0001", "0002"], ["0003", "0004"]):
        members = await setup.submit_json(content)
        last = members["interchange_id"]
        assert members["control_numbers"] == {
            "isa": f"00000000{last}",
            "gs": f"00000000{last}",
            "st": numbers,
        }


async def test_dates_are_those_of_the_partner_and_utc_where_its_zone_is_unknown(
    setup: SubmitSetup,
) -> None:
    await setup.partner(settings=PartnerSettings(timezone="Asia/Tokyo"))
    await setup.partner("Other", settings=PartnerSettings(timezone="Mars/Olympus"))
    await setup.submit()
    await setup.submit(partner_id=2)
    assert "*260115*2305*U*" in await setup.sent(1)
    assert "*260115*1405*U*" in await setup.sent(2)


async def test_bare_sets_are_judged_by_the_version_of_the_partner(setup: SubmitSetup) -> None:
    await setup.partner(version="005010")
    await setup.partner("Payer", version="005010X222A1")
    content = a_set("BEG*00*SA*PO-1**20240115", "PO1*1*1*EA*9.25**VP*A1", CTT)
    assert (await setup.submit_json(content))["validation"] == {
        "valid": True,
        "outcome": "valid",
        "errors": [],
        "warnings": [],
    }
    under_a_guide = (await setup.submit_json(content, partner_id=2))["validation"]
    assert (under_a_guide["valid"], under_a_guide["outcome"]) == (None, "not_checked")
    assert [each["message"] for each in under_a_guide["warnings"]] == [
        "guide 005010X222A1 does not describe 850; checked against 850 005010 only"
    ]
    assert "*X*005010X222A1~" in await setup.sent(2)
    claim = a_set("BHT*0019*00*1*20240115*0930*CH", set_id="837")
    found = await setup.submit_json(claim, partner_id=2, tx_set="837", dry_run=True)
    errors = found["validation"]["errors"]
    assert "005010X222A1" in {each["layer"] for each in errors}


async def test_sets_that_name_their_guide_are_judged_by_it(setup: SubmitSetup) -> None:
    await setup.partner()
    claim = a_set("BHT*0019*00*1*20240115*0930*CH", set_id="837", number="0001*005010X222A1")
    found = await setup.submit_json(claim, tx_set="837", dry_run=True)
    errors = found["validation"]["errors"]
    assert "005010X222A1" in {each["layer"] for each in errors}


async def test_other_separators_are_chosen_or_marks_replaced_and_both_is_said(
    setup: SubmitSetup,
) -> None:
    wanted = Delimiters("|", "'", ":", "^")
    fixed = PartnerSettings(separators=wanted, fixed_separators=True, replace_delimiters_with="/")
    await setup.partner(settings=PartnerSettings(separators=wanted))
    await setup.partner("Fixed", settings=fixed)
    content = a_set("BEG*00*SA*PO|1**20240115", PO1, CTT)
    changed, replaced = [await setup.submit_json(content, partner_id=number) for number in (1, 2)]
    assert changed["warnings"] == [
        {
            "code": "separators_changed",
            "message": "Values hold separators of the partner's settings, so others were chosen.",
        }
    ]
    assert "BEG*00*SA*PO|1**20240115'" in await setup.sent(1)
    assert replaced["warnings"] == [
        {
            "code": "separator_replaced",
            "message": "Separators in values were replaced, as the partner's settings say.",
        }
    ]
    assert "BEG|00|SA|PO/1||20240115'" in await setup.sent(2)


# ---- whole interchanges --------------------------------------------------------------------------


async def test_a_whole_interchange_is_sent_as_it_is(setup: SubmitSetup) -> None:
    await setup.partner()
    content = an_interchange(a_set(), a_set(number="0002"))
    members = await setup.submit_json(content)
    assert await setup.sent() == content
    assert members["control_numbers"] == {"isa": "000000123", "gs": "7", "st": ["0001", "0002"]}
    assert members["transaction_ids"] == [1, 2]
    again = await setup.submit_json(content)
    assert [each["code"] for each in again["warnings"]] == ["duplicate_interchange"]


async def test_a_live_document_of_a_sandbox_key_becomes_a_test_by_one_character(
    setup: SubmitSetup,
) -> None:
    await setup.partner()
    content = an_interchange(usage="P")
    members = await setup.submit_json(content)
    assert await setup.sent() == content.replace("*0*P*>", "*0*T*>")
    assert members["warnings"] == [
        {
            "code": "usage_restamped",
            "message": "ISA15 was P and is T now, since the key is a sandbox key.",
            "param": "content",
        }
    ]
    assert (await setup.record(1)).record.facts.usage_indicator == "T"


async def test_a_new_envelope_is_written_on_demand(setup: SubmitSetup) -> None:
    await setup.partner()
    stranger = an_interchange(usage="P", sender=("ZZ", "SOMEBODY"), number="000000077")
    members = await setup.submit_json(stranger, restamp=True)
    assert await setup.sent() == WRAPPED
    assert members["control_numbers"] == {"isa": "000000001", "gs": "1", "st": ["0001"]}
    codes = [each["code"] for each in members["warnings"]]
    assert codes == ["usage_restamped"]


async def test_a_number_that_a_caller_used_is_skipped_when_numbers_are_drawn(
    setup: SubmitSetup,
) -> None:
    await setup.partner()
    content = an_interchange(number="000000002").replace("*7", "*1")
    await setup.submit(content)
    drawn = [(await setup.submit_json())["control_numbers"] for _ in range(2)]
    assert [each["isa"] for each in drawn] == ["000000001", "000000003"]
    assert [each["gs"] for each in drawn] == ["2", "3"]


async def test_sets_outside_groups_are_recorded_and_no_acknowledgement_awaited(
    setup: SubmitSetup,
) -> None:
    await setup.partner()
    head, _, rest = an_interchange().partition("GS*")
    stray = head + a_set() + "IEA*0*000000123~"
    members = await setup.submit_json(stray)
    assert (members["status"], members["ack_expected"]) == ("queued", False)
    assert members["control_numbers"] == {"isa": "000000123", "gs": "", "st": ["0001"]}
    (entry,) = await setup.outbox()
    assert entry.new.order_key == "1/"
    assert rest


async def test_an_interchange_whose_number_is_none_is_sent_without_looking_it_up(
    setup: SubmitSetup,
) -> None:
    await setup.partner()
    members = await setup.submit_json(an_interchange(number="00000012A"))
    assert members["control_numbers"] == {"isa": "00000012A", "gs": "7", "st": ["0001"]}
    assert "control_counters" not in await setup.counts()


async def test_an_envelope_of_odd_characters_is_stored_and_sent_as_it_is(
    setup: SubmitSetup,
) -> None:
    await setup.partner()
    odd = an_interchange(sender=("ZZ", "AC\x00ME"), number="00000\x001 3")
    odd = odd.replace("GS*PO*", "GS*P\x00*").replace("*7*X*", "*7\x07*X*")
    odd = odd.replace("ST*850*0001", "ST*850*00\x0001")
    told = await setup.submit_json(odd)
    assert told["control_numbers"] == {"isa": "00000?1 3", "gs": "7?", "st": ["00?01"]}
    assert (await setup.record(1)).record.facts.sender.isa_id == "AC?ME"
    assert await setup.sent() == odd
    assert (await setup.outbox())[0].new.order_key == "1/P?"


# ---- test and live -------------------------------------------------------------------------------


async def test_a_live_document_of_a_live_key_is_live(setup: SubmitSetup) -> None:
    await setup.partner(status=LIVE_PARTNER)
    members = await setup.submit_json(by=context(PRODUCTION))
    assert members["environment"] == "production"
    assert "*000000001*0*P*>~" in await setup.sent()
    assert (await setup.outbox())[0].new.environment is PRODUCTION
    assert [each.type for each in await setup.events(PRODUCTION)] == [
        "transaction.validated",
        "transaction.queued",
    ]


@pytest.mark.parametrize("usage", ["T", "I"])
async def test_a_test_document_of_a_live_key_is_stored_as_test(
    setup: SubmitSetup, usage: str
) -> None:
    await setup.partner(status=LIVE_PARTNER)
    members = await setup.submit_json(an_interchange(usage=usage), by=context(PRODUCTION))
    assert (members["environment"], members["ack_expected"]) == ("sandbox", usage == "T")
    assert (await setup.record(1)).is_test
    assert (await setup.outbox())[0].new.environment is SANDBOX


async def test_without_a_connection_it_is_held_and_nothing_is_overdue(setup: SubmitSetup) -> None:
    await setup.partner(connections=Connections())
    members = await setup.submit_json()
    assert (members["status"], members["ack_expected"], members["ack_due_at"]) == (
        "held",
        True,
        None,
    )
    assert members["message"] == (
        "Transaction accepted; it is held, since the partner has no connection for it."
    )
    assert (await setup.record(1)).record.states.delivery is DeliveryStatus.HELD
    assert (await setup.outbox())[0].state is OutboxState.HELD
    assert (await acks(setup))[0].ack.row.expected_by is None
    reason = "The partner has no test connection. Set one up, and what is held is sent."
    held = (await setup.events())[1]
    assert (held.type, open_message(a_sealer(), held), held.data["code"]) == (
        "transaction.held",
        reason,
        "not_configured",
    )
    error = (await setup.record(1)).record.last_error
    assert (error and error.code, error and error.message) == ("not_configured", reason)


@pytest.mark.parametrize(
    ("ack_type", "version", "form"),
    [
        (AckType.AUTO, "005010", AckForm.F997),
        (AckType.AUTO, "005010X222A1", AckForm.F999),
        (AckType.A999, "004010", AckForm.F999),
        (AckType.A997, "005010X222A1", AckForm.F997),
    ],
)
async def test_the_acknowledgement_is_of_the_form_that_was_agreed(
    setup: SubmitSetup, ack_type: AckType, version: str, form: AckForm
) -> None:
    await setup.partner(ack_type=ack_type, version=version)
    await setup.submit()
    assert [each.ack.row.facts.ack_type for each in await acks(setup)] == [form]


async def test_who_never_acknowledges_is_not_waited_for(setup: SubmitSetup) -> None:
    await setup.partner(ack_type=AckType.NONE)
    await setup.partner("Other")
    members = await setup.submit_json()
    assert (members["ack_expected"], members["ack_due_at"]) == (False, None)
    assert (await setup.record(1)).record.states.ack is AckStatus.NOT_EXPECTED
    answer = a_set("AK1*PO*1", "AK9*A*1*1*1", set_id="997")
    members = await setup.submit_json(answer, partner_id=2, tx_set="997")
    assert (members["ack_expected"], members["control_numbers"]) == (
        False,
        {"isa": "000000002", "gs": "2", "st": ["0001"]},
    )
    assert "acks" not in await setup.counts()


async def test_the_interchange_row_has_the_envelope_as_it_was_written(setup: SubmitSetup) -> None:
    await setup.partner()
    await setup.submit()
    found = await read(setup.database, LIVE, lambda unit: unit.interchanges.find(InterchangeId(1)))
    assert found is not None
    new = found[0].new
    assert (new.status, new.direction, new.is_allotted) == (
        InterchangeStatus.QUEUED,
        Direction.OUTBOUND,
        True,
    )
    assert (new.isa_control_number, new.isa_date, new.isa_time) == ("000000001", "260115", "1405")
    assert (new.version, new.usage_indicator, new.partner_id) == ("00401", "T", 1)
