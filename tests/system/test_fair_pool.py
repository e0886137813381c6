"""One tenant's large documents delay another's by one piece of work, and end with their client."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from threading import Thread

import pytest

from tests.support.http_service import Keys, open_world
from tests.system.process_figures import tree_seconds
from tests.system.server import Server, serving
from tests.system.tenants import a_post, open_connection
from tests.system.test_pool import (
    long_document,
    wait_until_in_flight,
    wait_until_nothing_is_in_flight,
)

LARGE_BYTES = 2_000_000
SMALL_BYTES = 63_000
COUNT = 8


@pytest.fixture(scope="module")
def keys_and_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Keys, Server]]:
    folder = tmp_path_factory.mktemp("fair")
    with open_world(folder / "data") as world:
        keys = world.keys
    (folder / "longshore.toml").write_text("document_workers = 1\n")
    with serving(folder, is_measured=False) as server:
        yield keys, server


def test_large_documents_of_one_tenant_delay_another_by_one_of_them(
    keys_and_server: tuple[Keys, Server],
) -> None:
    keys, server = keys_and_server
    large = {"document": long_document(LARGE_BYTES)}
    answered: list[int] = []

    def ask() -> None:
        answered.append(server.call_raw("POST", "/api/v1/parse", keys.sandbox, large)[0])

    threads = [Thread(target=ask) for _ in range(COUNT)]
    for thread in threads:
        thread.start()
    wait_until_in_flight(server, COUNT)
    before = len(answered)
    small = {"document": long_document(SMALL_BYTES)}
    assert server.call_raw("POST", "/api/v1/parse", keys.neighbour, small)[0] == 200
    after_small = len(answered)
    assert server.call_raw("POST", "/api/v1/parse", keys.neighbour, large)[0] == 200
    after_large = len(answered)
    for thread in threads:
        thread.join()
    print(f"answered before: {before}, small: {after_small}, large: {after_large}")  # noqa: T201 - what it measures
    assert answered == [200] * COUNT
    assert after_small - before <= 1
    assert after_large - after_small <= 4  # two turns: its body is examined, then parsed


def test_the_work_of_clients_that_left_is_not_done(keys_and_server: tuple[Keys, Server]) -> None:
    keys, server = keys_and_server
    large = {"document": long_document(LARGE_BYTES)}
    start = tree_seconds(server.process.pid)
    assert server.call_raw("POST", "/api/v1/parse", keys.sandbox, large)[0] == 200
    one = tree_seconds(server.process.pid) - start
    start = tree_seconds(server.process.pid)
    with ExitStack() as stack:
        for _ in range(COUNT):
            connection = stack.enter_context(open_connection(server))
            connection.sendall(a_post("/api/v1/parse", keys.sandbox, json.dumps(large).encode()))
        wait_until_in_flight(server, COUNT)
    wait_until_nothing_is_in_flight(server)
    assert server.call_raw("POST", "/api/v1/parse", keys.sandbox, large)[0] == 200
    all_of_them = tree_seconds(server.process.pid) - start
    print(f"one {one:.2f} s, {COUNT} that left and one more {all_of_them:.2f} s")  # noqa: T201 - what it measures
    assert all_of_them < COUNT / 2 * one
