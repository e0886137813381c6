"""Amounts as balancing reads them."""

from decimal import Decimal
from typing import cast

import pytest

from longshore.x12.validate.amount_balance import AmountRef
from longshore.x12.validate.amounts import amount, cents
from longshore.x12.validate.balance import ClaimBalance, PaymentBalance, RemittanceBalance


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
    assert cents(["TDS"], 1) == 0


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


def remitted(*rows: str) -> list[str]:
    """Return the findings about an 820 with these segments."""
    place = cast("AmountRef", None)
    balance = RemittanceBalance()
    for row in rows:
        balance.take_segment(row.split("*")[0], row.split("*"), place)
    balance.finish()
    return [str(fault.code) for fault in balance.faults]


ITEMS = ("ENT*1", "ADX*-5*01", "RMR*IV*1**70", "ADX*-2*01", "RMR*IV*2**30", "ENT*2", "ADX*1*01")


@pytest.mark.parametrize(("paid", "is_right"), [("100", 1), ("96", 1), ("94", 1), ("95", 0)])
def test_a_remittance_pays_its_items_with_or_without_adjustments(paid: str, is_right: int) -> None:
    assert remitted(f"BPR*C*{paid}", *ITEMS) == ["remittance_out_of_balance"] * (1 - is_right)


@pytest.mark.parametrize(
    "rows",
    [
        (),
        ("RMR*IV*2",),
        ("RMR*IV*2**x",),
        ("RMR*IV*2**7", "ADX*x*01"),
        ("RMR*IV*2**7", "TXP*1"),
    ],
)
def test_a_remittance_of_unknown_or_other_amounts_is_not_compared(rows: tuple[str, ...]) -> None:
    assert remitted("BPR*C*1", *rows) == []


def test_a_remittance_without_a_payment_that_is_a_number_is_not_compared() -> None:
    assert remitted("RMR*IV*2**7") == []
    assert remitted("BPR*C*x", "RMR*IV*2**7") == []
