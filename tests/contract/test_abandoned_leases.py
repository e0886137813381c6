"""What a killed worker had leased is taken up when the next one starts, not when the lease ends."""

import asyncio
from collections.abc import AsyncIterator, Collection

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.storage.postgres.worker_registry import PostgresWorkerRegistry
from longshore.worker.abandoned import AbandonedLeases, SoleWorkerRegistry
from tests.support.clock import StoppedClock
from tests.support.database import Database, PostgresEngine
from tests.support.dispatch import Destination, Order, a_trading_partner, a_worker, queued, seen
from tests.support.postgres import PostgresServer


@pytest.fixture
async def an_account(accounts: AccountService) -> None:
    await accounts.create("own", AccountType.ENTERPRISE)


class Registry:
    """A registry in which a test says who has ended."""

    def __init__(self) -> None:
        self.ended: set[str] = set()
        self.registered: list[str] = []

    async def register(self, owner: str) -> None:
        self.registered.append(owner)

    async def list_ended(self, owners: Collection[str]) -> Collection[str]:
        return self.ended & {*owners}


@pytest.mark.usefixtures("an_account")
async def test_the_only_process_of_a_database_takes_everything_up_at_once(
    database: Database, clock: StoppedClock
) -> None:
    order = await queued(database, Order(partner_id=await a_trading_partner(database)))
    killed, http = a_worker(database, clock, Destination(), owner="killed"), Destination()
    (entry,) = await killed.claim()
    worker = a_worker(database, clock, http, owner="next")
    assert await worker.run_once() == 0
    assert await AbandonedLeases(worker, SoleWorkerRegistry(), 0.0).run_once() == 1
    assert await worker.run_once() == 1
    assert len(http.parcels) == 1
    assert await killed.renew(entry) is False  # whoever it was is fenced
    assert (await seen(database, order)).states == ["done"]


@pytest.mark.usefixtures("an_account")
async def test_a_worker_has_ended_if_it_seems_so_twice(
    database: Database, clock: StoppedClock
) -> None:
    await queued(database, Order(partner_id=await a_trading_partner(database)))
    await a_worker(database, clock, Destination(), owner="other").claim()
    worker = a_worker(database, clock, Destination(), owner="next")
    registry = Registry()
    leases = AbandonedLeases(worker, registry, 0.01)
    assert await leases.run_once() == 0
    registry.ended = {"other"}
    assert await leases.run_once() == 0  # the first sight
    registry.ended = set()
    await asyncio.sleep(0.02)
    assert await leases.run_once() == 0  # it had only lost its connection
    registry.ended = {"other"}
    assert await leases.run_once() == 0
    await asyncio.sleep(0.02)
    assert await leases.run_once() == 1
    assert registry.registered == ["next"] * 5
    assert await leases.run_once() == 0


@pytest.fixture
async def registries(
    postgres_server: PostgresServer,
) -> AsyncIterator[list[PostgresWorkerRegistry]]:
    engine = PostgresEngine(postgres_server)
    await engine.create()
    found = [PostgresWorkerRegistry(engine.url) for _ in range(2)]
    yield found
    for each in found:
        await each.close()


@pytest.mark.full("a PostgreSQL server")
async def test_a_worker_of_postgresql_lives_as_long_as_its_connection(
    registries: list[PostgresWorkerRegistry],
) -> None:
    first, second = registries
    await first.register("1")
    await second.register("2")
    assert await first.list_ended({"2", "3"}) == ["3"]
    assert await first.list_ended({"2", "3"}) == ["3"]  # looking at it does not change it
    await second.close()
    assert await first.list_ended({"2"}) == ["2"]
    await second.register("2")  # as after a lost connection
    assert await first.list_ended({"2"}) == []
