"""No kill loses or doubles a document while partners trade by all transports.

``KILLS`` servers die in a row, 2 on SQLite unless ``make faults`` asks for more, and then on both
databases: by turns at a random moment, and at a named point of AS2, mailboxes, webhooks or
deliveries. Which moments and points they are follows from ``KILL_SEED``. The figures are printed
(``-s``).
"""

import json
import os
import re
import socket
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

import pytest

from tests.support.postgres import postgres_server
from tests.system.server import DEADLINE_SECONDS, Server
from tests.system.test_trading_kills import Kind, Processes, kind, wait
from tests.system.trading_kills import find, lost, waiting
from tests.system.trading_oracle import (
    AK102,
    NAME,
    SETTLING_SECONDS,
    found,
    insist_on_sound_numbers,
    insist_on_sound_storage,
    report,
)
from tests.system.transport_trade import KINDS, Trade, prepare
from tests.system.transport_world import World, transport_world

__all__ = ["kind", "postgres_server"]

FEW: Final = 2
KILLS: Final = int(os.environ.get("KILLS", str(FEW)))
SEED: Final = os.environ.get("KILL_SEED", "")
LIVES: Final = min(KILLS, 8)
"""Each server trades with the partners of the next of so many lives."""
DATABASES: Final = ("sqlite",) if KILLS <= FEW else ("sqlite", "postgres")
POINTS: Final = tuple(
    sorted(
        point
        for path in Path("src/longshore/domain").glob("**/*.py")
        for point in re.findall(r'fault_point\("([a-z0-9_.]+)"\)', path.read_text(encoding="utf-8"))
        if point.startswith(("as2.", "dispatch.", "mailbox.", "webhooks."))
        # of what these partners never do: hold, answer late, send acknowledgements in answers
        and not re.search(r"\.(release|overdue_receipt|returned|report_certificate)\.", point)
    )
)
MAX_PASSAGES: Final = 4
POINT_SECONDS: Final = 12.0
"""So long a server has to come to its point: mailboxes are polled every 10 s."""


def deaths(random: Random) -> Iterator[tuple[str, float]]:
    """Yield how each server ends: at which passage of which point, or after how many seconds."""
    while True:
        for point in random.sample(POINTS, len(POINTS)):
            yield f"{point}:{random.randint(1, MAX_PASSAGES)}", POINT_SECONDS
            yield "", random.uniform(0.005, 0.8)


def end(trade: Trade, processes: Processes, fault: str, seconds: float) -> None:
    """End all processes as planned: as soon as one has come to its point, or the time is over."""
    before = trade.progress
    if not fault:
        wait(DEADLINE_SECONDS, lambda: trade.progress > before)
    wait(seconds, lambda: any(each.poll() is not None for each in processes))
    trade.reached[fault.partition(":")[0]] += any(each.poll() is not None for each in processes)
    for each in processes:
        each.kill()
        each.wait(DEADLINE_SECONDS)


def a_free_port() -> int:
    """Return a port that no outgoing connection takes while no server listens on it."""
    for port in range(20_000 + os.getpid() % 5_000, 32_000):
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)):
                return port
    raise AssertionError("there is none")


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    folder = tmp_path / "sftp"
    folder.mkdir()
    with transport_world(folder) as world:
        yield world


def test_servers_die_at_points_of_every_transport() -> None:
    assert {point.partition(".")[0] for point in POINTS} == {
        *("as2", "dispatch", "mailbox", "webhooks"),
    }


@pytest.mark.timeout(240 + 2 * SETTLING_SECONDS + 25 * KILLS)
@pytest.mark.parametrize("kind", DATABASES, indirect=True)
def test_no_kill_loses_or_doubles_anything_of_any_transport(
    kind: Kind, world: World, tmp_path: Path
) -> None:
    served = replace(kind, port=a_free_port())
    base_url = f"http://127.0.0.1:{served.port}"
    terms = f'allowed_networks = ["127.0.0.0/8"]\nbase_url = "{base_url}"\n'
    (tmp_path / "longshore.toml").write_text(terms)
    market = prepare(tmp_path, world, base_url, LIVES, *kind.arguments)
    trade, planned = Trade(market, world), deaths(Random(f"{KILLS} {SEED}"))
    for life in range(KILLS):
        fault, seconds = next(planned)
        with served.open(tmp_path, fault) as (server, processes):
            trade.run(server, life, partial(end, trade, processes, fault, seconds))
    with served.open(tmp_path) as (server, _):
        settle(server, trade)
        insist_on_one_effect_each(server, trade)
        assert server.stop() == 0
    insist_on_sound_deliveries(trade)
    insist_on_calls(trade)
    insist_on_sound_storage(tmp_path, market)  # type: ignore[arg-type]  # it has the arguments
    report(f"{kind.name}: {KILLS} kills, {summary(trade)}")
    assert (trade.others, world.faults) == ({}, {})


def settle(server: Server, trade: Trade) -> None:
    """Wait until nothing is to come any more."""
    trade.settle(server)
    deadline = time.monotonic() + SETTLING_SECONDS
    while left := unsettled(server, trade):
        assert time.monotonic() < deadline, f"something waits for ever: {left}"
        time.sleep(0.1)


def unsettled(server: Server, trade: Trade) -> Counter[str]:
    """Return how much is still to come, by what it is."""
    market, world = trade.market, trade.world
    mailboxes = [at for at in range(len(market.partners)) if KINDS[at % len(KINDS)] == "sftp"]
    messages = {f"<{key}@them>" for key in trade.messages if "-async-" in key}
    called = {number for kind, number in calls(world) if kind == "transaction.delivered"}
    return +Counter({
        "documents": waiting(server, market.key),
        "files": sum(len(world.offered(at)) for at in mailboxes),
        "their receipts": world.to_send.qsize(),
        "our receipts": len(messages - world.receipts.keys()),
        "calls": len(set(trade.submits.ids.values()) - called),
    })


def calls(world: World) -> dict[tuple[str, int], set[str]]:
    """Return the ids of calls by what they are about: the type of an event, and a transaction."""
    made: dict[tuple[str, int], set[str]] = {}
    with world.lock:
        for webhook_id, bodies in world.calls.items():
            body = json.loads(bodies[0])
            about = body["type"], int(body["data"]["transaction_id"])
            made.setdefault(about, set()).add(webhook_id)
    return made


def insist_on_one_effect_each(server: Server, trade: Trade) -> None:
    """Check that each document that was answered is there once, and at its end."""
    market = trade.market
    assert (trade.submits.contradictions, trade.posts.contradictions) == ([], [])
    assert (trade.submits.unanswered, trade.posts.unanswered) == ([], [])
    assert trade.messages.keys() == trade.answered
    assert lost(server, market.key, trade.submits) == []
    sent = {find(server, market.key, f"OUT-{name}").status for name in trade.submits.ids}
    assert sent == {"delivered"}
    records = [find(server, market.key, f"IN-{name}") for name in trade.received]
    assert {(each.total, each.status) for each in records} == {(1, "processed")}


def insist_on_sound_deliveries(trade: Trade) -> None:
    """Check what partners got: everything once, in order, in copies that are alike."""
    market, world = trade.market, trade.world
    copies = [*world.http.values(), *world.as2.values()]
    assert all(len(set(each)) == 1 for each in copies), "copies that differ"
    contents = []
    for at, each in enumerate(market.partners):
        uploaded = KINDS[at % len(KINDS)] == "sftp"
        first = [content for path, content in world.firsts if path == each.path]
        got = [*world.uploaded(at).values()] if uploaded else first
        insist_on_sound_numbers(got)
        contents += got
    assert sorted(found(NAME, contents)) == sorted(trade.submits.ids), "an order twice or never"
    received = [str(trade.control_of[name]) for name in trade.received]
    assert sorted(found(AK102, contents)) == sorted(received), "acknowledged twice or never"
    for key in trade.messages:
        given = {(each.disposition, each.mic) for each in world.receipts[f"<{key}@them>"]}
        assert given in (set(), {("processed", trade.messages[key].mic)}), "another receipt"
    archived = [name for at in range(len(market.partners)) for name in world.archived(at)]
    assert sorted(archived) == sorted(f"{key}.edi" for key in trade.files), "a file not put away"


def insist_on_calls(trade: Trade) -> None:
    """Check that the endpoint was called about each event under one id."""
    made = calls(trade.world)
    assert all(len(ids) == 1 for ids in made.values()), "an event under two ids"
    bodies = trade.world.calls.values()
    assert all(len(set(each)) == 1 for each in bodies), "copies that differ"


def summary(trade: Trade) -> str:
    """Return the figures of a trade, for people."""
    world = trade.world
    copies = [*world.http.values(), *world.as2.values(), *world.calls.values()]
    repeated = sum(len(each) - 1 for each in copies)
    named = {point: count for point, count in trade.reached.items() if point and count}
    return (
        f"{sum(named.values())} of them at {len(named)} named points; {len(trade.submits.ids)}"
        f" submits and {len(trade.received)} received documents ({len(trade.posts.ids)} by HTTP,"
        f" {len(trade.messages)} by AS2, {len(trade.files)} files), {len(world.calls)} calls,"
        f" {repeated} copies more; none lost or doubled, none waits"
    )
