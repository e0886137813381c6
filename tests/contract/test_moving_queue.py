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
from longshore.domain.delivery.outcome import FailureKind
from longshore.domain.delivery.ports import OutboundMessage, Sent, failed
from longshore.domain.delivery.worker import Worker
from longshore.domain.events.model import EventType
from longshore.domain.partners.model import (
    CLOSED_BREAKER,
    BreakerState,
    CircuitBreaker,
    Identity,
    PartnerId,
    PartnerStatus,
)
from longshore.domain.partners.setting_kinds import OnHeadFailure
from tests.support.clock import START, CountedIds, StoppedClock
from tests.support.database import Database
from tests.support.dispatch import (
    ERROR,
    OK,
    REFUSED,
    Order,
    Queued,
    Seen,
    a_trading_partner,
    a_worker,
    queued,
    seen,
    terms,
)

pytestmark = pytest.mark.full("minutes and hours of virtual time")

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

    async def send(self, parcel: OutboundMessage) -> Sent:
        said = self._answer(parcel.content, self._clock.now())
        self.attempts.append((self.seconds, parcel.content))
        if said is OK:
            self.arrived.append(parcel.content)
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
