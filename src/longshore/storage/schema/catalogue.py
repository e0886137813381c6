"""The migrations this program knows: the files ``versions/vNNNN_what.py``."""

import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

VERSIONS: Final = Path(__file__).parent / "versions"
_FILE_NAME: Final = re.compile(r"v([0-9]{4})_[a-z0-9_]+\.py")


@dataclass(frozen=True, slots=True)
class Migration:
    """One file of ``versions/``. ``name`` is its stem, such as ``v0001_accounts``."""

    number: int
    name: str
    sha256: str
    path: Path


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
