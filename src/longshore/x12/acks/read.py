"""Read the segments of a received 997, 999 or TA1 into results.

The partner's values are stored verbatim; codes that X12 does not define give warnings only.
Validation reports a malformed acknowledgement; here every segment is read, even a note without its
set.

Source: x12.md sections 2.1 to 2.3 and 2.6.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from longshore.x12.acks import codes
from longshore.x12.acks.codes import Status
from longshore.x12.control import element_at
from longshore.x12.delimiters import Delimiters
from longshore.x12.findings import NO_LENIENCY, SEVERITIES, Finding, FindingCode, Severity

_NUMBER = re.compile("[0-9]{1,10}")
_REJECTING = frozenset("RMWX")


@dataclass(frozen=True, slots=True)
class AckContext:
    """A CTX: its name such as ``CLM01`` or ``SITUATIONAL TRIGGER``, its value, what follows."""

    name: str
    value: str
    rest: tuple[str, ...]


@dataclass(slots=True)
class ElementNote:
    """An AK4 or IK4. Positions from 1, None where absent or no number; ``code`` is AK403."""

    element_position: int | None
    component_position: int | None
    repeat: int | None
    element_ref: str
    code: str
    bad_value: str
    contexts: list[AckContext] = field(default_factory=list)


@dataclass(slots=True)
class SegmentNote:
    """An AK3 or IK3."""

    segment_id: str
    position: int | None
    """The position of the segment, ST = 1."""
    loop_id: str
    code: str
    """AK304."""
    contexts: list[AckContext] = field(default_factory=list)
    elements: list[ElementNote] = field(default_factory=list)


@dataclass(slots=True)
class SetAck:
    """An AK2 and what follows it to its AK5 or IK5; ``status`` is ``""`` where that is missing."""

    set_id: str
    control_number: str
    reference: str
    status: str = ""
    codes: tuple[str, ...] = ()
    segments: list[SegmentNote] = field(default_factory=list)


@dataclass(slots=True)
class GroupAck:
    """A received 997 or 999, which answers one group."""

    ack_type: str
    functional_id: str = ""
    control_number: str = ""
    version: str = ""
    status: str = ""
    included: int | None = None
    received: int | None = None
    accepted: int | None = None
    """AK902 to AK904, None where absent or no number."""
    codes: tuple[str, ...] = ()
    sets: list[SetAck] = field(default_factory=list)
    warnings: list[Finding] = field(default_factory=list)
    """Codes that X12 does not define, and counts that contradict each other. Only a leniency gives
    them another severity."""

    @property
    def rejected_sets(self) -> list[SetAck]:
        """The sets that are listed as rejected."""
        return [each for each in self.sets if is_rejecting(each.status)]


@dataclass(frozen=True, slots=True)
class ReceivedTa1:
    """A received TA1: ISA13, ISA09 and ISA10 of the interchange it answers, status and code."""

    control_number: str
    date: str
    time: str
    status: str
    code: str
    warnings: tuple[Finding, ...]


def is_rejecting(status: str) -> bool:
    """Return whether an AK501 or AK901 status rejects: R, and M, W and X of the security."""
    return status in _REJECTING


def read_ta1(
    row: list[str], position: int, leniency: Mapping[str, Severity] = NO_LENIENCY
) -> ReceivedTa1:
    """Read a TA1 at ``position`` of the document, from 1, with the leniency of the partner."""
    number, date, time, status, code = (element_at(row, at) for at in range(1, 6))
    place = _SegmentPosition("TA1", position, None, leniency)
    warnings = (
        *place.unknown(4, status, codes.INTERCHANGE_STATUSES),
        *place.unknown(5, code, codes.INTERCHANGE_CODES),
    )
    return ReceivedTa1(number, date, time, status, code, warnings)


def read_group_ack(
    rows: Iterable[list[str]],
    delimiters: Delimiters,
    tx_index: int | None = None,
    leniency: Mapping[str, Severity] = NO_LENIENCY,
) -> GroupAck:
    """Read one 997 or 999.

    Args:
        rows: Its segments, beginning with its ST.
        delimiters: The separators of its interchange.
        tx_index: The index of this set, for the warnings.
        leniency: The severities of the warnings.
    """
    reader = _Reader(delimiters, tx_index, leniency)
    for position, row in enumerate(rows, 1):
        reader.take(row, position)
    return reader.finished()


@dataclass(frozen=True, slots=True)
class _SegmentPosition:
    segment_id: str
    position: int
    tx_index: int | None
    leniency: Mapping[str, Severity]

    def unknown(self, element: int, code: str, known: frozenset[str]) -> Iterable[Finding]:
        """Yield the warning about a code that X12 does not know."""
        if code and code not in known:
            message = f"{self.segment_id}{element:02d} is not a code that X12 knows"
            yield self.warning(FindingCode.ACK_CODE_UNKNOWN, message, element)

    def warning(self, code: FindingCode, message: str, element: int | None = None) -> Finding:
        return Finding(
            code=code,
            severity=self.leniency.get(code, SEVERITIES[code]),
            message=message,
            tx_index=self.tx_index,
            segment_id=self.segment_id,
            segment_position=self.position,
            element_position=element,
        )


class _Reader:
    def __init__(
        self, delimiters: Delimiters, tx_index: int | None, leniency: Mapping[str, Severity]
    ) -> None:
        self._component = delimiters.component
        self._ack = GroupAck("")
        self._place = _SegmentPosition("", 0, tx_index, leniency)
        self._result_place: _SegmentPosition | None = None
        self._contexts: list[AckContext] = []

    def take(self, row: list[str], position: int) -> None:
        """Read one row; ids that acknowledgements do not have are passed over."""
        tag = row[0]
        self._place = _SegmentPosition(tag, position, self._place.tx_index, self._place.leniency)
        if tag == "ST":
            self._ack.ack_type = element_at(row, 1)
        elif tag == "AK1":
            self._ack.functional_id = element_at(row, 1)
            self._ack.control_number = element_at(row, 2)
            self._ack.version = element_at(row, 3)
        elif tag == "AK9":
            self._group_result(row)
        else:
            self._about_set(tag, row)

    def finished(self) -> GroupAck:
        """Return the acknowledgement, with what its counts contradict."""
        if self._result_place is not None and not has_consistent_counts(self._ack):
            message = "AK902 to AK904 contradict each other, the status or the sets listed"
            self._ack.warnings.append(self._result_place.warning(FindingCode.ACK_COUNTS, message))
        return self._ack

    def _about_set(self, tag: str, row: list[str]) -> None:
        if tag == "AK2":
            number, reference = element_at(row, 2), element_at(row, 3)
            self._ack.sets.append(SetAck(element_at(row, 1), number, reference))
        elif tag in {"AK3", "IK3"}:
            self._segment_note(row)
        elif tag in {"AK4", "IK4"}:
            self._element_note(row)
        elif tag == "CTX":
            self._context(row)
        elif tag in {"AK5", "IK5"}:
            current = self._current_set()
            current.status = element_at(row, 1)
            self._check(1, current.status, codes.SET_STATUSES)
            current.codes = self._errors(row, 2, codes.SET_CODES)

    def _segment_note(self, row: list[str]) -> None:
        position = _number(element_at(row, 2))
        note = SegmentNote(element_at(row, 1), position, element_at(row, 3), element_at(row, 4))
        self._check(4, note.code, codes.SEGMENT_CODES)
        self._current_set().segments.append(note)
        self._contexts = note.contexts

    def _element_note(self, row: list[str]) -> None:
        element, component, repeat = (*element_at(row, 1).split(self._component), "", "")[:3]
        note = ElementNote(
            _number(element),
            _number(component),
            _number(repeat),
            element_ref=element_at(row, 2),
            code=element_at(row, 3),
            bad_value=element_at(row, 4),
        )
        self._check(3, note.code, codes.ELEMENT_CODES)
        segments = self._current_set().segments
        if not segments:
            segments.append(SegmentNote("", None, "", ""))
        segments[-1].elements.append(note)
        self._contexts = note.contexts

    def _context(self, row: list[str]) -> None:
        name, _, value = element_at(row, 1).partition(self._component)
        self._contexts.append(AckContext(name, value, tuple(row[2:])))

    def _group_result(self, row: list[str]) -> None:
        ack = self._ack
        ack.status = element_at(row, 1)
        ack.included, ack.received, ack.accepted = (
            _number(element_at(row, at)) for at in (2, 3, 4)
        )
        self._check(1, ack.status, codes.GROUP_STATUSES)
        ack.codes = self._errors(row, 5, codes.GROUP_CODES)
        self._result_place = self._place

    def _current_set(self) -> SetAck:
        if not self._ack.sets:
            self._ack.sets.append(SetAck("", "", ""))
        return self._ack.sets[-1]

    def _errors(self, row: list[str], first: int, known: frozenset[str]) -> tuple[str, ...]:
        for position, code in enumerate(row[first:], first):
            self._check(position, code, known)
        return tuple(code for code in row[first:] if code)

    def _check(self, element: int, code: str, known: frozenset[str]) -> None:
        self._ack.warnings.extend(self._place.unknown(element, code, known))


def _number(text: str) -> int | None:
    return int(text) if _NUMBER.fullmatch(text) else None


def has_consistent_counts(ack: GroupAck) -> bool:
    """Return whether AK902 to AK904 agree with each other, the status and the sets listed."""
    included, received, accepted = ack.included, ack.received, ack.accepted
    if included is None or received is None or accepted is None:
        return False
    if accepted > received or len(ack.sets) > max(included, received):
        return False
    if len(ack.rejected_sets) > received - accepted:
        return False
    if ack.status == Status.ACCEPTED:
        return included == received == accepted
    if ack.status == Status.PARTIAL:
        return accepted < received
    return not (accepted and is_rejecting(ack.status))
