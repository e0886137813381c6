"""A stop: unready first, then nothing new, requests finished, the log written, exit 0."""

import signal
import subprocess
import sys
from io import BytesIO
from threading import Event

import pytest

from longshore.http.app import create_app
from tests.support.client import calling
from tests.support.http_service import Keys, RecordedEngine, World, bearer
from tests.support.live_server import PATIENCE_SECONDS, Wire, a_request, live

pytestmark = pytest.mark.full("stops real servers")

PARSE = "/api/v1/parse"
LONG_DOCUMENT = b"d" * 40_000  # long enough for a thread, so that the event loop runs on


class HeldEngine(RecordedEngine):
    """Answers when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.has_begun = Event()
        self.may_end = Event()

    def parse_result(self, document: str, **options: object) -> bytes:
        self.has_begun.set()
        assert self.may_end.wait(PATIENCE_SECONDS)
        return super().parse_result(document, **options)


def a_parse(key: str) -> bytes:
    body = b'{"document":"%s"}' % LONG_DOCUMENT
    lines = ("Content-Type: application/json", f"Authorization: {bearer(key)['Authorization']}")
    return a_request("POST", PARSE, *lines, f"Content-Length: {len(body)}", body=body)


def test_readiness_ends_before_requests_do(world: World, keys: Keys) -> None:
    engine = HeldEngine()
    with (
        live(world.services(engine), drain_seconds=PATIENCE_SECONDS) as server,
        server.connect() as wire,
        server.connect() as other,
    ):
        wire.send(a_parse(keys.sandbox))
        assert engine.has_begun.wait(PATIENCE_SECONDS)
        server.stop()
        other.send(a_request("GET", "/readyz"))
        unready = other.answer(path="/readyz")
        other.send(a_request("GET", "/healthz"))
        assert other.answer(path="/healthz").status == 200
        engine.may_end.set()
        assert wire.answer("POST", PARSE).status == 200
    assert (unready.status, unready.json()["code"]) == (503, "overloaded")
    assert unready.headers["retry-after"] == "5"


def test_what_has_not_ended_in_time_is_told_to_come_again(world: World, keys: Keys) -> None:
    engine = HeldEngine()
    with live(world.services(engine), shutdown_seconds=0.4) as server, server.connect() as wire:
        wire.send(a_parse(keys.sandbox))
        assert engine.has_begun.wait(PATIENCE_SECONDS)
        server.stop()
        answer = wire.answer("POST", PARSE)
        engine.may_end.set()
    assert (answer.status, answer.json()["code"]) == (503, "overloaded")
    assert answer.json()["error"] == "The server is stopping. Try again in a moment."


def test_idle_connections_end_with_the_server(world: World) -> None:
    with live(world.services(RecordedEngine())) as server, server.connect() as wire:
        wire.send(a_request())
        assert wire.answer(path="/healthz").status == 200
        server.stop()
        assert wire.is_ended()


def test_the_last_access_lines_are_written(world: World) -> None:
    log = BytesIO()
    with calling(create_app(world.services(RecordedEngine(), log=log))) as client:
        for _ in range(3):
            client.get("/healthz")
    assert log.getvalue().count(b'"path":"/healthz"') == 3


PROGRAM = """
import sys
from pathlib import Path
from longshore.http.app import create_app
from longshore.http.deadlines import Deadlines
from longshore.http.server import HttpServer, address_of, listen, run
from tests.support.http_service import RecordedEngine, open_world

with open_world(Path(sys.argv[1])) as world:
    listener = listen("127.0.0.1", 0)
    server = HttpServer(
        create_app(world.services(RecordedEngine())),
        listener,
        on_started=lambda: print(address_of(listener), flush=True),
        deadlines=Deadlines(drain_seconds=0),
    )
    run(server.serve())
print("closed", flush=True)
"""


def test_a_signal_ends_the_process_in_good_order(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("signal")
    for number in (signal.SIGTERM, signal.SIGINT):
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(folder / number.name)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        port = int(process.stdout.readline().rpartition(":")[2])
        with Wire(port) as wire:
            wire.send(a_request("GET", "/readyz"))
            assert wire.answer(path="/readyz").status == 200
            process.send_signal(number)
            assert wire.is_ended()
        rest, _ = process.communicate(timeout=PATIENCE_SECONDS)
        assert (rest, process.returncode) == ("closed\n", 0)
