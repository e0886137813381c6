"""The real server on a real socket in a thread, and a client that sends bytes as they are."""

import json
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Thread
from types import TracebackType
from typing import Any, Self

from longshore.http.app import create_app
from longshore.http.connections import ConnectionLimits
from longshore.http.deadlines import Deadlines
from longshore.http.server import HttpServer, listen, run
from longshore.http.services import HttpServices
from longshore.http.tls import ServerCertificate
from tests.support.client import check_answer

UNLIMITED = ConnectionLimits(max_connections=8_000, connections_per_client=8_000)

PATIENCE_SECONDS = 20
"""A client that waits longer than this has found a hang."""


@dataclass(frozen=True)
class RawAnswer:
    """One answer as it came over the wire."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self.body)
        return answer


class Wire:
    """One connection."""

    def __init__(self, port: int, address: str = "127.0.0.1") -> None:
        """Connect from an address of this machine, of which Linux has all in 127.0.0.0/8."""
        self._socket = socket.create_connection(
            ("127.0.0.1", port), PATIENCE_SECONDS, source_address=(address, 0)
        )
        self._file = self._socket.makefile("rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._file.close()
        self._socket.close()

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def end_sending(self) -> None:
        self._socket.shutdown(socket.SHUT_WR)

    def line(self) -> bytes:
        return self._file.readline()

    def answer(self, method: str = "GET", path: str = "/unknown") -> RawAnswer:
        """Read one answer and hold it against the OpenAPI document."""
        status = int(self.line().split()[1])
        headers = {}
        while line := self.line().strip():
            name, _, value = line.decode("latin-1").partition(": ")
            headers[name] = value
        size = 0 if method == "HEAD" else int(headers["content-length"])
        body = self._file.read(size)
        check_answer(method, path, status, headers, body)
        return RawAnswer(status, headers, body)

    def take(self, size: int) -> int:
        """Read up to ``size`` bytes and no more; return how many there were."""
        return len(self._file.read(size))

    def drain(self) -> int:
        """Read what is still to come; return how much it was."""
        size = 0
        try:
            while chunk := self._file.read(1 << 20):
                size += len(chunk)
        except ConnectionError:
            pass
        return size

    def is_ended(self) -> bool:
        """Wait for the server to end its half; False if it sends something instead."""
        return self._file.read(1) == b""


class LiveServer:
    """The server while it runs."""

    def __init__(self, server: HttpServer, port: int, thread: Thread) -> None:
        self.port = port
        self._server = server
        self._thread = thread

    def connect(self) -> Wire:
        return Wire(self.port)

    def ask(self, request: bytes, method: str = "GET", path: str = "/unknown") -> RawAnswer:
        """Send bytes on a connection of their own and return the first answer."""
        with self.connect() as wire:
            wire.send(request)
            return wire.answer(method, path)

    def stop(self) -> None:
        self._server.stop()

    def wait_until_ended(self) -> None:
        self._thread.join(PATIENCE_SECONDS)
        assert not self._thread.is_alive()


@contextmanager
def live(services: HttpServices, **deadlines: float) -> Iterator[LiveServer]:
    """Serve until the block ends; the server then stops in good order."""
    with live_within(services, UNLIMITED, deadlines) as server:
        yield server


@contextmanager
def live_within(
    services: HttpServices,
    connections: ConnectionLimits,
    deadlines: Mapping[str, float],
    certificate: ServerCertificate | None = None,
) -> Iterator[LiveServer]:
    """Do the same with so many connections, over TLS if there is a certificate."""
    # Any: one of them counts bytes.
    given: dict[str, Any] = {"drain_seconds": 0, "linger_seconds": 0.1, "shutdown_seconds": 4}
    listener = listen("127.0.0.1", 0)
    port = listener.getsockname()[1]
    started = Event()
    server = HttpServer(
        create_app(services),
        listener,
        on_started=started.set,
        deadlines=Deadlines(**given | dict(deadlines)),
        connection_limits=connections,
        certificate=certificate,
    )
    thread = Thread(target=lambda: run(server.serve()))
    thread.start()
    assert started.wait(PATIENCE_SECONDS)
    running = LiveServer(server, port, thread)
    try:
        yield running
    finally:
        running.stop()
        running.wait_until_ended()


def a_request(method: str = "GET", path: str = "/healthz", *lines: str, body: bytes = b"") -> bytes:
    """Return a request with a Host and the header lines given."""
    head = [f"{method} {path} HTTP/1.1", "Host: longshore.test", *lines]
    return "\r\n".join([*head, "", ""]).encode("latin-1") + body
