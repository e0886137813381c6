"""For whom the running code works: its account, and how to learn that its client has left.

Kept in a context variable, because what needs it, the executors of document work, is many calls
below what knows it, the HTTP endpoint and the worker of the outbox.
"""

from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final


class ClientGoneError(Exception):
    """The client left before it had its answer: nobody waits for one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Requester:
    """An account and its client."""

    account_id: int | None = None
    """None: the server itself, or a client that has not said who it is."""
    until_gone: Callable[[], Awaitable[None]] | None = None
    """Returns when the client has left; None if there is none to wait for."""


_REQUESTER: Final[ContextVar[Requester]] = ContextVar("requester", default=Requester())  # noqa: B039 - frozen


def current_requester() -> Requester:
    """Return for whom this task works."""
    return _REQUESTER.get()


def working_for(requester: Requester) -> AbstractContextManager[None]:
    """Work for ``requester`` in this task, and in those it begins, until the block ends."""
    return _Work(requester)


class _Work:
    """Sets a requester until its block ends; a generator takes longer to enter and to leave."""

    __slots__ = ("_requester", "_token")

    def __init__(self, requester: Requester) -> None:
        self._requester = requester

    def __enter__(self) -> None:
        """Begin."""
        self._token = _REQUESTER.set(self._requester)

    def __exit__(self, *_raised: object) -> None:
        """End."""
        _REQUESTER.reset(self._token)
