"""Folders on partners' servers from which files are fetched, by SFTP.

A server may say anything: names with slashes or control characters are passed over, links are not
followed, and of an endless list the first names are read.

Source: transports.md section 3.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

from longshore.domain.delivery.outcome import FailureKind
from longshore.domain.inbound.mailboxes import MailboxError, RemoteFile
from longshore.domain.interchanges.store import ReceiptId
from longshore.domain.partners.connections import AfterDownload, SftpConnection, missing_secrets
from longshore.transport.egress import Egress, EgressError
from longshore.transport.remote_files import path_in

if TYPE_CHECKING:
    from longshore.transport.ssh import SshFiles

DEADLINE_SECONDS: Final = 120.0
"""Of a poll in all; what is stored by then stays stored."""
MAX_LISTED: Final = 10_000
ARCHIVE: Final = "archive"
_MAX_NAME_CHARS: Final = 255
_INCOMPLETE: Final = (".tmp", ".part", ".filepart")


class SftpMailbox:
    """The port ``inbound.mailboxes.Mailbox`` in an SFTP connection."""

    def __init__(self, files: SshFiles, connection: SftpConnection) -> None:
        self._files = files
        self._connection = connection

    async def list_files(self) -> Sequence[RemoteFile]:
        listed = await self._files.list_regular(self._connection.download_dir, MAX_LISTED)
        return [
            RemoteFile(
                name=each.name,
                size=each.size,
                modified_at=datetime.fromtimestamp(each.modified_at, UTC),
            )
            for each in listed
            if is_fetched(each.name, self._connection.pattern)
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
        """Tell whether a file is there as it was listed, and no link."""
        found = await self._files.find_regular(self._path(file))
        return found == (file.size, int(file.modified_at.timestamp()))

    def _path(self, file: RemoteFile) -> str:
        return path_in(self._connection.download_dir, file.name)


class SftpMailboxes:
    """The port ``inbound.mailboxes.MailboxOpener``."""

    def __init__(self, egress: Egress, *, deadline_seconds: float = DEADLINE_SECONDS) -> None:
        self._egress = egress
        self._deadline_seconds = deadline_seconds

    @asynccontextmanager
    async def open(self, connection: SftpConnection) -> AsyncIterator[SftpMailbox]:
        """Log in, and out at the end.

        Raises:
            MailboxError: That, or something in between, is not possible.
        """
        from longshore.transport.ssh import open_files  # noqa: PLC0415 - slow to import

        if missing_secrets(connection):
            raise MailboxError(FailureKind.NOT_CONFIGURED)
        try:
            async with (
                asyncio.timeout(self._deadline_seconds),
                open_files(self._egress, connection) as files,
            ):
                yield SftpMailbox(files, connection)
        except EgressError as error:
            raise MailboxError(error.kind, error.message) from error
        except TimeoutError as error:
            raise MailboxError(FailureKind.TIMED_OUT) from error


def is_fetched(name: str, pattern: str) -> bool:
    """Tell whether a file of this name is fetched: it fits, is complete, and harms nobody."""
    is_plain = (
        name.isprintable()
        and len(name) <= _MAX_NAME_CHARS
        and "/" not in name
        and "\\" not in name
        and not name.startswith(".")
    )
    is_complete = not name.lower().endswith(_INCOMPLETE)
    return is_plain and is_complete and fnmatchcase(name, pattern)
