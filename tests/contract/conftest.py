"""The contract of storage, over every engine."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from longshore.domain.accounts.authentication import Authenticator
from longshore.domain.accounts.service import AccountService, KeyService
from tests.support.clock import CountedIds, StoppedClock
from tests.support.database import CountedUnits, Database, Engine, PostgresEngine, SqliteEngine
from tests.support.postgres import postgres_server

__all__ = ["postgres_server"]


@pytest.fixture(params=["sqlite", "postgres"])
async def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Engine:
    """An engine with a current, empty database."""
    engine: Engine
    if request.param == "sqlite":
        engine = SqliteEngine(tmp_path / "data")
    else:
        engine = PostgresEngine(request.getfixturevalue("postgres_server"))
    await engine.create()
    return engine


@pytest.fixture
async def database(engine: Engine) -> AsyncIterator[Database]:
    async with engine.open() as database:
        yield database


@pytest.fixture
def units(database: Database) -> CountedUnits:
    return CountedUnits(database.units)


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock()


@pytest.fixture
def accounts(database: Database, clock: StoppedClock) -> AccountService:
    return AccountService(database.units, clock, database.revocations)


@pytest.fixture
def keys(database: Database, clock: StoppedClock) -> KeyService:
    return KeyService(database.units, clock, CountedIds(), database.revocations)


@pytest.fixture
def authenticator(database: Database, units: CountedUnits, clock: StoppedClock) -> Authenticator:
    return Authenticator(units, clock, database.revocations)
