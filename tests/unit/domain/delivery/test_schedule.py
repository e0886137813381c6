"""When a delivery is tried again. Example 77 of x12.md section 5.2."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.domain.delivery.outcome import (
    MAX_ATTEMPTS,
    PAUSES,
    AttemptOutcome,
    AttemptVerdict,
    EndedAttempt,
    delivery_deadline,
    next_attempt_at,
    read_retry_after,
    verdict_of_status,
)
from tests.unit.domain.trading import DAY, HOUR, MINUTE, NOW

SECOND = timedelta(seconds=1)
FAILED = EndedAttempt(number=1, verdict=AttemptVerdict(AttemptOutcome.FAILED), ended_at=NOW)


def pause(attempt: EndedAttempt, fraction: float = 0.5) -> timedelta | None:
    due = next_attempt_at(attempt, fraction)
    return None if due is None else due - attempt.ended_at


def test_ten_attempts_lie_as_far_apart_as_promised() -> None:
    found = [pause(replace(FAILED, number=number)) for number in range(1, 11)]
    assert found == [
        *(5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR),
        *(10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR, None),
    ]
    assert sum(PAUSES, timedelta()) == timedelta(hours=75, minutes=35, seconds=5)
    assert MAX_ATTEMPTS == 10


@pytest.mark.parametrize(("fraction", "due"), [(0.0, 240), (0.25, 270), (0.5, 300), (1.0, 360)])
def test_a_pause_is_up_to_a_fifth_longer_or_shorter(fraction: float, due: int) -> None:
    assert pause(replace(FAILED, number=2), fraction) == due * SECOND


def test_what_succeeded_is_not_tried_again() -> None:
    assert pause(replace(FAILED, verdict=verdict_of_status(204))) is None


def test_a_lost_attempt_is_made_up_for() -> None:
    assert pause(replace(FAILED, verdict=AttemptVerdict(AttemptOutcome.LOST))) == 5 * SECOND


def test_what_fails_for_good_is_tried_three_times_quickly() -> None:
    refused = replace(FAILED, verdict=verdict_of_status(404))
    found = [pause(replace(refused, number=number)) for number in (1, 2, 3, 4)]
    assert found == [5 * SECOND, 5 * MINUTE, None, None]


def test_77_a_destination_that_is_gone_is_not_tried_again() -> None:
    assert pause(replace(FAILED, verdict=verdict_of_status(410))) is None


def test_77_a_redirect_is_a_failure_like_others() -> None:
    assert pause(replace(FAILED, verdict=verdict_of_status(302))) == 5 * SECOND


@pytest.mark.parametrize(
    ("asked", "due"),
    [
        (None, 5 * SECOND),
        (SECOND, 5 * SECOND),
        (120 * SECOND, 120 * SECOND),
        (3 * DAY, DAY),
    ],
)
def test_77_retry_after_is_never_undercut_and_honoured_up_to_a_day(
    asked: timedelta | None, due: timedelta
) -> None:
    assert pause(replace(FAILED, retry_after=asked)) == due


@given(
    number=st.integers(1, 9),
    asked=st.timedeltas(timedelta(0), timedelta(days=2)),
    fraction=st.floats(0, 1),
)
def test_no_jitter_undercuts_what_was_asked(number: int, asked: timedelta, fraction: float) -> None:
    found = pause(replace(FAILED, number=number, retry_after=asked), fraction)
    assert found is not None
    assert found >= min(asked, DAY)
    assert found >= PAUSES[number] * 0.8


def test_nothing_is_tried_behind_the_business_deadline() -> None:
    at = replace(FAILED, number=2, deadline=NOW + 5 * MINUTE)
    assert pause(at) == 5 * MINUTE
    assert pause(replace(at, deadline=NOW + 5 * MINUTE - SECOND)) is None
    assert delivery_deadline(NOW, 4) == NOW + 4 * HOUR
    assert delivery_deadline(NOW, None) is None


@pytest.mark.parametrize(
    ("text", "wait"),
    [
        ("120", 120 * SECOND),
        ("0", timedelta(0)),
        ("Thu, 15 Jan 2026 14:06:09 GMT", MINUTE),
        ("Thu, 15 Jan 2026 14:04:09 GMT", timedelta(0)),
        ("Thu, 30 Feb 2026 14:06:09 GMT", None),
        ("Thu, 15 Jan 2026 25:06:09 GMT", None),
        ("Thu, 15 Jan 2026 14:06:09 CET", None),
        ("-5", None),
        ("1.5", None),
        ("9" * 10, None),
        ("\u0661\u0662", None),
        ("", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(text: str, wait: timedelta | None) -> None:
    assert read_retry_after(text, NOW) == wait
