"""Files on a partner's server: what SFTP and FTPS do the same way.

A file is written under a name that nobody fetches and renamed when it is complete, and no file is
ever overwritten. If an earlier attempt was interrupted after that, its file is there already: with
the same content it counts as delivered.

Source: transports.md section 3.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

from longshore.domain.delivery.outcome import FailureKind
from longshore.transport.egress import EgressError

NO_TIME: Final = 4_102_444_800
"""In 2100, so that a file without a time is complete when it was seen before."""


class ListedFile(NamedTuple):
    """A regular file of a folder."""

    name: str
    size: int
    modified_at: int
    """In seconds since 1970; ``NO_TIME`` if the server does not say."""


class RemoteFiles(Protocol):
    """The files of a server, in an open connection; failures are ``EgressError``."""

    async def find_size(self, path: str) -> int | None:
        """Return the size of a file; None if there is none."""
        ...

    async def read(self, path: str, most: int) -> bytes:
        """Return the content of a file, at most ``most`` bytes of it."""
        ...

    async def write(self, path: str, content: bytes) -> None:
        """Write a file; one of this name is replaced."""
        ...

    async def rename(self, path: str, to: str) -> None:
        """Rename a file, to a name that no file has."""
        ...

    async def remove(self, path: str) -> None:
        """Remove a file."""
        ...

    async def list_regular(
        self, folder: str, most: int, is_wanted: Callable[[str], bool]
    ) -> list[ListedFile]:
        """Return the wanted regular files among the first ``most`` names of a folder."""
        ...

    async def find_regular(self, path: str) -> tuple[int, int] | None:
        """Return size and time of a regular file; None if there is none."""
        ...

    async def has_folder(self, path: str) -> bool:
        """Tell whether there is a folder."""
        ...

    async def make_folder(self, path: str) -> None:
        """Make a folder, unless it is there."""
        ...


def path_in(folder: str, name: str) -> str:
    """Return the path of a file; a folder of ``""`` is the one that the login leads to."""
    return f"{folder.removesuffix('/')}/{name}" if folder else name


async def put_file(files: RemoteFiles, folder: str, name: str, content: bytes) -> None:
    """Store a file in a folder, once however often this is repeated.

    Raises:
        EgressError: It is not stored, or it is not known whether it is.
    """
    target, temporary = path_in(folder, name), path_in(folder, f".{name}.tmp")
    if await _is_there(files, target, content):
        return
    await files.write(temporary, content)
    if await files.find_size(temporary) != len(content):
        raise EgressError(FailureKind.TRANSFER_FAILED, "The server stored a part of the file only.")
    try:
        await files.rename(temporary, target)
    except EgressError:
        # Another worker, whose lease was over, may have been first.
        if not await _is_there(files, target, content):
            raise


async def _is_there(files: RemoteFiles, path: str, content: bytes) -> bool:
    """Tell whether an earlier attempt has stored the file.

    Raises:
        EgressError: ``file_exists``: there is another file of this name.
    """
    size = await files.find_size(path)
    if size is None:
        return False
    if size != len(content) or await files.read(path, size) != content:
        raise EgressError(FailureKind.FILE_EXISTS)
    return True
