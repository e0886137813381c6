"""Handshakes of TLS: those that are not completed end in time, and count as connections."""

import asyncio
import errno
import re
import socket
import ssl
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from longshore.http import handshakes
from longshore.http.connections import ConnectionLimits
from longshore.http.handshakes import TlsServer
from longshore.http.services import HttpServices
from longshore.http.tls import ServerCertificate
from tests.support.destinations import make_certificate
from tests.support.live_server import (
    PATIENCE_SECONDS,
    UNLIMITED,
    LiveServer,
    Wire,
    a_request,
    live_within,
)

SOON = 0.3
FLOODER = "127.0.0.2"
CLIENT_HELLO_BEGINS = b"\x16\x03\x01\x02\x00\x01\x00"

waits = pytest.mark.full("waits for deadlines, with a certificate of its own")


@pytest.fixture
def certificate(tmp_path: Path) -> ServerCertificate:
    make_certificate(tmp_path, "localhost")
    return ServerCertificate(str(tmp_path / "certificate.pem"), str(tmp_path / "key.pem"))


def trust(tmp_path: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(tmp_path / "certificate.pem"))


def asked(server: LiveServer, context: ssl.SSLContext, path: str) -> bytes:
    """Return what is answered on a connection of its own, after a whole handshake."""
    with (
        socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS) as plain,
        context.wrap_socket(plain, server_hostname="localhost") as secure,
    ):
        secure.sendall(a_request("GET", path, "Connection: close"))
        return b"".join(iter(lambda: secure.recv(65_536), b""))


@waits
def test_a_handshake_that_is_not_completed_ends_at_the_header_deadline(
    services: HttpServices, certificate: ServerCertificate, tmp_path: Path
) -> None:
    deadlines = {"header_seconds": SOON}
    with live_within(services, UNLIMITED, deadlines, certificate) as server, ExitStack() as stack:
        silent, begun, plain = (stack.enter_context(server.connect()) for _ in range(3))
        begun.send(CLIENT_HELLO_BEGINS)
        plain.send(a_request())
        assert asked(server, trust(tmp_path), "/healthz").startswith(b"HTTP/1.1 200 ")
        assert [silent.drain(), begun.drain()] == [0, 0]
        plain.drain()  # at most an alert of TLS
        connection = socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS)
        with trust(tmp_path).wrap_socket(connection, server_hostname="localhost") as secure:
            assert secure.recv(1) == b""  # a whole handshake, and nothing asked


@waits
def test_handshakes_count_as_connections_and_make_room_for_others(
    services: HttpServices, certificate: ServerCertificate, tmp_path: Path
) -> None:
    limits = ConnectionLimits(max_connections=8, connections_per_client=3)
    with live_within(services, limits, {}, certificate) as server, ExitStack() as stack:
        crowd = [stack.enter_context(Wire(server.port, FLOODER)) for _ in range(9)]
        assert [wire.drain() for wire in crowd[2:8]] == [0] * 6  # two first and the last live
        metrics = asked(server, trust(tmp_path), "/metrics").decode()
    values = dict(re.findall(r"^(longshore_http_connections\S*) (\S+)", metrics, re.MULTILINE))
    assert values['longshore_http_connections_closed_total{limit="client"}'] == "6.0"
    assert values["longshore_http_connections"] == "4.0"  # three wait for their handshake


class Recorded(asyncio.Protocol):
    """A protocol that records its handshake, and ends it at once if ``is_refused``."""

    def __init__(self, *, is_refused: bool) -> None:
        self.is_refused = is_refused
        self.events: list[str] = []

    def begin_handshake(self, peer: str, end: Callable[[], object]) -> None:
        self.events.append(peer)
        if self.is_refused:
            end()

    def end_handshake(self) -> None:
        self.events.append("ended")


def test_a_refused_handshake_is_closed_and_a_failed_accept_ends_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(handshakes, "PAUSE_SECONDS", 0)
    refused, waiting = Recorded(is_refused=True), Recorded(is_refused=False)
    ours = [socket.socketpair() for _ in range(2)]
    accepted: list[tuple[socket.socket, tuple[str]] | OSError] = [
        (ours[1][0], ("b",)),
        (ours[0][0], ("a",)),
        OSError(errno.EMFILE, "no descriptor is left"),
    ]

    async def accept(_listener: socket.socket) -> tuple[socket.socket, tuple[str]]:
        found = accepted.pop() if accepted else await asyncio.Future()
        if isinstance(found, OSError):
            raise found
        return found

    async def serve() -> None:
        monkeypatch.setattr(asyncio.get_running_loop(), "sock_accept", accept)
        made = iter([refused, waiting])
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        with socket.socket() as listener:
            server = TlsServer(listener, context, lambda: next(made), 60)  # type: ignore[arg-type,return-value]  # only what the server calls
            while not waiting.events:  # noqa: ASYNC110 - a list has no event to wait for
                await asyncio.sleep(0)
            server.close()
            await server.wait_closed()

    asyncio.run(serve())
    assert (refused.events, waiting.events) == (["a", "ended"], ["b", "ended"])
    for _, theirs in ours:
        with theirs:
            assert theirs.recv(1) == b""
