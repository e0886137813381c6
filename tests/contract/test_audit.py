"""The audit log: nothing of it can be changed, taken out or put in unseen (R21)."""

import asyncio
from dataclasses import replace
from random import Random

import apsw
import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.audit.chain import BATCH, ChainVerdict, verify_chain
from longshore.domain.audit.chain import START as FIRST
from longshore.domain.audit.model import ChainedEntry, NewEntry
from longshore.domain.audit.writer import AuditWriter, open_detail
from longshore.domain.ports import SYSTEM, AccountId, Scope
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.storage.errors import OutsideScopeError
from longshore.storage.queries import Query, load_queries
from longshore.storage.sqlite.data_directory import DATABASE_FILE
from tests.support.clock import START
from tests.support.database import Database, Engine, PostgresEngine, SqliteEngine
from tests.support.shipments import run
from tests.support.trading import FOREIGN_LIVE, LIVE, TEST, read, write
from tests.support.vault import a_sealer

OWN, FOREIGN = AccountId(1), AccountId(2)
WRITERS, UNITS = 8, 10
READ = NewEntry(
    actor="user 5",
    action="document.read",
    object="document 17",
    ip="192.0.2.7",
    request_id="req_1",
    detail="exported for the auditor",
)


@pytest.fixture(autouse=True)
async def two_accounts(accounts: AccountService) -> None:
    for name in ("own", "foreign"):
        await accounts.create(name, AccountType.ENTERPRISE)


async def record(database: Database, *entries: NewEntry, given: Scope = TEST) -> None:
    async def work(unit: WriteUnit) -> None:
        account_id = given.account_id or OWN
        await AuditWriter(unit, a_sealer(), account_id).record(entries, START)

    await write(database, given, work)


async def newest(
    database: Database, before: int | None = None, given: Scope = TEST
) -> list[ChainedEntry]:
    async def work(unit: ReadUnit) -> list[ChainedEntry]:
        return [*await unit.audit.list_newest(given.account_id or OWN, before, 3)]

    return await read(database, given, work)


async def test_an_entry_comes_back_as_it_was_recorded(database: Database) -> None:
    await record(database)
    await record(database, READ, NewEntry(actor="key 3", action="key.use", object="key 3"))
    second, first = await newest(database)
    entry = first.entry
    assert (entry.position, entry.actor, entry.action, entry.object) == (
        *(1, "user 5"),
        *("document.read", "document 17"),
    )
    assert (entry.ip, entry.request_id, entry.created_at) == ("192.0.2.7", "req_1", START)
    assert open_detail(a_sealer(), entry) == "exported for the auditor"
    assert (second.entry.position, open_detail(a_sealer(), second.entry)) == (2, "")


async def test_pages_go_back_in_time_and_each_account_sees_its_own(database: Database) -> None:
    await record(database, *[READ] * 5)
    await record(database, READ, given=FOREIGN_LIVE)
    pages = [[each.entry.position for each in await newest(database, at)] for at in (None, 3)]
    assert pages == [[5, 4, 3], [2, 1]]
    assert [each.entry.position for each in await newest(database, None, FOREIGN_LIVE)] == [1]
    assert [each.entry.position for each in await newest(database, None, SYSTEM)] == [5, 4, 3]


async def test_a_login_is_recorded_in_the_system_scope(database: Database) -> None:
    await record(database, READ, given=SYSTEM)
    assert [each.entry.account_id for each in await newest(database)] == [OWN]


async def test_a_whole_chain_holds(database: Database) -> None:
    assert await verify_chain(database.units, TEST, OWN) == ChainVerdict(
        entries=0, head=FIRST, broken_at=None
    )
    for _ in range(3):
        await record(database, READ, READ)
    await record(database, READ, given=FOREIGN_LIVE)
    (last, *_) = await newest(database)
    assert await verify_chain(database.units, SYSTEM, OWN) == ChainVerdict(
        entries=6, head=last.hash, broken_at=None
    )


async def test_a_chain_is_walked_in_batches(database: Database) -> None:
    await record(database, *[READ] * (BATCH + 2))
    verdict = await verify_chain(database.units, LIVE, OWN)
    assert (verdict.entries, verdict.broken_at) == (BATCH + 2, None)


async def test_entries_of_racing_writers_make_one_chain(engine: Engine) -> None:
    async with engine.open() as one, engine.open() as other:

        async def writing(database: Database) -> None:
            for number in range(UNITS):
                await record(database, READ, replace(READ, detail="seen" * (number % 2)))
                await record(database, *[replace(READ, detail="")] * 2)

        await asyncio.gather(*map(writing, [one, other] * (WRITERS // 2)))
        verdict = await verify_chain(one.units, TEST, OWN)
    assert (verdict.entries, verdict.broken_at) == (WRITERS * UNITS * 4, None)


async def test_a_unit_that_fails_leaves_no_gap(database: Database) -> None:
    async def work(unit: WriteUnit) -> None:
        await AuditWriter(unit, a_sealer(), OWN).record([READ], START)
        raise KeyError

    with pytest.raises(KeyError):
        await write(database, TEST, work)
    await record(database, READ)
    assert (await verify_chain(database.units, TEST, OWN)).entries == 1


async def test_entries_without_a_detail_get_their_positions_when_the_unit_ends(
    database: Database,
) -> None:
    first, second, third = (
        replace(READ, object=text, detail="") for text in ("map 'a' \\ \"b\" ü €", "key 1", "key 2")
    )

    async def work(unit: WriteUnit) -> list[int]:
        lengths = []
        for entries in ([first, second], [READ, third], [third, second]):
            await AuditWriter(unit, a_sealer(), OWN).record(entries, START)
            lengths.append(await unit.audit.length(OWN))
        return lengths

    await record(database, first)
    assert await write(database, TEST, work) == [1, 5, 5]
    await record(database, first, given=FOREIGN_LIVE)
    entries = [each.entry for before in (8, 5, 2) for each in await newest(database, before)]
    assert [(each.position, each.object) for each in reversed(entries)] == [
        *((1, first.object), (2, first.object), (3, second.object), (4, READ.object)),
        *((5, third.object), (6, third.object), (7, second.object)),
    ]
    for given, account_id, count in ((TEST, OWN, 7), (FOREIGN_LIVE, FOREIGN, 1)):
        verdict = await verify_chain(database.units, given, account_id)
        assert (verdict.entries, verdict.broken_at) == (count, None)


async def test_a_chain_whose_end_was_cut_off_goes_on_broken(
    engine: Engine, database: Database
) -> None:
    await record(database, *[replace(READ, detail="")] * 3)
    await tamper(engine, "DELETE FROM audit_entries WHERE position = 3")
    await record(database, replace(READ, detail=""))
    assert (await verify_chain(database.units, TEST, OWN)).broken_at == 3


FORBIDDEN = (
    "UPDATE audit_entries SET actor = 'nobody' WHERE position = 1 RETURNING id",
    "DELETE FROM audit_entries WHERE position = 1 RETURNING id",
)


@pytest.mark.parametrize("text", FORBIDDEN, ids=["update", "delete"])
@pytest.mark.parametrize("given", [TEST, LIVE, SYSTEM], ids=["test", "live", "system"])
async def test_no_unit_changes_or_removes_an_entry(
    engine: Engine, database: Database, text: str, given: Scope
) -> None:
    await record(database, READ)
    before = await newest(database)
    queries = {**load_queries(engine.dialect), "tamper": Query(text, frozenset(), is_write=True)}
    async with engine.open(queries) as tampering:
        with pytest.raises(Exception, match=r"permission denied|outside its scope") as refusal:
            await run(tampering, given, "tamper", writes=True)
    assert isinstance(refusal.value, OutsideScopeError) is isinstance(engine, SqliteEngine)
    assert await newest(database) == before


async def tamper(engine: Engine, statement: str) -> None:
    """Change the log as somebody who has the database."""
    if isinstance(engine, SqliteEngine):
        connection = apsw.Connection(str(engine.place / DATABASE_FILE))
        connection.execute(statement)
        connection.close()
        return
    assert isinstance(engine, PostgresEngine)
    async with engine.server.connected("contract") as admin:
        await admin.execute(statement)


async def test_changed_entries_are_noticed_where_they_are(
    engine: Engine, database: Database
) -> None:
    await record(database, *[READ] * 20)
    random, texts = Random(7), ("actor", "action", "object", "ip", "request_id")
    for _ in range(25):
        column, position = random.choice(texts), random.randrange(1, 21)
        where = f"WHERE account_id = 1 AND position = {position}"
        await tamper(engine, f"UPDATE audit_entries SET {column} = {column} || 'x' {where}")
        assert (await verify_chain(database.units, TEST, OWN)).broken_at == position
        length = f"length({column}) - 1"
        await tamper(
            engine, f"UPDATE audit_entries SET {column} = substr({column}, 1, {length}) {where}"
        )
    assert (await verify_chain(database.units, TEST, OWN)).broken_at is None


@pytest.mark.parametrize(
    ("statement", "broken_at"),
    [
        ("DELETE FROM audit_entries WHERE position = 1", 1),
        ("DELETE FROM audit_entries WHERE position = 3", 3),
        ("DELETE FROM audit_entries WHERE position = 5", 5),
        ("DELETE FROM audit_entries WHERE position > 2", 3),
        ("DELETE FROM audit_entries", 1),
        ("UPDATE audit_entries SET created_at = created_at + 1 WHERE position = 2", 2),
        ("UPDATE audit_entries SET account_id = 2 WHERE position = 5", 5),
        ("UPDATE audit_entries SET position = position + 5 WHERE position = 5", 5),
    ],
)
async def test_what_is_taken_out_cut_off_or_moved_is_noticed(
    engine: Engine, database: Database, statement: str, broken_at: int
) -> None:
    await record(database, *[READ] * 5)
    await tamper(engine, statement)
    assert (await verify_chain(database.units, TEST, OWN)).broken_at == broken_at


async def test_a_log_goes_on_though_its_end_was_cut_off(engine: Engine, database: Database) -> None:
    await record(database, READ, READ)
    await tamper(engine, "DELETE FROM audit_entries WHERE position = 2")
    await record(database, READ)
    verdict = await verify_chain(database.units, TEST, OWN)
    assert (verdict.entries, verdict.broken_at) == (0, 2)
