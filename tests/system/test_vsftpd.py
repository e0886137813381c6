"""FTPS against vsftpd as Debian has it: it takes what we send, and we fetch what it has."""

import asyncio
import ssl
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from longshore.domain.delivery.ports import OutboundMessage
from longshore.domain.inbound.mailboxes import MailboxError
from longshore.domain.interchanges.store import ReceiptId
from longshore.domain.partners.connections import AfterDownload, FtpsConnection
from longshore.kit.environment import Environment
from longshore.transport.egress import Egress
from longshore.transport.ftps import Ftps
from longshore.transport.mailboxes import FolderMailboxes
from tests.support.vsftpd import VSFTPD, Vsftpd, vsftpd

NAME = "850_000000123_20261127060000.edi"
CONTENT = bytes(range(256)) * 4_000
EGRESS = Egress(("127.0.0.0/8",))
ALL_IS_THERE = "The login works, and the folders are there."

pytestmark = [
    pytest.mark.full("runs vsftpd"),
    pytest.mark.skipif(VSFTPD is None, reason="there is no vsftpd: install it"),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Vsftpd]:
    with vsftpd(tmp_path_factory.mktemp("vsftpd")) as running:
        yield running


async def send(connection: FtpsConnection, content: bytes = CONTENT) -> str | None:
    message = OutboundMessage(
        connection=connection,
        environment=Environment.SANDBOX,
        content=content,
        message_id="0a1b",
        file_name=NAME,
    )
    return (await Ftps(EGRESS).send(message)).error_code


def files_in(folder: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}


async def test_a_file_is_stored_once_and_never_overwritten(server: Vsftpd) -> None:
    connection = server.connection()
    sent = [await send(connection, each) for each in (CONTENT, CONTENT, CONTENT[1:])]
    assert sent == [None, None, "file_exists"]
    assert files_in(server.folder / "in") == {NAME: CONTENT}


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"password": "wrong"}, "authentication_failed"),
        ({"password": "two\nlines"}, "answer_invalid"),
        ({"password": None}, "not_configured"),
        ({"upload_dir": "/elsewhere"}, "folder_not_found"),
        ({"certificate": ""}, "certificate_invalid"),
        ({"certificate": "00" * 32}, "certificate_invalid"),
        ({"host": "10.0.0.7"}, "address_refused"),
        ({"port": 20}, "address_refused"),
        ({"port": 1024}, "connection_refused"),
    ],
)
async def test_a_failure_has_its_code(
    server: Vsftpd, members: dict[str, object], code: str
) -> None:
    connection = server.connection(**members)
    assert await send(connection) == code
    assert (await Ftps(EGRESS).check(connection)).code == code


async def test_a_check_shows_the_certificate_that_nobody_has_confirmed(server: Vsftpd) -> None:
    unknown = await Ftps(EGRESS).check(server.connection(certificate=""))
    assert (unknown.code, unknown.fingerprint) == ("certificate_invalid", server.fingerprint)
    assert unknown.message == (
        "The system does not trust the certificate of the server for this name. Nothing was sent."
        f" The server shows the certificate with the SHA-256 fingerprint {server.fingerprint}."
        " Compare it with what the partner tells you over another channel, and save it."
    )
    plain = server.fingerprint.replace(":", "").lower()
    for pinned in (server.fingerprint, plain):
        confirmed = await Ftps(EGRESS).check(server.connection(certificate=pinned))
        assert (confirmed.code, confirmed.message) == ("succeeded", ALL_IS_THERE)
        assert confirmed.certificate == server.fingerprint


async def test_a_certificate_that_is_trusted_for_its_name_needs_no_confirmation(
    server: Vsftpd,
) -> None:
    trust = ssl.create_default_context(cafile=str(server.folder.parent / "server.pem"))
    found = await Ftps(EGRESS, trust=trust).check(server.connection(certificate=""))
    assert (found.code, found.certificate) == ("succeeded", server.fingerprint)


async def test_files_are_fetched_and_put_into_the_archive(server: Vsftpd) -> None:
    folder = server.folder / "out"
    (folder / "é b.edi").write_bytes(CONTENT)
    (folder / "c.txt").write_bytes(b"ISA")
    (folder / "folder.edi").mkdir()
    (folder / "link.edi").symlink_to(folder / "é b.edi")
    connection = server.connection(download_dir=f"{server.folder}/out", pattern="*.edi")
    mailboxes = FolderMailboxes(Ftps(EGRESS).open_files)
    async with mailboxes.open(connection) as mailbox:
        (file,) = await mailbox.list_files()
        modified = datetime.fromtimestamp(int((folder / file.name).stat().st_mtime), UTC)
        assert (file.name, file.size, file.modified_at) == ("é b.edi", len(CONTENT), modified)
        assert await mailbox.fetch(replace(file, size=3)) is None
        assert await mailbox.fetch(file) == CONTENT
        await mailbox.put_away(file, ReceiptId(1))
        (folder / file.name).write_bytes(b"again")
        await mailbox.put_away(file, ReceiptId(2))
        assert await mailbox.fetch(file) is None
    assert files_in(folder / "archive") == {"é b.edi": CONTENT, "é b.edi.2": b"again"}
    deleting = replace(connection, pattern="c.*", after_download=AfterDownload.DELETE)
    async with mailboxes.open(deleting) as mailbox:
        (file,) = await mailbox.list_files()
        await mailbox.put_away(file, ReceiptId(3))
    assert not (folder / "c.txt").exists()


async def test_a_folder_that_is_not_there_is_no_empty_mailbox(server: Vsftpd) -> None:
    mailboxes = FolderMailboxes(Ftps(EGRESS).open_files)
    with pytest.raises(MailboxError) as failed:
        async with mailboxes.open(server.connection(download_dir="/elsewhere")) as mailbox:
            await mailbox.list_files()
    assert failed.value.kind.value == "folder_not_found"


async def test_several_files_at_once_have_connections_of_their_own(server: Vsftpd) -> None:
    codes = await asyncio.gather(*(send(server.connection(upload_dir="in")) for _ in range(3)))
    assert set(codes) <= {None, "transfer_failed", "permission_denied"}
    assert files_in(server.folder / "in")[NAME] == CONTENT
