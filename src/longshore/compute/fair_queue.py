"""The order of document work, so that no account keeps another waiting for long.

Accounts are served in turn, whatever each of them has queued. Small documents have a lane of their
own: large work never takes the last slot, and no account takes all of them. In return, large work
gets a slot whenever it waits and has none, so that small documents cannot hold it back for ever.
"""

from collections import Counter
from typing import Final, Generic, Protocol, TypeVar

from longshore.kit.account_queues import AccountQueues, AccountWork

SMALL_BYTES: Final = 131_072
"""Documents up to this size are small: ten milliseconds of work or so."""


class QueuedWork(AccountWork, Protocol):
    """A piece of work as the queue sees it."""

    @property
    def is_small(self) -> bool:
        """Return whether it goes to the lane for small documents."""
        ...


WorkT = TypeVar("WorkT", bound=QueuedWork)


class FairQueue(Generic[WorkT]):
    """Waiting and running work. Not safe for threads: its owner has a lock.

    Args:
        slots: How many pieces may run at the same time; at least two for a lane of its own.
    """

    def __init__(self, slots: int) -> None:
        self._slots = slots
        self._shared_slots = max(1, slots - 1)
        self._small: AccountQueues[WorkT] = AccountQueues()
        self._large: AccountQueues[WorkT] = AccountQueues()
        self._running: Counter[int | None] = Counter()
        self._running_large = 0

    def put(self, work: WorkT) -> None:
        """Add work to the end of its account's queue."""
        self._lane_of(work).put(work)

    def take(self) -> WorkT | None:
        """Return the work that begins now; None if none may."""
        if self._running.total() >= self._slots:
            return None
        lanes = [self._small]
        if self._running_large == 0:
            lanes.insert(0, self._large)
        elif self._running_large < self._shared_slots:
            lanes.append(self._large)
        for lane in lanes:
            work = lane.take(self._has_room)
            if work is not None:
                self._running[work.account_id] += 1
                self._running_large += not work.is_small
                return work
        return None

    def end(self, work: WorkT) -> None:
        """Free the slot of work that was taken."""
        self._running[work.account_id] -= 1
        if not self._running[work.account_id]:
            del self._running[work.account_id]
        self._running_large -= not work.is_small

    def discard(self, work: WorkT) -> bool:
        """Drop work that waits; return False if it does not."""
        return self._lane_of(work).discard(work)

    def clear(self) -> list[WorkT]:
        """Drop and return everything that waits."""
        return [*self._small.clear(), *self._large.clear()]

    def _lane_of(self, work: WorkT) -> AccountQueues[WorkT]:
        return self._small if work.is_small else self._large

    def _has_room(self, account_id: int | None) -> bool:
        return self._running[account_id] < self._shared_slots
