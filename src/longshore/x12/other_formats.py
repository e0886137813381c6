"""Recognise documents of other formats by the first part of their text.

Text that could be X12, and prose, is not recognised.

Source: x12.md section 1.2.
"""

from __future__ import annotations

import csv
import re
from enum import StrEnum
from typing import Final

from longshore.x12.segment_table import KNOWN_SEGMENTS

RECOGNISED_CHARS: Final = 8_192
"""The number of characters of a text that are examined."""


class OtherFormat(StrEnum):
    """A format that is not X12, by the word it has in answers."""

    EDIFACT = "edifact"
    TRADACOMS = "tradacoms"
    HL7 = "hl7"
    JSON = "json"
    XML = "xml"
    CSV = "csv"

    @property
    def is_readable(self) -> bool:
        """True if Longshore reads this format."""
        return self in {OtherFormat.JSON, OtherFormat.XML, OtherFormat.CSV}


_PATTERNS: Final = {
    # UNA names the six separators that UNB and all other segments use.
    OtherFormat.EDIFACT: re.compile(r"UNA[^A-Za-z0-9]{6}|U(?:NB|IB|NG|NH)[^A-Za-z0-9\s]"),
    OtherFormat.TRADACOMS: re.compile(r"STX="),
    # Message, file and batch header: field separator, then the encoding characters.
    OtherFormat.HL7: re.compile(r"(?:MSH|FHS|BHS)(?:\||([^A-Za-z0-9\s])[^A-Za-z0-9\s]{2,5}\1)"),
    OtherFormat.XML: re.compile(
        r"<(?:\?xml\b|!--|!DOCTYPE(?!\s+html\b)|(?!html\b)[A-Za-z_][\w.:-]*(?:[\s>]|/>))",
        re.IGNORECASE,
    ),
    OtherFormat.JSON: re.compile(
        r'\{\s*(?:["}]|\Z)|\[\s*(?:[{\["\]]|-?[0-9]+(?:\.[0-9]+)?\s*,|(?:true|false|null)\b|\Z)'
    ),
}
_COLUMN_SEPARATORS: Final = ",;\t|"
_ENVELOPE: Final = frozenset({"ISA", "GS", "ST"})
_FEWEST_RECORDS: Final = 2


def recognise(text: str) -> OtherFormat | None:
    """Return the format of a text that is not X12, or None if it is not certain.

    Args:
        text: The document without white space and control characters in front of it.
    """
    start = text[:RECOGNISED_CHARS]
    for each, pattern in _PATTERNS.items():
        if pattern.match(start):
            return each
    return OtherFormat.CSV if _is_csv(start, is_cut=len(text) > RECOGNISED_CHARS) else None


def _is_csv(start: str, *, is_cut: bool) -> bool:
    """Return whether a text has records of columns; the last record of a cut text is ignored."""
    lines = start.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    lines = [f"{line}\n" for line in lines if line.strip()]
    for separator in _COLUMN_SEPARATORS:
        if lines and separator in lines[0]:
            records = list(csv.reader(lines, delimiter=separator))
            if _are_records(records[:-1] if is_cut else records):
                return True
    return False


def _are_records(records: list[list[str]]) -> bool:
    """Return whether all have the same number of columns, and are no segments or sentences."""
    widths = {len(record) for record in records}
    if len(records) < _FEWEST_RECORDS or len(widths) > 1 or widths == {1}:
        return False
    return not _are_segments(records) and not _is_prose(records)


def _are_segments(records: list[list[str]]) -> bool:
    """Return whether records may be the segments of an X12 document without an ISA."""
    ids = [record[0].strip().upper() for record in records]
    if ids[0] in _ENVELOPE:
        return True
    known = sum(each in KNOWN_SEGMENTS for each in ids)
    return ids[0] in KNOWN_SEGMENTS and 2 * known > len(ids)


def _is_prose(records: list[list[str]]) -> bool:
    """Return whether most separators are followed by a blank, as commas in sentences are."""
    following = [cell for record in records for cell in record[1:]]
    return 2 * sum(cell.startswith(" ") for cell in following) > len(following)
