"""Which control numbers a range gives, and how long it lasts. Example 62 of x12.md section 5.2."""

import pytest

from longshore.domain.control_numbers.numbers import (
    NumberRange,
    days_left,
    group_number,
    is_low,
    isa_number,
    left,
    set_number,
    set_numbers_by_group,
    set_numbers_from,
)
from longshore.domain.partners.setting_kinds import SetNumbering
from tests.unit.domain.trading import DAY, HOUR, NOW

ALL = NumberRange()
TEN = NumberRange(least=11, most=20)


def test_62_after_999999999_comes_1_and_never_0() -> None:
    assert isa_number(ALL.after(999_999_999)) == "000000001"
    assert set_numbers_from(999_999_998, 4) == (999_999_998, 999_999_999, 1, 2)


def test_the_first_number_is_the_smallest() -> None:
    assert (ALL.after(None), TEN.after(None)) == (1, 11)
    assert set_numbers_from(1, 2) == (1, 2)


@pytest.mark.parametrize(("last", "following"), [(5, 11), (10, 11), (11, 12), (20, 11), (500, 11)])
def test_a_range_that_was_changed_is_entered_at_its_smallest(last: int, following: int) -> None:
    assert TEN.after(last) == following


@pytest.mark.parametrize(("least", "most"), [(0, 5), (6, 5), (1, 1_000_000_000)])
def test_there_is_no_range_outside_nine_digits(least: int, most: int) -> None:
    with pytest.raises(AssertionError):
        NumberRange(least=least, most=most)


def test_numbers_are_padded_as_their_place_wants() -> None:
    assert isa_number(123) == "000000123"
    assert group_number(123) == "123"
    assert group_number(123, is_padded=True) == "000000123"
    assert (set_number(1), set_number(123_456)) == ("0001", "123456")


def test_sets_are_numbered_anew_in_each_group_or_counted_on() -> None:
    anew, on = SetNumbering.PER_GROUP, SetNumbering.CONTINUOUS
    assert set_numbers_by_group(anew, 41, (2, 1)) == (("0001", "0002"), ("0001",))
    assert set_numbers_by_group(on, 41, (2, 1)) == (("0041", "0042"), ("0043",))


@pytest.mark.parametrize(
    ("last", "rest", "low"),
    [(None, 10, False), (11, 9, False), (19, 1, False), (20, 0, True), (21, 10, False)],
)
def test_what_is_left_is_what_follows_before_the_range_begins_anew(
    last: int | None, rest: int, *, low: bool
) -> None:
    assert left(TEN, last) == rest
    assert is_low(TEN, last) is low


def test_days_left_follow_from_the_pace() -> None:
    assert days_left(100, 10, NOW - DAY, NOW) == 10
    assert days_left(99, 10, NOW - DAY, NOW) == 9
    assert days_left(5, 24, NOW - HOUR, NOW) == 0
    assert days_left(999_999_998, 1, NOW - 10 * DAY, NOW) == 9_999_999_980
    assert days_left(100, 0, NOW - DAY, NOW) is None
    assert days_left(100, 10, NOW, NOW) is None


@pytest.mark.parametrize(
    ("last", "count", "after"),
    [
        (None, 0, None),
        (7, 0, 7),
        (None, 3, 12),
        (12, 3, 15),
        (19, 3, 12),
        (99, 3, 12),
        (12, 50, 17),
    ],
)
def test_a_restored_counter_skips_at_most_half_of_its_range(
    last: int | None, count: int, after: int | None
) -> None:
    assert NumberRange(least=10, most=19).skip(last, count) == after
