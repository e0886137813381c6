"""Starting and stopping the server.

A stop (SIGTERM, SIGINT or ``HttpServer.stop``) goes: unready → stop accepting → finish requests →
end of the application → return. uvicorn would raise the signal again afterwards, so nothing after
it could run and the exit status would be that of a killed process; ours returns, and the process
exits with 0.
"""

import gc
import logging
import signal
import socket
import threading
from asyncio import Runner, create_task, sleep
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ssl import SSLContext
from time import monotonic
from types import FrameType
from typing import Final

import uvicorn
import uvloop

from longshore.http.connections import ConnectionLimits, OpenConnections, fitting_descriptors
from longshore.http.deadlines import Deadlines
from longshore.http.front import Front
from longshore.http.handshakes import TlsServer
from longshore.http.protocol import LongshoreProtocol, ServerConfig
from longshore.http.tls import ServerCertificate

BACKLOG: Final = 2_048
DRAIN_STEP_SECONDS: Final = 0.05
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


def listen(host: str, port: int) -> socket.socket:
    """Take an address; port 0 takes a free one. Nothing is accepted before ``serve``.

    Raises:
        OSError: The address cannot be listened on.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server((host, port), family=family, backlog=BACKLOG)
    listener.setblocking(False)  # noqa: FBT003 - the standard library's signature
    return listener


def address_of(listener: socket.socket, *, has_tls: bool = False) -> str:
    """Return what links to this server begin with, such as ``http://127.0.0.1:8080``."""
    host, port = listener.getsockname()[:2]
    scheme = "https" if has_tls else "http"
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


@dataclass(frozen=True, slots=True)
class ServedAddress:
    """An address that was taken, and what proves to clients that it is ours."""

    listener: socket.socket
    certificate: ServerCertificate | None = None
    """None: the server speaks http."""

    @property
    def address(self) -> str:
        """Return what links to this server begin with."""
        return address_of(self.listener, has_tls=self.certificate is not None)


def open_certificate(cert_file: str, key_file: str) -> ServerCertificate | None:
    """Return the certificate in two files; None without any.

    Raises:
        LongshoreError: ``invalid_parameter``: they cannot be used, or one is missing.
    """
    return ServerCertificate(cert_file, key_file) if cert_file or key_file else None


class HttpServer:
    """Serves one application on one address."""

    def __init__(
        self,
        app: Front,
        listener: socket.socket,
        *,
        on_started: Callable[[], None] = lambda: None,
        deadlines: Deadlines | None = None,
        connection_limits: ConnectionLimits | None = None,
        certificate: ServerCertificate | None = None,
    ) -> None:
        """Serve over TLS if there is a ``certificate``."""
        self._listener = listener
        self._certificate = certificate
        tls = None if certificate is None else certificate.context
        connections = OpenConnections(
            fitting_descriptors(connection_limits or ConnectionLimits()),
            app.is_trusted_proxy,
            app.note_closed_connection,
        )
        self._server = _Server(app, deadlines or Deadlines(), on_started, connections, tls)

    async def serve(self) -> None:
        """Serve until SIGTERM, SIGINT or ``stop``; a second SIGINT does not wait for requests.

        ``on_started`` is called once connections are accepted. Closes the listener.
        """
        # A stranger's broken request must not write a line; ours are bundled and counted.
        logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
        certificate = self._certificate
        watching = None if certificate is None else create_task(certificate.watch())
        try:
            with self._listener:
                await self._server.serve(sockets=[self._listener])
        finally:
            if watching is not None:
                watching.cancel()

    def stop(self) -> None:
        """Begin to stop; ``serve`` returns when everything is finished."""
        self._server.begin_stop()


def run(main: Coroutine[object, None, None]) -> None:
    """Run ``main`` on the event loop the server is meant for."""
    with Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main)


class _Server(uvicorn.Server):
    """uvicorn's server with our beginning and our end."""

    def __init__(
        self,
        app: Front,
        deadlines: Deadlines,
        on_started: Callable[[], None],
        connections: OpenConnections,
        tls: SSLContext | None,
    ) -> None:
        config = ServerConfig(
            app,
            deadlines=deadlines,
            note_malformed=app.note_malformed,
            connections=connections,
        )
        self._tls = tls
        self._protocol_config = config
        super().__init__(config)
        app.count_connections(connections.__len__)
        self._front = app
        self._drain_seconds = deadlines.drain_seconds
        self._on_started = on_started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets if self._tls is None else [])
        for listener in () if self._tls is None else sockets or ():
            self.servers.append(self._accept_tls(listener, self._tls))  # type: ignore[arg-type]  # it has what uvicorn calls
        # What lives now lives to the end: the collector need not look at it again.
        gc.collect()
        gc.freeze()
        self._on_started()

    def _accept_tls(self, listener: socket.socket, context: SSLContext) -> TlsServer:
        def make_protocol() -> LongshoreProtocol:
            return LongshoreProtocol(self._protocol_config, self.server_state, self.lifespan.state)

        seconds = self._protocol_config.deadlines.header_seconds
        return TlsServer(listener, context, make_protocol, seconds)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._front.stop()
        await self._drain()
        await super().shutdown(sockets)

    async def _drain(self) -> None:
        """Go on while somebody is connected, so that whoever asks can learn of the end."""
        end = monotonic() + self._drain_seconds
        connections = self.server_state.connections
        while connections and not self.force_exit and monotonic() < end:  # noqa: ASYNC110 - a plain set
            await sleep(DRAIN_STEP_SECONDS)

    def begin_stop(self) -> None:
        self._front.stop()
        self.should_exit = True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._front.stop()
        super().handle_exit(sig, frame)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
