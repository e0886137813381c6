"""The outcome of a delivery attempt, and when the next attempt is made.

Attempts are made after pauses of 0 s, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, each
20 % longer or shorter. If the destination names a time, the next attempt is not made before it. A
permanent failure is tried three times, since a firewall that is being changed looks the same.

Source: reliability.md section 10, transports.md section 5, contract.md section 15 (deliveries).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from enum import StrEnum, unique
from typing import Final, NamedTuple


@unique
class AttemptOutcome(StrEnum):
    """Of an attempt. ``lost``: nobody knows, as the worker ended before it could say."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    PERMANENT = "permanent"
    LOST = "lost"


@unique
class FailureKind(StrEnum):
    """Why there is no answer, or what was wrong with it."""

    CONNECTION_REFUSED = "connection_refused"
    CONNECTION_LOST = "connection_lost"
    NAME_NOT_FOUND = "name_not_found"
    TIMED_OUT = "timed_out"
    ANSWER_INVALID = "answer_invalid"
    ADDRESS_REFUSED = "address_refused"
    CERTIFICATE_INVALID = "certificate_invalid"
    AUTHENTICATION_FAILED = "authentication_failed"
    PERMISSION_DENIED = "permission_denied"
    MIC_MISMATCH = "mic_mismatch"
    RECEIPT_NEGATIVE = "receipt_negative"
    NOT_CONFIGURED = "not_configured"
    LEASE_LOST = "lease_lost"


class AttemptVerdict(NamedTuple):
    """What an attempt means.

    ``is_slow_down``: the destination asks for less. ``is_final``: a person has to look at it
    before anything is sent again. ``disables``: the destination is gone for good; nothing is sent
    there until somebody enables it.
    """

    outcome: AttemptOutcome
    is_slow_down: bool = False
    is_final: bool = False
    disables: bool = False


_SUCCEEDED: Final = AttemptVerdict(AttemptOutcome.SUCCEEDED)
_FAILED: Final = AttemptVerdict(AttemptOutcome.FAILED)
_PERMANENT: Final = AttemptVerdict(AttemptOutcome.PERMANENT)
_SLOWER: Final = AttemptVerdict(AttemptOutcome.FAILED, is_slow_down=True)
_GONE: Final = AttemptVerdict(AttemptOutcome.PERMANENT, is_final=True, disables=True)

VERDICT_BY_STATUS: Final[Mapping[int, AttemptVerdict]] = {
    408: _FAILED,
    409: _FAILED,
    410: _GONE,
    425: _FAILED,
    429: _SLOWER,
    502: _SLOWER,
    503: _SLOWER,
    504: _SLOWER,
}
"""What differs from its class: 2xx succeeded, 4xx is permanent, everything else failed."""

VERDICT_BY_FAILURE: Final[Mapping[FailureKind, AttemptVerdict]] = {
    FailureKind.CONNECTION_REFUSED: _FAILED,
    FailureKind.CONNECTION_LOST: _FAILED,
    FailureKind.NAME_NOT_FOUND: _FAILED,
    FailureKind.TIMED_OUT: _FAILED,
    FailureKind.ANSWER_INVALID: _FAILED,
    FailureKind.ADDRESS_REFUSED: _PERMANENT,
    FailureKind.CERTIFICATE_INVALID: _PERMANENT,
    FailureKind.AUTHENTICATION_FAILED: _PERMANENT,
    FailureKind.PERMISSION_DENIED: _PERMANENT,
    FailureKind.MIC_MISMATCH: AttemptVerdict(AttemptOutcome.PERMANENT, is_final=True),
    FailureKind.RECEIPT_NEGATIVE: _PERMANENT,
    FailureKind.NOT_CONFIGURED: _PERMANENT,
    FailureKind.LEASE_LOST: AttemptVerdict(AttemptOutcome.LOST),
}

_SUCCESSES: Final = range(200, 300)
_REFUSALS: Final = range(400, 500)


def verdict_of_status(status: int) -> AttemptVerdict:
    """Return what an HTTP status means; a redirect is a failure, and is not followed."""
    if status in VERDICT_BY_STATUS:
        return VERDICT_BY_STATUS[status]
    if status in _SUCCESSES:
        return _SUCCEEDED
    return _PERMANENT if status in _REFUSALS else _FAILED


def verdict_of_failure(kind: FailureKind) -> AttemptVerdict:
    """Return what an attempt without an answer means."""
    return VERDICT_BY_FAILURE[kind]


def error_code(status: int) -> str:
    """Return the code of a failure by its status, as ``last_error`` has it: ``http_503``."""
    return f"http_{status}"


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
MAX_ATTEMPTS: Final = len(PAUSES)
PERMANENT_ATTEMPTS: Final = 3
JITTER: Final = 0.2
LONGEST_RETRY_AFTER: Final = timedelta(hours=24)
_SECONDS = re.compile("[0-9]{1,9}")


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
    most = PERMANENT_ATTEMPTS if outcome is AttemptOutcome.PERMANENT else MAX_ATTEMPTS
    if attempt.number >= most:
        return None
    pause = PAUSES[attempt.number] * (1 + JITTER * (2 * fraction - 1))
    asked = min(attempt.retry_after or timedelta(0), LONGEST_RETRY_AFTER)
    due = attempt.ended_at + max(pause, asked)
    return None if attempt.deadline is not None and due > attempt.deadline else due


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
