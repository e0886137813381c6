"""Long work runs in other processes, within limits, and survives their death."""

import gc
import os
import pickle
import weakref
from asyncio import create_task, gather, sleep
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from longshore.compute import fair_executor
from longshore.compute.inline import INLINE_LIMIT
from longshore.compute.pool import ProcessPool
from longshore.compute.worker import WorkLimits
from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.x12.dictionary.own_definitions import DefinitionKey, OwnDefinition, OwnDefinitions
from tests.unit.compute import tasks

LONG = "x" * (INLINE_LIMIT + 1)
MIB = 1 << 20
MARK = "a text of some length"


@pytest.fixture(scope="module", autouse=True)
def unmeasured_workers() -> Iterator[None]:
    """Keep coverage out of the workers: a timer may interrupt it while it holds its lock."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if "COVERAGE" in name]:
            patch.delenv(name)
        yield


@pytest.fixture(scope="module")
def pool() -> Iterator[ProcessPool]:
    limits = WorkLimits(cpu_seconds=0.2, memory_bytes=512 * MIB)
    with closing(ProcessPool(2, limits=limits)) as pool:
        yield pool


@pytest.mark.parametrize("letter", ["x", b"x"], ids=["text", "bytes"])
async def test_a_small_document_stays_in_this_process(
    pool: ProcessPool, letter: str | bytes
) -> None:
    found = await pool.run(tasks.where, letter * INLINE_LIMIT, mark="m")
    assert found == (os.getpid(), True, INLINE_LIMIT, "m")


@pytest.mark.parametrize("letter", ["x", b"x"], ids=["text", "bytes"])
async def test_a_larger_one_goes_to_another_process(pool: ProcessPool, letter: str | bytes) -> None:
    pid, is_main, size, mark = await pool.run(tasks.where, letter * (INLINE_LIMIT + 1), mark="m")
    assert pid != os.getpid()
    assert (is_main, size, mark) == (True, INLINE_LIMIT + 1, "m")


async def test_short_work_that_is_handed_over_goes_to_another_process(pool: ProcessPool) -> None:
    pid, is_main, size, mark = await pool.submit_to_executor(tasks.where, "x", mark="m")
    assert pid != os.getpid()
    assert (is_main, size, mark) == (True, 1, "m")


async def test_one_after_the_other_uses_one_process_and_two_at_once_two() -> None:
    with closing(ProcessPool(2)) as pool:
        first = await pool.run(tasks.where, LONG)
        assert await pool.run(tasks.where, LONG) == first
        both = await gather(*(pool.run(tasks.where, LONG) for _ in range(20)))
    assert len({pid for pid, *_ in both}) <= 2


async def test_a_process_gets_the_texts_of_imported_definitions_once(pool: ProcessPool) -> None:
    definition = OwnDefinition.of(DefinitionKey("850", "004010"), {"850.xd": MARK})
    own = OwnDefinitions([definition])
    answers = [await pool.submit_to_executor(tasks.definitions, own) for _ in range(2)]
    assert answers[0] == answers[1] == (own.name, True)
    assert MARK.encode() not in pickle.dumps(own)


async def test_a_refusal_arrives_whole(pool: ProcessPool) -> None:
    with pytest.raises(LongshoreError) as refused:
        await pool.run(tasks.refuse, LONG)
    error = refused.value
    assert (error.code, error.message, error.retry_after_seconds) == (
        ErrorCode.DOCUMENT_EMPTY,
        f"{len(LONG)} characters",
        3,
    )
    assert error.details[0].param == "document"


async def test_a_fault_of_the_work_is_raised_and_the_next_work_is_done(pool: ProcessPool) -> None:
    with pytest.raises(ValueError, match="no"):
        await pool.run(tasks.fail, LONG)
    with pytest.raises(TypeError, match="no answer"):
        await pool.run(tasks.return_what_cannot_be_sent, LONG)
    assert (await pool.run(tasks.where, LONG))[2] == len(LONG)


async def test_work_that_takes_too_long_is_refused_and_its_process_goes_on(
    pool: ProcessPool,
) -> None:
    before = await pool.run(tasks.where, LONG)
    with pytest.raises(LongshoreError) as refused:
        await pool.run(tasks.loop_forever, LONG)
    assert refused.value.code is ErrorCode.LIMIT_EXCEEDED
    assert refused.value.details[0].limit == "cpu_seconds"
    assert await pool.run(tasks.where, LONG) == before


async def test_work_that_takes_too_much_memory_is_refused(pool: ProcessPool) -> None:
    assert await pool.run(tasks.take_memory, LONG, size=64 * MIB) == 64 * MIB
    with pytest.raises(LongshoreError) as refused:
        await pool.run(tasks.take_memory, LONG, size=512 * MIB)
    assert refused.value.code is ErrorCode.LIMIT_EXCEEDED
    assert (refused.value.details[0].limit, refused.value.details[0].max) == (
        "memory_bytes",
        512 * MIB,
    )


def at(path: Path) -> str:
    """Return a long text that begins with a path."""
    return str(path) + LONG


async def test_a_document_that_kills_its_process_twice_is_refused_and_harms_nobody_else(
    pool: ProcessPool, tmp_path: Path
) -> None:
    deaths = tmp_path / "deaths"
    others = (pool.run(tasks.where, LONG) for _ in range(10))
    killer, *answered = await gather(
        pool.run(tasks.die, at(deaths)), *others, return_exceptions=True
    )
    assert isinstance(killer, LongshoreError)
    assert (killer.code, killer.details[0].limit) == (ErrorCode.LIMIT_EXCEEDED, "worker")
    assert deaths.read_text() == "died\n" * 2
    sizes = [one[2] for one in answered if isinstance(one, tuple)]
    assert sizes == [len(LONG)] * 10


async def test_a_document_whose_process_died_once_is_tried_again(
    pool: ProcessPool, tmp_path: Path
) -> None:
    deaths = tmp_path / "deaths"
    assert await pool.run(tasks.die_once, at(deaths)) != os.getpid()
    assert deaths.read_text() == "died\n"


async def test_a_process_is_replaced_after_its_share_of_work() -> None:
    with closing(ProcessPool(1, recycle_after=2)) as pool:
        pids = [(await pool.run(tasks.where, LONG))[0] for _ in range(4)]
    assert pids[0] == pids[1] != pids[2] == pids[3]


async def test_the_collector_rests_during_work_and_knows_nothing_of_the_start() -> None:
    with closing(ProcessPool(1)) as pool:
        assert await pool.run(tasks.collector_is_on, LONG) is False
        assert await pool.run(tasks.frozen_count, LONG) > 0


async def test_after_close_there_is_no_process_and_long_work_is_refused() -> None:
    pool = ProcessPool(1)
    pid, *_ = await pool.run(tasks.where, LONG)
    pool.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    with pytest.raises(RuntimeError, match="after shutdown"):
        await pool.run(tasks.where, LONG)


async def test_a_worker_that_keeps_much_memory_is_replaced() -> None:
    with closing(ProcessPool(1)) as pool:
        first, *_ = await pool.run(tasks.where, LONG)
        assert await pool.run(tasks.keep, LONG, size=160 * MIB) == first
        after, *_ = await pool.run(tasks.where, LONG)
    assert after != first


async def test_a_document_that_was_refused_leaves_memory_at_once() -> None:
    """Without waiting for a collection of garbage: a few refused documents are 100 MiB."""
    order = tasks.Order()
    left = weakref.ref(order)
    with closing(ProcessPool(1)) as pool:
        gc.disable()
        try:
            with suppress(ValueError):
                await pool.run(tasks.refuse_order, LONG, order=order)
            del order
            # The thread of the pool drops its last names a moment after it has answered.
            await pool.run(tasks.where, LONG)
            assert left() is None
        finally:
            gc.enable()


async def test_the_process_of_work_that_nobody_waits_for_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fair_executor, "GRACE_SECONDS", 0)
    begun = tmp_path / "begun"
    with closing(ProcessPool(1)) as pool:
        before, *_ = await pool.run(tasks.where, LONG)
        abandoned = create_task(pool.run(tasks.wait_long, at(begun)))
        while not begun.exists() or not begun.read_text():  # noqa: ASYNC110 - another process writes it
            await sleep(0.005)
        abandoned.cancel()
        await gather(abandoned, return_exceptions=True)
        after, *_ = await pool.run(tasks.where, LONG)
        with pytest.raises(ProcessLookupError):
            os.kill(before, 0)
    assert after != before
    assert begun.read_text() == "begun\n"  # it was not tried again
