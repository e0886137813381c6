"""Match a received acknowledgement with the sets of the group it answers.

Source: x12.md section 2.6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from longshore.x12.acks.codes import Status
from longshore.x12.acks.read import GroupAck, SetAck, is_rejecting


class AckOutcome(StrEnum):
    """The partner's decision about a set."""

    ACCEPTED = "accepted"
    ACCEPTED_WITH_ERRORS = "accepted_with_errors"
    PARTIALLY_ACCEPTED = "partially_accepted"
    REJECTED = "rejected"


class SentSet(NamedTuple):
    """A set that we had sent: ST01 and ST02."""

    set_id: str
    control_number: str


class SetOutcome(NamedTuple):
    """The outcome of a set; None if the acknowledgement does not tell."""

    outcome: AckOutcome | None
    is_ambiguous: bool
    """It does not tell for certain."""
    ack: SetAck | None
    """Its own part of the acknowledgement."""


_BY_STATUS: Final[Mapping[str, AckOutcome]] = {
    Status.ACCEPTED: AckOutcome.ACCEPTED,
    Status.WITH_ERRORS: AckOutcome.ACCEPTED_WITH_ERRORS,
    Status.PARTIAL: AckOutcome.PARTIALLY_ACCEPTED,
}


def outcomes(ack: GroupAck, sent: Sequence[SentSet]) -> list[SetOutcome]:
    """Return the outcome of each set that we had sent, in the same order."""
    listed: dict[SentSet, SetAck] = {}
    for each in ack.sets:
        listed.setdefault(SentSet(each.set_id, each.control_number), each)
    of_others = _of_unlisted(ack)
    return [
        _of_listed(listed[each], ack) if each in listed and listed[each].status else of_others
        for each in sent
    ]


def unknown_sets(ack: GroupAck, sent: Sequence[SentSet]) -> list[SetAck]:
    """Return the sets that are acknowledged though we had not sent them in this group."""
    ours = set(sent)
    return [each for each in ack.sets if SentSet(each.set_id, each.control_number) not in ours]


def _of_listed(listed: SetAck, ack: GroupAck) -> SetOutcome:
    """Return the outcome of a set from its own result, unless its whole group is rejected."""
    if is_rejecting(listed.status):
        return SetOutcome(AckOutcome.REJECTED, is_ambiguous=False, ack=listed)
    if is_rejecting(ack.status) and not ack.accepted:
        return SetOutcome(AckOutcome.REJECTED, is_ambiguous=True, ack=listed)
    outcome = _BY_STATUS.get(listed.status)
    return SetOutcome(outcome, is_ambiguous=outcome is None, ack=listed)


def _of_unlisted(ack: GroupAck) -> SetOutcome:
    """Return the outcome of a set without a result from the status of the group."""
    if is_rejecting(ack.status):
        return SetOutcome(AckOutcome.REJECTED, is_ambiguous=False, ack=None)
    if ack.status != Status.PARTIAL:
        outcome = _BY_STATUS.get(ack.status)
        return SetOutcome(outcome, is_ambiguous=outcome is None, ack=None)
    if ack.received is not None and ack.accepted is not None:
        rejected = ack.received - ack.accepted
        if len(ack.rejected_sets) == rejected:
            return SetOutcome(AckOutcome.ACCEPTED, is_ambiguous=False, ack=None)
    return SetOutcome(AckOutcome.PARTIALLY_ACCEPTED, is_ambiguous=True, ack=None)
