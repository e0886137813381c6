"""Overload of what stores documents: refused early, stored in time, and deliveries go on."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field

import pytest

from longshore.http.document_queue import SLOTS, DocumentQueue, TooManyDocumentsError
from longshore.kit.errors import ErrorCode
from tests.support.virtual_time import run_in_virtual_time

STORING = 0.05
"""Seconds of the database that a document takes, so that it stores 20 in a second."""


@dataclass
class Scene:
    """A database that does one thing at a time, and everybody who asks something of it."""

    age: float = 0.0
    database: asyncio.Lock = field(default_factory=asyncio.Lock)
    refused: Counter[str] = field(default_factory=Counter)
    waits: dict[int, list[float]] = field(default_factory=dict)
    retry_after: set[int | None] = field(default_factory=set)
    delivered: int = 0

    def __post_init__(self) -> None:
        self.queue = DocumentQueue(
            2,
            1,
            self.outbox_age,
            lambda moment: self.refused.update([moment]),
            asyncio.get_running_loop().time,
        )

    async def outbox_age(self) -> float:
        return self.age

    async def use(self, seconds: float) -> None:
        async with self.database:
            await asyncio.sleep(seconds)

    async def submit(self, account_id: int, seconds: float = STORING) -> None:
        begun = asyncio.get_running_loop().time()
        try:
            async with self.queue.turn(account_id):
                await self.use(seconds)
        except TooManyDocumentsError as refusal:
            self.retry_after.add(refusal.retry_after_seconds)
            return
        waited = asyncio.get_running_loop().time() - begun
        self.waits.setdefault(account_id, []).append(waited)

    async def flood(self, account_id: int, per_second: int, seconds: float) -> None:
        async with asyncio.TaskGroup() as tasks:
            for _ in range(int(per_second * seconds)):
                tasks.create_task(self.submit(account_id))
                await asyncio.sleep(1 / per_second)

    async def deliver(self) -> None:
        while True:
            await self.use(0.03)
            self.delivered += 1

    async def delivered_in(self, seconds: float) -> int:
        before = self.delivered
        await asyncio.sleep(seconds)
        return self.delivered - before


def test_at_five_times_the_capacity_the_rest_is_refused_and_nobody_waits_for_two_seconds() -> None:
    async def overload() -> Scene:
        scene = Scene()
        await scene.flood(1, per_second=100, seconds=4)
        return scene

    scene = run_in_virtual_time(overload())
    stored = len(scene.waits[1])
    assert stored + scene.refused.total() == 400
    assert stored >= 4 * 20  # the database was never idle
    assert max(scene.waits[1]) <= 2.5  # while the rate was not yet known
    assert max(scene.waits[1][stored // 2 :]) <= 2.0
    assert scene.refused["at_once"] > 5 * scene.refused["after_waiting"]
    assert scene.retry_after == {2, 3}
    assert 18 <= scene.queue.throughput.per_second <= 22
    assert len(scene.queue) == 0


def test_another_account_is_served_next_however_much_one_sends() -> None:
    async def overload() -> Scene:
        scene = Scene()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(scene.flood(1, per_second=100, seconds=6))
            tasks.create_task(scene.flood(2, per_second=5, seconds=6))
        return scene

    scene = run_in_virtual_time(overload())
    assert len(scene.waits[2]) == 30
    assert max(scene.waits[2]) <= 1.0
    assert len(scene.waits[1]) >= 80


def test_while_deliveries_are_late_they_keep_more_than_half_of_their_rate() -> None:
    async def overload() -> tuple[int, int, int, Scene]:
        scene = Scene()
        delivering = [asyncio.create_task(scene.deliver()) for _ in range(2)]
        idle = await scene.delivered_in(2)
        flooding = asyncio.create_task(scene.flood(1, per_second=100, seconds=6))
        await asyncio.sleep(1)
        in_time = await scene.delivered_in(2)
        scene.age = 5.0
        await asyncio.sleep(1)
        late = await scene.delivered_in(2)
        await flooding
        for each in delivering:
            each.cancel()
        return idle, in_time, late, scene

    idle, in_time, late, scene = run_in_virtual_time(overload())
    assert idle == 66
    assert in_time < idle / 3
    assert late > idle / 2
    assert max(scene.waits[1]) <= 2.5
    assert scene.queue.is_late


def test_after_deliveries_were_late_a_burst_is_stored_again() -> None:
    async def late_and_then_quiet() -> Scene:
        scene = Scene(age=5.0)
        await scene.flood(1, per_second=40, seconds=4)
        assert scene.queue.throughput.per_second < 64 / 2
        scene.age = 0.0
        for _ in range(2):  # the first one has the outbox looked at
            await asyncio.sleep(1)
            await scene.submit(1, 0.01)
        scene.refused.clear()
        scene.waits.clear()
        await asyncio.gather(*(scene.submit(1, 0.01) for _ in range(64)))
        return scene

    scene = run_in_virtual_time(late_and_then_quiet())
    assert not scene.queue.is_late
    assert scene.refused == {}
    assert len(scene.waits[1]) == 64


def test_who_leaves_takes_no_slot_and_a_failure_frees_its_own() -> None:
    async def leave() -> list[bool]:
        scene = Scene()
        running = [asyncio.create_task(scene.submit(each, 1.0)) for each in range(1, SLOTS + 1)]
        await asyncio.sleep(0)
        waiting = [asyncio.create_task(scene.submit(99)) for _ in range(3)]
        await asyncio.sleep(0)
        assert len(scene.queue) == 3
        waiting[0].cancel()
        await asyncio.sleep(0)
        assert len(scene.queue) == 2
        running[0].cancel()  # its slot goes to the second, which leaves at the same moment
        await asyncio.sleep(0)
        waiting[1].cancel()
        await asyncio.gather(*running, *waiting, return_exceptions=True)
        with pytest.raises(RuntimeError):
            async with scene.queue.turn(7):
                raise RuntimeError
        again = [asyncio.create_task(scene.submit(each, 1.0)) for each in range(SLOTS)]
        await asyncio.sleep(0)
        assert len(scene.queue) == 0  # all slots were free again, so none of these waits
        for each in again:
            each.cancel()
        return [each.cancelled() for each in waiting]

    assert run_in_virtual_time(leave()) == [True, True, False]


def test_a_refusal_names_the_limit_and_when_to_come_back() -> None:
    async def refused() -> TooManyDocumentsError:
        scene = Scene()
        scene.queue.throughput.per_second = 2.0
        holding = [asyncio.create_task(scene.submit(each, 9.0)) for each in range(SLOTS)]
        await asyncio.sleep(0)
        with pytest.raises(TooManyDocumentsError) as caught:
            scene.queue.refuse_if_full(99)
        for each in holding:
            each.cancel()
        return caught.value

    refusal = run_in_virtual_time(refused())
    assert refusal.code is ErrorCode.OVERLOADED
    assert refusal.message == (
        "More documents wait than the server can store in 2 s; this one was not stored."
        " Try again in 9 s."
    )
    assert (refusal.details[0].limit, refusal.details[0].max) == ("document_wait_seconds", 2)
    assert refusal.retry_after_seconds == 9
