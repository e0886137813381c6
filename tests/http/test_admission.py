"""Bytes in flight: what fits goes in, what does not waits its turn, and not for ever."""

from asyncio import create_task, gather, sleep

import pytest

from longshore.domain.ports import AccountId
from longshore.http.admission import SMALL_BODY_BYTES, Admission, Room
from longshore.kit.errors import ErrorCode, LongshoreError

A, B, C = AccountId(1), AccountId(2), AccountId(3)


async def settle() -> None:
    """Let every task that can go on do so."""
    for _ in range(5):
        await sleep(0)


@pytest.fixture
def room() -> Room:
    return Room(100, 50, queue_seconds=60)


async def test_one_account_gets_half_of_the_room_and_another_the_rest(
    room: Room,
) -> None:
    await room.take(A, 50)
    waiting = create_task(room.take(A, 1))
    await room.take(B, 50)
    await settle()
    assert not waiting.done()
    room.give_back(A, 50)
    await waiting


async def test_the_first_in_the_queue_that_fits_goes_in(room: Room) -> None:
    await room.take(A, 50)
    await room.take(B, 50)
    done: list[str] = []

    async def take(name: str, account: AccountId, size: int) -> None:
        await room.take(account, size)
        done.append(name)

    tasks = [create_task(take("first", C, 40)), create_task(take("second", C, 10))]
    await settle()
    room.give_back(A, 30)
    await settle()
    assert done == ["second"]
    room.give_back(A, 20)
    await gather(*tasks)
    assert done == ["second", "first"]


async def test_a_full_queue_refuses_at_once(room: Room) -> None:
    await room.take(A, 50)
    waiting = [create_task(room.take(A, 50)) for _ in range(2)]
    await settle()
    with pytest.raises(LongshoreError) as refused:
        await room.take(A, 1)
    assert (refused.value.code, refused.value.retry_after_seconds) == (ErrorCode.OVERLOADED, 5)
    for task in waiting:
        task.cancel()
    await gather(*waiting, return_exceptions=True)


async def test_who_waits_too_long_is_refused_and_leaves_no_trace() -> None:
    room = Room(100, 50, queue_seconds=0)
    await room.take(A, 50)
    with pytest.raises(LongshoreError) as refused:
        await room.take(A, 50)
    assert refused.value.code is ErrorCode.OVERLOADED
    room.give_back(A, 50)
    await room.take(A, 50)
    await room.take(B, 50)


async def test_who_gives_up_waiting_leaves_no_trace(room: Room) -> None:
    await room.take(A, 50)
    gone = create_task(room.take(A, 50))
    await settle()
    gone.cancel()
    await gather(gone, return_exceptions=True)
    room.give_back(A, 50)
    await room.take(A, 50)


async def test_who_gives_up_at_the_moment_of_its_turn_gives_it_back(
    room: Room,
) -> None:
    await room.take(A, 50)
    gone = create_task(room.take(A, 50))
    await settle()
    room.give_back(A, 50)
    gone.cancel()
    await gather(gone, return_exceptions=True)
    await room.take(A, 50)


MIB = 1 << 20


async def test_a_body_takes_room_as_it_arrives_whatever_it_announces() -> None:
    admission = Admission(8 * MIB, queue_seconds=60)
    with (
        admission.reservation(A, 8 * MIB) as idle,
        admission.reservation(B, 2 * MIB) as other,
    ):
        await idle.grow(SMALL_BODY_BYTES)
        await other.grow(2 * MIB)


async def test_small_bodies_are_read_whatever_large_ones_do() -> None:
    admission = Admission(8 * MIB, queue_seconds=0)
    with (
        admission.reservation(A, 5 * MIB) as first,
        admission.reservation(B, 5 * MIB) as second,
        admission.reservation(A, SMALL_BODY_BYTES) as small,
        admission.reservation(C, 5 * MIB) as third,
    ):
        await first.grow(5 * MIB)  # the share of one sender, and no more
        await second.grow(5 * MIB)
        await small.grow(SMALL_BODY_BYTES)
        with pytest.raises(LongshoreError) as refused:
            await third.grow(SMALL_BODY_BYTES + 1)
        assert (refused.value.code, refused.value.retry_after_seconds) == (ErrorCode.OVERLOADED, 5)
    with admission.reservation(C, 5 * MIB) as third:
        await third.grow(5 * MIB)


async def test_large_bodies_of_one_sender_do_not_wait_for_each_other_half_read() -> None:
    admission = Admission(8 * MIB, queue_seconds=60)
    with (
        admission.reservation(A, 3 * MIB) as first,
        admission.reservation(A, 3 * MIB) as second,
    ):
        await first.grow(MIB)
        waiting = create_task(second.grow(MIB))
        await settle()
        assert not waiting.done()
        await first.grow(3 * MIB)
        first.release()
        await waiting
