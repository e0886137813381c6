"""When a delivery is tried again. Example 77 of x12.md section 5.2."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.domain.delivery.model import AttemptId, AttemptResult, DeliveryAttempt, OutboxId
from longshore.domain.delivery.outcome import AttemptOutcome, AttemptVerdict, verdict_of_status
from longshore.domain.delivery.schedule import (
    EARLY_ATTEMPTS,
    MAX_ATTEMPTS,
    PAUSES,
    EndedAttempt,
    ScheduleProgress,
    delivery_deadline,
    next_attempt_at,
    read_retry_after,
    schedule_progress,
)
from longshore.domain.ports import AccountId
from longshore.kit.environment import Environment
from tests.unit.domain.trading import DAY, HOUR, MINUTE, NOW

SECOND = timedelta(seconds=1)
FAILED = EndedAttempt(number=1, verdict=AttemptVerdict(AttemptOutcome.FAILED), ended_at=NOW)


def pause(attempt: EndedAttempt, fraction: float = 0.5) -> timedelta | None:
    due = next_attempt_at(attempt, fraction)
    return None if due is None else due - attempt.ended_at


def test_fourteen_attempts_lie_as_far_apart_as_promised() -> None:
    found = [pause(replace(FAILED, number=number)) for number in range(1, 15)]
    assert found == [
        *(SECOND, 2 * SECOND, 5 * SECOND, 10 * SECOND, 30 * SECOND),
        *(5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR),
        *(10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR, None),
    ]
    assert sum(PAUSES, timedelta()) == timedelta(hours=75, minutes=35, seconds=48)
    assert MAX_ATTEMPTS == 14
    assert sum(PAUSES[:EARLY_ATTEMPTS], timedelta()) * 1.2 < MINUTE


@pytest.mark.parametrize(("fraction", "due"), [(0.0, 240), (0.25, 270), (0.5, 300), (1.0, 360)])
def test_a_pause_is_up_to_a_fifth_longer_or_shorter(fraction: float, due: int) -> None:
    assert pause(replace(FAILED, number=6), fraction) == due * SECOND


def test_what_succeeded_is_not_tried_again() -> None:
    assert pause(replace(FAILED, verdict=verdict_of_status(204))) is None


def test_a_lost_attempt_is_made_up_for() -> None:
    assert pause(replace(FAILED, verdict=AttemptVerdict(AttemptOutcome.LOST))) == SECOND


def test_what_is_refused_is_tried_three_times_within_half_a_minute() -> None:
    refused = replace(FAILED, number=9, verdict=verdict_of_status(404))
    found = [pause(replace(refused, refusals=count)) for count in (1, 2, 3, 4)]
    assert found == [5 * SECOND, 15 * SECOND, None, None]
    assert pause(replace(refused, refusals=1, planned_at=NOW + HOUR)) == 5 * SECOND


def test_it_is_tried_as_long_as_any_other_if_later_documents_wait_for_it() -> None:
    refused = replace(FAILED, verdict=verdict_of_status(404), refusals=8, is_patient=True)
    assert pause(replace(refused, number=8)) == 2 * HOUR
    assert pause(replace(refused, number=MAX_ATTEMPTS)) is None


def test_an_attempt_before_its_time_leaves_the_schedule_as_it_is() -> None:
    early = replace(FAILED, number=8, planned_at=NOW + MINUTE)
    assert pause(early, 0.0) == MINUTE
    assert pause(replace(early, retry_after=2 * MINUTE)) == 2 * MINUTE
    assert pause(replace(early, planned_at=NOW - MINUTE)) == timedelta(0)


def attempt(number: int, started: timedelta, result: AttemptResult | None) -> DeliveryAttempt:
    return DeliveryAttempt(
        id=AttemptId(number),
        account_id=AccountId(1),
        environment=Environment.SANDBOX,
        outbox_id=OutboxId(1),
        attempt=number,
        message_id="",
        started_at=NOW + started,
        result=result,
    )


def ended(next_after: timedelta | None, outcome: AttemptOutcome) -> AttemptResult:
    due = None if next_after is None else NOW + next_after
    return AttemptResult(finished_at=NOW, outcome=outcome, next_attempt_at=due)


def test_only_attempts_made_at_their_time_count() -> None:
    failed, permanent = AttemptOutcome.FAILED, AttemptOutcome.PERMANENT
    first = attempt(1, 0 * SECOND, ended(SECOND, failed))
    second = attempt(2, SECOND, ended(HOUR, permanent))
    early = [
        attempt(3, 2 * SECOND, ended(HOUR, failed)),
        attempt(4, 3 * SECOND, ended(HOUR, failed)),
    ]
    running, late = attempt(5, 4 * SECOND, None), attempt(6, HOUR, None)
    planned = NOW + HOUR
    assert schedule_progress([]) == ScheduleProgress(0, None, 0, ())
    assert schedule_progress([first]) == ScheduleProgress(1, NOW + SECOND, 0, ())
    assert schedule_progress([first, second, early[0]]) == ScheduleProgress(2, planned, 1, ())
    assert schedule_progress([first, second, *early, running]) == ScheduleProgress(
        2, planned, 1, (early[0].id, early[1].id)
    )
    assert schedule_progress([first, second, *early, late]) == ScheduleProgress(3, None, 1, ())


def test_77_a_destination_that_is_gone_is_not_tried_again() -> None:
    assert pause(replace(FAILED, verdict=verdict_of_status(410))) is None


def test_77_a_redirect_is_a_failure_like_others() -> None:
    assert pause(replace(FAILED, verdict=verdict_of_status(302))) == SECOND


@pytest.mark.parametrize(
    ("asked", "due"),
    [
        (None, SECOND),
        (timedelta(0), SECOND),
        (120 * SECOND, 120 * SECOND),
        (3 * DAY, DAY),
    ],
)
def test_77_retry_after_is_never_undercut_and_honoured_up_to_a_day(
    asked: timedelta | None, due: timedelta
) -> None:
    assert pause(replace(FAILED, retry_after=asked)) == due


@given(
    number=st.integers(1, 13),
    asked=st.timedeltas(timedelta(0), timedelta(days=2)),
    fraction=st.floats(0, 1),
)
def test_no_jitter_undercuts_what_was_asked(number: int, asked: timedelta, fraction: float) -> None:
    found = pause(replace(FAILED, number=number, retry_after=asked), fraction)
    assert found is not None
    assert found >= min(asked, DAY)
    assert found >= PAUSES[number] * 0.8


def test_nothing_is_tried_behind_the_business_deadline() -> None:
    at = replace(FAILED, number=6, deadline=NOW + 5 * MINUTE)
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
