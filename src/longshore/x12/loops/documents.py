"""Place the segments of a whole document, each set in its own definition.

Source: docs/reference/dictionary.md section 4.
"""

from __future__ import annotations

from typing import NamedTuple

from longshore.x12.control import SegmentSpan, element_at
from longshore.x12.delimiters import Delimiters
from longshore.x12.dictionary.library import Dictionary
from longshore.x12.dictionary.model import Definition
from longshore.x12.loops.placement import Placement, SetCursor
from longshore.x12.loops.table import HEADING, SUMMARY, table_of

_HEADER = SetCursor(HEADING, (), None, has_place=True)
_TRAILER = SetCursor(SUMMARY, (), None, has_place=True)


class NamedVersions(NamedTuple):
    """The versions that the headers around a set name."""

    set_id: str
    """ST01."""
    group_version: str
    """GS08."""
    interchange_version: str
    """ISA12, without padding."""
    set_reference: str
    """ST03."""


class DocumentPlacement:
    """Places the segments of the spans it is given, in document order.

    ``release``, six digits, and ``guide`` replace what ISA12, GS08 and ST03 name.
    """

    def __init__(self, dictionary: Dictionary, release: str = "", guide: str = "") -> None:
        self._dictionary = dictionary
        self._release = release
        self._guide = guide
        self._interchange_version = ""
        self._group_version = ""
        self._placement: Placement | None = None
        self.definition: Definition | None = None
        """The definition of the last set that began."""
        self._last: tuple[SegmentSpan, list[SetCursor | None]] | None = None

    def of(self, span: SegmentSpan) -> list[SetCursor | None]:
        """Return the cursor of each segment; None where there is no definition.

        The last span may be passed again.
        """
        if self._last is None or self._last[0] is not span:
            rows = span.batch.rows[span.first : span.last]
            if span.occurrence:
                cursors = [self._control(span, rows[0])]
            elif self._placement is not None and span.tx_index:
                cursors = list(map(self._placement.locate, rows))
                self._placement.faults.clear()  # they are not used
            else:
                cursors = [None] * len(rows)
            self._last = span, cursors
        return self._last[1]

    def _control(self, span: SegmentSpan, row: list[str]) -> SetCursor | None:
        tag = row[0]
        if tag == "ISA":
            self._interchange_version, self._group_version = element_at(row, 12).strip(), ""
        elif tag == "GS":
            self._group_version = element_at(row, 8)
        elif tag in {"GE", "IEA"}:
            self._group_version = ""
        elif tag == "ST":
            self._begin(row, span.batch.delimiters)
        has_definition = self._placement is not None and bool(span.tx_index)
        if tag not in {"ST", "SE"} or not has_definition:
            return None
        return _HEADER if tag == "ST" else _TRAILER

    def _begin(self, row: list[str], delimiters: Delimiters) -> None:
        named = NamedVersions(
            element_at(row, 1), self._group_version, self._interchange_version, element_at(row, 3)
        )
        self.definition = definition_of(self._dictionary, named, self._release, self._guide)
        self._placement = None
        if self.definition is not None:
            known_ids = self._dictionary.vocabulary_of(self.definition).known_ids
            self._placement = Placement(table_of(self.definition), delimiters, known_ids)


def definition_of(
    dictionary: Dictionary, named: NamedVersions, release: str, guide: str
) -> Definition | None:
    """Return the definition of a set: that of a request, else that which its headers name."""
    if guide or release:
        return requested_definition(dictionary, named.set_id, release, guide)
    return dictionary.resolve(*named).definition


def requested_definition(
    dictionary: Dictionary, set_id: str, release: str, guide: str
) -> Definition | None:
    """Return the definition of a set that a request names by release, guide or both."""
    if guide:
        return dictionary.definition(set_id, release or guide[:6], guide)
    return dictionary.resolve(set_id, release).definition
