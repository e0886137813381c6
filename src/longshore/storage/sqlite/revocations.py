"""The revocation counter: eight bytes in the data directory, mapped into each process."""

import fcntl
import mmap
import os
import struct
from pathlib import Path
from typing import Final

from longshore.storage.sqlite.data_directory import FILE_MODE

_COUNTER: Final = struct.Struct("=Q")
_FILE: Final = "revocations"


class FileRevocations:
    """Counts in a file that all processes on this database map.

    It carries news between running processes and nothing else, so it needs no fsync: after a
    power loss every cache is empty.
    """

    def __init__(self, data_dir: Path) -> None:
        self._descriptor = os.open(
            data_dir / _FILE, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, FILE_MODE
        )
        if os.fstat(self._descriptor).st_size < _COUNTER.size:
            os.ftruncate(self._descriptor, _COUNTER.size)
        self._map = mmap.mmap(self._descriptor, _COUNTER.size)

    def count(self) -> int:
        count: int = _COUNTER.unpack_from(self._map)[0]
        return count

    def announce(self) -> None:
        fcntl.flock(self._descriptor, fcntl.LOCK_EX)
        try:
            _COUNTER.pack_into(self._map, 0, self.count() + 1)
        finally:
            fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def close(self) -> None:
        self._map.close()
        os.close(self._descriptor)
