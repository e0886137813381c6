"""Bytes on the wire that are no proper request, and requests that try to be two."""

from collections.abc import Callable, Iterator
from functools import partial

from tests.system.hostile.attack import Case, Expected, a_request
from tests.system.hostile.victim import Victim

BAD = Expected(400, "bad_request")
LARGE = Expected(431, "headers_too_large")
BAD_QUERY = Expected(400, "unknown_parameter")
NOT_FOUND = Expected(404, "not_found")
NO_METHOD = Expected(405, "method_not_allowed")
NO_KEY = Expected(401, "missing_api_key")
NO_SESSION = Expected(401, "not_logged_in")
TOO_LARGE = Expected(413, "document_too_large", "document_too_large")
OK = Expected(200)
HOST = b"Host: longshore.test\r\n"
GET = b"GET /healthz HTTP/1.1\r\n" + HOST
BODY = b'{"document":"ST*850*0001~SE*2*0001~"}'
TLS_HELLO = (
    bytes.fromhex("16030100c6010000c20303") + b"\x5a" * 32 + bytes.fromhex("20") + b"\x11" * 160
)


def sending(
    name: str,
    request: bytes | Callable[[Victim], bytes],
    *answers: Expected,
    path: str = "/unknown",
    method: str = "GET",
    ends: bool = False,
    stops_sending: bool = False,
) -> Case:
    return Case(
        name=f"http: {name}",
        request=(lambda _: request) if isinstance(request, bytes) else request,
        answers=answers,
        path=path,
        method=method,
        ends=ends,
        stops_sending=stops_sending,
    )


def _noise() -> Iterator[Case]:
    for case, request in (
        ("a TLS hello", TLS_HELLO),
        ("the preface of HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\x12\x04\0\0\0\0\0"),
        ("SSH", b"SSH-2.0-OpenSSH_9.9\r\n"),
        ("SMTP", b"EHLO example.com\r\n"),
        ("NUL", b"\0" * 4_096),
        ("every octet", bytes(range(256)) * 16),
        ("a mebibyte of 0xFF", b"\xff" * 2**20),
        ("a mebibyte of lines of noise", b"!\r\n" * 350_000),
        ("HTTP/0.9", b"GET /healthz\r\n\r\n"),
        ("HTTP/9.9", b"GET / HTTP/9.9\r\n" + HOST + b"\r\n"),
        ("a method nobody knows", b"FETCH / HTTP/1.1\r\n" + HOST + b"\r\n"),
        ("a method in lower case", b"get / HTTP/1.1\r\n" + HOST + b"\r\n"),
        ("a tunnel", b"CONNECT example.com:443 HTTP/1.1\r\n" + HOST + b"\r\n"),
        ("a header without colon", GET + b"Nonsense\r\n\r\n"),
        ("a blank before the colon", GET + b"A : b\r\n\r\n"),
        ("a header with NUL", GET + b"A: a\0b\r\n\r\n"),
        ("a folded header", GET + b"A: a\r\n b\r\n\r\n"),
        ("a header without name", GET + b": a\r\n\r\n"),
        ("a raw octet in the path", b"GET /\xff\xfe HTTP/1.1\r\n" + HOST + b"\r\n"),
        ("a blank in the path", b"GET /a b HTTP/1.1\r\n" + HOST + b"\r\n"),
        ("NUL in the path", b"GET /\0 HTTP/1.1\r\n" + HOST + b"\r\n"),
    ):
        yield sending(case, request, BAD, ends=True)
    for case, lines in (
        ("no Host", b""),
        ("two Hosts", HOST * 2),
        ("an empty Host", b"Host:\r\n"),
    ):
        request = b"GET /healthz HTTP/1.1\r\n" + lines + b"\r\n"
        yield sending(case, request, BAD, path="/healthz")
    yield sending("HTTP/1.0", b"GET /healthz HTTP/1.0\r\n\r\n", OK, path="/healthz", ends=True)


def _targets() -> Iterator[Case]:
    for case, target, expected in (
        ("absolute form", b"http://evil.example/healthz", OK),
        ("absolute form of another path", b"http://evil.example/x", NOT_FOUND),
        ("an encoded slash", b"/api%2Fv1%2Fping", NOT_FOUND),
        ("an encoded letter", b"/%6detrics", NOT_FOUND),
        ("dots", b"/api/v1/../../etc/passwd", NOT_FOUND),
        ("encoded dots", b"/%2e%2e/%2e%2e/etc/passwd", NOT_FOUND),
        ("encoded NUL", b"/healthz%00", NOT_FOUND),
        ("encoded line break", b"/healthz%0d%0aX-Evil:%201", NOT_FOUND),
        ("broken escapes", b"/%zz%", NOT_FOUND),
        ("encoded octets beyond UTF-8", b"/%ff%fe", NOT_FOUND),
        ("two slashes", b"//healthz", NOT_FOUND),
        ("a slash at the end", b"/healthz/", NOT_FOUND),
        ("another case", b"/HEALTHZ", NOT_FOUND),
        ("60 KB of path", b"/" + b"a" * 60_000, NOT_FOUND),
        ("60 KB of query", b"/healthz?" + b"a&" * 30_000, BAD_QUERY),
        ("a fragment", b"/healthz#x", OK),
        ("the browser's side", b"/api/maps", NO_SESSION),
    ):
        paths = {
            OK: "/healthz",
            BAD_QUERY: "/healthz",
            NO_KEY: "/api/v1/ping",
            NO_SESSION: "/api/maps",
        }
        path = paths.get(expected, "/unknown")
        yield sending(
            f"target: {case}",
            b"GET " + target + b" HTTP/1.1\r\n" + HOST + b"\r\n",
            expected,
            path=path,
        )


def _asking(method: str, victim: Victim) -> bytes:
    return a_request(victim.keys.sandbox, method)


def _methods() -> Iterator[Case]:
    for method in ("GET", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "PROPFIND"):
        yield sending(
            f"{method} of parse",
            partial(_asking, method),
            NO_METHOD,
            path="/api/v1/parse",
            method=method,
        )
    yield sending(
        "POST of ping",
        lambda victim: a_request(victim.keys.sandbox, path="/api/v1/ping"),
        NO_METHOD,
        path="/api/v1/ping",
        method="POST",
    )


def _headers() -> Iterator[Case]:
    yield sending(
        "100 headers",
        GET + b"".join(b"A%d: b\r\n" % at for at in range(99)) + b"\r\n",
        OK,
        path="/healthz",
    )
    yield sending(
        "101 headers",
        GET + b"".join(b"A%d: b\r\n" % at for at in range(100)) + b"\r\n",
        LARGE,
        ends=True,
    )
    yield sending("100,000 headers", GET + b"A: b\r\n" * 100_000 + b"\r\n", LARGE, ends=True)
    yield sending("a header of 1 MiB", GET + b"A: " + b"b" * 2**20 + b"\r\n\r\n", LARGE, ends=True)
    yield sending("a header that never ends", GET + b"A: " + b"b" * 70_000, LARGE, ends=True)
    yield sending("a path that never ends", b"GET /" + b"a" * 70_000, LARGE, ends=True)
    for case, line in (
        ("a request id of 10 KB", b"X-Request-Id: " + b"a" * 10_000),
        ("a request id of noise", b'X-Request-Id: "><script>\xff'),
        ("a request id that looks like a key", b"X-Request-Id: svc_test_x"),
        ("a forwarded address of noise", b"X-Forwarded-For: '; DROP TABLE accounts; --"),
        ("an override of the method", b"X-HTTP-Method-Override: DELETE"),
        ("an Accept of noise", b"Accept: ;;;,,,q=NaN"),
        ("a cookie", b"Cookie: svc_session=x; __Host-svc_session=y"),
        ("a Range", b"Range: bytes=0-0,-1,999999999999999999999-"),
    ):
        yield sending(case, GET + line + b"\r\n\r\n", OK, path="/healthz")


def _upgrades() -> Iterator[Case]:
    websocket = (
        b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    yield sending("a websocket", GET + websocket, OK, path="/healthz", ends=True)
    h2c = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n"
    yield sending("an upgrade to h2c", GET + h2c, OK, path="/healthz", ends=True)


def _bodies() -> Iterator[Case]:
    def post(
        name: str, lines: bytes, body: bytes, *answers: Expected, ends: bool = True, **more: bool
    ) -> Case:
        def request(victim: Victim) -> bytes:
            head = a_request(
                victim.keys.sandbox, "POST", "/api/v1/parse", "Content-Type: application/json"
            )
            return head[:-2] + lines + b"\r\n" + body

        return sending(
            name, request, *answers, path="/api/v1/parse", method="POST", ends=ends, **more
        )

    chunked = b"Transfer-Encoding: chunked\r\n"
    one_chunk = b"%x\r\n%s\r\n0\r\n\r\n" % (len(BODY), BODY)
    for case, lines, body in (
        ("two lengths", b"Content-Length: 1\r\nContent-Length: 2\r\n", b"ab"),
        ("one length twice", b"Content-Length: 2\r\n" * 2, b"{}"),
        ("length and chunks", b"Content-Length: 5\r\n" + chunked, one_chunk),
        ("chunks and length", chunked + b"Content-Length: 5\r\n", one_chunk),
        ("a negative length", b"Content-Length: -1\r\n", b""),
        ("a length with a sign", b"Content-Length: +2\r\n", b"{}"),
        ("a hexadecimal length", b"Content-Length: 0x2\r\n", b"{}"),
        ("a length beyond 64 bits", b"Content-Length: " + b"9" * 40 + b"\r\n", b"{}"),
        ("a list of lengths", b"Content-Length: 2, 2\r\n", b"{}"),
        ("a chunk size that is none", chunked, b"zz\r\n{}\r\n0\r\n\r\n"),
        ("a chunk size beyond 64 bits", chunked, b"f" * 40 + b"\r\n{}\r\n0\r\n\r\n"),
        ("a negative chunk size", chunked, b"-1\r\n{}\r\n0\r\n\r\n"),
        ("a chunk longer than its size", chunked, b"1\r\n{}{}{}\r\n0\r\n\r\n"),
        (
            "a second coding",
            b"Transfer-Encoding: gzip, chunked\r\nContent-Length: 1\r\n",
            one_chunk,
        ),
    ):
        yield post(case, lines, body, BAD)
    yield post("a length over the limit", b"Content-Length: 33554433\r\n", b"{", TOO_LARGE)
    yield post(
        "a length far over the limit", b"Content-Length: 999999999999999999\r\n", b"{", TOO_LARGE
    )
    big = b"100000\r\n" + b" " * 2**20 + b"\r\n"
    yield post("chunks over the limit", chunked, big * 33 + b"0\r\n\r\n", TOO_LARGE)
    small = b"".join(b"1\r\n%c\r\n" % octet for octet in BODY) + b"0\r\n\r\n"
    yield post("chunks of one octet", chunked, small, OK, ends=False)
    yield post("100,000 chunks", chunked, b"1\r\n \r\n" * 100_000 + one_chunk, OK, ends=False)
    yield post(
        "a chunk with a long extension",
        chunked,
        b"2;" + b"x" * 5_000 + b"\r\n{}\r\n0\r\n\r\n",
        Expected(400, "missing_parameter"),
        ends=False,
    )
    yield post("a body cut short", b"Content-Length: 99\r\n", BODY, ends=True, stops_sending=True)
    length = b"Content-Length: %d\r\n" % len(BODY)
    yield post("Expect: 100-continue", b"Expect: 100-continue\r\n" + length, BODY, OK, ends=False)
    yield post("Expect of noise", b"Expect: the unexpected\r\n" + length, BODY, OK, ends=False)


def _pipelines() -> Iterator[Case]:
    whole = GET + b"\r\n"
    yield sending("100 requests at once", whole * 100, *(OK,) * 100, path="/healthz")
    yield sending("noise behind a request", whole + b"\0\0\0", OK, path="/healthz", ends=True)
    yield sending(
        "a request hidden in the body of another",
        b"POST /healthz HTTP/1.1\r\n" + HOST + b"Content-Length: %d\r\n\r\n" % len(whole) + whole,
        NO_METHOD,
        path="/healthz",
        method="POST",
        ends=True,
    )
    yield sending(
        "a request hidden behind chunks and a length",
        b"POST /healthz HTTP/1.1\r\n"
        + HOST
        + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        + whole,
        BAD,
        ends=True,
    )
    yield sending(
        "a coding that only looks like chunked",
        b"POST /healthz HTTP/1.1\r\n"
        + HOST
        + b"Content-Length: 5\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"
        + whole,
        BAD,
        ends=True,
    )


CASES = (
    *_noise(),
    *_targets(),
    *_methods(),
    *_headers(),
    *_upgrades(),
    *_bodies(),
    *_pipelines(),
)
