"""Report findings about segments and elements with their exact position.

Positions are costly, so once the log is full a finding is only counted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from longshore.x12.batch import BatchKind, SegmentBatch
from longshore.x12.document_positions import DocumentPositions
from longshore.x12.findings import ACK_CODES, Finding, FindingCode, FindingLog, Severity
from longshore.x12.release import split_released

_KEYED_ID = re.compile("[A-Za-z0-9]{1,15}")


def has_keys(segment_id: str) -> bool:
    """Return whether a segment with this id can have flat keys.

    Ids that break the grammar still have keys while no key can be confused with another: 1 to 15
    letters and digits.
    """
    return _KEYED_ID.fullmatch(segment_id) is not None


class SegmentRef(NamedTuple):
    """A segment and its position in the document."""

    batch: SegmentBatch
    at: int
    """The index of the segment in ``batch``."""
    tx_index: int
    """The index of its transaction set, from 1; 0 outside every set."""
    position: int
    """Its position in its set (ST = 1) or, outside every set, in the document (from 1)."""
    key: str
    """The prefix of its flat keys, such as ``ST[2]/PO1[3]``; ``""`` if it is not known yet."""


class Reporter:
    """Writes findings about one document into its log."""

    def __init__(self, log: FindingLog, positions: DocumentPositions) -> None:
        self.log = log
        self._positions = positions

    def segment(
        self,
        code: FindingCode,
        message: str,
        place: SegmentRef,
        element: int | None = None,
    ) -> None:
        """Report a segment, or the element at 1-based position ``element`` of it."""
        if self.log.is_full(code):
            self.log.count(code)
            return
        batch, row = place.batch, place.batch.rows[place.at]
        offset = batch.starts[place.at]
        if element is not None:
            offset += _element_offset(batch, place.at, element)
        in_document, line = self._positions.of(offset, batch)
        path: str | None = None
        if place.key and has_keys(row[0]):  # an id that has no keys may be as long as a segment
            path = place.key if element is None else f"{place.key}.{element:02d}"
        severity = self.log.severity_of(code)
        self.log.add(
            Finding(
                code=code,
                severity=severity,
                message=message,
                tx_index=place.tx_index or None,
                segment_id=row[0] if len(row[0]) <= 3 else None,  # noqa: PLR2004 - a longer one is no id
                segment_position=place.position,
                element_position=element,
                path=path,
                offset=in_document,
                line=line,
                ack_code=_ack_code(code, severity),
            )
        )

    def region(
        self,
        code: FindingCode,
        message: str,
        start: int,
        place: tuple[int, int] | None = None,
    ) -> None:
        """Report something at reader's offset ``start`` that belongs to no segment."""
        if self.log.is_full(code):
            self.log.count(code)
            return
        self.document(code, message, *(place or self._positions.of(start)))

    def document(self, code: FindingCode, message: str, offset: int, line: int) -> None:
        """Report something about the document as a whole, at 0-based ``offset``, 1-based line.

        There are few such findings, so none is left out.
        """
        severity = self.log.severity_of(code)
        ack_code = _ack_code(code, severity)
        self.log.add(
            Finding(
                code=code,
                severity=severity,
                message=message,
                offset=offset,
                line=line,
                ack_code=ack_code,
            )
        )


def _ack_code(code: FindingCode, severity: Severity) -> Mapping[str, str] | None:
    """Return the acknowledgement codes a finding leads to: only errors are acknowledged."""
    return ACK_CODES.get(code) if severity is Severity.ERROR else None


def _element_offset(batch: SegmentBatch, index: int, element: int) -> int:
    """Return where an element starts in its segment; its end where the segment is too short."""
    text, parts, release = batch.texts[index], batch.rows[index], batch.delimiters.release
    if release and batch.kind is BatchKind.SEGMENTS:
        parts = split_released(text, batch.delimiters.element, release)
    if len(parts) <= element:
        return len(text)
    return sum(map(len, parts[:element])) + element
