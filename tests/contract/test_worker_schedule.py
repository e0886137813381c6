"""The schedule of attempts to its end, the order of documents, and workers that come back (R11,
R22, R23), on both engines and a virtual clock."""

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.delivery.ports import OutboundMessage, Sent
from longshore.domain.delivery.schedule import JITTER, PAUSES
from longshore.domain.delivery.worker import Worker
from longshore.domain.interchanges.store import InterchangeStatus
from longshore.storage.queries import Query, load_queries
from tests.support.clock import CountedIds, StoppedClock
from tests.support.database import Database, Engine
from tests.support.dispatch import (
    BUSY,
    ERROR,
    OK,
    Destination,
    EvenIds,
    Order,
    Queued,
    a_trading_partner,
    a_worker,
    queued,
    seen,
)
from tests.support.submitting import an_action
from tests.support.tracking import a_tracker, context
from tests.support.trading import PRODUCTION

SECOND = timedelta(seconds=1)


@pytest.fixture(autouse=True)
async def an_account(accounts: AccountService) -> None:
    await accounts.create("own", AccountType.ENTERPRISE)


async def starts(
    database: Database, clock: StoppedClock, ids: CountedIds, limit: int = 20
) -> tuple[Queued, list[datetime]]:
    """Let a destination fail until it is given up; return when each attempt began."""
    order = await queued(database, Order(partner_id=await a_trading_partner(database)))
    worker = a_worker(database, clock, Destination(*[ERROR] * limit), ids=ids)
    return order, await ended(database, clock, worker, order)


async def ended(
    database: Database, clock: StoppedClock, worker: Worker, order: Queued
) -> list[datetime]:
    """Let a worker go on until nothing is due any more; return when each attempt began."""
    began = []
    while (entry := (await seen(database, order)).entries[-1]).state.value == "due":
        clock.move(max(entry.new.due_at - clock.now(), timedelta(0)))
        began.append(clock.now())
        assert await worker.run_once() == 1
    return began


async def test_attempts_lie_apart_as_the_schedule_says_until_the_dead_letter(
    database: Database, clock: StoppedClock
) -> None:
    order, began = await starts(database, clock, EvenIds())
    pauses = [later - earlier for earlier, later in pairwise(began)]
    assert [timedelta(0), *pauses] == list(PAUSES)
    assert sum(pauses, timedelta(0)) == timedelta(hours=75, minutes=35, seconds=48)
    after = await seen(database, order)
    assert (after.states, after.outcomes) == (["dead"], ["failed"] * 14)
    assert after.event_types == ["transaction.failed", "partner.status_changed"]
    assert [each.attempts for each in after.transactions] == [14]
    assert after.interchange.new.status is InterchangeStatus.FAILED
    clock.move(timedelta(days=30))
    assert await a_worker(database, clock, Destination()).run_once() == 0


async def test_what_was_given_up_is_queued_by_a_retry_and_sent_by_its_success(
    database: Database, clock: StoppedClock
) -> None:
    order, _ = await starts(database, clock, EvenIds())
    tracker = a_tracker(database, clock)
    await tracker.retry(context(PRODUCTION), an_action(order.transaction_ids[0]))
    assert (await seen(database, order)).interchange.new.status is InterchangeStatus.QUEUED
    assert await a_worker(database, clock, Destination(OK)).run_once() == 1
    assert (await seen(database, order)).interchange.new.status is InterchangeStatus.SENT


async def test_what_arrived_and_is_given_up_when_it_is_sent_again_has_failed(
    database: Database, clock: StoppedClock
) -> None:
    order = await queued(database, Order(partner_id=await a_trading_partner(database)))
    worker = a_worker(database, clock, Destination(OK, *[ERROR] * 20), ids=EvenIds())
    assert await worker.run_once() == 1
    again = an_action(order.transaction_ids[0], "They lost it.")
    await a_tracker(database, clock).retry(context(PRODUCTION), again)
    assert len(await ended(database, clock, worker, order)) == len(PAUSES)
    after = await seen(database, order)
    assert (after.states, after.deliveries) == (["done", "dead"], ["failed"])
    assert after.interchange.new.status is InterchangeStatus.FAILED


async def test_pauses_are_longer_or_shorter_by_a_fifth_at_most(
    database: Database, clock: StoppedClock
) -> None:
    _, began = await starts(database, clock, CountedIds())
    ratios = [
        (later - earlier) / pause
        for (earlier, later), pause in zip(pairwise(began), PAUSES[1:], strict=True)
    ]
    assert all(1 - JITTER <= each <= 1 + JITTER for each in ratios)
    assert len({round(each, 6) for each in ratios}) == len(ratios)


async def test_documents_of_a_kind_reach_a_partner_in_their_order(
    database: Database, clock: StoppedClock
) -> None:
    partner_id = await a_trading_partner(database)
    kinds = ("PO", "IN")
    for number in range(10):
        for kind in kinds:
            content = f"{kind} {number}".encode()
            await queued(
                database, Order(partner_id=partner_id, functional_id=kind, content=content)
            )
    failing = {b"PO 3", b"IN 7"}

    async def fails_once(message: OutboundMessage) -> Sent:
        if message.content in failing:
            failing.remove(message.content)
            return BUSY
        arrived.append(message.content)
        return OK

    arrived: list[bytes] = []
    http = Destination(*[fails_once] * 30)
    workers = [a_worker(database, clock, http, owner=str(each)) for each in range(4)]
    while len(arrived) < 20:
        if not sum(await asyncio.gather(*[each.run_once() for each in workers])):
            clock.move(5 * SECOND)
    for kind in kinds:
        of_kind = [each.decode() for each in arrived if each.startswith(kind.encode())]
        assert of_kind == [f"{kind} {number}" for number in range(10)]


# ---- a worker that comes back after its lease ----------------------------------------------------


async def two_workers(database: Database, clock: StoppedClock) -> Queued:
    """Let a worker freeze while it sends; another takes over, and is still sending when the first
    comes back with a success. Then the second fails."""
    partner_id = await a_trading_partner(database)
    order = await queued(database, Order(partner_id=partner_id, environment=PRODUCTION))
    is_frozen, is_taken_over, is_back = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def freeze(message: OutboundMessage) -> Sent:
        del message
        is_frozen.set()
        await is_taken_over.wait()
        return OK

    async def take_over(message: OutboundMessage) -> Sent:
        del message
        is_taken_over.set()
        await is_back.wait()
        return BUSY

    first, second = Destination(freeze), Destination(take_over)
    zombie = asyncio.create_task(a_worker(database, clock, first, owner="1").run_once())
    await is_frozen.wait()
    clock.move(31 * SECOND)
    other = asyncio.create_task(a_worker(database, clock, second, owner="2").run_once())
    await zombie
    is_back.set()
    await other
    assert [*first.parcels] == [*second.parcels]
    return order


async def test_a_worker_that_comes_back_after_its_lease_changes_nothing(
    database: Database, clock: StoppedClock
) -> None:
    order = await two_workers(database, clock)
    after = await seen(database, order)
    assert (after.states, after.deliveries) == (["due"], ["pending"])
    assert after.outcomes == ["lost", "failed"]
    assert after.event_types == []
    assert after.acks[0].ack.row.expected_by is None
    assert [each.attempts for each in after.transactions] == [1]


@pytest.fixture
async def unfenced(engine: Engine) -> AsyncIterator[Database]:
    """The same database, whose queries do not look at the number of the attempt."""
    queries = load_queries(engine.dialect)

    def cut(query: Query) -> Query:
        return replace(query, text=re.sub(r" AND (o\.)?attempt = :attempt", "", query.text))

    names = ("finish_outbox_entry", "put_back_outbox_entry", "renew_lease")
    changed = {name: cut(queries[name]) for name in names}
    assert all(changed[name].text != queries[name].text for name in names)
    async with engine.open({**queries, **changed}) as database:
        yield database


async def test_without_the_number_of_the_attempt_it_would_have(
    unfenced: Database, clock: StoppedClock
) -> None:
    order = await two_workers(unfenced, clock)
    after = await seen(unfenced, order)
    assert (after.states, after.deliveries) == (["done"], ["delivered"])
    assert after.event_types == ["transaction.delivered"]
