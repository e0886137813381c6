"""Slow and crowded clients (reliability.md S19, R20): each sent away, nobody else disturbed."""

import json
import socket
from collections.abc import Iterator
from functools import partial
from threading import Thread

import pytest

from tests.support.live_server import RawAnswer, Wire
from tests.system.hostile.attack import Baseline, Case, Expected, a_request, assert_alive, attack
from tests.system.hostile.conftest import a_victim
from tests.system.hostile.victim import Victim
from tests.unit.x12.documents import an_850

IMPATIENT = (
    "header_deadline_seconds = 1\nbody_deadline_seconds = 1\nidle_deadline_seconds = 1\n"
    "sandbox_concurrent_documents = 200\n"
)
CROWD = 200
HEAVY = 16


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Victim]:
    with a_victim(tmp_path_factory.mktemp("impatient"), IMPATIENT) as victim:
        yield victim


def trickle(wires: list[Wire], victim: Victim) -> int:
    """Send an octet more on every connection that still takes it; return how many pings passed."""
    pings = 0
    for _ in range(5):
        for wire in wires:
            try:
                wire.send(b"a")
            except OSError:
                continue  # sent away already
        assert_alive(victim)
        pings += 1
    return pings


def ends_of(wires: list[Wire], path: str) -> list[int]:
    """Return the status each connection ended with."""
    statuses = []
    for wire in wires:
        statuses.append(wire.answer("POST", path).status)
        assert wire.is_ended()
        wire.__exit__(None, None, None)
    return statuses


def test_headers_that_trickle_on_many_connections(impatient: Victim) -> None:
    wires = [Wire(impatient.port) for _ in range(CROWD)]
    for wire in wires:
        wire.send(b"POST /api/v1/parse HTTP/1.1\r\nHost: x\r\nA: ")
    assert trickle(wires, impatient) == 5
    assert ends_of(wires, "/unknown") == [408] * CROWD


def test_bodies_that_trickle_on_many_connections(impatient: Victim) -> None:
    head = a_request(impatient.keys.sandbox, "POST", "/api/v1/parse", "Content-Length: 99999")
    wires = [Wire(impatient.port) for _ in range(CROWD)]
    for wire in wires:
        wire.send(head)
    assert trickle(wires, impatient) == 5
    assert ends_of(wires, "/api/v1/parse") == [408] * CROWD


def test_connections_that_ask_nothing(impatient: Victim) -> None:
    wires = [Wire(impatient.port) for _ in range(CROWD)]
    assert_alive(impatient)
    for wire in wires:
        assert wire.is_ended()
        wire.__exit__(None, None, None)


def test_clients_that_leave_before_their_answer(victim: Victim) -> None:
    body = json.dumps({"document": an_850(*["PO1*1*48*EA*12.75"] * 5_000)}).encode()
    request = a_request(victim.keys.sandbox, body=body)
    for cut in range(0, len(request), len(request) // 40):
        with socket.create_connection(("127.0.0.1", victim.port)) as connection:
            connection.sendall(request[:cut])
    assert_alive(victim)


def test_sixteen_heavy_documents_leave_room_for_pings(victim: Victim) -> None:
    body = json.dumps({"document": an_850(*["PO1*1*48*EA*12.75"] * 15_000)}).encode()
    request = a_request(victim.keys.sandbox, body=body)
    answers: list[RawAnswer] = []

    def post() -> None:
        with Wire(victim.port) as wire:
            wire.send(request)
            answers.append(wire.answer("POST", "/api/v1/parse"))

    heavy = [Thread(target=post) for _ in range(HEAVY)]
    for thread in heavy:
        thread.start()
    pings = 0
    while any(thread.is_alive() for thread in heavy):
        assert_alive(victim)
        pings += 1
    assert pings >= 2
    assert len(answers) == HEAVY
    # A full queue may refuse, in the envelope and with Retry-After; never anything else.
    assert {answer.status for answer in answers} <= {200, 503}
    assert 200 in {answer.status for answer in answers}


def _posting(body: bytes, victim: Victim) -> bytes:
    return a_request(victim.keys.sandbox, body=body)


def test_what_the_battery_took_is_given_back(victim: Victim, baseline: Baseline) -> None:
    """R17: what stays after the heaviest kinds of documents is at most 150 MiB."""
    repeated = {"x12": "~", "json": "[" + "null," * 5, "xml": "<a>", "csv": "a,b,c\n"}
    for name, text in repeated.items():
        body = json.dumps({"document": text * (2**24 // len(text)), "format": name}).encode()
        case = Case(
            name=name,
            request=partial(_posting, body),
            answers=(Expected(400, "document_unparseable" if name == "x12" else "limit_exceeded"),),
            cpu_seconds=10,
        )
        attack(victim, case, baseline)
    assert victim.resident_bytes() - baseline.resident_bytes <= 150 * 2**20
