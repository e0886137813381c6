"""The outcome of a delivery attempt: what an answer, or the lack of one, means.

Source: reliability.md section 10, transports.md section 5, contract.md section 15 (deliveries).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum, unique
from typing import Final, NamedTuple


@unique
class AttemptOutcome(StrEnum):
    """The outcome of an attempt."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    """A later attempt may succeed."""
    PERMANENT = "permanent"
    """The destination refused it, and will probably refuse it again."""
    LOST = "lost"
    """Unknown: the worker ended before it could store the result."""


@unique
class FailureKind(StrEnum):
    """Why there is no answer, or why the answer does not count."""

    CONNECTION_REFUSED = "connection_refused"
    CONNECTION_LOST = "connection_lost"
    NAME_NOT_FOUND = "name_not_found"
    TIMED_OUT = "timed_out"
    ANSWER_INVALID = "answer_invalid"
    ADDRESS_REFUSED = "address_refused"
    CERTIFICATE_INVALID = "certificate_invalid"
    AUTHENTICATION_FAILED = "authentication_failed"
    PERMISSION_DENIED = "permission_denied"
    HOST_KEY_CHANGED = "host_key_changed"
    FOLDER_NOT_FOUND = "folder_not_found"
    FILE_EXISTS = "file_exists"
    TRANSFER_FAILED = "transfer_failed"
    MIC_MISMATCH = "mic_mismatch"
    RECEIPT_NEGATIVE = "receipt_negative"
    RECEIPT_OVERDUE = "receipt_overdue"
    NOT_FETCHED = "not_fetched"
    NOT_CONFIGURED = "not_configured"
    LEASE_LOST = "lease_lost"


class AttemptVerdict(NamedTuple):
    """The meaning of an attempt for the document and its destination."""

    outcome: AttemptOutcome
    is_slow_down: bool = False
    """True if the destination asks for fewer requests."""
    is_final: bool = False
    """True if a person has to look at the document before it is sent again."""
    disables: bool = False
    """True if the destination is gone or another one: nothing is sent there until somebody enables
    it again."""


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
"""The statuses that differ from their class: 2xx succeeds, 4xx is permanent, others fail."""

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
    # The document waits, held, until somebody has confirmed the key.
    FailureKind.HOST_KEY_CHANGED: AttemptVerdict(AttemptOutcome.PERMANENT, disables=True),
    FailureKind.FOLDER_NOT_FOUND: _PERMANENT,
    FailureKind.FILE_EXISTS: AttemptVerdict(AttemptOutcome.PERMANENT, is_final=True),
    FailureKind.TRANSFER_FAILED: _FAILED,
    FailureKind.MIC_MISMATCH: AttemptVerdict(AttemptOutcome.PERMANENT, is_final=True),
    FailureKind.RECEIPT_NEGATIVE: _PERMANENT,
    FailureKind.RECEIPT_OVERDUE: _FAILED,
    FailureKind.NOT_FETCHED: AttemptVerdict(AttemptOutcome.PERMANENT, is_final=True),
    FailureKind.NOT_CONFIGURED: _PERMANENT,
    FailureKind.LEASE_LOST: AttemptVerdict(AttemptOutcome.LOST),
}

_SUCCESSES: Final = range(200, 300)
_REFUSALS: Final = range(400, 500)


def verdict_of_status(status: int) -> AttemptVerdict:
    """Return what an HTTP status means. A redirect is a failure, and is not followed."""
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


@unique
class FailureScope(StrEnum):
    """The scope of a failure: it decides whether other documents are worth an attempt."""

    DOCUMENT = "document"
    """The destination works and refuses this document."""
    DESTINATION = "destination"
    """Any document would fail: there is no connection, no login, no such address, or overload."""
    UNKNOWN = "unknown"
    """It may be either: an internal error of the destination, a redirect, a lost result."""


_DESTINATION_STATUSES: Final = frozenset({401, 402, 403, 404, 405, 407, 408, 410, 421, 425})
_SCOPE_BY_FAILURE: Final[Mapping[str, FailureScope]] = {
    FailureKind.MIC_MISMATCH: FailureScope.DOCUMENT,
    FailureKind.RECEIPT_NEGATIVE: FailureScope.DOCUMENT,
    FailureKind.FILE_EXISTS: FailureScope.DOCUMENT,
    FailureKind.RECEIPT_OVERDUE: FailureScope.UNKNOWN,
    # What comes later may be fetched, and has to lie there for that.
    FailureKind.NOT_FETCHED: FailureScope.DOCUMENT,
    FailureKind.LEASE_LOST: FailureScope.UNKNOWN,
}


def failure_scope(http_status: int | None, code: str | None) -> FailureScope:
    """Return what a failed attempt was about.

    Args:
        http_status: The status of the answer, None if there was none.
        code: The code of the failure, as the attempt stores it.
    """
    if http_status is None:
        is_known = code in set(FailureKind)  # anything else is a fault of ours
        default = FailureScope.DESTINATION if is_known else FailureScope.UNKNOWN
        return _SCOPE_BY_FAILURE.get(code or "", default)
    if http_status in _DESTINATION_STATUSES or verdict_of_status(http_status).is_slow_down:
        return FailureScope.DESTINATION
    return FailureScope.DOCUMENT if http_status in _REFUSALS else FailureScope.UNKNOWN
