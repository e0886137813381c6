"""The operators of formulas: ``+ - * / % &`` and the sign.

Source: formulas.md sections 1 and 2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from decimal import Decimal, DecimalException, DivisionByZero
from types import MappingProxyType
from typing import Final

from longshore.mapping.formulas.values import (
    EXACT,
    QUOTIENT,
    FormulaFault,
    Value,
    number_of,
    text_of,
)
from longshore.mapping.values import MAX_DIGITS, MAX_VALUE_CHARS, ValueTooLongError

Operation = Callable[[Value, Value], Value]


def _numeric(sign: str, compute: Callable[[Decimal, Decimal], Decimal]) -> Operation:
    def operation(left: Value, right: Value) -> Value:
        one = left if type(left) is Decimal else number_of(left, sign)
        other = right if type(right) is Decimal else number_of(right, sign)
        if one is None or other is None:
            return None
        return exactly(sign, compute, one, other)

    return operation


def exactly(sign: str, compute: Callable[..., Decimal], *numbers: Decimal | int) -> Decimal:
    """Return the result of an operation in ``EXACT`` or ``QUOTIENT``.

    Raises:
        FormulaFault: It has no result, or none that is exact.
    """
    try:
        return compute(*numbers)
    except DivisionByZero:
        raise FormulaFault(f"{sign} cannot divide by zero") from None
    except DecimalException:
        raise FormulaFault(f"the result of {sign} has more than {MAX_DIGITS} digits") from None


def _remainder(one: Decimal, other: Decimal) -> Decimal:
    if not other:
        raise DivisionByZero
    rest = EXACT.remainder(one, other)
    return EXACT.add(rest, other) if rest and (rest < 0) is not (other < 0) else rest


def _quotient(one: Decimal, other: Decimal) -> Decimal:
    if not other:
        raise DivisionByZero
    return QUOTIENT.divide(one, other)


_ADD: Final = _numeric("+", EXACT.add)
_SUBTRACT: Final = _numeric("-", EXACT.subtract)


def _add(left: Value, right: Value) -> Value:
    if isinstance(left, date):
        return moved(left, right, "+")
    if isinstance(right, date):
        return moved(right, left, "+")
    return _ADD(left, right)


def _subtract(left: Value, right: Value) -> Value:
    if not isinstance(left, date):
        return _SUBTRACT(left, right)
    if not isinstance(right, date):
        number = number_of(right, "-")
        return moved(left, None if number is None else -number, "-")
    return days_between(right, left)


def days_between(first: date, last: date) -> Decimal:
    """Return the number of days from one date to another; times do not count."""
    return Decimal(last.toordinal() - first.toordinal())


def moved(day: date, days: Value, where: str) -> Value:
    """Return a date some days later; None if their number is null.

    Raises:
        FormulaFault: It is no whole number, or leads beyond the years 1 to 9999.
    """
    number = number_of(days, where)
    if number is None:
        return None
    if number != number.to_integral_value() or abs(number) > _MAX_DAYS:
        raise FormulaFault(f"{where} needs a whole number of days up to {_MAX_DAYS}")
    try:
        return day + timedelta(days=int(number))
    except OverflowError:
        raise FormulaFault(f"{where} leads beyond the years 1 to 9999") from None


_MAX_DAYS: Final = 3_652_058


def joined(left: Value, right: Value) -> str:
    """Return the texts of two values in one; null is an empty text.

    Raises:
        ValueTooLongError: It is too long.
    """
    text = text_of(left) + text_of(right)
    if len(text) > MAX_VALUE_CHARS:
        raise ValueTooLongError
    return text


def negative(value: Value) -> Value:
    """Return a number with the other sign.

    Raises:
        FormulaFault: It is no number.
    """
    number = number_of(value, "-")
    return None if number is None else number.copy_negate() if number else number


OPERATIONS: Final[Mapping[str, Operation]] = MappingProxyType({
    "+": _add,
    "-": _subtract,
    "*": _numeric("*", EXACT.multiply),
    "/": _numeric("/", _quotient),
    "%": _numeric("%", _remainder),
    "&": joined,
})
"""The operators between two values."""
