"""Acknowledgements that do not come in time, on both engines. Example 60 of x12.md section 5.2."""

import asyncio
from collections.abc import Callable, Coroutine
from datetime import timedelta

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.acks.overdue import OverdueAckChecker
from longshore.domain.audit.model import SealedEntry
from longshore.domain.ports import SYSTEM, Scope
from longshore.domain.units import ReadUnit, WriteUnit
from tests.support.answers import (
    SEALER,
    Sending,
    a_997,
    acks,
    axes,
    feed,
    receive,
    sent,
)
from tests.support.clock import StoppedClock
from tests.support.database import Database
from tests.support.trading import (
    FOREIGN_LIVE,
    FOREIGN_TEST,
    LIVE,
    TEST,
    a_partner,
    an_ack,
    any_key,
    read,
    write,
)

HOUR = timedelta(hours=1)
CLOCKS = 8
ONE = Sending(groups=[("0001",)])


@pytest.fixture(autouse=True)
async def partners(accounts: AccountService, database: Database) -> None:
    """Two accounts with a partner each."""
    for name in ("own", "foreign"):
        await accounts.create(name, AccountType.ENTERPRISE)
    await a_partner(database)
    await a_partner(database, given=FOREIGN_LIVE)


@pytest.fixture
def overdue(database: Database, clock: StoppedClock) -> OverdueAckChecker:
    return OverdueAckChecker(database.units, SEALER, clock)


async def test_nothing_is_overdue_until_its_time_has_passed(
    database: Database, overdue: OverdueAckChecker, clock: StoppedClock
) -> None:
    await sent(database, ONE)
    clock.move(48 * HOUR)
    assert await overdue.run_once() == 0
    assert (await acks(database))[0].row.is_overdue is False
    assert await feed(database) == []


async def test_60_what_is_overdue_is_told_once(
    database: Database, overdue: OverdueAckChecker, clock: StoppedClock
) -> None:
    await sent(database, ONE)
    clock.move(49 * HOUR)
    assert [await overdue.run_once() for _ in range(3)] == [1, 0, 0]
    (row,) = await acks(database)
    assert (row.row.is_overdue, row.row.status.value, row.row.result) == (True, "pending", None)
    assert await axes(database) == [("overdue", "pending")]
    (event,) = await feed(database)
    assert (event.type.value, event.transaction_id, event.actor) == ("ack.overdue", 1, "worker")
    assert event.data == {"ack_id": 1, "status": "overdue", "transaction_id": 1, "partner_id": 1}


async def audited(database: Database, given: Scope) -> list[SealedEntry]:
    async def work(unit: ReadUnit) -> list[SealedEntry]:
        assert given.account_id is not None
        newest = await unit.audit.list_newest(given.account_id, None, 9)
        return [each.entry for each in newest]

    return await read(database, given, work)


async def test_it_is_in_the_audit_log(
    database: Database, overdue: OverdueAckChecker, clock: StoppedClock
) -> None:
    await sent(database, ONE)
    clock.move(49 * HOUR)
    await overdue.run_once()
    (entry,) = await audited(database, TEST)
    assert (entry.actor, entry.action, entry.object) == ("worker", "ack.overdue", "ack 1")


async def test_every_account_and_environment_is_served_in_its_own_place(
    database: Database, overdue: OverdueAckChecker, clock: StoppedClock
) -> None:
    for given in (TEST, LIVE, FOREIGN_TEST):
        await sent(database, ONE, given)
    clock.move(49 * HOUR)
    assert await overdue.run_once() == 3
    for given in (TEST, LIVE, FOREIGN_TEST):
        assert [each.environment for each in await feed(database, given)] == [given.environment]
        assert {ack for ack, _ in await axes(database, given)} == {"overdue"}


async def test_at_most_so_many_are_marked_at_once(
    database: Database, overdue: OverdueAckChecker, clock: StoppedClock
) -> None:
    await sent(database)
    clock.move(49 * HOUR)
    assert [await overdue.run_once(1) for _ in range(3)] == [1, 1, 0]


async def test_racing_clocks_tell_of_it_once(database: Database, clock: StoppedClock) -> None:
    await sent(database)
    clock.move(49 * HOUR)
    clocks = [OverdueAckChecker(database.units, SEALER, clock) for _ in range(CLOCKS)]
    marked = await asyncio.gather(*(each.run_once() for each in clocks))
    assert sum(marked) == 2
    assert [each.type.value for each in await feed(database)] == ["ack.overdue"] * 2


async def test_what_another_clock_marked_meanwhile_is_not_marked_again(
    database: Database, overdue: OverdueAckChecker, clock: StoppedClock
) -> None:
    await sent(database, ONE)
    clock.move(49 * HOUR)

    class Overtaken:
        """Another clock marks what is overdue between our read and our write."""

        write = database.units.write

        async def read(
            self, given: Scope, work: Callable[[ReadUnit], Coroutine[object, None, object]]
        ) -> object:
            found = await database.units.read(given, work)
            if given != SYSTEM:
                await overdue.run_once()
            return found

    late = OverdueAckChecker(Overtaken(), SEALER, clock)  # type: ignore[arg-type]
    assert await late.run_once() == 0
    assert [each.type.value for each in await feed(database)] == ["ack.overdue"]


async def test_a_late_answer_clears_it(
    database: Database, overdue: OverdueAckChecker, clock: StoppedClock
) -> None:
    await sent(database, ONE)
    clock.move(49 * HOUR)
    await overdue.run_once()
    await receive(database, a_997("AK1*PO*123", "AK9*A*1*1*1"), at=clock.now())
    assert await axes(database) == [("accepted", "delivered")]
    assert [each.row.is_overdue for each in await acks(database)] == [False]
    assert await overdue.run_once() == 0


async def test_an_answer_at_the_same_moment_is_not_overwritten(
    database: Database, overdue: OverdueAckChecker, clock: StoppedClock
) -> None:
    await sent(database, ONE)
    clock.move(49 * HOUR)
    answer = a_997("AK1*PO*123", "AK9*A*1*1*1")
    await asyncio.gather(overdue.run_once(), receive(database, answer, at=clock.now()))
    assert await axes(database) == [("accepted", "delivered")]
    assert [each.row.is_overdue for each in await acks(database)] == [False]


async def test_a_row_without_set_and_partner_is_marked_too(
    database: Database, overdue: OverdueAckChecker, clock: StoppedClock
) -> None:
    row = an_ack(expected_by=clock.now())

    async def store(unit: WriteUnit) -> None:
        assert TEST.account_id is not None
        await unit.acks.insert(TEST.account_id, row, b"", any_key, clock.now())

    await write(database, TEST, store)
    clock.move(HOUR)
    assert await overdue.run_once() == 1
    assert [each.data for each in await feed(database)] == [{"ack_id": 1, "status": "overdue"}]
