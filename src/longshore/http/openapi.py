"""The OpenAPI 3.1 document, made of the operations and their wire shapes alone."""

from collections.abc import Iterable
from functools import cache
from types import MappingProxyType
from typing import Final

import msgspec

from longshore import __version__
from longshore.http.api_v1.convert_shapes import RULE_NAME, RULE_SCHEMA
from longshore.http.envelope import JSON, ErrorAnswer, ProblemAnswer
from longshore.http.errors import STATUS_BY_CODE, phrase
from longshore.http.headers import PROBLEM_JSON
from longshore.http.openapi_schemas import Json, component_schemas, parameter_schemas
from longshore.http.operation import AnyOperation, check_operation
from longshore.http.origin import COOKIE_NAME, SECURE_COOKIE_NAME
from longshore.http.preconditions import (
    IDEMPOTENCY_KEY,
    IF_MATCH,
    MAX_IDEMPOTENCY_KEY_CHARS,
)
from longshore.http.routes import OPERATIONS
from longshore.http.session_caller import SECURITY
from longshore.kit.errors import ErrorCode

OPENAPI_VERSION: Final = "3.1.0"

MEANING_BY_CODE: Final = MappingProxyType({
    ErrorCode.INVALID_JSON: "The body is not JSON in UTF-8, is nested too deeply, or has a "
    "member twice.",
    ErrorCode.NOT_AN_OBJECT: "The body is JSON but not an object.",
    ErrorCode.MISSING_PARAMETER: "A required member is absent.",
    ErrorCode.INVALID_PARAMETER: "A member has a value that cannot be used.",
    ErrorCode.UNKNOWN_PARAMETER: "A member or a query parameter is not known; the nearest name "
    "is given.",
    ErrorCode.UNSUPPORTED_FORMAT: "The document format is not supported.",
    ErrorCode.UNSUPPORTED_CONTENT_TYPE: "The body is not declared as JSON, or is compressed.",
    ErrorCode.DOCUMENT_EMPTY: "The document is the empty string.",
    ErrorCode.DOCUMENT_UNPARSEABLE: "Nothing of the document can be read; details say why.",
    ErrorCode.DOCUMENT_NOT_X12: "The document is of another format than X12; details name it.",
    ErrorCode.SEGMENT_TOO_LONG: "One segment is longer than any real one.",
    ErrorCode.LIMIT_EXCEEDED: "The document exceeds a limit; details name it.",
    ErrorCode.MAP_OR_FIELD_MAP_REQUIRED: "A conversion needs map_id or field_map.",
    ErrorCode.INVALID_MAPPING_RULE: "A mapping rule cannot be used; details name each such rule.",
    ErrorCode.INVALID_FORMULA: "A formula of a rule cannot be used; details say where and why.",
    ErrorCode.UNSUPPORTED_TRANSFORM: "A mapping rule names a transform that does not exist.",
    ErrorCode.MAP_TX_SET_MISMATCH: "The map is for another transaction set than the document has.",
    ErrorCode.CONVERSION_FAILED: "A value does not do what a rule or the target format demands; "
    "details say which rule and why.",
    ErrorCode.DELIMITER_IN_DATA: "A value holds a separator of the document to be written.",
    ErrorCode.MISSING_API_KEY: "There is no Authorization header.",
    ErrorCode.INVALID_API_KEY: "The key is malformed, unknown, revoked or expired.",
    ErrorCode.NOT_LOGGED_IN: "There is no session, or it has ended.",
    ErrorCode.INVALID_LOGIN: "The e-mail address or the password is wrong.",
    ErrorCode.ACCOUNT_SUSPENDED: "The account of the key or the session is suspended.",
    ErrorCode.PLAN_REQUIRED: "A production key, but the account is not on developer-pro or "
    "enterprise.",
    ErrorCode.INSUFFICIENT_SCOPE: "The key lacks the scope this operation needs.",
    ErrorCode.CSRF_FAILED: "The request does not come from a page of this service, or lacks the "
    "session's X-CSRF-Token.",
    ErrorCode.FORBIDDEN_RESOURCE: "It is yours to see at most: another role is needed.",
    ErrorCode.PASSWORD_REQUIRED: "The login is over 10 minutes old: send the password again.",
    ErrorCode.NOT_FOUND: "It does not exist, or is not yours.",
    ErrorCode.METHOD_NOT_ALLOWED: "The path exists, the method does not; see Allow.",
    ErrorCode.BAD_REQUEST: "The request is not correct HTTP, or has no Host.",
    ErrorCode.REQUEST_TIMEOUT: "The request arrived too slowly.",
    ErrorCode.HEADERS_TOO_LARGE: "The headers exceed 64 KiB or 100 fields.",
    ErrorCode.DOCUMENT_TOO_LARGE: "The body exceeds the limit in details[0].limit_bytes.",
    ErrorCode.DOCUMENT_INVALID: "Validation found errors; each has a detail.",
    ErrorCode.TX_SET_MISMATCH: "The document has other transaction sets than tx_set says.",
    ErrorCode.SET_NOT_AGREED: "The set is not among the tx_sets of the partner.",
    ErrorCode.PARTNER_IDENTITY_MISMATCH: "Sender or receiver are not the partner's and yours.",
    ErrorCode.USAGE_MISMATCH: "ISA15 marks live data, but the key is a sandbox key.",
    ErrorCode.PARTNER_INACTIVE: "The partner takes no such documents at present.",
    ErrorCode.IDEMPOTENCY_IN_FLIGHT: "The same Idempotency-Key is being carried out.",
    ErrorCode.IDEMPOTENCY_MISMATCH: "This Idempotency-Key was used with another body or path.",
    ErrorCode.DUPLICATE_INTERCHANGE: "The control number was used before; see restamp.",
    ErrorCode.EDIT_CONFLICT: "Another version was saved since the one that was edited.",
    ErrorCode.INVALID_STATE: "The state of the object does not allow this action.",
    ErrorCode.RATE_LIMITED: (
        "Too often or too much at once, of a production key, of logins or of inbound addresses "
        "that do not exist; details[0].limit names the limit, Retry-After says when to try again."
    ),
    ErrorCode.INTERNAL_ERROR: "A fault of the service; its log has more under the request id.",
    ErrorCode.STORAGE_UNAVAILABLE: "The database does not answer; try again after Retry-After.",
    ErrorCode.STORAGE_QUOTA_EXCEEDED: (
        "The account has used its quota of storage; nothing was stored."
    ),
    ErrorCode.OVERLOADED: "The server is full or stopping; try again after Retry-After.",
})

_DESCRIPTION: Final = (
    "Reads EDI and structured documents over HTTP. Every answer carries X-Request-Id and a "
    "boolean ok; check it first. Positions are 1-based and character offsets 0-based, both in "
    "characters of the decoded document. Times are UTC without zone."
)
OCTET_STREAM: Final = "application/octet-stream"
_STRUCTURED: Final = frozenset({
    JSON.decode(),
    "multipart/form-data",
    "application/x-www-form-urlencoded",
})
ENVIRONMENT_HEADER: Final[Json] = {
    "name": "X-Environment",
    "in": "header",
    "required": False,
    "description": "What the page shows. Production needs a plan with production.",
    "schema": {"type": "string", "enum": ["sandbox", "production"], "default": "sandbox"},
}
CSRF_HEADER: Final[Json] = {
    "name": "X-CSRF-Token",
    "in": "header",
    "required": True,
    "description": "The csrf_token of GET /api/session.",
    "schema": {"type": "string"},
}
_IF_MATCH: Final[Json] = {
    "name": IF_MATCH,
    "in": "header",
    "required": True,
    "description": "The edited version, for example 7; * for the newest version.",
    "schema": {"type": "string"},
}
_IDEMPOTENCY_KEY: Final[Json] = {
    "name": IDEMPOTENCY_KEY,
    "in": "header",
    "required": False,
    "description": "Any text, new for each request. A repeated key returns the first response "
    "again, and nothing is done twice. Stored for at least 7 days.",
    "schema": {"type": "string", "minLength": 1, "maxLength": MAX_IDEMPOTENCY_KEY_CHARS},
}
_REQUEST_ID: Final[Json] = {
    "description": "Yours, if it was 1 to 64 characters of [A-Za-z0-9._-], else made here.",
    "schema": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"},
}
_REQUEST_ID_REFERENCE: Final[Json] = {
    "X-Request-Id": {"$ref": "#/components/headers/RequestId"},
}


@cache
def openapi_document() -> Json:
    """Return the document; it needs no running service and is the same everywhere.

    Everybody gets the same one: it is not to be changed.
    """
    for operation in OPERATIONS:
        check_operation(operation)
    paths: dict[str, Json] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation)
    return {
        "openapi": OPENAPI_VERSION,
        "info": {"title": "Longshore", "version": __version__, "description": _DESCRIPTION},
        "servers": [{"url": "/", "description": "The service that sent this document."}],
        "tags": [{"name": tag} for tag in dict.fromkeys(item.tag for item in OPERATIONS)],
        "paths": paths,
        "components": {
            "schemas": component_schemas(
                [each.body for each in OPERATIONS if each.body],
                [
                    ErrorAnswer,
                    ProblemAnswer,
                    *(each.response.shape for each in OPERATIONS if each.response.shape),
                ],
                {RULE_NAME: RULE_SCHEMA},
            ),
            "responses": _error_responses(),
            "headers": {"RequestId": _REQUEST_ID},
            "securitySchemes": {
                "apiKey": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "svc_test_… chooses the sandbox, svc_live_… production.",
                },
                "session": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": COOKIE_NAME,
                    "description": f"Set by POST /api/session; named {SECURE_COOKIE_NAME} where "
                    "the service has an https address.",
                },
            },
        },
        "x-errors": {
            code.value: {"status": STATUS_BY_CODE[code], "meaning": MEANING_BY_CODE[code]}
            for code in ErrorCode
        },
    }


@cache
def openapi_json() -> bytes:
    """Return the document as it is served and committed."""
    return msgspec.json.format(msgspec.json.encode(openapi_document()), indent=2) + b"\n"


def _operation(operation: AnyOperation) -> Json:
    described: Json = {
        "operationId": operation.operation_id,
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": operation.description,
        "security": [{operation.caller.security: []}] if operation.caller.security else [],
        "x-scope": operation.scope.value if operation.scope else None,
        "x-limit-class": operation.limit_class.value,
        "x-codes": [code.value for code in ErrorCode if code in operation.documented_errors()],
    }
    parameters = _session_headers(operation)
    if operation.is_versioned:
        parameters.append(_IF_MATCH)
    if operation.takes_idempotency_key:
        parameters.append(_IDEMPOTENCY_KEY)
    if operation.raw_form is not None:
        parameters += _parameters(operation, operation.raw_form.parameters)
    if operation.parameters is not None:
        parameters += _parameters(operation, operation.parameters)
    if parameters:
        described["parameters"] = parameters
    if operation.body is not None:
        described["requestBody"] = {
            "required": operation.method != "DELETE",
            "content": {JSON.decode(): _content(operation.body, operation.body_example)},
        }
    if operation.raw_form is not None:
        raw = _raw_body(operation.raw_form.media_types)
        json_body = described["requestBody"]["content"]
        described["requestBody"] = raw | {"content": json_body | raw["content"]}
    if operation.any_body:
        described["requestBody"] = _raw_body(operation.any_body)
        described["requestBody"]["description"] += " Other types are taken like these."
    described["responses"] = {"200": _response(operation), **_errors(operation)}
    return described


def _session_headers(operation: AnyOperation) -> list[Json]:
    if operation.caller.security != SECURITY:
        return []
    return [ENVIRONMENT_HEADER] if operation.method == "GET" else [ENVIRONMENT_HEADER, CSRF_HEADER]


def _parameters(operation: AnyOperation, shape: type[msgspec.Struct]) -> list[Json]:
    described = []
    for name, member in parameter_schemas(shape).items():
        text = member.pop("description")
        place = "path" if name in operation.path_parameters else "query"
        if place == "query" and member.get("type") == "string" and "enum" not in member:
            member["minLength"] = 1  # whatever it is, it is refused if it is empty
        described.append({
            "name": name,
            "in": place,
            "required": place == "path",
            "description": text,
            "schema": member,
        })
    return described


def _raw_body(media_types: Iterable[str]) -> Json:
    """Describe a body of which the handler gets the bytes; ``x-media-types`` has all its types.

    Client generators warn about types such as application/edi-x12 and leave the body out. They
    know application/octet-stream, which is taken like those.
    """
    content: dict[str, Json] = {each: {"schema": {}} for each in media_types if each in _STRUCTURED}
    named = ", ".join(each for each in media_types if each not in {OCTET_STREAM, *_STRUCTURED})
    return {
        "required": True,
        "description": f"As {named} or {OCTET_STREAM}: the document itself.",
        "content": {OCTET_STREAM: {"schema": {"type": "string", "format": "binary"}}, **content},
        "x-media-types": list(media_types),
    }


def _response(operation: AnyOperation) -> Json:
    response = operation.response
    content = (
        {"schema": {"type": "string"}}
        if response.shape is None
        else _content(response.shape, response.example)
    )
    return {
        "description": response.description,
        "headers": _REQUEST_ID_REFERENCE,
        "content": {
            response.media_type: content,
            **{media_type: {"schema": {}} for media_type in response.also},
        },
    }


def _errors(operation: AnyOperation) -> dict[str, Json]:
    statuses = {STATUS_BY_CODE[code] for code in operation.documented_errors()}
    return {
        str(status): {"$ref": f"#/components/responses/Error{status}"}
        for status in sorted(statuses)
    }


def _error_responses() -> dict[str, Json]:
    """Return the answer of each error status; ``x-codes`` of an operation names its codes."""
    used = frozenset[ErrorCode]().union(*(each.documented_errors() for each in OPERATIONS))
    by_status: dict[int, list[ErrorCode]] = {}
    for code in ErrorCode:
        if code in used:
            by_status.setdefault(STATUS_BY_CODE[code], []).append(code)
    return {f"Error{status}": _error(status, codes) for status, codes in sorted(by_status.items())}


def _error(status: int, codes: list[ErrorCode]) -> Json:
    lines = "\n".join(f"- `{code}`: {MEANING_BY_CODE[code]}" for code in codes)
    headers = dict(_REQUEST_ID_REFERENCE)
    if ErrorCode.MISSING_API_KEY in codes:
        headers["WWW-Authenticate"] = {
            "description": "Bearer, where an API key is needed.",
            "schema": {"type": "string"},
        }
    if {ErrorCode.OVERLOADED, ErrorCode.RATE_LIMITED} & set(codes):
        headers["Retry-After"] = {"description": "Seconds.", "schema": {"type": "integer"}}
    return {
        "description": f"{phrase(status)}\n\n{lines}",
        "headers": headers,
        "content": {
            JSON.decode(): _content(ErrorAnswer, None),
            PROBLEM_JSON.decode(): _content(ProblemAnswer, None),
        },
    }


def _content(shape: type[msgspec.Struct], example: object) -> Json:
    schema: Json = {"$ref": f"#/components/schemas/{shape.__name__}"}
    return {"schema": schema} if example is None else {"schema": schema, "example": example}
