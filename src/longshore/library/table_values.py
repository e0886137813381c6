"""Typed values of columns from the texts of documents, without a guess."""

from __future__ import annotations

import re
from datetime import date, datetime
from decimal import Decimal
from typing import Final

from longshore.library.segments import DocumentSegment
from longshore.library.table_columns import ColumnType
from longshore.x12.dictionary.model import ElementType

_DECIMALS: Final = 4
_DIGITS_BEFORE: Final = 14
_REAL = re.compile("[+-]?([0-9]*)(?:[.]([0-9]*))?")
_WHOLE = re.compile("[+-]?[0-9]+")
_DATE = re.compile("([0-9]{4})([0-9]{2})([0-9]{2})")
_TIMESTAMP = re.compile("[0-9]{12}(?:[0-9]{2})?")

Value = str | Decimal | date | None


class NotOfTypeError(ValueError):
    """A text is no value of the type of its column."""


def typed(text: str, column_type: ColumnType, implied_decimals: int = 0) -> Value:
    """Return a text as a value of a column, None if it is empty.

    Args:
        text: The text of an element.
        column_type: Text, amount or date.
        implied_decimals: The number of digits behind a point that is not written, as in N2.

    Raises:
        NotOfTypeError: It is no such value.
    """
    if not text:
        return None
    if column_type is ColumnType.AMOUNT:
        return _amount(text, implied_decimals)
    if column_type is ColumnType.DATE:
        return _date(text)
    return text


def timestamp(day: str, time: str) -> datetime | None:
    """Return the date and time of a GS, None without either; hundredths are left out.

    Raises:
        NotOfTypeError: The date has no century, or it is no date or time.
    """
    if not day and not time:
        return None
    text = day + time[:6]
    if _TIMESTAMP.fullmatch(text) is None:
        raise NotOfTypeError(text)
    try:
        return datetime.strptime(text.ljust(14, "0"), "%Y%m%d%H%M%S")  # noqa: DTZ007 - X12 has none
    except ValueError as fault:
        raise NotOfTypeError(text) from fault


def implied_decimals(segment: DocumentSegment, position: int) -> int:
    """Return how many decimals an element has without a point, by its definition: 2 for N2."""
    slot = None if segment.cursor is None else segment.cursor.slot
    uses = () if slot is None else slot.use.segment.uses
    kind = uses[position - 1].type if position <= len(uses) else None
    is_implied = isinstance(kind, ElementType) and kind.kind[0] == "N"
    return int(kind.kind[1:] or 0) if is_implied and isinstance(kind, ElementType) else 0


def _amount(text: str, decimals: int) -> Decimal:
    if decimals:
        if _WHOLE.fullmatch(text) is None:
            raise NotOfTypeError(text)
        value = Decimal(text).scaleb(-decimals)
    else:
        found = _REAL.fullmatch(text)
        if found is None or not (found[1] or found[2]):
            raise NotOfTypeError(text)
        value = Decimal(text)
    exact = round(value, _DECIMALS)
    if exact != value or abs(exact) >= 10**_DIGITS_BEFORE:
        raise NotOfTypeError(text)
    return exact


def _date(text: str) -> date:
    found = _DATE.fullmatch(text)
    if found is None:
        raise NotOfTypeError(text)
    try:
        return date(*map(int, found.groups()))
    except ValueError as fault:
        raise NotOfTypeError(text) from fault
