"""What an overload does to others: ``python -m tests.bench.overload``, some minutes on two cores.

A server with a backlog of deliveries gets five times as many submits as it can store. Compared with
the same server in quiet, in one run and on both databases: how long accepted submits take, how long
a ping of another client takes, and which part of their rate deliveries keep. That rate is measured
before and after the load: on a machine that others use as well it changes from moment to moment.
"""

import asyncio
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypedDict, TypeVar

import msgspec

from longshore.background import trading_ports
from longshore.compute.inline import InlineCompute
from longshore.database import OpenSealer, open_any_database, open_sealer
from longshore.domain.outbound.submission import SubmitOrder
from longshore.domain.partners.model import Direction
from longshore.domain.partners.parser import read_partner
from longshore.domain.ports import AccountId, RequestContext
from longshore.domain.trading import open_trading
from longshore.kit.environment import Environment
from longshore.settings import Settings
from tests.bench.submits import report
from tests.support.postgres import PostgresServer, started_server
from tests.system.server import Server, clean_environment, serving, working

T = TypeVar("T")

TIMES: Final = 5
PARTNERS: Final = 8
BACKLOG: Final = 6_000
SUBMITTERS: Final = 32
QUIET_SECONDS: Final = 4.0
SECONDS: Final = 8.0

MAX_WAIT_SECONDS: Final = 2.0
MAX_PING_SECONDS: Final = 0.1
LEAST_DELIVERIES: Final = 0.5

AN_850: Final = "ST*850*0001~BEG*00*SA*PO-{}**20240115~PO1*1*1*EA*9.25**VP*A1~CTT*1~SE*5*0001~"


@dataclass(frozen=True)
class Scene:
    """A running server and what is asked of it."""

    server: Server
    key: str
    partner_ids: list[int]

    @property
    def port(self) -> int:
        return int(self.server.address.rpartition(":")[2])

    def request(self, method: str, path: str, body: object = None) -> bytes:
        content = b"" if body is None else json.dumps(body).encode()
        lines = [f"{method} {path} HTTP/1.1", "Host: x", f"Authorization: Bearer {self.key}"]
        if content:
            lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
        return "\r\n".join([*lines, "", ""]).encode() + content

    def submit(self) -> bytes:
        order = {"partner_id": self.partner_ids[0], "tx_set": "850", "direction": "outbound"}
        return self.request(
            "POST", "/api/v1/transactions/submit", {**order, "content": AN_850.format("flood")}
        )

    def delivered(self) -> int:
        status, answer = self.server.call(
            "GET", "/api/v1/transactions?delivery_status=delivered&limit=1", self.key
        )
        assert status == 200, answer
        return int(answer["total"])

    def delivered_per_second(self, seconds: float) -> float:
        before, begun = self.delivered(), time.perf_counter()
        time.sleep(seconds)
        return (self.delivered() - before) / (time.perf_counter() - begun)


@contextmanager
def flooding(scene: Scene, request: bytes, *pace: float) -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.bench.flood", str(scene.port), *map(str, pace)],
        env=clean_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin
    process.stdin.write(b"%d\n%b" % (len(request), request))
    process.stdin.flush()
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


class Load(TypedDict):
    """The answers to submits at a stated rate: seconds of the accepted ones, counts by status."""

    waits: list[float]
    statuses: dict[str, int]


def printed(process: "subprocess.Popen[bytes]", form: type[T]) -> T:
    """Return what a process prints until it ends, as JSON of this form."""
    return msgspec.json.decode(process.communicate(timeout=120)[0], type=form)


def p95(waits: list[float]) -> float:
    return sorted(waits)[len(waits) * 95 // 100]


# ---- what is there before ------------------------------------------------------------------------


async def fill(settings: Settings, opened: OpenSealer, count: int) -> list[int]:
    """Make partners, and documents for them that nobody delivers yet; return the partners' ids."""
    waiting = iter(range(count))
    context = RequestContext(
        account_id=AccountId(1), environment=Environment.SANDBOX, actor="operator"
    )
    async with open_any_database(settings) as database:
        with closing(InlineCompute()) as compute:
            trading = open_trading(trading_ports(settings, database, opened, compute, compute))
            partner_ids = []
            for number in range(PARTNERS):
                members = {"isa_qualifier": "ZZ", "isa_id": f"BENCH{number}"}
                connections = {"test": {"type": "simulator"}}
                given = {"name": f"Bench {number}", "connections": connections, **members}
                known = await trading.partners.create(context, read_partner(given, is_new=True))
                partner_ids.append(known.partner.id)

            async def client() -> None:
                for number in waiting:
                    order = SubmitOrder(
                        partner_id=partner_ids[number % PARTNERS],
                        tx_set="850",
                        direction=Direction.OUTBOUND,
                        content=AN_850.format(number),
                    )
                    await trading.submissions.submit(context, order)

            await asyncio.gather(*(client() for _ in range(SUBMITTERS)))
    return list(map(int, partner_ids))


# ---- what is measured ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Found:
    """The figures of one database."""

    name: str
    capacity: float
    deliveries: tuple[float, float]
    pings: tuple[list[float], list[float]]
    waits: list[float]
    statuses: dict[str, int]

    def verdicts(self) -> Iterator[tuple[str, bool]]:
        """Yield a line for each figure, and whether it is good enough."""
        offered = TIMES * self.capacity
        yield f"{self.name}: stores {self.capacity:.0f} a second, offered {offered:.0f}", True
        yield f"  answers {self.statuses}", "503" in self.statuses
        wait = p95(self.waits)
        line = f"  accepted: p95 {wait:.2f} s, longest {max(self.waits):.2f} s"
        yield line, max(self.waits) <= MAX_WAIT_SECONDS
        quiet, loaded = map(p95, self.pings)
        line = f"  ping p95: {loaded * 1e3:.1f} ms, {loaded / quiet:.1f} times as in quiet"
        yield line, loaded <= MAX_PING_SECONDS
        part = self.deliveries[1] / self.deliveries[0]
        rates = "{:.0f} a second, in quiet {:.0f}".format(*reversed(self.deliveries))
        yield f"  deliveries: {part:.2f} of their rate ({rates})", part >= LEAST_DELIVERIES


def measure(name: str, folder: Path, url: str = "") -> Found:
    """Return the figures of a database that is empty."""
    folder.mkdir()
    (folder / "longshore.toml").write_text('log_level = "warning"\n')
    arguments = ("--database-url", url) if url else ()
    as_fast_as_it_can = {"LONGSHORE_LATE_DELIVERY_SECONDS": "3600"}
    with serving(folder, *arguments, is_measured=False, environment=as_fast_as_it_can) as server:
        found = re.search(r"svc_test_[0-9A-Za-z]{36}", server.printed)
        assert found
        capacity, quiet_pings = _in_quiet(Scene(server, found[0], [1]))
        server.stop()
    settings = Settings(data_dir=folder / "data", database_url=url)
    partner_ids = asyncio.run(fill(settings, open_sealer(settings), BACKLOG))
    with ExitStack() as opened:
        server = opened.enter_context(serving(folder, *arguments, is_measured=False))
        scene = Scene(server, found[0], partner_ids)
        if url:
            opened.enter_context(working(folder, *arguments))
            time.sleep(2.0)
        return _under_load(name, scene, capacity, quiet_pings)


def _in_quiet(scene: Scene) -> tuple[float, list[float]]:
    """Return how many documents are stored in a second, and how long pings take."""
    with flooding(scene, scene.request("GET", "/api/v1/ping")) as pinging:
        time.sleep(1.0)
        pings = printed(pinging, list[float])
    with flooding(scene, scene.submit(), 0, QUIET_SECONDS) as submitting:
        load = printed(submitting, Load)
    return len(load["waits"]) / QUIET_SECONDS, pings


def _under_load(name: str, scene: Scene, capacity: float, quiet_pings: list[float]) -> Found:
    quiet = scene.delivered_per_second(QUIET_SECONDS)
    with (
        flooding(scene, scene.request("GET", "/api/v1/ping")) as pinging,
        flooding(scene, scene.submit(), TIMES * capacity, SECONDS) as submitting,
    ):
        time.sleep(1.0)  # until the other processes have begun
        loaded = scene.delivered_per_second(SECONDS - 2.0)
        load, pings = printed(submitting, Load), printed(pinging, list[float])
    quiet = (quiet + scene.delivered_per_second(QUIET_SECONDS)) / 2
    return Found(
        name=name,
        capacity=capacity,
        deliveries=(quiet, loaded),
        pings=(quiet_pings, pings),
        waits=load["waits"],
        statuses=load["statuses"],
    )


def on_postgres(server: PostgresServer, folder: Path) -> Found:
    """Measure on a database of a PostgreSQL server."""
    asyncio.run(server.create_database("overload"))
    return measure("PostgreSQL", folder, server.url("overload"))


def main() -> int:
    """Print the figures; return 1 if one is not good enough."""
    is_good = True
    with tempfile.TemporaryDirectory() as name, started_server() as server:
        for found in (
            measure("SQLite", Path(name) / "sqlite"),
            on_postgres(server, Path(name) / "postgres"),
        ):
            for line, is_enough in found.verdicts():
                report(line if is_enough else f"{line}  MISSED")
                is_good = is_good and is_enough
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
