"""Bodies made to be slow or large stop nobody: what they cost the event loop and the memory.

Figures are ratios to a plain document of the same size in the same run.
"""

from collections.abc import Iterator
from threading import Thread

import pytest

from tests.system.process_figures import forget_peak, loop_seconds, peak_bytes, resident_bytes
from tests.system.server import Server, serving
from tests.system.test_serve import printed_key

MIB = 1 << 20
MAX_RATIO = 2
MAX_GROWTH_BYTES = 400 * MIB


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("bodies"), is_measured=False) as server:
        post(server, "parse", b'{"document":"%b"}' % (b"x" * MIB))  # all is imported now
        yield server


def post(server: Server, path: str, body: bytes) -> tuple[int, str]:
    """Send a body; return status and code of the refusal."""
    status, answer = server.call("POST", f"/api/v1/{path}", printed_key(server.printed), body)
    return status, answer["code"]


def cost_of(server: Server, path: str, body: bytes, refusal: tuple[int, str]) -> float:
    """Return the time that a body takes of the event loop."""
    before = loop_seconds(server.process.pid)
    assert post(server, path, body) == refusal
    return loop_seconds(server.process.pid) - before


def unknown_members(size: int) -> bytes:
    return b'{"document":"x"' + b"".join(b',"u%07d":1' % at for at in range(size // 13)) + b"}"


def empty_rules(size: int) -> bytes:
    return b'{"document":"x","field_map":[' + b"{}," * (size // 3) + b"{}]}"


def test_hostile_bodies_cost_the_event_loop_no_more_than_a_document(server: Server) -> None:
    size = 8 * MIB
    document = b'{"document":"%b"}' % (b"x" * size)
    plain = cost_of(server, "parse", document, (400, "document_unparseable"))
    hostile = {
        "unknown members": cost_of(
            server, "parse", unknown_members(size), (400, "unknown_parameter")
        ),
        "empty rules": cost_of(server, "convert", empty_rules(size), (413, "document_too_large")),
        "one member repeated": cost_of(
            server,
            "parse",
            b'{"document":"x"%b}' % (b',"csv":{}' * (size // 9)),
            (400, "invalid_json"),
        ),
        "deep arrays": cost_of(
            server, "parse", b'{"document":%b' % (b"[" * size), (400, "invalid_json")
        ),
    }
    print({name: f"{seconds / plain:.2f}" for name, seconds in hostile.items()})  # noqa: T201 - what it measures
    assert max(hostile.values()) <= MAX_RATIO * plain, (plain, hostile)


def test_two_bodies_full_of_rules_at_once_take_little_memory(server: Server) -> None:
    body = empty_rules(31 * MIB)
    answers: list[tuple[int, str]] = []
    forget_peak(server.process.pid)
    before = resident_bytes(server.process.pid)
    threads = [
        Thread(target=lambda: answers.append(post(server, "convert", body))) for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    growth = peak_bytes(server.process.pid) - before
    print(f"grew by {growth // MIB} MiB")  # noqa: T201 - what it measures
    assert answers == [(413, "document_too_large")] * 2
    assert growth <= MAX_GROWTH_BYTES
