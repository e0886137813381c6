"""What only SQLite's writer promises: group commit, checkpoints, full disks and lost files."""

import asyncio
import shutil
import threading
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path

import apsw
import pytest

from longshore.domain.accounts.model import AccountId, AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.accounts.store import NewApiKey
from longshore.domain.ports import SYSTEM
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.environment import Environment
from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.storage.sqlite import writer as writer_module
from longshore.storage.sqlite.connection import open_unguarded_reader
from longshore.storage.sqlite.data_directory import DATABASE_FILE
from longshore.storage.sqlite.database import SqliteDatabase, open_database
from tests.support.clock import START, StoppedClock
from tests.support.database import counted_commits, make_sqlite


@pytest.fixture
def place(tmp_path: Path) -> Path:
    make_sqlite(tmp_path)
    return tmp_path


@pytest.fixture
def database(place: Path) -> Iterator[SqliteDatabase]:
    with open_database(place) as database:
        yield database


@pytest.fixture
def accounts(database: SqliteDatabase, clock: StoppedClock) -> AccountService:
    return AccountService(database.units, clock, database.revocations)


def connection_of(database: SqliteDatabase) -> apsw.Connection:
    return database._writer._connection  # noqa: SLF001 - no part of the port


class Gate:
    """Holds the writer thread inside a unit, so that other units must wait."""

    def __init__(self) -> None:
        self.entered = threading.Event()
        self.opened = threading.Event()

    async def work(self, _: WriteUnit) -> None:
        self.entered.set()
        self.opened.wait(30)


async def held(database: SqliteDatabase) -> tuple[Gate, "asyncio.Task[None]"]:
    gate = Gate()
    task = asyncio.create_task(database.units.write(SYSTEM, gate.work))
    await asyncio.to_thread(gate.entered.wait, 30)
    return gate, task


def creating(accounts: AccountService, count: int) -> list["asyncio.Task[object]"]:
    return [
        asyncio.create_task(accounts.create(f"account {number}", AccountType.DEVELOPER))
        for number in range(count)
    ]


async def test_units_that_wait_together_share_one_commit(
    database: SqliteDatabase, accounts: AccountService
) -> None:
    gate, first = await held(database)
    tasks = creating(accounts, 64)
    await asyncio.sleep(0)
    with counted_commits(database) as commits:
        gate.opened.set()
        await asyncio.gather(first, *tasks)
    assert len(commits) == 2  # of the unit that held the writer, and of all the others
    assert len(await accounts.list()) == 64


async def test_64_concurrent_units_take_fewer_than_8_commits(
    database: SqliteDatabase, accounts: AccountService
) -> None:
    with counted_commits(database) as commits:
        await asyncio.gather(*creating(accounts, 64))
    assert 1 <= len(commits) < 8


async def test_a_group_is_bounded(
    database: SqliteDatabase, accounts: AccountService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_module, "MAX_GROUP_UNITS", 10)
    gate, first = await held(database)
    tasks = creating(accounts, 64)
    await asyncio.sleep(0)
    with counted_commits(database) as commits:
        gate.opened.set()
        await asyncio.gather(first, *tasks)
    assert len(commits) == 1 + 7


async def test_work_of_the_outbox_comes_first_and_keeps_the_groups_of_requests_short(
    database: SqliteDatabase, accounts: AccountService
) -> None:
    gate, first = await held(database)
    tasks = creating(accounts, 40)
    done: list[str] = []

    async def noted(name: str) -> None:
        async def work(unit: WriteUnit) -> None:
            done.append(f"{name} after {len(await unit.accounts.list())}")

        await database.outbox_units.write(SYSTEM, work)

    tasks.append(asyncio.create_task(noted("outbox")))
    await asyncio.sleep(0)
    with counted_commits(database) as commits:
        gate.opened.set()
        await asyncio.gather(first, *tasks)
    assert done == ["outbox after 0"]  # though all others were queued before it
    assert len(commits) == 1 + 40 / writer_module.SHARED_GROUP_UNITS


def test_groups_of_requests_are_long_again_when_the_outbox_is_quiet() -> None:
    now = [0.0]
    queue = writer_module.JobQueue(lambda: now[0])

    async def work(_: WriteUnit) -> None: ...

    job = writer_module.QueuedUnit(SYSTEM, work)
    for _ in range(60):
        queue.put(job)
    for _ in range(12):
        queue.put(job, is_outbox=True)
    sizes = [len(queue.take_group())]
    now[0] += writer_module.SHARED_SECONDS / 2
    sizes.append(len(queue.take_group()))
    now[0] += writer_module.SHARED_SECONDS
    sizes.append(len(queue.take_group()))
    queue.close()
    assert [*sizes, len(queue.take_group())] == [12 + 12, 8, 40, 0]


async def test_nobody_is_told_before_the_commit(
    database: SqliteDatabase, accounts: AccountService
) -> None:
    gate, first = await held(database)
    tasks = creating(accounts, 8)
    await asyncio.sleep(0)
    told_before: list[bool] = []

    def look() -> bool:
        told_before.extend(task.done() for task in tasks)
        return False

    connection_of(database).set_commit_hook(look)
    gate.opened.set()
    await asyncio.gather(first, *tasks)
    assert told_before == [False] * 8 * 2  # at the commit before theirs, and at theirs


async def test_a_commit_that_fails_fails_every_unit_of_its_group(
    database: SqliteDatabase, accounts: AccountService
) -> None:
    gate, first = await held(database)
    tasks = creating(accounts, 3)
    await asyncio.sleep(0)

    def full() -> bool:
        raise apsw.FullError("database or disk is full")

    connection_of(database).set_commit_hook(full)
    gate.opened.set()
    answers = await asyncio.gather(first, *tasks, return_exceptions=True)
    connection_of(database).set_commit_hook(None)
    refusals = [answer for answer in answers if isinstance(answer, LongshoreError)]
    assert [
        (refusal.code, refusal.retry_after_seconds, refusal.message) for refusal in refusals
    ] == [
        (
            ErrorCode.STORAGE_UNAVAILABLE,
            10,
            "The disk of the database is full; nothing was stored.",
        )
    ] * 4
    assert len(set(map(id, refusals))) == 4
    assert await accounts.list() == ()
    assert (await accounts.create("again", AccountType.DEVELOPER)).name == "again"


async def fill(unit: WriteUnit) -> None:
    for number in range(2_000):
        name = f"{number:060}"
        await unit.accounts.insert(name, name, AccountType.DEVELOPER, START)


async def fill_and_carry_on(unit: WriteUnit) -> None:
    try:
        await fill(unit)
    except apsw.FullError:
        await unit.accounts.insert("after", "after", AccountType.DEVELOPER, START)


@pytest.mark.parametrize("work", [fill, fill_and_carry_on])
async def test_a_full_disk_refuses_writes_keeps_reads_and_heals(
    database: SqliteDatabase,
    accounts: AccountService,
    work: Callable[[WriteUnit], Coroutine[object, None, None]],
) -> None:
    before = await accounts.create("before", AccountType.DEVELOPER)
    connection = connection_of(database)
    connection.authorizer = None  # it forbids the PRAGMA
    unlimited = connection.pragma("max_page_count")
    connection.pragma("max_page_count", int(str(connection.pragma("page_count"))) + 4)
    with pytest.raises(LongshoreError) as refusal:
        await database.units.write(SYSTEM, work)
    assert refusal.value.code is ErrorCode.STORAGE_UNAVAILABLE
    assert await accounts.list() == (before,)
    await database.check()
    connection.pragma("max_page_count", int(str(unlimited)))
    await database.units.write(SYSTEM, fill)
    assert len(await accounts.list()) == 2_001
    assert database.integrity_check() == ()


async def test_a_transaction_that_sqlite_dropped_fails_every_unit_of_its_group(
    database: SqliteDatabase, accounts: AccountService
) -> None:
    async def dropped(_: WriteUnit) -> None:
        connection_of(database).execute("ROLLBACK")
        raise apsw.FullError("database or disk is full")

    gate, first = await held(database)
    tasks = creating(accounts, 2)
    tasks.append(asyncio.create_task(database.units.write(SYSTEM, dropped)))
    await asyncio.sleep(0)
    gate.opened.set()
    await first
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert [str(answer) for answer in answers] == [
        "The database gave up the transaction; nothing was stored."
    ] * 3
    assert await accounts.list() == ()


async def test_a_broken_constraint_is_a_mistake_of_the_program_and_harms_nothing(
    database: SqliteDatabase, accounts: AccountService
) -> None:
    async def orphan(unit: WriteUnit) -> None:
        await unit.accounts.insert("half", "half", AccountType.DEVELOPER, START)
        await unit.api_keys.insert(
            NewApiKey(
                account_id=AccountId(99),
                environment=Environment.SANDBOX,
                digest=b"\0" * 32,
                prefix="",
                last_four="",
                scopes=frozenset(),
                created_at=START,
                expires_at=None,
            )
        )

    with pytest.raises(apsw.ConstraintError, match="FOREIGN KEY"):
        await database.units.write(SYSTEM, orphan)
    assert await accounts.list() == ()


async def test_a_database_locked_by_another_is_refused_for_now(
    database: SqliteDatabase, accounts: AccountService, place: Path
) -> None:
    connection_of(database).set_busy_timeout(0)
    other = apsw.Connection(str(place / DATABASE_FILE))
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(LongshoreError) as refusal:
        await accounts.create("x", AccountType.DEVELOPER)
    assert (refusal.value.code, refusal.value.retry_after_seconds, refusal.value.message) == (
        ErrorCode.STORAGE_UNAVAILABLE,
        1,
        "The database is locked by another process; nothing was stored.",
    )
    other.close()
    await accounts.create("x", AccountType.DEVELOPER)


@pytest.mark.parametrize("exchanged", [False, True], ids=["removed", "exchanged"])
async def test_a_file_that_is_gone_takes_no_commit(
    database: SqliteDatabase, accounts: AccountService, place: Path, *, exchanged: bool
) -> None:
    path = place / DATABASE_FILE
    path.rename(place / "moved.db")
    if exchanged:
        shutil.copy(place / "moved.db", path)
    expected = (
        ErrorCode.STORAGE_UNAVAILABLE,
        30,
        (
            "The database file was removed or exchanged while in use; nothing was stored."
            " Restart the service."
        ),
    )
    for attempt in (accounts.create("x", AccountType.DEVELOPER), database.check()):
        with pytest.raises(LongshoreError) as refusal:
            await attempt
        error = refusal.value
        assert (error.code, error.retry_after_seconds, error.message) == expected
    assert await accounts.list() == ()


async def test_the_log_is_moved_into_the_file_by_the_writer(
    database: SqliteDatabase, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_module, "CHECKPOINT_PAGES", 20)
    path = place / DATABASE_FILE
    size_before = path.stat().st_size
    await database.units.write(SYSTEM, fill)
    await database.check()  # the writer is past its checkpoint when it takes the next unit
    assert path.stat().st_size > size_before
    assert (place / f"{DATABASE_FILE}-wal").stat().st_size > 0


async def test_a_long_log_is_cut_and_a_reader_only_puts_that_off(
    database: SqliteDatabase, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_module, "CHECKPOINT_PAGES", 20)
    monkeypatch.setattr(writer_module, "JOURNAL_SIZE_LIMIT_BYTES", 1)
    log = place / f"{DATABASE_FILE}-wal"
    reader = open_unguarded_reader(place / DATABASE_FILE)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM accounts").fetchall()
    await database.units.write(SYSTEM, fill)
    await database.units.write(SYSTEM, idle)
    assert log.stat().st_size > 0
    reader.close()

    async def rename(unit: WriteUnit) -> None:
        for number in range(2_000):
            name = f"again {number:050}"
            await unit.accounts.insert(name, name, AccountType.DEVELOPER, START)

    await database.units.write(SYSTEM, rename)
    await database.units.write(SYSTEM, idle)
    assert log.stat().st_size == 0


async def test_a_snapshot_does_not_move_while_it_is_read(
    database: SqliteDatabase, accounts: AccountService
) -> None:
    entered, opened = threading.Event(), threading.Event()

    async def twice(unit: ReadUnit) -> tuple[int, int]:
        first = len(await unit.accounts.list())
        entered.set()
        opened.wait(30)
        return first, len(await unit.accounts.list())

    reading = asyncio.create_task(database.units.read(SYSTEM, twice))
    await asyncio.to_thread(entered.wait, 30)
    await accounts.create("meanwhile", AccountType.DEVELOPER)
    opened.set()
    assert await reading == (0, 0)
    assert len(await accounts.list()) == 1


async def test_two_processes_write_one_database(
    place: Path, accounts: AccountService, clock: StoppedClock
) -> None:
    with open_database(place) as beside:
        others = AccountService(beside.units, clock, beside.revocations)
        await asyncio.gather(
            *(accounts.create(f"server {n}", AccountType.DEVELOPER) for n in range(20)),
            *(others.create(f"command {n}", AccountType.DEVELOPER) for n in range(20)),
        )
        assert len(await others.list()) == 40


def test_a_loop_that_ended_meanwhile_does_not_stop_the_writer(
    database: SqliteDatabase, accounts: AccountService
) -> None:
    gate = Gate()

    async def leave() -> None:
        task = asyncio.create_task(database.units.write(SYSTEM, gate.work))
        await asyncio.to_thread(gate.entered.wait, 30)
        task.cancel()

    asyncio.run(leave())
    gate.opened.set()
    assert asyncio.run(accounts.create("next", AccountType.DEVELOPER)).name == "next"


async def idle(_: WriteUnit) -> None:
    """A unit that only waits for its turn."""


async def test_a_check_of_the_database_writes_a_page_and_fails_where_that_fails(
    place: Path, database: SqliteDatabase
) -> None:
    log = place / f"{DATABASE_FILE}-wal"
    before = log.stat().st_size
    await database.check()
    await database.check()
    assert log.stat().st_size > before
    connection = connection_of(database)
    connection.authorizer = None  # it forbids the PRAGMA
    connection.pragma("query_only", True)  # noqa: FBT003 - the value of the PRAGMA
    with pytest.raises(LongshoreError) as refused:
        await database.check()
    assert refused.value.code is ErrorCode.STORAGE_UNAVAILABLE
