"""How many SQL statements and units each step of a round trip takes.

A round trip is an order submitted and delivered, and the partner's 997 received and processed.
"""

from collections import Counter
from collections.abc import Awaitable, Mapping, Sequence
from typing import Any

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.inbound.intake import Incoming, IncomingDocument
from longshore.domain.partners.model import PartnerStatus
from longshore.storage.postgres.statements import AsyncpgSql
from longshore.storage.queries import Row, SqlValue
from longshore.storage.sqlite.statements import SqliteSql
from tests.support.clock import StoppedClock
from tests.support.database import Database, Engine, PostgresEngine
from tests.support.exchange import ORDER, PEER_IP, Exchange, an_exchange, letter
from tests.support.trading import SANDBOX
from tests.unit.x12.documents import a_set

UNITS = "units"
ACCEPTED = ("AK1*PO*2", "AK2*850*0001", "AK5*A", "AK9*A*1*1*1")
EXPECTED = {
    "submit": (2, 21),
    "claim": (1, 1),
    "deliver": (2, 28),
    "receive": (3, 10),
    "process": (4, 36),
}
"""Units and statements of each step on SQLite.

One unit of the last step asks which definitions the account imported, as each process does at most
once in five seconds for an account.
"""
AT_THE_END = {"submit": 3, "claim": 0, "deliver": 5, "receive": 1, "process": 6}
"""How many of them PostgreSQL makes in the call that commits: draws of positions, events, audit
entries without details, and the storage that was used. So no unit that waits for these rows waits
for a process.
"""


class Counted:
    """The statements that units have run, by name, and the units."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.counts: Counter[str] = Counter()
        for engine in (SqliteSql, AsyncpgSql):
            self._watch(monkeypatch, engine)

    def _watch(self, monkeypatch: pytest.MonkeyPatch, engine: type[Any]) -> None:
        begin, fetch_one, fetch_all = engine.__init__, engine.fetch_one, engine.fetch_all
        execute, execute_for_each = engine.execute, engine.execute_for_each

        def begun(sql: object, *given: object, **named: object) -> None:
            self.counts[UNITS] += 1
            begin(sql, *given, **named)

        async def one(sql: object, name: str, /, **values: SqlValue) -> Row | None:
            self.counts[name] += 1
            row: Row | None = await fetch_one(sql, name, **values)
            return row

        async def every(sql: object, name: str, /, **values: SqlValue) -> Sequence[Row]:
            self.counts[name] += 1
            rows: Sequence[Row] = await fetch_all(sql, name, **values)
            return rows

        async def run(sql: object, name: str, /, **values: SqlValue) -> None:
            self.counts[name] += 1
            await execute(sql, name, **values)

        async def run_each(sql: object, name: str, rows: Sequence[Mapping[str, SqlValue]]) -> None:
            self.counts[name] += 1
            await execute_for_each(sql, name, rows)

        monkeypatch.setattr(engine, "__init__", begun)
        monkeypatch.setattr(engine, "fetch_one", one)
        monkeypatch.setattr(engine, "fetch_all", every)
        monkeypatch.setattr(engine, "execute", run)
        monkeypatch.setattr(engine, "execute_for_each", run_each)

    async def of(self, step: Awaitable[object]) -> tuple[int, int]:
        """Return how many units and statements a step takes."""
        self.counts.clear()
        await step
        units = self.counts.pop(UNITS)
        return units, self.counts.total()


async def received(exchange: Exchange) -> None:
    """Take the partner's 997 in, as the HTTP service does."""
    ack = letter("FA", a_set(*ACCEPTED, set_id="997"), head={"e13": "000000900"})
    channel = await exchange.trading.intake.channel(f"{SANDBOX.value} token", PEER_IP)
    document = IncomingDocument(content=ack.encode())
    await exchange.trading.intake.receive(channel, Incoming(documents=(document,)))


@pytest.mark.full("a whole round trip with all services")
async def test_each_step_of_a_round_trip_takes_so_many_statements(
    engine: Engine,
    database: Database,
    clock: StoppedClock,
    accounts: AccountService,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await accounts.create("own", AccountType.ENTERPRISE)
    exchange = await an_exchange(database, clock, status=PartnerStatus.TESTING)
    content = "~".join(ORDER) + "~"
    await exchange.send(content)  # what is done once for a partner
    worker, counted, found = exchange.worker, Counted(monkeypatch), {}
    found["submit"] = await counted.of(exchange.submit(content))
    found["claim"] = await counted.of(worker.claim())
    (entry,) = await worker.leased()
    found["deliver"] = await counted.of(worker.do(entry))
    found["receive"] = await counted.of(received(exchange))
    (entry,) = await worker.claim()
    found["process"] = await counted.of(worker.do(entry))
    assert await exchange.ack_states() == [("delivered", "pending"), ("delivered", "accepted")]
    if isinstance(engine, PostgresEngine):
        found = {step: (units, count + AT_THE_END[step]) for step, (units, count) in found.items()}
    assert found == EXPECTED
