"""Files of mailboxes while they arrive or are fetched, and what clients see of them.

Source: draft-ietf-secsh-filexfer-02.
"""

from __future__ import annotations

import stat
from collections.abc import AsyncIterator, Sequence
from typing import Final, Protocol

import asyncssh
from asyncssh import SFTPAttrs, SFTPName

from longshore.domain.mailboxes.outbox import WaitingFile

_FOLDER: Final = stat.S_IFDIR | 0o755
_FILE: Final = stat.S_IFREG | 0o644


class HeldBytes:
    """Counts the bytes of uploads that are not whole, of all connections of a server."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held = 0

    def reserve(self, count: int) -> bool:
        """Count more bytes; False if that would be too many."""
        if self._held + count > self._most:
            return False
        self._held += count
        return True

    def release(self, count: int) -> None:
        """Count bytes that are held no more."""
        self._held -= count


class Upload:
    """A file that arrives."""

    def __init__(self, name: str) -> None:
        """Begin an empty one."""
        self.name = name
        self.content = bytearray()
        self.is_open = True
        self.is_removed = False
        """True if it was removed or replaced while it was open."""
        self.is_broken = False
        """True if a part of it was refused."""
        self.is_appended = False
        """True if each part is written at its end, whatever place it names."""


class Download:
    """A file that is being fetched."""

    def __init__(self, file: WaitingFile, content: bytes) -> None:
        """Begin at its first byte."""
        self.file = file
        self.content = content
        self.read_bytes = 0
        """The number of bytes, from the first on, that were read without a gap."""


class MailboxFiles(Protocol):
    """Stores what has arrived whole, and knows what waits for the partner."""

    async def store(self, name: str, content: bytes) -> None:
        """Store a file.

        Raises:
            SFTPError: That is not possible; the text says why.
        """
        ...

    async def list_waiting(self) -> Sequence[WaitingFile]:
        """Return the files that wait for the partner, the oldest first."""
        ...

    async def read_waiting(self, file: WaitingFile) -> bytes | None:
        """Return the content of a file that waits; None if it waits no more."""
        ...

    async def deliver(self, file: WaitingFile) -> bool:
        """Store that a file was fetched; False if it waited no more."""
        ...


def waiting_attrs(file: WaitingFile) -> SFTPAttrs:
    """Return what a client sees of a file that waits for it."""
    return file_attrs(file.size, int(file.created_at.timestamp()))


def folder_attrs() -> SFTPAttrs:
    """Return what a client sees of a folder."""
    return SFTPAttrs(permissions=_FOLDER, size=0, uid=0, gid=0, atime=0, mtime=0)


def file_attrs(size: int, modified_at: int = 0) -> SFTPAttrs:
    """Return what a client sees of a file."""
    return SFTPAttrs(
        permissions=_FILE, size=size, uid=0, gid=0, atime=modified_at, mtime=modified_at
    )


def keep_size(attrs: SFTPAttrs, size: int) -> None:
    """Let pass what a client sets of a file, but for another size.

    Raises:
        SFTPOpUnsupported: It is another size.
    """
    if attrs.size not in {None, size}:
        raise asyncssh.SFTPOpUnsupported("Files cannot be cut or extended.")


async def list_names(entries: list[tuple[str, SFTPAttrs]]) -> AsyncIterator[SFTPName]:
    """Yield the names of a folder, with its own and that of the folder above."""
    for name, attrs in ((".", folder_attrs()), ("..", folder_attrs()), *entries):
        yield SFTPName(name.encode(), attrs=attrs)
