"""What a method on a path is: who may call it, what it costs, what goes in and what comes out.

Operations are the one source of the routes, of the OpenAPI document and of the documentation.
"""

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


class Charge(Protocol):
    """What an operation asks of its caller."""

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
    """How an operation learns who calls; its handlers get the result as first argument.

    ``security``: the name of the OpenAPI security scheme, None for an operation open to all.
    """

    identify: Callable[[Exchange, HttpServices, Charge], Awaitable[CallerT]]
    security: str | None
    errors: frozenset[ErrorCode]


class Call(NamedTuple, Generic[BodyT]):
    """What a handler is called with, beside its caller.

    ``ignored``: names of unknown query parameters; the answer has to name them as warnings.
    """

    body: BodyT
    ignored: tuple[str, ...]
    services: HttpServices


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """The 200 answer: a wire shape for JSON, else the media type and what it is."""

    description: str
    shape: type[msgspec.Struct] | None = None
    media_type: str = JSON.decode()
    example: object = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation(Generic[CallerT, BodyT]):
    """One method on one path.

    ``errors``: what the handler itself may refuse; what every caller, body or scope brings with
    it is added by ``documented_errors``.
    """

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
    body: type[BodyT] | None = None
    body_example: object = None

    def documented_errors(self) -> frozenset[ErrorCode]:
        """Return every code this operation can answer with."""
        codes = self.errors | self.caller.errors | EVERYWHERE
        if self.scope is not None:
            codes |= {ErrorCode.INSUFFICIENT_SCOPE}
        if self.body is not None:
            codes |= WITH_A_BODY
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
    if operation.scope is not None and operation.caller.security is None:
        raise TypeError(f"{name} asks a scope of a caller who has none")
    if operation.caller.security is not None and operation.limit_class is LimitClass.NONE:
        raise TypeError(f"{name} is charged to no limit")
    if operation.body is not None and operation.caller.security is None:
        raise TypeError(f"{name} takes a body from anybody")
