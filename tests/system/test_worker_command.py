"""``longshore worker`` beside a server on PostgreSQL: it sends what the server has taken."""

import asyncio
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from signal import SIGTERM

import pytest

from tests.support.postgres import PostgresServer, postgres_server
from tests.system.server import (
    DEADLINE_SECONDS,
    LONGSHORE,
    clean_environment,
    longshore,
    serving,
)

__all__ = ["postgres_server"]

AN_850 = Path("samples/850_purchase_order/input.edi").read_text(encoding="utf-8")


@pytest.fixture
def url(postgres_server: PostgresServer) -> Iterator[str]:
    asyncio.run(postgres_server.create_database("worked"))
    yield postgres_server.url("worked")
    asyncio.run(drop(postgres_server))


async def drop(server: PostgresServer) -> None:
    async with server.connected() as admin:
        await admin.execute("DROP DATABASE worked WITH (FORCE)")


@contextmanager
def working(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run a worker on ``folder/data`` until the block ends; it has said that it works."""
    command = (*LONGSHORE, "worker", "--data-dir", "data", *arguments)
    with (folder / "worker.log").open("ab") as log:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=clean_environment(),
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    try:
        assert process.stdout
        assert "is running." in process.stdout.readline()
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def test_a_worker_sends_what_a_server_has_taken_and_brings_back_the_answer(
    tmp_path: Path, url: str
) -> None:
    with serving(tmp_path, "--database-url", url) as server:
        found = re.search(r"svc_test_[0-9A-Za-z]{36}", server.printed)
        assert found
        key = found[0]
        partners = server.call("GET", "/api/v1/partners", key)[1]["partners"]
        order = {
            "partner_id": partners[0]["id"],
            "tx_set": "850",
            "direction": "outbound",
            "content": AN_850,
            "restamp": True,
        }
        status, answer = server.call("POST", "/api/v1/transactions/submit", key, order)
        assert status == 200, answer
        path = f"/api/v1/transactions/{answer['transaction_id']}"
        with working(tmp_path, "--database-url", url, "--concurrency", "2") as worker:
            deadline = time.monotonic() + DEADLINE_SECONDS
            while server.call("GET", path, key)[1]["transaction"]["ack_status"] != "accepted":
                assert time.monotonic() < deadline
            worker.send_signal(SIGTERM)
            assert worker.wait(DEADLINE_SECONDS) == 0
    assert (tmp_path / "worker.log").read_text() == ""


def test_on_a_data_directory_the_server_does_the_work(tmp_path: Path) -> None:
    done = longshore("worker", "--data-dir", "data", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"`longshore serve` does this work itself" in done.stderr
    assert list(tmp_path.iterdir()) == []
