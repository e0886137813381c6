"""The addresses of a server, and what accepts connections at that of SFTP."""

from __future__ import annotations

from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from longshore.background import open_file_servers
from longshore.domain.as2.connection_check import As2ConnectionChecker
from longshore.domain.partners.connection_check import MailboxServer
from longshore.kit.clock import SystemClock
from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.transport.as2 import As2Prober
from longshore.transport.egress import Egress

if TYPE_CHECKING:
    import socket
    from collections.abc import AsyncIterator, Iterator, Mapping

    from longshore.domain.partners.connection_check import ConnectionChecker
    from longshore.domain.partners.connections import ConnectionType
    from longshore.domain.partners.host_keys import HostKey
    from longshore.domain.ports import Ports
    from longshore.domain.units import Units
    from longshore.domain.users.passwords import PasswordHasher
    from longshore.http.server import ServedAddress
    from longshore.settings import Settings
    from longshore.telemetry.metrics import Metrics


@dataclass(frozen=True, slots=True)
class Listeners:
    """The addresses that were taken."""

    http: ServedAddress
    sftp: socket.socket | None
    """None without an SFTP server."""


@contextmanager
def take_addresses(settings: Settings) -> Iterator[Listeners]:
    """Take the addresses to serve on, until the block ends.

    Raises:
        LongshoreError: ``invalid_parameter``: one cannot be listened on, or there is no package
            for SFTP.
    """
    from longshore.http import server  # noqa: PLC0415 - servers only

    certificate = server.open_certificate(settings.tls_cert, settings.tls_key)
    with _listen(settings.host, settings.port, "port") as listener:
        served = server.ServedAddress(listener, certificate)
        if not settings.sftp_port:
            yield Listeners(served, None)
            return
        if find_spec("asyncssh") is None:
            raise LongshoreError(
                ErrorCode.INVALID_PARAMETER,
                "This installation lacks the package for SFTP. Install longshore[sftp], or start"
                " without --sftp-port.",
            )
        with _listen(settings.host, settings.sftp_port, "sftp-port") as sftp:
            yield Listeners(served, sftp)


def check_address(settings: Settings) -> None:
    """Take the addresses to serve on and give them back.

    Raises:
        LongshoreError: ``invalid_parameter``: one cannot be listened on.
    """
    with take_addresses(settings):
        pass


def _listen(host: str, port: int, option: str) -> socket.socket:
    from longshore.http import server  # noqa: PLC0415 - servers only

    try:
        return server.listen(host, port)
    except OSError as error:
        reason = str(error.strerror).partition(" (while")[0]  # Python repeats the address there
        raise LongshoreError(
            ErrorCode.INVALID_PARAMETER,
            f"{host} port {port} cannot be listened on: {reason}. "
            f"Choose another with --{option} or --host.",
        ) from error


@dataclass(frozen=True, slots=True, kw_only=True)
class MailboxPorts:
    """The services of a server that its SFTP server needs."""

    trading: Ports
    hasher: PasswordHasher
    metrics: Metrics


@asynccontextmanager
async def serving_mailboxes(
    listener: socket.socket | None, ports: MailboxPorts, host_key: bytes
) -> AsyncIterator[None]:
    """Let partners log in to their mailboxes until the block ends; not without a ``listener``."""
    if listener is None:
        yield
        return
    from longshore.domain.mailboxes.inbox import Inbox  # noqa: PLC0415 - if there is such a server
    from longshore.domain.mailboxes.logins import MailboxLogins  # noqa: PLC0415 - the same
    from longshore.domain.mailboxes.outbox import MailboxOutbox  # noqa: PLC0415 - the same
    from longshore.transport.sftp_server import ServerPorts, SftpServer  # noqa: PLC0415 - slow

    server = SftpServer(
        ServerPorts(
            logins=MailboxLogins(ports.trading, ports.hasher),
            inbox=Inbox(ports.trading),
            outbox=MailboxOutbox(ports.trading),
            on_received=lambda: ports.metrics.documents_stored("received"),
        ),
        host_key,
    )
    await server.start(listener)
    try:
        yield
    finally:
        await server.stop()


def open_checkers(
    settings: Settings, units: Units, host_key: bytes
) -> tuple[Mapping[ConnectionType, ConnectionChecker], As2ConnectionChecker, MailboxServer | None]:
    """Return what checks connections to file servers, AS2 connections, and mailboxes.

    Args:
        settings: Settings of the process.
        units: The database.
        host_key: The secret bytes of the host key of our SFTP server.
    """
    prober = As2Prober(Egress(settings.allowed_networks))
    as2_checker = As2ConnectionChecker(units, SystemClock(), prober)
    return open_file_servers(settings), as2_checker, _mailbox_server(settings, host_key)


def _mailbox_server(settings: Settings, secret: bytes) -> MailboxServer | None:
    def find_host_key() -> HostKey:
        from longshore.transport.sftp_server import host_key_of  # noqa: PLC0415 - slow to import

        return host_key_of(secret)

    if not settings.sftp_port or find_spec("asyncssh") is None:
        return None
    host = urlsplit(settings.base_url).hostname or settings.host
    return MailboxServer(host=host, port=settings.sftp_port, find_host_key=find_host_key)
