"""Check the elements of a GS.

Only AK905 code 6 is about an element of the GS, its control number; other faults of a GS are
content of the interchange (TA105 024). A valid GS matches one pattern; only others are checked
element by element.

Source: x12.md sections 1.5, 1.6 and 2.1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from longshore.x12.control import GROUP_NUMBER, element_at
from longshore.x12.envelope_dates import TIME_OF_DAY, YEARLESS_DAY, is_date, is_short_date
from longshore.x12.findings import FindingCode

_MAX_ELEMENTS: Final = 8
# Up to 003050 dates had 6 digits (x12.md 1.6), from 004010 on they have 8; between, both occur.
_LONG_DATES_SINCE: Final = "004010"

# Each set is checked against GS01 on its own (AK502 18).
_FUNCTIONAL_ID: Final = "(?=[^\x1d]*[^ \x1d])[^\x1d]+"
# X12 requires 2 characters; names of one also distinguish partners, so they are no fault.
_NAME: Final = "(?=[^\x1d]*[^ \x1d])[^\x1d]{1,15}"
_TIME: Final = f"{TIME_OF_DAY}(?:[0-5][0-9][0-9]{{0,2}})?"
_AGENCY: Final = "[XT]"
_VERSION: Final = "(?=[^\x1d]*[^ \x1d])[^\x1d]{1,12}"
_GOOD = re.compile(
    "\x1d".join((
        "GS",
        _FUNCTIONAL_ID,
        _NAME,
        _NAME,
        f"[1-9][0-9]{{3}}{YEARLESS_DAY}",
        _TIME,
        GROUP_NUMBER.pattern,
        _AGENCY,
        _VERSION,
    ))
)
_SIX_DIGITS = re.compile("[0-9]{6}")
_FIVE_DIGITS = re.compile("[0-9]{5}")


class HeaderFault(NamedTuple):
    """A fault of a GS: code, message and 1-based element."""

    code: FindingCode
    message: str
    element: int


def _matches(pattern: str) -> Callable[[str], bool]:
    compiled = re.compile(pattern)
    return lambda text: compiled.fullmatch(text) is not None


_CONTENT: Final = FindingCode.INTERCHANGE_CONTENT_INVALID
_IS_NAME: Final = _matches(_NAME)
_DATE_POSITION: Final = 4
_RULES: Final[tuple[tuple[int, FindingCode, str, Callable[[str], bool]], ...]] = (
    (1, _CONTENT, "is blank", _matches(_FUNCTIONAL_ID)),
    (2, _CONTENT, "is blank or longer than 15 characters", _IS_NAME),
    (3, _CONTENT, "is blank or longer than 15 characters", _IS_NAME),
    (_DATE_POSITION, FindingCode.GROUP_DATE_INVALID, "is not a date CCYYMMDD", is_date),
    (5, FindingCode.GROUP_TIME_INVALID, "is not a time HHMM, HHMMSS or HHMMSSDD", _matches(_TIME)),
    (
        6,
        FindingCode.GROUP_NUMBER_INVALID,
        "is not a number of 1 to 9 digits",
        _matches(GROUP_NUMBER.pattern),
    ),
    (7, FindingCode.GROUP_AGENCY_INVALID, "is not X or T", _matches(_AGENCY)),
    (8, _CONTENT, "is blank or longer than 12 characters", _matches(_VERSION)),
)


def is_good_group_header(row: list[str]) -> bool:
    """Return whether a GS certainly breaks no rule; False means that it must be checked."""
    return _GOOD.fullmatch("\x1d".join(row)) is not None


def group_header_faults(row: list[str], interchange_version: str) -> Iterator[HeaderFault]:
    """Yield each element of a GS that breaks its rule, then the first surplus element.

    Args:
        row: The id and the elements of the GS.
        interchange_version: ISA12, ``""`` without an ISA.
    """
    for position, code, fault, is_good in _RULES:
        text = element_at(row, position)
        if is_good(text):
            continue
        is_early = position == _DATE_POSITION and _has_short_dates(row, interchange_version)
        if not (is_early and is_short_date(text)):
            message = f"GS{position:02d} {fault if text else 'is missing'}"
            yield HeaderFault(code, message, position)
    if any(row[_MAX_ELEMENTS + 1 :]):
        message = f"GS has more than {_MAX_ELEMENTS} elements"
        yield HeaderFault(FindingCode.GROUP_ELEMENTS_SURPLUS, message, _MAX_ELEMENTS + 1)


def _has_short_dates(row: list[str], interchange_version: str) -> bool:
    """Return whether GS08, else ISA12, names a release that may have dates of 6 digits, or none."""
    release = _SIX_DIGITS.match(element_at(row, _MAX_ELEMENTS))
    if release is not None:
        return release[0] < _LONG_DATES_SINCE
    if _FIVE_DIGITS.fullmatch(interchange_version):
        return f"{interchange_version}0" < _LONG_DATES_SINCE
    return True
