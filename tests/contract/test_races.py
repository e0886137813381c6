"""Eight writers at once on each change that has a condition: one wins, or the latest holds."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, TypeVar

import pytest

from longshore.domain.accounts.model import Account, AccountType, ApiKey, ApiKeyId
from longshore.domain.accounts.service import AccountService, KeyService, bootstrap_demo
from longshore.domain.accounts.store import AccountStore
from longshore.domain.ports import SYSTEM, Scope
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.environment import Environment
from tests.support.clock import START, CountedIds, StoppedClock
from tests.support.database import CountedUnits, Database, Engine

T = TypeVar("T")

WRITERS = 8
FIRST = ApiKeyId(1)

Work = Callable[[WriteUnit], Coroutine[object, None, T]]


@dataclass(frozen=True)
class Blind:
    """Accounts of a unit whose list was taken before another process stored one."""

    inner: AccountStore

    async def list(self) -> Sequence[Account]:
        return ()

    def __getattr__(self, name: str) -> object:
        return getattr(self.inner, name)


class BlindUnits(CountedUnits):
    """Units that see no account yet, as two first starts at once may on PostgreSQL."""

    async def write(
        self, scope: Scope, work: Callable[[WriteUnit], Coroutine[object, None, T]]
    ) -> T:
        async def blind(unit: WriteUnit) -> T:
            # All other methods are the inner store's; the type checker cannot see that.
            accounts: Any = Blind(unit.accounts)
            return await work(replace(unit, accounts=accounts))

        return await super().write(scope, blind)


@pytest.fixture
async def writers(
    engine: Engine, accounts: AccountService, keys: KeyService
) -> AsyncIterator[list[Database]]:
    """The same database, opened as two processes would."""
    await accounts.create("demo", AccountType.DEVELOPER)
    for _ in range(WRITERS + 1):
        await keys.create("demo", Environment.SANDBOX)
    async with engine.open() as one, engine.open() as other:
        yield [one, other] * (WRITERS // 2)


async def race(writers: list[Database], work: Callable[[int], Work[T]]) -> list[T]:
    return await asyncio.gather(
        *(writer.units.write(SYSTEM, work(number)) for number, writer in enumerate(writers))
    )


async def first_key(database: Database) -> ApiKey:
    async def find(unit: ReadUnit) -> ApiKey | None:
        return await unit.api_keys.find(FIRST)

    found = await database.units.read(SYSTEM, find)
    assert found is not None
    return found


async def test_one_of_eight_accounts_of_one_name_is_made(writers: list[Database]) -> None:
    def inserting(number: int) -> Work[bool]:
        async def insert(unit: WriteUnit) -> bool:
            account = await unit.accounts.insert(
                f"Name {number}", "name", AccountType.DEVELOPER, START
            )
            return account is not None

        return insert

    assert sum(await race(writers, inserting)) == 1


async def test_one_of_eight_first_starts_makes_demo(engine: Engine, clock: StoppedClock) -> None:
    async with engine.open() as one, engine.open() as other:
        issued = await asyncio.gather(
            *(
                bootstrap_demo(database.units, clock, CountedIds(str(number)))
                for number, database in enumerate([one, other] * (WRITERS // 2))
            )
        )
    assert sum(key is not None for key in issued) == 1


async def test_a_first_start_that_comes_second_makes_nothing(
    engine: Engine, clock: StoppedClock
) -> None:
    async with engine.open() as database:
        await bootstrap_demo(database.units, clock, CountedIds("first"))
        late = BlindUnits(database.units)
        assert await bootstrap_demo(late, clock, CountedIds("second")) is None
        keys = KeyService(database.units, clock, CountedIds(), database.revocations)
        assert len(await keys.list()) == 1


async def test_one_of_eight_replacements_of_a_key_is_kept(writers: list[Database]) -> None:
    def replacing(number: int) -> Work[bool]:
        async def replace_first(unit: WriteUnit) -> bool:
            await unit.api_keys.find(FIRST)
            return await unit.api_keys.replace(FIRST, ApiKeyId(number + 2), expires_at=START)

        return replace_first

    for _ in range(4):
        answers = await race(writers, replacing)
        winners = [number for number, won in enumerate(answers) if won]
        assert len(winners) <= 1
        if winners:
            assert (await first_key(writers[0])).replaced_by == winners[0] + 2
    assert (await first_key(writers[0])).replaced_by is not None


async def test_the_first_of_eight_revocations_holds(writers: list[Database]) -> None:
    def revoking(number: int) -> Work[object]:
        async def revoke(unit: WriteUnit) -> object:
            await unit.api_keys.revoke(FIRST, START + timedelta(seconds=number))
            found = await unit.api_keys.find(FIRST)
            return found and found.revoked_at

        return revoke

    assert set(await race(writers, revoking)) == {(await first_key(writers[0])).revoked_at}


async def test_the_latest_of_eight_uses_holds(writers: list[Database]) -> None:
    def using(number: int) -> Work[None]:
        async def use(unit: WriteUnit) -> None:
            await unit.api_keys.record_use(FIRST, START + timedelta(seconds=number * 3 % WRITERS))

        return use

    await race(writers, using)
    assert (await first_key(writers[0])).last_used_at == START + timedelta(seconds=WRITERS - 1)
