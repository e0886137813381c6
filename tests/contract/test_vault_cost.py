"""What the vault costs: sealing at most a fifth more (S14), a list no more than its page."""

from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import apsw
import pytest

from longshore.compute.inline import InlineCompute
from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.ports import AssociatedData, DataKey, Sealer
from longshore.domain.vault.model import VaultQuery
from longshore.domain.vault.service import VaultService
from longshore.engine.convert import convert
from longshore.kit.environment import Environment
from longshore.kit.ids import SystemIdSource
from longshore.storage.isolation import TENANT_TABLES
from longshore.storage.master_key import MasterKey
from longshore.storage.queries import Query, load_queries
from longshore.storage.sealing import AesSealer
from longshore.storage.sqlite.data_directory import DATABASE_FILE
from longshore.storage.sqlite.isolation import UnitContext, guard_reader
from longshore.storage.vault import _filters
from tests.support.clock import START, StoppedClock
from tests.support.database import Database, PostgresEngine, SqliteEngine
from tests.support.postgres import PostgresServer
from tests.support.vault import a_document, a_vault, scope

pytestmark = pytest.mark.full("compares processor times")

TEST, LIVE = scope(1, Environment.SANDBOX), scope(1, Environment.PRODUCTION)
ROUNDS, CALLS = 15, 8

RULES = [
    {"src": f"PO1[{line}].{element:02}", "tgt": f"lines[{line - 1}].e{element}"}
    for line in range(1, 6)
    for element in (1, 2, 3, 4)
]


class UnsealedSealer:
    """Leaves everything as it is: what storing costs without encryption."""

    def new_key(self) -> DataKey:
        return DataKey(b"")

    def seal(self, _: DataKey, content: bytes) -> bytes:
        return content

    def open(self, _: DataKey, sealed: bytes) -> bytes:
        return sealed

    def wrap(self, _: DataKey, __: AssociatedData) -> bytes:
        return bytes(65)

    def unwrap(self, _: bytes, __: AssociatedData) -> DataKey:
        return DataKey(b"")


def an_order(lines: int) -> str:
    body = [
        f"PO1*{line}*12*EA*9.50**VP*SKU-{line:06}~PID*F****ITEM {line}~" for line in range(1, lines)
    ]
    return (
        "ISA*00*          *00*          *ZZ*ACME           *ZZ*NORTHWIND      *260115*1405*U*00401"
        "*000000001*0*T*>~GS*PO*ACME*NORTHWIND*20260115*1405*1*X*004010~ST*850*0001~"
        f"BEG*00*SA*PO-1**20260115~{''.join(body)}SE*{lines + 2}*0001~GE*1*1~IEA*1*000000001~"
    )


@pytest.mark.parametrize("lines", [20, 2_000], ids=["1 KB", "56 KB"])
async def test_converting_and_saving_costs_at_most_a_fifth_more_for_being_sealed(
    database: Database, clock: StoppedClock, accounts: AccountService, lines: int
) -> None:
    await accounts.create("own", AccountType.ENTERPRISE)
    order, beside = an_order(lines), InlineCompute()

    def saving(sealer: Sealer) -> Callable[[], Awaitable[float]]:
        vault = VaultService(database.units, clock, sealer, beside)

        async def seconds() -> float:
            begun = process_time()
            for _ in range(CALLS):
                output = convert(order, RULES).outputs[0].text
                await vault.store(TEST, a_document(order), [a_document(output, fmt="json")])
            return process_time() - begun

        return seconds

    sealed = saving(AesSealer(MasterKey(secret=bytes(32)), SystemIdSource()))
    plain = saving(UnsealedSealer())
    for warm in (sealed, plain):
        await warm()
    ratios = [await sealed() / await plain() for _ in range(ROUNDS)]
    assert median(ratios) <= 1.2


def explained(engine: SqliteEngine, name: str, values: dict[str, Any]) -> str:
    """Return how a reader of the program runs a query."""
    with closing(apsw.Connection(str(engine.place / DATABASE_FILE))) as connection:
        context = UnitContext()
        guard_reader(connection, TENANT_TABLES, context)
        context.enter(LIVE)
        text = load_queries(engine.dialect)[name].text
        rows = connection.execute(f"EXPLAIN QUERY PLAN {text}", values).fetchall()
    return "\n".join(str(row[-1]) for row in rows)


async def test_a_list_walks_an_index_and_sorts_nothing(tmp_path: Path) -> None:
    engine = SqliteEngine(tmp_path)
    await engine.create()
    query = VaultQuery(environment=Environment.SANDBOX, q="850-", fmt="json", since=START)
    page: dict[str, Any] = {**_filters(query), "limit": 50, "offset": 0}
    plan = explained(engine, "list_vault_documents", page)
    assert "USING INDEX ix_vault_documents_account_id_id (account_id=?)" in plan
    assert "TEMP B-TREE" not in plan
    expired = explained(engine, "list_expired_vault_documents", {"before": 1, "most": 500})
    assert "ix_vault_documents_account_id_created_at (account_id=? AND created_at<?)" in expired
    sources = {"map_id": 7, "environment": "sandbox", "most": 50}
    plan = explained(engine, "list_map_sources", sources)
    of_map = "ix_vault_documents_account_id_map_id (account_id=? AND map_id=?)"
    assert of_map in plan
    assert of_map in explained(engine, "list_maps", {})


async def test_a_list_walks_an_index_on_postgres_too(
    postgres_server: PostgresServer, clock: StoppedClock
) -> None:
    engine = PostgresEngine(postgres_server)
    await engine.create()
    async with engine.open() as database:
        accounts = AccountService(database.units, clock, database.revocations)
        await accounts.create("own", AccountType.ENTERPRISE)
        vault = a_vault(database, clock)
        for _ in range(4):
            await vault.store(TEST, None, [a_document("x")] * 500)
    text = (
        "EXPLAIN SELECT id FROM vault_documents WHERE account_id = 1"
        " AND 'production' IN ('production', environment) AND environment = 'sandbox'"
        " ORDER BY id DESC LIMIT 50"
    )
    async with engine.unguarded() as execute:
        await execute(Query("ANALYZE vault_documents", frozenset()), {})
        plan = "\n".join(row[0] for row in await execute(Query(text, frozenset()), {}))
    assert "Index Scan" in plan
    assert "Sort" not in plan
