"""Checks a connection without sending a document; of SFTP it shows the host key to confirm.

Source: transports.md sections 2 and 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Protocol

from longshore.domain.partners.connections import (
    As2Connection,
    ConnectionType,
    FileServerConnection,
)
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

    async def check(self, connection: FileServerConnection) -> ConnectionCheck:
        """Return what came of it; a login is sent to a server with the confirmed key only."""
        ...


class As2Checker(Protocol):
    """Looks for what an AS2 connection needs, and asks the partner's server for an answer."""

    async def check(self, context: RequestContext, connection: As2Connection) -> ConnectionCheck:
        """Return what came of it for the environment of ``context``; no message is sent."""
        ...


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
    ) -> None:
        """Check file servers with ``checkers``; what a type without one needs is not installed."""
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
        if not isinstance(connection, FileServerConnection):
            raise NoCheckError(
                "Only AS2 and SFTP connections can be checked without sending a document."
            )
        checker = self._checkers.get(connection.type)
        if checker is None:
            raise NoCheckError(
                "This installation lacks the package for SFTP. Install longshore[sftp] and restart."
            )
        return await checker.check(connection)
