"""Which master key a database was sealed with: settled once, by one of many, and then held to."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from itertools import count
from pathlib import Path
from typing import Final

import asyncpg
import pytest

from longshore.storage.errors import DatabaseRefusedError
from longshore.storage.master_key import MasterKey
from longshore.storage.postgres import sealing_keys as postgres_keys
from longshore.storage.postgres.database import open_postgres
from longshore.storage.postgres.migrate import migrate_postgres
from longshore.storage.sqlite import sealing_keys as sqlite_keys
from longshore.storage.sqlite.database import open_database
from tests.support.clock import CountedIds, StoppedClock
from tests.support.database import make_sqlite
from tests.support.postgres import PostgresServer

_NUMBERS: Final = count(1)

Settle = Callable[[Path, str], Awaitable[MasterKey]]
KnownIds = Callable[[], Awaitable[Collection[bytes]]]


@pytest.fixture(params=["sqlite", "postgres"])
async def place(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Settle, KnownIds]:
    """A new database: how to settle its key in a file, and what it knows."""
    clock = StoppedClock()
    if request.param == "sqlite":
        data = tmp_path / "data"
        make_sqlite(data)
        return (
            lambda path, seed: asyncio.to_thread(
                sqlite_keys.load_or_create_key, data, path, CountedIds(seed), clock
            ),
            lambda: asyncio.to_thread(sqlite_keys.sealing_key_ids, data),
        )
    server: PostgresServer = request.getfixturevalue("postgres_server")
    name = f"sealing_{next(_NUMBERS)}"
    await server.create_database(name)
    url = server.url(name)
    await migrate_postgres(url)
    return (
        lambda path, seed: postgres_keys.load_or_create_key(url, path, CountedIds(seed), clock),
        lambda: postgres_keys.sealing_key_ids(url),
    )


async def test_the_first_start_settles_the_key_for_good(
    place: tuple[Settle, KnownIds], tmp_path: Path
) -> None:
    settle, known_ids = place
    assert await known_ids() == frozenset()
    made = await settle(tmp_path / "master.key", "first")
    assert made.is_new
    assert await known_ids() == {made.id}
    assert await settle(tmp_path / "master.key", "second") == MasterKey(secret=made.secret)
    assert await known_ids() == {made.id}


async def test_a_key_that_is_there_is_settled_on(
    place: tuple[Settle, KnownIds], tmp_path: Path
) -> None:
    settle, known_ids = place
    given = MasterKey(secret=bytes(range(32)))
    (tmp_path / "shared.key").write_text(given.secret.hex())
    assert await settle(tmp_path / "shared.key", "unused") == given
    assert await known_ids() == {given.id}


async def test_another_key_and_none_are_refused_and_change_nothing(
    place: tuple[Settle, KnownIds], tmp_path: Path
) -> None:
    settle, known_ids = place
    made = await settle(tmp_path / "master.key", "first")
    (tmp_path / "other.key").write_text(bytes(32).hex())
    with pytest.raises(DatabaseRefusedError, match="The master key is another"):
        await settle(tmp_path / "other.key", "second")
    with pytest.raises(DatabaseRefusedError, match="is not there"):
        await settle(tmp_path / "absent.key", "third")
    assert await known_ids() == {made.id}
    assert not (tmp_path / "absent.key").exists()


async def test_starts_at_once_in_one_place_settle_on_one_key(
    place: tuple[Settle, KnownIds], tmp_path: Path
) -> None:
    settle, known_ids = place
    path = tmp_path / "master.key"
    keys = await asyncio.gather(*(settle(path, f"start {number}") for number in range(8)))
    assert {key.secret.hex() for key in keys} == {path.read_text().strip()}
    assert [key.is_new for key in keys].count(True) == 1
    assert await known_ids() == {keys[0].id}


async def test_starts_at_once_with_keys_of_their_own_leave_one_that_is_served(
    place: tuple[Settle, KnownIds], tmp_path: Path
) -> None:
    settle, known_ids = place
    outcomes = await asyncio.gather(
        *(settle(tmp_path / f"{number}.key", f"start {number}") for number in range(4)),
        return_exceptions=True,
    )
    served = [each for each in outcomes if isinstance(each, MasterKey)]
    refused = [each for each in outcomes if isinstance(each, DatabaseRefusedError)]
    assert (len(served), len(refused)) == (1, 3)
    assert await known_ids() == {served[0].id}


async def test_a_running_database_does_not_stop_a_command_from_reading_the_key(
    tmp_path: Path,
) -> None:
    make_sqlite(tmp_path)
    made = sqlite_keys.load_or_create_key(
        tmp_path, tmp_path / "master.key", CountedIds(), StoppedClock()
    )
    with open_database(tmp_path):
        again = sqlite_keys.load_or_create_key(
            tmp_path, tmp_path / "master.key", CountedIds(), StoppedClock()
        )
    assert again.secret == made.secret


async def test_the_role_of_the_application_cannot_name_another_key(
    postgres_server: PostgresServer,
) -> None:
    await postgres_server.create_database("sealing_role")
    url = postgres_server.url("sealing_role")
    await migrate_postgres(url)
    async with open_postgres(url), postgres_server.connected("sealing_role", "owner") as login:
        await login.execute("SET ROLE longshore_app")
        assert await login.fetch("SELECT key_id FROM sealing_keys") == []
        for statement in (
            "INSERT INTO sealing_keys VALUES ('x', 1)",
            "UPDATE sealing_keys SET key_id = 'x'",
            "DELETE FROM sealing_keys",
        ):
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await login.execute(statement)
