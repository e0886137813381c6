"""What production and sandbox keys are told and refused, through the whole application."""

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from threading import Event, Semaphore, Thread

import pytest

from longshore.domain.accounts.model import ApiCaller
from longshore.http.api_v1.parse import PARSE
from longshore.http.api_v1.ping import PING
from longshore.http.app import create_app
from longshore.http.limits import LimitClass, Limits, LimitValues
from tests.support.client import ApiClient, calling
from tests.support.http_service import Keys, RecordedEngine, World, bearer
from tests.support.live_server import PATIENCE_SECONDS, LiveServer, RawAnswer, a_request, live

LIMIT_HEADERS = {
    "ratelimit-policy",
    "ratelimit",
    "x-ratelimit-limit",
    "x-ratelimit-remaining",
    "x-ratelimit-reset",
}


@pytest.fixture
def engine() -> RecordedEngine:
    return RecordedEngine()


@contextmanager
def limited(world: World, engine: RecordedEngine, **values: int) -> Iterator[ApiClient]:
    limits = Limits(LimitValues(**values), monotonic=lambda: 5.0)
    with calling(create_app(replace(world.services(engine), limits=limits))) as client:
        yield client


def test_every_answer_to_a_production_key_tells_its_quota(
    world: World, keys: Keys, engine: RecordedEngine
) -> None:
    owner = bearer(keys.production)
    with limited(world, engine) as client:
        answers = [
            client.get(PING.path, headers=owner),
            client.get(PING.path + "?x=1", headers=owner),
            client.post(PARSE.path, headers=owner, json={"document": "d"}),
            client.post(PARSE.path, headers=owner, content=b"{"),
            client.post(PARSE.path, headers={**owner, "Content-Encoding": "gzip"}, content=b"{}"),
            client.post(PARSE.path, headers=owner, json={"document": ""}),
            client.get("/api/v1", headers=owner),
            client.get("/api/v1/nowhere", headers=owner),
            client.get("/api/v1/transactions/99", headers=owner),
            client.request("DELETE", PING.path, headers=owner),
            client.request("DELETE", "/api/v1/transactions/99/retry", headers=owner),
            client.post(PARSE.path, headers={**owner, "Content-Length": "99999999"}, content=b""),
        ]
    assert [answer.status_code for answer in answers] == [
        *(200, 400, 200, 400, 400, 400),
        *(404, 404, 404, 405, 405, 413),
    ]
    policies = [answer.headers["ratelimit-policy"] for answer in answers]
    assert policies == ['"default";q=600;w=60'] * 12
    remaining = [int(answer.headers["x-ratelimit-remaining"]) for answer in answers]
    assert remaining == sorted(remaining, reverse=True)


def test_a_sandbox_key_has_no_quota_and_is_told_of_none(
    world: World, keys: Keys, engine: RecordedEngine
) -> None:
    with limited(world, engine, requests_per_minute=1, request_burst=1) as client:
        answers = [client.get(PING.path, headers=bearer(keys.sandbox)) for _ in range(5)]
    assert [answer.status_code for answer in answers] == [200] * 5
    assert not LIMIT_HEADERS & set(answers[-1].headers)


def test_who_is_not_let_in_is_told_of_no_quota(client: ApiClient, keys: Keys) -> None:
    for headers in ({}, bearer(keys.revoked), bearer(keys.plan_lost)):
        assert not LIMIT_HEADERS & set(client.get(PING.path, headers=headers).headers)


def test_a_request_over_the_burst_is_refused_before_its_body_is_read(
    world: World, keys: Keys, engine: RecordedEngine
) -> None:
    owner = bearer(keys.production)
    with limited(world, engine, request_burst=2) as client:
        for _ in range(2):
            assert client.get(PING.path, headers=owner).status_code == 200
        refused = client.post(PARSE.path, headers=owner, json={"document": "d"})
        assert client.get(PING.path, headers=bearer(keys.neighbour)).status_code == 200
    answer = refused.json()
    assert (refused.status_code, answer["code"]) == (429, "rate_limited")
    assert (answer["details"][0]["limit"], answer["details"][0]["max"]) == ("default", 600)
    assert refused.headers["retry-after"] == "1"
    assert refused.headers["ratelimit"] == '"default";r=0;t=1'
    assert set(refused.headers) >= LIMIT_HEADERS
    assert engine.calls == []


async def test_submits_have_a_bucket_of_their_own(world: World, keys: Keys) -> None:
    authenticate = world.services(RecordedEngine()).authenticate
    caller: ApiCaller = await authenticate(keys.production)
    limits = Limits(LimitValues(request_burst=1), monotonic=lambda: 5.0)
    headers, refusal = limits.charge(caller, LimitClass.SUBMITS)
    assert (dict(headers)[b"ratelimit-policy"], refusal) == (b'"submit";q=120;w=60', None)
    assert limits.charge(caller, LimitClass.REQUESTS)[1] is None
    refused = limits.charge(caller, LimitClass.SUBMITS)[1]
    assert refused is not None
    assert refused.details[0].limit == "submit"


class HeldEngine(RecordedEngine):
    """Does not answer before it is released."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = Semaphore(0)
        self.released = Event()

    def parse_result(self, document: str, **options: object) -> bytes:
        self.begun.release()
        self.released.wait(PATIENCE_SECONDS)
        return super().parse_result(document, **options)


def a_parse(key: str, size: int) -> bytes:
    body = json.dumps({"document": "x" * size}).encode()
    lines = (f"Authorization: Bearer {key}", f"Content-Length: {len(body)}")
    return a_request("POST", PARSE.path, *lines, body=body)


@contextmanager
def busy(world: World, key: str, count: int, **values: int) -> Iterator[LiveServer]:
    """Serve, with ``count`` long documents of one key under way; all must be answered."""
    engine = HeldEngine()
    limits = Limits(LimitValues(**values))
    answers: list[RawAnswer] = []
    with live(replace(world.services(engine), limits=limits)) as server:

        def ask() -> None:
            answers.append(server.ask(a_parse(key, 40_000), "POST", PARSE.path))

        threads = [Thread(target=ask) for _ in range(count)]
        for thread in threads:
            thread.start()
        for _ in threads:
            assert engine.begun.acquire(timeout=PATIENCE_SECONDS)
        try:
            yield server
        finally:
            engine.released.set()
            for thread in threads:
                thread.join()
    assert [answer.status for answer in answers] == [200] * count


@pytest.mark.parametrize(
    ("kind", "setting", "text"),
    [
        ("production", "concurrent_documents", "This key may have 2 documents"),
        ("sandbox", "sandbox_concurrent_documents", "This account may have 2 documents"),
    ],
)
def test_one_document_too_many_at_a_time_is_refused_and_others_are_not(
    world: World, keys: Keys, kind: str, setting: str, text: str
) -> None:
    key = getattr(keys, kind)
    with busy(world, key, 2, **{setting: 2}) as server:
        refused = server.ask(a_parse(key, 10), "POST", PARSE.path)
        ping = server.ask(
            a_request("GET", PING.path, f"Authorization: Bearer {key}"), "GET", PING.path
        )
    answer = refused.json()
    assert answer["error"].startswith(text)
    assert (refused.status, answer["code"]) == (429, "rate_limited")
    assert answer["details"][0]["limit"] == "concurrent_documents"
    assert (answer["details"][0]["max"], refused.headers["retry-after"]) == (2, "1")
    assert ping.status == 200


@pytest.mark.parametrize("kind", ["sandbox", "production"])
def test_a_document_without_room_gets_503_and_ping_is_answered(
    world: World, keys: Keys, kind: str
) -> None:
    key = getattr(keys, kind)
    with busy(world, key, 1, bytes_in_flight=300_000, queue_seconds=0) as server:
        refused = server.ask(a_parse(key, 40_000), "POST", PARSE.path)
        ping = server.ask(
            a_request("GET", PING.path, f"Authorization: Bearer {key}"), "GET", PING.path
        )
    assert (refused.status, refused.json()["code"]) == (503, "overloaded")
    assert refused.headers["retry-after"] == "5"
    assert ping.status == 200


def test_a_document_without_room_is_answered_when_there_is_some(world: World, keys: Keys) -> None:
    answers: list[RawAnswer] = []
    with busy(world, keys.sandbox, 1, bytes_in_flight=300_000) as server:
        wire = server.connect()
        wire.send(a_parse(keys.sandbox, 40_000))
        assert server.ask(a_request(), "GET", "/healthz").status == 200
    # The server has stopped by now, and it answers what it accepted.
    with wire:
        answers.append(wire.answer("POST", PARSE.path))
    assert [answer.status for answer in answers] == [200]


def test_a_key_far_over_its_limit_does_not_keep_another_waiting(
    world: World, keys: Keys, engine: RecordedEngine
) -> None:
    flood_count = 3_000
    flood = a_request("GET", PING.path, f"Authorization: Bearer {keys.production}") * flood_count
    ping = a_request("GET", PING.path, f"Authorization: Bearer {keys.neighbour}")
    with live(world.services(engine)) as server, server.connect() as greedy:
        sender = Thread(target=greedy.send, args=(flood,))
        sender.start()
        statuses = [greedy.answer("GET", PING.path).status for _ in range(100)]
        modest = [server.ask(ping, "GET", PING.path).status for _ in range(20)]
        metrics = server.ask(a_request("GET", "/metrics"), "GET", "/metrics").body.decode()
        statuses += [greedy.answer("GET", PING.path).status for _ in range(flood_count - 100)]
        sender.join()
    assert modest == [200] * 20
    assert statuses.count(200) >= 60
    assert statuses.count(429) >= flood_count - 60 - 600  # however long the machine took
    line = next(
        line
        for line in metrics.splitlines()
        if line.startswith("longshore_http_requests_total{") and 'status="429"' in line
    )
    assert float(line.split()[-1]) < flood_count - 60  # the flood was not served first


def test_idle_bodies_of_any_announced_size_keep_nobody_out(
    world: World, keys: Keys, engine: RecordedEngine
) -> None:
    limits = Limits(LimitValues(concurrent_bodies=8, queue_seconds=0))
    services = world.services(engine, max_body_bytes=33_554_432)
    idle = a_request(
        "POST",
        PARSE.path,
        f"Authorization: Bearer {keys.sandbox}",
        "Content-Length: 33554432",
        body=b'{"document":"',
    )
    with live(replace(services, limits=limits)) as server, ExitStack() as stack:
        crowd = [stack.enter_context(server.connect()) for _ in range(8)]
        for wire in crowd:
            wire.send(idle)
        wait_until_read(server, len(crowd))
        served = server.ask(a_parse(keys.neighbour, 1_000_000), "POST", PARSE.path)
        refused = server.ask(idle, "POST", PARSE.path)
    assert served.status == 200
    detail = refused.json()["details"][0]
    assert (refused.status, detail["limit"], detail["max"]) == (429, "concurrent_bodies", 8)
    assert refused.headers["retry-after"] == "1"
    assert len(engine.calls) == 1


def wait_until_read(server: LiveServer, count: int) -> None:
    """Ask for the metrics until so many requests, beside this one, are in flight."""
    in_flight = 0
    while in_flight < count + 1:
        metrics = server.ask(a_request("GET", "/metrics"), "GET", "/metrics").body.decode()
        [value] = re.findall(r"^longshore_http_requests_in_flight (\S+)", metrics, re.MULTILINE)
        in_flight = int(float(value))
