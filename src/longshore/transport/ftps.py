"""FTPS: an interchange becomes a file in a folder of the partner's server, as by SFTP.

The certificate of the server is one that the system trusts for its name, or the one whose
fingerprint a person has confirmed. The login is sent to no other server.

Source: transports.md sections 3, 5 and 6.
"""

from __future__ import annotations

import asyncio
import ftplib
import ssl
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from functools import cached_property
from typing import Final, TypeVar

from longshore.domain.delivery.outcome import FailureKind
from longshore.domain.delivery.ports import OutboundMessage, Sent, failed
from longshore.domain.partners.connection_check import SUCCEEDED, ConnectionCheck
from longshore.domain.partners.connections import (
    FileServerConnection,
    FtpsConnection,
    missing_secrets,
    target_of,
)
from longshore.domain.partners.targets import AddressRefusedError
from longshore.transport.egress import DEADLINE_SECONDS, Egress, EgressError
from longshore.transport.file_delivery import ALL_IS_THERE, check_folders, result_of, send_file
from longshore.transport.ftp_client import (
    FtpClient,
    OtherCertificateError,
    fingerprint_of,
    from_the_wire,
    on_the_wire,
)
from longshore.transport.remote_files import ListedFile, RemoteFiles

_CLOSING_SECONDS: Final = 1.0
_NO_FOLDER_CODES: Final = ("550", "553")
_FULL: Final = "552"

_Result = TypeVar("_Result")


class FtpsFiles:
    """The port ``RemoteFiles`` at an FTPS server; its commands run in a thread of their own."""

    def __init__(self, client: FtpClient, thread: ThreadPoolExecutor) -> None:
        self._client = client
        self._thread = thread

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the certificate that the server showed."""
        return fingerprint_of(self._client.certificate)

    async def encrypt(self) -> None:
        """Begin TLS, and check the certificate."""
        with _without_encryption():
            await self._run(self._client.encrypt)

    async def log_in(self, user: str, password: str) -> None:
        """Log in, and encrypt data connections from then on."""
        with _translated_failures(AUTHENTICATION):
            await self._run(lambda: self._client.login(user, on_the_wire(password)))
        with _without_encryption():
            await self._run(self._client.prepare)

    async def log_out(self) -> None:
        """Tell the server that nothing follows."""
        with suppress(TimeoutError, OSError, EOFError, ftplib.Error):
            async with asyncio.timeout(_CLOSING_SECONDS):
                await self._run(self._client.quit)

    async def find_size(self, path: str) -> int | None:
        with _translated_failures():
            return await self._run(lambda: self._client.find_size(on_the_wire(path)))

    async def read(self, path: str, most: int) -> bytes:
        with _translated_failures():
            return await self._run(lambda: self._client.download(f"RETR {on_the_wire(path)}", most))

    async def write(self, path: str, content: bytes) -> None:
        with _translated_failures():
            try:
                await self._run(lambda: self._client.upload(on_the_wire(path), content))
            except (ftplib.error_perm, ftplib.error_temp) as error:
                await self._clear(path, str(error))
                raise

    async def rename(self, path: str, to: str) -> None:
        # A server may replace a file by renaming another.
        if await self.find_size(to) is not None:
            raise EgressError(FailureKind.FILE_EXISTS)
        with _translated_failures():
            await self._run(lambda: self._client.rename(on_the_wire(path), on_the_wire(to)))

    async def remove(self, path: str) -> None:
        with _translated_failures():
            await self._run(lambda: self._client.delete(on_the_wire(path)))

    async def list_regular(
        self, folder: str, most: int, is_wanted: Callable[[str], bool]
    ) -> list[ListedFile]:
        if not await self.has_folder(folder):
            raise EgressError(FailureKind.FOLDER_NOT_FOUND)

        def list_wanted() -> list[ListedFile]:
            path = on_the_wire(folder)
            listed = self._client.list_files(path, most)
            wanted = [each for each in listed if is_wanted(from_the_wire(each.name))]
            timed = self._client.with_times(path, wanted)
            return [each._replace(name=from_the_wire(each.name)) for each in timed]

        with _translated_failures():
            return await self._run(list_wanted)

    async def find_regular(self, path: str) -> tuple[int, int] | None:
        with _translated_failures():
            return await self._run(lambda: self._client.find_regular(on_the_wire(path)))

    async def has_folder(self, path: str) -> bool:
        with _translated_failures():
            return await self._run(lambda: self._client.has_folder(on_the_wire(path)))

    async def make_folder(self, path: str) -> None:
        if not await self.has_folder(path):
            with _translated_failures():
                await self._run(lambda: self._client.mkd(on_the_wire(path)))

    async def _clear(self, path: str, answer: str) -> None:
        """Remove what a refused file left behind.

        Raises:
            EgressError: ``folder_not_found``: that is why it was refused.
        """
        folder = path.rpartition("/")[0]
        if answer.startswith(_NO_FOLDER_CODES) and folder and not await self.has_folder(folder):
            raise EgressError(FailureKind.FOLDER_NOT_FOUND)
        with suppress(ftplib.Error):
            await self._run(lambda: self._client.delete(on_the_wire(path)))

    async def _run(self, work: Callable[[], _Result]) -> _Result:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)


AUTHENTICATION: Final = FailureKind.AUTHENTICATION_FAILED


@contextmanager
def _translated_failures(refusal: FailureKind | None = None) -> Iterator[None]:
    """Raise what a command raises as an ``EgressError``; ``refusal`` is what any 5xx means.

    Raises:
        EgressError: The command failed.
    """
    try:
        yield
    except (ftplib.Error, EOFError, OSError, ValueError, OtherCertificateError) as error:
        kind, message = _failure_of(error)
        if refusal is not None and isinstance(error, ftplib.error_perm):
            kind, message = refusal, ""
        raise EgressError(kind, message) from error


@contextmanager
def _without_encryption() -> Iterator[None]:
    """Raise what a command raises; one that the server refuses is about TLS.

    Raises:
        EgressError: The command failed.
    """
    try:
        with _translated_failures(FailureKind.ANSWER_INVALID):
            yield
    except EgressError as error:
        if isinstance(error.__cause__, ftplib.error_perm):
            raise EgressError(FailureKind.ANSWER_INVALID, _NO_TLS) from error
        raise


_NO_TLS: Final = (
    "The server does not encrypt the connection, or not its data (AUTH TLS, PROT P). Nothing was"
    " sent."
)
_NO_FTPS: Final = "What the server answered is not FTPS."
_OTHER_CERTIFICATE: Final = (
    "The server showed another certificate than the confirmed one, and got no login. Ask the"
    " partner whether it has changed, and confirm the new one."
)
_UNTRUSTED: Final = (
    "The system does not trust the certificate of the server for this name. Nothing was sent."
)
_BY_CODE: Final[Sequence[tuple[str, FailureKind]]] = (
    ("421", FailureKind.CONNECTION_LOST),
    ("4", FailureKind.TRANSFER_FAILED),
    ("530", AUTHENTICATION),
    ("550", FailureKind.PERMISSION_DENIED),
    ("553", FailureKind.PERMISSION_DENIED),
    (_FULL, FailureKind.TRANSFER_FAILED),
)
_BY_TYPE: Final[Sequence[tuple[type[Exception], FailureKind, str]]] = (
    (OtherCertificateError, FailureKind.CERTIFICATE_INVALID, _OTHER_CERTIFICATE),
    (ssl.SSLCertVerificationError, FailureKind.CERTIFICATE_INVALID, _UNTRUSTED),
    (TimeoutError, FailureKind.TIMED_OUT, ""),
    (OSError, FailureKind.CONNECTION_LOST, ""),
    (EOFError, FailureKind.CONNECTION_LOST, ""),
)


def _failure_of(error: Exception) -> tuple[FailureKind, str]:
    """Return what a failure of the connection, or a refusal, means."""
    if isinstance(error, ftplib.error_perm | ftplib.error_temp):
        kinds = (kind for code, kind in _BY_CODE if str(error).startswith(code))
        kind = next(kinds, FailureKind.ANSWER_INVALID)
        return kind, _NO_FTPS if kind is FailureKind.ANSWER_INVALID else ""
    found = (row[1:] for row in _BY_TYPE if isinstance(error, row[0]))
    return next(found, (FailureKind.ANSWER_INVALID, _NO_FTPS))


class Ftps:
    """Sends to connections of the type ``ftps``, opens their files, and checks them."""

    def __init__(
        self,
        egress: Egress,
        *,
        deadline_seconds: float = DEADLINE_SECONDS,
        trust: ssl.SSLContext | None = None,
    ) -> None:
        """Trust what ``trust`` does where no certificate is confirmed; None: as the system does."""
        self._egress = egress
        self._deadline_seconds = deadline_seconds
        self._given_trust = trust

    @cached_property
    def _trust(self) -> ssl.SSLContext:
        return self._given_trust or ssl.create_default_context()

    async def send(self, message: OutboundMessage) -> Sent:
        """Store the bytes as a file, whose name is the same in each attempt."""
        connection = message.connection
        assert isinstance(connection, FtpsConnection)
        if missing_secrets(connection):
            return failed(FailureKind.NOT_CONFIGURED)
        opened = self.open_files(connection)
        return await send_file(opened, connection.upload_dir, message, self._deadline_seconds)

    async def check(self, connection: FileServerConnection) -> ConnectionCheck:
        """Log in, if the certificate is trusted, and look whether the folders are there."""
        assert isinstance(connection, FtpsConnection)
        return await result_of(self._check(connection), self._deadline_seconds)

    def open_files(
        self, connection: FileServerConnection
    ) -> AbstractAsyncContextManager[RemoteFiles]:
        """Log in at the server of a connection, and open its files."""
        assert isinstance(connection, FtpsConnection)
        return self._log_in(connection)

    async def _check(self, connection: FtpsConnection) -> ConnectionCheck:
        if missing_secrets(connection):
            raise EgressError(FailureKind.NOT_CONFIGURED)
        try:
            async with self._log_in(connection) as files:
                await check_folders(files, connection)
                shown = files.fingerprint
        except EgressError as error:
            if error.kind is not FailureKind.CERTIFICATE_INVALID:
                raise
            async with self._encrypted(connection, _unverified(), "") as files:
                shown = files.fingerprint
            return ConnectionCheck(
                code=error.kind.value,
                message=f"{error.message} The server shows the certificate with the SHA-256"
                f" fingerprint {shown}. Compare it with what the partner tells you over another"
                " channel, and save it.",
                certificate=shown,
            )
        return ConnectionCheck(code=SUCCEEDED, message=ALL_IS_THERE, certificate=shown)

    @asynccontextmanager
    async def _log_in(self, connection: FtpsConnection) -> AsyncIterator[FtpsFiles]:
        pinned = connection.certificate.replace(":", "").upper()
        colons = ":".join(pinned[at : at + 2] for at in range(0, len(pinned), 2))
        context = _unverified() if pinned else self._trust
        async with self._encrypted(connection, context, colons) as files:
            await files.log_in(connection.user, connection.password or "")
            yield files
            await files.log_out()

    @asynccontextmanager
    async def _encrypted(
        self, connection: FtpsConnection, context: ssl.SSLContext, pinned: str
    ) -> AsyncIterator[FtpsFiles]:
        try:
            target = target_of(connection)
        except AddressRefusedError as error:
            raise EgressError(FailureKind.ADDRESS_REFUSED, str(error)) from error
        assert target is not None
        connected = await self._egress.connect(target)
        try:
            client = FtpClient(connected, target.host, context, pinned)
        except BaseException:
            connected.close()
            raise
        thread = ThreadPoolExecutor(1, thread_name_prefix="ftps")
        try:
            files = FtpsFiles(client, thread)
            await files.encrypt()
            yield files
        finally:
            client.interrupt()
            thread.submit(client.close)
            thread.shutdown(wait=False)


def _unverified() -> ssl.SSLContext:
    """Return a context for a certificate that is compared with a fingerprint instead."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context
