"""The HTTP protocol of the server: uvicorn's, with deadlines, a header limit and our errors.

Middleware cannot do this: it sees a request only when its headers are complete. Three rules:

1. One deadline is set whenever the server waits for its client: for headers from their first byte
   (of the first request: from the connection, before a handshake of TLS), for a body from the end
   of the headers and growing with what arrives, for the next request, and for taking what was
   written.
2. What the server itself refuses is enveloped like everything else. Behind an unfinished answer a
   refusal cannot be written: then the connection ends after that answer.
3. An answer that leaves part of the request unread ends the connection gently: reading stops,
   our half is closed, the rest a second later. Closing at once would reset the connection and
   could destroy the answer on its way.

Source: reliability.md T15.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final

import httptools
import uvicorn
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

from longshore.http.connections import OpenConnections, too_many_connections
from longshore.http.cycle import Cycle, GentleTransport
from longshore.http.deadlines import Deadlines
from longshore.http.errors import refusal_answer
from longshore.http.exchange import ANSWER
from longshore.http.paths import decode_path
from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.kit.ids import IdSource, SystemIdSource

if TYPE_CHECKING:
    from uvicorn._types import ASGI3Application
    from uvicorn.server import ServerState

MAX_HEADER_BYTES: Final = 65_536  # request line included; httptools itself has no limit
MAX_HEADER_FIELDS: Final = 100
_FIELD_OVERHEAD: Final = 4  # ": " and the line end
_HEAD_OVERHEAD: Final = 14  # two spaces, HTTP/1.1, two line ends

_EXTENSIONS: Final[dict[str, dict[object, object]]] = {ANSWER: {}}

_TEXTS: Final = {
    ErrorCode.BAD_REQUEST: "This is not a correct HTTP request.",
    ErrorCode.REQUEST_TIMEOUT: "The request arrived too slowly, so the server stopped waiting.",
    ErrorCode.HEADERS_TOO_LARGE: (
        f"The request headers are too large: at most {MAX_HEADER_BYTES:,} bytes in "
        f"{MAX_HEADER_FIELDS} fields are accepted."
    ),
}


class ServerConfig(uvicorn.Config):
    """uvicorn's configuration and what our protocol needs in addition."""

    def __init__(
        self,
        app: Callable[..., Awaitable[None]],
        *,
        deadlines: Deadlines,
        note_malformed: Callable[[ErrorCode, str], None],
        connections: OpenConnections,
        ids: IdSource | None = None,
    ) -> None:
        self.connections = connections
        self.deadlines = deadlines
        self.note_malformed = note_malformed
        self.ids = ids or SystemIdSource()
        super().__init__(
            app,
            loop="uvloop",
            http=LongshoreProtocol,
            ws="none",
            lifespan="on",
            interface="asgi3",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            # uvicorn hands these to call_later and wait_for, which take fractions.
            timeout_keep_alive=deadlines.idle_seconds,  # type: ignore[arg-type]
            timeout_graceful_shutdown=deadlines.grace_seconds,  # type: ignore[arg-type]
        )


class LongshoreProtocol(HttpToolsProtocol):
    """One connection."""

    def __init__(
        self,
        config: ServerConfig,
        server_state: "ServerState",
        app_state: dict[str, Any],  # as uvicorn declares it
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._settings = config
        self._deadlines = config.deadlines
        self._deadline: float | None = None
        self._watch: asyncio.TimerHandle | None = None
        self._is_in_headers = True
        self._is_idle = False  # an answer is complete and the next request has not begun
        self._has_begun = False  # a byte of the next request line has arrived
        self._header_bytes = 0
        self._chunk_bytes = 0
        self._body_bytes = 0
        self._body_started_at: float | None = None
        self._running: RequestResponseCycle | None = None
        self._write_watch: asyncio.TimerHandle | None = None
        self._unwritten_bytes = 0
        self._fault = ErrorCode.BAD_REQUEST
        self.peer = ""
        self._is_ending = False
        self._end_handshake: Callable[[], object] | None = None

    # --- from the connection -----------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn declares it; uvloop's is no subclass
        super().connection_made(transport)
        self._gentle_transport = GentleTransport(transport, self._end_after_answer)
        self._end_handshake = None
        if self._deadline is None:  # no handshake has begun it
            self._set_deadline(self.loop.time() + self._deadlines.header_seconds)
            self.peer = self.client[0] if self.client else ""
            self._settings.connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        super().connection_lost(exc)

    def _forget(self) -> None:
        self._settings.connections.remove(self)
        self._is_ending = True
        self._deadline = None
        for watch in (self._watch, self._write_watch):
            if watch is not None:
                watch.cancel()

    def begin_handshake(self, peer: str, end: Callable[[], object]) -> None:
        """Count the connection from now on; ``end`` closes it while the TLS handshake lasts."""
        self.peer = peer
        self._end_handshake = end
        self._set_deadline(self.loop.time() + self._deadlines.header_seconds)
        self._settings.connections.add(self)

    def end_handshake(self) -> None:
        """Stop counting the connection, unless its handshake succeeded."""
        if self._end_handshake is not None:
            self._forget()

    def data_received(self, data: bytes) -> None:
        if self._is_ending:
            return
        self._chunk_bytes = len(data)
        if self._is_in_headers:
            self._header_bytes += len(data)
            if self._is_idle or self._deadline is None:
                self._is_idle = False
                self._set_deadline(self.loop.time() + self._deadlines.header_seconds)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            # Nothing is upgraded to: the request is answered as it is, and it is the last one.
            self._is_ending = True
            self._deadline = None
            self.cycle.keep_alive = False
        except httptools.HttpParserError:
            self._refuse(self._fault)
        else:
            self._after_chunk()

    def _after_chunk(self) -> None:
        if not self._is_in_headers:
            self._body_bytes += self._chunk_bytes
            self._set_deadline(self._body_deadline())
        elif self._header_bytes > MAX_HEADER_BYTES:
            self._refuse(ErrorCode.HEADERS_TOO_LARGE)

    # --- from the parser ---------------------------------------------------------------------

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._has_begun = True
        if self._deadline is None:  # it stands in one chunk with the request before it
            self._set_deadline(self.loop.time() + self._deadlines.header_seconds)

    def on_headers_complete(self) -> None:
        # Summing up is only worth it where the limit could have been reached.
        if self._header_bytes + self._chunk_bytes > MAX_HEADER_BYTES:
            line = len(self.parser.get_method()) + len(self.url) + _HEAD_OVERHEAD
            fields = (len(name) + len(value) + _FIELD_OVERHEAD for name, value in self.headers)
            if line + sum(fields) > MAX_HEADER_BYTES:
                self._fault = ErrorCode.HEADERS_TOO_LARGE
        if len(self.headers) > MAX_HEADER_FIELDS:
            self._fault = ErrorCode.HEADERS_TOO_LARGE
        if self._fault is ErrorCode.HEADERS_TOO_LARGE:
            raise ValueError("the headers are too large")
        self._begin_cycle()
        self._is_in_headers = False
        self._body_bytes = 0
        self._body_started_at = None

    def _begin_cycle(self) -> None:
        # uvicorn's on_headers_complete, with our cycle and without what we do not offer.
        scope, running = self.scope, self._running
        version = self.parser.get_http_version()
        url = httptools.parse_url(self.url)
        path = url.path.decode("ascii")
        scope["method"] = self.parser.get_method().decode("ascii")
        scope["http_version"] = version
        scope["path"] = decode_path(path) if "%" in path else path
        scope["raw_path"] = url.path
        scope["query_string"] = url.query or b""
        scope["extensions"] = _EXTENSIONS
        cycle = self.cycle = Cycle(
            scope=scope,
            transport=self._gentle_transport,
            flow=self.flow,
            logger=self.logger,
            access_logger=self.access_logger,
            access_log=False,
            default_headers=self.server_state.default_headers,
            message_event=asyncio.Event(),
            expect_100_continue=self.expect_100_continue,
            keep_alive=version != "1.0" and self.parser.should_keep_alive(),
            on_response=self.on_response_complete,
        )
        if running is None or running.response_complete:
            self._start_asgi_task(cycle, self.app)
        else:
            self.flow.pause_reading()
            self.pipeline.appendleft((cycle, self.app))

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._is_in_headers = True
        self._has_begun = False
        self._header_bytes = 0
        self._deadline = None

    # --- from the application ----------------------------------------------------------------

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: "ASGI3Application") -> None:
        self._running = cycle
        super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        self.server_state.total_requests += 1
        if self.transport.get_write_buffer_size():
            self._watch_writing()
        if self._is_ending or self.transport.is_closing():
            return
        is_early = self._running is self.cycle and not self._is_in_headers
        self.flow.resume_reading()
        if self.pipeline:
            self._start_asgi_task(*self.pipeline.pop())
        elif not is_early and not self._has_begun:
            self._is_idle = True
            self._set_deadline(self.loop.time() + self._deadlines.idle_seconds)
        if is_early:
            self._linger()

    def _end_after_answer(self) -> None:
        if self._has_begun or self._is_ending:
            self._linger()
        else:
            self.transport.close()

    # --- deadlines ---------------------------------------------------------------------------

    def _body_deadline(self) -> float:
        if self._body_started_at is None:
            self._body_started_at = self.loop.time()
        limits = self._deadlines
        earned = limits.body_seconds + self._body_bytes / limits.body_bytes_per_second
        return self._body_started_at + min(earned, limits.body_max_seconds)

    def _set_deadline(self, at: float) -> None:
        # The timer is left where it is unless it would ring too late: most requests set none.
        self._deadline = at
        if self._watch is None:
            self._arm(at)
        elif at < self._watch.when():
            self._watch.cancel()
            self._arm(at)

    def _arm(self, at: float) -> None:
        # No later than the deadline of headers that begin now, or each request would move it.
        soon = self.loop.time() + self._deadlines.header_seconds
        self._watch = self.loop.call_at(min(at, soon), self._look_at_deadline)

    def _look_at_deadline(self) -> None:
        self._watch = None
        if self._deadline is None:
            return
        if self.loop.time() < self._deadline:
            self._arm(self._deadline)
        elif self.flow.read_paused:
            # The application has not taken what arrived; the client is not to blame.
            self._set_deadline(self.loop.time() + self._deadlines.header_seconds)
        elif self._has_begun:
            self._refuse(ErrorCode.REQUEST_TIMEOUT)
        else:
            self.end_for_another()

    def _watch_writing(self) -> None:
        """Cut the client off unless it takes some of what was written, again and again."""
        self._unwritten_bytes = self.transport.get_write_buffer_size()
        if self._write_watch is None and self._unwritten_bytes:
            self._write_watch = self.loop.call_later(
                self._deadlines.write_seconds, self._look_at_writing, self._unwritten_bytes
            )

    def _look_at_writing(self, unwritten_bytes: int) -> None:
        self._write_watch = None
        if self.transport.get_write_buffer_size() < max(unwritten_bytes, self._unwritten_bytes):
            self._watch_writing()
        else:
            self.transport.abort()

    # --- among other connections -------------------------------------------------------------

    @property
    def is_waiting(self) -> bool:
        """Return whether nothing is being done for it: it waits for a whole request head."""
        is_answered = self._running is None or self._running.response_complete
        return is_answered and self._is_in_headers and not self._is_ending

    def end_for_another(self) -> None:
        """Close it: nothing was asked, so there is nothing to answer."""
        self._is_ending = True
        if self._end_handshake is not None:
            self._end_handshake()
        else:
            self.transport.close()

    def refuse(self) -> None:
        """Answer that there are too many connections, and close it; a handshake just ends."""
        if self._end_handshake is not None:
            self.end_for_another()
            return
        self._deadline = None
        self._write_refusal(too_many_connections())
        self._is_ending = True
        self.transport.close()

    # --- ends --------------------------------------------------------------------------------

    def _refuse(self, code: ErrorCode) -> None:
        """End the connection: with an answer, unless another one is still being written."""
        self._deadline = None
        self._is_ending = True
        self.pipeline.clear()
        running = self._running
        if running is None or running.response_complete:
            self._write_refusal(LongshoreError(code, _TEXTS[code]))
            self._linger()
        elif running is self.cycle and not self._is_in_headers and not running.response_started:
            # Its body will never be complete: the application learns that the client left.
            running.disconnected = True
            running.message_event.set()
            self._write_refusal(LongshoreError(code, _TEXTS[code]))
            self._linger()
        else:
            running.keep_alive = False

    def _write_refusal(self, refusal: LongshoreError) -> None:
        request_id = "req_" + self._settings.ids.token_bytes(8).hex()
        self._settings.note_malformed(refusal.code, request_id)
        answer = refusal_answer(refusal, request_id)
        headers = (
            *self.server_state.default_headers,
            (b"content-type", answer.content_type),
            (b"content-length", b"%d" % len(answer.body)),
            *answer.headers,
            (b"x-request-id", request_id.encode()),
            (b"x-content-type-options", b"nosniff"),
            (b"connection", b"close"),
        )
        lines = b"".join(b"%b: %b\r\n" % header for header in headers)
        self.transport.write(STATUS_LINE[answer.status] + lines + b"\r\n" + answer.body)

    def _linger(self) -> None:
        self._is_ending = True
        self._deadline = None
        self.pipeline.clear()
        if self.transport.is_closing():
            return
        self.flow.pause_reading()
        if self.transport.can_write_eof():  # TLS ends both directions at once
            self.transport.write_eof()
        self.loop.call_later(self._deadlines.linger_seconds, self.transport.abort)
