"""Checks a connection without sending a document, and shows the host key to confirm.

Source: transports.md section 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from longshore.domain.partners.connections import SftpConnection
from longshore.domain.partners.host_keys import HostKey
from longshore.domain.partners.model import PartnerId
from longshore.domain.partners.service import PartnerService
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


class ConnectionChecker(Protocol):
    """Connects to a partner's server, logs in, and looks at the folders."""

    async def check(self, connection: SftpConnection) -> ConnectionCheck:
        """Return what came of it; a login is sent to a server with the confirmed key only."""
        ...


class NoCheckError(LongshoreError):
    """The connection is of a type that cannot be checked."""

    def __init__(self, message: str) -> None:
        detail = ErrorDetail(code=ErrorCode.INVALID_STATE, message=message)
        super().__init__(ErrorCode.INVALID_STATE, message, details=(detail,))


class ConnectionCheckService:
    """Checks the stored connections of partners."""

    def __init__(self, partners: PartnerService, checker: ConnectionChecker | None) -> None:
        """Check with ``checker``; None: what it needs is not installed."""
        self._partners = partners
        self._checker = checker

    async def check(
        self, context: RequestContext, partner_id: PartnerId, environment: Environment
    ) -> ConnectionCheck:
        """Check the connection of a partner for one environment.

        Raises:
            PartnerNotFoundError: There is none of this id.
            NoCheckError: The connection is not SFTP, or the installation lacks a package.
        """
        known = await self._partners.get(context, partner_id)
        connection = known.partner.terms.connections.of(environment)
        if not isinstance(connection, SftpConnection):
            raise NoCheckError("Only SFTP connections can be checked without sending a document.")
        if self._checker is None:
            raise NoCheckError(
                "This installation lacks the package for SFTP. Install longshore[sftp] and restart."
            )
        return await self._checker.check(connection)
