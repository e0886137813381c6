"""Limits of wrong passwords: per address of the user and client, and per client.

A pair of account and client may fail 5 times in 15 minutes and a client 20 times. An account alone
has no limit: whoever tries passwords for somebody locks out nobody but themselves. A try that is
under way takes the place of a failure, so that many at once do not slip through together. Of IPv6
the first 64 bits are the client: one household has all the rest. In memory and bounded; the
failures longest ago are forgotten first. Source: reliability.md section 4.
"""

from collections import Counter, deque
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto, unique
from hashlib import sha256
from ipaddress import IPv6Address, ip_address
from math import ceil
from typing import Final, Generic, TypeVar

from longshore.domain.users.errors import TooManyLoginsError
from longshore.kit.clock import Clock

WINDOW: Final = timedelta(minutes=15)
MAX_FAILURES_OF_PAIR: Final = 5
MAX_FAILURES_OF_CLIENT: Final = 20
MAX_REMEMBERED: Final = 20_000  # of pairs and of clients each; about 20 MB if all are full

_IPV6_CLIENT_BITS: Final = 64

KeyT = TypeVar("KeyT", bound=Hashable)


class LoginThrottle:
    """Counts failures. One per process, on its event loop.

    With several servers on one database each counts for itself.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._pairs = _Failures[tuple[bytes, str]]("login_failures", MAX_FAILURES_OF_PAIR)
        self._clients = _Failures[str]("login_failures_of_client", MAX_FAILURES_OF_CLIENT)

    @contextmanager
    def attempt(self, account: str, ip: str) -> Iterator["LoginAttempt"]:
        """Hold a place for one try, whose outcome the caller sets; without one nothing counts.

        ``account`` is whatever names whom the try is for, such as a folded e-mail address.

        Raises:
            TooManyLoginsError: There were too many; it says when the next may be.
        """
        client = counted_client(ip)
        pair = sha256(account.encode()).digest(), client  # an address may be long
        now = self._clock.now()
        rest = min(
            self._pairs.refuse_beyond_limit(pair, now),
            self._clients.refuse_beyond_limit(client, now),
        )
        attempt = LoginAttempt(is_last=rest == 1)
        try:
            with self._pairs.in_progress(pair), self._clients.in_progress(client):
                yield attempt
        finally:
            if attempt.outcome is LoginOutcome.FAILED:
                self._pairs.add(pair, self._clock.now())
                self._clients.add(client, self._clock.now())
            elif attempt.outcome is LoginOutcome.SUCCEEDED:
                self._pairs.forget(pair)  # not the client's: it could try strangers in between


@unique
class LoginOutcome(Enum):
    """The outcome of a try."""

    NOT_CHECKED = auto()
    FAILED = auto()
    SUCCEEDED = auto()


@dataclass(slots=True)
class LoginAttempt:
    """One try."""

    is_last: bool
    """If it fails, the next is refused."""
    outcome: LoginOutcome = LoginOutcome.NOT_CHECKED


class _Failures(Generic[KeyT]):
    """The times of the last failures under each key, oldest first; keys by their last one."""

    def __init__(self, limit: str, most: int) -> None:
        self._limit = limit
        self._most = most
        self._times_by_key: dict[KeyT, deque[datetime]] = {}
        self._in_progress: Counter[KeyT] = Counter()

    def refuse_beyond_limit(self, key: KeyT, now: datetime) -> int:
        """Return how many tries are left, at least this one.

        Raises:
            TooManyLoginsError: None is left.
        """
        # A clock that was set back must not lock anybody out until it is there again.
        recent = [at for at in self._times_by_key.get(key, ()) if abs(now - at) < WINDOW]
        left = self._most - len(recent) - self._in_progress[key]
        if left > 0:
            return left
        is_full = len(recent) >= self._most
        wait_seconds = ceil((recent[0] + WINDOW - now) / timedelta(seconds=1)) if is_full else 1
        raise TooManyLoginsError(
            self._limit,
            self._most,
            f"Too many attempts: at most {self._most} may fail in 15 minutes. "
            f"Try again in {wait_seconds} s.",
            wait_seconds,
        )

    @contextmanager
    def in_progress(self, key: KeyT) -> Iterator[None]:
        self._in_progress[key] += 1
        try:
            yield
        finally:
            self._in_progress[key] -= 1
            if not self._in_progress[key]:
                del self._in_progress[key]

    def add(self, key: KeyT, now: datetime) -> None:
        times = self._times_by_key.pop(key, None) or deque(maxlen=self._most)
        times.append(now)
        if len(self._times_by_key) >= MAX_REMEMBERED:
            del self._times_by_key[next(iter(self._times_by_key))]
        self._times_by_key[key] = times

    def forget(self, key: KeyT) -> None:
        self._times_by_key.pop(key, None)


def counted_client(ip: str) -> str:
    """Return the address that is counted; a text that is none stands for itself."""
    try:
        address = ip_address(ip)
    except ValueError:
        return ip
    if not isinstance(address, IPv6Address):
        return ip
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(IPv6Address(int(address) >> _IPV6_CLIENT_BITS << _IPV6_CLIENT_BITS))
