"""Dates and times of the envelope: ISA09 and ISA10, GS04 and GS05.

Source: x12.md section 1.6.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Final

# Patterns. A day that each year has; of 29 February only the calendar knows.
YEARLESS_DAY: Final = (
    "(?:(?:0[1-9]|1[0-2])(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])(?:29|30)|(?:0[13578]|1[02])31)"
)
TIME_OF_DAY: Final = "(?:[01][0-9]|2[0-3])[0-5][0-9]"  # HHMM

_CENTURY_PIVOT: Final = 69  # 00 to 68 are 20yy, 69 to 99 are 19yy
_SHORT_DIGITS: Final = 6  # of YYMMDD
_EIGHT_DIGITS = re.compile("[0-9]{8}")


def is_short_date(text: str) -> bool:
    """Return whether ``text`` is a day YYMMDD of the calendar."""
    if len(text) != _SHORT_DIGITS:
        return False
    return is_date(("19" if text[:2] >= str(_CENTURY_PIVOT) else "20") + text)


def is_date(text: str) -> bool:
    """Return whether ``text`` is a day CCYYMMDD of the calendar."""
    if not _EIGHT_DIGITS.fullmatch(text):
        return False
    try:
        date(int(text[:4]), int(text[4:6]), int(text[6:]))
    except ValueError:
        return False
    return True
