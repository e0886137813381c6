"""The folders that a partner sees in its mailbox: ``/inbox``, into which it puts files.

Nothing here is a file of the machine. An upload lies in memory until it is whole; then it becomes a
receipt, at its close, or at its rename if its name said that it was not complete. What is not whole
when the connection ends is gone. Names of received files stay visible until then, since clients
look whether their upload is there.

Source: transports.md section 3, draft-ietf-secsh-filexfer-02.
"""

from __future__ import annotations

import posixpath
import stat
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Final, NoReturn, Protocol

import asyncssh
from asyncssh import FXF_APPEND, FXF_CREAT, FXF_EXCL, FXF_TRUNC, FXF_WRITE, SFTPAttrs, SFTPName

from longshore.domain.inbound.polling import MAX_FILE_BYTES
from longshore.transport.file_names import is_complete, is_plain

INBOX: Final = "inbox"
MAX_PATH_BYTES: Final = 1_024
MAX_HANDLES: Final = 16
"""Files and folders that are open at a time in a connection."""
MAX_REMEMBERED: Final = 1_000
"""The number of uploads and received files whose names are remembered in a connection."""
MAX_HELD_BYTES: Final = 64 * 1024 * 1024
"""Bytes of uploads that are not whole yet, of one connection."""

_FOLDER: Final = stat.S_IFDIR | 0o755
_FILE: Final = stat.S_IFREG | 0o644
_MEBIBYTE: Final = 1024 * 1024
NO_SUCH_FILE: Final = "There is no such file."
_ONLY_INBOX: Final = "Files are put into the folder /inbox, which has no other folders in it."
_FIXED: Final = "The folders of a mailbox cannot be changed."
_WITHDRAWN: Final = "The file was received and cannot be withdrawn."


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


class FileStorer(Protocol):
    """Stores what has arrived whole."""

    async def store(self, name: str, content: bytes) -> None:
        """Store a file.

        Raises:
            SFTPError: That is not possible; the text says why.
        """
        ...


class MailboxFolders(asyncssh.SFTPServer):
    """The files of one connection."""

    def __init__(
        self,
        channel: asyncssh.SSHServerChannel[bytes],
        storer: FileStorer,
        held: HeldBytes,
        count_handles: Callable[[], int],
    ) -> None:
        """Show an empty folder; ``count_handles`` says how many handles are open."""
        super().__init__(channel)
        self._storer = storer
        self._held = held
        self._own_bytes = 0
        self._count_handles = count_handles
        self._uploads: dict[str, Upload] = {}
        self._received: dict[str, int] = {}
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

    def open(self, path: bytes, pflags: int, attrs: SFTPAttrs) -> Upload:
        del attrs
        self._check_handles()
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
        del file_obj, offset, size
        raise asyncssh.SFTPPermissionDenied("Files in /inbox can be written only.")

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

    async def _store(self, upload: Upload, name: str) -> None:
        if upload.is_broken:
            raise asyncssh.SFTPFailure("The file did not arrive whole.")
        if not upload.content:
            raise asyncssh.SFTPFailure("The file is empty.")
        size = len(upload.content)
        await self._storer.store(name, bytes(upload.content))
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

    def remove(self, path: bytes) -> None:
        name = self._name_in_inbox(path)
        if name in self._received:
            raise asyncssh.SFTPPermissionDenied(_WITHDRAWN)
        if name not in self._uploads:
            raise asyncssh.SFTPNoSuchFile(NO_SUCH_FILE)
        self._forget(name)

    def stat(self, path: bytes) -> SFTPAttrs:
        parts = _parts(path)
        if parts in {(), (INBOX,)}:
            return _folder()
        return _file(self._size_of(self._name_in_inbox(path)))

    def lstat(self, path: bytes) -> SFTPAttrs:
        return self.stat(path)

    def fstat(self, file_obj: object) -> SFTPAttrs:
        return _file(len(_upload(file_obj).content))

    def setstat(self, path: bytes, attrs: SFTPAttrs) -> None:
        """Accept times and modes, which change nothing; clients set them after an upload."""
        _keep_size(attrs, self._size_of(self._name_in_inbox(path)))

    def lsetstat(self, path: bytes, attrs: SFTPAttrs) -> None:
        self.setstat(path, attrs)

    def fsetstat(self, file_obj: object, attrs: SFTPAttrs) -> None:
        _keep_size(attrs, len(_upload(file_obj).content))

    def scandir(self, path: bytes) -> AsyncIterator[SFTPName]:
        self._check_handles()
        parts = _parts(path)
        if parts == ():
            return _listed([(INBOX, _folder())])
        if parts != (INBOX,):
            raise asyncssh.SFTPNoSuchFile(NO_SUCH_FILE)
        sizes = {name: len(each.content) for name, each in self._uploads.items()}
        files = sorted({**self._received, **sizes}.items())
        return _listed([(name, _file(size)) for name, size in files])

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

    def _forget(self, name: str) -> None:
        """Forget a file that is not received, if there is one of this name."""
        upload = self._uploads.pop(name, None)
        if upload is not None:
            upload.is_removed = True
            self._held.release(len(upload.content))
            self._own_bytes -= len(upload.content)
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


def _folder() -> SFTPAttrs:
    return SFTPAttrs(permissions=_FOLDER, size=0, uid=0, gid=0, atime=0, mtime=0)


def _file(size: int, modified_at: int = 0) -> SFTPAttrs:
    return SFTPAttrs(
        permissions=_FILE, size=size, uid=0, gid=0, atime=modified_at, mtime=modified_at
    )


def _keep_size(attrs: SFTPAttrs, size: int) -> None:
    if attrs.size not in {None, size}:
        raise asyncssh.SFTPOpUnsupported("Files cannot be cut or extended.")


async def _listed(entries: list[tuple[str, SFTPAttrs]]) -> AsyncIterator[SFTPName]:
    for name, attrs in ((".", _folder()), ("..", _folder()), *entries):
        yield SFTPName(name.encode(), attrs=attrs)
