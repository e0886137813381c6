"""How many wrong tokens an address may try (goal S17), and which addresses are let in."""

from datetime import timedelta

import pytest

from longshore.domain.inbound.channel import (
    MAX_REMEMBERED,
    TooManyWrongTokensError,
    WrongTokens,
    is_among,
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
    for number in range(MAX_REMEMBERED):
        wrong.add(f"another {number}")
    wrong.add("first")  # forgotten by now


@pytest.mark.parametrize(
    ("ip", "expected"),
    [
        ("192.0.2.7", True),
        ("::ffff:192.0.2.7", True),
        ("192.0.2.8", False),
        ("2001:db8::1", True),
        ("2001:db9::1", False),
        ("", False),
        ("proxy", False),
    ],
)
def test_an_address_is_of_a_network_in_either_spelling(ip: str, *, expected: bool) -> None:
    assert is_among(ip, ("192.0.2.7/32", "2001:db8::/32")) is expected
    assert not is_among(ip, ())
