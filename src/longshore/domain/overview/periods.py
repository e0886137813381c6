"""The days that figures are about: whole days of UTC."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError

MOST_DAYS: Final = 90
USUAL_DAYS: Final = 30

_DAY: Final = timedelta(days=1)
# The period before begins at most MOST_DAYS earlier, and what ends a period is the day after it.
_EARLIEST: Final = date(1971, 1, 1)
_LATEST: Final = date(9998, 12, 31)


class InvalidPeriodError(LongshoreError):
    """The days that are asked for make no period, or too long a one."""

    def __init__(self, param: str, text: str) -> None:
        code, message = ErrorCode.INVALID_PARAMETER, f'Parameter "{param}" {text}.'
        detail = ErrorDetail(code=code, param=param, message=message)
        super().__init__(code, message, details=(detail,))


@dataclass(frozen=True, slots=True)
class Period:
    """Days of UTC, both inclusive."""

    first: date
    last: date

    @property
    def since(self) -> datetime:
        """When it begins, inclusive."""
        return datetime.combine(self.first, time(), tzinfo=UTC)

    @property
    def before(self) -> datetime:
        """When it ends, exclusive."""
        return datetime.combine(self.last + _DAY, time(), tzinfo=UTC)

    @property
    def days(self) -> tuple[date, ...]:
        """Each of its days, the first one first."""
        return tuple(self.first + index * _DAY for index in range(self._length))

    @property
    def previous(self) -> Period:
        """The period of as many days that ends where this one begins."""
        return Period(self.first - self._length * _DAY, self.first - _DAY)

    @property
    def _length(self) -> int:
        return (self.last - self.first).days + 1


def period_of(first: date | None, last: date | None, today: date) -> Period:
    """Return the period between two days; without the last one until today, else of 30 days.

    Raises:
        InvalidPeriodError: It ends before it begins, is too long, or too far away.
    """
    end = today if last is None else last
    if not _EARLIEST <= end <= _LATEST:
        raise InvalidPeriodError("to", f"must be a day from {_EARLIEST} to {_LATEST}")
    begin = end - (USUAL_DAYS - 1) * _DAY if first is None else first
    if begin > end:
        text = f"must not be after the last day of the period, {end}"
        raise InvalidPeriodError("from", text)
    if (end - begin).days >= MOST_DAYS:
        text = f"must be at most {MOST_DAYS} days back: {end - (MOST_DAYS - 1) * _DAY} or later"
        raise InvalidPeriodError("from", f"{text}, since the period ends on {end}")
    return Period(begin, end)
