"""How many bytes of request bodies are in the house at once, whoever sent them.

A body is admitted by its announced size before a byte of it is read. What does not fit waits;
whenever room is given back, the first in the queue that fits goes in. The queue is bounded in bytes
and in time. One account gets at most half of the room, so that no single one can fill it; those who
are about to log in count as one more account, None.
"""

from asyncio import Future, get_running_loop, timeout
from typing import Final

from longshore.domain.ports import AccountId
from longshore.kit.errors import ErrorCode, LongshoreError

RETRY_AFTER_SECONDS: Final = 5


class Admission:
    """Counts the bytes in flight and makes the rest wait. One per process, on its event loop."""

    def __init__(self, max_bytes: int, queue_seconds: float) -> None:
        self._max_bytes = max_bytes
        self._max_bytes_of_account = max_bytes // 2
        self._queue_seconds = queue_seconds
        self._bytes = 0
        self._bytes_by_account: dict[AccountId | None, int] = {}
        self._waiting: dict[Future[None], tuple[AccountId | None, int]] = {}
        self._waiting_bytes = 0

    async def take(self, account_id: AccountId | None, size: int) -> int:
        """Take room for ``size`` bytes; return how much is to be given back.

        A body larger than the room of one account takes all of that.

        Raises:
            LongshoreError: ``overloaded``: the queue is full, or no room came in time.
        """
        size = min(size, self._max_bytes_of_account)
        if self._fits(account_id, size):
            self._take(account_id, size)
        else:
            await self._wait(account_id, size)
        return size

    def give_back(self, account_id: AccountId | None, size: int) -> None:
        """Give back what ``take`` returned."""
        self._bytes -= size
        rest = self._bytes_by_account.pop(account_id) - size
        if rest:
            self._bytes_by_account[account_id] = rest
        if self._waiting:
            self._admit()

    async def _wait(self, account_id: AccountId | None, size: int) -> None:
        if self._waiting_bytes + size > self._max_bytes:
            raise _overloaded()
        turn: Future[None] = get_running_loop().create_future()
        self._waiting[turn] = account_id, size
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
                self.give_back(account_id, size)

    def _fits(self, account_id: AccountId | None, size: int) -> bool:
        of_account = self._bytes_by_account.get(account_id, 0) + size
        return self._bytes + size <= self._max_bytes and of_account <= self._max_bytes_of_account

    def _take(self, account_id: AccountId | None, size: int) -> None:
        self._bytes += size
        self._bytes_by_account[account_id] = self._bytes_by_account.get(account_id, 0) + size

    def _admit(self) -> None:
        for turn, (account_id, size) in list(self._waiting.items()):
            if not turn.done() and self._fits(account_id, size):
                del self._waiting[turn]
                self._waiting_bytes -= size
                self._take(account_id, size)
                turn.set_result(None)


def _overloaded() -> LongshoreError:
    return LongshoreError(
        ErrorCode.OVERLOADED,
        "The server has as many documents as it can take. Try again in a moment.",
        retry_after_seconds=RETRY_AFTER_SECONDS,
    )
