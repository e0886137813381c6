"""When the next attempt of a delivery is made, and when there is none.

A failed attempt is followed by quick ones within a minute, then by later and later ones, for 75
hours and 36 minutes in all. Each pause is up to a fifth longer or shorter. If the destination names
a time, the next attempt is not made before it.

A document that the destination refuses is tried three times within half a minute, since a firewall
that is being changed looks the same. Then it is given up, so that the documents behind it are sent;
or, if the partner's setting says ``wait``, it is tried as long as any other.

An attempt that is made before its time, because somebody asked for it or the destination works
again, does not use up an attempt of the schedule.

Source: reliability.md section 10, transports.md section 5.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final, NamedTuple

from longshore.domain.delivery.model import AttemptId, DeliveryAttempt
from longshore.domain.delivery.outcome import AttemptOutcome, AttemptVerdict

PAUSES: Final[Sequence[timedelta]] = (
    timedelta(0),
    timedelta(seconds=1),
    timedelta(seconds=2),
    timedelta(seconds=5),
    timedelta(seconds=10),
    timedelta(seconds=30),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=5),
    timedelta(hours=10),
    timedelta(hours=14),
    timedelta(hours=20),
    timedelta(hours=24),
)
"""Before the first, second, … attempt."""
PERMANENT_PAUSES: Final[Sequence[timedelta]] = (
    timedelta(0),
    timedelta(seconds=5),
    timedelta(seconds=15),
)
"""The same for a document that the destination refuses."""
MAX_ATTEMPTS: Final = len(PAUSES)
EARLY_ATTEMPTS: Final = 6
"""So many attempts of a document are made within a minute."""
JITTER: Final = 0.2
MAX_RETRY_AFTER: Final = timedelta(hours=24)
_SECONDS = re.compile("[0-9]{1,9}")


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedAttempt:
    """An attempt that has ended, with what decides about the next one."""

    number: int
    """The attempts of the schedule that were made, with this one."""
    verdict: AttemptVerdict
    ended_at: datetime
    refusals: int = 0
    """The attempts that ended with a permanent failure, with this one."""
    is_patient: bool = False
    """True if a document that is refused is tried on the whole schedule."""
    planned_at: datetime | None = None
    """When the schedule has its next attempt, if this one was made before its time."""
    retry_after: timedelta | None = None
    """The time that the destination asks us to wait."""
    deadline: datetime | None = None
    """When the document is of no use any more."""


def next_attempt_at(attempt: EndedAttempt, fraction: float) -> datetime | None:
    """Return when the next attempt is due; None if this one was the last.

    Args:
        attempt: The attempt that has ended.
        fraction: A random number from 0 up to 1; 0.5 is the schedule itself.
    """
    outcome, count, pauses = attempt.verdict.outcome, attempt.number, PAUSES
    if outcome is AttemptOutcome.SUCCEEDED or attempt.verdict.is_final:
        return None
    if outcome is AttemptOutcome.PERMANENT and not attempt.is_patient:
        count, pauses = attempt.refusals, PERMANENT_PAUSES
    if count >= len(pauses):
        return None
    due = attempt.planned_at
    if due is None or pauses is PERMANENT_PAUSES:
        due = attempt.ended_at + pauses[count] * (1 + JITTER * (2 * fraction - 1))
    asked = min(attempt.retry_after or timedelta(0), MAX_RETRY_AFTER)
    due = max(due, attempt.ended_at + asked)
    return None if attempt.deadline is not None and due > attempt.deadline else due


class ScheduleProgress(NamedTuple):
    """The progress of an entry on its schedule."""

    number: int
    """The attempts that were made at their time."""
    planned_at: datetime | None
    """When the next one is planned, if the newest attempt was made before that."""
    refusals: int
    """The attempts that ended with a permanent failure."""
    replaced: tuple[AttemptId, ...]
    """Attempts that were made before their time and failed, if the newest was early as well."""


def schedule_progress(attempts: Sequence[DeliveryAttempt]) -> ScheduleProgress:
    """Return how far the attempts of an entry are, the oldest first; the newest may be running."""
    number, refusals, planned_at = 0, 0, None
    early: list[AttemptId] = []
    for each in attempts:
        if planned_at is not None and each.started_at < planned_at:
            early.append(each.id)
        else:
            number, planned_at = number + 1, None
        if each.result is not None:
            refusals += each.result.outcome is AttemptOutcome.PERMANENT
            planned_at = each.result.next_attempt_at
    replaced = early[:-1] if early and early[-1] == attempts[-1].id else []
    return ScheduleProgress(number, planned_at, refusals, tuple(replaced))


def read_retry_after(text: str, now: datetime) -> timedelta | None:
    """Return how long ``Retry-After`` asks to wait: seconds, or a date; None if it is neither.

    Source: RFC 9110 sections 5.6.7 and 10.2.3.
    """
    if _SECONDS.fullmatch(text):
        return timedelta(seconds=int(text))
    if not text.endswith(" GMT"):
        return None
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):  # no date, or a day that does not exist
        return None
    return max(moment - now, timedelta(0))


def delivery_deadline(created_at: datetime, hours: int | None) -> datetime | None:
    """Return the business deadline (``delivery_deadline_hours``), None if there is none."""
    return None if hours is None else created_at + timedelta(hours=hours)
