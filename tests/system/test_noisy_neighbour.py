"""S15: a tenant at ten times its rate limit hardly changes what another one waits.

Compared with the same tenant at its limit, whose work is let in either way: what it asks beyond
must not cost others. The ratio of two p95 of one run, in rounds that take turns, so that whatever
else the machine does meets both alike. The figures themselves are printed (``-s``). Waits mean
something only where a core is free for each of the three processes, so ``make faults`` runs this
and ``make test`` does not.
"""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from tests.support.http_service import Keys, open_world
from tests.system import greedy
from tests.system.server import Server, clean_environment, serving

ROUNDS: Final = 12
CALLS_OF_A_ROUND: Final = 300
LIMIT_PER_MINUTE: Final = 1_500
TIMES: Final = 10
BURST: Final = 5
DOCUMENT_BYTES: Final = 30_000  # below what goes to another process: it is in everybody's way
MOST: Final = 1.5
UNLIMITED: Final = (
    "requests_per_minute = 1000000\nrequest_burst = 1000000\nconcurrent_documents = 1000\n"
)


@dataclass(frozen=True)
class Measured:
    """The waits of the modest tenant in seconds, and what the greedy one was answered."""

    at_limit: list[float]
    beyond: list[float]
    statuses: dict[str, int]

    @property
    def ratio(self) -> float:
        return p95(self.beyond) / p95(self.at_limit)

    def __str__(self) -> str:
        return (
            f"p95 of a parse {p95(self.at_limit) * 1000:.2f} ms, beyond the limit"
            f" {p95(self.beyond) * 1000:.2f} ms, ratio {self.ratio:.2f};"
            f" the greedy tenant was answered {self.statuses}"
        )


def p95(waits: list[float]) -> float:
    return sorted(waits)[len(waits) * 95 // 100]


class Greedy:
    """The greedy tenant's process."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def toggle(self) -> None:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        self._process.stdout.readline()

    def statuses(self) -> dict[str, int]:
        return dict(json.loads(self._process.communicate(timeout=30)[0]))


@contextmanager
def a_greedy_tenant(server: Server, key: str) -> Iterator[Greedy]:
    port = server.address.rpartition(":")[2]
    rate = str(LIMIT_PER_MINUTE / 60)
    process = subprocess.Popen(
        [sys.executable, greedy.__file__, port, key, rate, str(TIMES), str(DOCUMENT_BYTES)],
        env=clean_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield Greedy(process)
    finally:
        process.kill()
        process.communicate()


def measure(folder: Path, settings: str) -> Measured:
    """Let one tenant parse all the time, and the other be modest and greedy in turn."""
    folder.mkdir()
    with open_world(folder / "data") as world:
        keys: Keys = world.keys
    (folder / "longshore.toml").write_text(f'log_level = "warning"\n{settings}')
    waits: tuple[list[float], list[float]] = ([], [])
    with (
        serving(folder, is_measured=False) as server,
        a_greedy_tenant(server, keys.production) as tenant,
    ):
        connection = socket.create_connection(("127.0.0.1", int(server.address.rpartition(":")[2])))
        spend_the_burst(server, keys.production)
        for number in range(2 * ROUNDS):
            waits[number % 2].extend(parse(connection, keys.sandbox, CALLS_OF_A_ROUND))
            tenant.toggle()
        connection.close()
        return Measured(*waits, tenant.statuses())


def spend_the_burst(server: Server, key: str) -> None:
    """Use up what a rested key may ask at once."""
    for _ in range(BURST):
        server.call("GET", "/api/v1/ping", key)


def parse(connection: socket.socket, key: str, count: int) -> list[float]:
    """Return how long each of ``count`` documents took."""
    request = greedy.a_request(key, 1_000)
    waits = []
    with connection.makefile("rb") as file:
        for _ in range(count):
            begun = time.perf_counter()
            connection.sendall(request)
            assert file.readline().split()[1] == b"200"
            size = 0
            while line := file.readline().strip():
                name, _, value = line.partition(b":")
                size = int(value) if name.lower() == b"content-length" else size
            file.read(size)
            waits.append(time.perf_counter() - begun)
    return waits


@pytest.mark.skipif("NEIGHBOUR" not in os.environ, reason="make faults measures waits")
@pytest.mark.timeout(180)
def test_a_tenant_far_over_its_limit_hardly_changes_the_waits_of_another(tmp_path: Path) -> None:
    limited = measure(
        tmp_path / "limited", f"requests_per_minute = {LIMIT_PER_MINUTE}\nrequest_burst = {BURST}\n"
    )
    unlimited = measure(tmp_path / "unlimited", UNLIMITED)
    print(f"\nlimited: {limited}\nthe control, unlimited: {unlimited}")  # noqa: T201 - what it measures
    assert limited.statuses["429"] > limited.statuses["200"]
    assert limited.ratio <= MOST
    # The control: the same traffic without the limit is all served, and the other tenant waits.
    assert set(unlimited.statuses) == {"200"}
    assert unlimited.ratio > MOST
