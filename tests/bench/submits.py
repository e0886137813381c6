"""What submitting costs, and whether deliveries keep up: ``python -m tests.bench.submits``.

On SQLite 64 clients submit at once: how many submits one fsync makes durable is counted; the write
units of the same submits are then run with a commit for each, and as they are grouped. On both
databases the outbox is drained by a worker whose partners take everything.
"""

import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import apsw

from longshore.domain.accounts.service import AccountService
from longshore.domain.delivery.model import OutboxEntry
from longshore.domain.delivery.ports import Transport
from longshore.domain.outbound.submission import SubmitOrder
from longshore.domain.partners.connections import ConnectionType
from longshore.domain.partners.model import Direction, PartnerId
from longshore.domain.ports import Scope
from longshore.storage.sqlite import writer as writers
from tests.support.clock import StoppedClock
from tests.support.database import Database, Engine, PostgresEngine, SqliteEngine
from tests.support.dispatch import Destination, a_worker
from tests.support.postgres import PostgresServer, started_server
from tests.support.submitting import CTT, PO1, SubmitSetup, a_set, a_submit_setup, context

CLIENTS: Final = 64
PARTNERS: Final = 64
SUBMITS: Final = 1_024
LEAST_SUBMITS_PER_SYNC: Final = 8
LEAST_GAIN: Final = 3.0
LEAST_DRAIN: Final = 1.0
SYNCS_TIMED: Final = 200


class CountingDisk(apsw.VFS):
    """The usual file system; counts how often it is answer to make something durable."""

    def __init__(self) -> None:
        super().__init__("counting", "unix")
        self.syncs = 0

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 - as SQLite calls it
        return _CountingFile(self, name, flags)


class _CountingFile(apsw.VFSFile):
    def __init__(
        self, disk: CountingDisk, name: str | apsw.URIFilename | None, flags: list[int]
    ) -> None:
        super().__init__("unix", name, flags)
        self._disk = disk

    def xSync(self, flags: int) -> None:  # noqa: N802 - as SQLite calls it
        self._disk.syncs += 1
        super().xSync(flags)


class Gate:
    """A database whose writes wait until it is opened, so that nothing else is timed with them."""

    def __init__(self, database: Database, expected: int) -> None:
        self._units = database.units
        self._opened = asyncio.Event()
        self._expected = expected
        self.all_waiting = asyncio.Event()

    @property
    def units(self) -> "Gate":
        """Return itself, in the place of the units."""
        return self

    # Any: whatever the unit returns.
    async def read(self, scope: Scope, work: Callable[[Any], Coroutine[object, None, Any]]) -> Any:  # noqa: ANN401 - see above
        return await self._units.read(scope, work)

    async def write(self, scope: Scope, work: Callable[[Any], Coroutine[object, None, Any]]) -> Any:  # noqa: ANN401 - see above
        self._expected -= 1
        if self._expected == 0:
            self.all_waiting.set()
        await self._opened.wait()
        return await self._units.write(scope, work)

    def open(self) -> None:
        """Let all writes begin."""
        self._opened.set()


def orders(partners: list[PartnerId], count: int) -> Iterator[SubmitOrder]:
    """Yield as many documents to be submitted."""
    for number in range(count):
        yield SubmitOrder(
            partner_id=partners[number % PARTNERS],
            tx_set="850",
            direction=Direction.OUTBOUND,
            content=a_set(f"BEG*00*SA*PO-{number}**20240115", PO1, CTT),
        )


async def a_market(database: Database, engine: Engine) -> tuple[SubmitSetup, list[PartnerId]]:
    """Return a setup and the partners to submit to."""
    clock = StoppedClock()
    accounts = AccountService(database.units, clock, database.revocations)
    setup = await a_submit_setup(database, engine, clock, accounts)
    return setup, [await setup.partner(f"Partner {number}") for number in range(PARTNERS)]


async def submit_all(setup: SubmitSetup, partners: list[PartnerId], count: int) -> float:
    """Submit from ``CLIENTS`` tasks; return the seconds."""
    waiting = orders(partners, count)

    async def client() -> None:
        for order in waiting:
            await setup.service.submit(context(), order)

    begun = time.perf_counter()
    await asyncio.gather(*(client() for _ in range(CLIENTS)))
    return time.perf_counter() - begun


async def write_all(setup: SubmitSetup, partners: list[PartnerId], count: int) -> float:
    """Return the seconds that the write units of so many submits take, all there at once."""
    gate = Gate(setup.database, count)
    service = setup.served(gate)  # type: ignore[arg-type]  # it has the units of one
    async with asyncio.TaskGroup() as tasks:
        for order in orders(partners, count):
            tasks.create_task(service.submit(context(), order))
        await gate.all_waiting.wait()
        begun = time.perf_counter()
        gate.open()
    return time.perf_counter() - begun


async def drain(setup: SubmitSetup, count: int) -> float:
    """Deliver everything to partners that take it at once; return the seconds."""
    taking: Mapping[ConnectionType, Transport] = {ConnectionType.SIMULATOR: Destination()}
    worker = a_worker(setup.database, setup.clock, Destination(), others=taking)
    delivered, begun = 0, time.perf_counter()

    async def deliver(claimed: OutboxEntry) -> int:
        """Deliver an entry, and what has waited for it."""
        following, done = await worker.do(claimed), 1
        while following is not None:
            following, done = await worker.do(following), done + 1
        return done

    while delivered < count:
        delivered += sum(await asyncio.gather(*map(deliver, await worker.claim(PARTNERS))))
    return time.perf_counter() - begun


# ---- what is measured ----------------------------------------------------------------------------


@asynccontextmanager
async def market_in(folder: Path) -> AsyncIterator[tuple[SubmitSetup, list[PartnerId]]]:
    """Open a new SQLite database with partners in it."""
    engine = SqliteEngine(folder)
    await engine.create()
    async with engine.open() as database:
        yield await a_market(database, engine)


async def submits_per_sync(folder: Path) -> float:
    """Return how many submits of ``CLIENTS`` clients one fsync makes durable."""
    disk = CountingDisk()
    apsw.set_default_vfs("counting")
    async with market_in(folder) as (setup, partners):
        before = disk.syncs
        await submit_all(setup, partners, SUBMITS)
        syncs = disk.syncs - before
    apsw.set_default_vfs("unix")
    return SUBMITS / syncs


async def gain_of_groups(folder: Path) -> float:
    """Return how many times faster the same units are than with a commit for each."""
    seconds = {}
    for most in (1, writers.MAX_GROUP_UNITS):
        vars(writers)["MAX_GROUP_UNITS"] = most
        async with market_in(folder / str(most)) as (setup, partners):
            await write_all(setup, partners, CLIENTS)  # what is done once
            seconds[most] = await write_all(setup, partners, SUBMITS)
    return seconds[1] / seconds[writers.MAX_GROUP_UNITS]


async def drain_rate(setup: SubmitSetup, partners: list[PartnerId]) -> float:
    """Return how many times faster documents are delivered than accepted."""
    accepting = await submit_all(setup, partners, SUBMITS)
    return accepting / await drain(setup, SUBMITS)


async def drain_on_sqlite(folder: Path) -> float:
    async with market_in(folder) as (setup, partners):
        return await drain_rate(setup, partners)


async def drain_on_postgres(server: PostgresServer) -> float:
    engine = PostgresEngine(server)
    await engine.create()
    async with engine.open() as database:
        return await drain_rate(*await a_market(database, engine))


def sync_seconds(folder: Path) -> float:
    """Return the median of an fdatasync of a page."""
    found = []
    with (folder / "sync").open("wb", buffering=0) as file:
        for _ in range(SYNCS_TIMED):
            file.write(bytes(4_096))
            begun = time.perf_counter()
            os.fdatasync(file.fileno())
            found.append(time.perf_counter() - begun)
    return statistics.median(found)


@dataclass(frozen=True)
class Figure:
    """A ratio, and what it must at least be."""

    name: str
    value: float
    goal: float

    def __str__(self) -> str:
        verdict = "ok" if self.value >= self.goal else "MISSED"
        return f"{self.name:58} {self.value:8.2f}  (at least {self.goal:g})  {verdict}"


def report(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def main() -> int:
    """Print the figures; return 1 if one misses its goal."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        report(f"fdatasync of a page, median: {sync_seconds(folder) * 1e3:.3f} ms")
        figures = [
            Figure(
                f"SQLite, {CLIENTS} clients: submits by one fsync",
                asyncio.run(submits_per_sync(folder / "syncs")),
                LEAST_SUBMITS_PER_SYNC,
            ),
            Figure(
                "SQLite: units grouped, times as fast as a commit for each",
                asyncio.run(gain_of_groups(folder / "gain")),
                LEAST_GAIN,
            ),
            Figure(
                "SQLite: delivered, times as fast as accepted",
                asyncio.run(drain_on_sqlite(folder / "drain")),
                LEAST_DRAIN,
            ),
        ]
        with started_server() as server:
            rate = asyncio.run(drain_on_postgres(server))
        figures.append(
            Figure("PostgreSQL: delivered, times as fast as accepted", rate, LEAST_DRAIN)
        )
    for figure in figures:
        report(str(figure))
    return int(any(figure.value < figure.goal for figure in figures))


if __name__ == "__main__":
    sys.exit(main())
