"""The only place that reads the time."""

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """What code that needs the time is given; tests give a fixed one."""

    def now(self) -> datetime:
        """Return the present as an aware UTC datetime."""
        ...


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        """Return the present as an aware UTC datetime."""
        return datetime.now(UTC)
