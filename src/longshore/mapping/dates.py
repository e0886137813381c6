"""The transform ``date_iso``, and dates and times by tokens.

Source: fields-and-mapping.md sections 6.1 and 6.2.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from types import MappingProxyType
from typing import Final

FIRST_YEAR_OF_1900S: Final = 69  # two digits below it are of the 2000s

_DATE = re.compile("(?:[0-9]{2})?[0-9]{6}")
_DATE_AND_TIME = re.compile(
    r"(?P<date>[0-9]{8})[T ]?(?P<hour>[0-9]{2})(?P<minute>[0-9]{2})"
    r"(?:(?P<second>[0-9]{2})(?P<fraction>[0-9]{1,2})?)?"
)
_ISO_DATE = re.compile("([0-9]{4})-([0-9]{2})-([0-9]{2})")
_TOKENS: Final[Mapping[str, str]] = MappingProxyType({
    "CCYY": "[0-9]{4}",
    "YY": "[0-9]{2}",
    "MM": "[0-9]{2}",
    "DD": "[0-9]{2}",
    "HH": "[0-9]{2}",
    "MI": "[0-9]{2}",
    "SS": "[0-9]{2}",
})
_TOKEN = re.compile("|".join(_TOKENS))
_LAST: Final[Mapping[str, int]] = MappingProxyType({
    "MM": 12,
    "DD": 31,
    "HH": 23,
    "MI": 59,
    "SS": 59,
})


def iso_of(text: str) -> str | None:
    """Return the ISO form of a date, date and time, or range of two; None for any other text.

    ``text`` has no blanks around it. Text that begins with an ISO date is returned unchanged.
    """
    if _DATE.fullmatch(text):
        return _iso_date(text)
    if (iso := _ISO_DATE.match(text)) and _is_real(iso[1], iso[2], iso[3]):
        return text
    if whole := _moment(text):
        return whole
    first, dash, last = text.partition("-")
    ends = (_moment(first), _moment(last)) if dash else (None, None)
    return f"{ends[0]}/{ends[1]}" if ends[0] and ends[1] else None


def _moment(text: str) -> str | None:
    if _DATE.fullmatch(text):
        return _iso_date(text)
    match = _DATE_AND_TIME.fullmatch(text)
    if match is None:
        return None
    day, (hour, minute, second) = _iso_date(match["date"]), match.group("hour", "minute", "second")
    second = second or "00"
    if day is None or not _is_time(hour, minute, second):
        return None
    fraction = f".{match['fraction']}" if match["fraction"] else ""
    return f"{day}T{hour}:{minute}:{second}{fraction}"


def _iso_date(digits: str) -> str | None:
    """Return the ISO form of CCYYMMDD or YYMMDD, if it is a real date."""
    try:
        return date.fromisoformat(full_year(digits[:-4]) + digits[-4:]).isoformat()
    except ValueError:
        return None


def full_year(digits: str) -> str:
    """Return a year of two digits with its century; one of four as it is."""
    if len(digits) > 2:  # noqa: PLR2004 - CCYY
        return digits
    return f"{19 if int(digits) >= FIRST_YEAR_OF_1900S else 20}{digits}"


def _is_real(year: str, month: str, day: str) -> bool:
    try:
        date(int(year), int(month), int(day))
    except ValueError:
        return False
    return True


def _is_time(hour: str, minute: str, second: str) -> bool:
    return hour <= "23" and minute <= "59" and second <= "59"


class DateLayout:
    """A date or time as tokens: ``CCYY YY MM DD HH MI SS``, all else is literal."""

    def __init__(self, text: str) -> None:
        self.tokens = tuple(_TOKEN.findall(text))
        """The tokens in it, in order."""
        self._literals = _TOKEN.split(text)
        pieces = [re.escape(self._literals[0])]
        for token, literal in zip(self.tokens, self._literals[1:], strict=True):
            pieces += [f"({_TOKENS[token]})", re.escape(literal)]
        self._pattern = re.compile("".join(pieces))

    def read(self, text: str) -> dict[str, str] | None:
        """Return the digits of each token; None if ``text`` does not match or is no real date.

        A year is returned as ``CCYY`` and as ``YY``, however it is written.
        """
        match = self._pattern.fullmatch(text)
        if match is None:
            return None
        parts = dict(zip(self.tokens, match.groups(), strict=True))
        year = parts.get("CCYY") or (full_year(parts["YY"]) if "YY" in parts else "")
        if year:
            parts |= {"CCYY": year, "YY": year[2:]}
        return parts if _is_sound(parts) else None

    def write(self, parts: Mapping[str, str]) -> str:
        """Return the digits in this layout, whose tokens all are among ``parts``."""
        written = [self._literals[0]]
        for token, literal in zip(self.tokens, self._literals[1:], strict=True):
            written += [parts[token], literal]
        return "".join(written)

    def lacks(self, other: DateLayout) -> bool:
        """Return whether ``other`` has a token that cannot be had from this one."""
        known = {*self.tokens, *(("CCYY", "YY") if {"CCYY", "YY"} & {*self.tokens} else ())}
        return not known.issuperset(other.tokens)


def _is_sound(parts: Mapping[str, str]) -> bool:
    if any(int(parts[token]) > last for token, last in _LAST.items() if token in parts):
        return False
    # Without a year, February may have 29 days.
    year, month, day = (parts.get(*each) for each in (("CCYY", "2000"), ("MM", "01"), ("DD", "01")))
    return _is_real(year, month, day)
