"""The worker, on both engines: one attempt, and all that it changes."""

from datetime import timedelta

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.acks.encryption import store_ack
from longshore.domain.acks.model import AckFacts, AckForm, AckRowStatus
from longshore.domain.delivery.attempt_end import step_partner
from longshore.domain.delivery.encryption import AttemptFailure, open_failure
from longshore.domain.delivery.model import JobKind, NewOutboxEntry, OutboxEntry, OutboxId
from longshore.domain.delivery.outcome import FailureKind
from longshore.domain.delivery.ports import answered, failed
from longshore.domain.delivery.schedule import MAX_ATTEMPTS
from longshore.domain.events.model import NewEvent
from longshore.domain.interchanges.store import InterchangeStatus
from longshore.domain.partners.model import ConnectionStatus, Direction, PartnerStatus
from longshore.domain.partners.status import Cause, PartnerState
from longshore.domain.transactions.model import (
    AckStatus,
    DeliveryStatus,
    LastError,
    TransactionId,
)
from longshore.domain.transactions.states import Axis
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.environment import Environment
from tests.support.clock import START, StoppedClock
from tests.support.database import Database
from tests.support.dispatch import (
    BUSY,
    CONTENT,
    ERROR,
    GONE,
    LIVE_URL,
    TEST_URL,
    UNAUTHORISED,
    Destination,
    Jobs,
    Order,
    Queued,
    a_trading_partner,
    a_worker,
    queued,
    seen,
    terms,
)
from tests.support.trading import LIVE, PRODUCTION, SANDBOX, TEST, an_ack, read, write
from tests.support.vault import a_sealer

HOUR, SECOND = timedelta(hours=1), timedelta(seconds=1)


@pytest.fixture(autouse=True)
async def an_account(accounts: AccountService) -> None:
    await accounts.create("own", AccountType.ENTERPRISE)


async def test_what_is_delivered_is_known_everywhere(
    database: Database, clock: StoppedClock
) -> None:
    partner_id = await a_trading_partner(database)
    order = await queued(database, Order(partner_id=partner_id, sets=2))
    http = Destination()
    clock.move(SECOND)
    assert await a_worker(database, clock, http).run_once() == 1
    (message,) = http.parcels
    assert (message.content, message.environment, len(message.message_id)) == (CONTENT, SANDBOX, 32)
    after = await seen(database, order)
    assert (after.states, after.deliveries) == (["done"], ["delivered"] * 2)
    assert (after.outcomes, after.attempts[0].message_id) == (["succeeded"], message.message_id)
    assert [each.attempts for each in after.transactions] == [1, 1]
    assert after.interchange.new.status is InterchangeStatus.SENT
    assert after.interchange.sent_at == START + SECOND
    expected = START + SECOND + 48 * HOUR
    assert [each.ack.row.expected_by for each in after.acks] == [expected] * 2
    assert after.partner.test_status is ConnectionStatus.CONNECTED
    assert after.partner.last_activity_at == START + SECOND
    assert after.event_types == ["transaction.delivered"] * 2
    assert after.audit == [f"interchange.deliver interchange {order.interchange_id}"]
    assert await a_worker(database, clock, http).run_once() == 0


async def test_what_failed_is_tried_again_and_says_why(
    database: Database, clock: StoppedClock
) -> None:
    order = await queued(database, Order(partner_id=await a_trading_partner(database)))
    http = Destination(BUSY)
    await a_worker(database, clock, http).run_once()
    after = await seen(database, order)
    assert (after.states, after.deliveries, after.outcomes) == (["due"], ["pending"], ["failed"])
    assert after.entries[0].new.due_at == START + SECOND
    result = after.attempts[0].result
    assert result is not None
    assert (result.http_status, result.error_code) == (503, "http_503")
    assert result.next_attempt_at == START + SECOND
    message = "The destination answered with status 503."
    failure = AttemptFailure(message=message, answer="come back later")
    assert open_failure(a_sealer(), after.attempts[0]) == failure
    error = LastError(code="http_503", message=message, at=START)
    assert after.transactions[0].record.last_error == error
    assert after.partner.test_status is ConnectionStatus.FAILING
    assert (after.event_types, after.audit) == ([], [])


async def test_a_success_ends_the_last_error_and_has_the_same_message_id(
    database: Database, clock: StoppedClock
) -> None:
    order = await queued(database, Order(partner_id=await a_trading_partner(database)))
    http = Destination(BUSY)
    worker = a_worker(database, clock, http)
    await worker.run_once()
    clock.move(5 * SECOND)
    await worker.run_once()
    after = await seen(database, order)
    assert after.outcomes == ["failed", "succeeded"]
    assert after.transactions[0].record.last_error is None
    assert len({each.message_id for each in http.parcels}) == 1
    assert len({each.content for each in http.parcels}) == 1


@pytest.mark.parametrize(
    ("_case", "status", "standing", "types"),
    [
        ("active", PartnerStatus.ACTIVE, PartnerStatus.ERROR, ["partner.status_changed"]),
        ("testing", PartnerStatus.TESTING, PartnerStatus.TESTING, []),
    ],
)
async def test_a_dead_letter_fails_the_sets_and_an_active_partner(
    database: Database,
    clock: StoppedClock,
    _case: str,
    status: PartnerStatus,
    standing: PartnerStatus,
    types: list[str],
) -> None:
    partner_id = await a_trading_partner(database, status=status)
    order = await queued(database, Order(partner_id=partner_id))
    await a_worker(database, clock, Destination(GONE)).run_once()
    after = await seen(database, order)
    assert (after.states, after.deliveries) == (["dead"], ["failed"])
    assert after.outcomes == ["permanent"]
    assert after.partner.state == PartnerState(standing)
    assert after.partner.test_status is ConnectionStatus.DISABLED
    assert after.event_types == ["transaction.failed", *types]
    assert after.events[0].data["code"] == "http_410"
    assert f"interchange.give_up interchange {order.interchange_id}" in after.audit


async def test_the_next_success_ends_the_error_of_a_partner(
    database: Database, clock: StoppedClock
) -> None:
    partner_id = await a_trading_partner(database, status=PartnerStatus.ERROR)
    order = await queued(database, Order(partner_id=partner_id, environment=PRODUCTION))
    await a_worker(database, clock, Destination()).run_once()
    after = await seen(database, order)
    assert after.partner.state == PartnerState(PartnerStatus.ACTIVE)
    assert after.partner.live_status is ConnectionStatus.CONNECTED
    assert after.partner.test_status is ConnectionStatus.UNVERIFIED
    assert after.events[-1].data == {
        "partner_id": partner_id,
        "partner_status": "active",
        "previous_status": "error",
    }
    assert after.audit[-1] == f"partner.step partner {partner_id}"


async def test_what_fails_for_good_is_tried_three_times(
    database: Database, clock: StoppedClock
) -> None:
    order = await queued(database, Order(partner_id=await a_trading_partner(database)))
    http = Destination(UNAUTHORISED, failed(FailureKind.ADDRESS_REFUSED), UNAUTHORISED)
    worker = a_worker(database, clock, http)
    for pause in (0 * SECOND, 5 * SECOND, 15 * SECOND, HOUR):
        clock.move(pause)
        await worker.run_once()
    after = await seen(database, order)
    assert (after.states, after.outcomes) == (["dead"], ["permanent"] * 3)
    codes = [each.result.error_code for each in after.attempts if each.result]
    assert codes == ["http_401", "address_refused", "http_401"]


async def test_a_destination_is_not_asked_before_the_time_it_names(
    database: Database, clock: StoppedClock
) -> None:
    order = await queued(database, Order(partner_id=await a_trading_partner(database)))
    http = Destination(answered(429, "", timedelta(seconds=120)))
    await a_worker(database, clock, http).run_once()
    assert (await seen(database, order)).entries[0].new.due_at == START + 120 * SECOND


async def test_nothing_is_tried_after_the_deadline_of_the_partner(
    database: Database, clock: StoppedClock
) -> None:
    partner_id = await a_trading_partner(database, terms(delivery_deadline_hours=1))
    order = await queued(database, Order(partner_id=partner_id))
    worker = a_worker(database, clock, Destination(*[ERROR] * 10))
    for pause in (0, 1, 2, 5, 10, 30, 300, 1_800, 7_200):
        clock.move(pause * SECOND)
        await worker.run_once()
    after = await seen(database, order)
    assert (after.states, len(after.attempts)) == (["dead"], 8)


async def test_test_documents_never_take_the_live_connection(
    database: Database, clock: StoppedClock
) -> None:
    partner_id = await a_trading_partner(database)
    for environment in (SANDBOX, PRODUCTION, SANDBOX):
        await queued(database, Order(partner_id=partner_id, environment=environment))
    http = Destination()
    worker = a_worker(database, clock, http)
    while await worker.run_once():
        pass
    pairs = zip(http.parcels, http.urls, strict=True)
    sent = sorted((each.environment.value, url) for each, url in pairs)
    assert sent == [("production", LIVE_URL), ("sandbox", TEST_URL), ("sandbox", TEST_URL)]


async def test_a_long_document_arrives_whole(database: Database, clock: StoppedClock) -> None:
    content = CONTENT * 20_000
    partner_id = await a_trading_partner(database)
    await queued(database, Order(partner_id=partner_id, content=content))
    http = Destination()
    await a_worker(database, clock, http).run_once()
    assert [each.content == content for each in http.parcels] == [True]


async def test_a_person_who_was_faster_is_not_overruled(database: Database) -> None:
    partner_id = await a_trading_partner(database)

    async def fail(unit: WriteUnit) -> tuple[NewEvent, ...]:
        stored = await unit.partners.find(partner_id)
        assert stored is not None
        inactive = PartnerState(PartnerStatus.INACTIVE, PartnerStatus.ACTIVE)
        await unit.partners.set_state(partner_id, stored.state, inactive, START)
        return await step_partner(unit, stored, Cause.FAILURE, START)

    assert await write(database, LIVE, fail) == ()


# ---- acknowledgements ----------------------------------------------------------------------------


async def own_ack(database: Database, order: Queued, **members: object) -> int:
    """Store an acknowledgement of ours that goes out in the interchange."""
    new = an_ack(
        direction=Direction.OUTBOUND,
        interchange_id=order.interchange_id,
        facts=AckFacts(ack_type=AckForm.TA1),
        **members,
    )

    async def work(unit: WriteUnit) -> int:
        assert LIVE.account_id is not None
        return await store_ack(unit, a_sealer(), LIVE.account_id, new, START)

    return await write(database, TEST, work)


@pytest.mark.parametrize(
    ("_case", "said", "status", "event"),
    [
        ("sent", None, AckRowStatus.SENT, "ack.sent"),
        ("given up", GONE, AckRowStatus.FAILED, "ack.failed"),
    ],
)
async def test_our_acknowledgements_are_finished_with_their_interchange(
    database: Database, clock: StoppedClock, _case: str, said: object, status: object, event: str
) -> None:
    given = Order(
        partner_id=await a_trading_partner(database),
        kind=JobKind.ACKNOWLEDGEMENT,
        functional_id="FA",
        sets=1,
    )
    order = await queued(database, given)
    other = await queued(database, Order(partner_id=given.partner_id))
    of_set = await own_ack(database, order, transaction_id=order.transaction_ids[0])
    ids = [of_set, await own_ack(database, order), await own_ack(database, other)]
    http = Destination(said) if said is GONE else Destination()
    await a_worker(database, clock, http).run_once(1)

    async def statuses(unit: ReadUnit) -> list[AckRowStatus]:
        found = [await unit.acks.find(each) for each in ids]  # type: ignore[arg-type]  # ids of acks
        return [each.ack.row.status for each in found if each is not None]

    assert await read(database, TEST, statuses) == [status, status, AckRowStatus.PENDING]
    after = await seen(database, order)
    told = [each for each in after.events if each.type.value == event]
    assert sorted((each.data["ack_id"], each.transaction_id) for each in told) == [
        (ids[0], order.transaction_ids[0]),
        (ids[1], None),
    ]


async def test_what_an_acknowledgement_says_has_arrived_is_not_sent_again(
    database: Database, clock: StoppedClock
) -> None:
    order = await queued(database, Order(partner_id=await a_trading_partner(database)))
    await step(database, order.transaction_ids[0], DeliveryStatus.PENDING, DeliveryStatus.DELIVERED)
    http = Destination()
    await a_worker(database, clock, http).run_once()
    after = await seen(database, order)
    assert (http.parcels, after.states, after.attempts) == ([], ["done"], [])


async def step(
    database: Database, number: TransactionId, start: DeliveryStatus, to: DeliveryStatus
) -> None:
    async def work(unit: WriteUnit) -> bool:
        return await unit.transactions.step(number, Axis.DELIVERY, start, to, START)

    assert await write(database, TEST, work)


async def test_an_answered_row_is_not_expected_anew(
    database: Database, clock: StoppedClock
) -> None:
    partner_id = await a_trading_partner(database)
    order = await queued(database, Order(partner_id=partner_id, sets=2))

    async def answer(unit: WriteUnit) -> None:
        number = order.transaction_ids[0]
        await unit.transactions.step(number, Axis.ACK, AckStatus.PENDING, AckStatus.ACCEPTED, START)

    await write(database, TEST, answer)
    await own_ack(database, order, transaction_id=order.transaction_ids[1])
    await a_worker(database, clock, Destination()).run_once()
    after = await seen(database, order)
    assert [each.ack.row.expected_by for each in after.acks] == [None, START + 48 * HOUR]


# ---- faults of ours, and jobs --------------------------------------------------------------------


async def a_job(database: Database) -> OutboxId:
    entry = NewOutboxEntry(kind=JobKind.RECEIVE, environment=Environment.SANDBOX, due_at=START)

    async def work(unit: WriteUnit) -> OutboxId:
        assert LIVE.account_id is not None
        return await unit.outbox.insert(LIVE.account_id, entry, START)

    return await write(database, TEST, work)


async def test_what_is_no_delivery_is_done_by_its_handler(
    database: Database, clock: StoppedClock
) -> None:
    number, jobs = await a_job(database), Jobs()
    await a_worker(database, clock, Destination(), handler=jobs).run_once()
    assert (jobs.run_ids, jobs.given_up) == ([number], [])


async def test_a_job_that_always_fails_is_given_up_in_the_end(
    database: Database, clock: StoppedClock
) -> None:
    number, jobs = await a_job(database), Jobs()
    worker = a_worker(database, clock, Destination(), handler=jobs)
    claims: list[OutboxEntry] = []
    while not jobs.given_up:
        claims += await worker.claim()
        await worker.record_failure(claims[-1])
        clock.move(25 * HOUR)
    assert [each.attempt for each in claims] == list(range(1, MAX_ATTEMPTS + 1))
    assert jobs.given_up == [(number, "internal_error")]


async def test_a_delivery_that_always_fails_in_our_hands_becomes_a_dead_letter(
    database: Database, clock: StoppedClock
) -> None:
    partner_id = await a_trading_partner(database)
    order, later = [await queued(database, Order(partner_id=partner_id)) for _ in range(2)]
    worker = a_worker(database, clock, Destination())
    for _ in range(MAX_ATTEMPTS):
        (entry,) = await worker.claim()
        await worker.record_failure(entry)
        clock.move(25 * HOUR)
    after = await seen(database, order)
    assert (after.states, after.deliveries, after.attempts) == (["dead"], ["failed"], [])
    assert (await seen(database, later)).states == ["due"]


async def test_a_lease_is_prolonged_and_handed_back(
    database: Database, clock: StoppedClock
) -> None:
    order = await queued(database, Order(partner_id=await a_trading_partner(database)))
    worker, other = (a_worker(database, clock, Destination(), owner=each) for each in ("1", "2"))
    assert await worker.is_due()
    (entry,) = await worker.claim()
    clock.move(29 * SECOND)
    assert await worker.renew(entry)
    clock.move(29 * SECOND)
    assert (await other.is_due(), await other.claim()) == (False, [])
    assert await worker.hand_back(entry)
    assert (await worker.renew(entry), await worker.hand_back(entry)) == (False, False)
    (again,) = await other.claim()
    assert (again.id, again.attempt) == (order.outbox_id, 2)


async def test_no_attempt_begins_without_the_lease(database: Database, clock: StoppedClock) -> None:
    order = await queued(database, Order(partner_id=await a_trading_partner(database)))
    http = Destination()
    worker = a_worker(database, clock, http)
    (entry,) = await worker.claim()
    await worker.hand_back(entry)
    await worker.do(entry)
    after = await seen(database, order)
    assert (http.parcels, after.attempts, after.deliveries) == ([], [], ["pending"])


async def test_the_same_claim_is_not_sent_twice(database: Database, clock: StoppedClock) -> None:
    await queued(database, Order(partner_id=await a_trading_partner(database)))
    entries: list[OutboxEntry] = []

    async def again(message: object) -> object:
        del message
        await worker.do(entries[0])
        return BUSY

    http = Destination(again)  # type: ignore[arg-type]  # what it says is an answer
    worker = a_worker(database, clock, http)
    entries += await worker.claim()
    await worker.do(entries[0])
    assert len(http.parcels) == 1
