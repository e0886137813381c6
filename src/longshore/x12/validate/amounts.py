"""Read the numbers that are compared. What is not a number is None, and is not compared."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from typing import Final

from longshore.x12.control import element_at

_NUMBER = re.compile(r"-?[0-9]{1,18}(?:\.[0-9]{0,18})?|-?\.[0-9]{1,18}")
_IN_NUMBERS: Final = "0123456789.-"
_MAX_CHARS: Final = 18  # of a number whose length needs no check
_INTEGER = re.compile("-?[0-9]{1,18}")
ZERO: Final = Decimal(0)
CENTS: Final = Decimal("0.01")


def amount(row: list[str], position: int) -> Decimal | None:
    """Return the number at a position; zero if the element is absent, None if it is no number."""
    return number(row[position]) if position < len(row) else ZERO


def cents(row: list[str], position: int) -> Decimal | None:
    """Return the amount at a position that counts in cents, as ``amount`` does."""
    text = element_at(row, position)
    if not text:
        return ZERO
    return Decimal(text) * CENTS if _INTEGER.fullmatch(text) else None


def number(text: str) -> Decimal | None:
    """Return a number; zero for an empty text, None if it is no number."""
    if not text:
        return ZERO
    if len(text) > _MAX_CHARS:
        return Decimal(text) if _NUMBER.fullmatch(text) else None
    if text.strip(_IN_NUMBERS):
        return None
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def total(texts: Iterable[str]) -> Decimal | None:
    """Return the sum of numbers; None if one is none."""
    found = ZERO
    for text in texts:
        part = number(text)
        if part is None:
            return None
        found += part
    return found
