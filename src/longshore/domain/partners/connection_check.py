"""Checks a connection without sending a document; of SFTP it shows the host key to confirm.

Source: transports.md sections 2 and 3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Protocol

from longshore.domain.partners.connections import (
    As2Connection,
    ConnectionType,
    FileServerConnection,
    MailboxConnection,
    missing_secrets,
)
from longshore.domain.partners.host_keys import HostKey
from longshore.domain.partners.mailbox_users import mailbox_user
from longshore.domain.partners.model import PartnerId
from longshore.domain.partners.service import PartnerService
from longshore.domain.partners.status import NOT_CONFIGURED
from longshore.domain.ports import RequestContext
from longshore.kit.environment import Environment
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError

SUCCEEDED: Final = "succeeded"
"""The code of a check that found nothing wrong; that of another is as of a failed attempt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionCheck:
    """The result of a check."""

    code: str
    """``succeeded``, or why nothing could be sent."""
    message: str
    """One or two sentences for people."""
    host_key: HostKey | None = None
    """The key that the server showed; None if it did not get so far."""
    certificate: str = ""
    """The SHA-256 fingerprint of the certificate that an FTPS server showed."""

    @property
    def fingerprint(self) -> str | None:
        """Return what people compare: of the host key or of the certificate."""
        return self.certificate or (None if self.host_key is None else self.host_key.fingerprint)


class ConnectionChecker(Protocol):
    """Connects to a partner's server, logs in, and looks at the folders."""

    async def check(self, connection: FileServerConnection) -> ConnectionCheck:
        """Return what came of it; a login is sent to a server with the confirmed key only."""
        ...


class As2Checker(Protocol):
    """Looks for what an AS2 connection needs, and asks the partner's server for an answer."""

    async def check(self, context: RequestContext, connection: As2Connection) -> ConnectionCheck:
        """Return what came of it for the environment of ``context``; no message is sent."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class MailboxServer:
    """Our SFTP server as partners see it."""

    host: str
    port: int
    find_host_key: Callable[[], HostKey]
    """Returns its host key; slow the first time."""


class NoCheckError(LongshoreError):
    """The connection is of a type that cannot be checked."""

    def __init__(self, message: str) -> None:
        detail = ErrorDetail(code=ErrorCode.INVALID_STATE, message=message)
        super().__init__(ErrorCode.INVALID_STATE, message, details=(detail,))


class ConnectionCheckService:
    """Checks the stored connections of partners."""

    def __init__(
        self,
        partners: PartnerService,
        checkers: Mapping[ConnectionType, ConnectionChecker],
        as2_checker: As2Checker | None = None,
        mailbox_server: MailboxServer | None = None,
    ) -> None:
        """Check file servers with ``checkers``; what a type without one needs is not installed.

        Without ``mailbox_server`` partners cannot log in at their mailboxes.
        """
        self._mailbox_server = mailbox_server
        self._partners = partners
        self._checkers = checkers
        self._as2_checker = as2_checker

    async def check(
        self, context: RequestContext, partner_id: PartnerId, environment: Environment
    ) -> ConnectionCheck:
        """Check the connection of a partner for one environment.

        Raises:
            PartnerNotFoundError: There is none of this id.
            NoCheckError: The connection is of another type, or the installation lacks a package.
        """
        known = await self._partners.get(context, partner_id)
        connection = known.partner.terms.connections.of(environment)
        if isinstance(connection, As2Connection) and self._as2_checker is not None:
            scoped = replace(context, environment=environment)
            return await self._as2_checker.check(scoped, connection)
        if isinstance(connection, MailboxConnection):
            user = mailbox_user(known.partner.account_id, partner_id, environment)
            return _check_mailbox(connection, user, self._mailbox_server)
        if not isinstance(connection, FileServerConnection):
            raise NoCheckError(
                "Only AS2, SFTP and FTPS connections and mailboxes can be checked without sending"
                " a document."
            )
        checker = self._checkers.get(connection.type)
        if checker is None:
            raise NoCheckError(
                "This installation lacks the package for SFTP. Install longshore[sftp] and restart."
            )
        return await checker.check(connection)


def _check_mailbox(
    connection: MailboxConnection, user: str, server: MailboxServer | None
) -> ConnectionCheck:
    """Return what a partner needs to log in, as one text to send to it."""
    if server is None:
        return ConnectionCheck(
            code=NOT_CONFIGURED,
            message="The SFTP server is not started. Start it with --sftp-port.",
        )
    if missing_secrets(connection):
        return ConnectionCheck(
            code=NOT_CONFIGURED,
            message="Nobody can log in: the mailbox has neither a password nor a public key.",
        )
    host_key = server.find_host_key()
    logins = [
        *(["its password"] if connection.password is not None else []),
        *(["its private key"] if connection.public_keys else []),
    ]
    return ConnectionCheck(
        code=SUCCEEDED,
        message=f"The partner logs in by SFTP at {server.host} port {server.port} as {user}, with"
        f" {' or '.join(logins)}, puts files into /inbox and fetches from /outbox. The server shows"
        f" the host key {host_key}.",
        host_key=host_key,
    )
