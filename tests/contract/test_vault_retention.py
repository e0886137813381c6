"""How long documents are kept: as long as their account says, and then they are gone."""

from datetime import timedelta
from pathlib import Path

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.vault.model import VaultQuery
from longshore.domain.vault.retention import Retention
from longshore.kit.environment import Environment
from longshore.storage.sqlite.place import DATABASE_FILE
from tests.support.clock import StoppedClock
from tests.support.database import Database, SqliteEngine
from tests.support.vault import a_document, a_vault, scope

LIVE = scope(1, Environment.PRODUCTION)


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
    retention = Retention(accounts, vault)
    removed = []
    for days in (1, 1, 27, 1, 1_000):
        clock.move(timedelta(days=days, microseconds=1 if days == 1 else 0))
        removed.append(await retention.purge())
    assert removed == [8, 0, 0, 4, 0]
    left = [
        (await vault.list(scope(number, each), VaultQuery(environment=each), 9, 0)).total
        for number in (1, 2, 3, 4)
        for each in Environment
    ]
    assert left == [0, 0, 0, 0, 2, 2, 0, 0]


async def test_what_was_removed_is_gone_from_the_file(tmp_path: Path, clock: StoppedClock) -> None:
    engine = SqliteEngine(tmp_path / "data")
    await engine.create()
    async with engine.open() as database:
        accounts = AccountService(database.units, clock, database.revocations)
        await accounts.create("own", AccountType.ENTERPRISE)
        vault = a_vault(database, clock)
        await vault.store(LIVE, None, [a_document("x" * 20_000, filename="850-0badcafe.edi")])
    sealed = (tmp_path / "data" / DATABASE_FILE).read_bytes()
    assert b"850-0badcafe.edi" in sealed
    clock.move(timedelta(days=2))
    async with engine.open() as database:
        assert await a_vault(database, clock).purge(LIVE, 1) == 1
    assert b"850-0badcafe.edi" not in await engine.dump()
