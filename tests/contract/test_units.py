"""Units: whole or not at all, each by itself, and true once acknowledged."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress

import anyio
import pytest

from longshore.domain.accounts.model import Account, AccountId, AccountType
from longshore.domain.accounts.store import NewApiKey
from longshore.domain.ports import SYSTEM
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.environment import Environment
from longshore.kit.errors import ErrorCode, LongshoreError
from tests.support.clock import START
from tests.support.database import Database, Engine

Work = Callable[[WriteUnit], Coroutine[object, None, Account | None]]


class PlannedError(Exception):
    """Raised by a unit of a test."""


async def nothing() -> None:
    """What follows the insert of a good unit."""


async def failure() -> None:
    raise PlannedError


def inserting(name: str, then: Callable[[], Awaitable[object]] = nothing) -> Work:
    """Return a unit that stores an account and then awaits something."""

    async def insert(unit: WriteUnit) -> Account | None:
        account = await unit.accounts.insert(name, name, AccountType.DEVELOPER, START)
        await then()
        return account

    return insert


async def list_names(unit: ReadUnit) -> list[str]:
    return [account.name for account in await unit.accounts.list()]


async def stored(database: Database) -> list[str]:
    return await database.units.read(SYSTEM, list_names)


async def test_a_unit_returns_what_its_function_returns(database: Database) -> None:
    account = await database.units.write(SYSTEM, inserting("one"))
    assert account is not None
    assert account.name == "one"
    assert await stored(database) == ["one"]


async def test_a_failing_unit_is_rolled_back_alone(database: Database) -> None:
    works = [inserting("a"), inserting("b", failure), inserting("c")]
    answers = await asyncio.gather(
        *(database.units.write(SYSTEM, work) for work in works), return_exceptions=True
    )
    assert isinstance(answers[1], PlannedError)
    assert sorted(await stored(database)) == ["a", "c"]


@pytest.mark.parametrize(
    "elsewhere",
    [
        lambda: asyncio.sleep(0),
        lambda: asyncio.sleep(1),
        lambda: anyio.sleep(1),
        lambda: asyncio.to_thread(print),
    ],
    ids=["asyncio.sleep(0)", "asyncio.sleep(1)", "anyio.sleep(1)", "asyncio.to_thread"],
)
async def test_a_unit_that_awaits_anything_but_its_stores_fails_whole(
    database: Database, elsewhere: Callable[[], Awaitable[object]]
) -> None:
    with pytest.raises(RuntimeError) as refused:
        await database.units.write(SYSTEM, inserting("half", elsewhere))
    assert str(refused.value) == "a write unit awaited something other than its stores"
    assert await stored(database) == []


async def test_a_unit_inside_a_unit_is_refused(database: Database) -> None:
    async def nested() -> None:
        await database.units.write(SYSTEM, inserting("inner"))

    with pytest.raises(RuntimeError, match="a write unit awaited something other than its stores"):
        await database.units.write(SYSTEM, inserting("outer", nested))
    assert await stored(database) == []


async def test_another_runtime_error_of_a_unit_reaches_its_caller_as_it_is(
    database: Database,
) -> None:
    async def broken() -> None:
        raise RuntimeError("my own")

    with pytest.raises(RuntimeError, match=r"^my own$"):
        await database.units.write(SYSTEM, inserting("x", broken))


async def test_a_cancelled_caller_does_not_stop_its_unit(engine: Engine) -> None:
    async with engine.open() as database:
        task = asyncio.create_task(database.units.write(SYSTEM, inserting("kept")))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await database.units.write(SYSTEM, inserting("later"))
        assert task.cancelled()
    async with engine.open() as again:
        assert sorted(await stored(again)) == ["kept", "later"]


async def orphan(unit: WriteUnit) -> None:
    """Store a key of an account that is not there."""
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


async def test_a_unit_that_goes_on_after_a_database_error_is_not_kept(database: Database) -> None:
    async def stubborn(unit: WriteUnit) -> None:
        await inserting("before")(unit)
        with suppress(Exception):
            await orphan(unit)
        with suppress(Exception):
            await inserting("after")(unit)

    with pytest.raises(Exception, match=r"(?i)foreign key") as refusal:
        await database.units.write(SYSTEM, stubborn)
    assert not isinstance(refusal.value, LongshoreError)  # a mistake of the program
    assert await stored(database) == []


async def test_a_stop_runs_what_is_deferred_and_what_comes_later_is_refused(
    engine: Engine,
) -> None:
    async with engine.open() as database:
        database.units.defer(SYSTEM, inserting("bad", failure))
        database.units.defer(SYSTEM, inserting("deferred"))
    database.units.defer(SYSTEM, inserting("dropped"))
    for refused in (
        database.units.write(SYSTEM, inserting("late")),
        database.units.read(SYSTEM, list_names),
    ):
        with pytest.raises(LongshoreError) as refusal:
            await refused
        assert refusal.value.code is ErrorCode.STORAGE_UNAVAILABLE
    async with engine.open() as again:
        assert await stored(again) == ["deferred"]


async def test_a_read_unit_cannot_write(database: Database) -> None:
    async def smuggle(unit: ReadUnit) -> None:
        # mypy refuses unit.accounts.insert; the database must refuse it too.
        await type(unit.accounts).insert(unit.accounts, "x", "x", AccountType.DEVELOPER, START)  # type: ignore[attr-defined]

    with pytest.raises(RuntimeError, match=r"^a read unit ran the writing query insert_account$"):
        await database.units.read(SYSTEM, smuggle)
    assert await stored(database) == []


async def test_a_failing_read_unit_reaches_its_caller_and_harms_no_later_one(
    database: Database,
) -> None:
    async def fail(_: ReadUnit) -> None:
        raise PlannedError

    for _ in range(8):
        with pytest.raises(PlannedError):
            await database.units.read(SYSTEM, fail)
    assert await stored(database) == []


async def test_an_open_database_is_ready_and_a_closed_one_is_not(engine: Engine) -> None:
    async with engine.open() as database:
        await database.check()
    with pytest.raises(LongshoreError) as refusal:
        await database.check()
    assert refusal.value.code is ErrorCode.STORAGE_UNAVAILABLE
