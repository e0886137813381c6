"""R1, R2: no kill leaves a doc_id without its content, or content without its row.

``KILLS`` servers die in a row on each database, 4 unless ``make faults`` asks for more: by turns at
a random moment under 32 concurrent converts with save_to_vault, and at a named point of the write.
The figures are printed (``-s``).
"""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

import apsw
import pytest

from longshore.settings import Settings
from longshore.storage.sqlite.data_directory import DATABASE_FILE
from tests.support.postgres import PostgresServer, postgres_server
from tests.system import early_answer
from tests.system.kills import Kept, Load, lost, open_all, prepare
from tests.system.server import DEADLINE_SECONDS, LONGSHORE, Server, longshore, serving

__all__ = ["postgres_server"]

KILLS: Final = int(os.environ.get("KILLS", "4"))
CONTROL_KILLS: Final = 10  # at most; the first usually suffices
POINTS: Final = (
    "vault.write.before_insert",
    "vault.write.before_commit",
    "vault.write.after_commit",
)
MAX_PASSAGES: Final = 60
CARELESS: Final = (sys.executable, early_answer.__file__)
COUNT: Final = "SELECT count(*) FROM vault_documents"


@dataclass(frozen=True)
class Kind:
    """A database: its name, what is in it, and how many rows it has past all isolation."""

    name: str
    kept: Kept
    count_rows: Callable[[], int]


@pytest.fixture(params=["sqlite", "postgres"])
def kind(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Kind]:
    data = tmp_path / "data"
    if request.param == "sqlite":
        yield Kind("sqlite", prepare(Settings(data_dir=data)), partial(sqlite_rows, data))
        return
    server: PostgresServer = request.getfixturevalue("postgres_server")
    asyncio.run(server.create_database("killed"))
    url = server.url("killed")
    kept = prepare(Settings(data_dir=data, database_url=url), "--database-url", url)
    yield Kind("postgres", kept, lambda: asyncio.run(postgres_rows(server)))
    asyncio.run(drop(server))


def sqlite_rows(folder: Path) -> int:
    connection = apsw.Connection(str(folder / DATABASE_FILE))
    rows = connection.execute(COUNT).get
    connection.close()
    assert isinstance(rows, int)
    return rows


async def postgres_rows(server: PostgresServer) -> int:
    async with server.connected("killed") as admin:
        return int(await admin.fetchval(COUNT))


async def drop(server: PostgresServer) -> None:
    async with server.connected() as admin:
        await admin.execute("DROP DATABASE killed WITH (FORCE)")


def deaths(random: Random) -> Iterator[tuple[str, float]]:
    """Yield how each server ends: at which passage of which point, or after how many seconds."""
    while True:
        for point in POINTS:
            yield "", random.uniform(0.005, 0.060)
            yield f"{point}:{random.randint(1, MAX_PASSAGES)}", DEADLINE_SECONDS


def end(server: Server, fault: str, seconds: float) -> None:
    """End a server as planned.

    Raises:
        TimeoutExpired: It did not come to its point.
    """
    if fault:
        server.process.wait(seconds)
    else:
        time.sleep(seconds)  # the random moment of the kill
        server.kill()


@dataclass(frozen=True)
class Life:
    """What a server acknowledged until it died, what the next lacks of it, and how soon it came."""

    load: Load
    lost: list[int]
    back_seconds: float


def lives(
    kind: Kind, folder: Path, kills: int, program: tuple[str, ...] = LONGSHORE
) -> Generator[Life]:
    """Kill so many servers in a row."""
    load, planned = Load(kind.kept), deaths(Random(kills))
    for life in range(kills + 1):
        fault, seconds = next(planned)
        begun = time.monotonic()
        with serving(
            folder,
            *kind.kept.arguments,
            is_measured=False,
            program=program,
            environment={"LONGSHORE_FAULT": fault},
        ) as server:
            assert server.call("GET", "/readyz")[0] == 200
            back_seconds = time.monotonic() - begun
            if life:
                yield Life(load, lost(server, kind.kept.key, load.orders), back_seconds)
            if life == kills:
                return
            load = Load(kind.kept)
            load.run(server, life, partial(end, server, fault, seconds))
            assert server.process.returncode == -signal.SIGKILL


@pytest.mark.timeout(60 + 10 * KILLS)
def test_no_kill_separates_a_doc_id_from_its_content(kind: Kind, tmp_path: Path) -> None:
    acknowledged: dict[int, str] = {}
    missing: list[int] = []
    backs = []
    for life in lives(kind, tmp_path, KILLS):
        assert life.load.others == {}
        acknowledged |= life.load.orders
        missing += life.lost
        backs.append(life.back_seconds)
    rows = open_all(kind.kept)
    report(
        f"{kind.name}: {KILLS} kills, {len(acknowledged)} acknowledged, {len(missing)} lost,"
        f" {len(rows.documents)} rows opened, ready again in {max(backs):.1f} s at most"
    )
    assert missing == []
    assert len(acknowledged) >= KILLS // 2
    assert len(rows.documents) == kind.count_rows()
    rows.insist_on_pairs()
    assert {output: rows.orders().get(output) for output in acknowledged} == acknowledged
    checked = longshore("db", "check", "--data-dir", "data", *kind.kept.arguments, cwd=tmp_path)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.timeout(180)
def test_an_answer_before_the_commit_loses_documents(kind: Kind, tmp_path: Path) -> None:
    """The positive control: were it not lost here, nothing above would mean anything."""
    with closing(lives(kind, tmp_path, CONTROL_KILLS, CARELESS)) as careless:
        kills, life = next((at, each) for at, each in enumerate(careless, 1) if each.lost)
    report(f"{kind.name}, careless: kill {kills} lost {len(life.lost)} of {len(life.load.orders)}")


def report(text: str) -> None:
    print(f"\n{text}")  # noqa: T201 - what this test measures
