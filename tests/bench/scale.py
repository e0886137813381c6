"""Compare one server and worker on PostgreSQL with two: ``python -m tests.bench.scale``.

Some minutes on two cores, on loopback. One server with one worker, and two with two, make the same
round trips on a database of their own, in one run. Printed are submits and round trips in a second,
their ratio, the CPU of Longshore and of the database for a round trip, and what the connections of
the database waited for. The clients, the partners and the database run on the same machine: on few
cores the ratio says how much is lost by sharing them.
"""

import argparse
import asyncio
import os
import statistics
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import cycle
from typing import Final

from tests.bench.round_trips import (
    PARTNERS,
    WARM_UP,
    Round,
    Service,
    Trade,
    say,
    service_on,
    settings_folder,
    where_of,
)
from tests.support.postgres import PostgresServer, started_server
from tests.system.trading_kills import prepare

COUNTS: Final = (1, 2)
SAMPLE_SECONDS: Final = 0.05
SHOWN_WAITS: Final = 6
_WAITS: Final = r"""
    SELECT coalesce(wait_event_type || ' ' || wait_event, 'runs')
           || CASE WHEN wait_event_type = 'Lock'
                   THEN coalesce(' of ' || substring(query FROM '(?:INTO|UPDATE|FROM) (\w+)'), '')
                   ELSE '' END,
           count(*)
    FROM pg_stat_activity
    WHERE state = 'active' AND datname = $1 AND pid <> pg_backend_pid()
    GROUP BY 1
"""
"""What the connections wait for; for a lock also the first table that their statement names."""


@dataclass
class Found:
    """The figures of one number of servers and workers."""

    rounds: list[Round] = field(default_factory=list)
    waits: Counter[str] = field(default_factory=Counter)
    """How often a connection that had a statement to run was seen to wait for this, or ran."""

    def median(self, name: str) -> float:
        """Return the median of a figure of the rounds."""
        return statistics.median(float(getattr(each, name)) for each in self.rounds)

    def rows(self, count: int) -> str:
        seen = self.waits.total() or 1
        waits = ", ".join(
            f"{name} {times / seen:.0%}" for name, times in self.waits.most_common(SHOWN_WAITS)
        )
        return (
            f"| {count} + {count} | {self.median('submits_per_second'):.0f} | "
            f"{self.median('trips_per_second'):.0f} | {self.median('trip') * 1e3:.1f} | "
            f"{self.median('database') * 1e3:.1f} | {waits} |"
        )


@asynccontextmanager
async def watched(
    postgres: PostgresServer, database: str, waits: Counter[str]
) -> AsyncIterator[None]:
    """Count what the connections of a database wait for, until the block ends."""

    async def watch() -> None:
        async with postgres.connected(database) as connection:
            while True:
                waits.update(dict(await connection.fetch(_WAITS, database)))
                await asyncio.sleep(SAMPLE_SECONDS)

    watching = asyncio.create_task(watch())
    try:
        yield
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching


async def measure(service: Service, trade: Trade, trips: int) -> Round:
    """Return what one round gives."""
    ours, database = service.cpu_seconds()
    submitted, completed = await trade.run(trips, service.servers[0])
    ours, database = (
        (after - earlier) / trips
        for after, earlier in zip(service.cpu_seconds(), (ours, database), strict=True)
    )
    return Round(0.0, ours, database, trips / submitted, trips / completed)


async def found_with(count: int, postgres: PostgresServer, rounds: int, trips: int) -> Found:
    """Return what so many servers and as many workers give on a new database."""
    name, trade, found = f"scale_{count}", Trade(), Found()
    await postgres.create_database(name)
    arguments = ("--database-url", postgres.url(name))
    partner = await asyncio.start_server(trade.take, "127.0.0.1", 0)
    address = f"http://127.0.0.1:{partner.sockets[0].getsockname()[1]}"
    with settings_folder() as folder:
        trade.market = prepare(folder, address, *arguments, partners=PARTNERS)
        with service_on(folder, arguments, trade.market.key, postgres, count) as service:
            trade.servers = [where_of(each) for each in service.servers]
            wheres = cycle(trade.servers)
            senders = [
                asyncio.create_task(trade.acknowledge(next(wheres))) for _ in range(PARTNERS)
            ]
            await trade.run(WARM_UP, service.servers[0])
            async with watched(postgres, name, found.waits):
                for _ in range(rounds):
                    found.rounds.append(await measure(service, trade, trips))
                    say(f"{count} + {count}: {found.rounds[-1].submits_per_second:.0f} submits/s")
            for sender in senders:
                sender.cancel()
            partner.close()
    return found


def main(rounds: int = 3, trips: int = 300) -> int:
    """Measure and print the figures."""
    with started_server() as postgres:
        found = {count: asyncio.run(found_with(count, postgres, rounds, trips)) for count in COUNTS}
    say(f"load average {os.getloadavg()[0]:.2f}, {os.cpu_count()} cores")
    say(
        "| servers + workers | submits/s | round trips/s | round trip ms | database server ms |"
        " connections |"
    )
    say("|---|--:|--:|--:|--:|---|")
    for count, each in found.items():
        say(each.rows(count))
    one, two = (found[count] for count in COUNTS)
    for name in ("submits_per_second", "trips_per_second"):
        say(f"{name.replace('_', ' ')}: {two.median(name) / one.median(name):.2f} times as many")
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--trips", type=int, default=300)
    given = parser.parse_args()
    sys.exit(main(given.rounds, given.trips))
