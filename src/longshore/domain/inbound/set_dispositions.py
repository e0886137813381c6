"""Decides for each set of a processed interchange whether it is passed on.

The unit of acceptance is the set. With the partner setting ``on_error`` a rejected set also keeps
back its group or its interchange; what is held back is stored and can be replayed. An
acknowledgement is never held back.

Source: x12.md section 2.4 (results), contract.md section 5 (``ack_status`` of inbound records).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from longshore.domain.acks.meanings import GROUP_MEANINGS, SET_MEANINGS, meaning
from longshore.domain.inbound.dispositions import (
    ProcessingNotice,
    RoutedInterchange,
    SetDisposition,
    groups_by_set,
    sentence,
)
from longshore.domain.inbound.routing import route_of, text_of
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


def accepted_sets(groups: Sequence[GroupAssessment], on_error: OnError) -> frozenset[int]:
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

    ``is_acknowledged`` tells whether a 997 or 999 is made for the group at all; for one of
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
SUSPENDED: Final = "suspended"
SET_NOT_CHECKED: Final = "set_not_checked"
_SUSPENDED: Final = ProcessingNotice(SUSPENDED, "It is held back because another set was rejected.")


class SetDispositions:
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

    def of(self, assessed: Sequence[GroupAssessment]) -> tuple[SetDisposition, ...]:
        """Return the dispositions in document order. ``assessed`` are the groups processed."""
        by_set = {each.summary.index: (group, each) for group in assessed for each in group.sets}
        said: dict[int, AckStatus] = {}
        for group in assessed:
            said |= answers(group, is_acknowledged=self._is_acknowledged)
        groups = groups_by_set(self._read.received.groups)
        dispositions = []
        for index in self._read.received.sets:
            group_at = groups.get(index)
            if index in by_set and group_at is not None:
                dispositions.append(self._assessed(group_at, *by_set[index], said[index]))
            else:
                dispositions.append(self._left_out(index, group_at))
        return tuple(dispositions)

    def _left_out(self, index: int, group_at: int | None) -> SetDisposition:
        """Return the verdict on a set whose group is set aside, or that stands in none."""
        if group_at is None:
            error = ProcessingNotice(
                "set_outside_group", "It stands outside every functional group."
            )
            return SetDisposition(
                index=index,
                group=None,
                partner_id=self._routed.partner.id,
                processing=ProcessingStatus.DONE,
                validation=ValidationStatus.INVALID,
                error=error,
            )
        whose = self._routed.routing.groups[group_at]
        assert whose.reason is not None  # else it was assessed
        return SetDisposition(
            index=index,
            group=group_at,
            partner_id=whose.partner_id,
            processing=ProcessingStatus.QUARANTINED,
            error=ProcessingNotice(whose.reason.value, sentence(text_of(whose.reason))),
        )

    def _assessed(
        self, group_at: int, group: GroupAssessment, assessed: SetAssessment, ack: AckStatus
    ) -> SetDisposition:
        index = assessed.summary.index
        partner_id = self._routed.routing.groups[group_at].partner_id
        route = route_of(
            self._routed.partners[partner_id], assessed.summary.set_id, Direction.INBOUND
        )
        is_suspended = self._is_suspended(assessed)
        return SetDisposition(
            index=index,
            group=group_at,
            partner_id=partner_id,
            processing=ProcessingStatus.QUARANTINED if is_suspended else ProcessingStatus.DONE,
            validation=self._validation(assessed),
            ack=ack,
            error=_SUSPENDED if is_suspended else self._error(group, assessed),
            route=route if index in self._passed else None,
            is_passed_on=index in self._passed,
        )

    def _is_suspended(self, assessed: SetAssessment) -> bool:
        return assessed.status is not Status.REJECTED and assessed.summary.index not in self._passed

    def _validation(self, assessed: SetAssessment) -> ValidationStatus:
        if assessed.status is Status.REJECTED or assessed.codes:
            return ValidationStatus.INVALID
        status = validation_status(self._findings.get(assessed.summary.index, ()))
        if status is not ValidationStatus.INVALID and not assessed.result.is_checked:
            return ValidationStatus.NOT_CHECKED
        if status is ValidationStatus.VALID and self._read.is_truncated:
            return ValidationStatus.VALID_WITH_WARNINGS  # nobody listed all there is to be said
        return status

    def _error(self, group: GroupAssessment, assessed: SetAssessment) -> ProcessingNotice | None:
        """Return why a set is not passed on, or what is wrong with one that is."""
        if SET_NOT_AGREED_ACK in assessed.summary.codes:
            return ProcessingNotice(
                "set_not_agreed", "This transaction set was not agreed with the partner."
            )
        for finding in self._findings.get(assessed.summary.index, ()):
            if finding.severity is Severity.ERROR:
                return ProcessingNotice(finding.code, sentence(finding.message))
        if not assessed.result.is_checked and SET_NOT_SUPPORTED in assessed.codes:
            return ProcessingNotice(
                SET_NOT_CHECKED, "This transaction set was not checked: it is rejected."
            )
        if assessed.codes:
            return ProcessingNotice("set_rejected", f"{meaning(SET_MEANINGS, assessed.codes[0])}.")
        if assessed.status is Status.REJECTED:
            message = (
                f"Its functional group was rejected: {meaning(GROUP_MEANINGS, group.codes[0])}."
            )
            return ProcessingNotice("group_rejected", message)
        return None


# ---- processed again -----------------------------------------------------------------------------


class EarlierSet(NamedTuple):
    """The record of a set before it is processed again."""

    error: LastError | None
    has_output: bool


def unchanged_sets(
    dispositions: Sequence[SetDisposition], earlier: Sequence[EarlierSet]
) -> frozenset[int]:
    """Return the indexes, from 1, of the sets whose records stay as they are.

    Where sets were held back, a person wants those passed on: not a second time what was passed on
    with them, nor what is still refused as it was. Without one, all is processed again.
    ``earlier`` is of the same sets, in the same order, if one was held back.
    """
    if not any(each.error is not None and each.error.code == SUSPENDED for each in earlier):
        return frozenset()
    return frozenset(
        disposition.index
        for disposition, before in zip(dispositions, earlier, strict=True)
        if before.error is None
        or before.has_output
        or _is_said_again(before.error, disposition.error)
    )


def _is_said_again(before: LastError, now: ProcessingNotice | None) -> bool:
    return now is not None and (before.code, before.message) == (now.code, now.message)
