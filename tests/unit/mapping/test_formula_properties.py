"""Any text and any numbers: a formula is read or refused with a place, and decimals are exact."""

from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from longshore.mapping.formulas.arithmetic import OPERATIONS
from longshore.mapping.formulas.functions import LIST_FUNCTIONS
from longshore.mapping.formulas.parser import parse
from longshore.mapping.formulas.syntax import FormulaError

TOKENS = st.sampled_from([
    "(",
    ")",
    ",",
    "-",
    "*",
    "&",
    "=",
    '"',
    "{",
    "}",
    "sum",
    "n",
    "1.5",
    " and ",
])
NUMBERS = st.lists(
    st.tuples(st.decimals("-1e9", "1e9", places=4), st.decimals("-1e9", "1e9", places=3)),
    max_size=5,
)


def fault_of(text: str) -> FormulaError | None:
    try:
        parse(text)
    except FormulaError as error:
        return error
    return None


@given(st.text(max_size=60) | st.lists(TOKENS, max_size=30).map("".join))
def test_any_text_is_a_formula_or_is_refused_at_one_of_its_characters(text: str) -> None:
    fault = fault_of(text)
    if fault is not None:
        assert 1 <= fault.position <= len(text) + 1
        assert str(fault).startswith(f"character {fault.position}: ")


@given(NUMBERS)
def test_sums_of_products_are_exact(pairs: list[tuple[Decimal, Decimal]]) -> None:
    products = [OPERATIONS["*"](f"{one:f}", other) for one, other in pairs]
    made = LIST_FUNCTIONS["sum"](products)
    assert isinstance(made, Decimal)
    assert Fraction(made) == sum((Fraction(one) * Fraction(other) for one, other in pairs), 0)
