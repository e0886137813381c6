"""Which sets of a received interchange are passed on, and what their records say of our answer.

The unit of acceptance is the set. A partner's setting ``on_error`` makes a rejected one keep back
its group, or all of its interchange; what is kept back is stored, and a person may replay it. An
acknowledgement is never kept back: what it says of our sets holds, whatever came beside it.

Source: x12.md section 2.4 (results), contract.md section 5 (``ack_status`` of inbound records).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from longshore.domain.partners.setting_kinds import OnError
from longshore.domain.transactions.model import AckStatus, ValidationStatus
from longshore.x12.acks.codes import Status
from longshore.x12.acks.judge import NEVER_ACKNOWLEDGED, JudgedGroup
from longshore.x12.findings import Finding, Severity

_ANSWERS: Final[Mapping[Status, AckStatus]] = {
    Status.ACCEPTED: AckStatus.ACCEPTED,
    Status.WITH_ERRORS: AckStatus.ACCEPTED_WITH_ERRORS,
    Status.REJECTED: AckStatus.REJECTED,
}


def passed_sets(groups: Sequence[JudgedGroup], on_error: OnError) -> frozenset[int]:
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


def _has_rejected(group: JudgedGroup) -> bool:
    is_any = any(each.status is Status.REJECTED for each in group.sets)
    return is_any or group.status is Status.REJECTED


def answers(group: JudgedGroup, *, is_acknowledged: bool) -> dict[int, AckStatus]:
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
