"""The queue of submitted and received documents: they are stored, wait or are refused.

A document is refused before any work is done on it if those that wait before it take longer to be
stored than anybody should wait, at the rate at which documents were stored lately. So overload
costs a short answer, and what is accepted is stored in time. Accounts are served in turn, and what
counts for a document is what comes before it in that order: who sends too much is refused, others
are not.

Few are stored at the same time, so that other requests are answered in between. While documents in
the outbox have been due for too long there are fewer still, and after each there is a pause of
twice its time: deliveries and processing get the larger share of the database and of the processor.
"""

import asyncio
from asyncio import Future, get_running_loop, timeout
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from heapq import heappop, heappush
from math import ceil
from time import monotonic as system_monotonic
from typing import Final

from longshore.kit.account_queues import AccountQueues
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError

SLOTS: Final = 16
SLOTS_WHILE_LATE: Final = 2
ACCOUNT_SHARE: Final = 3 / 4
"""The part of the slots that one account may have."""
PAUSE_PARTS: Final = 2
"""While deliveries are late, a slot stays empty for so many times as long as it was used."""
MAX_PAUSE_SECONDS: Final = 0.25
WAIT_PART: Final = 3 / 5
"""The part of the time that may be spent waiting; the rest is for storing."""
LOOK_SECONDS: Final = 0.25
"""The time between two looks at the age of the outbox, while documents come."""
MAX_RETRY_SECONDS: Final = 30

FIRST_RATE: Final = 200.0
"""Documents in a second until it is measured: rather too many, because the wait has an end too."""
RATE_SECONDS: Final = 0.25
RATE_WEIGHT: Final = 0.5


class TooManyDocumentsError(LongshoreError):
    """More documents wait to be stored than can be stored in time."""

    def __init__(self, seconds: int, retry_after_seconds: int) -> None:
        code = ErrorCode.OVERLOADED
        text = (
            f"More documents wait than the server can store in {seconds} s; this one was not"
            f" stored. Try again in {retry_after_seconds} s."
        )
        detail = ErrorDetail(code=code, message=text, limit="document_wait_seconds", max=seconds)
        super().__init__(code, text, details=(detail,), retry_after_seconds=retry_after_seconds)


class Throughput:
    """The number of documents that were stored in a second lately, while there were enough.

    If nothing waits, less is stored than could be: then a measurement counts only if it is higher.
    """

    def __init__(self) -> None:
        self.per_second = FIRST_RATE
        self._since = 0.0
        self._count = 0

    def begin(self, now: float) -> None:
        """Note that nothing was stored up to now."""
        self._since, self._count = now, 0

    def count(self, now: float, *, is_waiting: bool) -> None:
        """Count one document.

        Args:
            now: The time.
            is_waiting: Another document waits.
        """
        self._count += 1
        seconds = now - self._since
        if seconds < RATE_SECONDS:
            return
        measured = self._count / seconds
        if is_waiting or measured > self.per_second:
            self.per_second += RATE_WEIGHT * (measured - self.per_second)
        self.begin(now)


class _Turn:
    """A document that waits or is being stored."""

    def __init__(self, account_id: int) -> None:
        self.account_id = account_id
        self.started_at: float | None = None
        """None while it waits."""
        self.future: Future[None] = get_running_loop().create_future()


async def _never_late() -> float:
    return 0.0


def _uncounted(_: str) -> None:
    pass


class DocumentQueue:
    """The documents that one process stores. For one event loop.

    Args:
        wait_seconds: How long it should take at most until a document is stored.
        late_seconds: The age of the outbox at which deliveries are late.
        outbox_age: Returns for how many seconds the oldest due entry of the outbox has been due.
        on_refused: Called for each refused document with ``at_once`` or ``after_waiting``.
        monotonic: The clock.
        slots: How many documents are stored at the same time.
    """

    def __init__(
        self,
        wait_seconds: int = 2,
        late_seconds: int = 1,
        outbox_age: Callable[[], Awaitable[float]] = _never_late,
        on_refused: Callable[[str], None] = _uncounted,
        monotonic: Callable[[], float] = system_monotonic,
        *,
        slots: int = SLOTS,
    ) -> None:
        self.throughput = Throughput()
        self.is_late = False
        """True if deliveries were late at the last look."""
        self._wait_seconds = wait_seconds
        self._late_seconds = late_seconds
        self._outbox_age = outbox_age
        self._on_refused = on_refused
        self._monotonic = monotonic
        self._slot_count = slots
        self._waiting: AccountQueues[_Turn] = AccountQueues()
        self._running: Counter[int] = Counter()
        self._was_idle = True
        """True if nothing is stored or waits; a pause between two documents is no idle time."""
        self._paused_until: list[float] = []
        """Of each slot that pauses, a heap."""
        self._timer: asyncio.TimerHandle | None = None
        self._looked_at = float("-inf")
        self._looking: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        """Return how many documents wait."""
        return len(self._waiting)

    def refuse_if_full(self, account_id: int | None) -> None:
        """Refuse a document of an account if it could not be stored in time.

        Raises:
            TooManyDocumentsError: It could not.
        """
        if not len(self._waiting) and self._has_slot():
            return
        before = self._running.total() + self._waiting.count_before(account_id)
        seconds = (before + 1) / self.throughput.per_second
        if seconds > self._wait_seconds * WAIT_PART:
            self._on_refused("at_once")
            raise self._refusal(seconds)

    @asynccontextmanager
    async def turn(self, account_id: int) -> AsyncIterator[None]:
        """Wait until a document may be stored, and store it in this block.

        Raises:
            TooManyDocumentsError: It would have to wait, or has waited, for too long.
        """
        self._look_at_outbox()
        self.refuse_if_full(account_id)
        turn = _Turn(account_id)
        self._waiting.put(turn)
        self._fill_slots()
        if not turn.future.done():
            await self._wait(turn)
        try:
            yield
        finally:
            self._end(turn)

    async def _wait(self, turn: _Turn) -> None:
        try:
            async with timeout(self._wait_seconds * WAIT_PART):
                await turn.future
        except BaseException as error:
            if turn.started_at is not None:  # its turn and the end came at the same moment
                self._end(turn)
            self._waiting.discard(turn)
            self._note_idle()
            if not isinstance(error, TimeoutError):
                raise
            self._on_refused("after_waiting")
            raise self._refusal(self._wait_seconds) from None

    def _refusal(self, seconds: float) -> TooManyDocumentsError:
        return TooManyDocumentsError(self._wait_seconds, min(ceil(seconds), MAX_RETRY_SECONDS))

    # ---- slots -----------------------------------------------------------------------------------

    def _slots(self) -> int:
        return min(SLOTS_WHILE_LATE, self._slot_count) if self.is_late else self._slot_count

    def _has_slot(self) -> bool:
        now = self._monotonic()
        while self._paused_until and self._paused_until[0] <= now:
            heappop(self._paused_until)
        return self._running.total() + len(self._paused_until) < self._slots()

    def _has_room(self, account_id: int | None) -> bool:
        return self._running[account_id or 0] < max(1, int(self._slots() * ACCOUNT_SHARE))

    def _fill_slots(self) -> None:
        """Begin with what may be stored now."""
        while self._has_slot() and (turn := self._waiting.take(self._has_room)) is not None:
            if turn.future.done():  # who asked has left
                continue
            turn.started_at = self._monotonic()
            if self._was_idle:
                self.throughput.begin(turn.started_at)
                self._was_idle = False
            self._running[turn.account_id] += 1
            turn.future.set_result(None)
        if self._paused_until and len(self._waiting) and self._timer is None:
            pause = self._paused_until[0] - self._monotonic()
            self._timer = get_running_loop().call_later(max(pause, 0.0), self._end_pause)

    def _note_idle(self) -> None:
        self._was_idle = not self._running and not len(self._waiting)

    def _end_pause(self) -> None:
        self._timer = None
        self._fill_slots()

    def _end(self, turn: _Turn) -> None:
        now = self._monotonic()
        assert turn.started_at is not None
        self._running[turn.account_id] -= 1
        if not self._running[turn.account_id]:
            del self._running[turn.account_id]
        self.throughput.count(now, is_waiting=len(self._waiting) > 0)
        self._note_idle()
        if self.is_late:
            pause = min(PAUSE_PARTS * (now - turn.started_at), MAX_PAUSE_SECONDS)
            heappush(self._paused_until, now + pause)
        self._fill_slots()

    # ---- the outbox ------------------------------------------------------------------------------

    def _look_at_outbox(self) -> None:
        now = self._monotonic()
        if self._looking is None and now - self._looked_at >= LOOK_SECONDS:
            self._looked_at = now
            self._looking = asyncio.create_task(self._note_outbox())

    async def _note_outbox(self) -> None:
        try:
            with suppress(LongshoreError):  # whoever stores something will hear of it
                was_late, self.is_late = (
                    self.is_late,
                    await self._outbox_age() > self._late_seconds,
                )
                if was_late and not self.is_late:
                    self.throughput = Throughput()  # that of fewer slots says nothing any more
        finally:
            self._looking = None
        self._fill_slots()
