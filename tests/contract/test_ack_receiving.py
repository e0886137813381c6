"""What received 997s change, on both engines. Examples 41 and 52 to 60 of x12.md section 5.2."""

from dataclasses import replace
from datetime import timedelta

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.acks.matching import AckOrigin
from longshore.domain.acks.model import AckId, AckRowStatus
from longshore.domain.events.model import NewEvent
from longshore.domain.partners.model import Address, Pair
from longshore.domain.ports import Scope
from longshore.domain.transactions.model import AckStatus, InterchangeId
from longshore.domain.transactions.states import Axis
from longshore.domain.units import WriteUnit
from tests.support.answers import (
    LATER,
    ORDERS_SENT,
    Sending,
    a_997,
    a_reconciler,
    a_ta1,
    acks,
    apply,
    axes,
    feed,
    receive,
    sent,
)
from tests.support.clock import START
from tests.support.database import Database
from tests.support.trading import (
    IN,
    TEST,
    US,
    a_partner,
    write,
)

HOUR = timedelta(hours=1)
GROUP = "AK1*PO*123"
ALL_ACCEPTED = a_997(GROUP, "AK9*A*2*2*2")
ALL_REJECTED = a_997(GROUP, "AK9*R*2*2*0*5")
REFUSED = a_ta1("TA1*000000123*260115*1405*R*006")
WAITING = [("pending", "pending")] * 2
RECEIVED, PENDING = AckRowStatus.RECEIVED, AckRowStatus.PENDING


@pytest.fixture(autouse=True)
async def partner(accounts: AccountService, database: Database) -> None:
    """Two accounts; the first has a partner."""
    for name in ("own", "foreign"):
        await accounts.create(name, AccountType.ENTERPRISE)
    await a_partner(database)


def told(events: list[NewEvent]) -> list[tuple[str, int | None]]:
    return [(each.type.value, each.transaction_id) for each in events]


async def outcome(database: Database, given: Scope = TEST) -> list[tuple[str, str | None, bool]]:
    """Return status, result and conflict of each row."""
    rows = [each.row for each in await acks(database, given=given)]
    return [
        (each.status.value, each.result and each.result.value, each.is_conflict) for each in rows
    ]


async def test_54_an_accepted_group_closes_the_rows_of_its_sets(database: Database) -> None:
    await sent(database)
    events = await receive(database, ALL_ACCEPTED)
    assert await axes(database) == [("accepted", "delivered")] * 2
    assert await outcome(database) == [("received", "accepted", False)] * 2
    first = (await acks(database))[0]
    assert (first.id, first.row.transaction_id, first.row.partner_id) == (1, 1, 1)
    assert first.row.expected_by == START + 48 * HOUR
    assert (first.row.sent_at, first.row.received_at) == (START, LATER)
    assert (first.row.acked_interchange_id, first.row.interchange_id) == (1, 2)
    assert (first.row.facts.isa_control_number, first.row.facts.group_code) == ("000000077", "A")
    assert told(events) == [
        ("ack.received", None),
        ("transaction.delivered", 1),
        ("transaction.delivered", 2),
        ("transaction.acknowledged", 1),
        ("transaction.acknowledged", 2),
    ]


async def test_events_name_rows_and_states_alone(database: Database) -> None:
    await sent(database)
    events = await receive(database, ALL_ACCEPTED)
    assert [each.data for each in events[::2]] == [
        {"ack_id": 1, "ack_type": "997", "partner_id": 1, "transaction_id": 1},
        {"transaction_id": 2, "status": "delivered"},
        {"transaction_id": 2, "ack_id": 2, "status": "accepted"},
    ]
    assert {each.actor for each in events} == {"worker"}
    assert [each.id for each in await feed(database)] == [1, 2, 3, 4, 5]


async def test_55_of_a_partial_group_the_others_are_accepted(database: Database) -> None:
    await sent(database, Sending(groups=[("0001", "0002", "0003")]))
    await receive(database, a_997(GROUP, "AK2*850*0002", "AK5*R*5", "AK9*P*3*3*2"))
    assert [ack for ack, _ in await axes(database)] == ["accepted", "rejected", "accepted"]
    rows = [each.row.facts for each in await acks(database)]
    assert [each.transaction_code for each in rows] == ["", "R", ""]
    assert rows[1].transaction_error_codes == ("5",)


async def test_56_a_rejected_group_rejects_its_sets(database: Database) -> None:
    await sent(database)
    events = await receive(database, ALL_REJECTED)
    assert await axes(database) == [("rejected", "delivered")] * 2
    assert (await acks(database))[0].row.facts.group_error_codes == ("5",)
    assert told(events)[3:] == [("transaction.rejected", 1), ("transaction.rejected", 2)]


async def test_57_the_same_again_has_no_effect(database: Database) -> None:
    await sent(database)
    await receive(database, ALL_ACCEPTED)
    before = await acks(database)
    assert await receive(database, ALL_ACCEPTED, at=LATER + HOUR) == []
    assert await acks(database) == before
    assert len(await feed(database)) == 5


async def test_twice_in_one_interchange_counts_once(database: Database) -> None:
    await sent(database)
    events = await receive(database, ALL_ACCEPTED, ALL_ACCEPTED)
    assert len(events) == 5
    assert await outcome(database) == [("received", "accepted", False)] * 2


async def test_58_a_rejection_after_an_acceptance_wins_as_a_conflict(database: Database) -> None:
    await sent(database)
    await receive(database, ALL_ACCEPTED)
    events = await receive(database, ALL_REJECTED, at=LATER + HOUR)
    assert await axes(database) == [("rejected", "delivered")] * 2
    assert await outcome(database) == [("received", "rejected", True)] * 2
    assert told(events) == [
        ("ack.received", None),
        ("transaction.rejected", 1),
        ("ack.conflict", 1),
        ("transaction.rejected", 2),
        ("ack.conflict", 2),
    ]
    assert events[2].data["answer"] == "rejected"
    assert events[2].message == (
        "The partner answers otherwise than before. The latest answer holds."
    )


async def test_an_acceptance_does_not_undo_a_rejection(database: Database) -> None:
    await sent(database)
    await receive(database, ALL_REJECTED)
    events = await receive(database, ALL_ACCEPTED, at=LATER + HOUR)
    assert await axes(database) == [("rejected", "delivered")] * 2
    assert await outcome(database) == [("received", "rejected", True)] * 2
    assert (await acks(database))[0].row.facts.group_code == "A"
    assert told(events) == [("ack.received", None), ("ack.conflict", 1), ("ack.conflict", 2)]
    assert (events[1].data["answer"], events[1].data["status"]) == ("accepted", "rejected")
    assert events[1].message.endswith("What was answered before holds.")
    assert await receive(database, ALL_REJECTED, at=LATER + 2 * HOUR) == []


async def test_what_was_sent_again_can_be_accepted_after_a_rejection(database: Database) -> None:
    await sent(database)
    await receive(database, ALL_REJECTED)

    async def send_again(unit: WriteUnit) -> None:
        await unit.interchanges.set_sent(InterchangeId(1), LATER + HOUR, LATER + HOUR)

    await write(database, TEST, send_again)
    await receive(database, ALL_ACCEPTED, at=LATER + 2 * HOUR)
    assert await axes(database) == [("accepted", "delivered")] * 2
    assert await outcome(database) == [("received", "accepted", True)] * 2


async def test_59_an_unknown_group_is_stored_and_told(database: Database) -> None:
    await sent(database)
    events = await receive(database, a_997("AK1*PO*999", "AK2*850*0001", "AK5*R*5", "AK9*R*1*1*0"))
    assert await axes(database) == WAITING
    row = (await acks(database))[2].row
    assert (row.is_matched, row.transaction_id, row.status) == (False, None, RECEIVED)
    assert (row.result, row.facts.acked_gs_control_number) == (AckStatus.REJECTED, "999")
    assert told(events) == [("ack.unmatched", None)]
    assert events[0].data == {"ack_id": 3, "ack_type": "997", "partner_id": 1}


async def test_sets_we_had_not_sent_have_rows_beside_ours(database: Database) -> None:
    await sent(database)
    await receive(database, a_997(GROUP, "AK2*850*0009", "AK5*A", "AK9*A*2*2*2"))
    rows = [each.row for each in await acks(database)]
    assert [(each.is_matched, each.transaction_id) for each in rows] == [
        *((True, 1), (True, 2)),
        (False, None),
    ]


@pytest.mark.parametrize(
    "origin",
    [
        AckOrigin(Pair(Address("01", "OTHER"), US), "NWRETAIL", "ACME", LATER),
        AckOrigin(IN.swapped(), "NWRETAIL", "ACME", LATER),
    ],
    ids=["another partner", "our own pair"],
)
async def test_52_only_the_swapped_pair_is_answered(database: Database, origin: AckOrigin) -> None:
    await sent(database)
    events = await receive(database, a_997(GROUP, "AK9*A*2*2*2", origin=origin))
    assert (told(events), await axes(database)) == ([("ack.unmatched", None)], WAITING)


async def test_53_leading_zeros_of_a_group_number_do_not_count(database: Database) -> None:
    await sent(database)
    await receive(database, a_997("AK1*PO*000000123", "AK9*A*2*2*2"))
    assert await axes(database) == [("accepted", "delivered")] * 2


async def test_doubts_are_marked(database: Database) -> None:
    await sent(database, Sending(gs_sender="OTHER", sent_at=START - HOUR))
    await sent(database, Sending(gs_sender="OTHER"))
    await receive(database, ALL_ACCEPTED)
    rows = [each.row for each in await acks(database)]
    assert [each.status for each in rows] == [PENDING, PENDING, RECEIVED, RECEIVED]
    assert (rows[2].is_weak_match, rows[2].is_ambiguous) == (True, True)


async def test_of_groups_with_one_number_the_unanswered_ones_are_answered_in_turn(
    database: Database,
) -> None:
    await sent(database, replace(ORDERS_SENT, sent_at=START - HOUR))
    await sent(database)
    prepared = await a_reconciler(database).prepare(TEST, [ALL_REJECTED])
    await receive(database, ALL_ACCEPTED)
    await apply(database, prepared, LATER + HOUR)
    assert [ack for ack, _ in await axes(database)] == ["rejected"] * 2 + ["accepted"] * 2


async def test_41_an_answer_that_does_not_tell_ends_no_waiting(database: Database) -> None:
    await sent(database, Sending(groups=[("0001",)]))
    unclear = a_997(GROUP, "AK2*850*0001", "AK5*Q", "AK9*A*1*1*1")
    events = await receive(database, unclear)
    assert told(events) == [("ack.received", None), ("transaction.delivered", 1)]
    assert await axes(database) == [("pending", "delivered")]
    assert await outcome(database) == [("pending", None, False), ("received", None, False)]
    assert await receive(database, unclear, at=LATER + HOUR) == []
    await receive(database, a_997(GROUP, "AK9*A*1*1*1"), at=LATER + HOUR)
    assert await outcome(database) == [("received", "accepted", False), ("received", None, False)]


async def test_an_answer_nobody_waited_for_has_a_row_of_its_own(database: Database) -> None:
    await sent(database, Sending(is_awaited=False))
    await receive(database, ALL_ACCEPTED)
    assert await axes(database) == [("accepted", "delivered")] * 2
    assert await outcome(database) == [("received", "accepted", False)] * 2
    await receive(database, ALL_REJECTED, at=LATER + HOUR)
    assert await outcome(database) == [("received", "rejected", True)] * 2


async def test_60_a_late_answer_closes_an_overdue_row(database: Database) -> None:
    await sent(database, Sending(groups=[("0001",)]))
    await become_overdue(database)
    await receive(database, a_997(GROUP, "AK9*A*1*1*1"), at=START + 60 * HOUR)
    (row,) = await acks(database)
    assert (row.row.is_overdue, row.row.result) == (False, AckStatus.ACCEPTED)
    assert await axes(database) == [("accepted", "delivered")]


async def become_overdue(database: Database) -> None:
    async def mark(unit: WriteUnit) -> None:
        assert await unit.acks.mark_overdue(AckId(1), START + 50 * HOUR)
        step = AckStatus.PENDING, AckStatus.OVERDUE
        (own,) = await unit.transactions.list_of_interchange(InterchangeId(1))
        assert await unit.transactions.step(own.transaction.id, Axis.ACK, *step, START)

    await write(database, TEST, mark)
