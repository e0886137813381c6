"""What else acknowledgements change: TA1s, deliveries, races, environments; on both engines."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import pairwise

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.acks.model import AckForm, AckRowStatus
from longshore.domain.acks.received import ReceivedAck
from longshore.domain.acks.store import AckStore, StoredAck
from longshore.domain.delivery.model import ClaimRequest, OutboxState
from longshore.domain.events.model import NewEvent
from longshore.domain.interchanges.store import InterchangeStatus
from longshore.domain.interchanges.writer import step_outbound
from longshore.domain.ports import SYSTEM, Scope
from longshore.domain.transactions.model import (
    AckStatus,
    DeliveryStatus,
    InterchangeId,
    TransactionId,
)
from longshore.domain.transactions.states import Axis
from longshore.domain.units import WriteUnit
from tests.support.answers import (
    LATER,
    Sending,
    a_997,
    a_reconciler,
    a_ta1,
    acks,
    applied,
    apply,
    axes,
    entry_state,
    feed,
    receive,
    sent,
)
from tests.support.clock import START
from tests.support.database import Database
from tests.support.trading import (
    FOREIGN_TEST,
    LIVE,
    PRODUCTION,
    SANDBOX,
    TEST,
    a_partner,
    write,
)

HOUR = timedelta(hours=1)
GROUP = "AK1*PO*123"
ALL_ACCEPTED = a_997(GROUP, "AK9*A*2*2*2")
ALL_REJECTED = a_997(GROUP, "AK9*R*2*2*0*5")
REFUSED = a_ta1("TA1*000000123*260115*1405*R*006")
NOTED = a_ta1("TA1*000000123*260115*1405*A*000")
TWINS = 8


@pytest.fixture(autouse=True)
async def partner(accounts: AccountService, database: Database) -> None:
    """Two accounts; the first has a partner."""
    for name in ("own", "foreign"):
        await accounts.create(name, AccountType.ENTERPRISE)
    await a_partner(database)


def told(events: Sequence[NewEvent]) -> list[tuple[str, int | None]]:
    return [(each.type.value, each.transaction_id) for each in events]


async def outcome(database: Database) -> list[tuple[str, str, str | None, bool]]:
    rows = [each.row for each in await acks(database)]
    return [
        (each.facts.ack_type.value, each.status.value, each.result, each.is_conflict)
        for each in rows
    ]


async def test_a_ta1_that_refuses_rejects_every_set_and_ends_waiting(database: Database) -> None:
    await sent(database)
    events = await receive(database, REFUSED)
    assert await axes(database) == [("rejected", "delivered")] * 2
    assert await outcome(database) == [
        *[("997", "received", "rejected", False)] * 2,
        ("TA1", "received", "rejected", False),
    ]
    waited = (await acks(database))[0].row
    assert (waited.received_at, waited.interchange_id, waited.acked_group_id) == (LATER, 2, 1)
    assert (waited.facts.isa_control_number, waited.facts.acked_st_control_number) == (
        *("000000077", "0001"),
    )
    assert told(events) == [
        ("ack.received", None),
        ("transaction.delivered", 1),
        ("transaction.delivered", 2),
        ("transaction.rejected", 1),
        ("transaction.rejected", 2),
    ]
    assert [each.data["ack_id"] for each in events[::3]] == [3, 3]


async def test_61_a_997_against_a_ta1_is_a_conflict_and_undoes_nothing(database: Database) -> None:
    await sent(database)
    await receive(database, REFUSED)
    events = await receive(database, ALL_ACCEPTED, at=LATER + HOUR)
    assert await axes(database) == [("rejected", "delivered")] * 2
    assert (await outcome(database))[:2] == [("997", "received", "rejected", True)] * 2
    assert (await acks(database))[0].row.facts.group_code == "A"
    assert told(events) == [("ack.received", None), ("ack.conflict", 1), ("ack.conflict", 2)]


async def test_a_ta1_against_an_accepting_997_wins_as_a_conflict(database: Database) -> None:
    await sent(database)
    await receive(database, ALL_ACCEPTED)
    events = await receive(database, REFUSED, at=LATER + HOUR)
    assert await axes(database) == [("rejected", "delivered")] * 2
    assert await outcome(database) == [
        *[("997", "received", "rejected", True)] * 2,
        ("TA1", "received", "rejected", True),
    ]
    answered = (await acks(database))[0].row
    assert (answered.received_at, answered.facts.group_code) == (LATER, "A")
    assert [kind for kind, _ in told(events)][1:] == ["transaction.rejected", "ack.conflict"] * 2


async def test_a_ta1_that_notes_does_not_end_waiting(database: Database) -> None:
    await sent(database)
    events = await receive(database, NOTED)
    assert await axes(database) == [("pending", "delivered")] * 2
    assert [each[:3] for each in await outcome(database)] == [
        *[("997", "pending", None)] * 2,
        ("TA1", "received", "accepted"),
    ]
    assert [kind for kind, _ in told(events)] == ["ack.received", *["transaction.delivered"] * 2]
    assert await receive(database, NOTED, at=LATER + HOUR) == []
    await receive(database, ALL_ACCEPTED, at=LATER + HOUR)
    assert await axes(database) == [("accepted", "delivered")] * 2


async def test_a_ta1_for_nothing_we_sent_is_unmatched(database: Database) -> None:
    await sent(database)
    events = await receive(database, a_ta1("TA1*000000123*260115*1406*R*006"))
    assert told(events) == [("ack.unmatched", None)]
    (row,) = await acks(database, AckForm.TA1)
    assert (row.row.is_matched, row.row.acked_interchange_id) == (False, None)
    assert await axes(database) == [("pending", "pending")] * 2


async def test_a_ta1_where_nothing_was_awaited_has_its_row_alone(database: Database) -> None:
    await sent(database, Sending(is_awaited=False))
    await receive(database, REFUSED)
    assert await outcome(database) == [("TA1", "received", "rejected", False)]
    assert await axes(database) == [("rejected", "delivered")] * 2


# ---- delivery ------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_held", [False, True])
async def test_nothing_is_sent_again_of_what_is_acknowledged(
    database: Database, *, is_held: bool
) -> None:
    stored = await sent(database, Sending(is_held=is_held))
    await receive(database, ALL_ACCEPTED)
    assert await entry_state(database, stored) is OutboxState.CANCELLED

    async def claim(unit: WriteUnit) -> int:
        now = LATER + HOUR
        request = ClaimRequest(owner="w", now=now, lease_until=now + HOUR, most=9)
        return len(await unit.outbox.claim(request))

    assert await write(database, SYSTEM, claim) == 0


async def test_what_a_worker_sends_at_this_moment_stays_his(database: Database) -> None:
    stored = await sent(database)

    async def claim(unit: WriteUnit) -> None:
        request = ClaimRequest(owner="w", now=START, lease_until=START + HOUR, most=9)
        assert len(await unit.outbox.claim(request)) == 1

    await write(database, SYSTEM, claim)
    await receive(database, ALL_ACCEPTED)
    assert await entry_state(database, stored) is OutboxState.LEASED
    assert await axes(database) == [("accepted", "delivered")] * 2


async def step_delivery(database: Database, number: int, *path: DeliveryStatus) -> None:
    async def work(unit: WriteUnit) -> None:
        for start, to in pairwise(path):
            own = TransactionId(number)
            assert await unit.transactions.step(own, Axis.DELIVERY, start, to, START)

    await write(database, TEST, work)


async def test_an_interchange_arrives_as_a_whole(database: Database) -> None:
    await sent(database, Sending(groups=[("0001",), ("0002",)]))
    events = await receive(database, a_997("AK1*PO*124", "AK9*A*1*1*1"))
    assert await axes(database) == [("pending", "delivered"), ("accepted", "delivered")]
    assert told(events)[1:] == [
        ("transaction.delivered", 1),
        ("transaction.delivered", 2),
        ("transaction.acknowledged", 2),
    ]


async def test_what_is_over_stays_over(database: Database) -> None:
    await sent(database)
    pending, sending = DeliveryStatus.PENDING, DeliveryStatus.SENDING
    await step_delivery(database, 1, pending, DeliveryStatus.CANCELLED)
    await step_delivery(database, 2, pending, sending, DeliveryStatus.DELIVERED)
    events = await receive(database, ALL_ACCEPTED)
    assert await axes(database) == [("accepted", "cancelled"), ("accepted", "delivered")]
    assert [kind for kind, _ in told(events)] == [
        "ack.received",
        *["transaction.acknowledged"] * 2,
    ]


@pytest.mark.parametrize(
    ("delivery", "status", "then"),
    [
        (DeliveryStatus.FAILED, InterchangeStatus.FAILED, InterchangeStatus.SENT),
        (DeliveryStatus.CANCELLED, InterchangeStatus.CANCELLED, InterchangeStatus.CANCELLED),
    ],
)
async def test_an_answer_shows_that_what_was_given_up_was_sent_after_all(
    database: Database,
    delivery: DeliveryStatus,
    status: InterchangeStatus,
    then: InterchangeStatus,
) -> None:
    stored = await sent(database)
    begun = () if delivery is DeliveryStatus.CANCELLED else (DeliveryStatus.SENDING,)
    for number in (1, 2):
        await step_delivery(database, number, DeliveryStatus.PENDING, *begun, delivery)

    async def end(unit: WriteUnit) -> None:
        await step_outbound(unit.interchanges, stored.interchange_id, status, START)

    async def find(unit: WriteUnit) -> InterchangeStatus | None:
        found = await unit.interchanges.find(stored.interchange_id)
        return None if found is None else found[0].new.status

    await write(database, TEST, end)
    assert await write(database, TEST, find) is status
    await receive(database, ALL_ACCEPTED)
    assert await write(database, TEST, find) is then


async def test_of_what_is_not_ours_nothing_is_held(database: Database) -> None:
    stored = await sent(database)

    async def work(unit: WriteUnit) -> object:
        await unit.interchanges.hold(InterchangeId(stored.interchange_id + 1), LATER)
        return await unit.interchanges.find(stored.interchange_id)

    found = await write(database, TEST, work)
    assert isinstance(found, tuple)
    assert found[0].updated_at == START


# ---- races ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("received", [ALL_ACCEPTED, REFUSED, NOTED], ids=["997", "R", "A"])
@pytest.mark.parametrize("is_awaited", [True, False], ids=["awaited", "not awaited"])
async def test_twins_that_arrive_at_once_have_one_effect(
    database: Database, received: ReceivedAck, *, is_awaited: bool
) -> None:
    await sent(database, Sending(is_awaited=is_awaited))
    reconciler = a_reconciler(database)
    prepared = [await reconciler.prepare(TEST, [received]) for _ in range(TWINS)]
    found = await asyncio.gather(*(apply(database, each) for each in prepared))
    assert sorted(bool(each) for each in found) == [False] * (TWINS - 1) + [True]
    kinds = [each.type.value for each in await feed(database)]
    assert kinds.count("ack.received") == 1
    assert kinds.count("transaction.delivered") == 2
    assert not any(conflict for *_, conflict in await outcome(database))


async def test_answers_that_contradict_each_other_at_once_are_one_conflict(
    database: Database,
) -> None:
    await sent(database)
    answers = (ALL_ACCEPTED, ALL_REJECTED) * 2
    await asyncio.gather(*(receive(database, each) for each in answers))
    assert await axes(database) == [("rejected", "delivered")] * 2
    assert await outcome(database) == [("997", "received", "rejected", True)] * 2
    kinds = [each.type.value for each in await feed(database)]
    assert (kinds.count("ack.received"), kinds.count("ack.conflict")) == (2, 2)


@dataclass(frozen=True)
class ChangedMeanwhile:
    """Acknowledgements of a unit; a worker and a clock change the first row once it was read."""

    acks: AckStore
    unit: WriteUnit
    done: list[bool]

    def __getattr__(self, name: str) -> object:
        return getattr(self.acks, name)

    async def list_of_transaction(self, number: TransactionId) -> Sequence[StoredAck]:
        rows = await self.acks.list_of_transaction(number)
        if not self.done:
            self.done.append(True)
            now = START + 60 * HOUR
            assert await self.acks.expect(rows[0].ack.id, START + HOUR, START + 49 * HOUR, now)
            assert await self.acks.mark_overdue(rows[0].ack.id, now)
            step = AckStatus.PENDING, AckStatus.OVERDUE
            assert await self.unit.transactions.step(number, Axis.ACK, *step, now)
        return rows


async def test_a_row_that_changes_while_it_is_answered_is_read_again(database: Database) -> None:
    await sent(database, Sending(groups=[("0001",)]))
    reconciler = a_reconciler(database)
    prepared = await reconciler.prepare(TEST, [a_997(GROUP, "AK9*A*1*1*1")])

    async def work(unit: WriteUnit) -> list[NewEvent]:
        changing = ChangedMeanwhile(unit.acks, unit, [])
        around = replace(unit, acks=changing)  # type: ignore[arg-type]  # the rest by __getattr__
        return await applied(around, reconciler, prepared, START + 60 * HOUR, TEST)

    assert len(await write(database, TEST, work)) == 3
    (row,) = await acks(database)
    assert (row.row.status, row.row.is_overdue) == (AckRowStatus.RECEIVED, False)
    assert (row.row.sent_at, row.row.expected_by) == (START + HOUR, START + 49 * HOUR)
    assert await axes(database) == [("accepted", "delivered")]


# ---- who sees what -------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [FOREIGN_TEST, LIVE], ids=["another account", "live"])
async def test_only_what_was_sent_in_the_same_place_is_answered(
    database: Database, given: Scope
) -> None:
    await sent(database)
    prepared = await a_reconciler(database).prepare(given, [ALL_ACCEPTED])
    assert [each.expected for each in prepared.acks] == [None]
    assert prepared.owner == (given.account_id, given.environment)


async def test_a_live_acknowledgement_answers_what_was_sent_live(database: Database) -> None:
    await sent(database, given=LIVE)
    await sent(database, given=TEST)
    await receive(database, ALL_ACCEPTED, given=LIVE)
    assert await axes(database, LIVE) == [
        *[("accepted", "delivered")] * 2,
        *[("pending", "pending")] * 2,
    ]
    rows = [each.row for each in await acks(database, given=LIVE)]
    assert [each.environment for each in rows] == [PRODUCTION] * 2 + [SANDBOX] * 2
