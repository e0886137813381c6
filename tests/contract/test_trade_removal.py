"""What an account has traded is removed whole, and nothing of another account."""

import asyncio
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.ports import AccountId
from longshore.storage.postgres.trade_removal import remove_trade_postgres
from longshore.storage.queries import Query
from longshore.storage.sqlite.data_directory import DATABASE_FILE
from longshore.storage.sqlite.trade_removal import remove_trade
from longshore.storage.trade_removal import LIVE_TABLES, TRADE_TABLES, LiveDocumentsError
from tests.support.clock import StoppedClock
from tests.support.database import CURRENT, Engine, PostgresEngine, SqliteEngine
from tests.support.trade_of_both import Trader, trade

OWN, FOREIGN = Trader(1, "own"), Trader(2, "foreign")


async def remove(engine: Engine, account_id: AccountId) -> None:
    if isinstance(engine, PostgresEngine):
        await remove_trade_postgres(engine.url, account_id)
    else:
        await asyncio.to_thread(remove_trade, place_of(engine), account_id)


def place_of(engine: Engine) -> Path:
    assert isinstance(engine, SqliteEngine)
    return engine.place


async def change(engine: Engine, statement: str) -> None:
    if isinstance(engine, PostgresEngine):
        async with engine.server.connected(CURRENT.name) as connection:
            await connection.execute(statement)
    else:
        with closing(apsw.Connection(str(place_of(engine) / DATABASE_FILE))) as connection:
            connection.execute(statement)


async def counts(engine: Engine, account_id: int) -> dict[str, int]:
    found = {}
    async with engine.unguarded() as execute:
        for table in (*TRADE_TABLES, "audit_entries"):
            text = f"SELECT count(*) FROM {table} WHERE account_id = {account_id}"
            ((found[table],),) = await execute(Query(text, frozenset()), {})
    return found


async def usage(engine: Engine, account_id: int) -> tuple[int, int, int | None]:
    """Return bytes, records and the quota of bytes of an account."""
    async with engine.unguarded() as execute:
        text = (
            "SELECT stored_bytes, stored_records, max_bytes FROM account_usage"
            f" WHERE account_id = {account_id}"
        )
        (row,) = await execute(Query(text, frozenset()), {})
    return row[0], row[1], row[2]


async def test_live_documents_stay_and_everything_of_a_sandbox_goes(
    engine: Engine, clock: StoppedClock
) -> None:
    async with engine.open() as database:
        accounts = AccountService(database.units, clock, database.revocations)
        for trader in (OWN, FOREIGN):
            await accounts.create(trader.mark, AccountType.ENTERPRISE)
            await trade(database, trader)
    await change(engine, "UPDATE account_usage SET max_bytes = 9000000 WHERE account_id = 1")
    before, foreign_usage = await counts(engine, 1), await usage(engine, 2)
    assert (await usage(engine, 1))[1] == foreign_usage[1] == 4
    with pytest.raises(LiveDocumentsError):
        await remove(engine, AccountId(1))
    assert await counts(engine, 1) == before
    foreign = await counts(engine, 2)
    for table in LIVE_TABLES:
        await change(engine, f"UPDATE {table} SET environment = 'sandbox' WHERE account_id = 1")
    await remove(engine, AccountId(1))
    after = await counts(engine, 1)
    assert {after[table] for table in TRADE_TABLES} == {0}
    assert after["audit_entries"] == before["audit_entries"]
    assert await counts(engine, 2) == foreign
    assert await usage(engine, 1) == (0, 0, 9_000_000)
    assert await usage(engine, 2) == foreign_usage
    assert min(foreign[table] for table in ("transactions", "partners", "outbox", "events")) > 0
