"""What nobody waits for is dropped or stopped, and whoever waits is served."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from threading import Event, Semaphore

import pytest

from longshore.compute import fair_executor
from longshore.compute.fair_executor import FairExecutor, WorkItem
from longshore.kit.requester import ClientGoneError, Requester, working_for

PATIENCE_SECONDS = 10
LARGE = 1 << 20


class Held:
    """Work that ends when it is released, or when it is stopped."""

    def __init__(self) -> None:
        self.begun = Semaphore(0)
        self.released = Event()
        self.stopped_count = 0

    def __call__(self, item: WorkItem[str]) -> str:
        item.set_stop(self.stop)
        self.begun.release()
        assert self.released.wait(PATIENCE_SECONDS)
        item.set_stop(None)
        return "done"

    def stop(self) -> None:
        self.stopped_count += 1
        self.released.set()


@pytest.fixture
def executor() -> Iterator[FairExecutor]:
    executor = FairExecutor(2, "test")
    yield executor
    executor.close()


async def wait_for(semaphore: Semaphore) -> None:
    assert await asyncio.to_thread(semaphore.acquire, timeout=PATIENCE_SECONDS)


async def submit(
    executor: FairExecutor, work: object, account_id: int, gone: asyncio.Event | None = None
) -> object:
    async def until_gone() -> None:
        assert gone is not None
        await gone.wait()

    requester = Requester(account_id=account_id, until_gone=until_gone if gone else None)
    with working_for(requester):
        return await executor.submit(work, LARGE)  # type: ignore[arg-type]


async def test_work_that_ends_before_it_is_waited_for_is_answered(
    executor: FairExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = Event()
    put, run = executor._put, WorkItem.run  # noqa: SLF001 - between these steps the error was

    def run_to_the_end(item: WorkItem[str]) -> None:
        run(item)
        ended.set()

    def put_and_lose_the_processor(item: WorkItem[str]) -> None:
        put(item)
        assert ended.wait(PATIENCE_SECONDS)

    monkeypatch.setattr(WorkItem, "run", run_to_the_end)
    monkeypatch.setattr(executor, "_put", put_and_lose_the_processor)
    assert await executor.submit(lambda _: "done", 1) == "done"


async def test_an_account_with_much_to_do_delays_another_by_one_piece(
    executor: FairExecutor,
) -> None:
    order: list[int] = []
    held = Held()
    first = asyncio.create_task(submit(executor, held, 1))
    await wait_for(held.begun)
    others = [
        asyncio.create_task(
            submit(executor, lambda _, account=account: order.append(account), account)
        )
        for account in (1, 1, 1, 2)
    ]
    await asyncio.sleep(0)
    held.released.set()
    await asyncio.gather(first, *others)
    assert order == [1, 2, 1, 1]


async def test_queued_work_of_a_client_that_left_is_dropped(executor: FairExecutor) -> None:
    held, gone = Held(), asyncio.Event()
    never: list[object] = []
    first = asyncio.create_task(submit(executor, held, 1))
    await wait_for(held.begun)
    queued = asyncio.create_task(submit(executor, never.append, 1, gone))
    await asyncio.sleep(0)
    gone.set()
    with pytest.raises(ClientGoneError):
        await queued
    held.released.set()
    assert await first == "done"
    assert await submit(executor, lambda _: "next", 1) == "next"
    assert never == []


@pytest.mark.parametrize("how", ["client gone", "cancelled"])
async def test_running_work_that_nobody_waits_for_is_stopped_after_its_grace(
    executor: FairExecutor, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr(fair_executor, "GRACE_SECONDS", 0)
    held, gone = Held(), asyncio.Event()
    running = asyncio.create_task(submit(executor, held, 1, gone))
    await wait_for(held.begun)
    if how == "cancelled":
        running.cancel()
    else:
        gone.set()
    with suppress(ClientGoneError, asyncio.CancelledError):
        await running
    assert await asyncio.to_thread(held.released.wait, PATIENCE_SECONDS)
    await asyncio.sleep(0)
    assert held.stopped_count == 1


def test_work_that_has_ended_is_not_stopped() -> None:
    held = Held()
    held.released.set()
    item = WorkItem(held, 1, is_small=True)
    future = item.future
    item.run()
    item.stop()
    assert (future.result(), held.stopped_count) == ("done", 0)


async def test_an_answer_that_comes_in_time_is_given(executor: FairExecutor) -> None:
    assert await submit(executor, lambda _: "done", 1, asyncio.Event()) == "done"


async def test_a_close_drops_what_waits() -> None:
    executor, held = FairExecutor(1, "test"), Held()
    running = asyncio.create_task(submit(executor, held, 1))
    await wait_for(held.begun)
    waiting = asyncio.create_task(submit(executor, held, 1))
    await asyncio.sleep(0)
    closing = asyncio.create_task(asyncio.to_thread(executor.close))
    with pytest.raises(asyncio.CancelledError):
        await waiting
    held.released.set()
    await closing
    assert await running == "done"
    with pytest.raises(RuntimeError, match="after shutdown"):
        await submit(executor, held, 1)
