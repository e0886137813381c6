"""Check the elements of an ISA.

A valid ISA matches one pattern; only others are checked element by element.

Source: x12.md sections 1.1, 1.2 rule 6, 2.1 and 4.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from longshore.x12.envelope_dates import TIME_OF_DAY, YEARLESS_DAY, is_short_date
from longshore.x12.findings import FindingCode
from longshore.x12.report import Reporter, SegmentRef

# Interchange id qualifiers (I05). Another code only warns.
KNOWN_QUALIFIERS: Final = frozenset([
    "01",
    "02",
    "03",
    "04",
    *(f"{code:02d}" for code in range(7, 39)),
    "AM",
    "NR",
    "SA",
    "SN",
    "ZZ",
])
_COMMON: Final = "(?:0[124789]|1[0-9]|2[0-9]|3[0-8]|ZZ)"
_TEXT: Final = "[^\x1d]*"
_SOMEBODY: Final = "[^\x1d]*[^ \x1d][^\x1d]*"
_GOOD = re.compile(
    "\x1d".join((
        "ISA",
        "0[0-6]",
        _TEXT,
        "0[01]",
        _TEXT,
        _COMMON,
        _SOMEBODY,
        _COMMON,
        _SOMEBODY,
        f"[0-9]{{2}}{YEARLESS_DAY}",
        TIME_OF_DAY,
        "(?:U|[^A-Za-z0-9 ])",
        "00[2-8][0-9]{2}",
        "[0-9]{9}",
        "[01]",
        "[PTI]",
        _TEXT,
    ))
)


def _matches(pattern: str) -> Callable[[str], bool]:
    compiled = re.compile(pattern)
    return lambda text: compiled.fullmatch(text) is not None


_QUALIFIER = _matches("[A-Za-z0-9]{2}")
_RULES: Final[tuple[tuple[int, FindingCode, str, Callable[[str], bool]], ...]] = (
    (1, FindingCode.AUTHORIZATION_QUALIFIER_INVALID, "is not 00 to 06", _matches("0[0-6]")),
    (3, FindingCode.SECURITY_QUALIFIER_INVALID, "is not 00 or 01", _matches("0[01]")),
    (5, FindingCode.SENDER_QUALIFIER_INVALID, "is not two letters or digits", _QUALIFIER),
    (6, FindingCode.SENDER_ID_INVALID, "is blank", lambda text: bool(text.strip())),
    (7, FindingCode.RECEIVER_QUALIFIER_INVALID, "is not two letters or digits", _QUALIFIER),
    (8, FindingCode.RECEIVER_ID_INVALID, "is blank", lambda text: bool(text.strip())),
    (9, FindingCode.INTERCHANGE_DATE_INVALID, "is not a date YYMMDD", is_short_date),
    (10, FindingCode.INTERCHANGE_TIME_INVALID, "is not a time HHMM", _matches(TIME_OF_DAY)),
    (
        11,
        FindingCode.STANDARDS_ID_INVALID,
        "is neither U nor a repetition separator",
        _matches("U|[^A-Za-z0-9 ]"),
    ),
    (
        12,
        FindingCode.INTERCHANGE_VERSION_INVALID,
        "is not a version from 00200 to 00899",
        _matches("00[2-8][0-9]{2}"),
    ),
    (
        13,
        FindingCode.INTERCHANGE_NUMBER_INVALID,
        "is not a control number of 9 digits",
        _matches("[0-9]{9}"),
    ),
    (14, FindingCode.ACK_REQUESTED_INVALID, "is not 0 or 1", _matches("[01]")),
    (15, FindingCode.USAGE_INDICATOR_INVALID, "is not P, T or I", _matches("[PTI]")),
)


def is_good_header(row: list[str]) -> bool:
    """Return whether an ISA certainly breaks no rule; False means that it must be checked."""
    return _GOOD.fullmatch("\x1d".join(row)) is not None


def check_interchange_header(
    row: list[str], place: SegmentRef, reporter: Reporter
) -> Iterator[FindingCode]:
    """Report each element of the ISA ``row`` that breaks its rule; unknown qualifiers warn.

    Yields:
        The code of each broken rule, in order of elements.
    """
    for position, code, fault, is_good in _RULES:
        if not is_good(row[position]):
            message = f"ISA{position:02d} {fault}"
            reporter.segment(code, message, place, position)
            yield code
        elif is_good is _QUALIFIER and row[position] not in KNOWN_QUALIFIERS:
            message = f"ISA{position:02d} is not a known interchange id qualifier"
            reporter.segment(FindingCode.UNKNOWN_QUALIFIER, message, place, position)
