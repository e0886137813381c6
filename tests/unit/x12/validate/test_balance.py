"""Amounts as balancing reads them."""

from decimal import Decimal
from typing import cast

import pytest

from longshore.x12.validate.balance import AmountRef, BalanceFault, amount, check_count


@pytest.mark.parametrize("text", ["1-2", "-", ".", "--1", "1.2.3", "1e2", "x", "9" * 40 + "x"])
def test_what_is_no_number_is_no_amount(text: str) -> None:
    assert amount(["BPR", text], 1) is None


@pytest.mark.parametrize(
    ("text", "value"), [("", "0"), ("12.50", "12.50"), ("-.5", "-0.5"), ("7.", "7"), ("007", "7")]
)
def test_numbers_are_exact_and_nothing_counts_as_zero(text: str, value: str) -> None:
    assert amount(["BPR", text], 1) == Decimal(value)


def test_an_element_that_is_not_there_counts_as_zero() -> None:
    assert amount(["BPR"], 1) == 0


def test_a_count_with_leading_zeros_is_the_count() -> None:
    faults: list[BalanceFault] = []
    place = cast("AmountRef", None)  # no fault has to name it
    check_count(["CTT", "002"], place, 2, faults)
    check_count(["CTT", "2x"], place, 2, faults)
    assert faults == []
