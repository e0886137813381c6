"""What the first page of each list costs with a million rows: ``python -m tests.bench.lists``.

``--rows`` asks for another number of rows, ``--postgres`` for the other database.

Each list is asked for as the pages of the service do, with a session, over one connection to the
real server on the loopback: on an empty database, on one with a page of rows and on the large one.
What is told is the least time until the answer is there, of some rounds, and the ratio of the large
one to either other. Nothing is sealed, so that what differs is the database alone.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import closing, nullcontext
from datetime import timedelta
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from typing import Final

import uvloop

from longshore.http.deadlines import Deadlines
from longshore.http.server import HttpServer, listen
from tests.support.clock import START
from tests.support.database import Engine, PostgresEngine, SqliteEngine
from tests.support.long_lists import application, fill
from tests.support.postgres import started_server

ROWS: Final = 1_000_000
PAGE: Final = 50
ROUNDS: Final = 9
_MONTH: Final = (START - timedelta(days=200)).date()
_MONTH_END: Final = _MONTH + timedelta(days=29)
LISTS: Final[Mapping[str, str]] = {
    "transactions": "/api/transactions",
    "transactions: rejected": "/api/transactions?status=rejected",
    "transactions: failures": "/api/transactions?status=failed,invalid,rejected,quarantined",
    "transactions: held (none)": "/api/transactions?status=held",
    "transactions: queued": "/api/transactions?status=queued",
    "transactions: acknowledged": "/api/transactions?status=acknowledged",
    "transactions: received": "/api/transactions?direction=inbound",
    "transactions: partner": "/api/transactions?partner_id=7",
    "transactions: partner and set": "/api/transactions?partner_id=7&tx_set=850",
    "transactions: set": "/api/transactions?tx_set=997",
    "transactions: month": f"/api/transactions?date_from={_MONTH}&date_to={_MONTH_END}",
    "transactions: key": "/api/transactions?business_key=PO-1",
    "transactions: number": "/api/transactions?control_number=000000123",
    "transactions: search, a key": "/api/transactions?q=PO-1",
    "transactions: search, a number": "/api/transactions?q=000000123",
    "transactions: search, a partner": "/api/transactions?q=Partner%207",
    "transactions: search, nothing": "/api/transactions?q=nothing",
    "transactions: 20,000th on": "/api/transactions?offset=20000",
    "acks: owed": "/api/acks?status=pending",
    "acks: received": "/api/acks?status=received",
    "acks: rejected": "/api/acks?result=rejected",
    "acks": "/api/acks",
    "interchanges": "/api/interchanges",
    "interchanges: quarantine": "/api/interchanges?status=quarantined",
    "vault": "/api/vault",
    "partners": "/api/partners",
    "audit": "/api/audit",
    "events": "/api/events?after=0",
    "stats: 30 days": "/api/stats",
    "stats: 90 days": f"/api/stats?from={(START - timedelta(days=89)).date()}",
    "attention": "/api/attention",
}


async def measured(engine: Engine, count: int) -> Mapping[str, float]:
    """Return the least time of each list, in milliseconds."""
    await engine.create()
    await fill(engine, count)
    async with engine.open() as database:
        app, headers = await application(database)
        listener = listen("127.0.0.1", 0)
        started = asyncio.Event()
        server = HttpServer(app, listener, on_started=started.set, deadlines=Deadlines())
        serving = asyncio.create_task(server.serve())
        await started.wait()
        port = listener.getsockname()[1]
        times = await asyncio.to_thread(asked, port, headers)
        server.stop()
        await serving
        return times


def asked(port: int, headers: Mapping[str, str]) -> Mapping[str, float]:
    """Ask for each list some times, and return the least time of each, in milliseconds."""
    with closing(HTTPConnection("127.0.0.1", port)) as connection:
        return {
            name: 1000 * min(_once(connection, path, headers) for _ in range(ROUNDS))
            for name, path in LISTS.items()
        }


def _once(connection: HTTPConnection, path: str, headers: Mapping[str, str]) -> float:
    """Return how many seconds an answer took.

    Raises:
        RuntimeError: It was refused.
    """
    begin = time.perf_counter()
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    body = answer.read()
    took = time.perf_counter() - begin
    if answer.status != HTTPStatus.OK:
        raise RuntimeError(f"{path}: {answer.status} {body!r}")
    return took


def main() -> None:
    """Print what each list costs on each database."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.lists")
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--postgres", action="store_true")
    options = parser.parse_args()
    sizes = (0, PAGE, options.rows)
    times = []
    with started_server() if options.postgres else nullcontext() as server:
        for size in sizes:
            with tempfile.TemporaryDirectory() as place:
                engine = SqliteEngine(Path(place)) if server is None else PostgresEngine(server)
                with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                    times.append(runner.run(measured(engine, size)))
    sys.stdout.write(f"{'milliseconds with rows':34}" + "".join(f"{size:>12,}" for size in sizes))
    sys.stdout.write("  to the first, to the second\n")
    for name in LISTS:
        empty, page, large = (each[name] for each in times)
        sys.stdout.write(f"{name:34}{empty:12.2f}{page:12.2f}{large:12.2f}")
        sys.stdout.write(f"{large / empty:12.1f} x{large / page:12.1f} x\n")


if __name__ == "__main__":
    main()
