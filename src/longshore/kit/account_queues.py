"""A queue for each account, served in turn, so that no account keeps another waiting for long."""

from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar


class AccountWork(Protocol):
    """A piece of work as the queues see it."""

    @property
    def account_id(self) -> int | None:
        """The account that is charged with it."""
        ...


WorkT = TypeVar("WorkT", bound=AccountWork)


class AccountQueues(Generic[WorkT]):
    """A queue for each account that has one, the account whose turn is next first."""

    def __init__(self) -> None:
        self._queues: OrderedDict[int | None, deque[WorkT]] = OrderedDict()

    def __len__(self) -> int:
        """Return how much work waits."""
        return sum(map(len, self._queues.values()))

    def put(self, work: WorkT) -> None:
        """Add work to the end of its account's queue."""
        self._queues.setdefault(work.account_id, deque()).append(work)

    def take(self, has_room: Callable[[int | None], bool]) -> WorkT | None:
        """Return the next work of an account that has room; None if there is none."""
        for account_id, queue in self._queues.items():
            if has_room(account_id):
                work = queue.popleft()
                if queue:
                    self._queues.move_to_end(account_id)
                else:
                    del self._queues[account_id]
                return work
        return None

    def discard(self, work: WorkT) -> bool:
        """Drop work that waits; return False if it does not."""
        queue = self._queues.get(work.account_id)
        if queue is None or work not in queue:
            return False
        queue.remove(work)
        if not queue:
            del self._queues[work.account_id]
        return True

    def count_before(self, account_id: int | None) -> int:
        """Return how much work would be taken before the next work that this account puts."""
        own = len(self._queues.get(account_id, ()))
        return own + sum(
            min(len(queue), own + 1) for each, queue in self._queues.items() if each != account_id
        )

    def clear(self) -> list[WorkT]:
        """Drop and return everything that waits."""
        works = [work for queue in self._queues.values() for work in queue]
        self._queues.clear()
        return works
