"""Backup and restore: every row there, nothing damaged taken, nothing written over."""

import asyncio
import json
import os
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Final

import apsw
import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService, KeyService
from longshore.domain.control_numbers.numbers import CounterKey, NumberKind, NumberRange
from longshore.domain.control_numbers.store import NumberRequest
from longshore.domain.ports import AccountId
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.environment import Environment
from longshore.storage.errors import DatabaseRefusedError, StorageUnavailableError
from longshore.storage.manifest import Manifest, NumberReserve, manifest_path, verified_manifest
from longshore.storage.postgres.backup import back_up_postgres, restore_postgres
from longshore.storage.postgres.database import open_postgres
from longshore.storage.schema.tables import metadata
from longshore.storage.sqlite.backup import back_up, restore
from longshore.storage.sqlite.data_directory import DATABASE_FILE
from longshore.storage.sqlite.database import open_database
from longshore.storage.sqlite.lock import serving
from tests.support.clock import START, StoppedClock
from tests.support.database import Database, Engine, PostgresEngine, SqliteEngine
from tests.support.trading import LIVE

RESTORES: Final = int(os.environ.get("RESTORES", "1"))
"""Restores in a row under load; ``make faults`` makes 20."""
_NUMBERS: Final = count(1)
_WIDE: Final = NumberRange()
_SHORT: Final = NumberRange(least=100, most=139)


class Vault(ABC):
    """Backs one database up, and restores into new ones."""

    @abstractmethod
    async def back_up(self, out: Path) -> Manifest: ...

    @abstractmethod
    async def back_up_restored(self, out: Path) -> Manifest:
        """Back up what was restored last."""

    @abstractmethod
    def restored(
        self, backup: Path, reserve: NumberReserve | None = None
    ) -> AbstractAsyncContextManager[Database]:
        """Restore into an empty place and open the database, which is whole."""

    async def restore(self, backup: Path) -> list[str]:
        """Restore into an empty place and return the names of its accounts."""
        async with self.restored(backup) as database:
            return await names_in(database)

    @abstractmethod
    async def restore_over(self, backup: Path) -> None:
        """Restore into the place that was backed up."""


class SqliteVault(Vault):
    def __init__(self, engine: SqliteEngine, folder: Path) -> None:
        self._engine = engine
        self._folder = folder

    async def back_up(self, out: Path) -> Manifest:
        return await asyncio.to_thread(back_up, self._engine.place, out, StoppedClock())

    async def back_up_restored(self, out: Path) -> Manifest:
        return await asyncio.to_thread(back_up, self._restored, out, StoppedClock())

    @asynccontextmanager
    async def restored(
        self, backup: Path, reserve: NumberReserve | None = None
    ) -> AsyncIterator[Database]:
        target = self._folder / f"restored-{next(_NUMBERS)}"
        restore(backup, target, reserve)
        self._restored = target
        with open_database(target) as database:
            assert database.integrity_check() == ()
            yield database

    async def restore_over(self, backup: Path) -> None:
        restore(backup, self._engine.place)


class PostgresVault(Vault):
    def __init__(self, engine: PostgresEngine) -> None:
        self._engine = engine
        self._programs = engine.server.programs

    async def back_up(self, out: Path) -> Manifest:
        return await back_up_postgres(
            self._engine.url, out, StoppedClock(), programs=self._programs
        )

    async def back_up_restored(self, out: Path) -> Manifest:
        return await back_up_postgres(self._restored, out, StoppedClock(), programs=self._programs)

    @asynccontextmanager
    async def restored(
        self, backup: Path, reserve: NumberReserve | None = None
    ) -> AsyncIterator[Database]:
        name = f"restored_{next(_NUMBERS)}"
        await self._engine.server.create_database(name)
        url = self._engine.server.url(name)
        await restore_postgres(backup, url, reserve, programs=self._programs)
        self._restored = url
        async with open_postgres(url) as database:
            await database.check()
            yield database

    async def restore_over(self, backup: Path) -> None:
        await restore_postgres(backup, self._engine.url, programs=self._programs)


async def names_in(database: Database) -> list[str]:
    accounts = AccountService(database.units, StoppedClock(), database.revocations)
    return [account.name for account in await accounts.list()]


@pytest.fixture
def vault(engine: Engine, tmp_path: Path) -> Vault:
    if isinstance(engine, SqliteEngine):
        return SqliteVault(engine, tmp_path)
    assert isinstance(engine, PostgresEngine)
    return PostgresVault(engine)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    (tmp_path / "kept").mkdir()
    return tmp_path / "kept" / "backup"


@pytest.fixture
async def filled(accounts: AccountService, keys: KeyService) -> list[str]:
    names = [f"Ärger & Söhne {number}" for number in range(30)]
    for name in names:
        await accounts.create(name, AccountType.ENTERPRISE)
        first = await keys.create(name, Environment.SANDBOX)
        await keys.rotate(first.record.id)
    return names


def assert_described(out: Path) -> None:
    assert {path.name for path in out.parent.iterdir()} == {"backup", "backup.manifest.json"}
    assert out.stat().st_mode & 0o777 == 0o600
    written = json.loads(manifest_path(out).read_text())
    assert (written["created_at"], written["size_bytes"]) == (
        "2026-01-15T14:05:09+00:00",
        out.stat().st_size,
    )


async def test_what_was_backed_up_comes_back(vault: Vault, filled: list[str], out: Path) -> None:
    manifest = await vault.back_up(out)
    assert manifest.tables.keys() == metadata.tables.keys()
    assert {name: table.rows for name, table in manifest.tables.items() if table.rows} == {
        "account_sequences": 30,
        "accounts": 30,
        "api_keys": 60,
        "audit_entries": 60,
        "schema_migrations": manifest.schema_version,
    }
    assert_described(out)
    assert await vault.restore(out) == filled


async def counters_towards(database: Database, peer: str) -> list[tuple[int | None, int]]:
    async def work(unit: ReadUnit) -> list[tuple[int | None, int]]:
        found = await unit.control_numbers.list([("01", peer)])
        return [(each.last, each.reserved) for each in found]

    return await database.units.read(LIVE, work)


class Numbers:
    """Draws ISA13 of production, and notices each that was drawn before."""

    def __init__(self) -> None:
        self._used = set[tuple[str, int]]()

    async def use(
        self, of: Database, peer: str, count: int, numbers: NumberRange = _WIDE
    ) -> list[int]:
        key = CounterKey(NumberKind.ISA, "ZZ", "ACMECORP", "01", peer)
        request = NumberRequest(key=key, numbers=numbers, count=count, skip_since=START)

        async def work(unit: WriteUnit) -> list[int]:
            owner = AccountId(1), Environment.PRODUCTION
            return list((await unit.control_numbers.draw(owner, request, START)).numbers)

        drawn = await of.units.write(LIVE, work)
        assert not self._used & {(peer, number) for number in drawn}
        self._used.update((peer, number) for number in drawn)
        return drawn


async def test_a_restored_database_repeats_no_control_number(
    vault: Vault, database: Database, accounts: AccountService, tmp_path: Path
) -> None:
    """Numbers drawn after a backup are not in it: the restored counters skip what was reserved."""
    await accounts.create("own", AccountType.ENTERPRISE)
    numbers, first, second = Numbers(), tmp_path / "first", tmp_path / "second"
    assert await numbers.use(database, "KNOWN", 3) == [1, 2, 3]
    assert await numbers.use(database, "SHORT", 5, _SHORT) == [100, 101, 102, 103, 104]
    await vault.back_up(first)
    await numbers.use(database, "KNOWN", 900)
    await numbers.use(database, "NEW", 40)  # a pair that the backup does not know
    await numbers.use(database, "SHORT", 12, _SHORT)
    reserve = NumberReserve(numbers=1_000, restored_at=START)
    async with vault.restored(first, reserve) as restored:
        assert await counters_towards(restored, "KNOWN") == [(3, 1_000)]
        assert await numbers.use(restored, "KNOWN", 2) == [1_004, 1_005]
        assert await counters_towards(restored, "KNOWN") == [(1_005, 0)]
        assert await numbers.use(restored, "NEW", 2) == [1_001, 1_002]
        # Half of a short range is skipped, so that it does not return to where it was.
        assert await numbers.use(restored, "SHORT", 2, _SHORT) == [125, 126]
        assert await numbers.use(restored, "KNOWN", 1) == [1_006]
        await vault.back_up_restored(second)
    async with vault.restored(second, reserve) as again:
        assert await numbers.use(again, "KNOWN", 1) == [2_007]
        assert await numbers.use(again, "THIRD", 1) == [2_001]


async def while_numbers_are_drawn(
    numbers: Numbers, of: Database, backing_up: Awaitable[Manifest]
) -> None:
    """Make a backup while numbers are drawn, before and after it too."""
    drawn, after = dict.fromkeys(["ONE", "OTHER"], 0), asyncio.Event()

    async def draw(peer: str) -> None:
        # Less in all than what a restore skips.
        while drawn[peer] < 2_000 and not after.is_set():
            drawn[peer] += len(await numbers.use(of, peer, 5))

    drawers = [asyncio.create_task(draw(peer)) for peer in drawn]
    while min(drawn.values()) < 20:  # noqa: ASYNC110 - it has no event
        await asyncio.sleep(0)
    await backing_up
    after.set()
    await asyncio.gather(*drawers)
    for peer in drawn:
        await numbers.use(of, peer, 5)


@pytest.mark.timeout(60 + 20 * RESTORES)
async def test_restores_of_backups_under_load_repeat_no_control_number(
    vault: Vault, database: Database, accounts: AccountService, tmp_path: Path
) -> None:
    await accounts.create("own", AccountType.ENTERPRISE)
    numbers, backup = Numbers(), tmp_path / "0"
    await while_numbers_are_drawn(numbers, database, vault.back_up(backup))
    for number in range(1, RESTORES + 1):
        earlier, backup = backup, tmp_path / str(number)
        async with vault.restored(earlier, NumberReserve(numbers=10_000, restored_at=START)) as of:
            await while_numbers_are_drawn(numbers, of, vault.back_up_restored(backup))
    # The control: a restore that skips nothing repeats a number.
    async with vault.restored(backup, NumberReserve(numbers=0, restored_at=START)) as of:
        with pytest.raises(AssertionError):
            await numbers.use(of, "ONE", 5)


async def test_both_engines_give_the_same_rows_the_same_sums(
    vault: Vault, filled: list[str], out: Path
) -> None:
    manifest = await vault.back_up(out)
    assert filled
    assert manifest.tables["accounts"].sha256 == (
        "7f4d60e29a9dd3b6b9bd0b16f99269f0b06ed4da4c744caba714df3c1edb1988"
    )


async def test_a_backup_under_writes_holds_what_was_acknowledged_before_it(
    vault: Vault, filled: list[str], accounts: AccountService, out: Path
) -> None:
    acknowledged: list[str] = []
    stopped = asyncio.Event()

    async def write(writer: int) -> None:
        number = 0
        while not stopped.is_set():
            name = f"writer {writer} account {number}"
            await accounts.create(name, AccountType.DEVELOPER)
            acknowledged.append(name)
            number += 1

    writers = [asyncio.create_task(write(writer)) for writer in range(4)]
    while len(acknowledged) < 50:  # noqa: ASYNC110 - it has no event
        await asyncio.sleep(0)
    before = [*filled, *acknowledged]
    await vault.back_up(out)
    stopped.set()
    await asyncio.gather(*writers)
    assert set(before) <= set(await vault.restore(out))


async def test_a_restore_takes_no_place_that_has_content(
    vault: Vault, filled: list[str], database: Database, out: Path
) -> None:
    await vault.back_up(out)
    with pytest.raises(DatabaseRefusedError, match=r"Restore into an empty"):
        await vault.restore_over(out)
    assert await names_in(database) == filled


async def test_a_backup_is_not_written_over(vault: Vault, filled: list[str], out: Path) -> None:
    assert filled
    older = await vault.back_up(out)
    with pytest.raises(DatabaseRefusedError) as refusal:
        await vault.back_up(out)
    assert refusal.value.message == "backup is there already. Choose another name."
    assert verified_manifest(out, older.engine) == older


def flip_a_byte(backup: Path) -> None:
    content = bytearray(backup.read_bytes())
    content[len(content) // 2] ^= 1
    backup.write_bytes(content)


def cut(backup: Path) -> None:
    backup.write_bytes(backup.read_bytes()[:-1])


def lose_manifest(backup: Path) -> None:
    manifest_path(backup).unlink()


def edit_manifest(member: str, value: object) -> Callable[[Path], None]:
    def edit(backup: Path) -> None:
        written = json.loads(manifest_path(backup).read_text())
        manifest_path(backup).write_text(json.dumps(written | {member: value}))

    return edit


CHANGED = "The backup is not the file its manifest describes"
NO_BACKUP = "backup is no backup with a manifest next to it (backup.manifest.json)."
HARMS = {
    "a byte": (flip_a_byte, CHANGED),
    "cut": (cut, CHANGED),
    "no manifest": (lose_manifest, NO_BACKUP),
    "member": (edit_manifest("extra", 1), NO_BACKUP),
    "format": (edit_manifest("format", 2), "The manifest of the backup has another format."),
    "tables": (edit_manifest("tables", []), NO_BACKUP),
    "engine": (edit_manifest("engine", "paper"), "This is a backup of paper; it cannot be"),
    "rows": (edit_manifest("tables", {}), "The copy does not hold the rows it must hold"),
}


@pytest.mark.parametrize(("harm", "message"), HARMS.values(), ids=HARMS)
async def test_a_backup_that_was_changed_is_refused(
    vault: Vault, filled: list[str], out: Path, harm: Callable[[Path], None], message: str
) -> None:
    assert filled
    await vault.back_up(out)
    harm(out)
    with pytest.raises(DatabaseRefusedError) as refusal:
        await vault.restore(out)
    assert refusal.value.message.startswith(message)


def test_a_damaged_database_is_not_backed_up_silently(tmp_path: Path, out: Path) -> None:
    engine = SqliteEngine(tmp_path / "data")
    asyncio.run(engine.create())
    path = engine.place / DATABASE_FILE
    connection = apsw.Connection(str(path))
    found = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'api_keys'")
    page = int(str(found.fetchall()[0][0]))
    connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    connection.close()
    with path.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xff" * 4096)
    with pytest.raises(DatabaseRefusedError, match="damaged"):
        back_up(engine.place, out, StoppedClock())
    assert not out.exists()


def test_without_a_database_there_is_no_backup(tmp_path: Path, out: Path) -> None:
    with pytest.raises(StorageUnavailableError, match="There is no database"):
        back_up(tmp_path / "data", out, StoppedClock())
    assert list(out.parent.iterdir()) == []


def test_a_data_directory_that_is_served_takes_no_restore(tmp_path: Path, out: Path) -> None:
    engine = SqliteEngine(tmp_path / "data")
    asyncio.run(engine.create())
    back_up(engine.place, out, StoppedClock())
    (tmp_path / "served").mkdir()
    with serving(tmp_path / "served"), pytest.raises(DatabaseRefusedError, match="empty one"):
        restore(out, tmp_path / "served")


Attempt = Callable[[Path], Awaitable[object]]


@pytest.mark.parametrize("engine", ["postgres"], indirect=True)
async def test_without_the_programs_of_postgresql_the_refusal_says_so(
    engine: PostgresEngine, vault: Vault, out: Path, tmp_path: Path
) -> None:
    with pytest.raises(DatabaseRefusedError) as refusal:
        await back_up_postgres(engine.url, out, StoppedClock(), programs=tmp_path)
    assert refusal.value.message == (
        "pg_dump was not found. Install PostgreSQL's client programs, of the server's release or a"
        " later one, or use the backups of the server."
    )
    assert list(out.parent.iterdir()) == []
    await vault.back_up(out)
    with pytest.raises(DatabaseRefusedError, match="pg_restore was not found"):
        await restore_postgres(out, engine.url, programs=tmp_path)


@pytest.mark.parametrize("engine", ["postgres"], indirect=True)
async def test_a_program_that_fails_leaves_no_backup(
    engine: PostgresEngine, out: Path, tmp_path: Path
) -> None:
    program = tmp_path / "pg_dump"
    program.write_text("#!/bin/sh\necho 'server version mismatch' >&2\nexit 1\n")
    program.chmod(0o700)
    with pytest.raises(DatabaseRefusedError) as refusal:
        await back_up_postgres(engine.url, out, StoppedClock(), programs=tmp_path)
    assert refusal.value.message == "pg_dump failed: server version mismatch"
    assert list(out.parent.iterdir()) == []
