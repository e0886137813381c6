"""Time and entropy that tests decide."""

from datetime import UTC, datetime, timedelta
from hashlib import sha256

START = datetime(2026, 1, 15, 14, 5, 9, tzinfo=UTC)


class StoppedClock:
    """Stands at ``START`` until it is moved."""

    def __init__(self, moment: datetime = START) -> None:
        self._moment = moment

    def now(self) -> datetime:
        return self._moment

    def move(self, by: timedelta) -> None:
        self._moment += by


class CountedIds:
    """Bytes that differ at each draw and are the same in each run."""

    def __init__(self, seed: str = "test") -> None:
        self._seed = seed
        self._draws = 0

    def token_bytes(self, count: int) -> bytes:
        self._draws += 1
        drawn = b""
        while len(drawn) < count:
            drawn += sha256(f"{self._seed} {self._draws} {len(drawn)}".encode()).digest()
        return drawn[:count]
