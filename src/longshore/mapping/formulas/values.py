"""The values of formulas: how they are read as numbers, written as texts, and compared.

Numbers are exact decimals. What an operation cannot take is a ``FormulaFault``, which ends the
formula for the row.

Source: formulas.md section 2.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, time
from decimal import (
    ROUND_HALF_EVEN,
    Context,
    Decimal,
    DivisionByZero,
    Inexact,
    InvalidOperation,
    Overflow,
)
from operator import eq, ge, gt, le, lt, ne
from types import MappingProxyType
from typing import Any, Final

from longshore.mapping.values import MAX_DIGITS
from longshore.mapping.writes import JsonLiteral

# A datetime is a date for Python, so it is asked for first.
Value = str | Decimal | bool | date | time | datetime | None

FORMULA_TYPE: Final = "formula_type"
LOOKUP_MISS: Final = "lookup_miss"

_NUMBER = re.compile(r"[+-]?(?:[0-9]++(?:\.[0-9]*+)?+|\.[0-9]++)")
_EXPONENT_DIGITS: Final = 4

EXACT: Final = Context(
    prec=MAX_DIGITS,
    rounding=ROUND_HALF_EVEN,
    Emin=-2 * MAX_DIGITS,
    Emax=2 * MAX_DIGITS,
    traps=[Inexact, InvalidOperation, DivisionByZero, Overflow],
)
"""The context of exact results: one that is not exact within 1,000 digits is refused."""
QUOTIENT: Final = Context(
    prec=28,
    rounding=ROUND_HALF_EVEN,
    Emin=-2 * MAX_DIGITS,
    Emax=2 * MAX_DIGITS,
    traps=[InvalidOperation, DivisionByZero, Overflow],
)


class FormulaFault(Exception):  # noqa: N818 - a finding about one row, not an error
    """A value does not fit; the message does not quote it."""

    def __init__(self, message: str, code: str = FORMULA_TYPE) -> None:
        super().__init__(message)
        self.code = code
        """The code of the finding: ``formula_type`` or ``lookup_miss``."""
        self.message = message


def kind_of(value: Value) -> str:
    """Return the kind of a value in words."""
    return next(name for kind, name in _KINDS if isinstance(value, kind))


_KINDS: Final = (
    (str, "a text"),
    (bool, "a boolean"),
    (Decimal, "a number"),
    (datetime, "a date with a time"),
    (date, "a date"),
    (time, "a time"),
    (object, "null"),
)


def value_of(text: str | None) -> Value:
    """Return a value of a document that may be a JSON literal: a number or boolean there."""
    if not isinstance(text, JsonLiteral):
        return text
    if text in {"true", "false"}:
        return text == "true"
    if len(text) > MAX_DIGITS:
        return text
    exponent = text.lower().partition("e")[2].lstrip("+-")
    if len(exponent) > _EXPONENT_DIGITS:
        return text
    number = Decimal(text)
    return number if abs(number.adjusted()) <= MAX_DIGITS else text


def text_of(value: Value) -> str:
    """Return a value as text: exact, without exponent; dates as ISO, null as an empty text."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return f"{value:f}" if value else f"{abs(value):f}"
    return value.isoformat()


def number_in(text: str) -> Decimal | None:
    """Return the number that a text is; None if it is none."""
    if len(text) > MAX_DIGITS or _NUMBER.fullmatch(text) is None:
        return None
    return Decimal(text)


def number_of(value: Value, where: str) -> Decimal | None:
    """Return a value as number; a text that is one counts, null stays null.

    Args:
        value: The value.
        where: The operator or function that needs it.

    Raises:
        needs: A FormulaFault: it is no number.
    """
    if value is None or type(value) is Decimal:
        return value
    number = number_in(value) if isinstance(value, str) else None
    if number is None:
        raise needs(where, "numbers", value)
    return number


def needs(where: str, what: str, value: Value) -> FormulaFault:
    """Return the fault about a value of another kind than an operator or function needs."""
    kind = kind_of(value)
    return FormulaFault(f"{where} needs {what} and got {kind}")


def truth_of(value: Value, where: str) -> bool:
    """Return a condition; null is false.

    Raises:
        needs: A FormulaFault: it is no boolean.
    """
    if value is True:
        return True
    if value is False or value is None:
        return False
    raise needs(where, "true or false", value)


_COMPARE: Final[Mapping[str, Callable[[Any, Any], bool]]] = MappingProxyType({
    "=": eq,
    "<>": ne,
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
})


def comparison(operator: str) -> Callable[[Value, Value], bool]:
    """Return the function that compares two values; with null it is false.

    Numbers and dates compare by value, a text that is a number with a number too; else texts.
    """
    compare = _COMPARE[operator]

    def compared(left: Value, right: Value) -> bool:
        if left is None or right is None:
            return False
        if type(left) is type(right):
            return compare(*_comparable(left, right))
        if isinstance(left, str) and type(right) is Decimal:
            number = number_in(left)
            if number is not None:
                return compare(number, right)
        elif isinstance(right, str) and type(left) is Decimal:
            number = number_in(right)
            if number is not None:
                return compare(left, number)
        return compare(text_of(left), text_of(right))

    return compared


def _comparable(left: Value, right: Value) -> tuple[Value, Value]:
    if isinstance(left, bool):
        return text_of(left), text_of(right)
    return left, right
