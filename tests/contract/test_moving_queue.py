"""A queue that keeps moving: one bad document, a flaky partner, a partner that is away (R11, R22).

Everything runs on a virtual clock and on both engines; the order of arrival is exact.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from random import Random

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.delivery.held_entries import Releaser
from longshore.domain.delivery.outcome import FailureKind
from longshore.domain.delivery.ports import OutboundMessage, Sent, failed
from longshore.domain.delivery.worker import Worker
from longshore.domain.events.model import EventType
from longshore.domain.events.writer import open_message
from longshore.domain.partners.connections import ConnectionType
from longshore.domain.partners.model import (
    CLOSED_BREAKER,
    BreakerState,
    CircuitBreaker,
    Identity,
    PartnerId,
    PartnerStatus,
)
from longshore.domain.partners.setting_kinds import OnHeadFailure
from longshore.domain.transactions.errors import InProgressError
from longshore.domain.transactions.lists import TransactionFilters
from longshore.domain.transactions.model import DeliveryStatus
from longshore.domain.transactions.timeline import PendingDeliveries
from tests.support.clock import START, CountedIds, StoppedClock
from tests.support.database import Database
from tests.support.dispatch import (
    ERROR,
    OK,
    REFUSED,
    UNAUTHORISED,
    Order,
    Queued,
    Seen,
    a_trading_partner,
    a_worker,
    queued,
    seen,
    terms,
)
from tests.support.ports import some_ports
from tests.support.submitting import an_action
from tests.support.tracking import a_tracker, context
from tests.support.trading import SANDBOX
from tests.support.vault import a_sealer

SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
AWAY = failed(FailureKind.CONNECTION_REFUSED)
OTHER = Identity(qualifier="01", isa_id="987654321")
Answer = Callable[[bytes, datetime], Sent]


@pytest.fixture(autouse=True)
async def an_account(accounts: AccountService) -> None:
    await accounts.create("own", AccountType.ENTERPRISE)


class Partner:
    """A destination that answers by document and time, and keeps what it took, and when."""

    def __init__(self, clock: StoppedClock, answer: Answer) -> None:
        self.arrived: list[bytes] = []
        self.times: list[timedelta] = []
        self.attempts: list[tuple[int, bytes]] = []
        self._clock = clock
        self._answer = answer

    async def send(self, message: OutboundMessage) -> Sent:
        said = self._answer(message.content, self._clock.now())
        self.attempts.append((self.seconds, message.content))
        if said is OK:
            self.arrived.append(message.content)
            self.times.append(self._clock.now() - START)
        return said

    @property
    def seconds(self) -> int:
        """The time since the start."""
        return int((self._clock.now() - START).total_seconds())


async def documents(
    database: Database, partner_id: PartnerId, count: int, kind: str = "PO"
) -> list[Queued]:
    """Queue documents with the contents ``PO 0``, ``PO 1``, ……"""
    return [
        await queued(
            database,
            Order(
                partner_id=partner_id,
                functional_id=kind,
                content=f"{kind} {number}".encode(),
                is_answered=False,
            ),
        )
        for number in range(count)
    ]


async def run_for(
    worker: Worker, clock: StoppedClock, span: timedelta, step: timedelta = SECOND
) -> None:
    """Let a worker do what is due, again after each step."""
    until = clock.now() + span
    while True:
        while await worker.run_once():
            pass
        if clock.now() >= until:
            return
        clock.move(step)


def of_kind(contents: list[bytes], kind: str = "PO") -> list[int]:
    """Return the numbers of the documents of a kind, in the order they arrived."""
    return [int(each.split()[1]) for each in contents if each.startswith(kind.encode())]


async def breaker(database: Database, order: Queued) -> CircuitBreaker:
    return (await seen(database, order)).partner.test_breaker


def circuit_events(after: Seen) -> list[EventType]:
    return [each.type for each in after.events if each.type.startswith("partner.circuit")]


# ---- one document that always fails --------------------------------------------------------------


async def test_a_refused_document_is_parked_within_a_minute_and_the_rest_follows_in_order(
    database: Database, clock: StoppedClock
) -> None:
    orders = await documents(database, await a_trading_partner(database), 8)
    partner = Partner(clock, lambda content, _: REFUSED if content == b"PO 0" else OK)
    await run_for(a_worker(database, clock, partner), clock, 60 * SECOND)
    assert [each for each in partner.attempts if each[1] == b"PO 0"] == [
        (0, b"PO 0"),
        (5, b"PO 0"),
        (20, b"PO 0"),
    ]
    assert of_kind(partner.arrived) == [1, 2, 3, 4, 5, 6, 7]
    assert set(partner.times) == {20 * SECOND}
    head = await seen(database, orders[0])
    assert (head.states, head.deliveries) == (["dead"], ["failed"])
    assert head.errors == [("http_422", "The destination answered with status 422.")]
    assert (await breaker(database, orders[0])) == CLOSED_BREAKER


async def test_a_partner_may_have_later_documents_wait(
    database: Database, clock: StoppedClock
) -> None:
    agreed = terms(on_head_failure=OnHeadFailure.WAIT)
    orders = await documents(database, await a_trading_partner(database, agreed), 3)
    refused = {b"PO 0"}
    partner = Partner(clock, lambda content, _: REFUSED if content in refused else OK)
    worker = a_worker(database, clock, partner)
    await run_for(worker, clock, 10 * MINUTE, MINUTE)
    assert partner.arrived == []
    assert (await seen(database, orders[0])).states == ["due"]
    refused.clear()
    await run_for(worker, clock, 30 * MINUTE, MINUTE)
    assert of_kind(partner.arrived) == [0, 1, 2]


async def test_a_document_at_which_the_partner_breaks_is_told_from_a_partner_that_is_broken(
    database: Database, clock: StoppedClock
) -> None:
    """500 says nothing of who is at fault: the next document decides."""
    orders = await documents(database, await a_trading_partner(database), 6)
    partner = Partner(clock, lambda content, _: ERROR if content == b"PO 0" else OK)
    await run_for(a_worker(database, clock, partner), clock, 60 * SECOND)
    assert [each[0] for each in partner.attempts if each[1] == b"PO 0"] == [0, 1, 3, 8, 18, 48]
    assert of_kind(partner.arrived) == [1, 2, 3, 4, 5]
    head = await seen(database, orders[0])
    assert (head.states, head.deliveries) == (["dead"], ["failed"])
    assert head.errors == [("http_500", "The destination answered with status 500.")]
    of_head = [each for each in head.events if each.transaction_id == orders[0].transaction_ids[0]]
    assert [each.type for each in of_head] == [EventType.TRANSACTION_FAILED]
    assert of_head[0].data["code"] == "http_500"
    assert f"interchange.give_up interchange {orders[0].interchange_id}" in head.audit
    assert circuit_events(head) == []


async def test_a_partner_that_is_broken_for_an_hour_loses_no_document(
    database: Database, clock: StoppedClock
) -> None:
    orders = await documents(database, await a_trading_partner(database), 3)
    partner = Partner(clock, lambda _, now: ERROR if now < START + HOUR else OK)
    worker = a_worker(database, clock, partner)
    await run_for(worker, clock, MINUTE)
    opened = await breaker(database, orders[0])
    assert (opened.state, opened.opened_at) == (BreakerState.OPEN, START + 48 * SECOND)
    await run_for(worker, clock, HOUR - MINUTE, 10 * SECOND)
    await run_for(worker, clock, 50 * SECOND)
    assert of_kind(partner.arrived) == [0, 1, 2]
    assert max(partner.times) <= HOUR + 31 * SECOND
    after = await seen(database, orders[0])
    assert after.states == ["done"]
    assert circuit_events(after) == ["partner.circuit_opened", "partner.circuit_closed"]
    # Of the probes between two attempts of the schedule the last one is stored.
    assert len(after.attempts) == 10


# ---- a partner that fails at random --------------------------------------------------------------


@pytest.mark.parametrize("failure", [ERROR, AWAY], ids=["500", "refused"])
async def test_a_partner_that_fails_at_random_gets_everything_in_order(
    database: Database, clock: StoppedClock, failure: Sent
) -> None:
    partner_id, kinds, count = await a_trading_partner(database), ("PO", "IN", "SH"), 100
    for kind in kinds:
        await documents(database, partner_id, count, kind)
    random = Random(15)
    partner = Partner(clock, lambda *_: failure if random.random() < 0.15 else OK)
    worker = a_worker(database, clock, partner, ids=CountedIds("random"))
    while len(partner.arrived) < len(kinds) * count:
        assert partner.seconds < 300
        if not await worker.run_once():
            clock.move(SECOND)
    for kind in kinds:
        assert of_kind(partner.arrived, kind) == [*range(count)]
    assert max(later - earlier for earlier, later in pairwise(partner.times)) <= 60 * SECOND


# ---- a partner that is away ----------------------------------------------------------------------


def away_for_an_hour(content: bytes, now: datetime) -> Sent:
    """Answer as a partner that is away, and another one that takes ``SH``."""
    is_away = now < START + HOUR and not content.startswith(b"SH")
    return AWAY if is_away else OK


async def test_a_partner_that_was_away_for_an_hour_has_everything_within_a_minute(
    database: Database, clock: StoppedClock
) -> None:
    partner_id = await a_trading_partner(database)
    orders = [
        *await documents(database, partner_id, 3),
        *await documents(database, partner_id, 3, "IN"),
    ]
    partner = Partner(clock, away_for_an_hour)
    worker = a_worker(database, clock, partner)
    await run_for(worker, clock, HOUR - 10 * SECOND, 10 * SECOND)
    assert partner.arrived == []
    probes = [seconds for seconds, _ in partner.attempts if seconds >= 60]
    assert max(probes.count(each) for each in probes) == 1
    assert 90 <= len(probes) <= 120  # one in 30 seconds
    assert {content[:2] for _, content in partner.attempts[-4:]} == {b"PO", b"IN"}  # in turns
    await run_for(worker, clock, 60 * SECOND)
    assert (of_kind(partner.arrived), of_kind(partner.arrived, "IN")) == ([0, 1, 2], [0, 1, 2])
    assert partner.times[-1] <= HOUR + 31 * SECOND
    assert (await seen(database, orders[0])).states == ["done"]


async def test_the_partner_shows_what_its_circuit_breaker_does(
    database: Database, clock: StoppedClock
) -> None:
    partner_id = await a_trading_partner(database)
    other_id = await a_trading_partner(database, replace(terms(), name="Other", identity=OTHER))
    (order,) = await documents(database, partner_id, 1)
    worker = a_worker(database, clock, Partner(clock, away_for_an_hour))
    await run_for(worker, clock, 20 * SECOND)
    first = (await seen(database, order)).partner
    at = START + 18 * SECOND
    opened = CircuitBreaker(state=BreakerState.OPEN, opened_at=at, probe_at=at + 30 * SECOND)
    assert (first.test_breaker, first.live_breaker) == (opened, CLOSED_BREAKER)
    assert first.state.status is PartnerStatus.ACTIVE
    (of_other,) = await documents(database, other_id, 1, "SH")
    await run_for(worker, clock, 11 * MINUTE, 10 * SECOND)
    assert (await seen(database, of_other)).states == ["done"]
    assert (await seen(database, order)).partner.state.status is PartnerStatus.ERROR
    await run_for(worker, clock, HOUR - 11 * MINUTE, 10 * SECOND)
    after = await seen(database, order)
    assert after.partner.test_breaker == CLOSED_BREAKER
    assert after.partner.state.status is PartnerStatus.ACTIVE
    assert circuit_events(after) == ["partner.circuit_opened", "partner.circuit_closed"]
    actions = [each for each in after.audit if each.startswith("partner.circuit")]
    assert actions == [f"partner.circuit_{each} partner {partner_id}" for each in ("open", "close")]


# ---- retry now -----------------------------------------------------------------------------------


async def next_attempts(database: Database, *orders: Queued) -> list[tuple[int | None, int | None]]:
    """Return what each waits behind, and in how many seconds after the start it is sent."""
    pending = PendingDeliveries(database.units)
    found = [await pending.find(context(SANDBOX), each.transaction_ids[0]) for each in orders]
    return [
        (
            each.waits_behind,
            None
            if each.next_attempt_at is None
            else int((each.next_attempt_at - START).total_seconds()),
        )
        for each in found
    ]


async def test_a_document_names_the_one_it_waits_behind(
    database: Database, clock: StoppedClock
) -> None:
    partner_id = await a_trading_partner(database)
    orders = await documents(database, partner_id, 3)
    (other,) = await documents(database, partner_id, 1, "IN")
    worker = a_worker(database, clock, Partner(clock, lambda *_: ERROR))
    await run_for(worker, clock, 50 * SECOND)
    head = orders[0].transaction_ids[0]
    found = await next_attempts(database, *orders, other)
    assert [each[0] for each in found] == [None, head, head, None]
    assert [each[1] is None for each in found] == [False, True, True, False]
    await a_tracker(database, clock).cancel(context(SANDBOX), an_action(head, "Not needed."))
    second = orders[1].transaction_ids[0]
    assert [each[0] for each in await next_attempts(database, *orders)] == [None, None, second]


async def test_what_waits_is_sent_at_once_when_somebody_asks(
    database: Database, clock: StoppedClock
) -> None:
    partner_id = await a_trading_partner(database, terms(on_head_failure=OnHeadFailure.WAIT))
    orders = await documents(database, partner_id, 3)
    state = {"answer": ERROR}
    partner = Partner(clock, lambda *_: state["answer"])
    worker = a_worker(database, clock, partner)
    await run_for(worker, clock, MINUTE)
    assert await worker.run_once() == 0
    state["answer"] = OK
    tracker, last = a_tracker(database, clock), orders[2].transaction_ids[0]
    await tracker.retry(context(SANDBOX), an_action(last))
    assert await worker.run_once() == 3
    assert of_kind(partner.arrived) == [0, 1, 2]
    after = await seen(database, orders[2])
    of_last = [each for each in after.events if each.transaction_id == last]
    assert [each.type for each in of_last] == ["transaction.queued", "transaction.delivered"]
    assert open_message(a_sealer(), of_last[0]) == "Its next attempt is made at once."
    assert f"transaction.retry transaction {last}" in after.audit


async def test_asking_makes_the_next_probe_of_a_destination_that_fails_and_saves_the_schedule(
    database: Database, clock: StoppedClock
) -> None:
    orders = await documents(database, await a_trading_partner(database), 2)
    partner = Partner(clock, lambda *_: UNAUTHORISED)
    worker = a_worker(database, clock, partner)
    await run_for(worker, clock, 40 * SECOND)
    # The first was parked; the second is not, as the breaker opened at its second attempt.
    assert (await seen(database, orders[0])).states == ["dead"]
    assert (await breaker(database, orders[1])).state is BreakerState.OPEN
    count = len(partner.attempts)
    tracker = a_tracker(database, clock)
    pending = TransactionFilters(delivery_status=frozenset({DeliveryStatus.PENDING}))
    for _ in range(5):
        clock.move(SECOND)
        redriven = await tracker.redrive_fitting(
            context(SANDBOX),
            pending,
        )
        assert (redriven.queued, redriven.skipped) == (1, ())
        assert await worker.run_once() == 1
    assert len(partner.attempts) == count + 5
    assert (await seen(database, orders[1])).states == ["due"]
    delivered = TransactionFilters(delivery_status=frozenset({DeliveryStatus.DELIVERED}))
    assert (await tracker.redrive_fitting(context(SANDBOX), delivered)).queued == 0


async def test_what_a_worker_has_cannot_be_hurried(database: Database, clock: StoppedClock) -> None:
    (order,) = await documents(database, await a_trading_partner(database), 1)
    await a_worker(database, clock, Partner(clock, lambda *_: OK)).claim()
    with pytest.raises(InProgressError):
        await a_tracker(database, clock).retry(
            context(SANDBOX), an_action(order.transaction_ids[0])
        )
    assert await next_attempts(database, order) == [(None, None)]


# ---- a trial that does not end as it should ------------------------------------------------------


async def with_a_trial(database: Database, clock: StoppedClock) -> tuple[list[Queued], Worker]:
    """Let a document be suspended, and leave its trial claimed but not sent."""
    orders = await documents(database, await a_trading_partner(database), 2)
    partner = Partner(clock, lambda content, _: ERROR if content == b"PO 0" else OK)
    worker = a_worker(database, clock, partner)
    for pause in (0, 1, 2, 5, 10):
        clock.move(pause * SECOND)
        assert await worker.run_once() == 1
    clock.move(30 * SECOND)
    (head,) = await worker.claim()
    trial = await worker.do(head)
    assert trial is not None
    assert trial.trial_of == head.id
    assert (await seen(database, orders[0])).states == ["suspended"]
    await worker.hand_back(trial)
    return orders, worker


async def test_a_trial_that_comes_late_proves_nothing(
    database: Database, clock: StoppedClock
) -> None:
    orders, worker = await with_a_trial(database, clock)
    clock.move(11 * SECOND)
    assert await worker.run_once() == 1
    assert [(await seen(database, each)).states for each in orders] == [["due"], ["due"]]
    assert await worker.run_once() == 0  # the second waits behind the first again


async def test_a_document_whose_trial_was_cancelled_is_due_again(
    database: Database, clock: StoppedClock
) -> None:
    orders, _ = await with_a_trial(database, clock)
    releaser = Releaser(some_ports(database, clock), {ConnectionType.HTTP})
    await releaser.run_once()
    assert (await seen(database, orders[0])).states == ["suspended"]
    tracker = a_tracker(database, clock)
    cancelled = an_action(orders[1].transaction_ids[0], "Not needed.")
    await tracker.cancel(context(SANDBOX), cancelled)
    await releaser.run_once()
    assert (await seen(database, orders[0])).states == ["due"]


async def test_a_suspended_document_can_be_cancelled(
    database: Database, clock: StoppedClock
) -> None:
    orders, worker = await with_a_trial(database, clock)
    tracker = a_tracker(database, clock)
    await tracker.cancel(context(SANDBOX), an_action(orders[0].transaction_ids[0], "Not needed."))
    assert await worker.run_once() == 1
    assert [(await seen(database, each)).states for each in orders] == [["cancelled"], ["done"]]
