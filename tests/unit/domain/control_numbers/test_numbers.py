"""Which control numbers a range gives, and how long it lasts. Example 62 of x12.md section 5.2."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.domain.control_numbers.numbers import (
    Draw,
    NumberRange,
    RangeExhaustedError,
    days_left,
    draw,
    first_set_number,
    group_number,
    is_low,
    isa_number,
    left,
    set_number,
)
from longshore.domain.partners.setting_kinds import SetNumbering
from tests.unit.domain.trading import DAY, HOUR, NOW

ALL = NumberRange()
TEN = NumberRange(least=11, most=20)


def test_62_after_999999999_comes_1_and_never_0() -> None:
    found = draw(ALL, 999_999_999, 1)
    assert found == Draw((1,), has_wrapped=True)
    assert isa_number(found.numbers[0]) == "000000001"
    assert draw(ALL, 999_999_998, 3) == Draw((999_999_999, 1, 2), has_wrapped=True)


def test_the_first_number_is_the_smallest() -> None:
    assert draw(ALL, None, 2) == Draw((1, 2), has_wrapped=False)
    assert draw(TEN, None, 2) == Draw((11, 12), has_wrapped=False)


@pytest.mark.parametrize(
    ("last", "found"),
    [
        (5, Draw((11,), has_wrapped=False)),
        (10, Draw((11,), has_wrapped=False)),
        (11, Draw((12,), has_wrapped=False)),
        (20, Draw((11,), has_wrapped=True)),
        (500, Draw((11,), has_wrapped=True)),
    ],
)
def test_a_range_that_was_changed_is_entered_at_its_smallest(last: int, found: Draw) -> None:
    assert draw(TEN, last, 1) == found


def test_numbers_that_were_used_are_skipped() -> None:
    assert draw(ALL, 4, 3, used=[5, 7, 8]) == Draw((6, 9, 10), has_wrapped=False)
    assert draw(TEN, 19, 2, used=[20, 11]) == Draw((12, 13), has_wrapped=True)


def test_a_range_gives_all_its_numbers_and_no_more() -> None:
    assert draw(TEN, 15, 10).numbers == (16, 17, 18, 19, 20, 11, 12, 13, 14, 15)
    with pytest.raises(RangeExhaustedError):
        draw(TEN, 15, 11)
    with pytest.raises(RangeExhaustedError):
        draw(TEN, 15, 9, used=[12, 13, 999])
    assert draw(TEN, 15, 8, used=[12, 13, 999]).numbers == (16, 17, 18, 19, 20, 11, 14, 15)


@given(
    least=st.integers(1, 50),
    size=st.integers(1, 50),
    last=st.none() | st.integers(1, 120),
    count=st.integers(1, 50),
    used=st.sets(st.integers(1, 120)),
)
def test_whatever_is_drawn_is_new_free_and_in_the_range(
    least: int, size: int, last: int | None, count: int, used: set[int]
) -> None:
    numbers = NumberRange(least=least, most=least + size - 1)
    free = set(range(least, least + size)) - used
    if count > len(free):
        with pytest.raises(RangeExhaustedError):
            draw(numbers, last, count, used)
        return
    found = draw(numbers, last, count, used).numbers
    assert (len(found), len(set(found))) == (count, count)
    assert set(found) <= free


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
    assert first_set_number(SetNumbering.PER_GROUP, 40) == 1
    assert first_set_number(SetNumbering.CONTINUOUS, 40) == 41
    assert first_set_number(SetNumbering.CONTINUOUS, None) == 1


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
