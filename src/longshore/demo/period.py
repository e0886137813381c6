"""The days of the demo, and what of them is special: when partners fall silent or break down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

FEWEST_DAYS: Final = 10
MAX_DAYS: Final = 366

_SATURDAY: Final = 5
_LATELY_DIVISOR: Final = 6
_WORKDAY, _WEEKEND_DAY = 10, 1  # how busy they are
_GROWTH: Final = (60, 140)  # of the mean, in percent: on the first day and on the last
_OUTAGE: Final = timedelta(hours=3)
_QUIET: Final = timedelta(hours=9)  # longer than the deadline of who is broken down


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoPeriod:
    """``days`` days that end with ``until``. ``end``: what is later has not happened yet."""

    until: date
    days: int
    end: datetime

    @classmethod
    def of(cls, until: date, days: int, now: datetime) -> DemoPeriod:
        """Return the period that ends with a day, or with the last full hour if that is today."""
        midnight = datetime.combine(until + timedelta(days=1), time(), tzinfo=UTC)
        hour = now.replace(minute=0, second=0, microsecond=0)
        return cls(until=until, days=days, end=min(midnight, hour))

    @property
    def start(self) -> datetime:
        """The first moment."""
        return datetime.combine(self.until - timedelta(days=self.days - 1), time(), tzinfo=UTC)

    @property
    def trouble_from(self) -> datetime:
        """Since when partners are silent or broken down: the last sixth, at least four days."""
        return self.end - max(timedelta(days=4), timedelta(days=self.days) / _LATELY_DIVISOR)

    @property
    def quiet_from(self) -> datetime:
        """Since when nothing is sent to who is broken down, so that nothing is left to be tried."""
        return self.end - _QUIET

    def is_broken_down(self, moment: datetime) -> bool:
        """Tell whether a partner that breaks down does not take connections."""
        return moment >= self.trouble_from

    def is_overloaded(self, moment: datetime) -> bool:
        """Tell whether it takes nothing for the few hours, once, that end well."""
        begin = self.morning(0.4)
        return begin <= moment < begin + _OUTAGE

    def morning(self, part: float) -> datetime:
        """Return nine o'clock of the working day at a part of the period."""
        day = (self.start + (self.end - self.start) * part).date()
        return datetime.combine(_working_day(day), time(9), tzinfo=UTC)

    def is_over(self, moment: datetime) -> bool:
        """Tell whether a moment is none of the period."""
        return moment >= self.end

    def spread(self, count: int) -> Iterator[date]:
        """Yield ``count`` days in order: few at weekends, the more the later."""
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


def shifted(moment: datetime) -> datetime:
    """Return a moment, or that of Monday if it lies on a weekend."""
    return datetime.combine(_later_working_day(moment.date()), moment.time(), tzinfo=UTC)


def _later_working_day(day: date) -> date:
    over = day.weekday() - _SATURDAY
    return day + timedelta(days=2 - over) if over >= 0 else day


def _working_day(day: date) -> date:
    """Return a day, or the Friday before it if it lies on a weekend."""
    return day - timedelta(days=max(0, day.weekday() - _SATURDAY + 1))
