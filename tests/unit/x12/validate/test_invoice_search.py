"""The search for invoices whose totals are right, in their text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.x12.validate.balance import InvoiceBalance, is_balanced
from longshore.x12.validate.invoice_search import InvoiceSearch

LINES = "~IT1*1*48*EA*12.75**BP*A~PID*F****Lamp~IT1**8*CA*36*PE"


def is_right(text: str, separator: str = "~") -> bool:
    """Return what a new search says about a set without its SE."""
    text = f"{text}~SE*9*0001~".replace("~", separator)
    search = InvoiceSearch("*")
    first, again = (search.is_right(text, separator) for _ in range(2))
    assert first is again
    return first


@pytest.mark.parametrize("separator", ["~", "~\r\n", "|"])
@pytest.mark.parametrize(
    "rest",
    ["~TDS*90000", "~TDS*90000*90000*88200~CTT*2", "~TDS*90000~CTT*2*56", "~CTT*2~TDS*90000"],
)
def test_plain_invoices_are_added_up(rest: str, separator: str) -> None:
    assert is_right(f"~BIG*20260101*1{LINES}{rest}", separator)


@pytest.mark.parametrize(
    "text",
    [
        f"{LINES}~TDS*90001",
        f"{LINES}~TDS*090000",
        f"{LINES}~TDS*90000~CTT*3",
        f"{LINES}~TDS*90000~CTT*2*57",
        f"{LINES}~TDS*90000~CTT*2*56~CTT*2",
        f"{LINES}~TDS*1~TDS*90000",
        f"{LINES}~SAC*A*C310***100~TDS*90000",
        f"{LINES}~TDS*90000~TXI*ST*0",
        f"{LINES}~TDS*90000~CTT*2~IT1*3*0*EA*0",
        f"{LINES}~IT1*3*1.0*EA*0~TDS*90000",
        f"{LINES}~IT1*3*1*EA*0*HU~TDS*90000",
        f"{LINES}~IT1*3*1*EA*0.000~TDS*90000",
        f"{LINES}~IT1*3*1~TDS*90000",
        LINES,
        "~TDS*0",
    ],
)
def test_all_others_are_left_to_the_balance(text: str) -> None:
    assert not is_right(text)


@given(
    st.lists(
        st.sampled_from([
            "IT1*1*2*EA*1.50", "IT1**3*EA*4*UM", "IT1*1**EA*5", "IT1*1*1*EA*1.5*PE",
            "IT1*1*1*EA*1.50*HP", "IT1*1*-1*EA*1.50", "SAC*C*D240***150", "TXI*ST*1.5",
            "TDS*300", "TDS*1200", "TDS*1500*1", "CTT*1", "CTT*2*5", "CTT*1*2", "PID*F",
        ]),
        max_size=7,
    )
)  # fmt: skip
def test_what_is_right_has_no_finding(segments: list[str]) -> None:
    text = "".join(f"~{each}" for each in segments)
    rows = [each.split("*") for each in segments]
    assert not is_right(text) or is_balanced(InvoiceBalance(), rows)
