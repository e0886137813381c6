"""SSH connections to partners' servers, and the files behind them.

A host key is confirmed by a person and pinned: nothing, no password either, is sent to a server
that shows another one. Nothing of the machine is used: no configuration, known hosts, keys or agent
of its user.

Slow to import: a third of a second of computing time.

Source: transports.md section 3.
"""

from __future__ import annotations

import asyncio
import stat
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Sequence
from contextlib import aclosing, asynccontextmanager, contextmanager, suppress
from typing import Final, cast

import asyncssh

from longshore.domain.delivery.outcome import FailureKind
from longshore.domain.partners.connections import SftpConnection, target_of
from longshore.domain.partners.host_keys import HostKey, is_pinned
from longshore.domain.partners.targets import AddressRefusedError
from longshore.transport.egress import Egress, EgressError
from longshore.transport.remote_files import NO_TIME, ListedFile

_CLOSING_SECONDS: Final = 1.0
_CHUNK_BYTES: Final = 262_144
_NOT_FOUND: Final = (asyncssh.SFTPNoSuchFile, asyncssh.SFTPNoSuchPath)
_RSA: Final = ("rsa-sha2-512", "rsa-sha2-256")
_HOST_KEY_ALGORITHMS: Final = (
    "ssh-ed25519",
    *("ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521"),
    *_RSA,
)
"""Plain keys, no certificates: what is pinned is the key itself."""


class _PinningClient(asyncssh.SSHClient):
    """Compares the host key of the server with the pinned one."""

    def __init__(self, pinned: str) -> None:
        self._pinned = pinned
        self.shown: HostKey | None = None
        """The key that the server showed; None before."""

    def validate_host_public_key(
        self, host: str, addr: str, port: int, key: asyncssh.SSHKey
    ) -> bool:
        del host, addr, port
        kind, encoded = key.export_public_key("openssh").decode("ascii").split()[:2]
        self.shown = HostKey(text=f"{kind} {encoded}", fingerprint=key.get_fingerprint("sha256"))
        return is_pinned(self.shown, self._pinned)


@contextmanager
def _translated_failures() -> Iterator[None]:
    """Raise what a request of SFTP raises as an ``EgressError``."""
    try:
        yield
    except asyncssh.Error as error:
        failure = failure_of(error)
        raise failure from error


class SshFiles:
    """The port ``RemoteFiles`` at an SFTP server."""

    def __init__(self, client: asyncssh.SFTPClient, host_key: HostKey) -> None:
        """Offer the files of a server that has shown a key."""
        self._client = client
        self.host_key = host_key

    async def find_size(self, path: str) -> int | None:
        with _translated_failures():
            try:
                return (await self._client.stat(path)).size
            except _NOT_FOUND:
                return None

    async def read(self, path: str, most: int) -> bytes:
        with _translated_failures():
            async with self._client.open(path, "rb") as file:
                parts: list[bytes] = []
                while most > 0 and (part := await file.read(min(most, _CHUNK_BYTES))):
                    parts.append(cast("bytes", part))  # it was opened without an encoding
                    most -= len(part)
                return b"".join(parts)

    async def write(self, path: str, content: bytes) -> None:
        with _translated_failures():
            async with self._client.open(path, "wb") as file:
                await file.write(content)

    async def rename(self, path: str, to: str) -> None:
        with _translated_failures():
            await self._client.rename(path, to)

    async def list_regular(
        self, folder: str, most: int, is_wanted: Callable[[str], bool]
    ) -> list[ListedFile]:
        found: list[ListedFile] = []
        scan = cast("AsyncGenerator[asyncssh.SFTPName, None]", self._client.scandir(folder))
        with _translated_failures():
            async with aclosing(scan) as names:
                async for each in names:
                    facts = _regular(each.attrs)
                    if facts is not None and is_wanted(str(each.filename)):
                        found.append(ListedFile(str(each.filename), *facts))
                    most -= 1
                    if most <= 0:
                        break
        return found

    async def find_regular(self, path: str) -> tuple[int, int] | None:
        with _translated_failures():
            try:
                return _regular(await self._client.lstat(path))
            except _NOT_FOUND:
                return None

    async def remove(self, path: str) -> None:
        with _translated_failures():
            await self._client.remove(path)

    async def has_folder(self, path: str) -> bool:
        return await self.find_size(path) is not None

    async def make_folder(self, path: str) -> None:
        if not await self.has_folder(path):
            with _translated_failures():
                await self._client.mkdir(path)


def _regular(attrs: asyncssh.SFTPAttrs) -> tuple[int, int] | None:
    """Return size and time of a regular file; None for anything else."""
    is_regular = attrs.permissions is not None and stat.S_ISREG(attrs.permissions)
    if not is_regular or attrs.size is None:
        return None
    return attrs.size, NO_TIME if attrs.mtime is None else int(attrs.mtime)


@asynccontextmanager
async def open_files(egress: Egress, connection: SftpConnection) -> AsyncIterator[SshFiles]:
    """Log in at the server of a connection, whose host key is confirmed, and open its files.

    Raises:
        EgressError: That is not possible.
    """
    client = _PinningClient(connection.host_key)
    try:
        opened = await _connect(egress, connection, client)
    except (asyncssh.Error, OSError, ValueError) as error:
        failure = _refusal(error, client)
        raise failure from error
    try:
        try:
            # Names that are no text are passed over, not an error.
            sftp = await opened.start_sftp_client(path_errors="surrogateescape")
        except asyncssh.Error as error:
            raise EgressError(
                FailureKind.ANSWER_INVALID, "The server offers no SFTP to this login."
            ) from error
        assert client.shown is not None  # a login comes after it
        yield SshFiles(sftp, client.shown)
    finally:
        opened.close()
        with suppress(TimeoutError, OSError, asyncssh.Error):
            async with asyncio.timeout(_CLOSING_SECONDS):
                await opened.wait_closed()


async def read_host_key(egress: Egress, connection: SftpConnection) -> HostKey:
    """Return the host key that the server shows; nothing of the login is sent.

    Raises:
        EgressError: There is no server, or it shows none.
    """
    client = _PinningClient("")
    try:
        opened = await _connect(egress, connection, client)
    except (asyncssh.Error, OSError) as error:
        if client.shown is None:
            failure = failure_of(error)
            raise failure from error
    else:  # pragma: no cover - no key is confirmed, so the connection ends before the login
        opened.abort()
    assert client.shown is not None
    return client.shown


async def _connect(
    egress: Egress, connection: SftpConnection, client: _PinningClient
) -> asyncssh.SSHClientConnection:
    """Return a connection that is logged in.

    Raises:
        EgressError: The address is refused, or the private key cannot be read.
    """
    keys = _client_keys(connection)
    try:
        target = target_of(connection)
    except AddressRefusedError as error:
        raise EgressError(FailureKind.ADDRESS_REFUSED, str(error)) from error
    assert target is not None
    connected = await egress.connect(target)
    try:
        return await asyncssh.connect(
            connection.host,
            connection.port,
            sock=connected,
            config=None,
            client_factory=lambda: client,
            known_hosts=((), (), ()),
            server_host_key_algs=_algorithms_of(connection.host_key),
            x509_trusted_certs=None,
            username=connection.user,
            password=connection.password,
            client_keys=keys,
            client_host_keysign=False,
            agent_path=None,
            gss_host=None,
            preferred_auth=("publickey",) if keys else ("password", "keyboard-interactive"),
            disable_trivial_auth=True,
        )
    except BaseException:
        connected.close()
        raise


def _client_keys(connection: SftpConnection) -> list[asyncssh.SSHKey] | None:
    if connection.private_key is None:
        return None
    try:
        return [asyncssh.import_private_key(connection.private_key)]
    except (asyncssh.KeyImportError, asyncssh.KeyEncryptionError) as error:
        raise EgressError(
            FailureKind.NOT_CONFIGURED,
            "The private key of the connection cannot be read. It must be in the format of OpenSSH"
            " or PEM, without a passphrase.",
        ) from error


def _algorithms_of(pinned: str) -> Sequence[str]:
    """Return the algorithms to ask for: a server has keys of several kinds, and one is pinned."""
    kind, _, encoded = pinned.partition(" ")
    if not encoded:
        return _HOST_KEY_ALGORITHMS
    return _RSA if kind == "ssh-rsa" else [kind]


class HostKeyChangedError(EgressError):
    """The server showed another host key than the pinned one, and got nothing."""

    def __init__(self, shown: HostKey) -> None:
        super().__init__(
            FailureKind.HOST_KEY_CHANGED,
            f"The server showed another host key than the confirmed one: {shown}. Nothing was sent."
            " Ask the partner whether it has changed, and confirm the new one.",
        )
        self.shown = shown


def _refusal(error: Exception, client: _PinningClient) -> EgressError:
    """Return why there is no login."""
    if isinstance(error, asyncssh.HostKeyNotVerifiable) and client.shown is not None:
        return HostKeyChangedError(client.shown)
    return failure_of(error)


def failure_of(error: Exception) -> EgressError:
    """Return what a failure of a connection or of a request in it means."""
    for types, kind, message in _FAILURES:
        if isinstance(error, types):
            return EgressError(kind, message)
    return EgressError(FailureKind.CONNECTION_LOST)


_FAILURES: Final[Sequence[tuple[tuple[type[Exception], ...], FailureKind, str]]] = (
    ((asyncssh.PermissionDenied,), FailureKind.AUTHENTICATION_FAILED, ""),
    (
        (asyncssh.KeyExchangeFailed, ValueError),
        FailureKind.ANSWER_INVALID,
        "The server and Longshore have no algorithm in common, or not for the confirmed host key.",
    ),
    (
        (asyncssh.ProtocolError, asyncssh.ProtocolNotSupported, asyncssh.SFTPBadMessage),
        FailureKind.ANSWER_INVALID,
        "What the server answered is not SFTP.",
    ),
    ((asyncssh.SFTPPermissionDenied, asyncssh.SFTPWriteProtect), FailureKind.PERMISSION_DENIED, ""),
    (_NOT_FOUND, FailureKind.FOLDER_NOT_FOUND, ""),
    ((asyncssh.SFTPNoConnection, asyncssh.SFTPConnectionLost), FailureKind.CONNECTION_LOST, ""),
    ((asyncssh.SFTPError,), FailureKind.TRANSFER_FAILED, ""),
)
