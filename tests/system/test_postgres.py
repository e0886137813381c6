"""The service on PostgreSQL: several servers on one database, and the commands beside them."""

import asyncio
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.postgres import PostgresServer, postgres_server
from tests.system.server import DEADLINE_SECONDS, Server, longshore, serving

__all__ = ["postgres_server"]

REVOKED_WITHIN_SECONDS = 5.5  # five, and what a look at the clock takes on a busy machine


@pytest.fixture
def url(postgres_server: PostgresServer) -> Iterator[str]:
    """An empty database; one for each test, so that each has its first start."""
    asyncio.run(postgres_server.create_database("served"))
    yield postgres_server.url("served")
    asyncio.run(drop(postgres_server))


async def drop(server: PostgresServer) -> None:
    async with server.connected() as admin:
        await admin.execute("DROP DATABASE served WITH (FORCE)")


def key_of(server: Server) -> str:
    found = re.search(r"svc_test_[0-9A-Za-z]{36}", server.printed)
    assert found
    return found[0]


def test_two_servers_share_one_database_and_a_revocation_reaches_both(
    tmp_path: Path, url: str
) -> None:
    with (
        serving(tmp_path, "--database-url", url) as one,
        serving(tmp_path, "--database-url", url) as other,
    ):
        key = key_of(one)
        assert "svc_test_" not in other.printed
        assert all("one `longshore worker`." in each.printed for each in (one, other))
        for server in (one, other):
            assert server.call("GET", "/api/v1/ping", key)[0] == 200
            assert server.call("GET", "/readyz")[0] == 200
        done = longshore("keys", "revoke", "1", "--database-url", url, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        revoked_at = time.monotonic()
        for server in (one, other):
            while server.call("GET", "/api/v1/ping", key)[0] == 200:
                assert time.monotonic() - revoked_at < REVOKED_WITHIN_SECONDS
        assert one.stop() == other.stop() == 0
    assert [each.name for each in (tmp_path / "data").iterdir()] == ["master.key"]


def test_a_server_outlives_its_database(
    tmp_path: Path, url: str, postgres_server: PostgresServer
) -> None:
    with serving(tmp_path, "--database-url", url) as server:
        key = key_of(server)
        postgres_server.stop_at_once()
        try:
            status, answer = server.call("GET", "/readyz")
            assert (status, answer["ok"]) == (503, False)
        finally:
            postgres_server.start_again()
        deadline = time.monotonic() + DEADLINE_SECONDS
        while server.call("GET", "/readyz")[0] != 200:
            assert time.monotonic() < deadline
        assert server.call("GET", "/api/v1/ping", key)[0] == 200
        assert server.stop() == 0
    done = longshore("db", "check", "--database-url", url, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (
        0,
        b"Schema version 1 of 1.\nThe database is intact.\n",
    )
