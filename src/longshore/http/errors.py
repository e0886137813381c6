"""From refusals to answers: the one place that knows HTTP statuses."""

from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Final

import msgspec

from longshore.domain.outbound.errors import DocumentInvalidError
from longshore.http.envelope import JSON, Answer, ErrorAnswer, ErrorItem, ProblemAnswer
from longshore.http.headers import PROBLEM_JSON, Header
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError

STATUS_BY_CODE: Final[Mapping[ErrorCode, int]] = MappingProxyType({
    ErrorCode.INVALID_JSON: 400,
    ErrorCode.NOT_AN_OBJECT: 400,
    ErrorCode.MISSING_PARAMETER: 400,
    ErrorCode.INVALID_PARAMETER: 400,
    ErrorCode.UNKNOWN_PARAMETER: 400,
    ErrorCode.UNSUPPORTED_FORMAT: 400,
    ErrorCode.UNSUPPORTED_CONTENT_TYPE: 400,
    ErrorCode.DOCUMENT_EMPTY: 400,
    ErrorCode.DOCUMENT_UNPARSEABLE: 400,
    ErrorCode.DOCUMENT_NOT_X12: 400,
    ErrorCode.SEGMENT_TOO_LONG: 400,
    ErrorCode.LIMIT_EXCEEDED: 400,
    ErrorCode.MAP_OR_FIELD_MAP_REQUIRED: 400,
    ErrorCode.INVALID_MAPPING_RULE: 400,
    ErrorCode.INVALID_FORMULA: 400,
    ErrorCode.UNSUPPORTED_TRANSFORM: 400,
    ErrorCode.MAP_TX_SET_MISMATCH: 400,
    ErrorCode.CONVERSION_FAILED: 400,
    ErrorCode.DELIMITER_IN_DATA: 400,
    ErrorCode.DOCUMENT_INVALID: 400,
    ErrorCode.TX_SET_MISMATCH: 400,
    ErrorCode.SET_NOT_AGREED: 400,
    ErrorCode.PARTNER_IDENTITY_MISMATCH: 400,
    ErrorCode.USAGE_MISMATCH: 400,
    ErrorCode.PARTNER_INACTIVE: 400,
    ErrorCode.MISSING_API_KEY: 401,
    ErrorCode.INVALID_API_KEY: 401,
    ErrorCode.NOT_LOGGED_IN: 401,
    ErrorCode.INVALID_LOGIN: 401,
    ErrorCode.ACCOUNT_SUSPENDED: 403,
    ErrorCode.PLAN_REQUIRED: 403,
    ErrorCode.INSUFFICIENT_SCOPE: 403,
    ErrorCode.CSRF_FAILED: 403,
    ErrorCode.FORBIDDEN_RESOURCE: 403,
    ErrorCode.PASSWORD_REQUIRED: 403,
    ErrorCode.NOT_FOUND: 404,
    ErrorCode.METHOD_NOT_ALLOWED: 405,
    ErrorCode.BAD_REQUEST: 400,
    ErrorCode.REQUEST_TIMEOUT: 408,
    ErrorCode.HEADERS_TOO_LARGE: 431,
    ErrorCode.DOCUMENT_TOO_LARGE: 413,
    ErrorCode.IDEMPOTENCY_IN_FLIGHT: 409,
    ErrorCode.DUPLICATE_INTERCHANGE: 409,
    ErrorCode.EDIT_CONFLICT: 409,
    ErrorCode.INVALID_STATE: 409,
    ErrorCode.IDEMPOTENCY_MISMATCH: 422,
    ErrorCode.RATE_LIMITED: 429,
    ErrorCode.INTERNAL_ERROR: 500,
    ErrorCode.STORAGE_UNAVAILABLE: 503,
    ErrorCode.OVERLOADED: 503,
    ErrorCode.STORAGE_QUOTA_EXCEEDED: 507,
})

CALLER_STATUSES: Final = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})
"""The caller is turned away, not the request."""

KEY_CODES: Final = frozenset({ErrorCode.MISSING_API_KEY, ErrorCode.INVALID_API_KEY})
"""The refusals that a Bearer key would resolve; of a browser it would only open a dialog."""

MAX_ERROR_CHARS: Final = 2_000
MAX_DETAILS: Final = 100


class MethodNotAllowedError(LongshoreError):
    """The path exists, the method does not."""

    def __init__(self, allow: str) -> None:
        super().__init__(
            ErrorCode.METHOD_NOT_ALLOWED, f"This path does not know that method. Use {allow}."
        )
        self.allow = allow


class PathNotFoundError(LongshoreError):
    """There is nothing at the path."""

    def __init__(self) -> None:
        super().__init__(
            ErrorCode.NOT_FOUND,
            "This path does not exist. GET /openapi.json lists all paths; they have no trailing "
            "slash.",
        )


def internal_error() -> LongshoreError:
    """Return what a caller learns of a fault of ours: nothing but where to ask."""
    return LongshoreError(
        ErrorCode.INTERNAL_ERROR,
        "An internal error occurred. Try again; if it happens again, give the request id of "
        "this response to the operator.",
    )


def phrase(status: int) -> str:
    """Return the standard name of a status, such as Bad Request."""
    return HTTPStatus(status).phrase


def refusal_answer(
    refusal: LongshoreError, request_id: str, *, problem_base_url: str | None = None
) -> Answer:
    """Return the answer to a refused request, as RFC 9457 if ``problem_base_url`` is given."""
    status = STATUS_BY_CODE[refusal.code]
    text = refusal.message[:MAX_ERROR_CHARS]
    items = [_item(detail) for detail in refusal.details[:MAX_DETAILS]]
    transaction_id = refusal.transaction_id if isinstance(refusal, DocumentInvalidError) else None
    body: ErrorAnswer
    if problem_base_url is None:
        body = ErrorAnswer(
            ok=False,
            error=text,
            code=refusal.code,
            details=items,
            request_id=request_id,
            transaction_id=transaction_id,
        )
    else:
        body = ProblemAnswer(
            ok=False,
            error=text,
            code=refusal.code,
            details=items,
            request_id=request_id,
            transaction_id=transaction_id,
            type=f"{problem_base_url}/docs#{refusal.code}",
            title=phrase(status),
            status=status,
            detail=text,
        )
    content_type = JSON if problem_base_url is None else PROBLEM_JSON
    return Answer(msgspec.json.encode(body), content_type, status, _headers(refusal))


def _headers(refusal: LongshoreError) -> tuple[Header, ...]:
    headers: list[Header] = [(b"cache-control", b"no-store")]
    if refusal.code in KEY_CODES:
        headers.append((b"www-authenticate", b"Bearer"))
    if refusal.retry_after_seconds is not None:
        headers.append((b"retry-after", b"%d" % refusal.retry_after_seconds))
    if isinstance(refusal, MethodNotAllowedError):
        headers.append((b"allow", refusal.allow.encode()))
    return tuple(headers)


def _item(detail: ErrorDetail) -> ErrorItem:
    return ErrorItem(
        code=detail.code,
        message=detail.message[:MAX_ERROR_CHARS],
        param=detail.param,
        allowed=None if detail.allowed is None else list(detail.allowed),
        limit=detail.limit,
        max=detail.max,
        used=detail.used,
        limit_bytes=detail.limit_bytes,
        offset=detail.offset,
        line=detail.line,
        current_version=detail.current_version,
        position=detail.position,
        found=detail.found,
    )
