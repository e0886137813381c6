"""The clock: the only module that reads the time."""

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Protocol of a source of the current time; tests use a fixed one."""

    def now(self) -> datetime:
        """Return the present as an aware UTC datetime."""
        ...


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        """Return the present as an aware UTC datetime."""
        return datetime.now(UTC)
