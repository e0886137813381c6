"""What only PostgreSQL does: its settings, what a start refuses, and being lost and found."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from longshore.domain.accounts.model import AccountId, AccountStatus, AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.ports import SYSTEM, Scope
from longshore.domain.units import WriteUnit
from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.storage.errors import DatabaseRefusedError, StorageUnavailableError
from longshore.storage.postgres import revocations as revocations_module
from longshore.storage.postgres.database import PostgresDatabase, open_postgres
from longshore.storage.postgres.errors import driver_errors, translated
from longshore.storage.postgres.migrate import migrate_postgres
from longshore.storage.postgres.units import _commit, _entering
from tests.support.clock import StoppedClock
from tests.support.database import PostgresEngine
from tests.support.postgres import PostgresServer, started_server

APP = "longshore_app"


@pytest.fixture
async def engine(postgres_server: PostgresServer) -> PostgresEngine:
    engine = PostgresEngine(postgres_server)
    await engine.create()
    return engine


@pytest.fixture
async def database(engine: PostgresEngine) -> AsyncIterator[PostgresDatabase]:
    async with open_postgres(engine.url) as database:
        yield database


@pytest.fixture
def accounts(database: PostgresDatabase, clock: StoppedClock) -> AccountService:
    return AccountService(database.units, clock, database.revocations)


SETTINGS = {
    "role": APP,
    "row_security": "on",
    "statement_timeout": "10s",
    "lock_timeout": "3s",
    "idle_in_transaction_session_timeout": "30s",
    "synchronous_commit": "on",
    "default_transaction_isolation": "read committed",
    "TimeZone": "UTC",
}


@pytest.mark.parametrize(
    ("account_id", "environment"), [("1', true); COMMIT; --", None), (None, "'; COMMIT; --")]
)
def test_the_text_that_begins_a_unit_takes_a_number_and_an_environment_alone(
    account_id: Any,  # noqa: ANN401 - not what its type says
    environment: Any,  # noqa: ANN401 - the same
) -> None:
    with pytest.raises(ValueError, match=r"is not a valid Environment|invalid literal for int"):
        _entering(Scope(account_id=account_id, environment=environment))


async def test_every_session_has_the_settings_that_are_not_optional(
    database: PostgresDatabase,
) -> None:
    async with database._pool.acquire() as connection:  # noqa: SLF001 - no part of the port
        actual = {name: await connection.fetchval(f"SHOW {name}") for name in SETTINGS}
        assert await connection.fetchval("SELECT current_user") == APP
    assert actual == SETTINGS


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE accounts DISABLE ROW LEVEL SECURITY",
        "ALTER TABLE accounts NO FORCE ROW LEVEL SECURITY",
        "CREATE POLICY mine ON accounts USING (true)",
        "DROP TABLE api_keys",
        "TRUNCATE api_keys",
        "CREATE TABLE mine (id bigint)",
        "INSERT INTO schema_migrations VALUES (9, 'x', 'x', 0)",
        "DELETE FROM schema_migrations",
    ],
)
async def test_the_role_of_the_application_cannot_take_the_guard_off(
    database: PostgresDatabase, statement: str
) -> None:
    async with database._pool.acquire() as connection:  # noqa: SLF001 - no part of the port
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.execute(statement)


async def test_without_a_scope_there_are_no_rows_and_the_owner_sees_none_either(
    engine: PostgresEngine, database: PostgresDatabase, accounts: AccountService
) -> None:
    await accounts.create("somebody", AccountType.DEVELOPER)
    query = "SELECT count(*) FROM accounts"
    async with database._pool.acquire() as connection:  # noqa: SLF001 - no part of the port
        assert await connection.fetchval(query) == 0
        await connection.execute("SELECT set_config('app.maintenance', 'on', false)")
        assert await connection.fetchval(query) == 0
    async with engine.server.connected("contract", "owner") as owner:
        assert await owner.fetchval(query) == 0


@asynccontextmanager
async def changed(server: PostgresServer, change: str, undo: str) -> AsyncIterator[None]:
    """Change the server or the database of the contract, as its administrator could."""
    async with server.connected("contract") as admin:
        for statement in change.split(";"):
            await admin.execute(statement)
        try:
            yield
        finally:
            for statement in undo.split(";"):
                await admin.execute(statement)


UNSAFE = [
    (
        f"ALTER ROLE {APP} BYPASSRLS",
        f"ALTER ROLE {APP} NOBYPASSRLS",
        f"The session acts as {APP}, which must be {APP}, without SUPERUSER and without BYPASSRLS",
    ),
    (
        f"ALTER ROLE {APP} SUPERUSER",
        f"ALTER ROLE {APP} NOSUPERUSER",
        f"The session acts as {APP}, which must be {APP}, without SUPERUSER and without BYPASSRLS",
    ),
    (
        f"ALTER TABLE api_keys OWNER TO {APP}",
        (
            f"ALTER TABLE api_keys OWNER TO owner; REVOKE ALL ON api_keys FROM {APP};"
            f"GRANT SELECT, INSERT, UPDATE, DELETE ON api_keys TO {APP}"
        ),
        f"The role {APP} owns api_keys",
    ),
    (
        "ALTER TABLE api_keys NO FORCE ROW LEVEL SECURITY",
        "ALTER TABLE api_keys FORCE ROW LEVEL SECURITY",
        "Row security is off for api_keys.",
    ),
    (
        "ALTER TABLE accounts DISABLE ROW LEVEL SECURITY",
        "ALTER TABLE accounts ENABLE ROW LEVEL SECURITY",
        "Row security is off for accounts.",
    ),
    (
        "ALTER VIEW accounts_scoped SET (security_invoker = false)",
        "ALTER VIEW accounts_scoped SET (security_invoker = true)",
        "Row security is off for accounts.",
    ),
]


@pytest.mark.parametrize(
    ("change", "undo", "message"),
    UNSAFE,
    ids=["BYPASSRLS", "SUPERUSER", "owner", "not forced", "disabled", "definer view"],
)
async def test_a_start_refuses_what_would_not_isolate(
    engine: PostgresEngine, change: str, undo: str, message: str
) -> None:
    async with changed(engine.server, change, undo):
        with pytest.raises(DatabaseRefusedError) as refusal:
            async with open_postgres(engine.url):
                pass
    assert refusal.value.message.startswith(message)
    async with open_postgres(engine.url) as database:
        await database.check()


@pytest.mark.parametrize("setting", ["fsync", "full_page_writes"])
async def test_a_start_refuses_a_server_that_could_lose_commits(
    engine: PostgresEngine, setting: str
) -> None:
    reload = "SELECT pg_reload_conf(); SELECT pg_sleep_for('0')"
    async with changed(
        engine.server,
        f"ALTER SYSTEM SET {setting} = off; {reload}",
        f"ALTER SYSTEM RESET {setting}; {reload}",
    ):
        async with engine.server.connected() as admin, asyncio.timeout(30):
            while await admin.fetchval(f"SHOW {setting}") == "on":
                pass
        with pytest.raises(DatabaseRefusedError) as refusal:
            async with open_postgres(engine.url):
                pass
    async with engine.server.connected() as admin, asyncio.timeout(30):
        while await admin.fetchval(f"SHOW {setting}") == "off":
            pass
    assert refusal.value.message == (
        f"The PostgreSQL server has {setting}=off. Longshore needs fsync, full_page_writes and"
        " synchronous_commit on, and a database in UTF8: without them it could lose what it has"
        " acknowledged."
    )


async def test_a_login_without_the_role_is_refused(engine: PostgresEngine) -> None:
    async with changed(engine.server, "CREATE ROLE stranger LOGIN", "DROP ROLE stranger"):
        with pytest.raises(DatabaseRefusedError) as refusal:
            async with open_postgres(engine.server.url("contract", "stranger")):
                pass
    assert refusal.value.message.startswith(
        f"The login of database_url cannot act as the role {APP}. Run 'longshore db upgrade'"
    )


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://owner:secret-word@/nowhere?host={host}",
        "postgresql://nobody:secret-word@/contract?host={host}",
        "nonsense://owner:secret-word@/contract?host={host}",
        "postgresql://owner:secret-word@/contract?host={host}&sslmode=nonsense",
    ],
    ids=["database", "login", "scheme", "sslmode"],
)
async def test_an_address_that_leads_nowhere_is_refused_without_its_password(
    engine: PostgresEngine, url: str
) -> None:
    url = url.format(host=engine.server.socket_folder)
    for attempt in (migrate_postgres(url), opened(url)):
        with pytest.raises(DatabaseRefusedError) as refusal:
            await attempt
        assert refusal.value.message == (
            "The database server refused the login or has no database of that name, or"
            " database_url is no address such as postgresql://login@host/database."
        )


async def opened(url: str) -> None:
    async with open_postgres(url):
        pass


async def test_a_server_that_is_not_there_is_unavailable(tmp_path: Path) -> None:
    url = f"postgresql://owner@/contract?host={tmp_path}"
    for attempt in (migrate_postgres(url), opened(url)):
        with pytest.raises(StorageUnavailableError) as refusal:
            await attempt
        assert (refusal.value.code, refusal.value.retry_after_seconds, refusal.value.message) == (
            ErrorCode.STORAGE_UNAVAILABLE,
            5,
            "The database cannot be reached now; nothing was stored.",
        )


async def test_a_standby_is_not_ready(engine: PostgresEngine) -> None:
    async with (
        changed(
            engine.server,
            "ALTER DATABASE contract SET default_transaction_read_only = on",
            "SET default_transaction_read_only = off;"
            "ALTER DATABASE contract RESET default_transaction_read_only",
        ),
        open_postgres(engine.url) as database,
    ):
        accounts = AccountService(database.units, StoppedClock(), database.revocations)
        for attempt, message in (
            (database.check(), "The database server takes no writes now."),
            (
                accounts.create("x", AccountType.DEVELOPER),
                "The database cannot be written now; nothing was stored.",
            ),
        ):
            with pytest.raises(StorageUnavailableError) as refusal:
                await attempt
            assert (refusal.value.message, refusal.value.retry_after_seconds) == (message, 10)
        assert await accounts.list() == ()


async def test_terminated_sessions_are_replaced(
    engine: PostgresEngine, database: PostgresDatabase, accounts: AccountService
) -> None:
    await accounts.create("before", AccountType.DEVELOPER)
    for number in range(5):
        async with engine.server.connected() as admin:
            await admin.execute(
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
                " WHERE application_name = 'longshore'"
            )
        with suppressed_unavailability():
            await accounts.create(f"during {number}", AccountType.DEVELOPER)
        await database.check()
    assert (await accounts.list())[0].name == "before"
    assert (await accounts.create("after", AccountType.DEVELOPER)).name == "after"


class suppressed_unavailability:  # noqa: N801 - used as a statement
    """Lets ``storage_unavailable`` pass, and nothing else."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> bool:
        return isinstance(error, StorageUnavailableError)


async def test_a_server_that_stops_and_comes_back_needs_no_restart_of_ours(
    clock: StoppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(revocations_module, "RECONNECT_SECONDS", 0.05)
    with started_server() as server:
        await server.create_database("lost")
        await migrate_postgres(server.url("lost"))
        async with open_postgres(server.url("lost")) as database:
            accounts = AccountService(database.units, clock, database.revocations)
            await accounts.create("before", AccountType.DEVELOPER)
            server.stop_at_once()
            for _ in range(3):
                for attempt in (accounts.create("lost", AccountType.DEVELOPER), database.check()):
                    with pytest.raises(StorageUnavailableError) as refusal:
                        await attempt
                    assert refusal.value.retry_after_seconds == 5
            heard = database.revocations.count()
            server.start_again()
            async with asyncio.timeout(30):
                while database.revocations.count() == heard:  # noqa: ASYNC110 - it has no event
                    await asyncio.sleep(0.01)
            await database.check()
            await accounts.create("after", AccountType.DEVELOPER)
            assert [account.name for account in await accounts.list()] == ["before", "after"]


async def test_a_deadlock_is_tried_again(
    engine: PostgresEngine, database: PostgresDatabase, accounts: AccountService
) -> None:
    first, second = [
        (await accounts.create(name, AccountType.DEVELOPER)).id for name in ("one", "two")
    ]
    runs: list[int] = []

    async def suspend_both(unit: WriteUnit) -> None:
        runs.append(1)
        for account in (first, second):
            await unit.accounts.set_status(account, AccountStatus.SUSPENDED)

    async with engine.server.connected("contract") as admin:
        transaction = admin.transaction()
        await transaction.start()
        lock = "SELECT id FROM accounts WHERE id = $1 FOR UPDATE"
        await admin.execute(lock, second)
        unit = asyncio.create_task(database.units.write(SYSTEM, suspend_both))
        await waiting(engine)
        await admin.execute(lock, first)  # each waits for the other; the unit notices first
        await transaction.commit()
    await unit
    assert len(runs) > 1
    assert {account.status for account in await accounts.list()} == {AccountStatus.SUSPENDED}


async def waiting(engine: PostgresEngine) -> None:
    """Return once a session of ours waits for a lock."""
    query = "SELECT count(*) FROM pg_locks WHERE NOT granted"
    async with engine.server.connected() as admin, asyncio.timeout(30):
        while not await admin.fetchval(query):
            pass


PendingEvent = Callable[[], Exception]


@pytest.mark.parametrize(
    ("kind", "wait", "message"),
    [
        (asyncpg.DiskFullError, 10, "The disk of the database is full; nothing was stored."),
        (
            asyncpg.QueryCanceledError,
            1,
            "The database is busy with other work; nothing was stored.",
        ),
        (
            asyncpg.LockNotAvailableError,
            1,
            "The database is busy with other work; nothing was stored.",
        ),
        (
            asyncpg.TooManyConnectionsError,
            10,
            "The database cannot be written now; nothing was stored.",
        ),
        (
            asyncpg.SerializationError,
            1,
            "The unit conflicted with others too often; nothing was stored.",
        ),
        *(
            (kind, 5, "The database cannot be reached now; nothing was stored.")
            for kind in (
                ConnectionRefusedError,
                TimeoutError,
                asyncpg.AdminShutdownError,
                asyncpg.CannotConnectNowError,
                asyncpg.ConnectionDoesNotExistError,
                asyncpg.InterfaceError,
            )
        ),
    ],
)
def test_what_the_server_does_wrong_is_storage_unavailable(
    kind: type[Exception], wait: int, message: str
) -> None:
    with pytest.raises(StorageUnavailableError) as refusal, driver_errors():
        raise kind("something with a host name")
    assert (refusal.value.message, refusal.value.retry_after_seconds) == (message, wait)


@pytest.mark.parametrize(
    "kind", [asyncpg.CheckViolationError, asyncpg.PostgresSyntaxError, asyncpg.DataError]
)
def test_what_the_program_does_wrong_stays_what_it_is(kind: type[Exception]) -> None:
    error = kind("x")
    assert translated(error) is error


async def test_a_value_of_the_wrong_type_is_a_mistake_of_the_program(
    database: PostgresDatabase,
) -> None:
    async def wrong(unit: WriteUnit) -> None:
        await unit.accounts.set_status(AccountId("1"), AccountStatus.ACTIVE)  # type: ignore[arg-type]

    with pytest.raises(asyncpg.exceptions.DataError):
        await database.units.write(SYSTEM, wrong)


class BrokenConnection:
    """A connection that breaks in the call that commits."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    async def execute(self, text: str) -> None:
        assert text == "COMMIT;"
        raise self._error


async def test_a_commit_without_an_answer_is_not_called_undone() -> None:
    with pytest.raises(LongshoreError) as refusal:
        await _commit(BrokenConnection(asyncpg.ConnectionDoesNotExistError("lost")), "COMMIT;")
    assert refusal.value.message == (
        "The connection to the database broke while it stored this, so it may or may not be"
        " stored. Look before you try again."
    )
    with pytest.raises(asyncpg.UniqueViolationError):
        await _commit(BrokenConnection(asyncpg.UniqueViolationError("deferred")), "COMMIT;")
