"""The data directory: its files, their modes, and places that cannot hold a database."""

import os
from pathlib import Path
from typing import Final

from longshore.storage.errors import DatabaseRefusedError

DATABASE_FILE: Final = "longshore.db"

DIRECTORY_MODE: Final = 0o700
FILE_MODE: Final = 0o600

# Locks and shared memory over these do not reach other machines: SQLite would corrupt the file.
_NETWORK_FILE_SYSTEMS: Final = frozenset({
    "afs",
    "ceph",
    "cifs",
    "fuse.glusterfs",
    "fuse.sshfs",
    "ncpfs",
    "nfs",
    "nfs4",
    "smb3",
    "smbfs",
})
_MOUNTS: Final = Path("/proc/self/mountinfo")


def prepare_data_dir(data_dir: Path) -> None:
    """Make the data directory, for its owner alone, unless it is there.

    Raises:
        DatabaseRefusedError: It cannot be made or lies on a network file system.
    """
    try:
        data_dir.mkdir(mode=DIRECTORY_MODE, parents=True, exist_ok=True)
    except OSError as error:
        raise DatabaseRefusedError(
            f"The data directory cannot be created ({error.strerror}). Choose another with "
            "--data-dir."
        ) from error
    mounts = _MOUNTS.read_text() if _MOUNTS.exists() else ""
    refuse_network_file_system(data_dir, mounts)


def refuse_network_file_system(data_dir: Path, mountinfo: str) -> None:
    """Refuse a directory on a network file system; ``mountinfo`` as Linux's proc(5) has it.

    Raises:
        DatabaseRefusedError: It lies on one. Where there is no such table nothing is refused.
    """
    place = data_dir.resolve()
    file_system, depth = "", 0
    for line in mountinfo.splitlines():
        mount, _, source = line.partition(" - ")
        point = Path(mount.split(" ")[4].encode().decode("unicode_escape"))
        # A later line over the same mount point hides the earlier one.
        if place.is_relative_to(point) and len(point.parts) >= depth:
            file_system, depth = source.split(" ")[0], len(point.parts)
    if file_system in _NETWORK_FILE_SYSTEMS:
        raise DatabaseRefusedError(
            f"The data directory lies on a network file system ({file_system}), where SQLite is"
            " not safe. Choose a local one with --data-dir, or use PostgreSQL."
        )


def create_private_file(path: Path) -> None:
    """Make an empty file that its owner alone can read, unless the file is there."""
    os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, FILE_MODE))
