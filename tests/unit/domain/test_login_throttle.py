"""How many wrong passwords are taken, with a clock that stands still."""

from datetime import timedelta

import pytest

from longshore.domain.users import throttle
from longshore.domain.users.errors import TooManyLoginsError
from longshore.domain.users.throttle import LoginOutcome, LoginThrottle
from tests.support.clock import StoppedClock

OWNER, ATTACKER = "192.0.2.1", "198.51.100.9"


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock()


@pytest.fixture
def logins(clock: StoppedClock) -> LoginThrottle:
    return LoginThrottle(clock)


def attempt(
    logins: LoginThrottle,
    account: str = "ada@example.com",
    ip: str = ATTACKER,
    outcome: LoginOutcome = LoginOutcome.FAILED,
) -> None:
    with logins.attempt(account, ip) as one:
        one.outcome = outcome


def refusal(logins: LoginThrottle, account: str, ip: str) -> tuple[str | None, int | None]:
    with pytest.raises(TooManyLoginsError) as refused, logins.attempt(account, ip):
        pass
    assert refused.value.retry_after_seconds is not None
    return refused.value.details[0].limit, refused.value.retry_after_seconds


def test_five_failures_of_a_pair_are_taken_and_a_sixth_is_not(
    logins: LoginThrottle, clock: StoppedClock
) -> None:
    for _ in range(5):
        attempt(logins)
        clock.move(timedelta(minutes=1))
    assert refusal(logins, "ada@example.com", ATTACKER) == ("login_failures", 600)


def test_an_owner_is_not_locked_out_by_somebody_elsewhere(logins: LoginThrottle) -> None:
    for _ in range(5):
        attempt(logins)
    refusal(logins, "ada@example.com", ATTACKER)
    attempt(logins, ip=OWNER, outcome=LoginOutcome.SUCCEEDED)


def test_a_client_may_fail_twenty_times_whoever_it_tries(logins: LoginThrottle) -> None:
    for number in range(20):
        attempt(logins, f"user{number}@example.com")
    assert refusal(logins, "next@example.com", ATTACKER) == ("login_failures_of_client", 900)
    attempt(logins, "next@example.com", OWNER)


def test_a_clock_that_is_set_back_locks_nobody_out(
    logins: LoginThrottle, clock: StoppedClock
) -> None:
    for _ in range(5):
        attempt(logins)
    clock.move(timedelta(days=-1))
    attempt(logins)


def test_places_come_back_one_by_one_fifteen_minutes_after_each_failure(
    logins: LoginThrottle, clock: StoppedClock
) -> None:
    for _ in range(5):
        attempt(logins)
        clock.move(timedelta(minutes=3))
    attempt(logins)
    assert refusal(logins, "ada@example.com", ATTACKER) == ("login_failures", 180)
    clock.move(timedelta(minutes=3) - timedelta(microseconds=1))
    assert refusal(logins, "ada@example.com", ATTACKER) == ("login_failures", 1)
    clock.move(timedelta(microseconds=1))
    attempt(logins)


def test_success_forgives_the_pair_and_not_the_client(logins: LoginThrottle) -> None:
    for _ in range(4):
        for _ in range(4):
            attempt(logins)
        attempt(logins, outcome=LoginOutcome.SUCCEEDED)
    for _ in range(4):
        attempt(logins)
    assert refusal(logins, "own@example.com", ATTACKER) == ("login_failures_of_client", 900)


def test_what_was_not_judged_counts_for_nothing(logins: LoginThrottle) -> None:
    for _ in range(50):
        attempt(logins, outcome=LoginOutcome.NOT_CHECKED)
    attempt(logins)


def break_in_the_middle(logins: LoginThrottle, outcome: LoginOutcome) -> None:
    with logins.attempt("a", OWNER) as one:
        one.outcome = outcome
        raise ValueError("broken")


def test_a_fault_while_it_is_judged_counts_as_it_was_set(logins: LoginThrottle) -> None:
    for outcome, count in [(LoginOutcome.NOT_CHECKED, 9), (LoginOutcome.FAILED, 5)]:
        for _ in range(count):
            with pytest.raises(ValueError, match="broken"):
                break_in_the_middle(logins, outcome)
    assert refusal(logins, "a", OWNER)[0] == "login_failures"


def test_many_at_once_do_not_slip_through_and_need_not_wait_long(logins: LoginThrottle) -> None:
    in_progress = [logins.attempt("ada@example.com", ATTACKER) for _ in range(5)]
    for each in in_progress:
        each.__enter__()
    assert refusal(logins, "ada@example.com", ATTACKER) == ("login_failures", 1)
    for each in in_progress:
        each.__exit__(None, None, None)
    attempt(logins)


def test_a_household_of_ipv6_is_one_client_and_a_mapped_address_what_it_maps(
    logins: LoginThrottle,
) -> None:
    for number in range(5):
        attempt(logins, ip=f"2001:db8:1:2::{number:x}")
    refusal(logins, "ada@example.com", "2001:db8:1:2:ffff::1")
    attempt(logins, ip="2001:db8:1:3::1")
    for _ in range(5):
        attempt(logins, ip=OWNER)
    refusal(logins, "ada@example.com", f"::ffff:{OWNER}")


def test_clients_without_an_address_count_as_one(logins: LoginThrottle) -> None:
    for _ in range(5):
        attempt(logins, ip="")
    refusal(logins, "ada@example.com", "")
    attempt(logins, ip="testclient")


def test_memory_is_bounded_and_the_oldest_is_forgotten(
    logins: LoginThrottle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttle, "MAX_REMEMBERED", 100)
    for _ in range(5):
        attempt(logins, ip=OWNER)
    for number in range(99):
        attempt(logins, f"{number}@example.com", f"198.51.100.{number}")
    refusal(logins, "ada@example.com", OWNER)
    attempt(logins, "one more", "203.0.113.1")
    attempt(logins, ip=OWNER)
