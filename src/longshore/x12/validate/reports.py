"""Findings about the content of a document, each with its exact position, within limits.

Theory. A document may consist of errors, and most of them will never be read. So a finding gets
only what is used: text and exact position if an answer can list it, codes and position in the set
if an acknowledgement can name it, else only a count.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from longshore.x12.delimiters import Delimiters
from longshore.x12.document_positions import DocumentPositions
from longshore.x12.findings import ACK_CODES, SEVERITIES, Finding, FindingCode, Severity
from longshore.x12.release import split_released
from longshore.x12.report import SegmentRef, has_keys
from longshore.x12.results import STANDARD_LAYER, SetFault, SetResult, fault_of

MAX_ERRORS: Final = 10_000  # of a whole document, that acknowledgements can name
MAX_LISTED: Final = 1_000
"""Findings about the content of a document that answers can list: of errors, and of the others.

Those of reading and of envelopes have a limit of their own (``findings.MAX_FINDINGS``). Of both
together an answer has at most ``outcome.MAX_ANSWERED_FINDINGS``.
"""


# What sets are acknowledged by, of the findings that are only counted.
_FAULTS: Final[Mapping[tuple[str, bool], SetFault]] = {
    (code, is_standard): fault_of(ack_code, is_standard=is_standard)
    for code, ack_code in ACK_CODES.items()
    if "segment" in ack_code
    for is_standard in (True, False)
}


class ElementPart(NamedTuple):
    """An element of a segment, or a repetition or component of it; positions from 1."""

    element: int
    repeat: int | None = None
    component: int | None = None
    reference: str = ""


@dataclass(slots=True)
class ContentReport:
    """The findings about the content of a document."""

    positions: DocumentPositions
    leniency: Mapping[str, Severity]
    errors: list[Finding] = field(default_factory=list)
    others: list[Finding] = field(default_factory=list)
    """With ``errors``: the findings that can be listed, the first ones by position."""
    error_count: int = 0
    other_count: int = 0
    """All."""

    def has_counted(self, code: FindingCode, layer: str, result: SetResult) -> bool:
        """Count a finding beyond the limits; return False if it must be recorded."""
        if self._severity_of(code) is not Severity.ERROR:
            is_full = self.other_count >= MAX_LISTED
            self.other_count += is_full
            return is_full
        result.has_errors = True
        if self.error_count < MAX_ERRORS:
            return False
        self.error_count += 1
        result.has_uncounted_places = True
        fault = _FAULTS.get((code, layer == STANDARD_LAYER))
        if fault is not None:
            result.count_fault(fault)
        return True

    def report(  # noqa: PLR0913, PLR0917 - the members of a finding
        self,
        code: FindingCode,
        message: str | Callable[[], str],
        segment: SegmentRef,
        result: SetResult,
        layer: str,
        loop_id: str | None = None,
        part: ElementPart | None = None,
        segment_id: str | None = None,
        allowed: tuple[str, ...] | None = None,
        bad_value: str | None = None,
    ) -> None:
        """Record a finding, or only count it if there are too many.

        Args:
            code: The finding code.
            message: The text, or a function that makes it, called only if it is listed.
            segment: The segment it is about.
            result: The result of the set.
            layer: The layer of the definition that is violated.
            loop_id: The loop of the segment.
            part: The element, repetition or component at fault.
            segment_id: The id of a missing segment, if it differs from that of ``segment``.
            allowed: The values that would be valid.
            bad_value: The value at fault.
        """
        if self.has_counted(code, layer, result):
            return
        severity = self._severity_of(code)
        is_error = severity is Severity.ERROR
        self.error_count += is_error
        self.other_count += not is_error
        listed = self.errors if is_error else self.others
        is_listed = len(listed) < MAX_LISTED or (
            # A missing segment is often certain only after many later segments.
            (segment.tx_index, segment.position) < _sort_key(listed[-1])
        )
        own_id = segment.batch.rows[segment.at][0]
        is_short = len(own_id) <= 3  # noqa: PLR2004 - a longer one is no id
        is_about_it = segment_id in {None, own_id} and has_keys(own_id)
        offset, line = self._place(segment, part) if is_listed else (None, None)
        finding = Finding(
            code=code,
            severity=severity,
            layer=layer,
            message=(message if isinstance(message, str) else message()) if is_listed else "",
            tx_index=segment.tx_index or None,
            segment_id=segment_id or (own_id if is_short else None),
            segment_position=segment.position,
            loop_id=loop_id,
            element_position=part.element if part else None,
            component_position=part.component if part else None,
            repeat=part.repeat if part else None,
            element_ref=(part.reference or None) if part else None,
            path=_path(segment, part) if is_listed and is_about_it else None,
            offset=offset,
            line=line,
            allowed=allowed,
            ack_code=ACK_CODES.get(code) if is_error else None,  # no other is acknowledged
            bad_value=bad_value if is_short else own_id,
        )
        if is_listed:
            insort(listed, finding, key=_sort_key)
            del listed[MAX_LISTED:]
        if finding.ack_code is not None and "segment" in finding.ack_code:
            result.add(finding)
        elif is_error:
            result.other_errors.append(finding)

    def _severity_of(self, code: FindingCode) -> Severity:
        return self.leniency.get(code, SEVERITIES[code])

    def _place(self, segment: SegmentRef, part: ElementPart | None) -> tuple[int, int]:
        """Return character and line in the document."""
        offset = segment.batch.starts[segment.at]
        if part is not None:
            offset += offset_in(segment.batch.texts[segment.at], part, segment.batch.delimiters)
        return self.positions.of(offset, segment.batch)


def _sort_key(finding: Finding) -> tuple[int, int]:
    """Return set and position in it."""
    return finding.tx_index or 0, finding.segment_position or 0


def _path(segment: SegmentRef, part: ElementPart | None) -> str:
    if part is None:
        return segment.key
    path = f"{segment.key}.{part.element:02d}"
    if part.repeat is not None and part.repeat > 1:
        path += f"[{part.repeat}]"
    return path if part.component is None else f"{path}.{part.component:02d}"


def offset_in(text: str, part: ElementPart, delimiters: Delimiters) -> int:
    """Return where a part begins in its segment; the segment's end if it is not there."""
    start, end = _piece(text, 0, len(text), delimiters.element, part.element + 1, delimiters)
    if part.repeat is not None and delimiters.repetition:
        start, end = _piece(text, start, end, delimiters.repetition, part.repeat, delimiters)
    if part.component is not None and delimiters.component:
        start, _ = _piece(text, start, end, delimiters.component, part.component, delimiters)
    return start


def _piece(
    text: str, start: int, end: int, separator: str, number: int, delimiters: Delimiters
) -> tuple[int, int]:
    """Return the bounds of piece ``number`` (from 1) of a stretch; its end where there is none."""
    span = text[start:end]
    if delimiters.release:
        pieces = split_released(span, separator, delimiters.release)
    else:
        pieces = span.split(separator, number)
    if number > len(pieces):
        return end, end
    begin = start + sum(map(len, pieces[: number - 1])) + number - 1
    return begin, begin + len(pieces[number - 1])
