"""Write an 824, application advice: what became of the sets of a group, and their faults.

Source: x12.md section 2.9.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from longshore.x12.acks.application import AnswerNumber
from longshore.x12.acks.assessment import GroupAssessment, SetAssessment
from longshore.x12.acks.claim_status import (
    BALANCES,
    MISSING_ELEMENT_CODES,
    RELATION_CODES,
    is_missing_segment,
    words_of,
)
from longshore.x12.acks.codes import GUIDE_SEGMENTS_IN_ERROR, SEGMENTS_IN_ERROR, Status
from longshore.x12.acks.notes import element_number
from longshore.x12.acks.texts import AckTexts
from longshore.x12.control import element_at
from longshore.x12.findings import Finding
from longshore.x12.writer.segments import Segment

ADVICE: Final = "824"
GROUP_ID: Final = "AG"  # GS01
NEW_SINCE: Final = "005010"
OLD_VERSION: Final = "004010"
MAX_NOTES: Final = 1_000  # TED of one set
_MAX_TEXT: Final = 60  # TED02
_MAX_REFERENCE: Final = 30  # OTI03 of 004010
_WIDTHS: Final = (15, 15, 8, 8, 9, 9, 3, 12)  # OTI04 to OTI11

# TED01, X12 element 647.
MISSING: Final = "007"
OUT_OF_RANGE: Final = "008"
_INVALID_DATE: Final = "009"
_OUT_OF_BALANCE: Final = "010"
_INVALID_COMBINATION: Final = "012"
INCORRECT: Final = "848"
OTHER: Final = "024"
_RANGE_CODES: Final = frozenset(("3", "4", "5", "12", "13"))  # AK403
_RANGE_SEGMENT_CODES: Final = frozenset(("4", "5"))  # AK304
_DATE_CODES: Final = frozenset(("8", "9"))

# OTI01, X12 element 110.
_SET_RESULTS: Final[Mapping[Status, str]] = {
    Status.ACCEPTED: "TA",
    Status.WITH_ERRORS: "TE",
    Status.REJECTED: "TR",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AdviceNote:
    """A fault in a set; positions from 1, None where it has no such place."""

    code: str
    """TED01."""
    text: str
    segment_id: str = ""
    segment_position: int | None = None
    """ST = 1."""
    element_position: int | None = None
    element_ref: str = ""
    bad_value: str = ""


class AdvisedSet(NamedTuple):
    """A received set and what became of it."""

    status: Status
    """A, E or R."""
    reference: str
    """Its business number, ``""`` if it has none."""
    header: Sequence[str]
    """The elements of its GS."""
    set_id: str
    control_number: str
    notes: Sequence[AdviceNote]

    @property
    def is_truncated(self) -> bool:
        """True if it has more faults than are written."""
        return len(self.notes) > MAX_NOTES


def advice_version(version: str) -> str:
    """Return the GS08 of the 824 that answers a group of this release."""
    return NEW_SINCE if version >= NEW_SINCE else OLD_VERSION


def advice(
    sets: Sequence[AdvisedSet], version: str, number: AnswerNumber, texts: AckTexts
) -> Iterator[Segment]:
    """Yield the segments between ST and SE.

    Args:
        sets: What is answered, in order.
        version: The release of the 824.
        number: Number and time of the 824.
        texts: Leaves out the received values that cannot be written.
    """
    is_rejected = any(each.status is Status.REJECTED for each in sets)
    action = ("", "", "", "U" if is_rejected else "WQ") if version >= NEW_SINCE else ()
    yield ("BGN", "11", number.reference, number.date, number.time, *action)
    for each in sets:
        yield _original(each)
        for note in each.notes[:MAX_NOTES]:
            yield _technical_error(note, texts)


def _original(advised: AdvisedSet) -> Segment:
    reference = (advised.reference or advised.control_number)[:_MAX_REFERENCE]
    about = (*(element_at(advised.header, at) for at in (2, 3, 4, 5, 6)),)
    last = (advised.control_number, advised.set_id, element_at(advised.header, 8))
    names = zip((*about, *last), _WIDTHS, strict=True)
    cut = (text[:width] for text, width in names)
    return ("OTI", _SET_RESULTS[advised.status], "TN", reference, *cut)


def _technical_error(note: AdviceNote, texts: AckTexts) -> Segment:
    return (
        *("TED", note.code, texts.name(note.text)[:_MAX_TEXT], note.segment_id),
        *(str(note.segment_position or ""), str(note.element_position or "")),
        *(note.element_ref, texts.quoted(note.bad_value)),
    )


def advised_set(group: GroupAssessment, assessment: SetAssessment, reference: str) -> AdvisedSet:
    """Return what an 824 says of a set by its validation."""
    summary = assessment.summary
    return AdvisedSet(
        status=assessment.status,
        reference=reference,
        header=group.summary.header,
        set_id=summary.set_id,
        control_number=summary.control_number,
        notes=[*_frame_notes(group, assessment), *_notes(assessment)],
    )


def _frame_notes(group: GroupAssessment, assessment: SetAssessment) -> Iterator[AdviceNote]:
    """Yield the faults of the group and of the set that have no place inside the set."""
    for code in group.codes:
        yield AdviceNote(code=INCORRECT, text=f"functional group error {code} (AK905)")
    for code in assessment.codes:
        if code not in {SEGMENTS_IN_ERROR, GUIDE_SEGMENTS_IN_ERROR}:
            yield AdviceNote(code=INCORRECT, text=f"transaction set error {code} (AK502)")


def _notes(assessment: SetAssessment) -> Iterator[AdviceNote]:
    result = assessment.result
    others = (each for each in result.other_errors if "set" not in (each.ack_code or {}))
    for finding in sorted((*result.findings, *others), key=lambda each: each.segment_position or 0):
        yield AdviceNote(
            code=_code_of(finding),
            text=words_of(finding),
            segment_id=finding.segment_id or "",
            segment_position=finding.segment_position,
            element_position=finding.element_position,
            element_ref=element_number(finding.element_ref),
            bad_value=finding.bad_value or "",
        )


def _code_of(finding: Finding) -> str:
    codes = finding.ack_code or {}
    element, segment = codes.get("element", ""), codes.get("segment", "")
    if finding.code in BALANCES:
        return _OUT_OF_BALANCE
    if is_missing_segment(finding) or element in MISSING_ELEMENT_CODES:
        return MISSING
    if element in _DATE_CODES:
        return _INVALID_DATE
    if element in _RANGE_CODES or segment in _RANGE_SEGMENT_CODES:
        return OUT_OF_RANGE
    return _INVALID_COMBINATION if element in RELATION_CODES else INCORRECT
