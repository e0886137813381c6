"""An operation, a method on a path: its callers, its cost, its input and its output.

Operations are the one source of the routes, of the OpenAPI document and of the documentation.
"""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from longshore.domain.accounts.model import KeyScope
from longshore.http.envelope import JSON, Answer
from longshore.http.exchange import Exchange
from longshore.http.limits import LimitClass
from longshore.http.services import HttpServices
from longshore.kit.errors import ErrorCode

CallerT = TypeVar("CallerT")
BodyT = TypeVar("BodyT")
ParametersT = TypeVar("ParametersT", bound=msgspec.Struct)

_PATH_PARAMETER: Final = re.compile(r"\{([a-z_]+)\}")


class Charge(Protocol):
    """The costs that an operation charges to its caller."""

    @property
    def scope(self) -> KeyScope | None:
        """The scope a key must have."""
        ...

    @property
    def limit_class(self) -> LimitClass:
        """The budget a request is charged to."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CallerRule(Generic[CallerT]):
    """Identification of an operation's caller, which its handler gets as first argument."""

    identify: Callable[[Exchange, HttpServices, Charge], Awaitable[CallerT]]
    security: str | None
    """The name of the OpenAPI security scheme; None for an operation that is open to all."""
    errors: frozenset[ErrorCode]
    """The errors that identifying the caller can raise."""
    unsafe_errors: frozenset[ErrorCode] = frozenset()
    """More errors, for methods other than GET."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawForm(Generic[BodyT]):
    """A second form of a request: the document itself is the body, its options are the query."""

    media_types: tuple[str, ...]
    """The media types of such a body. A body of any other type has to be JSON."""
    parameters: type[msgspec.Struct]
    """The shape of the query, texts all of them."""
    request: Callable[[Any], BodyT]
    """Returns the body that JSON would have given for these parameters, its document empty."""


class Call(NamedTuple, Generic[BodyT]):
    """The arguments of a handler besides its caller."""

    body: BodyT
    services: HttpServices
    parameters: msgspec.Struct | None = None
    """The parameters of the path and the query, in the shape that the operation declares."""
    expected_version: int | None = None
    """The version in ``If-Match``, if the operation is versioned; None: any version."""
    idempotency_key: str | None = None
    """The header of that name, if the operation takes one."""
    client: str = ""
    """The IP address of the caller."""
    request_id: str = ""
    """The value of X-Request-Id in the answer."""
    raw_document: bytes | None = None
    """The document, where it was sent as the body itself."""

    def parameters_as(self, shape: type[ParametersT]) -> ParametersT:
        """Return the parameters; ``shape`` is the one the operation declares."""
        assert isinstance(self.parameters, shape)
        return self.parameters


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """The answer with status 200."""

    description: str
    shape: type[msgspec.Struct] | None = None
    """The shape of a JSON answer; None for other media types."""
    media_type: str = JSON.decode()
    also: tuple[str, ...] = ()
    """Other media types that the answer can have."""
    example: object = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation(Generic[CallerT, BodyT]):
    """One method on one path."""

    method: str
    path: str
    operation_id: str
    tag: str
    summary: str
    description: str
    caller: CallerRule[CallerT]
    scope: KeyScope | None
    limit_class: LimitClass
    response: Response
    handler: Callable[[CallerT, Call[BodyT]], Awaitable[Answer]]
    errors: frozenset[ErrorCode] = field(default_factory=frozenset)
    """The errors of the handler; ``documented_errors`` adds those of caller, body and scope."""
    body: type[BodyT] | None = None
    body_example: object = None
    any_body: tuple[str, ...] = ()
    """The usual media types of a body that the handler gets as bytes, in place of ``body``.

    Bodies of other media types are accepted as well."""
    raw_form: RawForm[BodyT] | None = None
    max_body_bytes: int | None = None
    """A lower limit than the service's; required for an operation without authentication."""
    parameters: type[msgspec.Struct] | None = None
    """The shape of the parameters of path and query, all texts; None: there are none."""
    is_queued: bool = False
    """True if the handler stores documents in turns of ``services.document_queue``."""
    is_versioned: bool = False
    """True if the operation requires ``If-Match``, because others may change the same object."""
    takes_idempotency_key: bool = False
    """True if a repeated ``Idempotency-Key`` gets the answer of the first request."""

    @property
    def path_parameters(self) -> tuple[str, ...]:
        """The names that stand in the path."""
        return tuple(_PATH_PARAMETER.findall(self.path))

    @property
    def query_parameters(self) -> tuple[str, ...]:
        """The names that may stand in the query."""
        names = () if self.parameters is None else self.parameters.__struct_encode_fields__
        return tuple(name for name in names if name not in self.path_parameters)

    @property
    def takes_body(self) -> bool:
        """Return whether a body is read."""
        return self.body is not None or bool(self.any_body)

    def documented_errors(self) -> frozenset[ErrorCode]:
        """Return every code this operation can answer with."""
        codes = self.errors | self.caller.errors | EVERYWHERE
        if self.is_versioned:
            codes |= {
                ErrorCode.MISSING_PARAMETER,
                ErrorCode.INVALID_PARAMETER,
                ErrorCode.EDIT_CONFLICT,
            }
        if self.takes_idempotency_key:
            codes |= {ErrorCode.INVALID_PARAMETER, ErrorCode.IDEMPOTENCY_MISMATCH}
        if self.method != "GET":
            codes |= self.caller.unsafe_errors
        if self.scope is not None:
            codes |= {ErrorCode.INSUFFICIENT_SCOPE}
        if self.parameters is not None:
            codes |= {ErrorCode.INVALID_PARAMETER}
        if self.body is not None:
            codes |= WITH_A_BODY
        if self.any_body:
            codes |= {ErrorCode.DOCUMENT_TOO_LARGE, ErrorCode.RATE_LIMITED}
        return codes


# The callers and bodies of a table of operations differ, so its type cannot name them.
AnyOperation = Operation[Any, Any]

EVERYWHERE: Final = frozenset({
    ErrorCode.BAD_REQUEST,
    ErrorCode.UNKNOWN_PARAMETER,
    ErrorCode.REQUEST_TIMEOUT,
    ErrorCode.HEADERS_TOO_LARGE,
    ErrorCode.INTERNAL_ERROR,
    ErrorCode.OVERLOADED,
})
WITH_A_BODY: Final = frozenset({
    ErrorCode.INVALID_JSON,
    ErrorCode.NOT_AN_OBJECT,
    ErrorCode.MISSING_PARAMETER,
    ErrorCode.INVALID_PARAMETER,
    ErrorCode.UNSUPPORTED_CONTENT_TYPE,
    ErrorCode.DOCUMENT_TOO_LARGE,
    ErrorCode.RATE_LIMITED,
})


def check_operation(operation: AnyOperation) -> None:
    """Refuse an operation whose declaration is incomplete; a mistake of ours, found at start.

    Raises:
        TypeError: It lacks its caller, its limit class or its response, or contradicts itself.
    """
    name = f"{operation.method} {operation.path}"
    if not isinstance(operation.caller, CallerRule):
        raise TypeError(f"{name} does not say who may call it")
    if not isinstance(operation.limit_class, LimitClass):
        raise TypeError(f"{name} does not say which limit it is charged to")
    if not isinstance(operation.response, Response):
        raise TypeError(f"{name} does not say what it answers")
    if operation.response.shape is None and operation.response.media_type == JSON.decode():
        raise TypeError(f"{name} answers JSON of no shape")
    if operation.raw_form is not None and (operation.body is None or operation.parameters):
        raise TypeError(f"{name} has a raw form without a JSON body or together with parameters")
    if operation.scope is not None and operation.caller.security is None:
        raise TypeError(f"{name} asks a scope of a caller who has none")
    if operation.caller.security is not None and operation.limit_class is LimitClass.NONE:
        raise TypeError(f"{name} is charged to no limit")
    is_open = operation.caller.security is None
    if operation.takes_body and is_open and operation.max_body_bytes is None:
        raise TypeError(f"{name} takes a body of any size from anybody")
    declared = () if operation.parameters is None else operation.parameters.__struct_fields__
    if not set(operation.path_parameters) <= set(declared):
        raise TypeError(f"{name} does not declare a parameter of its path")
