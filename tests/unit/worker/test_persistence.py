"""A worker whose database goes away, over real SQLite: nothing is sent twice, nothing waits."""

from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import TypeVar

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.delivery.ports import OutboundMessage, Sent
from longshore.domain.ports import SYSTEM, Scope
from longshore.domain.units import ReadUnit, Units, WriteUnit
from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.worker.persistence import PersistentUnits
from longshore.worker.runner import Runner
from tests.support.clock import StoppedClock
from tests.support.database import CountedUnits, Database, SqliteEngine
from tests.support.dispatch import Destination, Order, a_trading_partner, a_worker, queued, seen
from tests.unit.worker.test_runner import QUICK, running, until, until_states

T = TypeVar("T")


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    engine = SqliteEngine(tmp_path / "data")
    await engine.create()
    async with engine.open() as database:
        accounts = AccountService(database.units, StoppedClock(), database.revocations)
        await accounts.create("own", AccountType.ENTERPRISE)
        yield database


class Away(CountedUnits):
    """Units of which some fail: ``lost`` writes after their commit, ``absent`` ones before."""

    def __init__(
        self,
        units: Units,
        *,
        lost: frozenset[int] = frozenset(),
        absent: int = 0,
        code: ErrorCode = ErrorCode.STORAGE_UNAVAILABLE,
    ) -> None:
        super().__init__(units)
        self._lost = lost
        self._absent = absent
        self._code = code

    async def read(self, scope: Scope, work: Callable[[ReadUnit], Coroutine[object, None, T]]) -> T:
        if self.reads < self._absent:
            self.reads += 1
            raise LongshoreError(self._code, "not now")
        return await super().read(scope, work)

    async def write(
        self, scope: Scope, work: Callable[[WriteUnit], Coroutine[object, None, T]]
    ) -> T:
        outcome = await super().write(scope, work)
        if self.writes in self._lost:
            raise LongshoreError(self._code, "perhaps")
        return outcome


async def nothing(_: object) -> str:
    return "read"


@pytest.mark.parametrize(
    ("lost", "outcomes"),
    [(1, ["succeeded"]), (2, ["lost", "succeeded"]), (3, ["succeeded"])],
    ids=["claim", "begin", "conclude"],
)
async def test_a_commit_that_nobody_was_told_of_delays_nothing_and_sends_nothing_twice(
    database: Database, lost: int, outcomes: list[str]
) -> None:
    order = await queued(database, Order(partner_id=await a_trading_partner(database)))
    http = Destination()
    units = PersistentUnits(Away(database.units, lost=frozenset({lost})), [0])
    # The clock stands still: no lease ends, and no pause.
    runner = Runner(a_worker(database, StoppedClock(), http, units=units), (), QUICK, units)
    async with running(runner):
        await until_states(database, order, ["done"])
    assert (len(http.parcels), units.losses) == (1, 1)
    assert (await seen(database, order)).outcomes == outcomes


async def test_what_another_runs_is_left_to_him_when_the_database_is_back(
    database: Database,
) -> None:
    order = await queued(database, Order(partner_id=await a_trading_partner(database)))
    (entry,) = await a_worker(database, StoppedClock(), Destination(), owner="other").claim()
    http = Destination()
    away = Away(database.units, absent=1)
    units = PersistentUnits(away, [0])
    runner = Runner(a_worker(database, StoppedClock(), http, units=units), (), QUICK, units)
    async with running(runner):
        await until(lambda: away.reads > 10)
    assert (units.losses, http.parcels) == (1, [])
    assert (await seen(database, order)).entries == [entry]


async def test_an_entry_is_not_blamed_for_an_absent_database(database: Database) -> None:
    async def crash(_: OutboundMessage) -> Sent:
        raise LongshoreError(ErrorCode.STORAGE_UNAVAILABLE, "not now")

    order = await queued(database, Order(partner_id=await a_trading_partner(database)))
    runner = Runner(a_worker(database, StoppedClock(), Destination(crash)), config=QUICK)
    async with running(runner):
        await until_states(database, order, ["done"])
    assert runner.counts == {("document", "failed"): 1, ("document", "done"): 1}
    assert (await seen(database, order)).outcomes == ["lost", "succeeded"]


async def test_units_are_tried_until_the_database_is_back(database: Database) -> None:
    counted = Away(database.units, absent=2)
    units = PersistentUnits(counted, [0, 0])
    assert await units.read(SYSTEM, nothing) == "read"
    assert (counted.reads, units.losses) == (3, 2)
    assert await units.write(SYSTEM, nothing) == "read"


async def test_who_is_away_for_too_long_is_not_waited_for(database: Database) -> None:
    counted = Away(database.units, absent=9)
    with pytest.raises(LongshoreError, match="not now"):
        await PersistentUnits(counted, [0, 0]).read(SYSTEM, nothing)
    assert counted.reads == 3


async def test_after_the_stop_nothing_is_tried_again(database: Database) -> None:
    counted = Away(database.units, absent=9)
    units = PersistentUnits(counted)
    units.stop()
    with pytest.raises(LongshoreError, match="not now"):
        await units.read(SYSTEM, nothing)
    assert counted.reads == 1


async def test_other_refusals_are_not_tried_again(database: Database) -> None:
    counted = Away(database.units, absent=1, code=ErrorCode.NOT_FOUND)
    units = PersistentUnits(counted)
    with pytest.raises(LongshoreError, match="not now"):
        await units.read(SYSTEM, nothing)
    assert (counted.reads, units.losses) == (1, 0)


async def test_what_may_be_dropped_is_passed_on(database: Database) -> None:
    counted = Away(database.units)
    PersistentUnits(counted).defer(SYSTEM, nothing)
    assert counted.deferred == 1
