"""Quota of requests of a key, a session or an address: the generic cell rate algorithm.

Of each of them one number is kept, in memory: the moment at which its bucket would be full again. A
request moves it on by the interval between two requests; it is refused if that would be further
ahead than the burst allows. So the count over any time t is exactly burst + t / interval, without
windows at whose borders twice as much would pass.
Source: contract.md section 12; ITU-T I.371 (GCRA).
"""

import math
from collections.abc import Callable
from typing import Final, NamedTuple

from longshore.http.headers import Header
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError

WINDOW_SECONDS: Final = 60
SWEEP_SECONDS: Final = 60


class RateLimitedError(LongshoreError):
    """The key has asked too often, or for too much at once."""

    def __init__(self, limit: str, maximum: int, text: str, retry_after_seconds: int) -> None:
        code = ErrorCode.RATE_LIMITED
        detail = ErrorDetail(code=code, message=text, limit=limit, max=maximum)
        super().__init__(code, text, details=(detail,), retry_after_seconds=retry_after_seconds)


class Charged(NamedTuple):
    """The state of a quota after one request was charged to it."""

    remaining: int
    """The number of further requests that would be accepted at once."""
    reset_seconds: int
    """Seconds until the quota is full again."""
    wait_seconds: int | None
    """None if the request is accepted, else the seconds until it would be."""


class Quota:
    """Buckets, each of them for ``burst`` requests at once and ``per_minute`` on average.

    Args:
        name: The name of the limit.
        per_minute: Requests in a minute.
        burst: Requests at once.
        monotonic: The clock.
        kind: The kind of what has a bucket, as a refusal names it.
    """

    def __init__(
        self,
        name: str,
        per_minute: int,
        burst: int,
        monotonic: Callable[[], float],
        kind: str = "key",
    ) -> None:
        self.name = name
        self._kind = kind
        self.per_minute = per_minute
        self._interval = WINDOW_SECONDS / per_minute
        self._depth = min(burst, per_minute) * self._interval
        self._monotonic = monotonic
        self._full_at: dict[int, float] = {}
        self._sweep_at = monotonic() + SWEEP_SECONDS
        self._policy = b'"%b";q=%d;w=%d' % (name.encode(), per_minute, WINDOW_SECONDS)
        self._limit = b"%d" % per_minute

    def charge(self, key_id: int) -> Charged:
        """Let one request of a key, session or address in, or not."""
        now = self._monotonic()
        if now >= self._sweep_at:
            self._forget_full_buckets(now)
        full_at = self._full_at.get(key_id, now)
        used = max(full_at - now, 0.0)
        excess = used + self._interval - self._depth
        # Sums of a thousand intervals are off by less than this.
        if excess > self._interval * 1e-6:
            return Charged(0, math.ceil(used), max(1, math.ceil(excess)))
        used += self._interval
        self._full_at[key_id] = now + used
        remaining = int((self._depth - used) / self._interval + 1e-6)
        return Charged(remaining, math.ceil(used), None)

    def headers(self, charged: Charged) -> tuple[Header, ...]:
        """Return what an answer says of the bucket (two-field IETF draft, and the old form)."""
        remaining, reset = b"%d" % charged.remaining, b"%d" % charged.reset_seconds
        return (
            (b"ratelimit-policy", self._policy),
            (b"ratelimit", b'"%b";r=%b;t=%b' % (self.name.encode(), remaining, reset)),
            (b"x-ratelimit-limit", self._limit),
            (b"x-ratelimit-remaining", remaining),
            (b"x-ratelimit-reset", reset),
        )

    def refusal(self, wait_seconds: int) -> RateLimitedError:
        """Return the answer to a caller who asked too often."""
        text = (
            f"This {self._kind} may make {self.per_minute} requests a minute."
            f" Try again in {wait_seconds} s."
        )
        return RateLimitedError(self.name, self.per_minute, text, wait_seconds)

    def __len__(self) -> int:
        """Return the number of keys that are remembered."""
        return len(self._full_at)

    def _forget_full_buckets(self, now: float) -> None:
        self._full_at = {key: full_at for key, full_at in self._full_at.items() if full_at > now}
        self._sweep_at = now + SWEEP_SECONDS
