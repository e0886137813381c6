"""One case against one server: send, read, and judge everything that holds for every answer.

Nothing here is judged by the time that passes: a hang is a client that waited ``PATIENCE_SECONDS``,
effort is the processor time of the server's processes.
"""

import json
import re
import socket
from collections.abc import Callable
from dataclasses import dataclass
from threading import Thread
from typing import Any

from tests.support.client import check_answer
from tests.support.live_server import RawAnswer
from tests.system.hostile.victim import Victim

PATIENCE_SECONDS = 50
MAX_PEAK_GROWTH_BYTES = 400 * 2**20  # reliability.md R17
SIZE_FACTOR, SIZE_REST = 40, 256 * 1024  # reliability.md section 9: response size
MAX_SCHEMA_BYTES = 2**20  # a schema says the same of a hundred thousand items as of a thousand

_SECRETS = re.compile(rb"svc_(?:test|live)_[0-9A-Za-z]{30}")
_INSIDES = re.compile(
    rb"Traceback|\.py\b|site-packages|\b(?:SELECT|INSERT|UPDATE)\b .|sqlite"
    rb"|apsw|longshore\.db|0x[0-9a-f]{8}|asyncpg|postgres|row-level",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Expected:
    """One answer: its status, and the codes of a refusal."""

    status: int
    code: str = ""
    detail: str = ""


@dataclass(frozen=True, kw_only=True)
class Case:
    """What is sent on a connection of its own, and what has to come back.

    ``request`` is made when it is sent, for some are large. ``alternatives``: answers that are as
    good as the first. ``ends``: the server must end the connection after its last answer.
    ``stops_sending``: the client closes its half. ``cpu_seconds``: of the server's processes.
    ``patience_seconds``: how long the client waits. ``check``: what else holds for the last answer.
    """

    name: str
    request: Callable[[Victim], bytes]
    answers: tuple[Expected, ...]
    method: str = "POST"
    path: str = "/api/v1/parse"
    ends: bool = False
    stops_sending: bool = False
    cpu_seconds: float = 2
    patience_seconds: float = PATIENCE_SECONDS
    check: Callable[[dict[str, Any]], None] | None = None

    def __str__(self) -> str:
        return self.name


@dataclass
class Baseline:
    """The memory of a server before anything was done to it."""

    resident_bytes: int


def attack(victim: Victim, case: Case, baseline: Baseline) -> list[RawAnswer]:
    """Run one case.

    Raises:
        AssertionError: Some answer, or its effect on the server, is not as it must be.
    """
    request = case.request(victim)
    victim.forget_peak()
    used = victim.cpu_seconds()
    answers, is_ended = _exchange(victim.port, request, case)
    used = victim.cpu_seconds() - used
    for answer, expected in zip(answers, case.answers, strict=True):
        judge(answer, len(request), victim, case)
        _compare(answer, expected, case)
    assert is_ended or not case.ends, "the server keeps the connection"
    assert used <= case.cpu_seconds, f"{used:.1f} s of processor time"
    growth = victim.peak_bytes() - baseline.resident_bytes
    assert growth <= MAX_PEAK_GROWTH_BYTES, f"the peak has grown by {growth >> 20} MiB"
    assert victim.canary.calls == 0, "something was sent to the canary"
    assert_alive(victim)
    return answers


def assert_alive(victim: Victim) -> None:
    """Ask for a ping on a new connection."""
    request = a_request(victim.keys.sandbox, "GET", "/api/v1/ping")
    case = Case(name="ping", request=lambda _: request, answers=(Expected(200),), method="GET")
    (answer,), _ = _exchange(victim.port, request, case)
    assert (answer.status, answer.json()["ok"]) == (200, True)


def a_request(
    key: str,
    method: str = "POST",
    path: str = "/api/v1/parse",
    *lines: str,
    body: bytes | None = None,
) -> bytes:
    """Return a request that is correct but for what ``lines`` add; a body has its length."""
    head = [f"{method} {path} HTTP/1.1", "Host: longshore.test", f"Authorization: Bearer {key}"]
    if body is not None:
        head += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*head, *lines, "", ""]).encode("latin-1") + (body or b"")


def judge(answer: RawAnswer, request_bytes: int, victim: Victim, case: Case) -> None:
    """Judge what holds for every answer of the service."""
    assert answer.status < 500
    if len(answer.body) <= MAX_SCHEMA_BYTES:
        check_answer(case.method, case.path, answer.status, answer.headers, answer.body)
    assert len(answer.body) <= SIZE_FACTOR * request_bytes + SIZE_REST, "the answer is too large"
    assert answer.headers["content-type"] in {"application/json", "application/problem+json"}
    if case.method == "HEAD":
        return
    members = strict_json(answer.body)
    assert isinstance(members["ok"], bool)
    assert not _SECRETS.search(answer.body), "a key"
    assert str(victim.folder).encode() not in answer.body, "a path"
    if answer.status == 200:
        assert members.get("field_count", 0) == len(members.get("fields", ()))
    else:
        assert isinstance(members["error"], str)
        assert 0 < len(members["error"]) <= 2_000
        found = _INSIDES.search(answer.body)
        assert found is None, f"an error text shows {found}"


def strict_json(body: bytes) -> dict[str, Any]:
    """Decode what every JSON reader decodes alike: UTF-8, names once, numbers that exist."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        assert len(members) == len(pairs), "a member stands twice"
        return members

    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is not JSON")

    members = json.loads(
        body.decode("utf-8", "strict"), object_pairs_hook=unique, parse_constant=refuse
    )
    json.dumps(members, ensure_ascii=False).encode()  # a lone surrogate cannot be encoded
    assert isinstance(members, dict)
    return members


def _compare(answer: RawAnswer, expected: Expected, case: Case) -> None:
    if case.method == "HEAD":
        assert answer.status == expected.status
        return
    members = answer.json()
    detail = members.get("details", [{}])[0].get("code", "") if expected.detail else ""
    given = Expected(answer.status, members.get("code", ""), detail)
    assert given == expected, members.get("error", "")
    if case.check is not None:
        case.check(members)


def _exchange(port: int, request: bytes, case: Case) -> tuple[list[RawAnswer], bool]:
    """Send while reading: an early answer must arrive though the client has not finished."""
    with socket.create_connection(("127.0.0.1", port), timeout=case.patience_seconds) as connection:
        sender = Thread(target=_send, args=(connection, request, case.stops_sending), daemon=True)
        sender.start()
        with connection.makefile("rb") as file:
            answers = [_read_answer(file, case.method) for _ in case.answers]
            is_ended = _is_ended(file) if case.ends else False
        if case.ends or not case.answers:
            connection.close()
        sender.join(PATIENCE_SECONDS)
    return answers, is_ended


def _send(connection: socket.socket, request: bytes, stops_sending: bool) -> None:  # noqa: FBT001 - a fact of the case
    try:
        connection.sendall(request)
        if stops_sending:
            connection.shutdown(socket.SHUT_WR)
    except OSError:
        return  # the server has answered early and ended the connection


def _read_answer(file: Any, method: str) -> RawAnswer:  # noqa: ANN401 - what makefile returns
    line = file.readline()
    assert re.match(rb"HTTP/1\.1 [1-5][0-9][0-9] ", line), f"no answer: {line[:80]!r}"
    headers = {}
    while header := file.readline().strip():
        name, _, value = header.decode("latin-1").partition(": ")
        assert name.lower() not in headers, f"two {name}"
        headers[name.lower()] = value
    status = int(line.split()[1])
    if status == 100:
        return _read_answer(file, method)
    size = 0 if method == "HEAD" else int(headers["content-length"])
    body = file.read(size)
    assert len(body) == size, "the answer is cut short"
    return RawAnswer(status, headers, body)


def _is_ended(file: Any) -> bool:  # noqa: ANN401 - what makefile returns
    try:
        return bool(file.read(1) == b"")
    except ConnectionResetError:
        return True
