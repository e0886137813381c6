"""Findings about the content of one set, each with its exact place, within a limit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from longshore.x12.batch import SegmentBatch
from longshore.x12.delimiters import Delimiters
from longshore.x12.findings import ACK_CODES, Finding, FindingCode, Severity
from longshore.x12.places import Places
from longshore.x12.release import split_released
from longshore.x12.report import has_keys
from longshore.x12.results import SetResult

# Errors whose place is kept, of a whole document: acknowledgements name them. Answers show fewer.
MOST_ERRORS: Final = 10_000
MOST_OTHERS: Final = 1_000


class Spot(NamedTuple):
    """A segment in a set: index ``at`` in ``batch``, ``position`` (ST = 1), prefix of its keys."""

    batch: SegmentBatch
    at: int
    tx_index: int
    position: int
    key: str


class Part(NamedTuple):
    """An element of a segment, or a repetition or component of it; positions from 1."""

    element: int
    repeat: int | None = None
    component: int | None = None
    reference: str = ""


@dataclass(slots=True)
class Content:
    """What is found about the content of a document.

    ``counts``: findings of severity error, and the others, kept or not.
    """

    places: Places
    leniency: Mapping[str, Severity]
    errors: list[Finding] = field(default_factory=list)
    others: list[Finding] = field(default_factory=list)
    error_count: int = 0
    other_count: int = 0

    def report(  # noqa: PLR0913, PLR0917 - the members of a finding
        self,
        code: FindingCode,
        severity: Severity,
        message: str,
        spot: Spot,
        result: SetResult,
        layer: str,
        loop_id: str | None = None,
        part: Part | None = None,
        segment_id: str | None = None,
        allowed: tuple[str, ...] | None = None,
        bad_value: str | None = None,
    ) -> None:
        """Keep a finding, or count it where the list is full."""
        severity = self.leniency.get(code, severity)
        is_error = severity is Severity.ERROR
        kept, most = (self.errors, MOST_ERRORS) if is_error else (self.others, MOST_OTHERS)
        self.error_count += is_error
        self.other_count += not is_error
        ack_code = ACK_CODES.get(code)
        if len(kept) >= most:
            if is_error and ack_code is not None and "segment" in ack_code:
                result.count(ack_code, layer)
            return
        own_id = spot.batch.rows[spot.at][0]
        is_short = len(own_id) <= 3  # noqa: PLR2004 - a longer one is no id
        offset, line = self.places.of(self._offset(spot, part), spot.batch)
        finding = Finding(
            code=code,
            severity=severity,
            layer=layer,
            message=message,
            tx_index=spot.tx_index or None,
            segment_id=segment_id or (own_id if is_short else None),
            segment_position=spot.position,
            loop_id=loop_id,
            element_position=part.element if part else None,
            component_position=part.component if part else None,
            repeat=part.repeat if part else None,
            element_ref=(part.reference or None) if part else None,
            path=_path(spot, part) if segment_id in {None, own_id} and has_keys(own_id) else None,
            offset=offset,
            line=line,
            allowed=allowed,
            ack_code=ack_code,
            bad_value=bad_value if is_short else own_id,
        )
        kept.append(finding)
        if is_error and ack_code is not None and "segment" in ack_code:
            result.add(finding)

    @staticmethod
    def _offset(spot: Spot, part: Part | None) -> int:
        start = spot.batch.starts[spot.at]
        if part is None:
            return start
        return start + offset_in(spot.batch.texts[spot.at], part, spot.batch.delimiters)


def _path(spot: Spot, part: Part | None) -> str:
    if part is None:
        return spot.key
    path = f"{spot.key}.{part.element:02d}"
    if part.repeat is not None and part.repeat > 1:
        path += f"[{part.repeat}]"
    return path if part.component is None else f"{path}.{part.component:02d}"


def offset_in(text: str, part: Part, delimiters: Delimiters) -> int:
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
    stretch = text[start:end]
    if delimiters.release:
        pieces = split_released(stretch, separator, delimiters.release)
    else:
        pieces = stretch.split(separator, number)
    if number > len(pieces):
        return end, end
    begin = start + sum(map(len, pieces[: number - 1])) + number - 1
    return begin, begin + len(pieces[number - 1])
