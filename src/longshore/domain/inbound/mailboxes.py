"""Folders on partners' servers from which files are fetched: the interface to them.

Source: transports.md section 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from longshore.domain.delivery.outcome import FailureKind
from longshore.domain.delivery.ports import failure_message
from longshore.domain.interchanges.store import ReceiptId
from longshore.domain.partners.connections import FileServerConnection


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteFile:
    """A file as the server lists it."""

    name: str
    """Without a folder."""
    size: int
    modified_at: datetime


class MailboxError(Exception):
    """Something about a mailbox failed; the text is for people, without document content."""

    def __init__(self, kind: FailureKind, message: str = "") -> None:
        super().__init__(message or failure_message(kind))
        self.kind = kind


class Mailbox(Protocol):
    """A folder in an open connection; failures are ``MailboxError``."""

    async def list_files(self) -> Sequence[RemoteFile]:
        """Return the regular files whose names fit the pattern; of a long list the first ones."""
        ...

    async def fetch(self, file: RemoteFile) -> bytes | None:
        """Return the content of a file; None if it is not the listed one any more."""
        ...

    async def put_away(self, file: RemoteFile, receipt_id: ReceiptId) -> None:
        """Move a file that is stored to the archive, or delete it, as the connection says."""
        ...


class MailboxOpener(Protocol):
    """Opens mailboxes."""

    def open(self, connection: FileServerConnection) -> AbstractAsyncContextManager[Mailbox]:
        """Return the mailbox of a connection, which is open until the context ends."""
        ...
