"""R8: a full disk refuses writes with 503, keeps no half of one, and everything else goes on.

On each engine twice: by the engine's own limit, which works everywhere (``max_page_count`` of
SQLite; PostgreSQL has none, so a trigger raises the error class of a full disk, SQLSTATE 53100),
and by a file system that is full, where the machine lets us mount one.
"""

import shutil
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import httpx2
import pytest

from longshore.compute import documents
from longshore.compute.inline import InlineCompute
from longshore.domain.accounts.authentication import Authenticator
from longshore.domain.accounts.model import AccountType, ApiCaller
from longshore.domain.accounts.service import AccountService, KeyService
from longshore.domain.maps.replay import ReplayService
from longshore.domain.maps.service import MapService
from longshore.domain.partners.encryption import TokenWriter
from longshore.domain.ports import SYSTEM, AccountId
from longshore.domain.samples.service import SampleService
from longshore.domain.units import WriteUnit
from longshore.domain.usage.service import UsageService
from longshore.http.app import create_app
from longshore.http.services import HttpServices
from longshore.kit.environment import Environment
from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.storage.errors import StorageUnavailableError
from longshore.storage.isolation import TENANT_TABLES
from longshore.storage.postgres.backup import back_up_postgres
from longshore.storage.schema.catalogue import VERSIONS
from longshore.storage.sqlite.backup import back_up
from longshore.storage.sqlite.database import SqliteDatabase
from longshore.telemetry.access import AccessLog
from tests.support.client import check_answer
from tests.support.clock import START, CountedIds, StoppedClock
from tests.support.database import Database, Engine, PostgresEngine, Schema, SqliteEngine
from tests.support.services import a_ready_partner, a_trading
from tests.support.small_disk import SmallDisk, small_disk
from tests.support.submitting import SubmitSetup
from tests.support.users import People
from tests.support.vault import a_sealer, a_vault, scope

pytestmark = pytest.mark.full("fills disks")

ROWS = 2_000
"""Of one write: more than fits into what is left when the disk is full."""

FULL = "The disk of the database is full; nothing was stored."
LONG = f"ST*850*0001~BEG*00*SA*PO-1**20240115~BIN*2000000*{'A' * 2_000_000}~SE*4*0001~"
"""Long, and soon read."""

TOKEN = "T" * 43
DOCUMENT = {"document": "ST*850*0001~SE*2*0001~"}


class Disk(ABC):
    """Where a database lies; it can be filled."""

    @abstractmethod
    async def fill(self) -> None: ...

    @abstractmethod
    async def free(self) -> None: ...


class PageLimit(Disk):
    """SQLite's own limit of pages."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._connection = database._writer._connection  # noqa: SLF001 - no part of the port
        self._connection.authorizer = None  # it forbids the PRAGMA
        self._unlimited = int(str(self._connection.pragma("max_page_count")))

    async def fill(self) -> None:
        pages = int(str(self._connection.pragma("page_count")))
        self._connection.pragma("max_page_count", pages + 4)

    async def free(self) -> None:
        self._connection.pragma("max_page_count", self._unlimited)


class RowLimit(Disk):
    """A trigger that raises what PostgreSQL raises on a full disk.

    After a few more accounts, and on the outbox, whose row is the last of a document.
    """

    def __init__(self, engine: PostgresEngine) -> None:
        self._engine = engine

    async def fill(self) -> None:
        await self._run(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            " IF TG_TABLE_NAME = 'outbox'"
            f" OR (SELECT count(*) FROM accounts) % {ROWS} > 20 THEN"
            " RAISE SQLSTATE '53100' USING MESSAGE = 'could not extend file \"base/5/16384\"';"
            " END IF; RETURN NEW; END $$",
            *(
                f"CREATE TRIGGER full_disk BEFORE INSERT ON {table}"
                " FOR EACH ROW EXECUTE FUNCTION refuse()"
                for table in ("accounts", "outbox")
            ),
        )

    async def free(self) -> None:
        await self._run("DROP FUNCTION refuse CASCADE")

    async def _run(self, *statements: str) -> None:
        async with self._engine.server.connected("fulldisk") as admin:
            for statement in statements:
                await admin.execute(statement)


class Mounted(Disk):
    """A file system with room for a few rows."""

    def __init__(self, disk: SmallDisk) -> None:
        self._disk = disk

    async def fill(self) -> None:
        self._disk.fill(leaving_bytes=65_536)

    async def free(self) -> None:
        self._disk.free()


@asynccontextmanager
async def tables_on(disk: SmallDisk, engine: PostgresEngine) -> AsyncIterator[None]:
    """Move the tables onto the small disk, and back."""
    owner = engine.server.data.stat()
    shutil.chown(disk.place, owner.st_uid, owner.st_gid)
    (disk.place / "space").mkdir()
    shutil.chown(disk.place / "space", owner.st_uid, owner.st_gid)
    moves = "ALTER TABLE ALL IN TABLESPACE {0} SET TABLESPACE {1}"
    indexes = "ALTER INDEX ALL IN TABLESPACE {0} SET TABLESPACE {1}"
    async with engine.server.connected("fulldisk") as admin:
        # Without it the pages of rows that earlier tests deleted are room that nobody fills.
        await admin.execute(f"TRUNCATE {', '.join(each.name for each in TENANT_TABLES)} CASCADE")
        await admin.execute(f"CREATE TABLESPACE small LOCATION '{disk.place / 'space'}'")
        for move in (moves, indexes):
            await admin.execute(move.format("pg_default", "small"))
    try:
        yield
    finally:
        async with engine.server.connected("fulldisk") as admin:
            for move in (moves, indexes):
                await admin.execute(move.format("small", "pg_default"))
            await admin.execute("DROP TABLESPACE small")


KINDS = ["sqlite pages", "sqlite mounted", "postgres rows", "postgres mounted"]


@pytest.fixture(params=KINDS)
async def opened(
    request: pytest.FixtureRequest, tmp_path: Path
) -> AsyncIterator[tuple[Engine, Database, Disk]]:
    """An open database and the disk it lies on."""
    name, kind = request.param.split()
    engine: SqliteEngine | PostgresEngine
    async with AsyncExitStack() as stack:
        mount = stack.enter_context(small_disk(24)) if kind == "mounted" else None
        if name == "sqlite":
            engine = SqliteEngine((mount.place if mount else tmp_path) / "data")
            await engine.create()
        else:
            server = request.getfixturevalue("postgres_server")
            engine = PostgresEngine(server, Schema("fulldisk", VERSIONS, TENANT_TABLES))
            await engine.create()
            if mount:
                await stack.enter_async_context(tables_on(mount, engine))
        database = await stack.enter_async_context(engine.open())
        if mount:
            yield engine, database, Mounted(mount)
        elif isinstance(database, SqliteDatabase):
            yield engine, database, PageLimit(database)
        else:
            assert isinstance(engine, PostgresEngine)
            yield engine, database, RowLimit(engine)


class Service:
    """The application on a database; each authenticated call of ``storing`` writes one unit."""

    def __init__(self, database: Database, key: str) -> None:
        self._database = database
        self._headers = {"Authorization": f"Bearer {key}"}
        self._batches = 0

    def _authenticator(self) -> Authenticator:
        """Return one that remembers no key, so that each call reads."""
        return Authenticator(self._database.units, StoppedClock(), self._database.revocations)

    async def _store(self, token: str) -> ApiCaller:
        self._batches += 1
        batch = self._batches

        async def fill(unit: WriteUnit) -> None:
            for number in range(ROWS):
                name = f"{batch:03} {number:060}"
                await unit.accounts.insert(name, name, AccountType.DEVELOPER, START)

        await self._database.units.write(SYSTEM, fill)
        return await self._authenticator().authenticate(token)

    async def _call(
        self,
        services: HttpServices,
        method: str,
        path: str,
        *,
        body: object = None,
        content: bytes | None = None,
    ) -> httpx2.Response:
        transport = httpx2.ASGITransport(create_app(services))
        async with httpx2.AsyncClient(transport=transport, base_url="http://x") as client:
            answer = await client.request(
                method, path, headers=self._headers, json=body, content=content
            )
        check_answer(method, path, answer.status_code, answer.headers, answer.content)
        return answer

    def _services(self) -> HttpServices:
        people = People(self._database, StoppedClock())
        vault = a_vault(self._database, StoppedClock())
        maps = MapService(self._database.units, a_sealer(), StoppedClock(), InlineCompute())
        return HttpServices(
            authenticate=self._authenticator().authenticate,
            compute=InlineCompute(),
            parse_result=documents.parse_result,
            validate_result=documents.validate_result,
            inspect_result=documents.inspect_result,
            convert_result=documents.convert_result,
            schemas_result=documents.schemas_result,
            schema_result=documents.schema_result,
            sample_result=documents.sample_result,
            accounts=AccountService(
                self._database.units, StoppedClock(), self._database.revocations
            ),
            usage=UsageService(self._database.units, StoppedClock()),
            vault=vault,
            samples=SampleService(vault),
            maps=maps,
            replays=ReplayService(maps, vault, InlineCompute()),
            trading=a_trading(self._database, StoppedClock()),
            sessions=people.sessions,
            login=people.login,
            users=people.users,
            own_keys=people.own_keys,
            own_address=people.own_address,
            check_storage=self._database.check,
            base_url="http://x",
            max_body_bytes=2 * len(LONG),
            access_log=AccessLog(BytesIO()),
            ids=CountedIds(),
        )

    async def storing(self) -> httpx2.Response:
        services = replace(self._services(), authenticate=self._store)
        return await self._call(services, "POST", "/api/v1/parse", body=DOCUMENT)

    async def submitting(self) -> httpx2.Response:
        order = {"partner_id": 1, "tx_set": "850", "direction": "outbound", "content": LONG}
        return await self._call(self._services(), "POST", "/api/v1/transactions/submit", body=order)

    async def receiving(self) -> httpx2.Response:
        return await self._call(
            self._services(), "POST", f"/edi/receive/{TOKEN}", content=LONG.encode()
        )

    async def reading(self) -> list[int]:
        """Return the statuses of what writes nothing that its answer depends on."""
        answers = [
            await self._call(self._services(), "GET", path)
            for path in ("/api/v1/ping", "/readyz", "/healthz")
        ]
        answers.append(await self._call(self._services(), "POST", "/api/v1/parse", body=DOCUMENT))
        return [answer.status_code for answer in answers]


async def a_service(database: Database) -> Service:
    clock = StoppedClock()
    accounts = AccountService(database.units, clock, database.revocations)
    await accounts.create("demo", AccountType.DEVELOPER)
    keys = KeyService(database.units, clock, CountedIds(), database.revocations)
    return Service(database, (await keys.create("demo", Environment.SANDBOX)).key)


async def count_rows(database: Database) -> int:
    accounts = AccountService(database.units, StoppedClock(), database.revocations)
    return len(await accounts.list())


async def test_a_full_disk_answers_503_stores_nothing_and_lets_everything_else_go_on(
    opened: tuple[Engine, Database, Disk],
) -> None:
    _, database, disk = opened
    service = await a_service(database)
    # The control: the very same call is answered with 200 while there is room.
    assert (await service.storing()).status_code == 200
    assert await count_rows(database) == ROWS + 1
    await disk.fill()
    for _ in range(3):
        answer = await service.storing()
        told = answer.json()
        assert (answer.status_code, told["ok"], told["code"], told["error"]) == (
            *(503, False, "storage_unavailable"),
            FULL,
        )
        assert answer.headers["retry-after"] == "10"
        assert await count_rows(database) == ROWS + 1
        assert await service.reading() == [200] * 4
    await disk.free()
    assert (await service.storing()).status_code == 200
    assert await count_rows(database) == 2 * ROWS + 1
    if isinstance(database, SqliteDatabase):
        assert database.integrity_check() == ()


async def a_partner_with_a_token(database: Database) -> None:
    partner_id = await a_ready_partner(database)

    async def give(unit: WriteUnit) -> None:
        writer = TokenWriter(unit, a_sealer(), (AccountId(1), partner_id))
        await writer.insert(TOKEN, Environment.SANDBOX, START)

    await database.units.write(scope(1, Environment.SANDBOX), give)


@pytest.mark.parametrize("way", ["submitting", "receiving"])
async def test_a_document_is_refused_on_a_full_disk_and_taken_once_there_is_room(
    opened: tuple[Engine, Database, Disk], way: str
) -> None:
    engine, database, disk = opened
    service = await a_service(database)
    await a_partner_with_a_token(database)
    setup = SubmitSetup(database, engine, StoppedClock())
    before = await setup.counts()
    exchange = getattr(service, way)
    await disk.fill()
    for _ in range(2):
        answer = await exchange()
        told = answer.json()
        assert (answer.status_code, told["ok"], told["code"]) == (503, False, "storage_unavailable")
        # Of a statement that fills the disk SQLite gives up the whole transaction by itself.
        assert told["error"].endswith("nothing was stored.")
        assert int(answer.headers["retry-after"]) > 0
        assert await setup.counts() == before
    await disk.free()
    answer = await exchange()
    assert (answer.status_code, answer.json().get("duplicate")) == (200, False)
    assert (await setup.counts())["outbox"] == 1


async def test_the_control_what_is_stored_row_by_row_is_stored_by_half(
    opened: tuple[Engine, Database, Disk],
) -> None:
    """The count of rows would show a half-stored unit: here nothing binds the rows together."""
    _, database, disk = opened
    service = await a_service(database)
    assert (await service.storing()).status_code == 200
    await disk.fill()
    accounts = AccountService(database.units, StoppedClock(), database.revocations)

    async def fill_row_by_row() -> None:
        for number in range(100 * ROWS):
            await accounts.create(f"{number:060}", AccountType.DEVELOPER)

    with pytest.raises(StorageUnavailableError) as refusal:
        await fill_row_by_row()
    await disk.free()
    assert refusal.value.code is ErrorCode.STORAGE_UNAVAILABLE
    assert await count_rows(database) > ROWS + 1


@contextmanager
def a_full_place() -> Iterator[Path]:
    with small_disk(1) as disk:
        disk.fill()
        yield disk.place


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_a_backup_without_room_fails_and_takes_none(
    request: pytest.FixtureRequest, tmp_path: Path, kind: str
) -> None:
    async def save(place: Path) -> None:
        if kind == "sqlite":
            sqlite = SqliteEngine(tmp_path / "data")
            await sqlite.create()
            back_up(sqlite.place, place / "saved", StoppedClock())
        else:
            server = request.getfixturevalue("postgres_server")
            postgres = PostgresEngine(server)
            await postgres.create()
            out = place / "saved"
            await back_up_postgres(postgres.url, out, StoppedClock(), programs=server.programs)

    await save(tmp_path)  # the control
    with a_full_place() as place:
        before = [*place.iterdir()]
        with pytest.raises((LongshoreError, OSError)) as refusal:
            await save(place)
        assert [*place.iterdir()] == before
        assert any(word in str(refusal.value) for word in ("full", "No space"))
