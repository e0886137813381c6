"""SFTP: an interchange becomes a file in a folder of the partner's server.

Source: transports.md sections 3 and 5.
"""

from __future__ import annotations

import asyncio
from typing import Final

from longshore.domain.delivery.outcome import AttemptOutcome, AttemptVerdict, FailureKind
from longshore.domain.delivery.ports import OutboundMessage, Sent, failed
from longshore.domain.partners.connection_check import SUCCEEDED, ConnectionCheck
from longshore.domain.partners.connections import SftpConnection, missing_secrets
from longshore.domain.partners.status import HOST_KEY_UNCONFIRMED
from longshore.transport.egress import DEADLINE_SECONDS, Egress, EgressError
from longshore.transport.remote_files import put_file

BYTES_A_SECOND: Final = 262_144
"""A long file has a second more for each of these."""


class Sftp:
    """Sends to connections of the type ``sftp``, and checks them."""

    def __init__(self, egress: Egress, *, deadline_seconds: float = DEADLINE_SECONDS) -> None:
        self._egress = egress
        self._deadline_seconds = deadline_seconds

    async def send(self, message: OutboundMessage) -> Sent:
        """Store the bytes as a file, whose name is the same in each attempt."""
        connection = message.connection
        assert isinstance(connection, SftpConnection)
        if missing_secrets(connection) or not connection.host_key:
            return failed(FailureKind.NOT_CONFIGURED)
        seconds = self._deadline_seconds + len(message.content) / BYTES_A_SECOND
        try:
            async with asyncio.timeout(seconds):
                await self._put(connection, message)
        except EgressError as error:
            return failed(error.kind, error.message)
        except TimeoutError:
            return failed(FailureKind.TIMED_OUT)
        return Sent(verdict=AttemptVerdict(AttemptOutcome.SUCCEEDED))

    async def check(self, connection: SftpConnection) -> ConnectionCheck:
        """Log in, if the host key is confirmed, and look whether the folders are there."""
        try:
            async with asyncio.timeout(self._deadline_seconds):
                return await self._check(connection)
        except EgressError as error:
            failure = failed(error.kind, error.message)
        except TimeoutError:
            failure = failed(FailureKind.TIMED_OUT)
        return ConnectionCheck(code=str(failure.error_code), message=failure.message)

    async def _check(self, connection: SftpConnection) -> ConnectionCheck:
        from longshore.transport import ssh  # noqa: PLC0415 - slow to import

        if not connection.host_key:
            shown = await ssh.read_host_key(self._egress, connection)
            return ConnectionCheck(
                code=HOST_KEY_UNCONFIRMED,
                message=f"The server shows the host key {shown}. Compare it with what the partner"
                " tells you over another channel, and save it.",
                host_key=shown,
            )
        if missing_secrets(connection):
            raise EgressError(FailureKind.NOT_CONFIGURED)
        try:
            async with ssh.open_files(self._egress, connection) as files:
                shown = files.host_key
                for folder in (connection.upload_dir or ".", connection.download_dir):
                    if folder and await files.find_size(folder) is None:
                        raise EgressError(FailureKind.FOLDER_NOT_FOUND)
        except ssh.HostKeyChangedError as error:
            return ConnectionCheck(
                code=error.kind.value, message=error.message, host_key=error.shown
            )
        return ConnectionCheck(
            code=SUCCEEDED, message="The login works, and the folders are there.", host_key=shown
        )

    async def _put(self, connection: SftpConnection, message: OutboundMessage) -> None:
        from longshore.transport.ssh import open_files  # noqa: PLC0415 - slow to import

        async with open_files(self._egress, connection) as files:
            await put_file(files, connection.upload_dir, message.file_name, message.content)
