"""Check the syntax of single segments: ids, trailing separators, line breaks, characters in data.

Almost every batch is plain: three searches over its text show that it has no syntax fault. Only the
others are checked segment by segment.

Source: x12.md sections 1.3 and 1.7.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from longshore.x12.batch import BatchKind, SegmentBatch
from longshore.x12.delimiters import Delimiters
from longshore.x12.findings import FindingCode
from longshore.x12.report import Reporter, SegmentRef, has_keys

# The extended character set (x12.md 1.7): printable ASCII; circumflex and grave accent only later.
_LATER: Final = "^`"
_LATER_SINCE: Final = "005010"
_LATER_SINCE_INTERCHANGE: Final = "00501"
_PRINTABLE: Final = "".join(map(chr, range(0x20, 0x7F)))
_EXTENDED: Final = _PRINTABLE.translate({ord(mark): None for mark in _LATER})

_ANY_CASE_ID = re.compile("[A-Za-z][A-Za-z0-9]{1,2}")


@lru_cache(maxsize=256)
def _plain_octets(marks: str) -> bytes:
    return (_EXTENDED + marks).encode()


@lru_cache(maxsize=256)
def _unusual(delimiters: Delimiters, *, is_later: bool) -> re.Pattern[str]:
    """Return the pattern of a character outside the extended set, line breaks aside."""
    allowed = (_PRINTABLE if is_later else _EXTENDED) + delimiters.element + delimiters.segment
    allowed += delimiters.component + delimiters.repetition + delimiters.release + "\r\n"
    return re.compile(f"[^{re.escape(allowed)}]")


def is_plain(batch: SegmentBatch) -> bool:
    """Return whether no finding of this module can apply to ``batch``; never wrongly True."""
    source, separator = batch.source, batch.separator
    if batch.odd_ids or not source.isascii() or batch.delimiters.release:
        return False
    if batch.kind is BatchKind.SEGMENTS and _has_trailing_separators(batch):
        return False
    marks = batch.delimiters.marks + separator
    if source.encode().translate(None, _plain_octets(marks)):
        return False
    if batch.kind is not BatchKind.SEGMENTS:
        return source.isprintable()  # an ISA may have a separator as data
    gaps = len(batch.texts) - 1
    # Characters between segments must not be in data too: there they are a finding or an escape.
    blanks = "\r\n\t" if "\t" in separator else "\r\n"
    return all(
        source.count(mark) == (gaps if mark in separator else 0) for mark in blanks if mark in marks
    )


def _has_trailing_separators(batch: SegmentBatch) -> bool:
    element, separator = batch.delimiters.element, batch.separator
    if not separator:
        return any(text.endswith(element) for text in batch.texts)
    return batch.source.endswith(element) or element + separator in batch.source


class SyntaxCheck:
    """Reports what is noteworthy in the segments of a batch that is not plain."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter

    def segment(self, place: SegmentRef, version: str) -> None:
        """Report the syntax faults of one segment.

        Args:
            place: The segment.
            version: The version in force, from GS08 or ISA12.
        """
        batch, text, row = place.batch, place.batch.texts[place.at], place.batch.rows[place.at]
        if batch.kind is BatchKind.BINARY:
            return
        if row[0] in batch.odd_ids:
            self._segment_id(place)
        delimiters = batch.delimiters
        if len(row) > 1 and not row[-1] and batch.kind is not BatchKind.HEAD:
            self._warn(
                FindingCode.TRAILING_SEPARATORS, "empty elements at the end of the segment", place
            )
        if "\n" in text or "\r" in text:
            self._elements(FindingCode.LINE_BREAK_IN_DATA, _LINE_BREAK, _LINE_BREAK_TEXT, place)
        is_later = version >= _LATER_SINCE or (
            len(version) == len(_LATER_SINCE_INTERCHANGE) and version >= _LATER_SINCE_INTERCHANGE
        )
        unusual = _unusual(delimiters, is_later=is_later)
        if unusual.search(text):
            self._elements(FindingCode.EXTENDED_CHARSET, unusual, _CHARSET_TEXT, place)

    def _segment_id(self, place: SegmentRef) -> None:
        segment_id = place.batch.rows[place.at][0]
        if _ANY_CASE_ID.fullmatch(segment_id):
            self._warn(
                FindingCode.LOWERCASE_SEGMENT_ID, "the segment id has lower-case letters", place
            )
            return
        message = "the segment id is not a letter followed by one or two letters or digits"
        if not has_keys(segment_id):
            message += "; its elements are not in fields, only in the segments view"
        self._warn(FindingCode.BAD_SEGMENT_ID, message, place)

    def _elements(
        self, code: FindingCode, pattern: re.Pattern[str], message: str, place: SegmentRef
    ) -> None:
        row = place.batch.rows[place.at]
        for position, element in enumerate(row):
            if position and pattern.search(element):
                self._warn(code, message, place, position)

    def _warn(
        self, code: FindingCode, message: str, place: SegmentRef, element: int | None = None
    ) -> None:
        self._reporter.segment(code, message, place, element)


_LINE_BREAK = re.compile("[\r\n]")
_LINE_BREAK_TEXT: Final = "a line break stands in the data and is kept"
_CHARSET_TEXT: Final = "a character outside the X12 extended character set is kept"
