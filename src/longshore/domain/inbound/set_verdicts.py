"""Decides for each set of a processed interchange whether it is passed on.

The unit of acceptance is the set. With the partner setting ``on_error`` a rejected set also keeps
back its group or its interchange; what is kept back is stored and can be replayed. An
acknowledgement is never kept back.

Source: x12.md section 2.4 (results), contract.md section 5 (``ack_status`` of inbound records).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from longshore.domain.acks.meanings import GROUP_MEANINGS, SET_MEANINGS, meaning
from longshore.domain.inbound.routing import route_of, text_of
from longshore.domain.inbound.verdicts import (
    ProcessingNotice,
    RoutedInterchange,
    SetVerdict,
    groups_by_set,
    sentence,
)
from longshore.domain.partners.model import Direction
from longshore.domain.partners.setting_kinds import OnError
from longshore.domain.transactions.model import (
    AckStatus,
    LastError,
    ProcessingStatus,
    ValidationStatus,
)
from longshore.x12.acks.assessment import NEVER_ACKNOWLEDGED, GroupAssessment, SetAssessment
from longshore.x12.acks.codes import SET_NOT_SUPPORTED, Status
from longshore.x12.findings import Finding, Severity

_ANSWERS: Final[Mapping[Status, AckStatus]] = {
    Status.ACCEPTED: AckStatus.ACCEPTED,
    Status.WITH_ERRORS: AckStatus.ACCEPTED_WITH_ERRORS,
    Status.REJECTED: AckStatus.REJECTED,
}


def passed_sets(groups: Sequence[GroupAssessment], on_error: OnError) -> frozenset[int]:
    """Return the indexes, from 1, of the sets of an interchange that are passed on."""
    keeps_all = on_error is OnError.SUSPEND_INTERCHANGE and any(map(_has_rejected, groups))
    keeps_own = on_error is OnError.SUSPEND_GROUP
    return frozenset(
        each.summary.index
        for group in groups
        if group.summary.functional_id == NEVER_ACKNOWLEDGED
        or not (keeps_all or (keeps_own and _has_rejected(group)))
        for each in group.sets
        if each.status is not Status.REJECTED
    )


def _has_rejected(group: GroupAssessment) -> bool:
    is_any = any(each.status is Status.REJECTED for each in group.sets)
    return is_any or group.status is Status.REJECTED


def answers(group: GroupAssessment, *, is_acknowledged: bool) -> dict[int, AckStatus]:
    """Return what we answer about each set of a group, by its index from 1.

    ``is_acknowledged``: whether a 997 or 999 is made for the group at all; for one of
    acknowledgements none ever is.
    """
    if not is_acknowledged or group.summary.functional_id == NEVER_ACKNOWLEDGED:
        return {each.summary.index: AckStatus.NOT_EXPECTED for each in group.sets}
    return {each.summary.index: _ANSWERS[each.status] for each in group.sets}


def validation_status(findings: Iterable[Finding]) -> ValidationStatus:
    """Return what validation said of a set, by the findings about it."""
    severities = {each.severity for each in findings}
    if Severity.ERROR in severities:
        return ValidationStatus.INVALID
    has_warnings = Severity.WARNING in severities
    return ValidationStatus.VALID_WITH_WARNINGS if has_warnings else ValidationStatus.VALID


SET_NOT_AGREED_ACK: Final = "1"  # AK502
KEPT_BACK: Final = "kept_back"
SET_NOT_CHECKED: Final = "set_not_checked"
_KEPT_BACK: Final = ProcessingNotice(
    KEPT_BACK, "It is kept back with another set that was rejected."
)


class SetVerdicts:
    """Says what becomes of the sets of an interchange that is processed."""

    def __init__(
        self, routed: RoutedInterchange, passed: frozenset[int], *, is_acknowledged: bool
    ) -> None:
        self._routed = routed
        self._read = routed.read
        self._passed = passed
        self._is_acknowledged = is_acknowledged
        self._findings: dict[int | None, list[Finding]] = {}
        for finding in routed.read.findings:
            self._findings.setdefault(finding.tx_index, []).append(finding)

    def of(self, judged: Sequence[GroupAssessment]) -> tuple[SetVerdict, ...]:
        """Return the verdicts in order of the document. ``judged``: the groups processed."""
        by_set = {each.summary.index: (group, each) for group in judged for each in group.sets}
        said: dict[int, AckStatus] = {}
        for group in judged:
            said |= answers(group, is_acknowledged=self._is_acknowledged)
        groups = groups_by_set(self._read.received.groups)
        verdicts = []
        for index in self._read.received.sets:
            group_at = groups.get(index)
            if index in by_set and group_at is not None:
                verdicts.append(self._judged(group_at, *by_set[index], said[index]))
            else:
                verdicts.append(self._left_out(index, group_at))
        return tuple(verdicts)

    def _left_out(self, index: int, group_at: int | None) -> SetVerdict:
        """Return the verdict on a set whose group is set aside, or that stands in none."""
        if group_at is None:
            error = ProcessingNotice(
                "set_outside_group", "It stands outside every functional group."
            )
            return SetVerdict(
                index=index,
                group=None,
                partner_id=self._routed.partner.id,
                processing=ProcessingStatus.DONE,
                validation=ValidationStatus.INVALID,
                error=error,
            )
        whose = self._routed.routing.groups[group_at]
        assert whose.reason is not None  # else it was judged
        return SetVerdict(
            index=index,
            group=group_at,
            partner_id=whose.partner_id,
            processing=ProcessingStatus.QUARANTINED,
            error=ProcessingNotice(whose.reason.value, sentence(text_of(whose.reason))),
        )

    def _judged(
        self, group_at: int, group: GroupAssessment, judged: SetAssessment, ack: AckStatus
    ) -> SetVerdict:
        index = judged.summary.index
        partner_id = self._routed.routing.groups[group_at].partner_id
        route = route_of(
            self._routed.partners[partner_id], judged.summary.set_id, Direction.INBOUND
        )
        is_kept_back = self._is_kept_back(judged)
        return SetVerdict(
            index=index,
            group=group_at,
            partner_id=partner_id,
            processing=ProcessingStatus.QUARANTINED if is_kept_back else ProcessingStatus.DONE,
            validation=self._validation(judged),
            ack=ack,
            error=_KEPT_BACK if is_kept_back else self._error(group, judged),
            route=route if index in self._passed else None,
        )

    def _is_kept_back(self, judged: SetAssessment) -> bool:
        return judged.status is not Status.REJECTED and judged.summary.index not in self._passed

    def _validation(self, judged: SetAssessment) -> ValidationStatus:
        if judged.status is Status.REJECTED or judged.codes:
            return ValidationStatus.INVALID
        status = validation_status(self._findings.get(judged.summary.index, ()))
        if status is not ValidationStatus.INVALID and not judged.result.is_checked:
            return ValidationStatus.NOT_CHECKED
        if status is ValidationStatus.VALID and self._read.is_truncated:
            return ValidationStatus.VALID_WITH_WARNINGS  # nobody listed all there is to be said
        return status

    def _error(self, group: GroupAssessment, judged: SetAssessment) -> ProcessingNotice | None:
        """Return why a set is not passed on, or what is wrong with one that is."""
        if SET_NOT_AGREED_ACK in judged.summary.codes:
            return ProcessingNotice(
                "set_not_agreed", "This transaction set was not agreed with the partner."
            )
        for finding in self._findings.get(judged.summary.index, ()):
            if finding.severity is Severity.ERROR:
                return ProcessingNotice(finding.code, sentence(finding.message))
        if not judged.result.is_checked and SET_NOT_SUPPORTED in judged.codes:
            return ProcessingNotice(
                SET_NOT_CHECKED, "This transaction set was not checked: it is rejected."
            )
        if judged.codes:
            return ProcessingNotice("set_rejected", f"{meaning(SET_MEANINGS, judged.codes[0])}.")
        if judged.status is Status.REJECTED:
            message = (
                f"Its functional group was rejected: {meaning(GROUP_MEANINGS, group.codes[0])}."
            )
            return ProcessingNotice("group_rejected", message)
        return None


# ---- processed again -----------------------------------------------------------------------------


class EarlierSet(NamedTuple):
    """What the record of a set said before it is processed again."""

    error: LastError | None
    has_output: bool


def standing_sets(verdicts: Sequence[SetVerdict], earlier: Sequence[EarlierSet]) -> frozenset[int]:
    """Return the indexes, from 1, of the sets whose records stay as they are.

    Where sets were kept back, a person wants those passed on: not a second time what was passed on
    beside them, nor what is still refused as it was. Without one, all is processed again.
    ``earlier``: of the same sets, in the same order, if one was kept back.
    """
    if not any(each.error is not None and each.error.code == KEPT_BACK for each in earlier):
        return frozenset()
    return frozenset(
        verdict.index
        for verdict, before in zip(verdicts, earlier, strict=True)
        if before.error is None or before.has_output or _is_said_again(before.error, verdict.error)
    )


def _is_said_again(before: LastError, now: ProcessingNotice | None) -> bool:
    return now is not None and (before.code, before.message) == (now.code, now.message)
