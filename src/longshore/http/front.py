"""The outermost layer: request id, access line, metrics, and an answer to every failure."""

import asyncio
from collections.abc import Callable
from time import perf_counter
from typing import Final

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from longshore.http.client_address import ClientAddresses
from longshore.http.connections import ConnectionLimit
from longshore.http.errors import CALLER_STATUSES, internal_error, refusal_answer
from longshore.http.exchange import Exchange, loggable_ids
from longshore.http.headers import wants_problem
from longshore.http.services import HttpServices
from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.kit.requester import ClientGoneError
from longshore.telemetry.logging import describe, get_logger
from longshore.telemetry.redact import redact

CLIENT_GONE: Final = 499  # in logs and metrics only: the client left before it had its answer
MAX_PATH_CHARS: Final = 200  # of a path nobody serves, in the access line

WARNING_SECONDS: Final = 10

_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Front:
    """The application as the server sees it."""

    def __init__(self, app: ASGIApp, services: HttpServices) -> None:
        self._app = app
        self._services = services
        self._service_headers = services.own_address.service_headers
        self._clients = ClientAddresses(services.trusted_proxies)
        self._log = get_logger("longshore.http")
        self._warn_at = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one ASGI connection of any type."""
        if scope["type"] == "http":
            await self._serve(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._live(receive, send)
        else:
            await send({"type": "websocket.close", "code": 1000})

    def stop(self) -> None:
        """Be unready from now on; called by the server when it is asked to stop."""
        self._services.readiness.stop()

    def note_malformed(self, code: ErrorCode, request_id: str) -> None:
        """Count and log a request the server ended before it reached us."""
        self._services.metrics.malformed_request(code)
        self._services.access_log.add(
            f'"event":"malformed_request","request_id":"{request_id}","code":"{code}"'
        )

    def is_trusted_proxy(self, address: str) -> bool:
        """Return whether many clients may stand behind an address."""
        return self._clients.is_trusted(address)

    def count_connections(self, count: Callable[[], int]) -> None:
        """Show the number of open connections in the metrics."""
        self._services.metrics.count_connections = count

    def note_closed_connection(self, limit: ConnectionLimit) -> None:
        """Count a connection that had to go, and log a warning, at most one in ten seconds."""
        self._services.metrics.connection_closed(limit)
        now = perf_counter()
        if now >= self._warn_at:
            self._warn_at = now + WARNING_SECONDS
            self._log.warning("too_many_connections", limit=limit)

    async def _live(self, receive: Receive, send: Send) -> None:
        message: Message = await receive()
        while message["type"] == "lifespan.startup":
            await send({"type": "lifespan.startup.complete"})
            message = await receive()
        self._services.readiness.stop()
        self._services.access_log.flush()
        await send({"type": "lifespan.shutdown.complete"})

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        started_at = perf_counter()
        metrics = self._services.metrics
        metrics.in_flight += 1
        exchange = Exchange(scope, send, self._services.ids)
        exchange.service_headers = self._service_headers
        exchange.client = self._clients.of(scope, exchange.headers)
        try:
            if scope["http_version"] != "1.0" and not _is_one_host(exchange.headers):
                await self._refuse(exchange, _no_host())
            else:
                await self._app(scope, receive, send)
        except LongshoreError as refusal:
            await self._refuse(exchange, refusal)
        except ClientGoneError:
            exchange.status = exchange.status or CLIENT_GONE
        except asyncio.CancelledError:
            # The server ends what has not finished in time; an answer is better than none.
            await self._refuse(exchange, stopping())
        except Exception as error:  # noqa: BLE001 - the last resort of the HTTP edge
            self._log.error(
                "request_failed",
                request_id=exchange.request_id,
                route=exchange.route,
                **describe(error),
            )
            await self._refuse(exchange, internal_error())
        finally:
            metrics.in_flight -= 1
            self._record(exchange, scope, perf_counter() - started_at)

    async def _refuse(self, exchange: Exchange, refusal: LongshoreError) -> None:
        if exchange.status:
            raise ConnectionError("the answer had begun; the server closes the connection")
        base_url = self._services.base_url if wants_problem(exchange.headers) else None
        answer = refusal_answer(refusal, exchange.request_id, problem_base_url=base_url)
        if answer.status in CALLER_STATUSES:
            self._services.metrics.caller_refused(refusal.code)
        await exchange.answer(answer)

    def _record(self, exchange: Exchange, scope: Scope, seconds: float) -> None:
        method = exchange.method if exchange.method in _METHODS else "OTHER"
        metrics = self._services.metrics
        metrics.request_done(exchange.route, method, exchange.status, seconds)
        metrics.bytes_moved(exchange.bytes_in, exchange.bytes_out)
        account_id, key_id, user_id = loggable_ids(exchange.caller)
        request_id = exchange.request_id
        if "svc_" in request_id:
            request_id = redact(request_id)
        # Without the query: it may hold secrets. A path of ours may hold an id, never a secret.
        self._services.access_log.add(
            f'"event":"request","request_id":"{request_id}","method":"{method}",'
            f'"path":{_loggable_path(exchange.route, scope["path"])},"status":{exchange.status},'
            f'"duration_ms":{seconds * 1000:.2f},"bytes_in":{exchange.bytes_in},'
            f'"bytes_out":{exchange.bytes_out},"client":"{exchange.client}",'
            f'"account_id":{account_id},"key_id":{key_id},"user_id":{user_id}'
        )


def stopping() -> LongshoreError:
    """Return the refusal of new work by a server that stops."""
    return LongshoreError(
        ErrorCode.OVERLOADED,
        "The server is stopping. Try again in a moment.",
        retry_after_seconds=5,
    )


def _is_one_host(headers: dict[bytes, bytes]) -> bool:
    host = headers.get(b"host", b"")
    return host != b"" and b"," not in host


def _no_host() -> LongshoreError:
    return LongshoreError(
        ErrorCode.BAD_REQUEST, "An HTTP/1.1 request needs exactly one Host header."
    )


def _loggable_path(route: str, path: str) -> str:
    if path == route:
        return f'"{route}"'
    # Strangers send anything; JSON escapes CR and LF, so a line stays one line.
    text = redact(path)[:MAX_PATH_CHARS].encode("utf-8", "replace").decode()
    return msgspec.json.encode(text).decode()
