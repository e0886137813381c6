"""The worker processes of a real server: their death, its death, and a stop under load."""

import json
import os
import select
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread

import pytest

from tests.system.server import DEADLINE_SECONDS, Server, serving
from tests.system.test_serve import printed_key

SAMPLE = Path(__file__).parents[2] / "samples" / "850_purchase_order" / "input.edi"


def long_document(size: int) -> str:
    """Return a sample order many times over, ``size`` characters or a little more."""
    order = SAMPLE.read_text(encoding="utf-8")
    return order * (size // len(order) + 1)


def children(pid: int) -> list[int]:
    files = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(word) for file in files for word in file.read_text().split()]


def below(pid: int) -> list[int]:
    """Return the processes below one, by their parents."""
    return [one for child in children(pid) for one in (child, *below(child))]


def command_of(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")


def worker_of(server: Server) -> int:
    """Return the process that works on documents: the child of the fork server."""
    [worker] = [one for child in children(server.process.pid) for one in children(child)]
    return worker


def wait_until_gone(pids: list[int]) -> None:
    for pid in pids:
        with ExitStack() as stack:
            try:
                watched = os.pidfd_open(pid)
            except ProcessLookupError:
                continue
            stack.callback(os.close, watched)
            assert select.select([watched], [], [], DEADLINE_SECONDS)[0], command_of(pid)


@contextmanager
def one_worker(folder: Path, *settings: str) -> Iterator[Server]:
    (folder / "longshore.toml").write_text("\n".join(["document_workers = 1", *settings]))
    with serving(folder, is_measured=False) as server:
        yield server


def test_the_first_worker_is_there_before_the_first_request(tmp_path: Path) -> None:
    with one_worker(tmp_path) as server:
        worker = worker_of(server)
        key = printed_key(server.printed)
        body = {"document": long_document(100_000)}
        assert server.call("POST", "/api/v1/parse", key, body)[0] == 200
        assert worker_of(server) == worker


def test_nothing_is_left_of_a_server_that_was_killed(tmp_path: Path) -> None:
    with one_worker(tmp_path) as server:
        family = below(server.process.pid)
        assert len(family) == 3  # fork server, worker, resource tracker
        server.kill()
        wait_until_gone(family)


def test_nothing_is_left_of_a_server_that_was_stopped(tmp_path: Path) -> None:
    with one_worker(tmp_path) as server:
        family = below(server.process.pid)
        assert server.stop() == 0
        wait_until_gone(family)


def test_a_dead_worker_is_replaced_and_nobody_sees_it(tmp_path: Path) -> None:
    with one_worker(tmp_path) as server:
        key = printed_key(server.printed)
        first = worker_of(server)
        os.kill(first, signal.SIGKILL)
        body = {"document": long_document(100_000)}
        assert server.call("POST", "/api/v1/parse", key, body)[0] == 200
        assert worker_of(server) != first


def test_a_document_over_its_computing_time_is_refused_and_others_are_not(
    tmp_path: Path,
) -> None:
    with one_worker(tmp_path, "document_cpu_seconds = 1") as server:
        key = printed_key(server.printed)
        worker = worker_of(server)
        status, answer = server.call(
            "POST", "/api/v1/parse", key, {"document": long_document(25_000_000)}
        )
        assert (status, answer["code"]) == (400, "limit_exceeded")
        detail = answer["details"][0]
        assert (detail["limit"], detail["max"]) == ("cpu_seconds", 1)
        body = {"document": long_document(100_000)}
        assert server.call("POST", "/api/v1/parse", key, body)[0] == 200
        assert worker_of(server) == worker


@pytest.mark.parametrize("workers", [0, 1])
def test_a_stop_under_load_answers_what_was_accepted(tmp_path: Path, workers: int) -> None:
    (tmp_path / "longshore.toml").write_text(f"document_workers = {workers}")
    answers: list[tuple[int, bool]] = []
    with serving(tmp_path, is_measured=False) as server:
        key = printed_key(server.printed)
        body = {"document": long_document(1_000_000)}

        def ask() -> None:
            status, content = server.call_raw("POST", "/api/v1/parse", key, body)
            answers.append((status, json.loads(content)["ok"]))

        threads = [Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        wait_until_in_flight(server, 4)
        # As a service manager does: the signal goes to every process of the group.
        for pid in [server.process.pid, *below(server.process.pid)]:
            os.kill(pid, signal.SIGTERM)
        assert server.process.wait(10) == 0
        for thread in threads:
            thread.join(DEADLINE_SECONDS)
    assert answers == [(200, True)] * 4


def wait_until_in_flight(server: Server, count: int) -> None:
    """Ask for the metrics until so many requests, beside this one, are in flight."""
    while in_flight(server) < count:
        pass


def wait_until_nothing_is_in_flight(server: Server) -> None:
    """Ask for the metrics until this request is the only one."""
    while in_flight(server):
        pass


def in_flight(server: Server) -> int:
    """Return how many requests are in flight beside the one that asks."""
    _, text = server.call_raw("GET", "/metrics")
    line = next(
        line
        for line in text.decode().splitlines()
        if line.startswith("longshore_http_requests_in_flight ")
    )
    return int(float(line.split()[1])) - 1


def test_sixteen_heavy_documents_at_once_do_not_keep_ping_waiting(tmp_path: Path) -> None:
    answers: list[int] = []
    pings = 0
    with one_worker(tmp_path) as server:
        key = printed_key(server.printed)
        body = {"document": long_document(1_000_000)}

        def ask() -> None:
            answers.append(server.call_raw("POST", "/api/v1/parse", key, body)[0])

        threads = [Thread(target=ask) for _ in range(16)]
        for thread in threads:
            thread.start()
        while len(answers) < 16:
            assert server.call("GET", "/api/v1/ping", key)[0] == 200
            pings += 1
        for thread in threads:
            thread.join(DEADLINE_SECONDS)
    assert answers == [200] * 16
    assert pings > 16  # more than one between two documents, on any machine
