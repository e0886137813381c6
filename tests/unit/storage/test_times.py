"""Times in columns."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.storage.times import from_us, to_us


@given(st.datetimes(timezones=st.just(UTC)))
def test_a_time_comes_back_as_it_went(moment: datetime) -> None:
    assert from_us(to_us(moment)) == moment


def test_a_column_holds_microseconds_since_1970_in_utc() -> None:
    assert to_us(datetime(1970, 1, 1, 1, 0, 0, 1, tzinfo=timezone(timedelta(hours=1)))) == 1
    assert to_us(None) is None
    assert from_us(None) is None


def test_a_time_without_zone_is_refused() -> None:
    with pytest.raises(TypeError):
        to_us(datetime(2026, 1, 15))  # noqa: DTZ001 - the very thing
