"""Read received application answers: a 277CA claim by claim, an 824 by the sets it names.

The partner's values are stored verbatim, and codes that are not known decide nothing.

Source: x12.md sections 2.8 to 2.10.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from longshore.x12.acks.advice import AdviceNote
from longshore.x12.control import element_at
from longshore.x12.delimiters import Delimiters

_RECEIVER_LEVEL: Final = "21"  # HL03
_PROVIDER_LEVEL: Final = "19"
_PATIENT_LEVEL: Final = "PT"
_REJECTING: Final = frozenset(("A3", "A6", "A7", "A8"))  # STC01-1
_ACCEPTING: Final = frozenset(("A0", "A1", "A2", "A5"))
_ACTIONS: Final = {"WQ": True, "U": False}  # STC03
_POSITION = re.compile("[0-9]{1,10}")


@dataclass(slots=True)
class ReportedStatus:
    """An STC: what it says of a claim, or of a level above the claims."""

    category: str = ""
    """STC01-1, ``A2``."""
    code: str = ""
    """STC01-2."""
    entity: str = ""
    """STC01-3."""
    amount: str = ""
    """STC04."""
    reason: str = ""
    """STC12."""
    is_accepted: bool | None = None
    """None: it does not tell."""


@dataclass(slots=True)
class AnsweredClaim:
    """A claim in a 277CA."""

    number: str
    """TRN02: CLM01 of the 837."""
    status: ReportedStatus = field(default_factory=ReportedStatus)
    payer_number: str = ""
    """REF*1K."""


@dataclass(slots=True)
class ClaimAck:
    """A 277CA's answer to one 837."""

    reference: str = ""
    """TRN02 of loop 2200B: BHT03 of the 837."""
    status: ReportedStatus = field(default_factory=ReportedStatus)
    """STC of loop 2200B, about the 837 as a whole."""
    claims: list[AnsweredClaim] = field(default_factory=list)
    has_rejected_provider: bool = False
    """A billing provider is rejected as a whole."""


@dataclass(slots=True)
class AdvisedOriginal:
    """An OTI of an 824, about a set that was received, with its faults."""

    status: str
    """OTI01, ``TR``."""
    reference: str
    """OTI03."""
    group_number: str
    """OTI08."""
    set_number: str
    """OTI09."""
    set_id: str
    """OTI10."""
    notes: list[AdviceNote] = field(default_factory=list)


@dataclass(slots=True)
class AdviceAck:
    """The part of an 824 about sets of one group; without a number, about one set with OTI03."""

    group_number: str
    originals: list[AdvisedOriginal]
    rows: list[list[str]]
    """The segments that say so."""


def read_claim_acks(rows: Iterable[list[str]], delimiters: Delimiters) -> list[ClaimAck]:
    """Read a 277CA, its segments from ST to SE: at least one answer, mostly one."""
    reader = _ClaimAckReader(delimiters.component)
    for row in rows:
        reader.take(row)
    return reader.acks or [ClaimAck()]


class _ClaimAckReader:
    def __init__(self, component: str) -> None:
        self.acks: list[ClaimAck] = []
        self._component = component
        self._level = ""
        self._claim: AnsweredClaim | None = None
        self._is_in_service = False

    def take(self, row: list[str]) -> None:
        tag = row[0]
        if tag == "HL":
            self._begin_level(element_at(row, 3))
        elif not self.acks:
            return
        elif tag == "TRN" and element_at(row, 1) == "2":
            self._trace(element_at(row, 2))
        elif tag == "SVC":
            self._is_in_service = True
        elif tag == "STC" and not self._is_in_service:
            self._status(row)
        elif tag == "REF" and element_at(row, 1) == "1K" and self._claim is not None:
            self._claim.payer_number = element_at(row, 2)

    def _begin_level(self, level: str) -> None:
        self._level, self._claim, self._is_in_service = level, None, False
        if level == _RECEIVER_LEVEL:
            self.acks.append(ClaimAck())

    def _trace(self, reference: str) -> None:
        self._is_in_service = False
        if self._level == _PATIENT_LEVEL:
            self._claim = AnsweredClaim(reference)
            self.acks[-1].claims.append(self._claim)
        elif self._level == _RECEIVER_LEVEL:
            self.acks[-1].reference = reference

    def _status(self, row: list[str]) -> None:
        status = self._reported(row)
        if self._claim is not None:
            self._claim.status = _graver(self._claim.status, status)
        elif self._level == _RECEIVER_LEVEL:
            self.acks[-1].status = _graver(self.acks[-1].status, status)
        elif self._level == _PROVIDER_LEVEL and status.is_accepted is False:
            self.acks[-1].has_rejected_provider = True

    def _reported(self, row: list[str]) -> ReportedStatus:
        parts = element_at(row, 1).split(self._component)
        category, code, entity = (*parts, "", "", "")[:3]
        is_accepted = _ACTIONS.get(element_at(row, 3))
        if category in _REJECTING:
            is_accepted = False
        elif is_accepted is None and category in _ACCEPTING:
            is_accepted = True
        return ReportedStatus(
            category, code, entity, element_at(row, 4), element_at(row, 12), is_accepted
        )


def _graver(one: ReportedStatus, other: ReportedStatus) -> ReportedStatus:
    """Return the first of two statuses that rejects, else the first that tells."""
    if other.is_accepted is False and one.is_accepted is not False:
        return other
    return one if one.category else other


def read_advice(rows: Sequence[list[str]]) -> list[AdviceAck]:
    """Read an 824, its segments from ST to SE: one for each group, or set without a group."""
    acks: list[AdviceAck] = []
    by_group: dict[str, AdviceAck] = {}
    current: AdviceAck | None = None
    for row in rows:
        if row[0] == "OTI":
            original = _original(row)
            number = original.group_number
            current = by_group.get(number) if number else None
            if current is None:
                current = AdviceAck(number, [], [])
                acks.append(current)
                by_group[number] = current
            current.originals.append(original)
        elif current is not None and row[0] == "TED":
            current.originals[-1].notes.append(_note(row))
        if current is not None and row[0] != "SE":
            current.rows.append(row)
    return acks


def _original(row: list[str]) -> AdvisedOriginal:
    return AdvisedOriginal(
        status=element_at(row, 1),
        reference=element_at(row, 3),
        group_number=element_at(row, 8),
        set_number=element_at(row, 9),
        set_id=element_at(row, 10),
    )


def _note(row: list[str]) -> AdviceNote:
    return AdviceNote(
        code=element_at(row, 1),
        text=element_at(row, 2),
        segment_id=element_at(row, 3),
        segment_position=_number(element_at(row, 4)),
        element_position=_number(element_at(row, 5)),
        element_ref=element_at(row, 6),
        bad_value=element_at(row, 7),
    )


def _number(text: str) -> int | None:
    return int(text) if _POSITION.fullmatch(text) else None
