"""Accounts are served in turn, and small documents have a lane of their own."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from longshore.compute.fair_queue import FairQueue


@dataclass(eq=False)
class Piece:
    account_id: int
    is_small: bool
    name: str = ""

    def __repr__(self) -> str:
        return f"{self.account_id}{'small' if self.is_small else 'large'}{self.name}"


def large(account_id: int, name: str = "") -> Piece:
    return Piece(account_id, is_small=False, name=name)


def small(account_id: int, name: str = "") -> Piece:
    return Piece(account_id, is_small=True, name=name)


def taken(queue: FairQueue[Piece]) -> Iterator[Piece]:
    while (piece := queue.take()) is not None:
        yield piece


def one_after_the_other(queue: FairQueue[Piece]) -> Iterator[str]:
    """Take and end each piece before the next one."""
    while (piece := queue.take()) is not None:
        queue.end(piece)
        yield repr(piece)


@pytest.fixture
def queue() -> FairQueue[Piece]:
    return FairQueue(2)


def filled(queue: FairQueue[Piece], *pieces: Piece) -> FairQueue[Piece]:
    for piece in pieces:
        queue.put(piece)
    return queue


def test_accounts_take_turns_whatever_each_has_queued(queue: FairQueue[Piece]) -> None:
    filled(queue, *(large(1, str(at)) for at in range(3)), large(2), large(3), large(2, "b"))
    assert list(one_after_the_other(queue)) == [
        *("1large0", "2large", "3large"),
        *("1large1", "2largeb", "1large2"),
    ]


def test_large_work_leaves_a_slot_for_small(queue: FairQueue[Piece]) -> None:
    filled(queue, large(1), large(2))
    assert [repr(piece) for piece in taken(queue)] == ["1large"]
    filled(queue, small(3))
    assert [repr(piece) for piece in taken(queue)] == ["3small"]


def test_small_work_leaves_a_slot_for_large_that_waits() -> None:
    queue = filled(FairQueue(3), small(1), small(2), small(3))
    first, _, _ = list(taken(queue))
    filled(queue, small(4), large(5))
    queue.end(first)
    assert [repr(piece) for piece in taken(queue)] == ["5large"]


def test_no_account_takes_all_slots() -> None:
    queue = filled(FairQueue(3), *(small(1, str(at)) for at in range(4)))
    assert [repr(piece) for piece in taken(queue)] == ["1small0", "1small1"]
    filled(queue, small(2))
    assert [repr(piece) for piece in taken(queue)] == ["2small"]


def test_the_only_slot_serves_everything() -> None:
    queue = filled(FairQueue(1), small(1), large(1))
    assert list(one_after_the_other(queue)) == ["1large", "1small"]


def test_work_that_is_discarded_is_never_taken(queue: FairQueue[Piece]) -> None:
    gone, other = large(1), large(2)
    filled(queue, gone, other)
    assert queue.discard(gone)
    assert not queue.discard(gone)
    assert list(taken(queue)) == [other]
    assert not queue.discard(other)


def test_of_several_pieces_one_is_discarded(queue: FairQueue[Piece]) -> None:
    gone, other = small(1, "a"), small(1, "b")
    filled(queue, gone, other)
    assert queue.discard(gone)
    assert queue.clear() == [other]
    assert queue.clear() == []
