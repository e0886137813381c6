"""Decide whether an interchange, its groups and its sets are accepted, with errors or rejected.

Source: x12.md sections 2.1 and 2.4, "Results".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final, NamedTuple

from longshore.x12.acks import codes
from longshore.x12.acks.codes import F997_4010, F997_5010, F999, Form, Status
from longshore.x12.acks.profile import (
    AckProfile,
    AckType,
    CountMismatch,
    RejectLevel,
    UnknownSets,
)
from longshore.x12.control import GroupSummary, InterchangeSummary, SetSummary
from longshore.x12.dictionary.release import is_guide_id, release_of
from longshore.x12.envelope import Envelope
from longshore.x12.results import SetFault, SetResult

_COUNT = re.compile("[0-9]{1,6}")
_NEW_FORM_SINCE: Final = "005010"
_BEARABLE: Final = frozenset((codes.SET_COUNT_WRONG,))  # in a group that is not rejected
NEVER_ACKNOWLEDGED: Final = "FA"  # GS01
_NOTHING_FOUND: Final = SetResult()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedInterchange:
    """An interchange as it was read, with the validation results of its sets by ``tx_index``.

    The receiver first adds the codes that only it can know to the summaries: 025 or 009 to the
    interchange, 1 or 2 to a group, 1 to a set.
    """

    summary: InterchangeSummary
    groups: Sequence[GroupSummary] = ()
    sets: Mapping[int, SetSummary] = field(default_factory=dict)
    results: Mapping[int, SetResult] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class InterchangeAssessment:
    """Status A, E or R and the TA105 code. R: nothing in it is processed."""

    status: Status
    code: str


_FAULTLESS: Final = InterchangeAssessment(Status.ACCEPTED, codes.NO_ERROR)


class SetAssessment(NamedTuple):
    """A set, its status A, E or R, and its AK502 codes in the meaning of 005010."""

    summary: SetSummary
    result: SetResult
    status: Status
    codes: tuple[str, ...]
    is_faultless: bool
    """It has no error of its own, whatever its group brings upon it."""
    is_held: bool = False
    """It was not checked, and its group is not to be acknowledged for that."""


class GroupAssessment(NamedTuple):
    """A group, the form of its acknowledgement, its status and its AK905 codes."""

    summary: GroupSummary
    form: Form
    status: Status
    codes: tuple[str, ...]
    included: str
    """AK902, the number of its sets by GE01, or counted."""
    sets: tuple[SetAssessment, ...]

    @property
    def rejects_its_sets(self) -> bool:
        """True if a fault of its own rejects all of its sets."""
        return not _BEARABLE.issuperset(self.codes)

    @property
    def is_held(self) -> bool:
        """True if it is not acknowledged, because one of its sets was not checked."""
        return True in [each.is_held for each in self.sets]

    @property
    def accepted_count(self) -> int:
        """The number of its sets that are accepted, with errors or without."""
        return len(self.sets) - [each.status for each in self.sets].count(Status.REJECTED)


def received_interchanges(
    envelope: Envelope, results: Mapping[int, SetResult]
) -> Iterator[ReceivedInterchange]:
    """Yield the interchanges of a document that was walked through, in order."""
    sets = {each.index: each for each in envelope.sets}
    groups: dict[int | None, list[GroupSummary]] = {}
    for group in envelope.groups:
        groups.setdefault(group.interchange, []).append(group)
    for index, summary in enumerate(envelope.interchanges):
        yield ReceivedInterchange(
            summary=summary, groups=groups.get(index, ()), sets=sets, results=results
        )


@lru_cache(maxsize=64)
def form_of(group_version: str, interchange_version: str, ack_type: AckType) -> Form:
    """Return the form in which a group with this GS08 and ISA12 is acknowledged.

    NONE gives the same form as AUTO, for the assessment.
    """
    is_new = release_of(group_version, interchange_version) >= _NEW_FORM_SINCE
    names_guide = is_new and is_guide_id(group_version)
    if ack_type is AckType.A999 or (names_guide and ack_type is not AckType.A997):
        return F999
    return F997_5010 if is_new else F997_4010


def assess_interchange(summary: InterchangeSummary) -> InterchangeAssessment:
    """Return the status of an interchange, by the first code that rejects it or the first fault."""
    if summary.is_fixed_width and not summary.codes:
        return _FAULTLESS
    found = summary.codes if summary.is_fixed_width else ("022", *summary.codes)
    faults = [code for code in found if code not in codes.NO_FAULTS]
    for code in faults:
        if code not in codes.ACCEPTABLE_FAULTS:
            return InterchangeAssessment(Status.REJECTED, code)
    if faults:
        return InterchangeAssessment(Status.WITH_ERRORS, faults[0])
    return InterchangeAssessment(Status.ACCEPTED, codes.NO_ERROR)


def assess_groups(
    received: ReceivedInterchange, profile: AckProfile
) -> tuple[GroupAssessment, ...]:
    """Assess all groups of an interchange, those of acknowledgements included."""
    return tuple([_assess_group(group, received, profile) for group in received.groups])


def _assess_group(
    group: GroupSummary, received: ReceivedInterchange, profile: AckProfile
) -> GroupAssessment:
    interchange_version = received.summary.header[12].strip()
    form = form_of(group.version, interchange_version, profile.ack_type)
    if group.functional_id == NEVER_ACKNOWLEDGED:
        profile = replace(profile, unknown_sets=UnknownSets.ACCEPT)
    sets = tuple([
        assess_set(received.sets[index], received.results.get(index, _NOTHING_FOUND), form, profile)
        for index in group.sets
    ])
    if not _BEARABLE.issuperset(group.codes):
        status = Status.REJECTED
        sets = tuple(_rejected(each) for each in sets)
    else:
        status = _status_of_group([each.status for each in sets], has_errors=bool(group.codes))
    count = group.trailer_count or ""
    included = count if _COUNT.fullmatch(count) else str(len(sets))
    return GroupAssessment(group, form, status, group.codes, included, sets)


def _status_of_group(statuses: Sequence[Status], *, has_errors: bool) -> Status:
    rejected = statuses.count(Status.REJECTED)
    if rejected:
        return Status.REJECTED if rejected == len(statuses) else Status.PARTIAL
    has_errors = has_errors or Status.WITH_ERRORS in statuses
    return Status.WITH_ERRORS if has_errors else Status.ACCEPTED


def _rejected(assessment: SetAssessment) -> SetAssessment:
    """Return the set as its rejected group leaves it."""
    return SetAssessment(
        assessment.summary,
        assessment.result,
        Status.REJECTED,
        assessment.codes,
        assessment.is_faultless,
    )


def assess_set(
    summary: SetSummary, result: SetResult, form: Form, profile: AckProfile
) -> SetAssessment:
    """Assess a set by the errors that its acknowledgement can name; a 997 knows no guides."""
    if not summary.codes and not result.codes and not result.faults:
        return _assess_faultless(summary, result, profile)
    faults = [each for each in result.faults if each.is_standard or form.carries_guide]
    found = (*summary.codes, *result.codes)
    if not result.is_checked and profile.unknown_sets is UnknownSets.REJECT:
        found += (codes.SET_NOT_SUPPORTED,)
    status = _status_of_set(found, faults, profile)
    if any(each.is_standard for each in faults):
        found += (codes.SEGMENTS_IN_ERROR,)
    elif faults:
        found += (codes.GUIDE_SEGMENTS_IN_ERROR,)
    is_held = status is not Status.REJECTED and _is_held(result, profile)
    is_faultless = status is Status.ACCEPTED
    return SetAssessment(summary, result, status, found, is_faultless=is_faultless, is_held=is_held)


def _assess_faultless(summary: SetSummary, result: SetResult, profile: AckProfile) -> SetAssessment:
    """Assess a set in which no error was found; it may not have been checked."""
    if not result.is_checked and profile.unknown_sets is UnknownSets.REJECT:
        found = (codes.SET_NOT_SUPPORTED,)
        return SetAssessment(summary, result, Status.REJECTED, found, is_faultless=False)
    is_held = _is_held(result, profile)
    return SetAssessment(summary, result, Status.ACCEPTED, (), is_faultless=True, is_held=is_held)


def _is_held(result: SetResult, profile: AckProfile) -> bool:
    return not result.is_checked and profile.unknown_sets is UnknownSets.HOLD


def _status_of_set(found: Iterable[str], faults: Iterable[SetFault], profile: AckProfile) -> Status:
    found, faults = list(found), list(faults)
    if not found and not faults:
        return Status.ACCEPTED
    if profile.count_mismatch is CountMismatch.ACCEPT_WITH_ERRORS:
        found = [code for code in found if code != codes.SEGMENT_COUNT_WRONG]
    if profile.reject_level is RejectLevel.STRICT:
        is_rejected = bool(found or faults)
    else:
        is_rejected = not codes.GRAVE_SET_CODES.isdisjoint(found) or any(map(_is_grave, faults))
    return Status.REJECTED if is_rejected else Status.WITH_ERRORS


def _is_grave(fault: SetFault) -> bool:
    return fault.segment in codes.GRAVE_SEGMENT_CODES or fault.element in codes.GRAVE_ELEMENT_CODES
