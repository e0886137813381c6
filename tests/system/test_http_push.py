"""HTTP push against destinations on loopback that behave in every way (R10): what becomes of the
delivery, what is kept of the attempt, and when the next one is due."""

import asyncio
import gzip
from base64 import b64encode
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.delivery.encryption import open_failure
from longshore.domain.partners.connections import BasicLogin, HttpConnection
from longshore.domain.partners.model import Connections
from longshore.transport.egress import Egress
from longshore.transport.http_push import HttpPush
from tests.support.clock import START, StoppedClock
from tests.support.database import Database, SqliteEngine
from tests.support.destinations import Script, destination, reply, reset
from tests.support.dispatch import CONTENT, Order, a_trading_partner, a_worker, queued, seen, terms
from tests.support.trading import PRODUCTION, SANDBOX
from tests.support.vault import a_sealer

LOOPBACK = ("127.0.0.0/8",)
SHORT_SECONDS = 0.3  # for those who never answer
DATE_IN_A_MINUTE = "Thu, 15 Jan 2026 14:06:09 GMT"

Reader = asyncio.StreamReader
Writer = asyncio.StreamWriter


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    engine = SqliteEngine(tmp_path / "data")
    await engine.create()
    async with engine.open() as database:
        accounts = AccountService(database.units, StoppedClock(), database.revocations)
        await accounts.create("own", AccountType.ENTERPRISE)
        yield database


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock()


# ---- behaviours ----------------------------------------------------------------------------------


async def break_off(reader: Reader, writer: Writer) -> None:
    del reader
    reset(writer)


async def accept_and_break_off(reader: Reader, writer: Writer) -> None:
    await reply("200 OK\nContent-Length: 10", b"tak")(reader, writer)
    reset(writer)


async def say_nothing(reader: Reader, writer: Writer) -> None:
    del writer
    await reader.read()  # until the other side has had enough


async def trickle_headers(reader: Reader, writer: Writer) -> None:
    del reader
    writer.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while True:
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.01)


async def never_end(reader: Reader, writer: Writer) -> None:
    await reply("200 OK\nTransfer-Encoding: chunked")(reader, writer)
    while True:
        writer.write(b"1000\r\n" + b"x" * 4_096 + b"\r\n")
        await writer.drain()


@dataclass(frozen=True)
class Case:
    """A behaviour, and what follows from it. ``pause``: until the next attempt, in seconds."""

    name: str
    script: Script
    state: str = "due"
    outcome: str = "failed"
    code: str | None = None
    pause: int | None = 1
    reads: bool = True


def status(text: str, code: str, pause: int | None = 1, **members: str) -> Case:
    outcome = members.get("outcome", "failed")
    script = reply(f"{text}\nContent-Length: 0")
    state = "due" if pause is not None else "dead"
    return Case(text.replace("\n", ", "), script, state, outcome, code, pause)


BOMB = gzip.compress(b"\0" * 10_000_000)
CASES = (
    Case("200", reply("200 OK\nContent-Length: 0"), "done", "succeeded", None, None),
    Case("204", reply("204 No Content"), "done", "succeeded", None, None),
    Case(
        "202 with text",
        reply("202 Accepted\nContent-Length: 2", b"ok"),
        "done",
        "succeeded",
        None,
        None,
    ),
    Case("200, then reset", accept_and_break_off, "done", "succeeded", None, None),
    Case(
        "200, a cut chunk",
        reply("200 OK\nTransfer-Encoding: chunked", b"ff\r\nshort"),
        "done",
        "succeeded",
        None,
        None,
    ),
    Case("200, an endless body", never_end, "done", "succeeded", None, None),
    Case(
        "200, a gzip bomb",
        reply(f"200 OK\nContent-Encoding: gzip\nContent-Length: {len(BOMB)}", BOMB),
        "done",
        "succeeded",
        None,
        None,
    ),
    status("301 Moved\nLocation: /elsewhere", "http_301"),
    status("302 Found\nLocation: http://127.0.0.1:1/", "http_302"),
    status("400 Bad Request", "http_400", 5, outcome="permanent"),
    status("401 Unauthorized", "http_401", 5, outcome="permanent"),
    status("403 Forbidden", "http_403", 5, outcome="permanent"),
    status("404 Not Found", "http_404", 5, outcome="permanent"),
    status("408 Request Timeout", "http_408"),
    status("409 Conflict", "http_409"),
    status("410 Gone", "http_410", None, outcome="permanent"),
    status("422 Unprocessable", "http_422", 5, outcome="permanent"),
    status("429 Slow\nRetry-After: 120", "http_429", 120),
    status("429 Slow\nRetry-After: " + DATE_IN_A_MINUTE, "http_429", 60),
    status("429 Slow\nRetry-After: -1", "http_429"),
    status("429 Slow\nRetry-After: 1000000000", "http_429"),
    status("429 Slow\nRetry-After: 999999999", "http_429", 86_400),
    status("500 Internal", "http_500"),
    status("503 Busy\nRetry-After: 1", "http_503"),
    status("504 Slow", "http_504"),
    Case("reset before anything is read", break_off, code="connection_lost", reads=False),
    Case("reset before the answer", break_off, code="connection_lost"),
    Case("no answer", say_nothing, code="timed_out"),
    Case("headers byte by byte", trickle_headers, code="timed_out"),
    Case("not HTTP", reply("twelve o'clock"), code="answer_invalid"),
    Case("headers without end", reply("200 OK\nX-Long: " + "x" * 300_000), code="answer_invalid"),
)


def a_push(clock: StoppedClock) -> HttpPush:
    return HttpPush(Egress(LOOPBACK, deadline_seconds=SHORT_SECONDS), clock)


@pytest.mark.parametrize("case", CASES, ids=[each.name for each in CASES])
async def test_each_behaviour_has_its_consequence(
    database: Database, clock: StoppedClock, case: Case
) -> None:
    async with destination(case.script, reads=case.reads) as there:
        connection = HttpConnection(url=f"http://{there.host}/in")
        partner_id = await a_trading_partner(database, terms(Connections(test=connection)))
        order = await queued(database, Order(partner_id=partner_id))
        await a_worker(database, clock, a_push(clock)).run_once()
    after = await seen(database, order)
    (attempt,) = after.attempts
    assert attempt.result is not None
    outcome = (after.states, attempt.result.outcome.value, attempt.result.error_code)
    assert outcome == ([case.state], case.outcome, case.code)
    due = None if case.pause is None else START + timedelta(seconds=case.pause)
    assert attempt.result.next_attempt_at == due
    assert there.connections == 1
    failure = open_failure(a_sealer(), attempt)
    assert (failure is None) == (case.code is None)
    assert failure is None or CONTENT.decode() not in failure.message


async def test_nobody_listens(database: Database, clock: StoppedClock) -> None:
    async with destination(say_nothing) as there:
        host = there.host
    connection = HttpConnection(url=f"http://{host}/in")
    partner_id = await a_trading_partner(database, terms(Connections(test=connection)))
    order = await queued(database, Order(partner_id=partner_id))
    await a_worker(database, clock, a_push(clock)).run_once()
    result = (await seen(database, order)).attempts[0].result
    assert result is not None
    assert result.error_code == "connection_refused"


# ---- what is sent --------------------------------------------------------------------------------


async def test_the_bytes_go_with_the_headers_of_the_connection_and_the_same_id(
    database: Database, clock: StoppedClock
) -> None:
    async with destination(reply("503 Busy\nContent-Length: 0")) as there:
        connection = HttpConnection(
            url=f"http://{there.host}/in?box=7",
            headers={"X-Key": "k1", "x-message-id": "theirs"},
            content_type="application/xml",
            basic=BasicLogin(user="us", password="näïve"),
        )
        partner_id = await a_trading_partner(database, terms(Connections(test=connection)))
        order = await queued(database, Order(partner_id=partner_id))
        worker = a_worker(database, clock, a_push(clock))
        await worker.run_once()
        clock.move(timedelta(seconds=5))
        await worker.run_once()
    first, second = there.requests
    message_id = (await seen(database, order)).attempts[0].message_id
    expected = {
        "x-key": "k1",
        "content-type": "application/xml",
        "content-length": str(len(CONTENT)),
        "idempotency-key": message_id,
        "x-message-id": message_id,
        "authorization": "Basic " + b64encode("us:näïve".encode()).decode(),
        "accept-encoding": "identity",
        "host": there.host,
    }
    assert {name: first.headers.get(name) for name in expected} == expected
    assert (first.line, first.body) == ("POST /in?box=7 HTTP/1.1", CONTENT)
    assert first == second


async def test_test_and_live_documents_go_to_their_own_destination(
    database: Database, clock: StoppedClock
) -> None:
    ok = reply("200 OK\nContent-Length: 0")
    async with destination(ok) as test, destination(ok) as live:
        connections = Connections(
            test=HttpConnection(url=f"http://{test.host}/"),
            live=HttpConnection(url=f"http://{live.host}/"),
        )
        partner_id = await a_trading_partner(database, terms(connections))
        for number in range(6):
            environment = PRODUCTION if number % 3 == 0 else SANDBOX
            content = f"{environment} {number}".encode()
            order = Order(partner_id=partner_id, environment=environment, content=content)
            await queued(database, order)
        worker = a_worker(database, clock, a_push(clock))
        while await worker.run_once():
            pass
    assert [each.body for each in test.requests] == [
        b"sandbox 1",
        b"sandbox 2",
        b"sandbox 4",
        b"sandbox 5",
    ]
    assert [each.body for each in live.requests] == [b"production 0", b"production 3"]


async def test_what_lacks_a_secret_is_not_sent(database: Database, clock: StoppedClock) -> None:
    async with destination(reply("200 OK\nContent-Length: 0")) as there:
        connection = HttpConnection(url=f"http://{there.host}/", basic=BasicLogin(user="us"))
        partner_id = await a_trading_partner(database, terms(Connections(test=connection)))
        order = await queued(database, Order(partner_id=partner_id))
        await a_worker(database, clock, a_push(clock)).run_once()
    result = (await seen(database, order)).attempts[0].result
    assert result is not None
    assert (result.error_code, there.connections) == ("not_configured", 0)


async def test_an_address_that_is_refused_gets_no_byte(
    database: Database, clock: StoppedClock
) -> None:
    async with destination(reply("200 OK\nContent-Length: 0")) as there:
        connection = HttpConnection(url=f"http://{there.host}/")
        partner_id = await a_trading_partner(database, terms(Connections(test=connection)))
        order = await queued(database, Order(partner_id=partner_id))
        await a_worker(database, clock, HttpPush(Egress(), clock)).run_once()
    result = (await seen(database, order)).attempts[0].result
    assert result is not None
    assert (result.outcome.value, result.error_code) == ("permanent", "address_refused")
    assert there.connections == 0
