"""A crowd of slow clients takes nothing from the others (S19 of reliability.md)."""

import resource
import selectors
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

import pytest

from longshore.http.limits import Limits, LimitValues
from longshore.http.services import HttpServices
from tests.support.http_service import Keys, bearer
from tests.support.live_server import PATIENCE_SECONDS, a_request, live

pytestmark = pytest.mark.full("thousands of connections")

CROWD = 1_000
DEADLINE_SECONDS = 3


@pytest.fixture
def many_descriptors() -> Iterator[None]:
    """Raise the soft limit: client and server are one process here."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8_192, before[1]), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def wait_until_closed(crowd: list[socket.socket]) -> list[bytes]:
    """Trickle on until the server has closed every connection; return what each was told."""
    told = dict.fromkeys(crowd, b"")
    with selectors.DefaultSelector() as selector:
        for one in crowd:
            selector.register(one, selectors.EVENT_READ)
        while selector.get_map():
            ready = selector.select(PATIENCE_SECONDS)
            assert ready, f"{len(selector.get_map())} connections were left open"
            for key, _ in ready:
                client = key.fileobj
                assert isinstance(client, socket.socket)
                received = _received(client)
                told[client] += received
                if not received:
                    selector.unregister(client)
    return list(told.values())


def _received(one: socket.socket) -> bytes:
    try:
        return one.recv(4_096)
    except ConnectionError:
        return b""


@pytest.mark.usefixtures("many_descriptors")
def test_two_thousand_trickling_clients_are_sent_away_and_others_are_served(
    services: HttpServices, keys: Keys
) -> None:
    authorization = f"Authorization: {bearer(keys.sandbox)['Authorization']}"
    ping = a_request("GET", "/api/v1/ping", authorization)
    body_head = a_request("POST", "/api/v1/parse", authorization, "Content-Length: 40") + b"{"
    deadlines = {"header_seconds": DEADLINE_SECONDS, "body_seconds": DEADLINE_SECONDS}
    limits = Limits(LimitValues(concurrent_bodies=CROWD, sandbox_concurrent_documents=CROWD))
    with live(replace(services, limits=limits), **deadlines) as server, ExitStack() as stack:
        crowd = []
        for beginning in (b"GET /healthz HTTP/1.1\r\nHost: x\r\nA", body_head):
            for _ in range(CROWD):
                one = socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS)
                crowd.append(stack.enter_context(one))
                one.sendall(beginning)
        while_they_trickle = server.ask(ping, "GET", "/api/v1/ping")
        told = wait_until_closed(crowd)
        afterwards = server.ask(ping, "GET", "/api/v1/ping")
    assert (while_they_trickle.status, afterwards.status) == (200, 200)
    assert {answer.partition(b"\r\n")[0] for answer in told} == {b"HTTP/1.1 408 Request Timeout"}
    assert len(told) == 2 * CROWD
