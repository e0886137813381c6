"""The error catalogue: every error code of the API, and the exception that carries one.

An error concerns a *request*; a problem inside a *document* is a finding
(``longshore.x12.findings``). Only ``longshore.http.errors`` knows HTTP statuses.

Source: contract.md section 2.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum, unique


@unique
class ErrorCode(StrEnum):
    """Machine-readable code of a refusal. A value is never renamed or reused."""

    INVALID_JSON = "invalid_json"
    NOT_AN_OBJECT = "not_an_object"
    MISSING_PARAMETER = "missing_parameter"
    INVALID_PARAMETER = "invalid_parameter"
    UNKNOWN_PARAMETER = "unknown_parameter"
    UNSUPPORTED_FORMAT = "unsupported_format"
    UNSUPPORTED_CONTENT_TYPE = "unsupported_content_type"
    DOCUMENT_EMPTY = "document_empty"
    DOCUMENT_UNPARSEABLE = "document_unparseable"
    DOCUMENT_NOT_X12 = "document_not_x12"
    SEGMENT_TOO_LONG = "segment_too_long"
    LIMIT_EXCEEDED = "limit_exceeded"
    MAP_OR_FIELD_MAP_REQUIRED = "map_or_field_map_required"
    INVALID_MAPPING_RULE = "invalid_mapping_rule"
    INVALID_FORMULA = "invalid_formula"
    UNSUPPORTED_TRANSFORM = "unsupported_transform"
    MAP_TX_SET_MISMATCH = "map_tx_set_mismatch"
    CONVERSION_FAILED = "conversion_failed"
    DELIMITER_IN_DATA = "delimiter_in_data"
    DOCUMENT_INVALID = "document_invalid"
    TX_SET_MISMATCH = "tx_set_mismatch"
    SET_NOT_AGREED = "set_not_agreed"
    PARTNER_IDENTITY_MISMATCH = "partner_identity_mismatch"
    USAGE_MISMATCH = "usage_mismatch"
    PARTNER_INACTIVE = "partner_inactive"
    MISSING_API_KEY = "missing_api_key"
    INVALID_API_KEY = "invalid_api_key"
    NOT_LOGGED_IN = "not_logged_in"
    INVALID_LOGIN = "invalid_login"
    ACCOUNT_SUSPENDED = "account_suspended"
    PLAN_REQUIRED = "plan_required"
    INSUFFICIENT_SCOPE = "insufficient_scope"
    CSRF_FAILED = "csrf_failed"
    FORBIDDEN_RESOURCE = "forbidden_resource"
    PASSWORD_REQUIRED = "password_required"  # noqa: S105 - a code
    NOT_FOUND = "not_found"
    METHOD_NOT_ALLOWED = "method_not_allowed"
    BAD_REQUEST = "bad_request"
    REQUEST_TIMEOUT = "request_timeout"
    HEADERS_TOO_LARGE = "headers_too_large"
    DOCUMENT_TOO_LARGE = "document_too_large"
    IDEMPOTENCY_IN_FLIGHT = "idempotency_in_flight"
    IDEMPOTENCY_MISMATCH = "idempotency_mismatch"
    DUPLICATE_INTERCHANGE = "duplicate_interchange"
    EDIT_CONFLICT = "edit_conflict"
    INVALID_STATE = "invalid_state"
    INTERNAL_ERROR = "internal_error"
    STORAGE_UNAVAILABLE = "storage_unavailable"
    STORAGE_QUOTA_EXCEEDED = "storage_quota_exceeded"
    OVERLOADED = "overloaded"
    RATE_LIMITED = "rate_limited"


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorDetail:
    """One fault of a refused request: what, where, and what would be allowed.

    ``code`` may be more exact than the code of the refusal (``not_x12`` under
    ``document_unparseable``). ``offset`` is a 0-based character of the document, ``line`` 1-based.
    ``found`` is the format of a document that is not X12, ``position`` a 1-based
    character of a formula.
    """

    code: str
    message: str
    param: str | None = None
    allowed: tuple[str, ...] | None = None
    limit: str | None = None
    max: int | None = None
    used: int | None = None
    limit_bytes: int | None = None
    offset: int | None = None
    line: int | None = None
    current_version: int | None = None
    found: str | None = None
    position: int | None = None


class LongshoreError(Exception):
    """The exception that refuses a request.

    ``message`` says what is wrong and what to do about it; it holds no secret, path or document
    content. ``retry_after_seconds`` is set if a retry can help.
    """

    def __init__(
        self,
        code: ErrorCode,
        message: str,
        *,
        details: tuple[ErrorDetail, ...] = (),
        retry_after_seconds: int | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = details
        self.retry_after_seconds = retry_after_seconds

    def __reduce__(
        self,
    ) -> tuple[
        Callable[..., "LongshoreError"], tuple[type["LongshoreError"], str], dict[str, object]
    ]:
        """Pickle any subclass alike; exceptions would call ``__init__`` with the message alone."""
        return _restore, (type(self), self.message), self.__dict__


def more_in_details(count: int) -> str:
    """Return what follows the first of ``count`` faults in a text: that there are others."""
    if count <= 1:
        return ""
    others = "is one more" if count == 2 else f"are {count - 1} more"  # noqa: PLR2004 - the first and one
    return f" There {others}: see details."


def _restore(kind: type[LongshoreError], message: str) -> LongshoreError:
    return kind.__new__(kind, message)
