"""One server a test process and a storage mode, as it is shipped."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from longshore.storage.postgres.database import open_postgres
from longshore.storage.postgres.migrate import migrate_postgres
from tests.support.http_service import Keys, make_keys, make_sessions, open_world
from tests.support.postgres import PostgresServer, postgres_server
from tests.system.hostile.attack import Baseline, assert_alive
from tests.system.hostile.victim import Victim, a_canary
from tests.system.server import serving

__all__ = ["postgres_server"]


@contextmanager
def a_victim(folder: Path, settings: str = "") -> Iterator[Victim]:
    """Serve a data directory of its own with these settings."""
    with open_world(folder / "data") as world:
        keys: Keys = world.keys
    with attacked(folder, keys, settings) as victim:
        yield victim


@contextmanager
def attacked(folder: Path, keys: Keys, settings: str = "", *arguments: str) -> Iterator[Victim]:
    """Serve; the processor time of coverage would count, so it stays out."""
    (folder / "longshore.toml").write_text(settings)
    with pytest.MonkeyPatch.context() as patch, a_canary() as canary:
        for name in os.environ:
            if name.startswith("COVERAGE_"):
                patch.delenv(name)
        with serving(folder, *arguments) as server:
            port = int(server.address.rpartition(":")[2])
            yield Victim(pid=server.process.pid, port=port, keys=keys, canary=canary, folder=folder)
            assert server.process.poll() is None, "the server has ended"


@pytest.fixture(scope="session")
def victim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Victim]:
    with a_victim(tmp_path_factory.mktemp("hostile")) as victim:
        yield victim


@pytest.fixture(scope="session")
def victim_on_postgres(
    tmp_path_factory: pytest.TempPathFactory, postgres_server: PostgresServer
) -> Iterator[Victim]:
    url = postgres_server.url("hostile")
    keys = asyncio.run(_keys_on_postgres(postgres_server, url))
    folder = tmp_path_factory.mktemp("hostile-postgres")
    with attacked(folder, keys, "", "--database-url", url) as victim:
        yield victim


async def _keys_on_postgres(server: PostgresServer, url: str) -> Keys:
    await server.create_database("hostile")
    await migrate_postgres(url)
    async with open_postgres(url) as database:
        keys = await make_keys(database)
        await make_sessions(database)
        return keys


@pytest.fixture(scope="session")
def baseline(victim: Victim) -> Baseline:
    assert_alive(victim)
    return Baseline(victim.resident_bytes())


@pytest.fixture(scope="session")
def baseline_on_postgres(victim_on_postgres: Victim) -> Baseline:
    assert_alive(victim_on_postgres)
    return Baseline(victim_on_postgres.resident_bytes())
