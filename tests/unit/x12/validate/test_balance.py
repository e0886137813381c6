"""Amounts as balancing reads them."""

from decimal import Decimal
from typing import cast

import pytest

from longshore.x12.validate.balance import (
    AmountRef,
    BalanceFault,
    ClaimBalance,
    PaymentBalance,
    amount,
    check_count,
)


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


def test_without_a_payment_and_before_a_claim_nothing_more_is_balanced() -> None:
    place = cast("AmountRef", None)
    balance = PaymentBalance()
    for row in (
        ["CAS", "CO", "45", "3"],
        ["CLP", "1", "1", "100", "80"],
        ["SVC", "HC:1", "100", "80"],
        ["CAS", "CO", "45", "20"],
        ["PLB", "1", "20241231", "L6", "5"],
    ):
        balance.take_segment(row[0], row, place)
    balance.finish()
    assert balance.faults == []


def test_a_line_is_balanced_with_what_another_payer_paid_and_adjusted() -> None:
    def faults_of(*rows: list[str]) -> list[str]:
        place = cast("AmountRef", None)
        balance = ClaimBalance()
        claim = (["CLM", "1", "100"], ["LX", "1"], ["SV1", "HC:1", "100"])
        for row in (["CAS", "CO", "45", "7"], *claim, *rows):
            balance.take_segment(row[0], row, place)
        balance.finish()
        return [str(fault.code) for fault in balance.faults]

    paid = ["SVD", "PAYER", "80"]
    assert faults_of(paid, ["CAS", "CO", "45", "20"]) == []
    assert faults_of(paid, ["CAS", "CO", "45", "19"]) == ["service_out_of_balance"]
    assert faults_of(paid, ["CAS", "CO", "45", "x"]) == []  # what is no number is not added up
