"""The days that figures are about."""

from datetime import UTC, date, datetime

import pytest

from longshore.domain.overview.model import InvalidPeriodError, Period, period_of

TODAY = date(2026, 1, 15)


def test_the_last_thirty_days_are_meant_if_none_is_named() -> None:
    period = period_of(None, None, TODAY)
    assert period == Period(date(2025, 12, 17), TODAY)
    assert (len(period.days), period.days[0], period.days[-1]) == (30, period.first, TODAY)


def test_a_period_begins_and_ends_at_midnight_and_follows_the_one_before() -> None:
    period = period_of(date(2026, 1, 10), date(2026, 1, 11), TODAY)
    assert (period.since, period.before) == (
        datetime(2026, 1, 10, tzinfo=UTC),
        datetime(2026, 1, 12, tzinfo=UTC),
    )
    assert period.previous == Period(date(2026, 1, 8), date(2026, 1, 9))


def test_ninety_days_are_a_period_and_one_more_is_none() -> None:
    assert len(period_of(date(2025, 10, 18), None, TODAY).days) == 90
    with pytest.raises(InvalidPeriodError) as refused:
        period_of(date(2025, 10, 17), None, TODAY)
    assert refused.value.message == (
        'Parameter "from" must be at most 90 days back: 2025-10-18 or later, since the period '
        "ends on 2026-01-15."
    )


@pytest.mark.parametrize(
    ("first", "last", "param"),
    [
        (date(2026, 1, 16), None, "from"),
        (None, date.min, "to"),
        (None, date.max, "to"),
        (date.min, None, "from"),
    ],
    ids=["ends before it begins", "first day there is", "last day there is", "far back"],
)
def test_what_is_no_period_is_refused(first: date | None, last: date | None, param: str) -> None:
    with pytest.raises(InvalidPeriodError) as refused:
        period_of(first, last, TODAY)
    assert [each.param for each in refused.value.details] == [param]
