"""R3: when the power fails, what was acknowledged is there, and the database is sound.

Submits and receipts, whole units of both: no row without those that belong to it, no number twice
or left out.

``POWER_CUTS`` failures, 60 unless ``make faults`` asks for more, at random moments under eight
writers. The figures are printed (``-s``).
"""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import count, cycle
from pathlib import Path
from random import Random
from typing import Final

import apsw
import pytest

from longshore.domain.accounts.service import AccountService
from longshore.domain.inbound.intake import Incoming, IncomingDocument
from longshore.storage.sqlite import connection as connections
from longshore.storage.sqlite.data_directory import DATABASE_FILE
from longshore.storage.sqlite.database import open_database
from tests.support.clock import StoppedClock
from tests.support.database import SqliteEngine, make_sqlite
from tests.support.power import Disk, forgetful_disk
from tests.support.services import a_trading
from tests.support.submitting import PO1, a_set, a_submit_setup, context
from tests.support.trading import SANDBOX

pytestmark = pytest.mark.full("cuts the power of processes")

CUTS: Final = int(os.environ.get("POWER_CUTS", "60"))
CUTS_OF_ONE_DISK: Final = 20
WRITERS: Final = 8
LONGEST_PAUSE_SECONDS: Final = 0.05


TABLES: Final = ("transactions", "receipts")
ONE_EFFECT: Final = """
    SELECT count(*) FROM interchanges AS i WHERE i.direction = 'outbound' AND
    (SELECT count(*) FROM transactions AS t WHERE t.interchange_id = i.id) <> 1
    OR (SELECT count(*) FROM outbox AS o WHERE o.interchange_id = i.id) <> 1"""
NUMBERS: Final = "SELECT isa_control_number FROM interchanges WHERE direction = 'outbound'"

Acknowledged = frozenset[tuple[str, int]]


@dataclass(frozen=True)
class Left:
    """What one power failure left, and the rows that had been acknowledged before it."""

    folder: Path
    acknowledged: Acknowledged

    def lost(self) -> int:
        """Return how many acknowledged rows are gone; what is there has to be whole."""
        with closing(apsw.Connection(str(self.folder / DATABASE_FILE))) as connection:
            assert connection.pragma("integrity_check") == "ok"
            assert connection.execute(ONE_EFFECT).get == 0
            numbers = sorted(int(str(row[0])) for row in connection.execute(NUMBERS))
            assert numbers == [*range(1, len(numbers) + 1)]
            kept = {
                (table, int(str(row[0])))
                for table in TABLES
                for row in connection.execute(f"SELECT id FROM {table}")
            }
        return len(self.acknowledged - kept)


async def cut_again_and_again(folder: Path, disk: Disk, random: Random, cuts: int) -> list[Left]:
    """Submit and receive from ``WRITERS`` tasks; note what ``cuts`` power failures would leave."""
    acknowledged: set[tuple[str, int]] = set()
    found: list[Left] = []
    clock = StoppedClock()
    engine = SqliteEngine(folder)
    with open_database(folder) as database:
        accounts = AccountService(database.units, clock, database.revocations)
        setup = await a_submit_setup(database, engine, clock, accounts)
        partner_id = await setup.partner()
        trading, letters = a_trading(database, clock), count()
        known = await trading.partners.rotate_token(context(), partner_id, SANDBOX, 0)
        intake = trading.intake
        channel = await intake.channel(known.tokens[SANDBOX], "192.0.2.7")

        async def submit(number: int) -> tuple[str, int]:
            lines = [PO1] * random.randrange(1, 200)
            beg = f"BEG*00*SA*PO-{number}**20240115"
            answer = await setup.submit(a_set(beg, *lines, f"CTT*{len(lines)}"))
            return "transactions", answer.transaction_id or 0

        async def receive(_: int) -> tuple[str, int]:
            # No two alike: else they would be one receipt.
            content = f"{next(letters)}~".encode() * random.randrange(1, 3_000)
            document = IncomingDocument(content=content)
            (answer,) = await intake.receive(channel, Incoming(documents=(document,)))
            return "receipts", answer.receipt_id

        async def write(ways: Iterator[Callable[[int], Awaitable[tuple[str, int]]]]) -> None:
            for number, way in enumerate(ways):
                if len(found) == cuts:
                    return
                acknowledged.add(await way(number))

        async def cut() -> None:
            for number in range(cuts):
                await asyncio.sleep(random.uniform(0, LONGEST_PAUSE_SECONDS))
                with disk.lock:
                    left = Left(folder.parent / f"left-{number}", frozenset(acknowledged))
                    disk.cut(random, left.folder)
                found.append(left)

        ways = [cycle((submit, submit, receive)) for _ in range(WRITERS)]
        await asyncio.gather(cut(), *map(write, ways))
    return found


def losses(folder: Path, cuts: int, seed: int) -> list[int]:
    """Return of each of ``cuts`` power failures how many acknowledged rows it lost.

    The last had at least as many rows to lose as there are writers.
    """
    (folder / "data").mkdir(parents=True)
    make_sqlite(folder / "data")
    with forgetful_disk() as disk:
        left = asyncio.run(cut_again_and_again(folder / "data", disk, Random(seed), cuts))
    assert len(left[-1].acknowledged) >= WRITERS
    return [each.lost() for each in left]


@pytest.mark.timeout(600)
def test_a_power_failure_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    found: list[int] = []
    while len(found) < CUTS:
        number = len(found)
        found += losses(tmp_path / str(number), min(CUTS_OF_ONE_DISK, CUTS - number), number)
    sys.stdout.write(f"\n{len(found)} power failures: {sum(map(bool, found))} lost something\n")
    assert found == [0] * CUTS


def test_the_disk_notices_commits_that_are_not_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: with what is commonly advised, power failures lose acknowledged documents."""
    careless = tuple(
        ("synchronous", "NORMAL", 1) if name == "synchronous" else (name, value, back)
        for name, value, back in connections._EVERY_CONNECTION  # noqa: SLF001 - what it is made of
    )
    monkeypatch.setattr(connections, "_EVERY_CONNECTION", careless)
    found = losses(tmp_path, CUTS_OF_ONE_DISK, 1)
    sys.stdout.write(
        f"\nsynchronous=NORMAL: {sum(map(bool, found))} of {len(found)} lost something\n"
    )
    assert sum(map(bool, found)) > CUTS_OF_ONE_DISK // 2
