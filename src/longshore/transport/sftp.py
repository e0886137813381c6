"""SFTP: an interchange becomes a file in a folder of the partner's server.

Source: transports.md sections 3 and 5.
"""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager

from longshore.domain.delivery.outcome import FailureKind
from longshore.domain.delivery.ports import OutboundMessage, Sent, failed
from longshore.domain.partners.connection_check import SUCCEEDED, ConnectionCheck
from longshore.domain.partners.connections import (
    FileServerConnection,
    SftpConnection,
    missing_secrets,
)
from longshore.domain.partners.status import HOST_KEY_UNCONFIRMED
from longshore.transport.egress import DEADLINE_SECONDS, Egress, EgressError
from longshore.transport.file_delivery import ALL_IS_THERE, check_folders, result_of, send_file
from longshore.transport.remote_files import RemoteFiles


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
        opened = self.open_files(connection)
        return await send_file(opened, connection.upload_dir, message, self._deadline_seconds)

    async def check(self, connection: FileServerConnection) -> ConnectionCheck:
        """Log in, if the host key is confirmed, and look whether the folders are there."""
        assert isinstance(connection, SftpConnection)
        return await result_of(self._check(connection), self._deadline_seconds)

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
                await check_folders(files, connection)
        except ssh.HostKeyChangedError as error:
            return ConnectionCheck(
                code=error.kind.value, message=error.message, host_key=error.shown
            )
        return ConnectionCheck(code=SUCCEEDED, message=ALL_IS_THERE, host_key=shown)

    def open_files(
        self, connection: FileServerConnection
    ) -> AbstractAsyncContextManager[RemoteFiles]:
        """Log in at the server of a connection, and open its files."""
        from longshore.transport.ssh import open_files  # noqa: PLC0415 - slow to import

        assert isinstance(connection, SftpConnection)
        return open_files(self._egress, connection)
