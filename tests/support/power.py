"""A disk that forgets: a file system for SQLite on which the power can fail at any moment.

Programs see every write at once, as they do through a page cache. What a power failure leaves is
what was synced, and of each sector written since, by chance, the new or the old content.

Source: reliability.md section 2 (R3).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Lock
from typing import Final

import apsw

NAME: Final = "forgetful"
SECTOR_BYTES: Final = 512
_LASTING: Final = (".db", ".sqlite", ".sqlite3", "-wal", "-journal")


@dataclass
class Track:
    """A file: what is safe of it, and what was done to it since. A size stands for a truncation."""

    safe: bytearray
    pending: list[tuple[int, bytes] | int] = field(default_factory=list)

    def settle(self) -> None:
        """Make everything safe."""
        for change in self.pending:
            _apply(self.safe, change)
        self.pending.clear()

    def left(self, random: Random) -> bytes:
        """Return what a power failure leaves."""
        image = bytearray(self.safe)
        for change in self.pending:
            for part in _sectors(change):
                if random.random() < 0.5:
                    _apply(image, part)
        return bytes(image)


def _sectors(change: tuple[int, bytes] | int) -> Iterator[tuple[int, bytes] | int]:
    if isinstance(change, int):
        yield change
        return
    offset, data = change
    start = 0
    while start < len(data):
        end = min(start + SECTOR_BYTES - (offset + start) % SECTOR_BYTES, len(data))
        yield offset + start, data[start:end]
        start = end


def _apply(image: bytearray, change: tuple[int, bytes] | int) -> None:
    if isinstance(change, int):
        del image[change:]
        return
    offset, data = change
    if len(image) < offset:
        image.extend(bytes(offset - len(image)))
    image[offset : offset + len(data)] = data


class Disk(apsw.VFS):
    """The file system; ``syncs`` counts how often something was made safe."""

    def __init__(self) -> None:
        super().__init__(NAME, "unix")
        self.lock = Lock()
        self.tracks: dict[str, Track] = {}
        self.syncs = 0

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 - as SQLite calls it
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        if path is None or not path.endswith(_LASTING):
            return apsw.VFSFile("unix", name, flags)
        with self.lock:
            if path not in self.tracks:
                kept = Path(path).read_bytes() if Path(path).exists() else b""
                self.tracks[path] = Track(bytearray(kept))
        return _File(self, self.tracks[path], name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: FBT001, N802 - as SQLite calls it
        super().xDelete(filename, syncdir)
        with self.lock:
            self.tracks.pop(filename, None)

    def cut(self, random: Random, into: Path) -> None:
        """Write what a power failure would leave now; ``lock`` is held by the caller."""
        into.mkdir()
        for path, track in self.tracks.items():
            (into / Path(path).name).write_bytes(track.left(random))


class _File(apsw.VFSFile):
    """An open file; several may be of one track."""

    def __init__(
        self, disk: Disk, track: Track, name: str | apsw.URIFilename | None, flags: list[int]
    ) -> None:
        super().__init__("unix", name, flags)
        self._disk = disk
        self._track = track

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - as SQLite calls it
        with self._disk.lock:
            super().xWrite(data, offset)
            self._track.pending.append((offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:  # noqa: N802 - as SQLite calls it
        with self._disk.lock:
            super().xTruncate(newsize)
            self._track.pending.append(newsize)

    def xSync(self, flags: int) -> None:  # noqa: ARG002, N802 - as SQLite calls it
        # Nothing is synced for real: only what this disk calls safe counts.
        with self._disk.lock:
            self._track.settle()
            self._disk.syncs += 1


@contextmanager
def forgetful_disk() -> Iterator[Disk]:
    """Let every database that is opened lie on such a disk."""
    disk = Disk()
    apsw.set_default_vfs(NAME)
    try:
        yield disk
    finally:
        apsw.set_default_vfs("unix")
        disk.unregister()
