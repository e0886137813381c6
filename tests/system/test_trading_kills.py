"""R1, R2, R22: no kill loses a document, does something twice, or leaves a gap in the numbers.

``KILLS`` servers die in a row on each database, 4 unless ``make faults`` asks for more: by turns at
a random moment under submits, receipts and deliveries, and at a named point of a write. Which
moments and points they are follows from ``KILL_SEED``. The figures are printed (``-s``).
"""

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

import pytest

from tests.support.postgres import PostgresServer, postgres_server
from tests.system import early_answer
from tests.system.partner_stub import Stub, partner_stub
from tests.system.server import DEADLINE_SECONDS, LONGSHORE, Server, serving, working
from tests.system.trading_kills import Market, Trade, lost, prepare
from tests.system.trading_oracle import (
    SETTLING_SECONDS,
    insist_on_one_effect_each,
    insist_on_sound_deliveries,
    insist_on_sound_storage,
    report,
    settled,
    summary,
)

__all__ = ["postgres_server"]

KILLS: Final = int(os.environ.get("KILLS", "4"))
SEED: Final = os.environ.get("KILL_SEED", "")
PARTNERS: Final = min(KILLS, 24)
"""As many as there are kills, up to a limit: each server trades with the next of them."""
CONTROL_KILLS: Final = 10  # at most; the first usually suffices
CONTROL_PARTNERS: Final = 4
POINTS: Final = tuple(
    sorted(
        point
        for path in Path("src/longshore/domain").glob("**/*.py")
        for point in re.findall(r'fault_point\("([a-z_.]+)"\)', path.read_text(encoding="utf-8"))
        if point.startswith(("submission.s", "intake.receive", "processing.record", "dispatch."))
        and "release" not in point
        and "_receipt." not in point  # of AS2, which these partners do not speak
    )
)
MAX_PASSAGES: Final = 40
Processes = list[subprocess.Popen[str] | subprocess.Popen[bytes]]
CARELESS: Final = (sys.executable, early_answer.__file__)


@dataclass(frozen=True)
class Kind:
    """A database, and how a command is told of it."""

    name: str
    arguments: tuple[str, ...]
    port: int = 0
    """Of the server, 0 for any."""

    @contextmanager
    def open(
        self, folder: Path, fault: str = "", program: tuple[str, ...] = LONGSHORE
    ) -> Iterator[tuple[Server, Processes]]:
        """Serve; on PostgreSQL a worker runs beside the server."""
        environment = {"LONGSHORE_FAULT": fault}
        with ExitStack() as stack:
            server = stack.enter_context(
                serving(
                    folder,
                    *("--port", str(self.port)),
                    *self.arguments,
                    is_measured=False,
                    program=program,
                    environment=environment,
                )
            )
            processes: Processes = [server.process]
            if self.arguments:
                worker = working(folder, *self.arguments, environment=environment)
                processes.append(stack.enter_context(worker))
            yield server, processes


@pytest.fixture(params=["sqlite", "postgres"])
def kind(request: pytest.FixtureRequest) -> Iterator[Kind]:
    if request.param == "sqlite":
        yield Kind("sqlite", ())
        return
    server: PostgresServer = request.getfixturevalue("postgres_server")
    asyncio.run(server.create_database("traded"))
    yield Kind("postgres", ("--database-url", server.url("traded")))
    asyncio.run(drop(server))


async def drop(server: PostgresServer) -> None:
    async with server.connected() as admin:
        await admin.execute("DROP DATABASE traded WITH (FORCE)")


@pytest.fixture
def stub() -> Iterator[Stub]:
    with partner_stub() as stub:
        yield stub


def open_market(kind: Kind, stub: Stub, folder: Path, partners: int) -> Market:
    (folder / "longshore.toml").write_text('allowed_networks = ["127.0.0.0/8"]\n')
    return prepare(folder, stub.address, *kind.arguments, partners=partners)


def deaths(random: Random) -> Iterator[tuple[str, float]]:
    """Yield how each server ends: at which passage of which point, or after how many seconds."""
    while True:
        for point in random.sample(POINTS, len(POINTS)):
            yield "", random.uniform(0.005, 0.060)
            yield f"{point}:{random.randint(1, MAX_PASSAGES)}", DEADLINE_SECONDS


def end(trade: Trade, processes: Processes, fault: str, seconds: float) -> None:
    """End all processes as planned: as soon as one has come to its point, or the time is over.

    A random moment is one after a delivery and an answer to what was submitted after that: by then
    all that there is goes on.
    """
    if not fault:
        wait(DEADLINE_SECONDS, lambda: trade.delivers)
        answered = len(trade.submits.ids)
        wait(DEADLINE_SECONDS, lambda: len(trade.submits.ids) > answered)
    wait(seconds, lambda: any(each.poll() is not None for each in processes))
    trade.reached += bool(fault) and any(each.poll() is not None for each in processes)
    for each in processes:
        each.kill()
        each.wait(DEADLINE_SECONDS)
    assert fault or processes[0].returncode == -signal.SIGKILL


def wait(seconds: float, is_so: Callable[[], bool]) -> None:
    """Wait until something is so, but not longer than that."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and not is_so():
        time.sleep(0.002)


@pytest.mark.timeout(240 + SETTLING_SECONDS + 25 * KILLS)
def test_no_kill_loses_doubles_or_misnumbers_anything(
    kind: Kind, stub: Stub, tmp_path: Path
) -> None:
    market = open_market(kind, stub, tmp_path, PARTNERS)
    trade, planned = Trade(market, stub), deaths(Random(f"{KILLS} {SEED}"))
    for life in range(KILLS):
        fault, seconds = next(planned)
        with kind.open(tmp_path, fault) as (server, processes):
            trade.run(server, life, partial(end, trade, processes, fault, seconds))
    with kind.open(tmp_path) as (server, _):
        trade.settle(server)
        settled(server, market)
        insist_on_one_effect_each(server, market, trade)
        assert server.stop() == 0
    insist_on_sound_deliveries(stub, trade, KILLS)
    insist_on_sound_storage(tmp_path, market)
    report(
        f"{kind.name}: {KILLS} kills, {trade.reached} at a named point, {trade.amid} amid all"
        f" of it, {summary(trade, stub)}"
    )
    assert trade.others == {}


@pytest.mark.timeout(240)
def test_an_answer_before_the_commit_loses_documents(
    kind: Kind, stub: Stub, tmp_path: Path
) -> None:
    """The positive control: were it not lost here, nothing above would mean anything."""
    market = open_market(kind, stub, tmp_path, CONTROL_PARTNERS)
    planned = deaths(Random(1))
    for life in range(1, CONTROL_KILLS + 1):
        trade = Trade(market, stub)
        _, seconds = next(each for each in planned if not each[0])
        with kind.open(tmp_path, program=CARELESS) as (server, processes):
            trade.run(server, life, partial(end, trade, processes, "", seconds))
        with kind.open(tmp_path) as (server, _):
            missing = lost(server, market.key, trade.submits)
        if missing:
            report(f"{kind.name}, careless: kill {life} lost {len(missing)}")
            return
    pytest.fail("an answer before the commit lost nothing")
