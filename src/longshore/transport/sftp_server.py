"""The SFTP server of this installation, at which partners log in to their mailboxes.

There is SFTP and nothing else: no shell, no command, no other subsystem, no forwarding. Connections
are bounded in all and for each address, and in time until they log in, idle and altogether.

Slow to import: a third of a second of computing time.

Source: transports.md section 3.
"""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import asyncssh
from asyncssh.sftp import SFTPServerHandler
from asyncssh.stream import SSHServerStreamSession

from longshore.domain.partners.host_keys import HostKey
from longshore.domain.users.throttle import counted_client
from longshore.kit.errors import LongshoreError
from longshore.telemetry.logging import describe, get_logger
from longshore.transport.sftp_files import HeldBytes
from longshore.transport.sftp_folders import MailboxFolders

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator, Sequence

    from asyncssh.packet import SSHPacket

    from longshore.domain.mailboxes.inbox import Inbox
    from longshore.domain.mailboxes.logins import MailboxLogins, PartnerMailbox
    from longshore.domain.mailboxes.outbox import MailboxOutbox, WaitingFile

_SFTP_VERSION: Final = 3
_VERSION_TEXT: Final = "Longshore"
_MAX_FAILURES: Final = 6
_KEEPALIVE_SECONDS: Final = 30
# PKCS #8 of an Ed25519 key (RFC 8410, section 7) up to its 32 bytes.
_PKCS8: Final = bytes.fromhex("302e020100300506032b657004220420")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerLimits:
    """The limits of the server."""

    max_connections: int = 200
    connections_per_client: int = 20
    login_seconds: float = 30
    """Until a connection has logged in."""
    idle_seconds: float = 300
    """Without a request."""
    total_seconds: float = 3_600
    """Of a connection in all."""
    held_bytes: int = 256 * 1024 * 1024
    """Of all uploads that are not whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerPorts:
    """The services that the server works with."""

    logins: MailboxLogins
    inbox: Inbox
    outbox: MailboxOutbox
    on_received: Callable[[], None]
    """Called for each file that was stored."""


class SftpServer:
    """The server. One per process, on its event loop."""

    def __init__(
        self, ports: ServerPorts, host_key: bytes, limits: ServerLimits | None = None
    ) -> None:
        """Make a server; ``host_key`` is the 32 secret bytes of its key."""
        self.ports = ports
        self.limits = limits or ServerLimits()
        self.held = HeldBytes(self.limits.held_bytes)
        self._key = _private_key(host_key)
        self._acceptor: asyncssh.SSHAcceptor | None = None
        self._open: dict[_Connection, str] = {}
        self._counts: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()
        self._log = get_logger("longshore.sftp_server")

    async def start(self, listener: socket.socket) -> None:
        """Accept connections at an address that was taken."""
        self._acceptor = await asyncssh.listen(
            sock=listener,
            server_factory=lambda: _Connection(self),
            server_host_keys=[self._key],
            server_version=_VERSION_TEXT,
            login_timeout=self.limits.login_seconds,
            keepalive_interval=_KEEPALIVE_SECONDS,
            encoding=None,
            line_editor=False,
            allow_pty=False,
            allow_scp=False,
            agent_forwarding=False,
            x11_forwarding=False,
            gss_host=None,
            host_based_auth=False,
        )

    async def stop(self) -> None:
        """Accept nothing more and end all connections; what is not whole is gone."""
        if self._acceptor is not None:
            self._acceptor.close()
            await self._acceptor.wait_closed()
        for each in [*self._open]:
            each.abort()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def enter(self, connection: _Connection, ip: str) -> bool:
        """Count a connection; False if there are too many."""
        client = counted_client(ip)
        is_full = len(self._open) >= self.limits.max_connections
        if is_full or self._counts[client] >= self.limits.connections_per_client:
            self._log.info("sftp_connection_refused", client=ip)
            return False
        self._open[connection] = client
        self._counts[client] += 1
        return True

    def leave(self, connection: _Connection) -> None:
        """Count a connection no more."""
        client = self._open.pop(connection, None)
        if client is not None:
            self._counts[client] -= 1
            self._counts += Counter()  # forgets those without a connection

    def run(self, work: Coroutine[object, object, None]) -> None:
        """Do something that no connection waits for."""
        task = asyncio.create_task(self._logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _logged(self, work: Coroutine[object, object, None]) -> None:
        outcomes = await asyncio.gather(work, return_exceptions=True)
        for each in outcomes:
            if isinstance(each, BaseException):
                self._log.warning("sftp_server_failed", **describe(each))

    @contextmanager
    def answered_failures(self) -> Iterator[None]:
        """Answer what fails with a text for the client; the log has what is a fault of ours.

        Raises:
            SFTPFailure: Something failed.
        """
        try:
            yield
        except LongshoreError as error:
            raise asyncssh.SFTPFailure(str(error)) from error
        except Exception as error:
            self._log.error("sftp_server_failed", **describe(error))
            raise asyncssh.SFTPFailure("The request failed. Try again later.") from error


class _Connection(asyncssh.SSHServer):
    """One connection, and the login at it. Hashed by identity."""

    def __init__(self, server: SftpServer) -> None:
        self._server = server
        self._connection: asyncssh.SSHServerConnection | None = None
        self._ip = ""
        self._mailbox: PartnerMailbox | None = None
        self._method = ""
        self._failures = 0
        self._has_logged_in = False
        self._folders: MailboxFolders | None = None
        self._idle: asyncio.TimerHandle | None = None
        self._end: asyncio.TimerHandle | None = None

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._connection = conn
        peer = conn.get_extra_info("peername")
        self._ip = str(peer[0]) if peer else ""
        if not self._server.enter(self, self._ip):
            conn.abort()
            return
        loop = asyncio.get_running_loop()
        self._end = loop.call_later(self._server.limits.total_seconds, self.abort)
        self.touch()

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self._server.leave(self)
        for timer in (self._idle, self._end):
            if timer is not None:
                timer.cancel()
        if self._folders is not None:
            self._folders.discard()
        if self._mailbox is not None and not self._has_logged_in:
            self._server.run(self._server.ports.logins.record_refusal(self._mailbox, self._ip))

    def abort(self) -> None:
        """End the connection at once."""
        if self._connection is not None:
            self._connection.abort()

    def touch(self) -> None:
        """Note that the client has asked for something."""
        if self._idle is not None:
            self._idle.cancel()
        loop = asyncio.get_running_loop()
        self._idle = loop.call_later(self._server.limits.idle_seconds, self.abort)

    async def begin_auth(self, username: str) -> bool:
        self._mailbox = await self._server.ports.logins.find(username, self._ip)
        return True

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        del username
        text = key.export_public_key("openssh").decode("ascii", "replace")
        is_right = self._mailbox is not None and self._mailbox.has_key(text)
        self._method = "key" if is_right else ""
        return is_right

    def password_auth_supported(self) -> bool:
        return True

    async def validate_password(self, username: str, password: str) -> bool:
        logins = self._server.ports.logins
        if await logins.check_password(self._mailbox, username, password, self._ip):
            self._method = "password"
            return True
        self._failures += 1
        if self._failures >= _MAX_FAILURES:
            self.abort()
        return False

    def auth_completed(self) -> None:
        assert self._mailbox is not None  # nobody else has a key or password
        self._has_logged_in = True
        login = self._server.ports.logins.record_login(self._mailbox, self._ip, self._method)
        self._server.run(login)

    def session_requested(self) -> _Session | bool:
        """Open the one session of a connection."""
        if self._folders is not None or self._mailbox is None:
            return False
        return _Session(self)

    def open_folders(self, channel: object, count_handles: Callable[[], int]) -> MailboxFolders:
        """Return the folders of the mailbox."""
        assert isinstance(channel, asyncssh.SSHServerChannel)
        self._folders = MailboxFolders(channel, self, self._server.held, count_handles)
        return self._folders

    async def store(self, name: str, content: bytes) -> None:
        """Store a file, if the mailbox is still what it was.

        Raises:
            SFTPPermissionDenied: The mailbox was changed.
        """
        mailbox, ports = await self._open_mailbox(), self._server.ports
        with self._server.answered_failures():
            await ports.inbox.store(mailbox, name, content)
        ports.on_received()

    async def list_waiting(self) -> Sequence[WaitingFile]:
        """Return the files that wait for the partner.

        Raises:
            SFTPPermissionDenied: The mailbox was changed.
        """
        mailbox = await self._open_mailbox()
        with self._server.answered_failures():
            return await self._server.ports.outbox.list_files(mailbox)

    async def read_waiting(self, file: WaitingFile) -> bytes | None:
        """Return the content of a file that waits; None if it waits no more.

        Raises:
            SFTPPermissionDenied: The mailbox was changed.
        """
        mailbox = await self._open_mailbox()
        with self._server.answered_failures():
            return await self._server.ports.outbox.read(mailbox, file)

    async def deliver(self, file: WaitingFile) -> bool:
        """Store that a file was fetched; False if it waited no more.

        Raises:
            SFTPPermissionDenied: The mailbox was changed.
        """
        mailbox = await self._open_mailbox()
        with self._server.answered_failures():
            return await self._server.ports.outbox.deliver(mailbox, file)

    async def _open_mailbox(self) -> PartnerMailbox:
        mailbox = self._mailbox
        assert mailbox is not None  # it has logged in
        with self._server.answered_failures():
            if await self._server.ports.logins.is_still_open(mailbox, self._ip):
                return mailbox
        raise asyncssh.SFTPPermissionDenied("The mailbox was changed. Log in again.")


class _Session(SSHServerStreamSession[bytes]):
    """A session that is SFTP; the base class refuses shells, commands and other subsystems."""

    def __init__(self, connection: _Connection) -> None:
        super().__init__(None, lambda _: None)  # type: ignore[arg-type,return-value]  # never called
        self._opened_by = connection

    def session_started(self) -> None:
        channel = self._chan
        assert channel is not None
        assert self._conn is not None
        reader = asyncssh.SSHReader[bytes](self, channel)
        writer = asyncssh.SSHWriter[bytes](self, channel)
        handler = _Handler(self._opened_by, reader, writer)
        _ = self._conn.create_task(handler.run(), reader.logger)  # ends with the connection


class _Handler(SFTPServerHandler):
    """Reads requests, and says of what is called for one that it was requested."""

    def __init__(
        self,
        connection: _Connection,
        reader: asyncssh.SSHReader[bytes],
        writer: asyncssh.SSHWriter[bytes],
    ) -> None:
        self._opened_by = connection
        self._folders = connection.open_folders(
            reader.channel, lambda: len(self._file_handles) + len(self._dir_handles)
        )
        super().__init__(self._folders, reader, writer, _SFTP_VERSION)

    async def _process_packet(self, pkttype: int, pktid: int, packet: SSHPacket) -> None:
        self._opened_by.touch()
        with self._folders.requested():
            await super()._process_packet(pkttype, pktid, packet)

    _extensions = [  # noqa: RUF012 - as the base class has it
        (b"posix-rename@openssh.com", b"1"),
        (b"fsync@openssh.com", b"1"),
        (b"limits@openssh.com", b"1"),
    ]
    _packet_handlers = {  # noqa: RUF012 - as the base class has it
        name: handler
        for name, handler in SFTPServerHandler._packet_handlers.items()  # noqa: SLF001 - those that it takes away
        if name not in {b"copy-data", b"ranges@asyncssh.com", b"statvfs@openssh.com"}
    }


def host_key_of(secret: bytes) -> HostKey:
    """Return the host key that clients see."""
    key = _private_key(secret)
    kind, encoded = key.export_public_key("openssh").decode("ascii").split()[:2]
    return HostKey(text=f"{kind} {encoded}", fingerprint=key.get_fingerprint("sha256"))


def _private_key(secret: bytes) -> asyncssh.SSHKey:
    return asyncssh.import_private_key(_PKCS8 + secret)
