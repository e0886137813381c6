"""The real server on a socket: broken HTTP, limits and connections that must end."""

from collections.abc import Iterator

import pytest

from longshore.http.services import HttpServices
from tests.support.http_service import Keys, RecordedEngine, World
from tests.support.live_server import LiveServer, a_request, live

pytestmark = pytest.mark.full("real servers and clients")

PARSE = "/api/v1/parse"
JSON = "Content-Type: application/json"
BAD_REQUEST = (400, "bad_request")
HEADERS_TOO_LARGE = (431, "headers_too_large")


@pytest.fixture
def server(services: HttpServices) -> Iterator[LiveServer]:
    with live(services) as server:
        yield server


def authorization(key: str) -> str:
    return f"Authorization: Bearer {key}"


@pytest.mark.parametrize(
    ("_case", "request_bytes"),
    [
        ("noise", b"\x00\x01\x02\xff\r\n\r\n"),
        ("TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"),
        ("HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        ("an unknown method", b"FETCH / HTTP/1.1\r\nHost: x\r\n\r\n"),
        ("an unknown version", b"GET /healthz HTTP/9.9\r\nHost: x\r\n\r\n"),
        ("a header without a colon", b"GET / HTTP/1.1\r\nHost x\r\n\r\n"),
        ("a folded header", b"GET / HTTP/1.1\r\nHost: x\r\n more\r\n\r\n"),
        ("a control character", b"GET / HTTP/1.1\r\nHost: x\r\nA: \x00\r\n\r\n"),
        ("a raw byte in the path", b"GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n"),
        ("a tunnel", b"CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n"),
        ("a negative length", a_request("POST", PARSE, "Content-Length: -1")),
        ("a length of letters", a_request("POST", PARSE, "Content-Length: ten")),
        ("a huge length", a_request("POST", PARSE, "Content-Length: " + "9" * 40)),
        ("two lengths", a_request("POST", PARSE, "Content-Length: 1", "Content-Length: 2")),
        (
            "length and chunks",
            a_request("POST", PARSE, "Content-Length: 1", "Transfer-Encoding: chunked"),
        ),
    ],
)
def test_broken_http_gets_an_enveloped_400_and_the_end(
    server: LiveServer, _case: str, request_bytes: bytes
) -> None:
    with server.connect() as wire:
        wire.send(request_bytes)
        answer = wire.answer()
        assert (answer.status, answer.json()["code"]) == BAD_REQUEST
        assert answer.json()["error"] == "This is not a correct HTTP request."
        assert answer.headers["connection"] == "close"
        assert wire.is_ended()


@pytest.mark.parametrize(
    ("_case", "lines"),
    [
        ("none", ""),
        ("a foreign one", "X-Host: a\r\n"),
        ("an empty one", "Host:\r\n"),
        ("two", "Host: a\r\nHost: b\r\n"),
    ],
)
def test_a_request_without_one_host_is_refused(server: LiveServer, _case: str, lines: str) -> None:
    answer = server.ask(f"GET /healthz HTTP/1.1\r\n{lines}\r\n".encode(), path="/healthz")
    assert (answer.status, answer.json()["code"]) == BAD_REQUEST
    assert answer.json()["error"] == "An HTTP/1.1 request needs exactly one Host header."


def test_http_0_9_is_refused(server: LiveServer) -> None:
    answer = server.ask(b"GET /healthz\r\n\r\n", path="/healthz")
    assert (answer.status, answer.json()["code"]) == BAD_REQUEST


def test_http_1_0_needs_no_host(server: LiveServer) -> None:
    with server.connect() as wire:
        wire.send(b"GET /healthz HTTP/1.0\r\n\r\n")
        assert wire.answer(path="/healthz").status == 200
        assert wire.is_ended()


@pytest.mark.parametrize(
    ("_case", "lines"),
    [
        ("one header of 100 KB", ["A: " + "a" * 100_000]),
        ("many headers", [f"A{number}: {'a' * 990}" for number in range(70)]),
        ("101 fields with Host", [f"A{number}: a" for number in range(100)]),
    ],
)
def test_large_headers_are_refused(server: LiveServer, _case: str, lines: list[str]) -> None:
    with server.connect() as wire:
        wire.send(a_request("GET", "/healthz", *lines))
        answer = wire.answer()
        assert (answer.status, answer.json()["code"]) == HEADERS_TOO_LARGE
        assert answer.json()["error"] == (
            "The request headers are too large: at most 65,536 bytes in 100 fields are accepted."
        )
        assert wire.is_ended()


def test_headers_that_never_end_are_refused(server: LiveServer) -> None:
    with server.connect() as wire:
        wire.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\nA: " + b"a" * 66_000)
        assert wire.answer().status == 431
        assert wire.is_ended()


def test_a_path_that_never_ends_is_refused(server: LiveServer) -> None:
    with server.connect() as wire:
        wire.send(b"GET /" + b"a" * 66_000)
        assert wire.answer().status == 431


def test_headers_at_the_limit_are_accepted(server: LiveServer) -> None:
    lines = ["A: " + "a" * (65_536 - len(a_request("GET", "/healthz", "A: ")))]
    assert server.ask(a_request("GET", "/healthz", *lines), path="/healthz").status == 200
    fields = [f"A{number}: a" for number in range(99)]
    assert server.ask(a_request("GET", "/healthz", *fields), path="/healthz").status == 200


def test_one_byte_over_the_header_limit_is_refused(server: LiveServer) -> None:
    lines = ["A: " + "a" * (65_537 - len(a_request("GET", "/healthz", "A: ")))]
    assert server.ask(a_request("GET", "/healthz", *lines)).status == 431


def test_an_announced_body_over_the_limit_is_refused_before_it_is_sent(
    server: LiveServer, keys: Keys, engine: RecordedEngine
) -> None:
    with server.connect() as wire:
        wire.send(
            a_request("POST", PARSE, JSON, authorization(keys.sandbox), "Content-Length: 100001")
        )
        answer = wire.answer("POST", PARSE)
        assert (answer.status, answer.json()["code"]) == (413, "document_too_large")
        assert answer.json()["details"][0]["limit_bytes"] == 100_000
        assert answer.headers["connection"] == "close"
        assert wire.is_ended()
    assert engine.calls == []


def test_chunks_over_the_limit_are_refused_while_they_arrive(
    server: LiveServer, keys: Keys, engine: RecordedEngine
) -> None:
    head = a_request("POST", PARSE, JSON, authorization(keys.sandbox), "Transfer-Encoding: chunked")
    with server.connect() as wire:
        wire.send(head + b"c350\r\n" + b" " * 50_000 + b"\r\nc351\r\n" + b" " * 50_001)
        answer = wire.answer("POST", PARSE)
        assert (answer.status, answer.json()["code"]) == (413, "document_too_large")
        assert answer.headers["connection"] == "close"
        assert wire.is_ended()
    assert engine.calls == []


def test_a_body_exactly_at_the_limit_is_read(server: LiveServer, keys: Keys) -> None:
    body = b'{"document":"d"}' + b" " * (100_000 - 16)
    request = a_request(
        "POST", PARSE, JSON, authorization(keys.sandbox), "Content-Length: 100000", body=body
    )
    assert server.ask(request, "POST", PARSE).status == 200


def test_an_early_refusal_arrives_whole_while_the_client_still_sends(server: LiveServer) -> None:
    with server.connect() as wire:
        wire.send(a_request("POST", PARSE, JSON, "Content-Length: 90000", body=b" " * 40_000))
        answer = wire.answer("POST", PARSE)
        assert (answer.status, answer.json()["code"]) == (401, "missing_api_key")
        assert answer.headers["connection"] == "close"
        assert wire.is_ended()


def test_a_body_shorter_than_announced_is_never_parsed(
    server: LiveServer, keys: Keys, engine: RecordedEngine
) -> None:
    with server.connect() as wire:
        wire.send(
            a_request(
                "POST",
                PARSE,
                JSON,
                authorization(keys.sandbox),
                "Content-Length: 99",
                body=b'{"document":"d"}',
            )
        )
        wire.end_sending()
        assert wire.is_ended()
    assert engine.calls == []
    assert server.ask(a_request(), path="/healthz").status == 200


def test_a_body_longer_than_announced_is_cut_and_the_connection_ends(
    server: LiveServer, keys: Keys, engine: RecordedEngine
) -> None:
    body = b'{"document":"d"}and some more\r\n\r\n'
    lines = (JSON, authorization(keys.sandbox), "Content-Length: 16")
    with server.connect() as wire:
        wire.send(a_request("POST", PARSE, *lines, body=body))
        assert wire.answer("POST", PARSE).status == 200
        assert wire.is_ended()
    assert [call["document"] for call in engine.calls] == ["d"]


def test_a_broken_chunk_is_refused(server: LiveServer, keys: Keys, engine: RecordedEngine) -> None:
    lines = (JSON, authorization(keys.sandbox), "Transfer-Encoding: chunked")
    with server.connect() as wire:
        wire.send(a_request("POST", PARSE, *lines, body=b"zz\r\nnot a size\r\n"))
        answer = wire.answer("POST", PARSE)
        assert (answer.status, answer.json()["code"]) == BAD_REQUEST
        assert wire.is_ended()
    assert engine.calls == []


def test_one_connection_serves_many_requests_in_their_order(server: LiveServer) -> None:
    requests = [a_request("GET", path) for path in ("/healthz", "/readyz", "/nothing", "/healthz")]
    with server.connect() as wire:
        wire.send(b"".join(requests))
        statuses = [
            wire.answer(path=path).status
            for path in ("/healthz", "/readyz", "/nothing", "/healthz")
        ]
        assert statuses == [200, 200, 404, 200]


def test_noise_behind_a_request_does_not_spoil_its_answer(server: LiveServer) -> None:
    with server.connect() as wire:
        wire.send(a_request() + b"\x00\x00\x00")
        assert wire.answer(path="/healthz").status == 200
        assert wire.is_ended()


@pytest.mark.parametrize("upgrade", ["websocket", "h2c"])
def test_an_upgrade_is_answered_like_any_request(server: LiveServer, upgrade: str) -> None:
    lines = (f"Upgrade: {upgrade}", "Connection: Upgrade", "Sec-WebSocket-Version: 13")
    with server.connect() as wire:
        wire.send(a_request("GET", "/healthz", *lines))
        assert wire.answer(path="/healthz").status == 200
        wire.send(b"\x81\x05hello")
        assert wire.is_ended()


def test_a_client_that_asks_first_is_told_to_continue(server: LiveServer, keys: Keys) -> None:
    lines = (JSON, authorization(keys.sandbox), "Content-Length: 16", "Expect: 100-continue")
    with server.connect() as wire:
        wire.send(a_request("POST", PARSE, *lines))
        assert (wire.line(), wire.line()) == (b"HTTP/1.1 100 Continue\r\n", b"\r\n")
        wire.send(b'{"document":"d"}')
        assert wire.answer("POST", PARSE).status == 200


def test_a_client_that_asks_first_is_refused_without_sending(server: LiveServer) -> None:
    lines = (JSON, "Content-Length: 16", "Expect: 100-continue")
    assert server.ask(a_request("POST", PARSE, *lines), "POST", PARSE).status == 401


@pytest.mark.parametrize("method", ["TRACE", "PROPFIND", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_other_methods_get_405_with_allow(server: LiveServer, method: str) -> None:
    answer = server.ask(a_request(method, PARSE), method, PARSE)
    assert (answer.status, answer.json()["code"]) == (405, "method_not_allowed")
    assert answer.headers["allow"] == "POST"


def test_head_sends_no_body_and_keeps_the_connection(server: LiveServer) -> None:
    with server.connect() as wire:
        wire.send(a_request("HEAD") + a_request())
        head, got = wire.answer("HEAD", "/healthz"), wire.answer(path="/healthz")
        assert (head.status, head.headers["content-length"]) == (200, str(len(got.body)))


def test_an_absolute_target_is_its_path(server: LiveServer) -> None:
    answer = server.ask(a_request("GET", "http://elsewhere.test/healthz"), path="/healthz")
    assert answer.status == 200


@pytest.mark.parametrize(
    "path",
    [
        *("/%00", "/healthz/", "/..%2f..%2fetc", "//healthz", "/%ff%fe"),
        *("/%6detrics", "/%4detrics", "/health%7a", "/api%2fv1%2fping", "/api/v%31/ping"),
    ],
)
def test_odd_paths_are_not_found(server: LiveServer, path: str) -> None:
    answer = server.ask(a_request("GET", path))
    assert (answer.status, answer.json()["code"]) == (404, "not_found")


def test_malformed_requests_are_counted_by_code(world: World, engine: RecordedEngine) -> None:
    services = world.services(engine)
    with live(services) as server:
        server.ask(b"\x00\r\n\r\n")
        server.ask(a_request("GET", "/healthz", "A: " + "a" * 70_000))
        text = services.metrics.render().decode()
    assert 'longshore_http_malformed_total{code="bad_request"} 1.0' in text
    assert 'longshore_http_malformed_total{code="headers_too_large"} 1.0' in text
