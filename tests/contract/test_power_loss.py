"""R3: when the power fails, what was acknowledged is there, and the database is sound.

``POWER_CUTS`` failures, 60 unless ``make faults`` asks for more, at random moments under eight
writers. The figures are printed (``-s``).
"""

import asyncio
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import apsw
import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.storage.schema.migrate import migrate
from longshore.storage.sqlite import connection as connections
from longshore.storage.sqlite.database import open_database
from longshore.storage.sqlite.place import DATABASE_FILE
from tests.support.clock import StoppedClock
from tests.support.power import Disk, forgetful_disk
from tests.support.trading import TEST
from tests.support.vault import a_document, a_vault

CUTS: Final = int(os.environ.get("POWER_CUTS", "60"))
CUTS_OF_ONE_DISK: Final = 20
WRITERS: Final = 8
LONGEST_PAUSE_SECONDS: Final = 0.05


@dataclass(frozen=True)
class Left:
    """What one power failure left, and what had been acknowledged before it."""

    folder: Path
    acknowledged: frozenset[int]

    def lost(self) -> int:
        """Return how many acknowledged documents are gone; the database itself has to be sound."""
        connection = apsw.Connection(str(self.folder / DATABASE_FILE))
        assert connection.pragma("integrity_check") == "ok"
        kept = {int(str(row[0])) for row in connection.execute("SELECT id FROM vault_documents")}
        connection.close()
        return len(self.acknowledged - kept)


async def cut_again_and_again(folder: Path, disk: Disk, random: Random, cuts: int) -> list[Left]:
    """Write from ``WRITERS`` tasks and note what ``cuts`` power failures would leave."""
    acknowledged: set[int] = set()
    found: list[Left] = []
    with open_database(folder) as database:
        accounts = AccountService(database.units, StoppedClock(), database.revocations)
        await accounts.create("demo", AccountType.ENTERPRISE)
        vault = a_vault(database, StoppedClock())

        async def write() -> None:
            while len(found) < cuts:
                text = "~" * random.randrange(1, 9_000)
                stored = await vault.store(TEST, None, [a_document(text)])
                acknowledged.add(stored.output_ids[0])

        async def cut() -> None:
            for number in range(cuts):
                await asyncio.sleep(random.uniform(0, LONGEST_PAUSE_SECONDS))
                with disk.lock:
                    left = Left(folder.parent / f"left-{number}", frozenset(acknowledged))
                    disk.cut(random, left.folder)
                found.append(left)

        await asyncio.gather(cut(), *(write() for _ in range(WRITERS)))
    return found


def losses(folder: Path, cuts: int, seed: int) -> list[int]:
    """Return of each of ``cuts`` power failures how many acknowledged documents it lost."""
    (folder / "data").mkdir(parents=True)
    migrate(folder / "data")
    with forgetful_disk() as disk:
        left = asyncio.run(cut_again_and_again(folder / "data", disk, Random(seed), cuts))
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
