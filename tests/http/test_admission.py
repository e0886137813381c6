"""Bytes in flight: what fits goes in, what does not waits its turn, and not for ever."""

from asyncio import create_task, gather, sleep

import pytest

from longshore.domain.ports import AccountId
from longshore.http.admission import Admission
from longshore.kit.errors import ErrorCode, LongshoreError

A, B, C = AccountId(1), AccountId(2), AccountId(3)


async def settle() -> None:
    """Let every task that can go on do so."""
    for _ in range(5):
        await sleep(0)


@pytest.fixture
def admission() -> Admission:
    return Admission(100, queue_seconds=60)


async def test_one_account_gets_half_of_the_room_and_another_the_rest(
    admission: Admission,
) -> None:
    assert await admission.take(A, 50) == 50
    waiting = create_task(admission.take(A, 1))
    assert await admission.take(B, 50) == 50
    await settle()
    assert not waiting.done()
    admission.give_back(A, 50)
    assert await waiting == 1


async def test_a_body_larger_than_the_share_takes_the_share(admission: Admission) -> None:
    assert await admission.take(A, 1_000) == 50


async def test_the_first_in_the_queue_that_fits_goes_in(admission: Admission) -> None:
    await admission.take(A, 50)
    await admission.take(B, 50)
    done: list[str] = []

    async def take(name: str, account: AccountId, size: int) -> None:
        await admission.take(account, size)
        done.append(name)

    tasks = [create_task(take("first", C, 40)), create_task(take("second", C, 10))]
    await settle()
    admission.give_back(A, 30)
    await settle()
    assert done == ["second"]
    admission.give_back(A, 20)
    await gather(*tasks)
    assert done == ["second", "first"]


async def test_a_full_queue_refuses_at_once(admission: Admission) -> None:
    await admission.take(A, 50)
    waiting = [create_task(admission.take(A, 50)) for _ in range(2)]
    await settle()
    with pytest.raises(LongshoreError) as refused:
        await admission.take(A, 1)
    assert (refused.value.code, refused.value.retry_after_seconds) == (ErrorCode.OVERLOADED, 5)
    for task in waiting:
        task.cancel()
    await gather(*waiting, return_exceptions=True)


async def test_who_waits_too_long_is_refused_and_leaves_no_trace() -> None:
    admission = Admission(100, queue_seconds=0)
    await admission.take(A, 50)
    with pytest.raises(LongshoreError) as refused:
        await admission.take(A, 50)
    assert refused.value.code is ErrorCode.OVERLOADED
    admission.give_back(A, 50)
    assert [await admission.take(A, 50), await admission.take(B, 50)] == [50, 50]


async def test_who_gives_up_waiting_leaves_no_trace(admission: Admission) -> None:
    await admission.take(A, 50)
    gone = create_task(admission.take(A, 50))
    await settle()
    gone.cancel()
    await gather(gone, return_exceptions=True)
    admission.give_back(A, 50)
    assert await admission.take(A, 50) == 50


async def test_who_gives_up_at_the_moment_of_its_turn_gives_it_back(
    admission: Admission,
) -> None:
    await admission.take(A, 50)
    gone = create_task(admission.take(A, 50))
    await settle()
    admission.give_back(A, 50)
    gone.cancel()
    await gather(gone, return_exceptions=True)
    assert await admission.take(A, 50) == 50
