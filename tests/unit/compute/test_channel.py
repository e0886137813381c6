"""What goes into one end of a channel comes out of the other."""

from collections.abc import Iterator
from contextlib import closing
from socket import socketpair
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.compute.channel import LARGE_ITEMS, WorkerChannel


@pytest.fixture
def ends() -> Iterator[tuple[WorkerChannel, WorkerChannel]]:
    one, other = map(WorkerChannel, socketpair())
    with closing(one), closing(other):
        yield one, other


def sent(message: object) -> object:
    """Return what arrives of a message, which may be larger than a socket's buffer."""
    one, other = map(WorkerChannel, socketpair())
    with closing(one), closing(other):
        sender = Thread(target=one.send, args=(message,))
        sender.start()
        received = other.receive()
        sender.join()
    return received


large = st.integers(LARGE_ITEMS - 1, LARGE_ITEMS + 1)
values = st.recursive(
    st.none()
    | st.integers()
    | st.text()
    | st.builds(lambda size: "x" * size, large)
    | st.builds(lambda size: "\u20ac\ud800" * size, large)
    | st.builds(lambda size: b"\xff" * size, large),
    lambda inner: st.lists(inner) | st.tuples(inner, inner),
    max_leaves=8,
)


@given(values)
def test_any_message_arrives_as_it_was(message: object) -> None:
    assert sent(message) == message


def test_a_message_larger_than_any_buffer_arrives_whole() -> None:
    message = (b"ab" * (4 << 20), ["\u00e9" * (3 << 20)], b"")
    assert sent(message) == message


def test_messages_keep_their_order(ends: tuple[WorkerChannel, WorkerChannel]) -> None:
    one, other = ends
    for number in range(3):
        one.send((number, b"x" * LARGE_ITEMS))
    assert [other.receive() for _ in range(3)] == [(n, b"x" * LARGE_ITEMS) for n in range(3)]


def test_nothing_is_sent_of_what_cannot_be_pickled(
    ends: tuple[WorkerChannel, WorkerChannel],
) -> None:
    one, other = ends
    with pytest.raises(Exception, match="lambda"):
        one.send((b"x" * LARGE_ITEMS, lambda: None))
    one.send("next")
    assert other.receive() == "next"


def test_a_closed_end_is_noticed(ends: tuple[WorkerChannel, WorkerChannel]) -> None:
    one, other = ends
    one.close()
    with pytest.raises(EOFError):
        other.receive()
    with pytest.raises(OSError, match="pipe"):
        other.send(1)


@pytest.mark.parametrize("count", [1, 15, 16, 20, 40, 8_000])
def test_an_end_closed_within_a_message_is_noticed(count: int) -> None:
    one, wire = socketpair()
    with closing(WorkerChannel(one)) as channel, wire:
        channel.send(["short", b"x" * LARGE_ITEMS])
        written = wire.recv(1 << 20)
    assert len(written) > LARGE_ITEMS
    wire, other = socketpair()
    with closing(WorkerChannel(other)) as channel:
        wire.sendall(written[:count])
        wire.close()
        with pytest.raises(EOFError):
            channel.receive()
