"""What surrounds every request: its id, its log line, its numbers, and an answer to any failure."""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any

import pytest
import structlog

from longshore.http.app import create_app
from longshore.http.envelope import Answer
from longshore.http.exchange import exchange_of
from longshore.http.front import Front
from longshore.http.services import HttpServices
from longshore.telemetry.logging import configure_logging
from tests.support.client import ApiClient, calling
from tests.support.http_service import Keys, RecordedEngine, World, bearer

PING = "/api/v1/ping"
PARSE = "/api/v1/parse"
SECRET = "patient-4711"


@pytest.fixture
def lines() -> Iterator[BytesIO]:
    """Where structured log lines go during one test."""
    before = structlog.get_config(), logging.getLogger().handlers[:], logging.getLogger().level
    stream = BytesIO()
    configure_logging("info", stream)
    yield stream
    structlog.configure(**before[0])
    logging.getLogger().handlers = before[1]
    logging.getLogger().setLevel(before[2])


@contextmanager
def logged(services: HttpServices) -> Iterator[ApiClient]:
    """Yield a client; its access lines are written when the block ends."""
    with calling(create_app(services)) as client:
        yield client


def access_lines(log: BytesIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.getvalue().splitlines()]


@pytest.mark.parametrize("chosen", ["a", "A-1._z", "x" * 64])
def test_a_request_id_of_the_client_is_kept(client: ApiClient, chosen: str) -> None:
    response = client.get("/healthz", headers={"X-Request-Id": chosen})
    assert response.headers["x-request-id"] == chosen


@pytest.mark.parametrize("chosen", ["", "x" * 65, "a b", "a/b", "ü", 'a"b'])
def test_another_request_id_is_replaced(client: ApiClient, chosen: str) -> None:
    response = client.get("/healthz", headers={b"X-Request-Id": chosen.encode()})
    assert response.headers["x-request-id"].startswith("req_")


def test_request_ids_differ(client: ApiClient) -> None:
    assert len({client.get("/healthz").headers["x-request-id"] for _ in range(20)}) == 20


def test_an_unexpected_error_is_told_without_detail_and_logged_without_content(
    world: World, keys: Keys, lines: BytesIO
) -> None:
    engine = RecordedEngine(failure=ValueError(f"invalid literal: {SECRET}"))
    with logged(world.services(engine)) as client:
        headers = {**bearer(keys.sandbox), "X-Request-Id": "r-500"}
        response = client.post(PARSE, json={"document": SECRET}, headers=headers)
    assert response.status_code == 500
    assert response.json() == {
        "ok": False,
        "error": "An internal error occurred. Try again; if it happens again, give the "
        "request id of this response to the operator.",
        "code": "internal_error",
        "request_id": "r-500",
    }
    (line,) = [json.loads(line) for line in lines.getvalue().splitlines()]
    assert (line["event"], line["level"], line["request_id"]) == (
        "request_failed",
        "error",
        "r-500",
    )
    assert (line["error_type"], line["route"]) == ("ValueError", PARSE)
    assert line["frames"][-1].endswith(" parse_result")
    assert SECRET not in lines.getvalue().decode()


def test_the_access_line_has_the_facts(world: World, keys: Keys, log: BytesIO) -> None:
    with logged(world.services(RecordedEngine(), log=log)) as client:
        headers = {**bearer(keys.sandbox), "X-Request-Id": "r-1"}
        answer = client.post(PARSE + "?q=1", content=b'{"document":"d"}', headers=headers)
    (line,) = access_lines(log)
    assert line.pop("duration_ms") >= 0
    assert line.pop("account_id") > 0
    assert line.pop("key_id") > 0
    assert line.pop("user_id") is None
    assert line == {
        "timestamp": "2026-01-15T14:05:09.000+00:00",
        "level": "info",
        "event": "request",
        "request_id": "r-1",
        "method": "POST",
        "path": PARSE,
        "status": 400,
        "bytes_in": 16,
        "bytes_out": len(answer.content),
        "client": "testclient",
    }


def test_strangers_paths_stay_one_line(services: HttpServices, log: BytesIO) -> None:
    with logged(services) as client:
        client.get("/a%0d%0a%22,%22status%22:200/%1b%00\u00fc" + "x" * 300)
    (line,) = access_lines(log)
    assert line["path"] == ('/a\r\n","status":200/\x1b\x00\u00fc' + "x" * 300)[:200]
    assert line["status"] == 404


def test_an_odd_method_is_logged_as_other(services: HttpServices, log: BytesIO) -> None:
    with logged(services) as client:
        assert client.request('A"B', PING).status_code == 405
    assert access_lines(log)[0]["method"] == "OTHER"


def test_no_log_line_holds_a_secret(world: World, keys: Keys, log: BytesIO, lines: BytesIO) -> None:
    engine = RecordedEngine(failure=RuntimeError(keys.sandbox))
    with logged(world.services(engine, log=log)) as client:
        client.get(PING + f"?api_key={keys.sandbox}", headers=bearer(keys.sandbox))
        client.get(f"/{keys.sandbox}", headers=bearer(keys.sandbox))
        client.get(f"/edi/receive/{SECRET}")
        client.get("/healthz", headers={"X-Request-Id": keys.sandbox})
        client.get("/healthz", headers={"Authorization": f"Basic {SECRET}"})
        client.post(
            PARSE,
            json={"document": SECRET},
            headers={**bearer(keys.sandbox), "Cookie": f"svc_session={SECRET}"},
        )
    everything = (log.getvalue() + lines.getvalue()).decode()
    assert everything.count("\n") == 7
    assert "svc_test_***" in everything
    assert keys.sandbox not in everything
    assert SECRET not in everything


def test_a_key_in_the_query_is_not_repeated_in_the_answer(client: ApiClient, keys: Keys) -> None:
    response = client.get(PING, params={keys.sandbox: "1"}, headers=bearer(keys.sandbox))
    assert [item["param"] for item in response.json()["details"]] == ["svc_test_***"]
    assert keys.sandbox not in response.text


def test_requests_are_counted_by_route_method_and_status(
    client: ApiClient, keys: Keys, services: HttpServices
) -> None:
    client.get(PING, headers=bearer(keys.sandbox))
    client.get(PING, headers=bearer(keys.sandbox))
    client.get(PING)
    client.get("/some/where")
    client.get("/some/where/else")
    client.post(PARSE, json={"document": "d" * 100}, headers=bearer(keys.sandbox))
    text = client.get("/metrics").text
    expected = {
        'requests_total{method="GET",route="/api/v1/ping",status="200"} 2.0',
        'requests_total{method="GET",route="/api/v1/ping",status="401"} 1.0',
        'requests_total{method="GET",route="unmatched",status="404"} 2.0',
        'requests_total{method="POST",route="/api/v1/parse",status="200"} 1.0',
        'auth_failures_total{code="missing_api_key"} 1.0',
        'request_seconds_count{route="/api/v1/ping"} 3.0',
        "received_bytes_total 115.0",
        "requests_in_flight 1.0",
    }
    assert {line for line in expected if f"longshore_http_{line}" not in text} == set()
    assert 'longshore_document_bytes_bucket{le="256.0"} 1.0' in text
    assert "some/where" not in text
    assert services.metrics.in_flight == 0


def test_the_host_header_is_never_used(client: ApiClient) -> None:
    for path in ("/", "/docs", "/openapi.json", "/healthz/", "/api/v1/ping/"):
        response = client.get(path, headers={"Host": "evil.test", "X-Forwarded-Host": "evil.test"})
        assert "evil.test" not in response.text + str(response.headers)


def test_a_problem_is_sent_only_to_those_who_ask(client: ApiClient) -> None:
    accepted = {
        "application/problem+json": True,
        "text/html, Application/Problem+JSON;q=0.5": True,
        "application/problem+json;q=0": False,
        "application/problem+json; q=0.000": False,
        "application/json": False,
        "*/*": False,
    }
    for accept, is_problem in accepted.items():
        response = client.get("/nothing", headers={"Accept": accept})
        assert ("type" in response.json()) is is_problem, accept


async def test_a_client_that_leaves_is_logged_and_gets_no_answer(
    services: HttpServices, keys: Keys, engine: RecordedEngine, log: BytesIO
) -> None:
    sent: list[object] = []

    async def receive() -> dict[str, object]:
        return {"type": "http.disconnect"}

    async def send(message: object) -> None:
        sent.append(message)

    headers = [
        (b"host", b"h"),
        (b"content-length", b"9"),
        (b"authorization", b"Bearer " + keys.sandbox.encode()),
    ]
    scope: dict[str, Any] = {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "path": PARSE,
        "query_string": b"",
        "headers": headers,
        "client": None,
    }
    await create_app(services)(scope, receive, send)
    services.access_log.flush()
    assert (sent, engine.calls, access_lines(log)[0]["status"]) == ([], [], 499)


async def test_a_failure_behind_an_answer_ends_the_connection_without_a_second_one(
    services: HttpServices, lines: BytesIO
) -> None:
    sent: list[str] = []

    async def fail_late(scope: Any, _receive: object, _send: object) -> None:  # noqa: ANN401 - ASGI
        await exchange_of(scope).answer(Answer(b"{}"))
        raise ValueError(SECRET)

    async def receive() -> dict[str, object]:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:  # noqa: ANN401 - ASGI
        sent.append(message["type"])

    scope: dict[str, Any] = {
        "type": "http",
        "http_version": "1.0",
        "method": "GET",
        "path": "/",
        "headers": [],
        "client": None,
    }
    with pytest.raises(ConnectionError):
        await Front(fail_late, services)(scope, receive, send)
    assert sent == ["http.response.start", "http.response.body"]
    assert (SECRET in lines.getvalue().decode(), lines.getvalue().count(b"\n")) == (False, 1)


async def test_a_websocket_is_closed(services: HttpServices) -> None:
    sent: list[object] = []

    async def receive() -> dict[str, object]:
        return {"type": "websocket.connect"}

    async def send(message: object) -> None:
        sent.append(message)

    await create_app(services)({"type": "websocket", "path": "/"}, receive, send)
    assert sent == [{"type": "websocket.close", "code": 1000}]
