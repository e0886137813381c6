"""The folders that a partner sees in its mailbox: it puts files into one and fetches from one.

Nothing here is a file of the machine. An upload lies in memory until it is whole; then it becomes a
receipt, at its close, or at its rename if its name said that it was not complete. What is not whole
when the connection ends is gone. Names of received files stay visible until then, since clients
look whether their upload is there.

A file of ``/outbox`` is delivered when it was read from its first byte to its last and closed.

Source: transports.md section 3, draft-ietf-secsh-filexfer-02.
"""

from __future__ import annotations

import posixpath
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Final, NoReturn

import asyncssh
from asyncssh import FXF_APPEND, FXF_CREAT, FXF_EXCL, FXF_TRUNC, FXF_WRITE, SFTPAttrs, SFTPName

from longshore.domain.inbound.polling import MAX_FILE_BYTES
from longshore.domain.mailboxes.outbox import WaitingFile
from longshore.transport.file_names import is_complete, is_plain
from longshore.transport.sftp_files import (
    Download,
    HeldBytes,
    MailboxFiles,
    Upload,
    file_attrs,
    folder_attrs,
    keep_size,
    list_names,
    waiting_attrs,
)

INBOX: Final = "inbox"
OUTBOX: Final = "outbox"
MAX_PATH_BYTES: Final = 1_024
MAX_HANDLES: Final = 16
"""Files and folders that are open at a time in a connection."""
MAX_REMEMBERED: Final = 1_000
"""The number of uploads and received files whose names are remembered in a connection."""
MAX_HELD_BYTES: Final = 64 * 1024 * 1024
"""Bytes of uploads that are not whole yet, of one connection."""

_MEBIBYTE: Final = 1024 * 1024
NO_SUCH_FILE: Final = "There is no such file."
_ONLY_INBOX: Final = "Files are put into the folder /inbox, which has no other folders in it."
_ONLY_READ: Final = "Files in /outbox can be read only."
_FIXED: Final = "The folders of a mailbox cannot be changed."
_WITHDRAWN: Final = "The file was received and cannot be withdrawn."


class MailboxFolders(asyncssh.SFTPServer):
    """The files of one connection."""

    def __init__(
        self,
        channel: asyncssh.SSHServerChannel[bytes],
        files: MailboxFiles,
        held: HeldBytes,
        count_handles: Callable[[], int],
    ) -> None:
        """Show an empty folder; ``count_handles`` says how many handles are open."""
        super().__init__(channel)
        self._files = files
        self._held = held
        self._own_bytes = 0
        self._count_handles = count_handles
        self._uploads: dict[str, Upload] = {}
        self._received: dict[str, int] = {}
        self._waiting: dict[str, WaitingFile] = {}
        self._fetched: set[str] = set()
        self._is_requested = False

    @contextmanager
    def requested(self) -> Iterator[None]:
        """Note that what is called meanwhile was requested by the client.

        At the end of a connection the library closes the files that are still open. They are not
        whole, and only what the client closes itself is stored.
        """
        self._is_requested = True
        try:
            yield
        finally:
            self._is_requested = False

    def discard(self) -> None:
        """Forget what is not whole."""
        self._uploads.clear()
        self._held.release(self._own_bytes)
        self._own_bytes = 0

    async def open(self, path: bytes, pflags: int, attrs: SFTPAttrs) -> Upload | Download:
        del attrs
        self._check_handles()
        if _is_in_outbox(path):
            return await self._open_waiting(path, pflags)
        return self._open_upload(path, pflags)

    async def _open_waiting(self, path: bytes, pflags: int) -> Download:
        if pflags & FXF_WRITE:
            raise asyncssh.SFTPPermissionDenied(_ONLY_READ)
        file = await self._find_waiting(path)
        self._reserve(file.size)
        content = await self._files.read_waiting(file)
        if content is None:
            self._release(file.size)
            raise asyncssh.SFTPNoSuchFile(NO_SUCH_FILE)
        return Download(file, content)

    async def _find_waiting(self, path: bytes) -> WaitingFile:
        name = _parts(path)[1]
        if name not in self._waiting:
            await self._list_waiting()
        if name not in self._waiting:
            raise asyncssh.SFTPNoSuchFile(NO_SUCH_FILE)
        return self._waiting[name]

    async def _list_waiting(self) -> None:
        # Of two files with one name the older is shown until it was fetched.
        files = await self._files.list_waiting()
        self._waiting = {each.name: each for each in reversed(files)}

    def _open_upload(self, path: bytes, pflags: int) -> Upload:
        name = self._name_in_inbox(path)
        if not pflags & FXF_WRITE:
            if name not in self._uploads and name not in self._received:
                raise asyncssh.SFTPNoSuchFile(NO_SUCH_FILE)
            raise asyncssh.SFTPPermissionDenied("Files in /inbox can be written only.")
        known = self._uploads.get(name)
        if known is not None and known.is_open:
            raise asyncssh.SFTPFailure("The file is being written.")
        is_there = known is not None or name in self._received
        if pflags & FXF_EXCL and is_there:
            raise asyncssh.SFTPFailure("There is a file of this name.")
        if known is not None and not pflags & FXF_TRUNC:
            known.is_open, known.is_appended = True, bool(pflags & FXF_APPEND)
            return known
        if not is_there and not pflags & FXF_CREAT:
            raise asyncssh.SFTPNoSuchFile(NO_SUCH_FILE)
        self._forget(name)
        self._check_remembered()
        upload = self._uploads[name] = Upload(name)
        upload.is_appended = bool(pflags & FXF_APPEND)
        return upload

    def read(self, file_obj: object, offset: int, size: int) -> bytes:
        if not isinstance(file_obj, Download):
            raise asyncssh.SFTPPermissionDenied("Files in /inbox can be written only.")
        part = file_obj.content[offset : offset + size]
        if offset <= file_obj.read_bytes:
            file_obj.read_bytes = max(file_obj.read_bytes, offset + len(part))
        return part

    def write(self, file_obj: object, offset: int, data: bytes) -> int:
        upload = _upload(file_obj)
        upload.is_broken, was_broken = True, upload.is_broken  # unless this part is taken
        if upload.is_appended:
            offset = len(upload.content)
        if offset > len(upload.content):
            raise asyncssh.SFTPFailure("A file is written from its beginning on, without gaps.")
        end = max(offset + len(data), len(upload.content))
        if end > MAX_FILE_BYTES:
            limit = MAX_FILE_BYTES // _MEBIBYTE
            raise asyncssh.SFTPFailure(f"A file has at most {limit} MiB.")
        self._reserve(end - len(upload.content))
        upload.content[offset : offset + len(data)] = data
        upload.is_broken = was_broken
        return len(data)

    async def close(self, file_obj: object) -> None:
        if isinstance(file_obj, Download):
            await self._close_waiting(file_obj)
            return
        assert isinstance(file_obj, Upload)
        upload = file_obj
        upload.is_open = False
        if not self._is_requested or upload.is_removed:
            return
        if is_complete(upload.name):
            # What cannot be stored is gone, as the answer to this request says.
            try:
                await self._store(upload, upload.name)
            finally:
                self._forget(upload.name)

    async def _close_waiting(self, download: Download) -> None:
        file = download.file
        self._release(file.size)
        if not self._is_requested or download.read_bytes < file.size:
            return
        await self._files.deliver(file)
        self._waiting.pop(file.name, None)
        self._fetched.add(file.name)

    async def _store(self, upload: Upload, name: str) -> None:
        if upload.is_broken:
            raise asyncssh.SFTPFailure("The file did not arrive whole.")
        if not upload.content:
            raise asyncssh.SFTPFailure("The file is empty.")
        size = len(upload.content)
        await self._files.store(name, bytes(upload.content))
        self._forget(upload.name)
        self._received[name] = size

    async def rename(self, oldpath: bytes, newpath: bytes) -> None:
        old, new = self._name_in_inbox(oldpath), self._name_in_inbox(newpath)
        if old in self._received:
            self._received[new] = self._received.pop(old)
            return
        upload = self._uploads.get(old)
        if upload is None:
            raise asyncssh.SFTPNoSuchFile(NO_SUCH_FILE)
        if upload.is_open or new in self._uploads:
            raise asyncssh.SFTPFailure("The file, or one of the new name, is being written.")
        if is_complete(new):
            await self._store(upload, new)
            return
        self._uploads[new] = self._uploads.pop(old)
        upload.name = new

    def posix_rename(self, oldpath: bytes, newpath: bytes) -> Awaitable[None]:
        return self.rename(oldpath, newpath)

    async def remove(self, path: bytes) -> None:
        if _is_in_outbox(path):
            if _parts(path)[1] in self._fetched:
                return  # it is gone already, as the client wants
            await self._find_waiting(path)
            raise asyncssh.SFTPPermissionDenied("The file was not fetched whole yet.")
        name = self._name_in_inbox(path)
        if name in self._received:
            raise asyncssh.SFTPPermissionDenied(_WITHDRAWN)
        if name not in self._uploads:
            raise asyncssh.SFTPNoSuchFile(NO_SUCH_FILE)
        self._forget(name)

    async def stat(self, path: bytes) -> SFTPAttrs:
        if _parts(path) in {(), (INBOX,), (OUTBOX,)}:
            return folder_attrs()
        if _is_in_outbox(path):
            return waiting_attrs(await self._find_waiting(path))
        return file_attrs(self._size_of(self._name_in_inbox(path)))

    def lstat(self, path: bytes) -> Awaitable[SFTPAttrs]:
        return self.stat(path)

    def fstat(self, file_obj: object) -> SFTPAttrs:
        if isinstance(file_obj, Download):
            return waiting_attrs(file_obj.file)
        return file_attrs(len(_upload(file_obj).content))

    def setstat(self, path: bytes, attrs: SFTPAttrs) -> None:
        """Accept times and modes, which change nothing; clients set them after an upload."""
        keep_size(attrs, self._size_of(self._name_in_inbox(path)))

    def lsetstat(self, path: bytes, attrs: SFTPAttrs) -> None:
        self.setstat(path, attrs)

    def fsetstat(self, file_obj: object, attrs: SFTPAttrs) -> None:
        keep_size(attrs, len(_upload(file_obj).content))

    def scandir(self, path: bytes) -> AsyncIterator[SFTPName]:
        self._check_handles()
        parts = _parts(path)
        if parts == ():
            return list_names([(INBOX, folder_attrs()), (OUTBOX, folder_attrs())])
        if parts == (OUTBOX,):
            return self._scan_waiting()
        if parts != (INBOX,):
            raise asyncssh.SFTPNoSuchFile(NO_SUCH_FILE)
        sizes = {name: len(each.content) for name, each in self._uploads.items()}
        files = sorted({**self._received, **sizes}.items())
        return list_names([(name, file_attrs(size)) for name, size in files])

    async def _scan_waiting(self) -> AsyncIterator[SFTPName]:
        await self._list_waiting()
        found = [(each.name, waiting_attrs(each)) for each in self._waiting.values()]
        async for name in list_names(sorted(found, key=lambda each: each[0])):
            yield name

    def realpath(self, path: bytes) -> bytes:
        return b"/" + "/".join(_parts(path)).encode()

    def mkdir(self, path: bytes, attrs: SFTPAttrs) -> NoReturn:
        del path, attrs
        raise asyncssh.SFTPPermissionDenied(_FIXED)

    def rmdir(self, path: bytes) -> NoReturn:
        del path
        raise asyncssh.SFTPPermissionDenied(_FIXED)

    def readlink(self, path: bytes) -> NoReturn:
        del path
        raise asyncssh.SFTPOpUnsupported("There are no links.")

    def symlink(self, oldpath: bytes, newpath: bytes) -> NoReturn:
        del oldpath, newpath
        raise asyncssh.SFTPOpUnsupported("There are no links.")

    def link(self, oldpath: bytes, newpath: bytes) -> NoReturn:
        del oldpath, newpath
        raise asyncssh.SFTPOpUnsupported("There are no links.")

    def fsync(self, file_obj: object) -> None:
        """Do nothing: a file is on disk when its close or rename is answered."""
        _upload(file_obj)

    def exit(self) -> None:
        self.discard()

    def _check_handles(self) -> None:
        if self._count_handles() >= MAX_HANDLES:
            raise asyncssh.SFTPFailure(f"At most {MAX_HANDLES} files and folders can be open.")

    def _check_remembered(self) -> None:
        if len(self._received) + len(self._uploads) < MAX_REMEMBERED:
            return
        if not self._received:
            raise asyncssh.SFTPFailure("Too many files are not complete. Rename or remove some.")
        del self._received[next(iter(self._received))]

    def _reserve(self, count: int) -> None:
        if self._own_bytes + count > MAX_HELD_BYTES or not self._held.reserve(count):
            raise asyncssh.SFTPFailure("Too much is being received. Try again later.")
        self._own_bytes += count

    def _release(self, count: int) -> None:
        count = min(count, self._own_bytes)  # nothing is left once the connection has ended
        self._held.release(count)
        self._own_bytes -= count

    def _forget(self, name: str) -> None:
        """Forget a file that is not received, if there is one of this name."""
        upload = self._uploads.pop(name, None)
        if upload is not None:
            upload.is_removed = True
            self._release(len(upload.content))
            upload.content = bytearray()

    def _size_of(self, name: str) -> int:
        if name in self._uploads:
            return len(self._uploads[name].content)
        if name not in self._received:
            raise asyncssh.SFTPNoSuchFile(NO_SUCH_FILE)
        return self._received[name]

    def _name_in_inbox(self, path: bytes) -> str:
        """Return the name of a file in the folder.

        Raises:
            SFTPPermissionDenied: It would be somewhere else.
            SFTPFailure: It cannot be the name of a file.
        """
        parts = _parts(path)
        if len(parts) != len((INBOX, "name")) or parts[0] != INBOX:
            raise asyncssh.SFTPPermissionDenied(_ONLY_INBOX)
        if not is_plain(parts[1]):
            raise asyncssh.SFTPFailure("A name has at most 255 printable characters, no backslash.")
        return parts[1]


def _upload(file_obj: object) -> Upload:
    if isinstance(file_obj, Download):
        raise asyncssh.SFTPPermissionDenied(_ONLY_READ)
    assert isinstance(file_obj, Upload)  # nothing else is opened
    if file_obj.is_removed:
        raise asyncssh.SFTPNoSuchFile(NO_SUCH_FILE)
    return file_obj


def _parts(path: bytes) -> tuple[str, ...]:
    """Return the folders of a path and its last name; ``..`` never leads out of the mailbox.

    Raises:
        SFTPFailure: It is too long, or no text.
    """
    if len(path) > MAX_PATH_BYTES:
        raise asyncssh.SFTPFailure(f"A path has at most {MAX_PATH_BYTES} bytes.")
    try:
        text = path.decode()
    except UnicodeDecodeError as error:
        raise asyncssh.SFTPFailure("A path is UTF-8.") from error
    return tuple(each for each in posixpath.normpath(f"/{text}").split("/") if each)


def _is_in_outbox(path: bytes) -> bool:
    parts = _parts(path)
    return len(parts) == len((OUTBOX, "name")) and parts[0] == OUTBOX
