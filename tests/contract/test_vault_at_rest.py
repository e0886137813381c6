"""S14 and R21: stored content stands nowhere in readable form, and no change of it goes unseen."""

import os
import re
import subprocess
from pathlib import Path
from random import Random

import apsw
import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.ports import SealBrokenError
from longshore.domain.vault.model import VaultDocumentId
from longshore.domain.vault.service import VaultService
from longshore.kit.environment import Environment
from longshore.storage.manifest import manifest_path
from longshore.storage.postgres.backup import back_up_postgres
from longshore.storage.queries import Query
from longshore.storage.sqlite.backup import back_up
from longshore.storage.sqlite.data_directory import DATABASE_FILE
from tests.support.clock import StoppedClock
from tests.support.database import Database, Engine, PostgresEngine, SqliteEngine
from tests.support.vault import a_document, a_vault, scope

TEST = scope(1, Environment.SANDBOX)
MARKER = "Jane-Q-Patient-4711"
FILE_NAME = "850-1a2b3c4d.edi"
COLUMNS = ("content", "facts", "wrapped_key")
FLIPS = 200


@pytest.fixture
async def vault(database: Database, clock: StoppedClock, accounts: AccountService) -> VaultService:
    await accounts.create("own", AccountType.ENTERPRISE)
    vault = a_vault(database, clock)
    for length in (1, 100, 5_000):
        output = a_document(f"<{MARKER}/>" * length, fmt="xml", explain=f'{{"x":"{MARKER}"}}')
        await vault.store(TEST, a_document(f"NM1*QC*1*{MARKER}~" * length), [output])
    return vault


async def written(engine: Engine, folder: Path) -> bytes:
    """Return everything a running database has written, and a backup of it."""
    out = folder / "backup"
    if isinstance(engine, SqliteEngine):
        back_up(engine.place, out, StoppedClock())
    else:
        assert isinstance(engine, PostgresEngine)
        programs = engine.server.programs
        await back_up_postgres(engine.url, out, StoppedClock(), programs=programs)
    return await engine.dump() + readable(engine, out) + manifest_path(out).read_bytes()


def readable(engine: Engine, backup: Path) -> bytes:
    """Return a backup without compression and without hexadecimal digits."""
    if not isinstance(engine, PostgresEngine):
        return backup.read_bytes()
    command = [str(engine.server.programs / "pg_restore"), "--file=-", str(backup)]
    texts = subprocess.run(command, capture_output=True, check=True).stdout
    hexadecimal = re.findall(rb"\\\\x([0-9a-f]+)", texts)
    assert len(hexadecimal) >= len(COLUMNS) * 6
    return texts + b"".join(bytes.fromhex(each.decode()) for each in hexadecimal)


async def test_content_stands_nowhere_on_disk(
    engine: Engine, vault: VaultService, tmp_path: Path
) -> None:
    stored = await vault.get(TEST, VaultDocumentId(2))
    assert MARKER in stored.content
    assert stored.explain is not None
    assert MARKER in stored.explain
    everything = await written(engine, tmp_path)
    assert FILE_NAME.encode() in everything  # what is plain is found, so the look is a look
    assert MARKER.encode() not in everything


async def test_content_stands_in_no_log_of_changes_and_no_temporary_file(
    engine: Engine, vault: VaultService
) -> None:
    await vault.get(TEST, VaultDocumentId(6))
    if isinstance(engine, SqliteEngine):
        folder = engine.place
        assert (folder / f"{DATABASE_FILE}-wal").stat().st_size > 0
    else:
        assert isinstance(engine, PostgresEngine)
        folder = engine.server.data
    assert files_with(folder, FILE_NAME) != []
    assert files_with(folder, MARKER) == []


def files_with(folder: Path, text: str) -> list[Path]:
    paths = (Path(place) / name for place, _, names in os.walk(folder) for name in names)
    return [path for path in paths if path.is_file() and text.encode() in path.read_bytes()]


async def changed_rows(engine: Engine, statement: str, values: dict[str, object]) -> None:
    """Change a row as somebody who has the database but not the key."""
    if isinstance(engine, SqliteEngine):
        connection = apsw.Connection(str(engine.place / DATABASE_FILE))
        connection.execute(statement, values)
        connection.close()
        return
    assert isinstance(engine, PostgresEngine)
    async with engine.server.connected("contract") as admin:
        numbered = statement
        for number, name in enumerate(values, start=1):
            numbered = numbered.replace(f":{name}", f"${number}")
        await admin.execute(numbered, *values.values())


async def column_of(engine: Engine, column: str, number: int) -> bytes:
    query = Query(f"SELECT {column} FROM vault_documents WHERE id = {number}", frozenset())
    async with engine.unguarded() as execute:
        ((value,),) = await execute(query, {})
    return bytes(value)


async def put(engine: Engine, column: str, number: int, value: bytes) -> None:
    statement = f"UPDATE vault_documents SET {column} = :value WHERE id = {number}"
    await changed_rows(engine, statement, {"value": value})


async def test_any_changed_byte_of_a_document_is_noticed(
    engine: Engine, vault: VaultService
) -> None:
    random = Random(5)
    noticed = 0
    for _ in range(FLIPS):
        number, column = random.choice((1, 2, 3, 4)), random.choice(COLUMNS)
        sound = await column_of(engine, column, number)
        place = random.randrange(len(sound))
        flipped = bytes([sound[place] ^ random.randrange(1, 256)])
        await put(engine, column, number, sound[:place] + flipped + sound[place + 1 :])
        with pytest.raises(SealBrokenError):
            await vault.get(TEST, VaultDocumentId(number))
        noticed += 1
        await put(engine, column, number, sound)
        await vault.get(TEST, VaultDocumentId(number))
    assert noticed == FLIPS


@pytest.mark.parametrize(
    "columns",
    [COLUMNS, ("content",), ("facts",), ("content", "facts"), ("wrapped_key",)],
    ids="+".join,
)
async def test_what_is_moved_to_another_row_opens_nothing(
    engine: Engine, vault: VaultService, columns: tuple[str, ...]
) -> None:
    for column in columns:
        await put(engine, column, 3, await column_of(engine, column, 1))
    with pytest.raises(SealBrokenError):
        await vault.get(TEST, VaultDocumentId(3))


async def test_what_is_moved_to_another_account_or_environment_opens_nothing(
    engine: Engine, vault: VaultService, accounts: AccountService
) -> None:
    await accounts.create("foreign", AccountType.ENTERPRISE)
    await changed_rows(engine, "UPDATE vault_documents SET account_id = 2 WHERE id = 1", {})
    await changed_rows(
        engine, "UPDATE vault_documents SET environment = 'production' WHERE id = 3", {}
    )
    with pytest.raises(SealBrokenError):
        await vault.get(scope(2, Environment.SANDBOX), VaultDocumentId(1))
    with pytest.raises(SealBrokenError):
        await vault.get(scope(1, Environment.PRODUCTION), VaultDocumentId(3))


async def test_facts_and_content_cannot_change_places(engine: Engine, vault: VaultService) -> None:
    content, facts = [await column_of(engine, column, 2) for column in ("content", "facts")]
    await put(engine, "content", 2, facts)
    with pytest.raises(SealBrokenError, match="is not the one its hash was taken of"):
        await vault.get(TEST, VaultDocumentId(2))
    await put(engine, "facts", 2, content)
    with pytest.raises(SealBrokenError, match="the facts of a document are not facts"):
        await vault.get(TEST, VaultDocumentId(2))
