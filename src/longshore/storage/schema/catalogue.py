"""The migrations this program knows: the files ``versions/vNNNN_what.py``."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from longshore.storage.errors import DatabaseRefusedError

VERSIONS: Final = Path(__file__).parent / "versions"
_FILE_NAME: Final = re.compile(r"v([0-9]{4})_[a-z0-9_]+\.py")


@dataclass(frozen=True, slots=True)
class Migration:
    """One file of ``versions/``. ``name`` is its stem, such as ``v0001_initial``."""

    number: int
    name: str
    sha256: str
    path: Path


@dataclass(frozen=True, slots=True)
class SchemaVersion:
    """Numbers of the newest migration in a database (0: none) and in this program."""

    database: int
    program: int


def known_migrations(versions: Path) -> tuple[Migration, ...]:
    """Return the migrations of a folder by number.

    Raises:
        ValueError: The numbers have a gap or a number is given twice.
    """
    known = [
        Migration(int(match[1]), path.stem, sha256(path.read_bytes()).hexdigest(), path)
        for path in sorted(versions.iterdir())
        if (match := _FILE_NAME.fullmatch(path.name))
    ]
    if [migration.number for migration in known] != list(range(1, len(known) + 1)):
        raise ValueError("migrations are numbered from 1, without a gap and each once")
    return tuple(known)


def pending_migrations(
    applied: Sequence[tuple[int, str]], known: Sequence[Migration]
) -> Sequence[Migration]:
    """Return what a database lacks of ``known``, after checking what it has.

    ``applied`` has the number and the SHA-256 of each migration in the database, by number.

    Raises:
        DatabaseRefusedError: It has a migration that is not known, or another one of that number.
    """
    newest = applied[-1][0] if applied else 0
    if newest > len(known):
        raise DatabaseRefusedError(
            f"This database has schema version {newest}, this program knows {len(known)}."
            " Install the newer Longshore that made it, or restore an older backup."
        )
    for (number, checksum), migration in zip(applied, known, strict=False):
        if (number, checksum) != (migration.number, migration.sha256):
            raise DatabaseRefusedError(
                f"Migration {migration.name} is not the one this database was made with."
                " Install the release that made it; released migrations are never changed."
            )
    return known[len(applied) :]
