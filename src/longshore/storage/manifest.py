"""The manifest next to a backup: what it must hold, so that it can be verified before it is needed.

Counts and sums are taken of the rows, in the snapshot that is copied: a copy that lost
acknowledged rows can be sound in every page, and only the sums tell.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Final

from longshore.storage.errors import DatabaseRefusedError
from longshore.storage.times import to_us

FORMAT: Final = 1
_BLOCK_BYTES: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class TableSum:
    """Number of the rows of a table, and SHA-256 over them in the order of their ids."""

    rows: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """The facts of a backed up database; ``engine`` is ``sqlite`` or ``postgres``."""

    engine: str
    created_at: datetime
    schema_version: int
    tables: Mapping[str, TableSum]


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The facts of a backup and its bytes; ``created_at`` as in RFC 3339."""

    engine: str
    created_at: str
    sha256: str
    size_bytes: int
    schema_version: int
    tables: Mapping[str, TableSum]


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberReserve:
    """The control numbers that each counter skips: those that may have been used since a backup."""

    numbers: int
    restored_at: datetime

    @property
    def columns(self) -> Mapping[str, int]:
        """The columns of its row."""
        return {"numbers": self.numbers, "restored_at": to_us(self.restored_at)}


def manifest_path(backup: Path) -> Path:
    """Return where the manifest of a backup lies."""
    return backup.with_name(f"{backup.name}.manifest.json")


def finish(unfinished: Path, backup: Path, facts: Facts) -> Manifest:
    """Give a copy that is complete its name, durably, and write its manifest."""
    unfinished.chmod(0o600)
    sync(unfinished)
    unfinished.rename(backup)
    manifest = Manifest(
        engine=facts.engine,
        created_at=facts.created_at.isoformat(),
        sha256=file_sha256(backup),
        size_bytes=backup.stat().st_size,
        schema_version=facts.schema_version,
        tables=facts.tables,
    )
    path = manifest_path(backup)
    with path.open("x", encoding="utf-8") as file:
        json.dump({"format": FORMAT, **asdict(manifest)}, file, indent=2, sort_keys=True)
        file.write("\n")
    path.chmod(0o600)
    sync(path)
    sync(path.parent)
    return manifest


def verified_manifest(backup: Path, engine: str) -> Manifest:
    """Return the manifest of a backup whose bytes are those that it describes.

    Raises:
        DatabaseRefusedError: One of the files is absent, is of another engine, or was changed.
    """
    try:
        given = json.loads(manifest_path(backup).read_text(encoding="utf-8"))
        if given.pop("format") != FORMAT:
            raise DatabaseRefusedError(
                "The manifest of the backup has another format. Use the release that wrote it."
            )
        tables = {name: TableSum(**table) for name, table in given.pop("tables").items()}
        manifest = Manifest(tables=tables, **given)
        size_bytes, digest = backup.stat().st_size, file_sha256(backup)
    except (OSError, ValueError, TypeError, AttributeError, KeyError) as error:
        raise DatabaseRefusedError(
            f"{backup.name} is no backup with a manifest next to it ({manifest_path(backup).name})."
        ) from error
    if manifest.engine != engine:
        raise DatabaseRefusedError(
            f"This is a backup of {manifest.engine}; it cannot be restored into {engine}."
        )
    if (manifest.size_bytes, manifest.sha256) != (size_bytes, digest):
        raise DatabaseRefusedError(
            "The backup is not the file its manifest describes: it was changed or cut."
            " Use another one."
        )
    return manifest


class RunningSum:
    """Sums rows that come in the order of their ids; the same on both engines."""

    def __init__(self) -> None:
        self._rows = 0
        self._digest = sha256()

    def add(self, row: Sequence[object]) -> None:
        """Count one row in."""
        self._rows += 1
        # The length keeps neighbours apart, the letter the types. A backup spends most of its time
        # here, so texts are joined before they are encoded and bytes are taken as they are.
        texts: list[str] = []
        for value in row:
            if isinstance(value, str):
                size = len(value) if value.isascii() else len(value.encode())
                texts.append(f"s{size}:{value}")
            elif isinstance(value, bytes):
                self._digest.update(f"{''.join(texts)}b{len(value)}:".encode())
                self._digest.update(value)
                texts.clear()
            else:
                text = str(value)
                texts.append(f"{type(value).__name__[0]}{len(text)}:{text}")
        texts.append("\n")
        self._digest.update("".join(texts).encode())

    def result(self) -> TableSum:
        """Return the sum of the rows so far."""
        return TableSum(self._rows, self._digest.hexdigest())


def refuse_difference(found: Mapping[str, TableSum], expected: Mapping[str, TableSum]) -> None:
    """Refuse a copy that does not hold the rows it must hold.

    Raises:
        DatabaseRefusedError: It does not; the text names the tables.
    """
    names: Sequence[str] = sorted(found.keys() | expected.keys())
    if different := [name for name in names if found.get(name) != expected.get(name)]:
        raise DatabaseRefusedError(
            f"The copy does not hold the rows it must hold ({', '.join(different)}); do not use it."
        )


def refuse_existing(backup: Path) -> None:
    """Refuse to write over a backup.

    Raises:
        DatabaseRefusedError: There is a file of that name.
    """
    for path in (backup, manifest_path(backup)):
        if path.exists():
            raise DatabaseRefusedError(f"{path.name} is there already. Choose another name.")


@contextmanager
def removed_on_failure(unfinished: Path) -> Iterator[None]:
    """Take an unfinished copy away if the block fails: it may be what has filled the disk."""
    try:
        yield
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file's bytes."""
    digest = sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK_BYTES):
            digest.update(block)
    return digest.hexdigest()


def sync(path: Path) -> None:
    """Make a file, or the names in a folder, durable."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
