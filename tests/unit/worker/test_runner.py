"""The loop of a worker over real SQLite; destinations wait for the test, not for time."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.delivery.model import JobKind
from longshore.domain.delivery.ports import OutboundMessage, Sent
from longshore.domain.ports import Scope
from longshore.domain.units import ReadUnit
from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.worker.runner import PeriodicTask, Runner, WorkerConfig
from longshore.worker.waking import WakingUnits
from tests.support.clock import StoppedClock
from tests.support.database import CountedUnits, Database, SqliteEngine
from tests.support.dispatch import (
    OK,
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
from tests.support.trading import TEST

T = TypeVar("T")

QUICK = WorkerConfig(poll_seconds=0.01, grace_seconds=5.0)
IDLE = WorkerConfig(poll_seconds=3_600.0, grace_seconds=5.0)
KINDS = ("PO", "IN", "SH", "PR", "RA")


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    engine = SqliteEngine(tmp_path / "data")
    await engine.create()
    async with engine.open() as database:
        accounts = AccountService(database.units, StoppedClock(), database.revocations)
        await accounts.create("own", AccountType.ENTERPRISE)
        yield database


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock()


@asynccontextmanager
async def running(runner: Runner) -> AsyncIterator[None]:
    task = asyncio.create_task(runner.run())
    try:
        yield
    finally:
        runner.stop()
        await task


class Held(Destination):
    """Answers when the test says so; tells how many wait at once."""

    def __init__(self) -> None:
        super().__init__()
        self.may_answer = asyncio.Event()
        self.waiting = self.most_waiting = 0

    async def send(self, message: OutboundMessage) -> Sent:
        self.parcels.append(message)
        self.waiting += 1
        self.most_waiting = max(self.most_waiting, self.waiting)
        await self.may_answer.wait()
        self.waiting -= 1
        return OK


async def until(is_so: Callable[[], bool | Awaitable[bool]]) -> None:
    """Let the loop run until something is so; the time limit of the test is the only one."""
    while not (found if isinstance(found := is_so(), bool) else await found):  # noqa: ASYNC110 - rows send no events
        await asyncio.sleep(0)


async def until_states(database: Database, order: Queued, states: list[str]) -> None:
    async def are_so() -> bool:
        return (await seen(database, order)).states == states

    await until(are_so)


async def test_what_is_due_is_done(database: Database, clock: StoppedClock) -> None:
    partner_id = await a_trading_partner(database)
    orders = [await queued(database, Order(partner_id=partner_id)) for _ in range(5)]
    runner = Runner(a_worker(database, clock, Destination()), config=QUICK)
    async with running(runner):
        for order in orders:
            await until_states(database, order, ["done"])
    assert runner.counts == {("document", "done"): 5}


async def test_after_some_of_one_order_others_have_a_turn(
    database: Database, clock: StoppedClock
) -> None:
    busy, other = [
        await a_trading_partner(database, replace(terms(), name=name)) for name in ("a", "b")
    ]
    for number in range(6):
        await queued(database, Order(partner_id=busy, content=f"busy {number}".encode()))
    await queued(database, Order(partner_id=other, content=b"other"))
    clock.move(timedelta(seconds=1))
    http = Destination()
    runner = Runner(
        a_worker(database, clock, http), config=replace(QUICK, concurrency=1, max_following=2)
    )
    async with running(runner):
        await until(lambda: runner.counts["document", "done"] == 7)
    sent = [each.content.decode() for each in http.parcels]
    assert [each for each in sent if each != "other"] == [f"busy {each}" for each in range(6)]
    assert sent.index("other") == 3


async def test_a_commit_wakes_it(database: Database, clock: StoppedClock) -> None:
    partner_id = await a_trading_partner(database)
    runner = Runner(a_worker(database, clock, Destination()), config=IDLE)
    waking = replace_units(database, runner)
    async with running(runner):
        order = await queued(waking, Order(partner_id=partner_id))
        await until_states(database, order, ["done"])


def replace_units(database: Database, runner: Runner) -> Database:
    class Waking:
        units = WakingUnits(database.units, runner.wake)
        revocations = database.revocations

        async def check(self) -> None: ...

    return Waking()


async def test_a_unit_that_fails_wakes_nobody(database: Database) -> None:
    woken: list[int] = []
    waking = WakingUnits(database.units, lambda: woken.append(1))

    async def divide(unit: object) -> float:
        del unit
        return 1 / 0

    async def nothing(unit: object) -> None:
        del unit

    with pytest.raises(ZeroDivisionError):
        await waking.write(TEST, divide)
    await waking.read(TEST, nothing)
    waking.defer(TEST, nothing)
    assert woken == []
    await waking.write(TEST, nothing)
    assert woken == [1]


async def test_a_partner_who_does_not_answer_has_two_places(
    database: Database, clock: StoppedClock
) -> None:
    silent, other = [
        await a_trading_partner(database, replace(terms(), name=name)) for name in ("a", "b")
    ]
    held = Held()

    async def send(message: OutboundMessage) -> Sent:
        return OK if message.content == b"healthy" else await held.send(message)

    for each in KINDS:
        await queued(database, Order(partner_id=silent, functional_id=each))
    healthy = [
        await queued(database, Order(partner_id=other, functional_id=each, content=b"healthy"))
        for each in KINDS
    ]
    http = Destination(*[send] * 10)
    runner = Runner(a_worker(database, clock, http), config=replace(QUICK, concurrency=4))
    async with running(runner):
        for order in healthy:
            await until_states(database, order, ["done"])
        assert (held.waiting, held.most_waiting) == (2, 2)
        held.may_answer.set()
        await until(lambda: runner.counts["document", "done"] == 10)
    assert held.most_waiting == 2


async def test_what_runs_at_the_end_may_finish(database: Database, clock: StoppedClock) -> None:
    order = await queued(database, Order(partner_id=await a_trading_partner(database)))
    held = Held()
    runner = Runner(a_worker(database, clock, held), config=QUICK)
    async with running(runner):
        await until(lambda: held.waiting == 1)
        runner.stop()
        held.may_answer.set()
    assert (await seen(database, order)).states == ["done"]


async def test_what_does_not_finish_in_time_is_handed_back(
    database: Database, clock: StoppedClock
) -> None:
    partner_id = await a_trading_partner(database)
    orders = [
        await queued(database, Order(partner_id=partner_id, functional_id=each)) for each in KINDS
    ]
    held = Held()
    runner = Runner(a_worker(database, clock, held), config=replace(QUICK, grace_seconds=0.01))
    async with running(runner):
        await until(lambda: held.waiting == 2)
    after = [await seen(database, each) for each in orders]
    assert [each.states for each in after] == [["due"]] * 5
    assert sum(len(each.attempts) for each in after) == 2
    http = Destination()
    other = a_worker(database, clock, http, owner="2")
    assert await other.run_once() == 5
    assert len(http.parcels) == 5


async def test_a_fault_is_kept_and_ends_nothing(database: Database, clock: StoppedClock) -> None:
    partner_id = await a_trading_partner(database)
    order = await queued(database, Order(partner_id=partner_id))

    async def crash(message: OutboundMessage) -> Sent:
        raise RuntimeError(message.message_id)

    http = Destination(crash)
    runner = Runner(a_worker(database, clock, http), config=QUICK)
    async with running(runner):
        await until(lambda: runner.counts["document", "failed"] == 1)
        await until_states(database, order, ["due"])
        assert (await seen(database, order)).outcomes == ["failed"]
        clock.move(timedelta(seconds=6))
        await until_states(database, order, ["done"])
    assert runner.counts == {("document", "failed"): 1, ("document", "done"): 1}


async def test_it_goes_on_when_storage_comes_back(database: Database, clock: StoppedClock) -> None:
    order = await queued(database, Order(partner_id=await a_trading_partner(database)))
    worker = a_worker(database, clock, Destination(), units=Failing(database.units))
    async with running(Runner(worker, config=QUICK)):
        await until_states(database, order, ["done"])


class Failing(CountedUnits):
    """Units whose first reads fail."""

    failures = 3

    async def read(self, scope: Scope, work: Callable[[ReadUnit], Coroutine[object, None, T]]) -> T:
        if self.reads < self.failures:
            self.reads += 1
            raise LongshoreError(ErrorCode.STORAGE_UNAVAILABLE, "not now")
        return await super().read(scope, work)


async def test_leases_are_renewed_while_a_destination_thinks(
    database: Database, clock: StoppedClock
) -> None:
    order = await queued(database, Order(partner_id=await a_trading_partner(database)))
    held = Held()
    worker, other = (a_worker(database, clock, held, owner=each) for each in ("1", "2"))

    async def is_renewed() -> bool:
        entry = (await seen(database, order)).entries[0]
        return entry.new.due_at == clock.now() + timedelta(seconds=30)

    async with running(Runner(worker, config=replace(QUICK, renew_seconds=0.01))):
        await until(lambda: held.waiting == 1)
        for _ in range(4):
            clock.move(timedelta(seconds=20))
            await until(is_renewed)
        assert await other.claim() == []
        held.may_answer.set()
        await until_states(database, order, ["done"])
    assert len(held.parcels) == 1


async def test_periodic_tasks_run_again_even_after_one_failed(
    database: Database, clock: StoppedClock
) -> None:
    done: list[int] = []

    async def task() -> None:
        done.append(1)
        if len(done) == 1:
            raise RuntimeError

    worker = a_worker(database, clock, Destination())
    runner = Runner(worker, [PeriodicTask(name="overdue", seconds=0.001, run=task)], QUICK)
    async with running(runner):
        await until(lambda: len(done) >= 3)


async def test_a_flood_of_receipts_does_not_hold_up_deliveries(
    database: Database, clock: StoppedClock
) -> None:
    partner_id = await a_trading_partner(database)
    for _ in range(30):
        await queued(database, Order(partner_id=partner_id, kind=JobKind.RECEIVE))
    clock.move(timedelta(seconds=1))
    orders = [
        await queued(database, Order(partner_id=partner_id), at=clock.now()) for _ in range(4)
    ]
    jobs = Jobs()
    worker = a_worker(database, clock, Destination(), handler=jobs)
    runner = Runner(worker, config=replace(QUICK, concurrency=2))
    async with running(runner):
        await until_states(database, orders[-1], ["done"])
        # One of two places is theirs; behind the others they would have waited for all thirty.
        assert 0 < len(jobs.run_ids) < 15
