"""R5, R6: a PostgreSQL that goes away under a trade takes nothing with it.

The database server is stopped at once ``RESTARTS`` times, 2 unless ``make faults`` asks for more;
and for ``TERMINATING_SECONDS``, 5 or more, one of its processes is ended five times a second. The
figures are printed (``-s``).
"""

import asyncio
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

import pytest

from tests.support.postgres import PostgresServer, postgres_server
from tests.system.partner_stub import Stub, partner_stub
from tests.system.patient_trade import PatientTrade
from tests.system.test_pool import below
from tests.system.test_trading_kills import CARELESS, Kind, Processes, drop
from tests.system.trading_kills import Market, lost, prepare
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

RESTARTS: Final = int(os.environ.get("RESTARTS", "2"))
CONTROL_RESTARTS: Final = 10  # at most; the first usually suffices
TERMINATING_SECONDS: Final = int(os.environ.get("TERMINATING_SECONDS", "5"))
TERMINATIONS_PER_SECOND: Final = 5
UNAVAILABLE: Final = (503, "storage_unavailable")
SETTINGS: Final = """\
allowed_networks = ["127.0.0.0/8"]
requests_per_minute = 1000000
submits_per_minute = 1000000
"""
# By turns whoever it hits, and one that is at work if there is one: most wait for work.
TERMINATE: Final = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = 'traded' ORDER BY $1 AND state = 'idle', random() LIMIT 1"""


@dataclass
class Trial:
    """A trade over a PostgreSQL that goes away and comes back."""

    kind: Kind
    postgres: PostgresServer
    market: Market
    stub: Stub
    folder: Path
    random: Random = field(default_factory=lambda: Random(RESTARTS))
    seconds: list[float] = field(default_factory=list)

    def restart(self, trade: PatientTrade) -> None:
        """Stop and start the database server again and again, each time under full service."""
        for _ in range(RESTARTS):
            time.sleep(self.random.uniform(1, 3))
            self.stop_and_start()
            self.seconds.append(trade.full_service())

    def stop_and_start(self) -> None:
        """Let the database server crash, and leave it away for a moment."""
        self.postgres.stop_at_once()
        time.sleep(self.random.uniform(0, 1))
        self.postgres.start_again()

    def terminate(self, trade: PatientTrade) -> None:
        """End processes of the database server."""
        assert asyncio.run(self._terminate()) == TERMINATING_SECONDS * TERMINATIONS_PER_SECOND
        self.seconds.append(trade.full_service())

    async def _terminate(self) -> int:
        count = 0
        async with self.postgres.connected() as admin:
            for turn in range(TERMINATING_SECONDS * TERMINATIONS_PER_SECOND):
                count += await admin.fetchval(TERMINATE, turn % 2 == 0)
                await asyncio.sleep(1 / TERMINATIONS_PER_SECOND)
        return count

    def run(self, disturb: Callable[[PatientTrade], None], faults: int) -> PatientTrade:
        """Trade while something disturbs it; check that nothing came of that but refusals."""
        trade = PatientTrade(self.market, self.stub)
        with self.kind.open(self.folder) as (server, processes):
            trade.run(server, 0, partial(self._disturb, disturb, trade, processes))
            began = time.monotonic()
            trade.settle(server)
            settled(server, self.market)
            report(f"settled after {time.monotonic() - began:.1f} s")
            insist_on_one_effect_each(server, self.market, trade)
            assert server.stop() == 0
        assert set(trade.others) <= {UNAVAILABLE}
        insist_on_sound_deliveries(self.stub, trade, faults)
        insist_on_sound_storage(self.folder, self.market)
        return trade

    def _disturb(
        self, disturb: Callable[[PatientTrade], None], trade: PatientTrade, processes: Processes
    ) -> None:
        trade.full_service()
        before = family(processes)
        disturb(trade)
        assert family(processes) == before, "a process was started anew"


def family(processes: Processes) -> list[int]:
    """Return the numbers of the processes and of all below them."""
    assert [each.poll() for each in processes] == [None] * len(processes)
    return [pid for each in processes for pid in (each.pid, *sorted(below(each.pid)))]


@pytest.fixture
def trial(postgres_server: PostgresServer, tmp_path: Path) -> Iterator[Trial]:
    asyncio.run(postgres_server.create_database("traded"))
    kind = Kind("postgres", ("--database-url", postgres_server.url("traded")))
    (tmp_path / "longshore.toml").write_text(SETTINGS)
    with partner_stub() as stub:
        market = prepare(tmp_path, stub.address, *kind.arguments)
        yield Trial(kind, postgres_server, market, stub, tmp_path)
    asyncio.run(drop(postgres_server))


@pytest.mark.timeout(120 + 2 * SETTLING_SECONDS + 45 * RESTARTS)
def test_restarts_of_the_database_lose_nothing_and_are_answered_with_503(trial: Trial) -> None:
    trade = trial.run(trial.restart, RESTARTS)
    assert set(trade.others) == {UNAVAILABLE}
    times = ", ".join(f"{each:.1f}" for each in trial.seconds)
    report(
        f"{RESTARTS} restarts, full service after {times} s, {trade.refused} refusals,"
        f" {summary(trade, trial.stub)}"
    )


@pytest.mark.timeout(120 + 2 * SETTLING_SECONDS + 5 * TERMINATING_SECONDS)
def test_connections_that_break_lose_nothing_and_nobody_sees_more_than_503(trial: Trial) -> None:
    faults = TERMINATING_SECONDS * TERMINATIONS_PER_SECOND
    trade = trial.run(trial.terminate, faults)
    report(
        f"{faults} connections ended, full service after {trial.seconds[0]:.1f} s,"
        f" {trade.refused} refusals, {summary(trade, trial.stub)}"
    )


@pytest.mark.timeout(240)
def test_an_answer_before_the_commit_loses_documents_with_the_database(trial: Trial) -> None:
    """The positive control: were it not lost here, nothing above would mean anything."""
    with trial.kind.open(trial.folder, program=CARELESS) as (server, _):
        for life in range(1, CONTROL_RESTARTS + 1):
            trade = PatientTrade(trial.market, trial.stub, pace_seconds=0)
            trade.run(server, life, trial.stop_and_start)
            missing = lost(server, trial.market.key, trade.submits)
            if missing:
                report(f"careless: restart {life} lost {len(missing)}")
                return
    pytest.fail("an answer before the commit lost nothing")
