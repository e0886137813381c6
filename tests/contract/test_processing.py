"""What becomes of received documents, on both engines. Examples 01 to 51 of x12.md section 5."""

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.interchanges.store import InterchangeStatus, ReceiptStatus
from tests.support.clock import StoppedClock
from tests.support.database import Database
from tests.support.other_formats import DOCUMENTS, x12_only_message
from tests.support.processing import Trade, a_trade, case, case_text, segments, summary

ASKING = ("*0*T*>~", "*1*T*>~")  # ISA14: a TA1 is wanted


@pytest.fixture
async def trade(accounts: AccountService, database: Database, clock: StoppedClock) -> Trade:
    await accounts.create("own", AccountType.ENTERPRISE)
    return await a_trade(database, clock)


async def test_a_valid_document_is_recorded_and_acknowledged(trade: Trade) -> None:
    receipt_id = await trade.receive(case(1))
    (record,) = await trade.records()
    assert summary([record]) == [("850", "done", "valid", "accepted")]
    assert record.record.business_key == "PO-4711"
    (interchange,) = await trade.interchanges()
    assert interchange.new.status is InterchangeStatus.PROCESSED
    content, facts = await trade.content(interchange)
    assert (content, facts["findings"], facts["notices"]) == (case(1), [], [])
    (answer,) = await trade.answers()
    said = ["AK1*PO*101", "AK2*850*0001", "AK5*A", "AK9*A*1*1*1"]
    assert segments(answer, "AK1", "AK2", "AK5", "AK9") == said
    assert await trade.receipt_status(receipt_id) is ReceiptStatus.PROCESSED
    events = [("transaction.received", 1), ("transaction.validated", 1)]
    sent = [("transaction.validated", 2), ("transaction.queued", 2)]
    assert await trade.events() == [*events, *sent]


async def test_our_answer_has_a_row_for_each_set(trade: Trade) -> None:
    await trade.receive(case(25))
    (ack,) = await trade.acks()
    row = ack.row
    assert (row.direction, row.status, row.result) == ("outbound", "queued", "rejected")
    assert (row.transaction_id, row.acked_interchange_id, row.interchange_id) == (1, 1, 2)
    facts = row.facts
    assert (facts.ack_type, facts.tx_set, facts.functional_group) == ("997", "850", "PO")
    assert (facts.transaction_code, facts.transaction_error_codes) == ("R", ("4",))
    assert (facts.sets_included, facts.sets_received, facts.sets_accepted) == (1, 1, 0)
    assert (facts.isa_control_number, facts.acked_gs_control_number) == ("000000001", "101")


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (14, ["AK1*PO*101", "AK2*850*0001", "AK5*A", "AK2*850*0002", "AK5*A", "AK9*A*2*2*2"]),
        (25, ["AK1*PO*101", "AK2*850*0001", "AK5*R*4", "AK9*R*1*1*0"]),
        (26, ["AK1*PO*101", "AK2*850*0001", "AK5*R*3", "AK9*R*1*1*0"]),
        (28, ["AK1*PO*101", "AK9*R*1*1*0*3"]),
        (29, ["AK1*PO*101", "AK2*850*0001", "AK5*A", "AK2*850*0001", "AK5*R*23", "AK9*P*2*2*1"]),
    ],
)
async def test_sets_are_answered_one_by_one(trade: Trade, number: int, said: list[str]) -> None:
    await trade.receive(case(number))
    (answer,) = await trade.answers()
    assert segments(answer, "AK1", "AK2", "AK5", "AK9") == said


@pytest.mark.parametrize(
    ("number", "code", "ta1"),
    [
        (12, "023", "TA1*000000101*240115*0930*R*023"),
        (15, "022", "TA1*000000101*240115*0930*R*022"),
        (27, "001", "TA1*000000101*240115*0930*R*001"),
        (30, "014", "TA1*000000101*241340*0930*R*014"),
    ],
)
async def test_an_interchange_that_its_ta1_rejects_is_set_aside(
    trade: Trade, number: int, code: str, ta1: str
) -> None:
    asking = ("*0*T*>", "*1*T*>")
    await trade.receive(case_text(number, asking))
    (interchange,) = await trade.interchanges()
    assert (interchange.new.status.value, interchange.new.reason) == ("quarantined", code)
    (record,) = await trade.records()
    assert summary([record]) == [("850", "quarantined", "not_checked", "not_expected")]
    error = record.record.last_error
    assert error is not None
    assert (error.code, error.message[-1]) == (code, ".")
    (answer,) = await trade.answers()
    assert segments(answer, "TA1", "GS") == [ta1]
    (ack,) = await trade.acks()
    assert (ack.row.facts.ack_type, ack.row.result) == ("TA1", "rejected")
    assert (ack.row.facts.transaction_code, ack.row.facts.transaction_error_codes) == ("R", (code,))


async def test_without_a_wish_for_a_ta1_nothing_is_sent(trade: Trade) -> None:
    await trade.receive(case(27))
    assert (await trade.answers(), await trade.acks()) == ([], [])
    told = [("transaction.received", 1), ("transaction.quarantined", 1)]
    assert await trade.events() == told


async def test_42_a_sound_envelope_is_accepted_beside_its_bad_set(trade: Trade) -> None:
    await trade.receive(case_text(25, ASKING))
    (answer,) = await trade.answers()
    assert segments(answer, "TA1", "AK9") == [
        "TA1*000000101*240115*0930*A*000",
        "AK9*R*1*1*0",
    ]
    assert [each.row.facts.ack_type.value for each in await trade.acks()] == ["TA1", "997"]


@pytest.mark.parametrize(
    ("_case", "content", "code"),
    [
        ("40", case(40), "not_x12"),
        *((found, text.encode(), "document_not_x12") for found, text in DOCUMENTS.items()),
        ("octets", b"\x00\xff\xfe" * 9, "not_x12"),
        ("nothing", b" \r\n", "document_empty"),
        ("no ISA", case(34), "no_envelope"),
        ("cut short", case(1)[:60], "isa_too_short"),
        ("a segment of 2 MiB", case(1)[:200] + b"A" * 2**21, "segment_too_long"),
    ],
)
async def test_what_nobody_can_read_has_a_record_and_its_bytes(
    trade: Trade, _case: str, content: bytes, code: str
) -> None:
    receipt_id = await trade.receive(content)
    (record,) = await trade.records()
    assert summary([record]) == [("", "quarantined", "not_checked", "not_expected")]
    assert record.record.last_error is not None
    assert record.record.last_error.code == code
    if code == "document_not_x12":
        assert record.record.last_error.message == x12_only_message(_case)
    (interchange,) = await trade.interchanges()
    assert (interchange.new.status.value, interchange.new.reason) == ("quarantined", code)
    stored, facts = await trade.content(interchange)
    assert (stored, facts["notices"]) != (b"", [])
    assert (stored, await trade.answers()) == (content, [])
    assert await trade.receipt_status(receipt_id) is ReceiptStatus.PROCESSED
    assert [each for each, _ in await trade.events()] == [
        "transaction.received",
        "transaction.quarantined",
    ]
    assert await trade.audited() == [
        ("interchange.quarantined", "interchange 1", code),
        ("receipt.processed", "receipt 1", ""),
    ]


async def test_each_interchange_of_a_document_is_its_own(trade: Trade) -> None:
    await trade.receive(case(13))
    interchanges = await trade.interchanges()
    assert [each.new.isa_control_number for each in interchanges] == ["000000101", "000000102"]
    contents = [(await trade.content(each))[0] for each in interchanges]
    assert b"".join(contents) == case(13)
    assert [each.record.business_key for each in await trade.records()] == ["PO-4711", "PO-9"]
    heads = [
        segments(each.replace("'", "~").replace("|", "*"), "AK9")[0]
        for each in await trade.answers()
    ]
    assert heads == ["AK9*A*1*1*1", "AK9*R*1*1*0"]


async def test_a_record_says_why_its_set_is_invalid(trade: Trade) -> None:
    await trade.receive(case_text(1, ("DTM*002*20240201", "DTM*002*20240230")))
    (record,) = await trade.records()
    assert summary([record]) == [("850", "done", "invalid", "rejected")]
    error = record.record.last_error
    assert error is not None
    assert error.code == "element_date_invalid"
    assert "20240230" not in error.message
    (interchange,) = await trade.interchanges()
    _, facts = await trade.content(interchange)
    (finding,) = facts["findings"]
    assert (finding["code"], finding["tx_index"], finding["path"]) == (
        "element_date_invalid",
        1,
        "DTM.02",
    )
    (answer,) = await trade.answers()
    assert segments(answer, "AK4", "AK5") == ["AK4*2*373*8*20240230", "AK5*R*5"]
    (ack,) = await trade.acks()
    (said,) = ack.row.facts.errors
    assert (said.segment_id, said.segment_position, said.code) == ("DTM", 4, "8")
    assert (said.element_position, said.bad_value, said.source) == (2, "20240230", "AK4")


async def test_what_the_sender_said_beside_the_document_is_kept(trade: Trade) -> None:
    await trade.receive(case(1), metadata={"order": "7"}, business_key="K-1")
    (record,) = await trade.records()
    assert (record.record.metadata, record.record.business_key) == ({"order": "7"}, "K-1")
