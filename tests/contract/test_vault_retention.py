"""How long documents are kept: as long as their account says, and then they are gone."""

from collections.abc import Awaitable, Callable, Coroutine
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.pages import PageParameters
from longshore.domain.ports import Scope
from longshore.domain.units import Units, WriteUnit
from longshore.domain.vault.model import VaultQuery
from longshore.domain.vault.service import PURGE_BATCH, Retention
from longshore.kit.environment import Environment
from longshore.storage.sqlite.data_directory import DATABASE_FILE
from tests.support.clock import StoppedClock
from tests.support.database import CountedUnits, Database, SqliteEngine
from tests.support.vault import a_document, a_vault, scope

T = TypeVar("T")

LIVE = scope(1, Environment.PRODUCTION)
ONE = PageParameters(limit=1)


async def test_each_account_keeps_its_documents_as_long_as_it_says(
    database: Database, clock: StoppedClock, accounts: AccountService
) -> None:
    vault = a_vault(database, clock)
    for name in ("short", "long", "for ever", "suspended"):
        await accounts.create(name, AccountType.ENTERPRISE)
    for name, days in (("short", 1), ("long", 30), ("suspended", 1)):
        await accounts.set_retention(name, days)
    await accounts.suspend("suspended")
    for number in (1, 2, 3, 4):
        for environment in Environment:
            await vault.store(scope(number, environment), a_document(), [a_document("{}")])
    retention = Retention(database.units, clock)
    removed = []
    for days in (1, 1, 27, 1, 1_000):
        clock.move(timedelta(days=days, microseconds=1 if days == 1 else 0))
        removed.append(await retention.purge())
    assert removed == [8, 0, 0, 4, 0]
    left = [
        (await vault.list(scope(number, each), VaultQuery(environment=each), ONE)).total.count
        for number in (1, 2, 3, 4)
        for each in Environment
    ]
    assert left == [0, 0, 0, 0, 2, 2, 0, 0]


@pytest.fixture
async def kept(database: Database, clock: StoppedClock, accounts: AccountService) -> AccountService:
    """An account whose documents, one more than a unit removes, are all past their day."""
    await accounts.create("own", AccountType.ENTERPRISE)
    await accounts.set_retention("own", 30)
    vault = a_vault(database, clock)
    await vault.store(LIVE, None, [a_document("")] * (PURGE_BATCH + 1))
    clock.move(timedelta(days=31))
    return accounts


async def left(database: Database, clock: StoppedClock) -> int:
    query = VaultQuery(environment=Environment.PRODUCTION)
    return (await a_vault(database, clock).list(LIVE, query, ONE)).total.count


@pytest.mark.usefixtures("kept")
async def test_a_purge_goes_on_until_nothing_is_left(
    database: Database, units: CountedUnits, clock: StoppedClock
) -> None:
    assert await Retention(units, clock).purge() == PURGE_BATCH + 1
    assert units.writes == 2
    assert await left(database, clock) == 0


class ChangedBetween(CountedUnits):
    """Keeps the documents of an account for longer after the first unit that removes some."""

    def __init__(self, units: Units, change: Callable[[], Awaitable[object]]) -> None:
        super().__init__(units)
        self._change = change

    async def write(
        self, scope: Scope, work: Callable[[WriteUnit], Coroutine[object, None, T]]
    ) -> T:
        done = await super().write(scope, work)
        await self._change()
        return done


@pytest.mark.parametrize("days", [32, None])
async def test_who_keeps_documents_for_longer_during_a_purge_loses_nothing_more(
    kept: AccountService, database: Database, clock: StoppedClock, days: int | None
) -> None:
    units = ChangedBetween(database.units, lambda: kept.set_retention("own", days))
    assert await Retention(units, clock).purge() == PURGE_BATCH
    assert await left(database, clock) == 1


async def test_what_was_removed_is_gone_from_the_file(tmp_path: Path, clock: StoppedClock) -> None:
    engine = SqliteEngine(tmp_path / "data")
    await engine.create()
    async with engine.open() as database:
        accounts = AccountService(database.units, clock, database.revocations)
        await accounts.create("own", AccountType.ENTERPRISE)
        await accounts.set_retention("own", 1)
        vault = a_vault(database, clock)
        await vault.store(LIVE, None, [a_document("x" * 20_000, filename="850-0badcafe.edi")])
    sealed = (tmp_path / "data" / DATABASE_FILE).read_bytes()
    assert b"850-0badcafe.edi" in sealed
    clock.move(timedelta(days=2))
    async with engine.open() as database:
        assert await Retention(database.units, clock).purge() == 1
    assert b"850-0badcafe.edi" not in await engine.dump()
