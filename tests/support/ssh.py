"""An SFTP server in this process, whose folder a test looks into and whose faults it chooses."""

import os
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import asyncssh

from longshore.domain.partners.connections import SftpConnection

PASSWORD = "hush-word"
CLIENT_KEY = asyncssh.generate_private_key("ssh-ed25519")
HOST_KEY = asyncssh.generate_private_key("ssh-ed25519")
OTHER_HOST_KEY = asyncssh.generate_private_key("ecdsa-sha2-nistp256")


def key_text(key: asyncssh.SSHKey) -> str:
    """Return the public key as ``host_key`` of a connection has it."""
    return " ".join(key.export_public_key("openssh").decode().split()[:2])


@dataclass
class SshServer:
    """A running server, and what it saw."""

    folder: Path
    port: int = 0
    breaks_at: str = ""
    """The request at which it closes the connection: ``write``, ``rename``, ``renamed``."""
    logins: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def connection(self, **members: object) -> SftpConnection:
        """Return a connection to it that works, but for ``members``."""
        usual: dict[str, object] = {
            "host": "127.0.0.1",
            "port": self.port,
            "user": "us",
            "password": PASSWORD,
            "host_key": key_text(HOST_KEY),
            "upload_dir": "/in",
        }
        return SftpConnection(**{**usual, **members})  # type: ignore[arg-type]  # each as its field

    def files(self) -> dict[str, bytes]:
        """Return the files of the folder ``in``, by their names."""
        return {each.name: each.read_bytes() for each in (self.folder / "in").iterdir()}

    def reset(self) -> None:
        """Make it what it was at the start."""
        self.breaks_at = ""
        self.logins.clear()
        self.requests.clear()
        for each in (self.folder / "in").iterdir():
            each.unlink()


class _Logins(asyncssh.SSHServer):
    def __init__(self, server: SshServer) -> None:
        self._server = server

    def password_auth_supported(self) -> bool:
        return True

    def validate_password(self, username: str, password: str) -> bool:
        self._server.logins.append(f"{username} by password")
        return (username, password) == ("us", PASSWORD)

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        self._server.logins.append(f"{username} by key")
        return key.public_data == CLIENT_KEY.public_data


class _Files(asyncssh.SFTPServer):
    def __init__(self, chan: asyncssh.SSHServerChannel[bytes], server: SshServer) -> None:
        self._server = server
        super().__init__(chan, chroot=str(server.folder).encode())

    def _note(self, request: str) -> None:
        self._server.requests.append(request)
        if self._server.breaks_at == request:
            self.channel.get_connection().abort()

    def write(self, file_obj: object, offset: int, data: bytes) -> int | Awaitable[int]:
        self._note("write")
        return super().write(file_obj, offset, data)

    def rename(self, oldpath: bytes, newpath: bytes) -> None:
        self._note("rename")
        if self._server.breaks_at != "rename":
            super().rename(oldpath, newpath)
        self._note("renamed")

    def stat(
        self, path: bytes
    ) -> os.stat_result | asyncssh.SFTPAttrs | Awaitable[os.stat_result | asyncssh.SFTPAttrs]:
        if path.endswith(b"forbidden.edi"):
            raise asyncssh.SFTPPermissionDenied("No.")
        return super().stat(path)


@asynccontextmanager
async def ssh_server(folder: Path) -> AsyncIterator[SshServer]:
    """Run a server on a free port of loopback."""
    (folder / "in").mkdir()
    server = SshServer(folder)
    acceptor = await asyncssh.listen(
        "127.0.0.1",
        0,
        server_factory=lambda: _Logins(server),
        server_host_keys=[HOST_KEY, OTHER_HOST_KEY],
        sftp_factory=lambda chan: _Files(chan, server),
    )
    server.port = acceptor.get_port()
    try:
        yield server
    finally:
        acceptor.close()
        await acceptor.wait_closed()
