"""The address of the server that runs on a data directory, for commands on the same machine.

The server holds a lock on the file while it runs. The lock is the kernel's: what a killed server
leaves behind is recognised by a file that nobody holds.
"""

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from longshore.storage.sqlite.lock import is_locked, locked_file

_FILE: Final = "server.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerAddress:
    """Where a server listens, and what its links begin with."""

    address: str
    """Such as ``http://127.0.0.1:8080``."""
    base_url: str
    """The setting of that name, else the address."""
    database: str
    """Host and name of its PostgreSQL database; empty for the one in the data directory."""


@contextmanager
def published_address(data_dir: Path, server: ServerAddress) -> Iterator[None]:
    """Write the address of this server to the data directory, and remove it at the end.

    Of several servers on PostgreSQL with one data directory the first is named. A directory that
    is not there, or cannot be written, holds no server back.
    """
    path, descriptor = data_dir / _FILE, None
    with ExitStack() as held:
        with suppress(OSError):
            descriptor = held.enter_context(locked_file(path))
            if descriptor is not None:
                os.ftruncate(descriptor, 0)
                os.pwrite(descriptor, json.dumps(asdict(server)).encode(), 0)
        try:
            yield
        finally:
            if descriptor is not None:
                with suppress(OSError):
                    path.unlink()


def running_server(data_dir: Path) -> ServerAddress | None:
    """Return the address of the server that runs on a data directory; changes nothing."""
    path = data_dir / _FILE
    try:
        if not is_locked(path):
            return None
        return ServerAddress(**json.loads(path.read_bytes()))
    except (OSError, ValueError, TypeError):
        return None
