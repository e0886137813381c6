"""The vault of a served process: its key, its retention, and what a kill leaves of it."""

import asyncio
import http.client
import json
import signal
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from time import monotonic

import pytest

from longshore.kit.clock import SystemClock
from longshore.kit.environment import Environment
from longshore.storage.sqlite.database import open_database
from tests.support.clock import StoppedClock
from tests.support.vault import a_document, a_vault, scope
from tests.system.server import DEADLINE_SECONDS, Server, longshore, serving
from tests.system.test_serve import make_key

POINTS = ("before_insert", "before_commit", "after_commit")
CONVERT = {
    "document": "ST*850*0001~BEG*00*SA*PO-1~SE*3*0001~",
    "field_map": [{"src": "BEG.03", "tgt": "number"}],
    "save_to_vault": True,
}


def test_the_first_start_says_once_that_there_is_a_key_to_keep(tmp_path: Path) -> None:
    path = tmp_path / "data" / "master.key"
    with serving(tmp_path) as server:
        assert f"  {path}\n\nKeep a copy in a safe place" in server.printed
        assert server.stop() == 0
    with serving(tmp_path) as server:
        assert "master key" not in server.printed


def test_a_server_without_its_key_is_refused_and_makes_none(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        assert server.stop() == 0
    (tmp_path / "data" / "master.key").unlink()
    refused = longshore("serve", "--port", "0", "--data-dir", "data", cwd=tmp_path)
    assert (refused.returncode, refused.stdout) == (2, b"")
    assert b"The master key of this database" in refused.stderr
    assert not (tmp_path / "data" / "master.key").exists()


def documents_in(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "data" / "longshore.db")) as database:
        return int(database.execute("SELECT count(*) FROM vault_documents").fetchone()[0])


def test_what_has_expired_is_removed_at_the_start(tmp_path: Path) -> None:
    key, _ = make_key(tmp_path)
    assert (
        longshore(
            *("accounts", "retention", "demo", "7", "--data-dir", "data"), cwd=tmp_path
        ).returncode
        == 0
    )

    async def fill() -> None:
        now = SystemClock().now()
        with open_database(tmp_path / "data") as database:
            for age in (1, 8):
                vault = a_vault(database, StoppedClock(now - timedelta(days=age)))
                await vault.store(scope(1, Environment.SANDBOX), None, [a_document()])

    asyncio.run(fill())
    with serving(tmp_path) as server:
        ends_at = monotonic() + DEADLINE_SECONDS
        while documents_in(tmp_path) > 1:
            assert monotonic() < ends_at
            server.call("GET", "/healthz")
        assert server.call("GET", "/api/v1/documents/2", key)[0] == 404


def convert_twice(server: Server, key: str) -> None:
    for _ in range(2):
        server.call("POST", "/api/v1/convert", key, CONVERT)


@pytest.mark.parametrize("point", POINTS)
def test_a_kill_leaves_both_documents_of_a_conversion_or_none(tmp_path: Path, point: str) -> None:
    key, _ = make_key(tmp_path)
    fault = {"LONGSHORE_FAULT": f"vault.write.{point}:2"}
    with serving(tmp_path, environment=fault) as server:
        with pytest.raises((http.client.HTTPException, OSError)):
            convert_twice(server, key)
        assert server.process.wait(DEADLINE_SECONDS) == -signal.SIGKILL
    expected = {"before_insert": 2, "before_commit": 2, "after_commit": 4}
    assert documents_in(tmp_path) == expected[point]
    with serving(tmp_path) as server:
        for number in range(1, expected[point] + 1):
            status, answer = server.call("GET", f"/api/v1/documents/{number}", key)
            assert (status, len(answer["doc"]["content"])) == (200, answer["doc"]["file_size"])
        status, answer = server.call("POST", "/api/v1/convert", key, CONVERT)
        assert (status, json.loads(answer["output"])) == (200, {"number": "PO-1"})
    assert documents_in(tmp_path) == expected[point] + 2
