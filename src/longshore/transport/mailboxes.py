"""Folders on partners' servers from which files are fetched.

A server may say anything: names with slashes or control characters are passed over, links are not
followed, and of an endless list the first names are read.

Source: transports.md section 3.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from typing import Final

from longshore.domain.delivery.outcome import FailureKind
from longshore.domain.inbound.mailboxes import MailboxError, RemoteFile
from longshore.domain.interchanges.store import ReceiptId
from longshore.domain.partners.connections import (
    AfterDownload,
    FileServerConnection,
    missing_secrets,
)
from longshore.transport.egress import EgressError
from longshore.transport.file_names import is_complete, is_plain
from longshore.transport.remote_files import RemoteFiles, path_in

DEADLINE_SECONDS: Final = 120.0
"""Of a poll in all; what is stored by then stays stored."""
MAX_LISTED: Final = 10_000
ARCHIVE: Final = "archive"

OpenFiles = Callable[[FileServerConnection], AbstractAsyncContextManager[RemoteFiles]]
"""Logs in, and out when the context ends; raises ``EgressError``."""


class FolderMailbox:
    """The port ``inbound.mailboxes.Mailbox`` in a folder of a server."""

    def __init__(self, files: RemoteFiles, connection: FileServerConnection) -> None:
        self._files = files
        self._connection = connection

    async def list_files(self) -> Sequence[RemoteFile]:
        pattern = self._connection.pattern
        listed = await self._files.list_regular(
            self._connection.download_dir, MAX_LISTED, lambda name: is_fetched(name, pattern)
        )
        return [
            RemoteFile(
                name=each.name,
                size=each.size,
                modified_at=datetime.fromtimestamp(each.modified_at, UTC),
            )
            for each in listed
        ]

    async def fetch(self, file: RemoteFile) -> bytes | None:
        if not await self._is_listed(file):
            return None
        # One byte more than there should be, so that a file that grows is noticed.
        content = await self._files.read(self._path(file), file.size + 1)
        is_whole = len(content) == file.size and await self._is_listed(file)
        return content if is_whole else None

    async def put_away(self, file: RemoteFile, receipt_id: ReceiptId) -> None:
        if self._connection.after_download is AfterDownload.DELETE:
            await self._files.remove(self._path(file))
            return
        archive = path_in(self._connection.download_dir, ARCHIVE)
        await self._files.make_folder(archive)
        target = path_in(archive, file.name)
        if await self._files.find_size(target) is not None:
            target = f"{target}.{receipt_id}"
        await self._files.rename(self._path(file), target)

    async def _is_listed(self, file: RemoteFile) -> bool:
        """Tell whether a file is there as it was listed."""
        found = await self._files.find_regular(self._path(file))
        return found == (file.size, int(file.modified_at.timestamp()))

    def _path(self, file: RemoteFile) -> str:
        return path_in(self._connection.download_dir, file.name)


class FolderMailboxes:
    """The port ``inbound.mailboxes.MailboxOpener``."""

    def __init__(
        self, open_files: OpenFiles, *, deadline_seconds: float = DEADLINE_SECONDS
    ) -> None:
        self._open_files = open_files
        self._deadline_seconds = deadline_seconds

    @asynccontextmanager
    async def open(self, connection: FileServerConnection) -> AsyncIterator[FolderMailbox]:
        """Log in, and out at the end.

        Raises:
            MailboxError: That, or something in between, is not possible.
        """
        if missing_secrets(connection):
            raise MailboxError(FailureKind.NOT_CONFIGURED)
        try:
            async with (
                asyncio.timeout(self._deadline_seconds),
                self._open_files(connection) as files,
            ):
                yield FolderMailbox(files, connection)
        except EgressError as error:
            raise MailboxError(error.kind, error.message) from error
        except TimeoutError as error:
            raise MailboxError(FailureKind.TIMED_OUT) from error


def is_fetched(name: str, pattern: str) -> bool:
    """Tell whether a file of this name is fetched: it fits, is complete, and harms nobody."""
    return is_plain(name) and is_complete(name) and fnmatchcase(name, pattern)
