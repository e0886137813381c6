"""Isolation in the database (reliability.md section 5): the rules, on both engines."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from longshore.domain.accounts.model import AccountId, AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.ports import SYSTEM, Scope
from longshore.kit.environment import Environment
from longshore.storage.errors import OutsideScopeError
from longshore.storage.isolation import SHARED_TABLES, TENANT_TABLES
from longshore.storage.schema.tables import metadata
from tests.support.clock import StoppedClock
from tests.support.database import Database, Engine, PostgresEngine, SqliteEngine
from tests.support.shipments import run, shipments_queries, shipments_schema

SANDBOX, PRODUCTION = Environment.SANDBOX, Environment.PRODUCTION
OWN, FOREIGN = AccountId(1), AccountId(2)

OWN_TEST, OWN_LIVE, FOREIGN_TEST, FOREIGN_LIVE = 1, 2, 3, 4
ROWS = [
    (OWN_TEST, OWN, "sandbox", "own test"),
    (OWN_LIVE, OWN, "production", "own live"),
    (FOREIGN_TEST, FOREIGN, "sandbox", "foreign test"),
    (FOREIGN_LIVE, FOREIGN, "production", "foreign live"),
]


def scope(account: AccountId, environment: Environment | None) -> Scope:
    return Scope(account_id=account, environment=environment)


LIVE, TEST = scope(OWN, PRODUCTION), scope(OWN, SANDBOX)


@pytest.fixture(params=["sqlite", "postgres"])
async def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Engine:
    engine: Engine
    if request.param == "sqlite":
        engine = SqliteEngine(tmp_path / "data", shipments_schema(tmp_path))
    else:
        server = request.getfixturevalue("postgres_server")
        engine = PostgresEngine(server, shipments_schema(tmp_path))
    await engine.create()
    return engine


@pytest.fixture
async def database(engine: Engine, tmp_path: Path, clock: StoppedClock) -> AsyncIterator[Database]:
    """Two accounts, each with a shipment in each environment."""
    async with engine.open(shipments_queries(engine.dialect, tmp_path)) as database:
        accounts = AccountService(database.units, clock, database.revocations)
        for name in ("own", "foreign"):
            await accounts.create(name, AccountType.ENTERPRISE)
        for _, account, environment, note in ROWS:
            await run(
                database,
                scope(account, PRODUCTION),
                "insert_shipment",
                writes=True,
                account_id=account,
                environment=environment,
                note=note,
            )
        yield database


async def everything(database: Database) -> list[tuple[object, ...]]:
    """Return all rows, by way of what each account sees."""
    return [
        row
        for account in (OWN, FOREIGN)
        for row in await run(database, scope(account, PRODUCTION), "list_shipments", writes=False)
    ]


@pytest.mark.parametrize("writes", [False, True], ids=["read unit", "write unit"])
@pytest.mark.parametrize(
    ("given", "visible"),
    [
        pytest.param(LIVE, [OWN_TEST, OWN_LIVE], id="live sees both environments"),
        pytest.param(TEST, [OWN_TEST], id="test sees test"),
        pytest.param(scope(FOREIGN, SANDBOX), [FOREIGN_TEST], id="foreign"),
        pytest.param(scope(OWN, None), [], id="no environment"),
        pytest.param(scope(AccountId(99), PRODUCTION), [], id="no such account"),
    ],
)
async def test_a_unit_sees_the_rows_of_its_scope(
    database: Database, given: Scope, visible: list[int], *, writes: bool
) -> None:
    rows = await run(database, given, "list_shipments", writes=writes)
    assert rows == [row for row in ROWS if row[0] in visible]
    assert await run(database, given, "count_shipments", writes=writes) == [(len(visible),)]
    for number, *_ in ROWS:
        found = await run(database, given, "find_shipment", writes=writes, id=number)
        assert [row[0] for row in found] == [number] * (number in visible)


@pytest.mark.parametrize("writes", [False, True], ids=["read unit", "write unit"])
async def test_the_system_scope_sees_no_table_that_is_not_named_for_it(
    database: Database, *, writes: bool
) -> None:
    assert len(await run(database, SYSTEM, "list_accounts", writes=writes)) == 2
    try:
        rows = await run(database, SYSTEM, "count_shipments", writes=writes)
    except Exception as refused:  # noqa: BLE001 - a reader of the system scope lacks the view
        assert "shipments_scoped" in str(refused)  # noqa: PT017 - either answer is right
    else:
        assert rows == [(0,)]


@pytest.mark.parametrize(
    ("given", "account", "environment"),
    [
        pytest.param(LIVE, FOREIGN, PRODUCTION, id="foreign"),
        pytest.param(TEST, FOREIGN, SANDBOX, id="foreign test"),
        pytest.param(TEST, OWN, PRODUCTION, id="live from test"),
        pytest.param(scope(OWN, None), OWN, SANDBOX, id="no environment"),
        pytest.param(SYSTEM, OWN, SANDBOX, id="system scope"),
    ],
)
async def test_a_row_outside_the_scope_is_not_written(
    database: Database, given: Scope, account: AccountId, environment: Environment
) -> None:
    values = {"account_id": account, "environment": environment}
    with pytest.raises(OutsideScopeError, match=r"^a unit wrote a row outside its scope$"):
        await run(database, given, "insert_shipment", writes=True, note="smuggled", **values)
    if given in (LIVE, TEST):
        with pytest.raises(OutsideScopeError):
            await run(database, given, "move_shipment", writes=True, id=OWN_TEST, **values)
    assert await everything(database) == ROWS


async def test_live_may_write_test_rows(database: Database) -> None:
    for environment in (SANDBOX, PRODUCTION, SANDBOX):
        values = {"id": OWN_LIVE, "account_id": OWN, "environment": environment}
        assert await run(database, LIVE, "move_shipment", writes=True, **values) == [(OWN_LIVE,)]
    assert len(await run(database, TEST, "list_shipments", writes=False)) == 2


@pytest.mark.parametrize("number", [OWN_LIVE, FOREIGN_TEST, FOREIGN_LIVE])
async def test_a_row_that_is_not_seen_is_not_found_by_a_change(
    database: Database, number: int
) -> None:
    values = {"account_id": OWN, "environment": SANDBOX}
    assert await run(database, TEST, "move_shipment", writes=True, id=number, **values) == []
    assert await run(database, TEST, "delete_shipment", writes=True, id=number) == []
    assert await everything(database) == ROWS


@pytest.mark.parametrize(
    ("name", "values"), [("delete_unlooked", {"id": FOREIGN_LIVE}), ("empty_shipments", {})]
)
async def test_a_change_that_forgot_its_conditions_leaves_foreign_rows_alone(
    database: Database, name: str, values: dict[str, int]
) -> None:
    try:
        await run(database, TEST, name, writes=True, **values)
    except OutsideScopeError:
        changed = []  # SQLite refuses the whole unit, PostgreSQL passes over the rows
    else:
        changed = [OWN_TEST] * (not values)
    kept = [row for row in await everything(database) if row[0] not in changed]
    assert kept == [row for row in ROWS if row[0] not in changed]


async def test_a_read_that_forgot_the_view_shows_no_foreign_row(database: Database) -> None:
    for writes in (False, True):
        try:
            rows = await run(database, TEST, "read_past_the_view", writes=writes)
        except Exception as refused:  # noqa: BLE001 - SQLite refuses, by an error of its driver
            assert "prohibited" in str(refused)  # noqa: PT017 - either answer is right
        else:
            assert rows == [(OWN_TEST,)]


async def test_a_scope_ends_with_its_unit(database: Database) -> None:
    for given in (LIVE, scope(FOREIGN, SANDBOX), TEST, scope(OWN, None), LIVE):
        for writes in (False, True, False):
            rows = await run(database, given, "list_shipments", writes=writes)
            assert {row[1] for row in rows} <= {given.account_id}


def test_every_table_is_declared_as_a_tenants_or_as_shared() -> None:
    declared = {table.name: table for table in TENANT_TABLES}
    assert declared.keys() | SHARED_TABLES == metadata.tables.keys()
    assert declared.keys() & SHARED_TABLES == set()
    for name, table in declared.items():
        columns = metadata.tables[name].columns.keys()
        assert table.account_column in columns
        assert table.environment_column is None or table.environment_column in columns
