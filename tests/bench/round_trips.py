"""CPU of a round trip as a ratio to a ping's: ``python -m tests.bench.round_trips``.

A round trip is one document from its submit until its acknowledgement is matched: the request is
answered, a worker posts the document to the partner, the partner posts a 997 to its inbound URL,
and a worker processes that. The figure is user and system time of all processes of Longshore; what
a PostgreSQL server needs is printed apart. Pings are asked of the same server, between the rounds.

On PostgreSQL two servers and two workers share the database, and the submits answered in a second
are printed with the round trips completed in one: both say as much of the machine.
"""

import argparse
import asyncio
import json
import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import count, cycle
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from tests.bench.http import TOLERANCE, send
from tests.bench.servers import Target, cpu_seconds_of
from tests.support.postgres import PostgresServer, started_server
from tests.system.server import Server, serving, working
from tests.system.trading_kills import Market, Partner, an_order, prepare

CLIENTS: Final = 16
PARTNERS: Final = 8
WARM_UP: Final = 64
PINGS: Final = 3_000
MAX_PINGS: Final[Mapping[str, float | None]] = {"SQLite": 70.0, "PostgreSQL": None}
"""Most pings that the CPU of a round trip may be; None to inform."""
REFUSED_SECONDS: Final = 0.5
PATIENCE_SECONDS: Final = 120
_GS06: Final = re.compile(rb"~GS\*PO\*(?:[^*]*\*){4}([0-9]+)\*")
_BODY_LENGTH: Final = re.compile(rb"\r\ncontent-length: *([0-9]+)\r\n", re.IGNORECASE)

Where = tuple[str, int]


def acknowledgement(document: bytes, partner: Partner, control: int) -> bytes:
    """Return the 997 by which a partner accepts a document with one set."""
    found = _GS06.search(document)
    assert found, document
    envelope = (
        f"ISA*00*{'':10}*00*{'':10}*01*{partner.isa_id:15}*ZZ*{'DEMO':15}"
        f"*260115*1405*^*00401*{control:09}*0*T*>~"
        f"GS*FA*{partner.gs_id}*DEMO*20260115*1405*{control}*X*004010~"
    )
    body = f"ST*997*0001~AK1*PO*{found[1].decode()}~AK2*850*0001~AK5*A~AK9*A*1*1*1~SE*6*0001~"
    return f"{envelope}{body}GE*1*{control}~IEA*1*{control:09}~".encode()


class Caller:
    """A connection that is kept, on which one request follows another."""

    def __init__(self, where: Where) -> None:
        self._where = where
        self.refusals = 0
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, path: str, headers: str, body: bytes) -> dict[str, object]:
        """Return the answer 200 to a request, which is repeated while the server is overloaded."""
        if self._streams is None:
            self._streams = await asyncio.open_connection(*self._where)
        reader, writer = self._streams
        head = f"POST {path} HTTP/1.1\r\nHost: {self._where[0]}:{self._where[1]}\r\n{headers}"
        while True:
            writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
            answer_head = await reader.readuntil(b"\r\n\r\n")
            length = _BODY_LENGTH.search(answer_head)
            assert length, answer_head
            answer = await reader.readexactly(int(length[1]))
            if answer_head[9:12] == b"200":
                found: dict[str, object] = json.loads(answer)
                return found
            assert answer_head[9:12] == b"503", answer
            self.refusals += 1
            await asyncio.sleep(REFUSED_SECONDS)

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()


@dataclass
class Trade:
    """Clients that submit, and partners that take every document and acknowledge it."""

    market: Market = field(default_factory=lambda: Market((), "", ()))
    servers: Sequence[Where] = ()
    documents: Iterator[int] = field(default_factory=count)
    controls: Iterator[int] = field(default_factory=lambda: count(1))
    acknowledged: int = 0
    callers: list[Caller] = field(default_factory=list)
    to_send: asyncio.Queue[tuple[Partner, bytes]] = field(default_factory=asyncio.Queue)

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer what is posted to the partners with 200, and acknowledge it afterwards."""
        by_path = {partner.path.encode(): partner for partner in self.market.partners}
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = _BODY_LENGTH.search(head)
                assert length, head
                document = await reader.readexactly(int(length[1]))
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                self.to_send.put_nowait((by_path[head.split(b" ")[1]], document))
        except asyncio.IncompleteReadError:
            writer.close()

    async def acknowledge(self, where: Where) -> None:
        """Post the acknowledgements of the documents that were taken."""
        caller = Caller(where)
        self.callers.append(caller)
        while True:
            partner, document = await self.to_send.get()
            content = acknowledgement(document, partner, next(self.controls))
            headers = "Content-Type: application/edi-x12\r\n"
            await caller.post(partner.inbound_path, headers, content)
            self.acknowledged += 1

    async def submit(self, where: Where, numbers: Iterator[int]) -> None:
        """Submit a document for each number."""
        caller = Caller(where)
        self.callers.append(caller)
        key = f"Authorization: Bearer {self.market.key}\r\nContent-Type: application/json\r\n"
        for number in numbers:
            body = {
                "partner_id": self.market.partners[number % PARTNERS].id,
                "tx_set": "850",
                "direction": "outbound",
                "content": an_order(f"PO-{number}"),
            }
            await caller.post("/api/v1/transactions/submit", key, json.dumps(body).encode())
        caller.close()

    async def run(self, trips: int, server: Server) -> tuple[float, float]:
        """Make round trips; return the seconds until all were submitted, and were complete."""
        numbers = iter([next(self.documents) for _ in range(trips)])
        before, begun = self.acknowledged, time.perf_counter()
        wheres = cycle(self.servers)
        async with asyncio.TaskGroup() as clients:
            for _ in range(CLIENTS):
                clients.create_task(self.submit(next(wheres), numbers))
        submitted = time.perf_counter() - begun
        while self.acknowledged < before + trips or self._awaited(server):
            assert time.perf_counter() - begun < PATIENCE_SECONDS
            await asyncio.sleep(0.5)
        return submitted, time.perf_counter() - begun

    def _awaited(self, server: Server) -> int:
        """Return how many acknowledgements are not matched yet."""
        path = "/api/v1/acks?status=pending&limit=1"
        return int(server.call("GET", path, self.market.key)[1]["total"])


@dataclass
class Round:
    """What one round gave: CPU seconds of a ping and of a round trip, and rates."""

    ping: float
    trip: float
    database: float
    submits_per_second: float
    trips_per_second: float


@dataclass(frozen=True)
class Service:
    """Running processes of Longshore on one database."""

    servers: Sequence[Server]
    pids: Sequence[int]
    """All processes of Longshore, the servers first."""
    pinged: Target
    database_pid: int | None = None

    def cpu_seconds(self) -> tuple[float, float]:
        """Return the CPU time so far of all processes of Longshore, and of the database server."""
        of_database = 0.0 if self.database_pid is None else cpu_seconds_of(self.database_pid)
        return sum(map(cpu_seconds_of, self.pids)), of_database


def where_of(server: Server) -> Where:
    """Return host and port."""
    parts = urlsplit(server.address)
    return str(parts.hostname), int(parts.port or 0)


async def measure(service: Service, trade: Trade, trips: int) -> Round:
    """Return what one round gives."""
    request = service.pinged.request("GET", "/api/v1/ping")
    send(service.pinged, request, PINGS // 10)
    before = service.pinged.cpu_seconds()
    send(service.pinged, request, PINGS)
    of_ping = (service.pinged.cpu_seconds() - before) / PINGS
    await trade.run(WARM_UP, service.servers[0])
    ours, database = service.cpu_seconds()
    submitted, completed = await trade.run(trips, service.servers[0])
    ours, database = (
        (after - earlier) / trips
        for after, earlier in zip(service.cpu_seconds(), (ours, database), strict=True)
    )
    found = Round(of_ping, ours, database, trips / submitted, trips / completed)
    say(
        f"round: ping {of_ping * 1e6:.0f} us, trip {ours * 1e3:.2f} ms, {ours / of_ping:.1f} times,"
        f" database server {database * 1e3:.2f} ms;"
        f" so far {sum(each.refusals for each in trade.callers)} requests refused with 503"
    )
    return found


@contextmanager
def service_on(
    folder: Path,
    arguments: Sequence[str],
    key: str,
    postgres: PostgresServer | None,
    each_kind: int,
) -> Iterator[Service]:
    """Start so many servers and, on PostgreSQL, as many workers."""
    with ExitStack() as running:
        servers = [
            running.enter_context(serving(folder, *arguments, is_measured=False))
            for _ in range(each_kind)
        ]
        pids, database_pid = [each.process.pid for each in servers], None
        if postgres is not None:
            workers = [running.enter_context(working(folder, *arguments)) for _ in range(each_kind)]
            pids += [each.pid for each in workers]
            written = (postgres.data / "postmaster.pid").read_text(encoding="utf-8")
            database_pid = int(written.splitlines()[0])
        pinged = Target("longshore", servers[0].process, where_of(servers[0])[1], key)
        yield Service(servers, pids, pinged, database_pid)


async def rounds_on(
    folder: Path, rounds: int, trips: int, postgres: PostgresServer | None = None
) -> list[Round]:
    """Return what the rounds give on a new database; ``folder`` has the settings."""
    arguments: tuple[str, ...] = ()
    if postgres is not None:
        await postgres.create_database("trips")
        arguments = ("--database-url", postgres.url("trips"))
    trade = Trade()
    partner = await asyncio.start_server(trade.take, "127.0.0.1", 0)
    address = f"http://127.0.0.1:{partner.sockets[0].getsockname()[1]}"
    trade.market = prepare(folder, address, *arguments, partners=PARTNERS)
    each_kind = 1 if postgres is None else 2
    with service_on(folder, arguments, trade.market.key, postgres, each_kind) as service:
        trade.servers = [where_of(each) for each in service.servers]
        wheres = cycle(trade.servers)
        senders = [asyncio.create_task(trade.acknowledge(next(wheres))) for _ in range(PARTNERS)]
        found = [await measure(service, trade, trips) for _ in range(rounds)]
        for sender in senders:
            sender.cancel()
        partner.close()
    return found


def row_of(database: str, rounds: Sequence[Round], limit: float | None, verdict: str) -> str:
    """Return the medians of a database as a row of the table."""
    ratios = [each.trip / each.ping for each in rounds]
    ping, trip, of_database, submits, trips = (
        statistics.median(getattr(each, name) for each in rounds)
        for name in ("ping", "trip", "database", "submits_per_second", "trips_per_second")
    )
    return (
        f"| {database} | {ping * 1e6:.0f} | {trip * 1e3:.2f} | {statistics.median(ratios):.1f} | "
        f"{min(ratios):.1f}-{max(ratios):.1f} | {'' if limit is None else f'{limit:g}'} | "
        f"{of_database * 1e3:.2f} | {submits:.0f} | {trips:.0f} | {verdict} |"
    )


@contextmanager
def settings_folder() -> Iterator[Path]:
    """Yield a folder with settings by which documents may be sent to this machine."""
    with tempfile.TemporaryDirectory(prefix="longshore-bench-") as name:
        settings = 'allowed_networks = ["127.0.0.0/8"]\n'
        (Path(name) / "longshore.toml").write_text(settings, encoding="utf-8")
        yield Path(name)


def main(rounds: int = 3, trips: int = 400, only: str = "", tolerance: float = TOLERANCE) -> int:
    """Measure, print the figures, compare them with the goals; return the exit code."""
    found: dict[str, list[Round]] = {}
    if only in "sqlite":
        with settings_folder() as folder:
            found["SQLite"] = asyncio.run(rounds_on(folder, rounds, trips))
    if only in "postgres":
        with settings_folder() as folder, started_server() as server:
            found["PostgreSQL"] = asyncio.run(rounds_on(folder, rounds, trips, server))
    say(f"CPU of a round trip against a ping's; load average {os.getloadavg()[0]:.2f}")
    say(
        "| database | ping us | round trip ms | ratio | rounds | at most | database server ms | "
        "submits/s | round trips/s | |"
    )
    say("|---|--:|--:|--:|--:|--:|--:|--:|--:|---|")
    is_missed = False
    for database, of_rounds in found.items():
        limit = MAX_PINGS[database]
        ratios = [each.trip / each.ping for each in of_rounds]
        is_over = limit is not None and statistics.median(ratios) > limit * tolerance
        say(row_of(database, of_rounds, limit, "MISSED" if is_over else ""))
        is_missed |= is_over
    return int(is_missed)


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--trips", type=int, default=400)
    parser.add_argument("--only", default="", choices=("", "sqlite", "postgres"))
    given = parser.parse_args()
    sys.exit(main(given.rounds, given.trips, given.only))
