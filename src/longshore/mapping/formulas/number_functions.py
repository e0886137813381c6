"""The functions of formulas about numbers. Of null they give null.

Source: formulas.md section 3.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal

from longshore.mapping.formulas.arithmetic import exactly
from longshore.mapping.formulas.text_functions import whole
from longshore.mapping.formulas.values import EXACT, FormulaFault, Value, number_of
from longshore.mapping.operations import MAX_DECIMALS

_ROUNDED = EXACT.copy()
_ROUNDED.clear_traps()
_ONE = Decimal(1)


def number(value: Value) -> Value:
    """Return the number that a text is."""
    return number_of(value, "number")


def implied(value: Value, decimals: Value) -> Value:
    """Return a number whose last digits are decimals: 147600 and 2 give 1476.00.

    Raises:
        FormulaFault: It has a decimal point already.
    """
    count, found = whole(decimals, "implied", 0, MAX_DECIMALS), number_of(value, "implied")
    if found is None:
        return None
    if found.as_tuple().exponent:
        raise FormulaFault("implied needs a number without a decimal point")
    return found.scaleb(-count, EXACT)


def to_implied(value: Value, decimals: Value) -> Value:
    """Return a number without its decimal point: 14.76 and 2 give 1476.

    Raises:
        FormulaFault: It has more decimals than that.
    """
    count, found = whole(decimals, "to_implied", 0, MAX_DECIMALS), number_of(value, "to_implied")
    if found is None:
        return None
    moved = exactly("to_implied", EXACT.scaleb, found, count)
    integer = exactly("to_implied", EXACT.quantize, moved.to_integral_value(), _ONE)
    if integer != moved:
        raise FormulaFault("to_implied got a number with more decimals than that")
    return integer


def round_half_up(value: Value, decimals: Value = Decimal(0)) -> Value:
    """Return a number with so many decimals, halves away from zero."""
    count, found = whole(decimals, "round", 0, MAX_DECIMALS), number_of(value, "round")
    return None if found is None else _rounded("round", found, count, ROUND_HALF_UP)


def to_integer(where: str, rounding: str) -> Callable[[Value], Value]:
    """Return ``floor`` or ``ceil``."""

    def function(value: Value) -> Value:
        found = number_of(value, where)
        return None if found is None else _rounded(where, found, 0, rounding)

    return function


FLOOR = to_integer("floor", ROUND_FLOOR)
CEIL = to_integer("ceil", ROUND_CEILING)


def _rounded(where: str, value: Decimal, decimals: int, rounding: str) -> Decimal:
    made = value.quantize(_ONE.scaleb(-decimals), rounding, _ROUNDED)
    if not made.is_finite():
        raise FormulaFault(f"the result of {where} has too many digits")
    return made


def absolute(value: Value) -> Value:
    """Return a number without its sign."""
    found = number_of(value, "abs")
    return None if found is None else found.copy_abs()


def extreme(where: str, *, is_least: bool) -> Callable[..., Value]:
    """Return ``min`` or ``max`` of values: numbers, or dates of one kind; null does not count."""
    choose = min if is_least else max

    def function(*values: Value) -> Value:
        there = [value for value in values if value is not None]
        if not there:
            return None
        kinds = {type(value) for value in there}
        if len(kinds) == 1 and kinds <= {date, datetime, time}:
            return choose(there)
        return choose(number for value in there if (number := number_of(value, where)) is not None)

    return function
