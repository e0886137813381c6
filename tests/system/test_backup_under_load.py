"""R15: a backup beside 200 writes a second holds all that was acknowledged before its start.

``BACKUP_MIB`` is the size of the database, 8 unless ``make faults`` asks for more; time for each
gibibyte and the writes that went on are printed (``-s``), and never judged: machines differ.
"""

import asyncio
import os
import re
import shutil
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import apsw
import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService, KeyService
from longshore.kit.clock import SystemClock
from longshore.kit.environment import Environment
from longshore.kit.ids import SystemIdSource
from longshore.storage.errors import StorageUnavailableError
from longshore.storage.manifest import Manifest, verified_manifest
from longshore.storage.postgres.database import open_postgres
from longshore.storage.postgres.migrate import migrate_postgres
from longshore.storage.schema.migrate import migrate
from longshore.storage.sqlite.data_directory import DATABASE_FILE
from longshore.storage.sqlite.database import open_database
from tests.support.database import Database
from tests.support.postgres import PostgresServer, postgres_server
from tests.system.server import LONGSHORE, clean_environment, serving

__all__ = ["postgres_server"]

MEBIBYTES: Final = int(os.environ.get("BACKUP_MIB", "8"))
ROW_BYTES: Final = 2_400
WRITES_PER_SECOND: Final = 200
BEFORE: Final = 100  # writes that are acknowledged before the backup begins


class Kind(ABC):
    """An engine with a database to back up and an empty place to restore into."""

    name: str
    source: tuple[str, str]
    target: tuple[str, str]

    @abstractmethod
    def open(self, place: tuple[str, str]) -> AbstractAsyncContextManager[Database]: ...

    @abstractmethod
    async def make(self, rows: int) -> None:
        """Make the database with so many large rows, whose account is ``large``."""

    @abstractmethod
    async def size_bytes(self) -> int: ...


class Sqlite(Kind):
    name = "sqlite"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.source, self.target = ("--data-dir", "data"), ("--data-dir", "restored")

    @asynccontextmanager
    async def open(self, place: tuple[str, str]) -> AsyncIterator[Database]:
        with open_database(self._folder / place[1]) as database:
            yield database

    async def make(self, rows: int) -> None:
        migrate(self._folder / "data")
        connection = apsw.Connection(str(self._folder / "data" / DATABASE_FILE))
        connection.execute(
            "INSERT INTO accounts (name, folded_name, account_type, status, created_at)"
            " VALUES ('large', 'large', 'developer', 'active', 0)"
        )
        connection.execute(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)"
            " INSERT INTO api_keys"
            " (account_id, environment, digest, prefix, last_four, scopes, created_at, name)"
            " SELECT 1, 'sandbox', randomblob(32), 'svc_test_abcd', 'wxyz',"
            " '[\"' || hex(randomblob(?)) || '\"]', 0, '' FROM n",
            (rows, ROW_BYTES // 2),
        )
        connection.close()

    async def size_bytes(self) -> int:
        return (self._folder / "data" / DATABASE_FILE).stat().st_size


class Postgres(Kind):
    name = "postgres"

    def __init__(self, server: PostgresServer) -> None:
        self._server = server
        self.source = ("--database-url", server.url("loaded"))
        self.target = ("--database-url", server.url("restored"))

    def open(self, place: tuple[str, str]) -> AbstractAsyncContextManager[Database]:
        return open_postgres(place[1])

    async def make(self, rows: int) -> None:
        for name in ("loaded", "restored"):
            await self._server.create_database(name)
        await migrate_postgres(self.source[1])
        async with self._server.connected("loaded") as admin:
            # As large on the disk as it looks.
            await admin.execute("ALTER TABLE api_keys ALTER scopes SET STORAGE PLAIN")
            await admin.execute(
                "INSERT INTO accounts (name, folded_name, account_type, status, created_at)"
                " VALUES ('large', 'large', 'developer', 'active', 0)"
            )
            await admin.execute(
                "INSERT INTO api_keys"
                " (account_id, environment, digest, prefix, last_four, scopes, created_at, name)"
                " SELECT 1, 'sandbox', decode(md5(n::text) || md5('x' || n), 'hex'),"
                " 'svc_test_abcd', 'wxyz', '[\"' || repeat(md5(n::text), $2) || '\"]', 0, ''"
                " FROM generate_series(1, $1::int) AS n",
                rows,
                ROW_BYTES // 32,
            )

    async def size_bytes(self) -> int:
        async with self._server.connected("loaded") as admin:
            return int(await admin.fetchval("SELECT pg_database_size('loaded')"))

    async def drop(self) -> None:
        async with self._server.connected() as admin:
            for name in ("loaded", "restored"):
                await admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=["sqlite", "postgres"])
async def kind(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Kind]:
    if request.param == "sqlite":
        yield Sqlite(tmp_path)
        return
    postgres = Postgres(request.getfixturevalue("postgres_server"))
    yield postgres
    await postgres.drop()


@dataclass
class Load:
    """Writers of so many accounts a second, each noted when it was acknowledged."""

    accounts: AccountService
    acknowledged: list[str]
    is_stopped: bool = False

    async def run(self) -> None:
        begun = time.monotonic()
        writing: set[asyncio.Task[None]] = set()
        number = 0
        while not self.is_stopped:
            due = int((time.monotonic() - begun) * WRITES_PER_SECOND) - number
            for _ in range(min(due, 50)):
                number += 1
                writing.add(asyncio.create_task(self._write(f"written {number}")))
            await asyncio.sleep(0.005)
            writing = {task for task in writing if not task.done()}
        await asyncio.gather(*writing)

    async def _write(self, name: str) -> None:
        # On a busy machine some find no connection in time: they are refused, and promised nothing.
        with suppress(StorageUnavailableError):
            await self.accounts.create(name, AccountType.DEVELOPER)
            self.acknowledged.append(name)

    async def until(self, count: int) -> list[str]:
        """Return what was acknowledged, once there is so much of it."""
        while len(self.acknowledged) < count:  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0.005)
        return list(self.acknowledged)


async def longshore(folder: Path, programs: Path | None, *arguments: str) -> None:
    """Run a command beside the load, in a process of its own."""
    path = os.pathsep.join(filter(None, (str(programs or ""), os.environ["PATH"])))
    process = await asyncio.create_subprocess_exec(
        *(*LONGSHORE, *arguments), cwd=folder, env=clean_environment(PATH=path)
    )
    assert await process.wait() == 0


def missing(names: list[str], manifest: Manifest, found: set[str]) -> list[str]:
    """Return what an honest backup would hold, after its count is compared with its content."""
    assert manifest.tables["accounts"].rows == len(found)
    return [name for name in names if name not in found]


@dataclass(frozen=True)
class Backup:
    """A backup that was made under load: ``key`` belongs to the account ``large``.

    ``before`` and ``after``: names that were acknowledged before it began and after it ended.
    ``lost``: what plain copies of the file lacked.
    """

    file: Path
    key: str
    before: list[str]
    after: list[str]
    lost: list[str]


async def back_up_under_load(kind: Kind, folder: Path, programs: Path | None) -> Backup:
    out = folder / "saved"
    async with kind.open(kind.source) as database:
        clock = SystemClock()
        accounts = AccountService(database.units, clock, database.revocations)
        keys = KeyService(database.units, clock, SystemIdSource(), database.revocations)
        key = (await keys.create("large", Environment.SANDBOX)).key
        load = Load(accounts, [])
        running = asyncio.create_task(load.run())
        before = await load.until(BEFORE)
        begun = time.monotonic()
        await longshore(folder, programs, "backup", str(out), *kind.source)
        seconds = time.monotonic() - begun
        during = len(load.acknowledged) - len(before)
        lost = await lost_by_copying(load, folder) if kind.name == "sqlite" else ["no file"]
        after = (await load.until(len(load.acknowledged) + BEFORE))[-BEFORE:]
        load.is_stopped = True
        await running
    report(kind.name, await kind.size_bytes(), seconds, during)
    assert during > 0, "nothing was written beside the backup"
    return Backup(out, key, before, after, lost)


@pytest.mark.timeout(60 + MEBIBYTES)
async def test_a_backup_under_load_holds_what_was_acknowledged_before_it_and_boots(
    kind: Kind, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    programs = None
    if kind.name == "postgres":
        programs = request.getfixturevalue("postgres_server").programs
    await kind.make(MEBIBYTES * 2**20 // ROW_BYTES)
    saved = await back_up_under_load(kind, tmp_path, programs)
    await longshore(tmp_path, programs, "restore", str(saved.file), *kind.target)
    manifest = verified_manifest(saved.file, kind.name)
    found = await names_in(kind, kind.target)
    assert missing(saved.before, manifest, found) == []
    # The controls: what came after the backup is missed, and so is what a copy of the file lost.
    assert missing(saved.after, manifest, found) == saved.after
    assert saved.lost != []
    await longshore(tmp_path, programs, "db", "check", *kind.target)
    await asyncio.to_thread(boots, tmp_path, kind, saved.key)


async def lost_by_copying(load: Load, folder: Path) -> list[str]:
    """Return what plain copies of the file lack; a copy torn by a checkpoint lacks everything."""
    lost: list[str] = []
    for _ in range(5):  # one that is made just after a checkpoint may lack nothing
        acknowledged = await load.until(len(load.acknowledged) + 1)
        shutil.copy(folder / "data" / DATABASE_FILE, folder / "copied")
        connection = apsw.Connection(str(folder / "copied"))
        found = set()
        with suppress(apsw.CorruptError):
            found = {name for (name,) in connection.execute("SELECT name FROM accounts")}
        connection.close()
        lost += [name for name in acknowledged if name not in found]
    return lost


async def names_in(kind: Kind, place: tuple[str, str]) -> set[str]:
    async with kind.open(place) as database:
        accounts = AccountService(database.units, SystemClock(), database.revocations)
        return {account.name for account in await accounts.list()}


def boots(folder: Path, kind: Kind, key: str) -> None:
    """Serve what was restored, and call it with a key that is in it."""
    arguments = () if kind.name == "sqlite" else kind.target
    with serving(folder, "--data-dir", "restored", *arguments) as server:
        assert server.call("GET", "/api/v1/ping", key)[0] == 200
        assert server.call("GET", "/readyz")[0] == 200
        assert not re.search("svc_test_", server.printed), "it made a first key, so it was empty"
        assert server.stop() == 0


def report(engine: str, size_bytes: int, seconds: float, writes: int) -> None:
    print(  # noqa: T201 - what this test measures
        f"\n{engine}: {size_bytes / 2**20:.0f} MiB in {seconds:.1f} s,"
        f" {seconds / size_bytes * 2**30:.1f} s/GiB,"
        f" beside {writes / seconds:.0f} writes/s"
    )
