"""The functions of formulas about dates and times. Of null they give null.

Source: formulas.md section 3.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Mapping
from datetime import date, datetime, time
from decimal import Decimal
from functools import lru_cache
from typing import Final

from longshore.mapping.dates import DateLayout, iso_of
from longshore.mapping.formulas.arithmetic import days_between
from longshore.mapping.formulas.text_functions import text_in, whole
from longshore.mapping.formulas.values import FormulaFault, Value, needs

_ISO_DATE = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DIGITS = re.compile("(?:[0-9]{2})?[0-9]{6}")
_TIME = re.compile("([0-9]{2}):?([0-9]{2})(?::?([0-9]{2})(?:\\.?([0-9]{1,2}))?)?")
_CLOCK: Final = frozenset(("HH", "MI", "SS"))
_LAST_HOUR: Final = 23
_LAST_MINUTE: Final = 59
_MONTHS: Final = 12
_MAX_MONTHS: Final = 120_000


@lru_cache(maxsize=64)
def layout_of(pattern: str) -> DateLayout | None:
    """Return a pattern of ``CCYY YY MM DD HH MI SS``; None if it holds none, or one twice."""
    layout = DateLayout(pattern)
    tokens = layout.tokens
    return layout if tokens and len(set(tokens)) == len(tokens) else None


def _layout(pattern: Value, where: str) -> DateLayout:
    layout = layout_of(pattern) if isinstance(pattern, str) else None
    if layout is None:
        raise FormulaFault(f"{where} needs a pattern of CCYY YY MM DD HH MI SS, each at most once")
    return layout


def to_date(value: Value, pattern: Value = None) -> Value:
    """Return the date in a text, by default CCYYMMDD, YYMMDD or ISO.

    With a pattern that has tokens of a time, it has a time too.

    Raises:
        FormulaFault: The text does not match.
    """
    if isinstance(value, date):
        return value
    text = text_in(value, "date")
    if text is None:
        return None
    if pattern is None:
        iso = iso_of(text) if _DIGITS.fullmatch(text) else text
        if iso is None or not _ISO_DATE.fullmatch(iso):
            raise FormulaFault("date needs CCYYMMDD, YYMMDD or CCYY-MM-DD, or a pattern")
        parts = dict(zip(("CCYY", "MM", "DD"), iso.split("-"), strict=True))
    else:
        found = _layout(pattern, "date").read(text)
        if found is None:
            raise FormulaFault("date got a text that does not match its pattern")
        parts = found
    return _moment(parts)


def _moment(parts: Mapping[str, str]) -> date:
    try:
        year, month, day = (int(parts[token]) for token in ("CCYY", "MM", "DD"))
        if _CLOCK.isdisjoint(parts):
            return date(year, month, day)
        hour, minute, second = (int(parts.get(token, "0")) for token in ("HH", "MI", "SS"))
        return datetime(year, month, day, hour, minute, second)  # noqa: DTZ001 - of no zone
    except KeyError:
        raise FormulaFault("the pattern of date needs year, month and day") from None
    except ValueError:
        raise FormulaFault("date got a day that does not exist") from None


def to_time(value: Value) -> Value:
    """Return the time in a text: HHMM, HHMMSS, or with colons; hundredths may follow.

    Raises:
        FormulaFault: The text is no time.
    """
    if isinstance(value, time):
        return value
    text = text_in(value, "time")
    if text is None:
        return None
    match = _TIME.fullmatch(text)
    if (
        match is None
        or int(match[1]) > _LAST_HOUR
        or max(int(match[2]), int(match[3] or 0)) > _LAST_MINUTE
    ):
        raise FormulaFault("time needs HHMM, HHMMSS, HH:MM or HH:MM:SS")
    micros = int((match[4] or "").ljust(6, "0"))
    return time(int(match[1]), int(match[2]), int(match[3] or 0), micros)


def formatted(value: Value, pattern: Value) -> Value:
    """Return a date or time as text by a pattern.

    Raises:
        FormulaFault: The value is none, or lacks what the pattern writes.
        needs: A FormulaFault.
    """
    layout = _layout(pattern, "format")
    if value is None:
        return None
    parts: dict[str, str] = {}
    if isinstance(value, date):
        year = f"{value.year:04d}"
        parts |= {
            "CCYY": year,
            "YY": year[2:],
            "MM": f"{value.month:02d}",
            "DD": f"{value.day:02d}",
        }
    if isinstance(value, (time, datetime)):
        parts |= {
            "HH": f"{value.hour:02d}",
            "MI": f"{value.minute:02d}",
            "SS": f"{value.second:02d}",
        }
    if not parts:
        raise needs("format", "a date or time", value)
    if not parts.keys() >= set(layout.tokens):
        raise FormulaFault("format got a value without what its pattern writes")
    return layout.write(parts)


def _day(value: Value, where: str) -> date | None:
    if value is None or isinstance(value, date):
        return value
    raise needs(where, "a date", value)


def part(where: str, read: Callable[[date], int]) -> Callable[[Value], Value]:
    """Return a function that gives a number of a date, such as ``year``."""

    def function(value: Value) -> Value:
        day = _day(value, where)
        return None if day is None else Decimal(read(day))

    return function


def add_months(value: Value, months: Value) -> Value:
    """Return a date some months later; a day that the month lacks becomes its last.

    Raises:
        FormulaFault: It leads beyond the years 1 to 9999.
    """
    day, count = _day(value, "add_months"), whole(months, "add_months", -_MAX_MONTHS, _MAX_MONTHS)
    if day is None:
        return None
    year, month = divmod(day.year * _MONTHS + day.month - 1 + count, _MONTHS)
    if not 1 <= year <= date.max.year:
        raise FormulaFault("add_months leads beyond the years 1 to 9999")
    last = monthrange(year, month + 1)[1]
    return day.replace(year=year, month=month + 1, day=min(day.day, last))


def days(first: Value, last: Value) -> Value:
    """Return the number of days from one date to another."""
    begin, end = _day(first, "days_between"), _day(last, "days_between")
    return None if begin is None or end is None else days_between(begin, end)
