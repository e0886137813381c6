"""Webhooks against receivers on loopback: the official library verifies them, and each behaviour
has its state, its attempt and the time of the next one."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from longshore.background import open_runner
from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.webhooks.model import DeliveryProgress, WebhookTerms
from longshore.domain.webhooks.signature import secret_text
from longshore.kit.clock import SystemClock
from longshore.settings import Settings
from longshore.telemetry.metrics import Metrics
from longshore.transport.egress import Egress
from longshore.transport.webhook import WebhookClient
from tests.support.clock import START, StoppedClock
from tests.support.database import Database, SqliteEngine
from tests.support.destinations import Script, destination, reply
from tests.support.partners import OWN
from tests.support.ports import some_ports
from tests.support.webhooks import Hooks, some_hooks

LOOPBACK = ("127.0.0.0/8",)
SHORT_SECONDS = 0.3  # for those who never answer
NO_CONTENT = reply("204 No Content")


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    engine = SqliteEngine(tmp_path / "data")
    await engine.create()
    async with engine.open() as database:
        accounts = AccountService(database.units, StoppedClock(), database.revocations)
        await accounts.create("own", AccountType.ENTERPRISE)
        yield database


@pytest.fixture
def hooks(database: Database) -> Hooks:
    return some_hooks(database, StoppedClock())


async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    del writer
    await reader.read()  # until the other side has had enough


@dataclass(frozen=True)
class Case:
    """A behaviour, and what follows from it. ``pause``: until the next attempt, in seconds."""

    name: str
    script: Script
    state: str = "due"
    code: str | None = None
    pause: int | None = 1


CASES = (
    Case("200", reply("200 OK\nContent-Length: 2", b"ok"), "done", None, None),
    Case("302", reply("302 Found\nLocation: /other\nContent-Length: 0"), code="http_302"),
    Case("404", reply("404 Not Found\nContent-Length: 0"), code="http_404", pause=5),
    Case("410", reply("410 Gone\nContent-Length: 0"), "dead", "http_410", None),
    Case("429", reply("429 Busy\nRetry-After: 120\nContent-Length: 0"), code="http_429", pause=120),
    Case("500", reply("500 Error\nContent-Length: 0"), code="http_500"),
    Case("silence", say_nothing, code="timed_out"),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_what_an_endpoint_does_decides_about_the_next_attempt(
    hooks: Hooks, case: Case
) -> None:
    async with destination(case.script) as canary:
        endpoint = await hooks.endpoint(url=f"http://{canary.host}/hooks")
        delivery = await called(hooks, endpoint.id)
    result = delivery.attempts[0].result
    assert result is not None
    assert (delivery.state, result.error_code) == (case.state, case.code)
    expected = None if case.pause is None else START + timedelta(seconds=case.pause)
    assert result.next_attempt_at == expected
    assert canary.connections == 1  # a redirect is not followed
    (request,) = canary.requests
    assert request.line == "POST /hooks HTTP/1.1"
    assert request.headers["content-type"] == "application/json"
    assert len(request.body) < 20_000


async def called(
    hooks: Hooks, endpoint_id: int, allowed: tuple[str, ...] = LOOPBACK
) -> DeliveryProgress:
    """Let an event happen, and call the endpoint about it over a real connection."""
    await hooks.happens()
    await hooks.fan_out()
    client = WebhookClient(Egress(allowed, deadline_seconds=SHORT_SECONDS), hooks.clock)
    worker = hooks.worker(client)  # type: ignore[arg-type]  # a transport as well
    await worker.run_once()
    (delivery,) = await hooks.listed(endpoint_id)  # type: ignore[arg-type]  # an id
    return delivery


async def test_not_a_byte_is_sent_to_an_address_that_is_not_allowed_any_more(
    hooks: Hooks,
) -> None:
    async with destination(NO_CONTENT) as canary:
        endpoint = await hooks.endpoint(url=f"http://{canary.host}/hooks")
        delivery = await called(hooks, endpoint.id, allowed=())
    result = delivery.attempts[0].result
    assert result is not None
    assert (result.error_code, result.outcome, canary.connections) == (
        "address_refused",
        "permanent",
        0,
    )


def at_present(database: Database) -> Hooks:
    """Return the services at the time that it is, as the library asks for."""
    clock = SystemClock()
    return Hooks(database, clock, some_ports(database, clock))  # type: ignore[arg-type]  # not moved


async def test_the_official_library_verifies_each_call_during_a_rotation(
    database: Database,
) -> None:
    hooks = at_present(database)
    async with destination(NO_CONTENT) as canary:
        url = f"http://{canary.host}/hooks"
        old = await hooks.service.create(OWN, WebhookTerms(url=url))
        new = await hooks.service.rotate(OWN, old.endpoint.id, 24)
        await hooks.happens()
        await hooks.fan_out()
        client = WebhookClient(Egress(LOOPBACK), hooks.clock)
        await hooks.worker(client).run_once()  # type: ignore[arg-type]  # a transport as well
    (request,) = canary.requests
    for issued in (old, new):
        event = Webhook(issued.secret).verify(request.body, request.headers)
        assert (event["type"], event["data"]["event_id"]) == ("map.saved", 1)
    with pytest.raises(WebhookVerificationError, match="No matching signature found"):
        Webhook(secret_text(bytes(32))).verify(request.body, request.headers)
    with pytest.raises(WebhookVerificationError, match="No matching signature found"):
        Webhook(new.secret).verify(request.body + b" ", request.headers)


async def test_an_endpoint_that_does_not_answer_delays_no_other(
    database: Database,
) -> None:
    hooks = at_present(database)
    async with AsyncExitStack() as stack:
        silent = await stack.enter_async_context(destination(say_nothing))
        healthy = await stack.enter_async_context(destination(NO_CONTENT))
        for canary in (silent, healthy):
            await hooks.endpoint(url=f"http://{canary.host}/hooks")
        for _ in range(6):
            await hooks.happens()
        runner = open_runner(Settings(allowed_networks=LOOPBACK), hooks.ports, Metrics())
        running = asyncio.create_task(runner.run())
        while len(healthy.requests) < 6:  # noqa: ASYNC110 - a receiver sends no events
            await asyncio.sleep(0.01)
        assert len(silent.requests) == 2  # and none of them is over
        runner.stop()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
