"""The contract of storage, over every engine."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from longshore.domain.accounts.authentication import Authenticator
from longshore.domain.accounts.service import AccountService, KeyService
from tests.support.clock import CountedIds, StoppedClock
from tests.support.database import ENGINES, CountedUnits, Database, Engine


@pytest.fixture(params=ENGINES, ids=lambda engine: engine.name)
def engine(request: pytest.FixtureRequest) -> Engine:
    engine: Engine = request.param
    return engine


@pytest.fixture
def place(engine: Engine, tmp_path: Path) -> Path:
    """Where a current, empty database lies."""
    engine.create(tmp_path / "data")
    return tmp_path / "data"


@pytest.fixture
def database(engine: Engine, place: Path) -> Iterator[Database]:
    with engine.open(place) as database:
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
