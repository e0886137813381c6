"""Ping beside a long parse, with worker processes and without: ``python -m tests.bench.pool``.

Two servers take turns. Each round one of them parses documents of 1 MB without a pause while ping
is asked every 5 ms; its time counts from when it was due, so that a pause is not seen once only. Of
these times the 99th percentile is kept. On a busy machine it says little, so judged is only the
ratio of the two, taken in the same run.
"""

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter, sleep

from tests.bench.servers import Target, document, longshore

GOAL = 1 / 5
PING_SECONDS = 0.005
TOLERANCE = 1.1


def ask(connection: socket.socket, request: bytes) -> None:
    """Send one request and read its short answer, which must be a 200."""
    connection.sendall(request)
    received = connection.recv(65_536)
    assert received.startswith(b"HTTP/1.1 200 "), received


def connect(target: Target) -> socket.socket:
    """Return a connection on which small requests are sent at once."""
    connection = socket.create_connection(("127.0.0.1", target.port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def ping_p99(target: Target, body: bytes, parse_count: int) -> float:
    """Return the 99th percentile of ping's seconds while ``parse_count`` documents are parsed."""
    parse = target.request("POST", "/api/v1/parse", body)
    ping = target.request("GET", "/api/v1/ping")
    command = [sys.executable, "-m", "tests.bench.load", str(target.port), str(parse_count), "1"]
    times: list[float] = []
    with (
        connect(target) as connection,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parses,
    ):
        assert parses.stdin
        parses.stdin.write(parse)
        parses.stdin.close()
        due_at = perf_counter()
        while parses.poll() is None:
            due_at += PING_SECONDS
            sleep(max(0.0, due_at - perf_counter()))
            ask(connection, ping)
            times.append(perf_counter() - due_at)
        assert parses.stdout
        statuses = json.load(parses.stdout)["statuses"]
    assert statuses == {"200": parse_count}, statuses
    return statistics.quantiles(times, n=100)[98]


def main(rounds: int = 5, parse_count: int = 20, tolerance: float = TOLERANCE) -> int:
    """Measure, print the figures, compare them with the goals; return the exit code."""
    with tempfile.TemporaryDirectory(prefix="longshore-bench-") as name:
        folder = Path(name)
        body = json.dumps({"document": document("850-1m", folder)}).encode()
        with (
            longshore(folder, "pool") as pool,
            longshore(folder, "no-pool", "document_workers = 0\n") as threads,
        ):
            found = [
                (ping_p99(pool, body, parse_count), ping_p99(threads, body, parse_count))
                for _ in range(rounds)
            ]
    with_pool, without = (statistics.median(side) * 1e3 for side in zip(*found, strict=True))
    ratios = [ours / theirs for ours, theirs in found]
    ratio = statistics.median(ratios)
    is_missed = ratio > GOAL * tolerance
    sys.stdout.write(
        f"ping's p99 while 1 MB is parsed; load average {os.getloadavg()[0]:.2f}\n"
        f"with the pool {with_pool:.1f} ms, without {without:.1f} ms, ratio {ratio:.2f} "
        f"({min(ratios):.2f}-{max(ratios):.2f}), goal {GOAL:g}"
        f"{' MISSED' if is_missed else ''}\n"
    )
    return 1 if is_missed else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--parses", type=int, default=20)
    given = parser.parse_args()
    sys.exit(main(given.rounds, given.parses))
