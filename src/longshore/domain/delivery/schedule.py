"""When the next attempt to deliver is made, if there is one.

Attempts lie 0 s, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h after one another, each
pause 20 % longer or shorter. A destination that names a time is not asked before it. What fails
for good is tried three times, since a firewall that is being changed looks the same.

Source: reliability.md section 10, transports.md section 5.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from longshore.domain.delivery.outcome import AttemptOutcome, AttemptVerdict

PAUSES: Final = (
    timedelta(0),
    timedelta(seconds=5),
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
MOST_ATTEMPTS: Final = len(PAUSES)
PERMANENT_ATTEMPTS: Final = 3
JITTER: Final = 0.2
LONGEST_RETRY_AFTER: Final = timedelta(hours=24)
_SECONDS = re.compile("[0-9]{1,9}")
_MONTHS: Final = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)
_DATE = re.compile(
    f"[A-Z][a-z]{{2}}, ([0-9]{{2}}) ({'|'.join(_MONTHS)}) ([0-9]{{4}}) "
    "([0-9]{2}):([0-9]{2}):([0-9]{2}) GMT"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedAttempt:
    """An attempt that has ended. ``number``: from 1, since the delivery was made or retried.

    ``retry_after``: how long the destination asks to be left alone. ``deadline``: when the
    business has no use for the document any more.
    """

    number: int
    verdict: AttemptVerdict
    ended_at: datetime
    retry_after: timedelta | None = None
    deadline: datetime | None = None


def next_attempt_at(attempt: EndedAttempt, fraction: float) -> datetime | None:
    """Return when the next attempt is due, or None: this one was the last.

    ``fraction``: random, from 0 up to 1; 0.5 is the schedule itself.
    """
    outcome = attempt.verdict.outcome
    if outcome is AttemptOutcome.SUCCEEDED or attempt.verdict.is_final:
        return None
    most = PERMANENT_ATTEMPTS if outcome is AttemptOutcome.PERMANENT else MOST_ATTEMPTS
    if attempt.number >= most:
        return None
    pause = PAUSES[attempt.number] * (1 + JITTER * (2 * fraction - 1))
    asked = min(attempt.retry_after or timedelta(0), LONGEST_RETRY_AFTER)
    due = attempt.ended_at + max(pause, asked)
    return None if attempt.deadline is not None and due > attempt.deadline else due


def read_retry_after(text: str, now: datetime) -> timedelta | None:
    """Return how long ``Retry-After`` asks to wait: seconds, or a date; None if it is neither.

    Source: RFC 9110 sections 5.6.7 and 10.2.3; of the forms of a date the one in use.
    """
    if _SECONDS.fullmatch(text):
        return timedelta(seconds=int(text))
    match = _DATE.fullmatch(text)
    if match is None:
        return None
    day, month, year, hour, minute, second = match.groups()
    date = f"{year}-{_MONTHS.index(month) + 1:02d}-{day}"
    try:
        moment = datetime.fromisoformat(f"{date}T{hour}:{minute}:{second}").replace(tzinfo=UTC)
    except ValueError:  # there is no such day or time
        return None
    return max(moment - now, timedelta(0))


def delivery_deadline(created_at: datetime, hours: int | None) -> datetime | None:
    """Return the business deadline (``delivery_deadline_hours``), None if there is none."""
    return None if hours is None else created_at + timedelta(hours=hours)
