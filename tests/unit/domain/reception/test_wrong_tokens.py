"""How many wrong tokens an address may try (goal S17)."""

from datetime import timedelta

from longshore.domain.reception.tokens import (
    MOST_REMEMBERED,
    TooManyWrongTokensError,
    WrongTokens,
)
from tests.support.clock import StoppedClock


def test_ten_thousand_guesses_of_an_address_are_let_through_ten_at_a_time() -> None:
    clock, let_through = StoppedClock(), 0
    wrong = WrongTokens(clock)
    for _ in range(10_000):
        clock.move(timedelta(milliseconds=60))  # ten minutes in all
        try:
            wrong.add("2001:db8::1")
        except TooManyWrongTokensError:
            continue
        let_through += 1
    assert let_through == 100


def test_what_is_remembered_of_addresses_is_bounded() -> None:
    wrong = WrongTokens(StoppedClock())
    for _ in range(10):
        wrong.add("first")
    for number in range(MOST_REMEMBERED):
        wrong.add(f"another {number}")
    wrong.add("first")  # forgotten by now
