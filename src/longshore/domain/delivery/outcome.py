"""What came of an attempt to deliver, and what follows from it.

Source: reliability.md section 10, transports.md section 5, contract.md section 15 (deliveries).
"""

from __future__ import annotations

from collections.abc import Mapping
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
