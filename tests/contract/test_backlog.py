"""For how long the outbox has had something to do."""

from datetime import timedelta

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.delivery.model import NewOutboxEntry
from longshore.domain.delivery.worker import Backlog
from longshore.domain.ports import AccountId
from longshore.domain.units import WriteUnit
from tests.support.clock import START, StoppedClock
from tests.support.database import Database
from tests.support.trading import LIVE, SANDBOX, write

SECOND = timedelta(seconds=1)


async def put(
    database: Database, seconds: int, *, is_held: bool = False, order_key: str | None = None
) -> None:
    """Store an entry that is due so many seconds after the start."""
    due_at = START + seconds * SECOND
    entry = NewOutboxEntry(
        kind="document",
        environment=SANDBOX,
        due_at=due_at,
        is_held=is_held,
        order_key=order_key,
    )

    async def work(unit: WriteUnit) -> None:
        await unit.outbox.insert(AccountId(1), entry, START)

    await write(database, LIVE, work)


async def test_the_entry_that_is_due_longest_counts_and_held_ones_do_not(
    database: Database, clock: StoppedClock, accounts: AccountService
) -> None:
    backlog = Backlog(database.units, clock)
    await accounts.create("own", AccountType.ENTERPRISE)
    await put(database, 0, is_held=True)
    assert await backlog.oldest_seconds() == 0.0
    for seconds in (30, 20):
        await put(database, seconds)
    assert await backlog.oldest_seconds() == 0.0
    clock.move(25 * SECOND)
    assert await backlog.oldest_seconds() == 5.0


async def test_what_waits_behind_another_does_not_count(
    database: Database, clock: StoppedClock, accounts: AccountService
) -> None:
    await accounts.create("own", AccountType.ENTERPRISE)
    for seconds in (60, 0, 0):  # the first is tried again in a minute, the others wait for it
        await put(database, seconds, order_key="7/PO")
    clock.move(59 * SECOND)
    assert await Backlog(database.units, clock).oldest_seconds() == 0.0
    clock.move(2 * SECOND)
    assert await Backlog(database.units, clock).oldest_seconds() == 1.0
