"""Counts of a bucket are exact, on a clock that the test moves."""

import pytest

from longshore.domain.accounts.model import ApiKeyId
from longshore.http.quota import SWEEP_SECONDS, Charged, Quota
from longshore.kit.errors import ErrorCode

KEY, OTHER = ApiKeyId(1), ApiKeyId(2)


class Seconds:
    """A monotonic clock."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Seconds:
    return Seconds()


@pytest.fixture
def quota(clock: Seconds) -> Quota:
    return Quota("default", 600, 60, clock)


def let_in(quota: Quota, key: ApiKeyId, attempts: int) -> int:
    return sum(quota.charge(key).wait_seconds is None for _ in range(attempts))


def test_a_rested_key_has_its_burst_and_no_more(quota: Quota) -> None:
    assert let_in(quota, KEY, 100) == 60


def test_each_interval_gives_one_request_more(quota: Quota, clock: Seconds) -> None:
    let_in(quota, KEY, 60)
    counts = []
    for _ in range(20):
        clock.now += 0.1
        counts.append(let_in(quota, KEY, 5))
    assert counts == [1] * 20


def test_ten_minutes_at_ten_times_the_limit_let_in_what_is_promised(
    quota: Quota, clock: Seconds
) -> None:
    admitted = 0
    for _ in range(60_000):
        clock.now += 0.01
        admitted += let_in(quota, KEY, 1)
    promised = 60 + 10 * 600
    assert abs(admitted - promised) <= 1


def test_one_key_over_its_limit_changes_nothing_for_another(quota: Quota, clock: Seconds) -> None:
    for _ in range(600):
        clock.now += 0.1
        let_in(quota, OTHER, 10)
        assert quota.charge(KEY) == Charged(59, 1, None)


def test_what_is_left_and_when_it_is_whole_again(quota: Quota, clock: Seconds) -> None:
    assert quota.charge(KEY) == Charged(59, 1, None)
    assert [quota.charge(KEY).remaining for _ in range(59)] == list(range(58, -1, -1))
    assert quota.charge(KEY) == Charged(0, 6, 1)
    clock.now += 6
    assert quota.charge(KEY) == Charged(59, 1, None)


def test_who_waits_as_long_as_told_is_let_in(clock: Seconds) -> None:
    quota = Quota("submit", 6, 1, clock)
    assert quota.charge(KEY).wait_seconds is None
    wait = quota.charge(KEY).wait_seconds
    assert wait == 10
    clock.now += wait
    assert quota.charge(KEY).wait_seconds is None


def test_a_refused_request_costs_nothing(quota: Quota, clock: Seconds) -> None:
    let_in(quota, KEY, 10_000)
    clock.now += 6
    assert let_in(quota, KEY, 100) == 60


def test_headers_and_refusal_name_the_numbers(quota: Quota) -> None:
    assert dict(quota.headers(quota.charge(KEY))) == {
        b"ratelimit-policy": b'"default";q=600;w=60',
        b"ratelimit": b'"default";r=59;t=1',
        b"x-ratelimit-limit": b"600",
        b"x-ratelimit-remaining": b"59",
        b"x-ratelimit-reset": b"1",
    }
    refusal = quota.refusal(3)
    assert (refusal.code, refusal.retry_after_seconds) == (ErrorCode.RATE_LIMITED, 3)
    assert (refusal.details[0].limit, refusal.details[0].max) == ("default", 600)


def test_keys_that_rest_are_forgotten(quota: Quota, clock: Seconds) -> None:
    for number in range(1_000):
        quota.charge(ApiKeyId(number))
    assert len(quota) == 1_000
    clock.now += SWEEP_SECONDS
    quota.charge(KEY)
    assert len(quota) == 1
