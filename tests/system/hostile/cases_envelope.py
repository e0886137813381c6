"""Request bodies and keys made to hurt."""

import json
from collections.abc import Callable, Iterator
from functools import partial

from longshore.domain.accounts.keys import new_key
from longshore.kit.environment import Environment
from tests.support.clock import CountedIds
from tests.system.hostile.attack import Case, Expected, a_request
from tests.system.hostile.victim import Victim

MAX_BODY_BYTES = 33_554_432
DOCUMENT = "ST*850*0001~SE*2*0001~"
JSON_FAULT = Expected(400, "invalid_json", "invalid_json")
NO_OBJECT = Expected(400, "not_an_object", "not_an_object")
UNKNOWN = Expected(400, "unknown_parameter", "unknown_parameter")
INVALID = Expected(400, "invalid_parameter", "invalid_parameter")
NO_FORMAT = Expected(400, "unsupported_format", "unsupported_format")
NO_TYPE = Expected(400, "unsupported_content_type", "unsupported_content_type")
NO_KEY = Expected(401, "missing_api_key")
BAD_KEY = Expected(401, "invalid_api_key")


def posting(
    name: str, body: bytes | Callable[[], bytes], expected: Expected, *, cpu_seconds: float = 2
) -> Case:
    def request(victim: Victim) -> bytes:
        return a_request(victim.keys.sandbox, body=body if isinstance(body, bytes) else body())

    return Case(
        name=f"envelope: {name}", request=request, answers=(expected,), cpu_seconds=cpu_seconds
    )


def _bodies() -> Iterator[Case]:
    for case, body, expected in (
        ("nothing", b"", JSON_FAULT),
        ("blanks", b" \t\r\n", JSON_FAULT),
        ("NUL", b"\0", JSON_FAULT),
        ("an array", b"[]", NO_OBJECT),
        ("null", b"null", NO_OBJECT),
        ("a string", b'"x"', NO_OBJECT),
        ("a number", b"1e999", NO_OBJECT),
        ("invalid UTF-8", b'{"document":"\xff\xfe"}', JSON_FAULT),
        ("overlong UTF-8", b'{"document":"\xc0\xaf"}', JSON_FAULT),
        ("an encoded surrogate", b'{"document":"\xed\xa0\x80"}', JSON_FAULT),
        ("a code point beyond Unicode", b'{"document":"\xf4\x90\x80\x80"}', JSON_FAULT),
        ("UTF-8 cut short", b'{"document":"\xe2\x82', JSON_FAULT),
        ("UTF-16", json.dumps({"document": DOCUMENT}).encode("utf-16"), JSON_FAULT),
        ("a lone surrogate", b'{"document":"\\ud800"}', JSON_FAULT),
        ("surrogates in the wrong order", b'{"document":"\\udc00\\ud800"}', JSON_FAULT),
        ("a raw NUL", b'{"document":"\0"}', JSON_FAULT),
        ("a bad escape", b'{"document":"\\x41"}', JSON_FAULT),
        ("a name twice", b'{"document":"a","document":"b"}', JSON_FAULT),
        ("a name twice, escaped", b'{"document":"a","\\u0064ocument":"b"}', JSON_FAULT),
        ("two objects", b'{"document":"a"}{"document":"b"}', JSON_FAULT),
        ("NaN", b'{"document":NaN}', JSON_FAULT),
        ("an empty object", b"{}", Expected(400, "missing_parameter", "missing_parameter")),
        ("null as the document", b'{"document":null}', INVALID),
        ("a number as the document", b'{"document":%s}' % (b"9" * 5_000), INVALID),
        ("an object as the document", b'{"document":{"a":1}}', INVALID),
        ("an unknown member", b'{"document":"a","__proto__":1}', UNKNOWN),
        ("an empty name", b'{"document":"a","":1}', UNKNOWN),
        ("a name of control characters", b'{"document":"a","\\u0000\\u001b[2J":1}', UNKNOWN),
        ("an unknown format", b'{"document":"a","format":"edifact"}', NO_FORMAT),
        ("a format of the wrong case", b'{"document":"a","format":"X12"}', NO_FORMAT),
        ("a format with NUL", b'{"document":"a","format":"x12\\u0000"}', NO_FORMAT),
        ("a view nobody knows", b'{"document":"a","include":["all"]}', INVALID),
        ("a view that is no text", b'{"document":"a","include":[[]]}', INVALID),
        ("csv of text", b'{"document":"a","csv":"header"}', INVALID),
        ("release of other digits", '{"document":"a","release":"٠٠٤٠١٠"}'.encode(), INVALID),
        ("a separator of 11 KB", b'{"document":"a","elem_sep":"%s"}' % (b"*" * 11_000), INVALID),
    ):
        yield posting(case, body, expected)


def _bombs() -> Iterator[Case]:
    # Of a large body the first fault is told: it is not read to its end.
    members = b",".join(b'"m%d":1' % at for at in range(200_000))
    views = b",".join([b'"tree"'] * 200_000)
    for case, body, expected in (
        ("a million levels", lambda: b"[" * 10**6, NO_OBJECT),
        ("a million levels of objects", lambda: b'{"a":' * 10**6, UNKNOWN),
        ("a million closed levels", lambda: b"[" * 10**6 + b"]" * 10**6, NO_OBJECT),
        ("200,000 unknown members", lambda: b"{" + members + b"}", UNKNOWN),
        ("one name 200,000 times", lambda: b'{"a":1' + b',"a":1' * 200_000 + b"}", UNKNOWN),
        ("a name of 1 MiB", lambda: b'{"document":"a","%s":1}' % (b"n" * 2**20), UNKNOWN),
        (
            "200,000 views",
            lambda: b'{"document":"ST*850*1~","include":[' + views + b"]}",
            Expected(200),
        ),
        ("32 MiB of {", lambda: b"{" * MAX_BODY_BYTES, JSON_FAULT),
        ("32 MiB of [", lambda: b"[" * MAX_BODY_BYTES, NO_OBJECT),
        ("32 MiB of blanks", lambda: b" " * MAX_BODY_BYTES, JSON_FAULT),
        ("32 MiB of digits", lambda: b"7" * MAX_BODY_BYTES, NO_OBJECT),
        ("32 MiB of quotes", lambda: b'"' * MAX_BODY_BYTES, NO_OBJECT),
        ("32 MiB of NUL", lambda: b"\0" * MAX_BODY_BYTES, JSON_FAULT),
        ("32 MiB of ISA", lambda: (b"ISA" * MAX_BODY_BYTES)[:MAX_BODY_BYTES], JSON_FAULT),
        ("32 MiB of continuation bytes", lambda: b"\x80" * MAX_BODY_BYTES, JSON_FAULT),
    ):
        yield posting(case, body, expected, cpu_seconds=15)
    yield posting(
        "32 MiB and one byte",
        lambda: b" " * (MAX_BODY_BYTES + 1),
        Expected(413, "document_too_large", "document_too_large"),
    )


def _declarations() -> Iterator[Case]:
    body = json.dumps({"document": DOCUMENT}).encode()

    def with_lines(name: str, expected: Expected, *lines: str, content: bytes = body) -> Case:
        def request(victim: Victim) -> bytes:
            declared = (*lines, f"Content-Length: {len(content)}")
            return a_request(victim.keys.sandbox, "POST", "/api/v1/parse", *declared) + content

        return Case(name=f"envelope: {name}", request=request, answers=(expected,))

    yield with_lines("no content type", Expected(200))
    yield with_lines("a form", NO_TYPE, "Content-Type: application/x-www-form-urlencoded")
    yield with_lines(
        "two content types", NO_TYPE, "Content-Type: application/json", "Content-Type: text/plain"
    )
    yield with_lines("another charset", NO_TYPE, "Content-Type: application/json; charset=utf-7")
    for coding in ("gzip", "br", "deflate, gzip", "x" * 1_000):
        yield with_lines(f"content coding {coding[:12]}", NO_TYPE, f"Content-Encoding: {coding}")
    yield Case(
        name="envelope: an unknown query parameter",
        request=lambda victim: a_request(
            victim.keys.sandbox,
            "POST",
            "/api/v1/parse?docment=x",
            body=body,
        ),
        answers=(UNKNOWN,),
    )


def _keys() -> Iterator[Case]:
    def ping(name: str, expected: Expected, *lines: str) -> Case:
        head = "\r\n".join(("GET /api/v1/ping HTTP/1.1", "Host: x", *lines, "", ""))
        return Case(
            name=f"key: {name}",
            request=lambda _: head.encode("latin-1"),
            answers=(expected,),
            method="GET",
            path="/api/v1/ping",
        )

    yield ping("none", NO_KEY)
    for case, value in (
        ("empty", ""),
        ("another scheme", "Basic dXNlcjpwYXNz"),
        ("no scheme", "svc_test_" + "a" * 36),
        ("a scheme alone", "Bearer"),
        ("blanks", "Bearer    "),
        ("a wrong checksum", "Bearer svc_test_" + "a" * 36),
        ("cut short", "Bearer svc_test_abc"),
        ("60 KB", "Bearer svc_test_" + "a" * 60_000),
        ("SQL", "Bearer ' OR 1=1 --"),
        ("octets beyond ASCII", "Bearer svc_test_\xff\xfe\x80"),
        ("format signs", "Bearer %s%n{0}"),
        ("a path", "Bearer ../../etc/passwd"),
    ):
        yield ping(case, BAD_KEY, f"Authorization: {value}")
    for environment in Environment:
        unknown = new_key(environment, CountedIds("hostile"))
        yield ping(
            f"well made, unknown, {environment}", BAD_KEY, f"Authorization: Bearer {unknown}"
        )
    for case, named, expected in (
        ("revoked", "revoked", BAD_KEY),
        ("of a suspended account", "suspended", Expected(403, "account_suspended")),
        ("of a lost plan", "plan_lost", Expected(403, "plan_required")),
        ("good, in lower case", "lower", BAD_KEY),
        ("good, with a line of NUL", "tab", BAD_KEY),
        ("good, twice", "twice", BAD_KEY),
    ):
        yield Case(
            name=f"key: {case}",
            request=partial(_with_key, named),
            answers=(expected,),
            method="GET",
            path="/api/v1/ping",
        )
    yield Case(
        name="key: without the scope",
        request=lambda victim: a_request(victim.keys.submit_only, body=b"{}"),
        answers=(Expected(403, "insufficient_scope"),),
    )
    yield Case(
        name="key: in the query only",
        request=lambda victim: (
            f"GET /api/v1/ping?key={victim.keys.sandbox} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
        ),
        answers=(NO_KEY,),
        method="GET",
        path="/api/v1/ping",
    )


def _with_key(named: str, victim: Victim) -> bytes:
    keys = victim.keys
    spoilt = {
        "lower": keys.sandbox.lower(),
        "tab": keys.sandbox + "\tx",
        "twice": f"{keys.sandbox}\r\nAuthorization: Bearer {keys.sandbox}",
    }
    return a_request(spoilt.get(named) or getattr(keys, named), "GET", "/api/v1/ping")


CASES = (*_bodies(), *_bombs(), *_declarations(), *_keys())
