"""argon2id and guesses at new passwords outside the event loop, a few at a time.

One hash takes 46 MiB and a good part of a second of one core on purpose. So two run at once, in
threads (the library lets go of the interpreter meanwhile), twenty more may wait, and whoever comes
is then asked to try again. Source: reliability.md section 4; RFC 9106.
"""

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple, TypeVar

from argon2 import PasswordHasher, Type
from argon2.exceptions import VerificationError
from zxcvbn import zxcvbn

from longshore.domain.users.errors import TooManyLoginsError

T = TypeVar("T")

MAX_RUNNING: Final = 2
MAX_WAITING: Final = 20
RETRY_AFTER_SECONDS: Final = 5


class HashCost(NamedTuple):
    """The cost of one hash, in the terms of argon2id."""

    memory_kib: int
    """Memory of one hash, in KiB."""
    iterations: int = 1
    """The number of passes over that memory."""


GUESSES: Final = 10**8
"""A password whose beginning is found within so many guesses is easy to guess."""
ESTIMATED_CHARS: Final = 24
"""The number of characters, from the first, that the estimate reads.

Its time grows fast with them: 24 of the worst take a fifth of a second of processor time, 72 two
seconds, during which all other requests would be slow.
"""

HASH_COST: Final = HashCost(memory_kib=47_104)
"""The cost of every password that the program stores."""


class Argon2Hasher:
    """The port ``PasswordHasher``. One per process, on its event loop.

    Args:
        cost: The cost of each hash. Only tests, which make thousands, pass another one.
    """

    def __init__(self, cost: HashCost = HASH_COST) -> None:
        self._hasher = PasswordHasher(
            time_cost=cost.iterations,
            memory_cost=cost.memory_kib,
            parallelism=1,
            type=Type.ID,
        )
        # Has zeros for salt and hash: as slow to compare with as the hash of a user.
        self._hash_of_nobody = (
            f"$argon2id$v=19$m={cost.memory_kib},t={cost.iterations},p=1${'A' * 22}${'A' * 43}"
        )
        self._threads = ThreadPoolExecutor(MAX_RUNNING, thread_name_prefix="passwords")
        self._places = threading.BoundedSemaphore(MAX_RUNNING + MAX_WAITING)

    async def hash(self, password: str) -> str:
        return await self._run(lambda: self._hasher.hash(password))

    async def is_guessable(self, password: str, own_words: Sequence[str]) -> bool:
        return await self._run(lambda: _is_guessable(password, own_words))

    async def verify(self, password: str, password_hash: str | None) -> bool:
        return await self._run(lambda: self._verify(password, password_hash))

    def close(self) -> None:
        """End the threads, once what they do is done."""
        self._threads.shutdown()

    async def _run(self, work: Callable[[], T]) -> T:
        """Return what ``work`` returns in a thread.

        Raises:
            TooManyLoginsError: Too many wait already.
        """
        if not self._places.acquire(blocking=False):
            raise TooManyLoginsError(
                "password_checks",
                MAX_RUNNING + MAX_WAITING,
                "The server checks as many passwords as it can. Try again in a moment.",
                RETRY_AFTER_SECONDS,
            )
        future = self._threads.submit(work)
        # Its place is held until the thread is done with it, though the caller may be gone by then.
        future.add_done_callback(lambda _: self._places.release())
        return await asyncio.wrap_future(future)

    def _verify(self, password: str, password_hash: str | None) -> bool:
        try:
            self._hasher.verify(password_hash or self._hash_of_nobody, password)
        except VerificationError:
            return False
        return password_hash is not None


def _is_guessable(password: str, own_words: Sequence[str]) -> bool:
    own = [word[:ESTIMATED_CHARS] for word in own_words]
    estimate = zxcvbn(password[:ESTIMATED_CHARS], own, ESTIMATED_CHARS)
    return bool(estimate["guesses"] < GUESSES)
