"""Slow clients are sent away, each at its own deadline; others are not disturbed.

Time is told by a second connection that runs into the same deadline: nothing here sleeps or
measures.
"""

from threading import Event

import pytest

from longshore.http.services import HttpServices
from tests.support.http_service import Keys, RecordedEngine, World, bearer
from tests.support.live_server import LiveServer, a_request, live

pytestmark = pytest.mark.full("waits for deadlines")

PARSE = "/api/v1/parse"
SOON = 0.2
LATE = 60
TIMED_OUT = (408, "request_timeout")


def a_parse(key: str, size: int) -> bytes:
    lines = ("Content-Type: application/json", f"Authorization: {bearer(key)['Authorization']}")
    return a_request("POST", PARSE, *lines, f"Content-Length: {size}")


def wait_for_a_deadline(server: LiveServer) -> None:
    """Wait until a connection made now has run into its header deadline."""
    with server.connect() as wire:
        assert wire.is_ended()


def test_headers_that_trickle_time_out(services: HttpServices) -> None:
    with live(services, header_seconds=SOON) as server, server.connect() as wire:
        wire.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\nA")
        answer = wire.answer()
        assert (answer.status, answer.json()["code"]) == TIMED_OUT
        assert answer.json()["error"] == (
            "The request arrived too slowly, so the server stopped waiting."
        )
        assert wire.is_ended()


def test_a_connection_that_asks_nothing_is_closed_without_a_word(services: HttpServices) -> None:
    with live(services, header_seconds=SOON) as server, server.connect() as wire:
        assert wire.is_ended()


def test_blank_lines_do_not_keep_a_connection(services: HttpServices) -> None:
    with live(services, header_seconds=SOON) as server, server.connect() as wire:
        wire.send(a_request())
        assert wire.answer(path="/healthz").status == 200
        wire.send(b"\r\n\r\n")
        assert wire.is_ended()


def test_the_header_deadline_is_set_anew_for_a_later_request(services: HttpServices) -> None:
    with live(services, header_seconds=SOON) as server, server.connect() as wire:
        wire.send(a_request())
        assert wire.answer(path="/healthz").status == 200
        wait_for_a_deadline(server)
        wire.send(a_request())
        assert wire.answer(path="/healthz").status == 200
        wire.send(b"GET /healthz")
        assert wire.answer().status == 408
        assert wire.is_ended()


def test_an_idle_connection_is_closed_without_a_word(services: HttpServices) -> None:
    with live(services, idle_seconds=SOON) as server, server.connect() as wire:
        wire.send(a_request())
        assert wire.answer(path="/healthz").status == 200
        assert wire.is_ended()


def test_a_body_that_stops_arriving_times_out(
    services: HttpServices, keys: Keys, engine: RecordedEngine
) -> None:
    with live(services, body_seconds=SOON) as server, server.connect() as wire:
        wire.send(a_parse(keys.sandbox, 99) + b'{"document":')
        answer = wire.answer("POST", PARSE)
        assert (answer.status, answer.json()["code"]) == TIMED_OUT
        assert wire.is_ended()
    assert engine.calls == []
    assert services.metrics.in_flight == 0


def test_a_body_earns_time_by_arriving(services: HttpServices, keys: Keys) -> None:
    deadlines = {"header_seconds": SOON, "body_seconds": SOON, "body_bytes_per_second": 1}
    with live(services, **deadlines) as server, server.connect() as wire:
        wire.send(a_parse(keys.sandbox, 16) + b'{"document":"d"')
        wait_for_a_deadline(server)
        wire.send(b"}")
        assert wire.answer("POST", PARSE).status == 200


def test_the_time_a_body_earns_is_bounded(services: HttpServices, keys: Keys) -> None:
    deadlines = {"body_max_seconds": SOON, "body_bytes_per_second": 1}
    with live(services, **deadlines) as server, server.connect() as wire:
        wire.send(a_parse(keys.sandbox, 16) + b'{"document":"d"')
        assert wire.answer("POST", PARSE).status == 408


def test_a_slow_handler_is_not_a_slow_client(world: World, keys: Keys) -> None:
    release = Event()
    engine = RecordedEngine()

    def parse_when_released(document: str, **_: object) -> bytes:
        assert release.wait(LATE)
        return engine.parse_result(document)

    services = world.services(engine, parse_result=parse_when_released)
    body = b'{"document":"%s"}' % (b"d" * 40_000)
    deadlines = {"header_seconds": SOON, "body_seconds": SOON}
    with live(services, **deadlines) as server, server.connect() as wire:
        wire.send(a_parse(keys.sandbox, len(body)) + body + a_request()[:10])
        wait_for_a_deadline(server)
        release.set()
        assert wire.answer("POST", PARSE).status == 200
        # The half request behind it was too slow, and was told so by the end of the connection.
        assert wire.is_ended()


@pytest.mark.parametrize("count", [30])
def test_trickling_clients_do_not_disturb_others(services: HttpServices, count: int) -> None:
    with live(services, header_seconds=SOON) as server:
        wires = [server.connect() for _ in range(count)]
        for wire in wires:
            wire.send(b"GET /healthz HTTP/1.1\r\nA: ")
        assert server.ask(a_request(), path="/healthz").status == 200
        assert [wire.answer().status for wire in wires] == [408] * count
        assert all(wire.is_ended() for wire in wires)
        for wire in wires:
            wire.__exit__(None, None, None)


def test_a_client_that_takes_nothing_of_its_answer_is_cut_off(
    world: World, keys: Keys, engine: RecordedEngine
) -> None:
    def a_long_result(_document: str) -> bytes:
        return b'{"fields":{"a":"' + b"x" * 50_000_000 + b'"}}'

    services = world.services(engine, parse_result=a_long_result)
    with (
        live(services, write_seconds=SOON, header_seconds=SOON * 4) as server,
        server.connect() as wire,
    ):
        wire.send(a_parse(keys.sandbox, 20) + b'{"document":"ISA*1"}')
        received = wire.line()
        wait_for_a_deadline(server)
        taken = len(received) + wire.drain()
    assert received == b"HTTP/1.1 200 OK\r\n"
    assert taken < 50_000_000


def test_a_client_that_reads_slowly_gets_its_answer(
    world: World, keys: Keys, engine: RecordedEngine
) -> None:
    def a_long_result(_document: str) -> bytes:
        return b'{"fields":{"a":"' + b"x" * 20_000_000 + b'"}}'

    services = world.services(engine, parse_result=a_long_result)
    with (
        live(services, write_seconds=2, idle_seconds=1, header_seconds=0.3) as server,
        server.connect() as wire,
    ):
        wire.send(a_parse(keys.sandbox, 20) + b'{"document":"ISA*1"}')
        taken = 0
        for _ in range(8):
            taken += wire.take(2_000_000)
            wait_for_a_deadline(server)
        taken += wire.drain()
    assert taken > 20_000_000
