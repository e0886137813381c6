"""The days of the demo, and when partners fail in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

MIN_DAYS: Final = 10
MAX_DAYS: Final = 366

_SATURDAY: Final = 5
_FAILING_PART: Final = 6
_WORKDAY, _WEEKEND_DAY = 10, 1  # documents of one day, relative to the other
_GROWTH: Final = (60, 140)  # of the mean, in percent: on the first day and on the last
_OUTAGE: Final = timedelta(hours=3)
_QUIET_PERIOD: Final = timedelta(hours=9)  # longer than the delivery deadline of a failed partner


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoPeriod:
    """The period that a demo covers."""

    until: date
    """The last day."""
    days: int
    """The number of days, including the last."""
    end: datetime
    """Later events have not happened yet: the period may end with the current hour."""

    @classmethod
    def of(cls, until: date, days: int, now: datetime) -> DemoPeriod:
        """Return the period that ends with a day, or with the last full hour if that is today."""
        midnight = datetime.combine(until + timedelta(days=1), time(), tzinfo=UTC)
        hour = now.replace(minute=0, second=0, microsecond=0)
        return cls(until=until, days=days, end=min(midnight, hour))

    @property
    def start(self) -> datetime:
        """The first moment of the period."""
        return datetime.combine(self.until - timedelta(days=self.days - 1), time(), tzinfo=UTC)

    @property
    def failures_from(self) -> datetime:
        """When partners begin to fail: for the last sixth of the period, at least four days."""
        return self.end - max(timedelta(days=4), timedelta(days=self.days) / _FAILING_PART)

    @property
    def last_delivery_at(self) -> datetime:
        """When sending to a failed partner ends, so that no delivery is left to be retried."""
        return self.end - _QUIET_PERIOD

    def is_refusing(self, moment: datetime) -> bool:
        """Tell whether a partner that fails refuses connections at a moment."""
        return moment >= self.failures_from

    def is_overloaded(self, moment: datetime) -> bool:
        """Tell whether the only short outage of a partner covers a moment."""
        begin = self.morning(0.4)
        return begin <= moment < begin + _OUTAGE

    def morning(self, part: float) -> datetime:
        """Return nine o'clock of the working day at a fraction of the period."""
        day = (self.start + (self.end - self.start) * part).date()
        return datetime.combine(_working_day(day), time(9), tzinfo=UTC)

    def is_over(self, moment: datetime) -> bool:
        """Tell whether a moment is after the period."""
        return moment >= self.end

    def spread(self, count: int) -> Iterator[date]:
        """Yield ``count`` days in order: fewer at weekends, more towards the end."""
        first, last = _GROWTH
        days = [self.start.date() + timedelta(days=at) for at in range(self.days)]
        weights = [
            (_WORKDAY if day.weekday() < _SATURDAY else _WEEKEND_DAY)
            * (first + (last - first) * at // self.days)
            for at, day in enumerate(days)
        ]
        total, reached, at = sum(weights), weights[0], 0
        for each in range(count):
            while (2 * each + 1) * total > 2 * count * reached:
                at += 1
                reached += weights[at]
            yield days[at]


def next_working_time(moment: datetime) -> datetime:
    """Return a moment, moved to Monday if it is on a weekend."""
    return datetime.combine(_later_working_day(moment.date()), moment.time(), tzinfo=UTC)


def _later_working_day(day: date) -> date:
    over = day.weekday() - _SATURDAY
    return day + timedelta(days=2 - over) if over >= 0 else day


def _working_day(day: date) -> date:
    """Return a day, or the Friday before it if it is on a weekend."""
    return day - timedelta(days=max(0, day.weekday() - _SATURDAY + 1))
