"""Reporting: findings with their exact place, out of what the layers above notice.

A place costs more than the finding is worth once the log is full; then it is only counted.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from longshore.x12.batch import BatchKind, SegmentBatch
from longshore.x12.findings import Finding, FindingCode, FindingLog, Severity
from longshore.x12.places import Places
from longshore.x12.release import split_released

_KEYED_ID = re.compile("[A-Za-z0-9]{1,15}")


def has_keys(segment_id: str) -> bool:
    """Tell whether a segment with this id can have flat keys.

    Ids that break the grammar still have keys while no key can be confused with another: 1 to 15
    letters and digits.
    """
    return _KEYED_ID.fullmatch(segment_id) is not None


class SegmentPlace(NamedTuple):
    """Where a segment stands.

    ``at``: its index in ``batch``. ``tx_index``: its transaction set, 0 outside. ``position``: in
    its set, ST = 1, or, outside, in the document. ``key``: the prefix of its flat keys, such as
    ``ST[2]/PO1[3]``, or ``""`` where it is not known yet.
    """

    batch: SegmentBatch
    at: int
    tx_index: int
    position: int
    key: str


class Reporter:
    """Writes findings about one document into its log."""

    def __init__(self, log: FindingLog, places: Places) -> None:
        self.log = log
        self._places = places

    def segment(
        self,
        code: FindingCode,
        severity: Severity,
        message: str,
        place: SegmentPlace,
        element: int | None = None,
    ) -> None:
        """Report a segment, or the element at 1-based position ``element`` of it."""
        if self.log.is_full(severity):
            self.log.count(code)
            return
        batch, row = place.batch, place.batch.rows[place.at]
        offset = batch.starts[place.at]
        if element is not None:
            offset += _element_offset(batch, place.at, element)
        in_document, line = self._places.of(offset, batch)
        path: str | None = None
        if place.key and has_keys(row[0]):  # an id that has no keys may be as long as a segment
            path = place.key if element is None else f"{place.key}.{element:02d}"
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
            )
        )

    def region(
        self,
        code: FindingCode,
        severity: Severity,
        message: str,
        start: int,
        place: tuple[int, int] | None = None,
    ) -> None:
        """Report something at reader's offset ``start`` that belongs to no segment."""
        if self.log.is_full(severity):
            self.log.count(code)
            return
        in_document, line = place or self._places.of(start)
        self.log.add(
            Finding(code=code, severity=severity, message=message, offset=in_document, line=line)
        )

    def document(self, code: FindingCode, message: str, offset: int, line: int) -> None:
        """Warn of something about the document as a whole, at 0-based ``offset``, 1-based line."""
        finding = Finding(
            code=code, severity=Severity.WARNING, message=message, offset=offset, line=line
        )
        self.log.add_of_document(finding)


def _element_offset(batch: SegmentBatch, index: int, element: int) -> int:
    """Return where an element starts in its segment; its end where the segment is too short."""
    text, parts, release = batch.texts[index], batch.rows[index], batch.delimiters.release
    if release and batch.kind is BatchKind.SEGMENTS:
        parts = split_released(text, batch.delimiters.element, release)
    if len(parts) <= element:
        return len(text)
    return sum(map(len, parts[:element])) + element
