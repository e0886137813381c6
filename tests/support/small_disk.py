"""A disk that a test may fill: a small file system in memory, where we may mount one."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

_BLOCK = b"\0" * 4_096


class SmallDisk:
    """A mounted file system of its own."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self._ballast = place / "ballast"

    def fill(self, leaving_bytes: int = 0) -> None:
        """Leave no more than this."""
        with self._ballast.open("ab", buffering=0) as file:
            with suppress(OSError):
                while True:
                    file.write(_BLOCK)
            file.truncate(file.tell() - leaving_bytes)

    def free(self) -> None:
        """Give the space back."""
        self._ballast.unlink()


@contextmanager
def small_disk(mebibytes: int) -> Iterator[SmallDisk]:
    """Mount one until the block ends; skip the test where that is not allowed."""
    with TemporaryDirectory(prefix="longshore-disk-") as folder:
        options = ["-t", "tmpfs", "-o", f"size={mebibytes}m,mode=700", "tmpfs", folder]
        try:
            subprocess.run(["mount", *options], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            pytest.skip("this user may not mount a file system to fill")
        try:
            yield SmallDisk(Path(folder))
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True, capture_output=True)
