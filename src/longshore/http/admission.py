"""A limit on the bytes of request bodies that are in the server at once, whoever sent them.

Bytes are counted as they arrive, so that a client who announces much and sends nothing takes no
room. A body whose next bytes do not fit waits; whenever room is freed, the first in the queue that
fits goes on. The queue is bounded in bytes and in time. One sender gets at most half of a room, so
that no single one can fill it.

The first 64 KiB of each body are counted in a room of their own. Small bodies, such as logins, need
no other, and so they are read whatever large ones do. Large bodies of one sender are read one after
the other where they do not fit together: else each of them would hold what the others wait for.
"""

import sys
from asyncio import Future, get_running_loop, timeout
from typing import Final, Self

from longshore.domain.ports import AccountId
from longshore.kit.errors import ErrorCode, LongshoreError

RETRY_AFTER_SECONDS: Final = 5
SMALL_BODY_BYTES: Final = 65_536
SMALL_ROOM_PART: Final = 4
"""The room for small bodies is this part of the other one."""

Sender = AccountId | str
"""An account, or the address of a client that has not said who it is."""


class Room:
    """Counts bytes and makes those wait that do not fit. One event loop uses it."""

    def __init__(
        self, max_bytes: int | None, max_bytes_of_sender: int, queue_seconds: float
    ) -> None:
        self._max_bytes = sys.maxsize if max_bytes is None else max_bytes
        self.max_bytes_of_sender = max_bytes_of_sender
        self._queue_seconds = queue_seconds
        self._bytes = 0
        self._bytes_by_sender: dict[Sender, int] = {}
        self._waiting: dict[Future[None], tuple[Sender, int]] = {}
        self._waiting_bytes = 0

    async def take(self, sender: Sender, size: int) -> None:
        """Take room for ``size`` bytes, which ``give_back`` frees.

        Raises:
            LongshoreError: ``overloaded``: the queue is full, or no room came in time.
        """
        if self._fits(sender, size):
            self._take(sender, size)
        else:
            await self._wait(sender, size)

    def give_back(self, sender: Sender, size: int) -> None:
        """Free room that was taken."""
        self._bytes -= size
        rest = self._bytes_by_sender.pop(sender) - size
        if rest:
            self._bytes_by_sender[sender] = rest
        if self._waiting:
            self._admit()

    async def _wait(self, sender: Sender, size: int) -> None:
        if self._waiting_bytes + size > self._max_bytes:
            raise _overloaded()
        turn: Future[None] = get_running_loop().create_future()
        self._waiting[turn] = sender, size
        self._waiting_bytes += size
        is_in = False
        try:
            async with timeout(self._queue_seconds):
                await turn
            is_in = True
        except TimeoutError:
            raise _overloaded() from None
        finally:
            if self._waiting.pop(turn, None) is not None:
                self._waiting_bytes -= size
            elif not is_in:  # room and end came at the same moment
                self.give_back(sender, size)

    def _fits(self, sender: Sender, size: int) -> bool:
        of_sender = self._bytes_by_sender.get(sender, 0) + size
        return self._bytes + size <= self._max_bytes and of_sender <= self.max_bytes_of_sender

    def _take(self, sender: Sender, size: int) -> None:
        self._bytes += size
        self._bytes_by_sender[sender] = self._bytes_by_sender.get(sender, 0) + size

    def _admit(self) -> None:
        for turn, (sender, size) in list(self._waiting.items()):
            if not turn.done() and self._fits(sender, size):
                del self._waiting[turn]
                self._waiting_bytes -= size
                self._take(sender, size)
                turn.set_result(None)


class Admission:
    """The rooms of a process."""

    def __init__(self, max_bytes: int, queue_seconds: float) -> None:
        half = max_bytes // 2
        self.large = Room(max_bytes, half, queue_seconds)
        self.small = Room(max_bytes // SMALL_ROOM_PART, half // SMALL_ROOM_PART, queue_seconds)
        self.announced = Room(None, half, queue_seconds)
        """Large bodies of each sender by the size that they announce; senders do not share it."""

    def reservation(self, sender: Sender, announced_bytes: int) -> "Reservation":
        """Reserve room for a body, of which nothing has arrived, until the block ends."""
        return Reservation(self, sender, announced_bytes)


class Reservation:
    """The room that one body takes."""

    def __init__(self, admission: Admission, sender: Sender, announced_bytes: int) -> None:
        self._admission = admission
        self._sender = sender
        self._announced_bytes = announced_bytes - SMALL_BODY_BYTES
        self._taken: dict[Room, int] = {}

    def __enter__(self) -> Self:
        """Return it."""
        return self

    def __exit__(self, *_raised: object) -> None:
        """Give all of it back."""
        self.release()

    async def grow(self, size: int) -> None:
        """Make it as large as a body of which ``size`` bytes have arrived; wait if need be.

        A body larger than the share of one sender takes all of that.

        Raises:
            LongshoreError: ``overloaded``: there is no room.
        """
        admission = self._admission
        await self._grow_in(admission.small, min(size, SMALL_BODY_BYTES))
        if size > SMALL_BODY_BYTES:
            await self._grow_in(admission.announced, self._announced_bytes)
            await self._grow_in(admission.large, size - SMALL_BODY_BYTES)

    async def _grow_in(self, room: Room, size: int) -> None:
        taken = self._taken.get(room, 0)
        more = min(size, room.max_bytes_of_sender) - taken
        if more > 0:
            await room.take(self._sender, more)
            self._taken[room] = taken + more

    def release(self) -> None:
        """Give all of it back."""
        for room, taken in self._taken.items():
            room.give_back(self._sender, taken)
        self._taken.clear()


def _overloaded() -> LongshoreError:
    return LongshoreError(
        ErrorCode.OVERLOADED,
        "The server has as many documents as it can take. Try again in a moment.",
        retry_after_seconds=RETRY_AFTER_SECONDS,
    )
