"""SFTP against OpenSSH's own sshd: it takes what we send, and its keys are those we pin."""

import getpass
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from longshore.domain.delivery.ports import OutboundMessage
from longshore.domain.interchanges.store import ReceiptId
from longshore.domain.partners.connections import SftpConnection
from longshore.kit.environment import Environment
from longshore.transport.egress import Egress
from longshore.transport.mailboxes import FolderMailboxes
from longshore.transport.sftp import Sftp

SSHD = shutil.which("sshd", path="/usr/sbin:/usr/local/sbin:/usr/bin")
KINDS = ("ed25519", "ecdsa", "rsa")
NAME = "850_000000123_20261127060000.edi"

pytestmark = [
    pytest.mark.full("runs sshd"),
    pytest.mark.skipif(SSHD is None, reason="there is no sshd: install openssh-server"),
]


@dataclass(frozen=True, kw_only=True)
class Sshd:
    """A running sshd, whose user is the one that runs the tests."""

    folder: Path
    port: int

    def public_key(self, kind: str) -> str:
        """Return a host key as ``host_key`` of a connection has it."""
        text = (self.folder / f"host_{kind}.pub").read_text(encoding="utf-8")
        return " ".join(text.split()[:2])

    def fingerprint(self, kind: str) -> str:
        """Return what ssh-keygen says of a host key."""
        command = ["ssh-keygen", "-l", "-f", str(self.folder / f"host_{kind}.pub")]
        return subprocess.run(command, capture_output=True, check=True, text=True).stdout.split()[1]

    def connection(self, host_key: str) -> SftpConnection:
        """Return a connection that logs in with a key."""
        return SftpConnection(
            host="127.0.0.1",
            port=self.port,
            user=getpass.getuser(),
            private_key=(self.folder / "client").read_text(encoding="utf-8"),
            host_key=host_key,
            upload_dir=str(self.folder / "in"),
        )


@pytest.fixture(scope="module")
def sshd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sshd]:
    folder = tmp_path_factory.mktemp("sshd")
    (folder / "in").mkdir()
    for name, kind in [*((f"host_{each}", each) for each in KINDS), ("client", "ed25519")]:
        command = ["ssh-keygen", "-q", "-t", kind, "-N", "", "-f", str(folder / name)]
        subprocess.run(command, check=True)
    shutil.copy(folder / "client.pub", folder / "authorized")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (folder / "config").write_text(
        "".join(
            f"{line}\n"
            for line in (
                f"Port {port}",
                "ListenAddress 127.0.0.1",
                *(f"HostKey {folder}/host_{kind}" for kind in KINDS),
                f"AuthorizedKeysFile {folder}/authorized",
                "StrictModes no",
                "PermitRootLogin yes",
                "PidFile none",
                "Subsystem sftp internal-sftp",
            )
        ),
        encoding="utf-8",
    )
    if getpass.getuser() == "root":
        Path("/run/sshd").mkdir(exist_ok=True)
    assert SSHD is not None
    command = [SSHD, "-D", "-e", "-f", str(folder / "config")]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as running:
        try:
            _wait_for(port)
            yield Sshd(folder=folder, port=port)
        finally:
            running.terminate()


def _wait_for(port: int) -> None:
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("sshd does not listen")


async def send(connection: SftpConnection, content: bytes) -> str | None:
    message = OutboundMessage(
        connection=connection,
        environment=Environment.SANDBOX,
        content=content,
        message_id="0a1b",
        file_name=NAME,
    )
    return (await Sftp(Egress(("127.0.0.0/8",))).send(message)).error_code


async def test_sshd_takes_a_file_once_and_its_content_is_ours(sshd: Sshd) -> None:
    content = bytes(range(256)) * 4_000
    connection = sshd.connection(sshd.public_key("ed25519"))
    assert [await send(connection, each) for each in (content, content, content[1:])] == [
        *(None, None, "file_exists"),
    ]
    assert {each.name: each.read_bytes() for each in (sshd.folder / "in").iterdir()} == {
        NAME: content
    }


@pytest.mark.parametrize("kind", KINDS)
async def test_each_kind_of_host_key_can_be_pinned(sshd: Sshd, kind: str) -> None:
    check = await Sftp(Egress(("127.0.0.0/8",))).check(sshd.connection(sshd.public_key(kind)))
    assert check.host_key is not None
    assert (check.code, check.host_key.text) == ("succeeded", sshd.public_key(kind))
    assert check.host_key.fingerprint == sshd.fingerprint(kind)


async def test_files_are_fetched_from_sshd_and_put_into_its_archive(sshd: Sshd) -> None:
    folder = sshd.folder / "out"
    folder.mkdir()
    content = bytes(range(256)) * 4_000
    (folder / "a.edi").write_bytes(content)
    (folder / "link.edi").symlink_to(folder / "a.edi")
    connection = replace(sshd.connection(sshd.public_key("rsa")), download_dir=str(folder))
    async with FolderMailboxes(Sftp(Egress(("127.0.0.0/8",))).open_files).open(
        connection
    ) as mailbox:
        (file,) = await mailbox.list_files()
        assert (file.name, await mailbox.fetch(file)) == ("a.edi", content)
        await mailbox.put_away(file, ReceiptId(1))
    assert (folder / "archive" / "a.edi").read_bytes() == content
    assert not (folder / "a.edi").exists()
