"""The one generic endpoint: caller, charge, body, handler, answer. A plain ASGI callable.

It answers for all methods of its path, so that a wrong one gets 405 with a true ``Allow``, and
GET answers HEAD. What is refused is raised; ``front`` turns it into an answer.
"""

from collections.abc import Iterable, Sequence
from urllib.parse import parse_qsl

import msgspec
from starlette.types import Receive, Scope, Send

from longshore.http.body import announced_size, announced_size_of_any, read_body
from longshore.http.decode import BodyDecoder
from longshore.http.envelope import Notice
from longshore.http.errors import MethodNotAllowedError, PathNotFoundError
from longshore.http.exchange import Exchange, exchange_of
from longshore.http.headers import is_strict
from longshore.http.operation import AnyOperation, Call, check_operation
from longshore.http.preconditions import expected_version, idempotency_key
from longshore.http.services import HttpServices
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.telemetry.redact import redact

MAX_NAME_CHARS = 60  # of an unknown query parameter that is repeated in an answer
MAX_IGNORED = 50  # of them named in one answer


class UnknownParametersError(LongshoreError):
    """Query parameters nobody knows, of a client that wants to be told."""

    def __init__(self, names: tuple[str, ...]) -> None:
        code = ErrorCode.UNKNOWN_PARAMETER
        details = tuple(
            ErrorDetail(
                code=code, param=name, message=f'Query parameter "{name}" is not known here.'
            )
            for name in names
        )
        super().__init__(code, details[0].message, details=details)


class RepeatedParameterError(LongshoreError):
    """A query parameter that stands in the address twice: which is meant?"""

    def __init__(self, name: str) -> None:
        code = ErrorCode.INVALID_PARAMETER
        message = f'Query parameter "{name}" is given more than once.'
        super().__init__(
            code, message, details=(ErrorDetail(code=code, param=name, message=message),)
        )


class Endpoint:
    """Serves the operations of one path."""

    def __init__(self, operations: Sequence[AnyOperation], services: HttpServices) -> None:
        for operation in operations:
            check_operation(operation)
        self._services = services
        self._route = operations[0].path
        self._operations = {operation.method: operation for operation in operations}
        if "GET" in self._operations:
            self._operations["HEAD"] = self._operations["GET"]
        self._allow = ", ".join(sorted(self._operations))
        self._decoders: dict[str, BodyDecoder[msgspec.Struct]] = {
            operation.method: BodyDecoder(operation.body)
            for operation in operations
            if operation.body is not None
        }
        self._parameter_decoders: dict[str, BodyDecoder[msgspec.Struct]] = {
            operation.method: BodyDecoder(operation.parameters)
            for operation in operations
            if operation.parameters is not None
        }

    async def __call__(self, scope: Scope, receive: Receive, _send: Send) -> None:
        """Answer one request.

        Raises:
            MethodNotAllowedError: The path does not know the method.
            UnknownParametersError: An unknown query parameter, with ``Prefer: handling=strict``.
            RepeatedParameterError: A query parameter twice.
            LongshoreError: The caller, the body or the handler refuses.
        """
        exchange = exchange_of(scope)
        exchange.route = self._route
        exchange.path_parameters = scope.get("path_params", {})
        operation = self._operations.get(exchange.method)
        if operation is None:
            raise MethodNotAllowedError(self._allow)
        services = self._services
        caller = await operation.caller.identify(exchange, services, operation)
        if not operation.takes_body:
            with services.limits.exporting(exchange.caller, operation.limit_class):
                call = self._call(operation, None, exchange, scope)
                await exchange.answer(await operation.handler(caller, call))
            return
        assert exchange.caller is not None  # nobody has a body without a name
        limits, limit_class = services.limits, operation.limit_class
        most = min(services.max_body_bytes, operation.max_body_bytes or services.max_body_bytes)
        announced = announced_size if operation.body else announced_size_of_any
        size = announced(exchange.headers, most)
        taken = await limits.begin_body(exchange.caller, limit_class, size)
        try:
            body = await self._read(exchange, receive, most)
            call = self._call(operation, body, exchange, scope)
            await exchange.answer(await operation.handler(caller, call))
        finally:
            limits.end_body(exchange.caller, limit_class, taken)

    def _call(
        self,
        operation: AnyOperation,
        body: msgspec.Struct | bytes | None,
        exchange: Exchange,
        scope: Scope,
    ) -> Call[msgspec.Struct | bytes | None]:
        pairs = _query_of(scope) if scope["query_string"] else []
        known = operation.query_parameters
        ignored = _unknown_parameters(name for name, _ in pairs if name not in known)
        if ignored and is_strict(exchange.headers):
            raise UnknownParametersError(ignored)
        parameters = None
        if operation.parameters is not None:
            given = _given_parameters(known, pairs) | scope.get("path_params", {})
            decoder = self._parameter_decoders[operation.method]
            parameters = decoder.decode(msgspec.json.encode(given))
        headers = exchange.headers
        return Call(
            body,
            ignored,
            self._services,
            parameters,
            expected_version=expected_version(headers) if operation.is_versioned else None,
            idempotency_key=idempotency_key(headers) if operation.takes_idempotency_key else None,
            client=exchange.client,
            request_id=exchange.request_id,
        )

    async def _read(
        self, exchange: Exchange, receive: Receive, max_body_bytes: int
    ) -> msgspec.Struct | bytes:
        body = await read_body(receive, max_body_bytes)
        exchange.body_is_read = True
        exchange.bytes_in = len(body)
        if self._operations[exchange.method].any_body:
            return body
        if exchange.method == "DELETE":
            body = body or b"{}"  # what is to go is named by the path; many clients send no more
        return self._decoders[exchange.method].decode(body)


async def answer_not_found(_scope: Scope, _receive: Receive, _send: Send) -> None:
    """Refuse a path nobody serves.

    Raises:
        PathNotFoundError: Always.
    """
    raise PathNotFoundError


def _query_of(scope: Scope) -> list[tuple[str, str]]:
    return parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)


def _unknown_parameters(names: Iterable[str]) -> tuple[str, ...]:
    # A name may hold a secret that was meant for a header.
    return tuple(dict.fromkeys(redact(name)[:MAX_NAME_CHARS] for name in names))[:MAX_IGNORED]


def _given_parameters(known: Sequence[str], pairs: list[tuple[str, str]]) -> dict[str, str]:
    """Return what the query says of the parameters that are known.

    Raises:
        RepeatedParameterError: One stands there twice.
    """
    given: dict[str, str] = {}
    for name, value in pairs:
        if name in given:
            raise RepeatedParameterError(name)
        if name in known:
            given[name] = value
    return given


def ignored_notices(names: tuple[str, ...]) -> list[Notice]:
    """Return a warning for each query parameter that had no effect."""
    return [
        Notice(code=ErrorCode.UNKNOWN_PARAMETER, message=ignored_text(name), param=name)
        for name in names
    ]


def ignored_text(name: str) -> str:
    """Return the sentence about a query parameter that has no effect here."""
    return f'Query parameter "{name}" is not known here and was ignored.'
