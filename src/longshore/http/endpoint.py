"""The one generic endpoint: caller, charge, body, handler, answer. A plain ASGI callable.

It answers for all methods of its path, so that a wrong one gets 405 with a true ``Allow``, and
GET answers HEAD. What is refused is raised; ``front`` turns it into an answer.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import msgspec
from starlette.types import ASGIApp, Receive, Scope, Send

from longshore.http.admission import SMALL_BODY_BYTES
from longshore.http.api_caller import charge_unserved
from longshore.http.body import announced_size, announced_size_of_any, read_body, wait_until_gone
from longshore.http.decode import BodyDecoder, RefusedBodyError
from longshore.http.errors import MethodNotAllowedError, PathNotFoundError
from longshore.http.exchange import Exchange, exchange_of
from longshore.http.headers import media_type
from longshore.http.limits import account_of
from longshore.http.operation import AnyOperation, Call, RawForm, check_operation
from longshore.http.preconditions import expected_version, idempotency_key
from longshore.http.query import ParameterReader
from longshore.http.services import HttpServices
from longshore.kit.errors import ErrorDetail
from longshore.kit.requester import Requester, working_for


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
        self._parameters = {
            operation.method: ParameterReader(
                operation.parameters,
                operation.query_parameters,
                advice="with a JSON body it is a member of the body."
                if operation.raw_form
                else "this path takes none.",
            )
            for operation in operations
        }
        self._raw_parameters = {
            operation.method: ParameterReader(form.parameters, form.parameters.__struct_fields__)
            for operation in operations
            if (form := operation.raw_form) is not None
        }

    async def __call__(self, scope: Scope, receive: Receive, _send: Send) -> None:
        """Answer one request.

        Raises:
            MethodNotAllowedError: The path does not know the method.
            RefusedBodyError: The body, or parameters of the query that are unknown, empty or wrong.
            LongshoreError: The caller or the handler refuses.
        """
        exchange = exchange_of(scope)
        exchange.route = self._route
        exchange.path_parameters = scope.get("path_params", {})
        operation = self._operations.get(exchange.method)
        services = self._services
        if operation is None:
            await charge_unserved(scope["path"], exchange, services)
            raise MethodNotAllowedError(self._allow)
        caller = await operation.caller.identify(exchange, services, operation)
        requester = Requester(
            account_id=account_of(exchange.caller), until_gone=partial(wait_until_gone, receive)
        )
        if not operation.takes_body:
            exporting = services.limits.exporting(exchange.caller, operation.limit_class)
            with working_for(requester), exporting:
                call = await self._call(operation, None, exchange, scope)
                await exchange.answer(await operation.handler(caller, call))
            return
        assert exchange.caller is not None  # nobody has a body without a name
        limits, limit_class = services.limits, operation.limit_class
        most = min(services.max_body_bytes, operation.max_body_bytes or services.max_body_bytes)
        form = _raw_form(operation, exchange.headers)
        size = _announced(operation, exchange.headers, most)
        with limits.body(exchange.caller, limit_class, size) as reservation:
            if operation.is_queued and size > SMALL_BODY_BYTES:
                services.document_queue.refuse_if_full(requester.account_id)
            with limits.reading(exchange.caller):
                content = await read_body(receive, most, reservation.grow)
            exchange.body_is_read = True
            if operation.is_queued:
                services.document_queue.refuse_if_full(requester.account_id)
            exchange.bytes_in = len(content)
            with working_for(requester):
                if form is None:
                    call = await self._call(operation, content, exchange, scope)
                else:
                    call = self._raw_call(form, content, exchange, scope)
                del content  # what was made of it stays
                await exchange.answer(await operation.handler(caller, call))

    async def _call(
        self,
        operation: AnyOperation,
        content: bytes | None,
        exchange: Exchange,
        scope: Scope,
    ) -> Call[msgspec.Struct | bytes | None]:
        """Return what the handler gets of a request; ``content`` is its body, if it has one.

        Raises:
            RefusedBodyError: With the faults of the query first, then those of the body.
        """
        reader, faults = self._parameters[operation.method], list[ErrorDetail]()
        parameters: msgspec.Struct | None = None
        body: msgspec.Struct | bytes | None = None
        try:
            parameters = reader.read(scope["query_string"], exchange.path_parameters)
        except RefusedBodyError as refusal:
            faults += refusal.details
        try:
            body = None if content is None else await self._decoded(operation, content)
        except RefusedBodyError as refusal:
            faults += refusal.details
        if faults:
            raise RefusedBodyError(faults)
        headers = exchange.headers
        return Call(
            body,
            self._services,
            parameters,
            expected_version=expected_version(headers) if operation.is_versioned else None,
            idempotency_key=idempotency_key(headers) if operation.takes_idempotency_key else None,
            client=exchange.client,
            request_id=exchange.request_id,
        )

    def _raw_call(
        self, form: RawForm[Any], content: bytes, exchange: Exchange, scope: Scope
    ) -> Call[msgspec.Struct | bytes | None]:
        options = self._raw_parameters[exchange.method].read(scope["query_string"], {})
        return Call(
            form.request(options),
            self._services,
            client=exchange.client,
            request_id=exchange.request_id,
            raw_document=content,
        )

    async def _decoded(self, operation: AnyOperation, content: bytes) -> msgspec.Struct | bytes:
        if operation.any_body:
            return content
        if operation.method == "DELETE":
            content = content or b"{}"  # the path names what to delete; many clients send no body
        decoder = self._decoders[operation.method]
        return await decoder.decode_any_size(content, self._services.compute)


def _raw_form(operation: AnyOperation, headers: Mapping[bytes, bytes]) -> RawForm[Any] | None:
    """Return the raw form of an operation if the body is declared to have it."""
    form = operation.raw_form
    given = media_type(headers.get(b"content-type", b""))
    return form if form is not None and given in form.media_types else None


def _announced(operation: AnyOperation, headers: Mapping[bytes, bytes], max_bytes: int) -> int:
    if operation.any_body:
        return announced_size_of_any(headers, max_bytes)
    form = operation.raw_form
    return announced_size(headers, max_bytes, form.media_types if form is not None else ())


def not_found_app(services: HttpServices) -> ASGIApp:
    """Return the application that refuses every path."""

    async def refuse(scope: Scope, _receive: Receive, _send: Send) -> None:
        await charge_unserved(scope["path"], exchange_of(scope), services)
        raise PathNotFoundError

    return refuse
