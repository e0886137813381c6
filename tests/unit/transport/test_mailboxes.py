"""Fetching by SFTP, against a server in this process: transports.md section 3."""

import os
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest

from longshore.domain.inbound.mailboxes import MailboxError, RemoteFile
from longshore.domain.interchanges.store import ReceiptId
from longshore.domain.partners.connections import AfterDownload
from longshore.transport import mailboxes
from longshore.transport.egress import Egress
from longshore.transport.mailboxes import FolderMailboxes, is_fetched
from longshore.transport.sftp import Sftp
from tests.support.ssh import SshServer, ssh_server

AT = datetime(2026, 1, 15, 14, 5, 9, tzinfo=UTC)
ONE = ReceiptId(1)


@pytest.fixture(scope="module")
async def running(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[SshServer]:
    async with ssh_server(tmp_path_factory.mktemp("ssh")) as server:
        yield server


@pytest.fixture
def server(running: SshServer) -> SshServer:
    running.reset()
    return running


def opener(**changes: float) -> FolderMailboxes:
    return FolderMailboxes(Sftp(Egress(("127.0.0.0/8",))).open_files, **changes)


def put(server: SshServer, name: str, content: bytes = b"ISA") -> RemoteFile:
    path = server.folder / "in" / name
    path.write_bytes(content)
    os.utime(path, (AT.timestamp(), AT.timestamp()))
    return RemoteFile(name=name, size=len(content), modified_at=AT)


async def test_regular_files_that_fit_are_listed_and_nothing_else(server: SshServer) -> None:
    folder = server.folder / "in"
    wanted = {put(server, "a.edi"), put(server, "é b.edi", b"")}
    for name in ("b.txt", ".c.edi", "d.edi.tmp", "e.edi.PART", "tab\t.edi"):
        put(server, name)
    put(server, os.fsdecode(b"\xff.edi"))
    (folder / "link.edi").symlink_to(folder / "a.edi")
    (folder / "folder.edi").mkdir()
    connection = server.connection(download_dir="/in", pattern="*.edi*")
    async with opener().open(connection) as mailbox:
        assert {*await mailbox.list_files()} == wanted
    (folder / "folder.edi").rmdir()


async def test_of_a_long_list_the_first_names_are_read(
    server: SshServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(9):
        put(server, f"{number}.edi")
    monkeypatch.setattr(mailboxes, "MAX_LISTED", 5)
    async with opener().open(server.connection(download_dir="in")) as mailbox:
        assert len(await mailbox.list_files()) <= 5


async def test_a_file_is_fetched_whole_or_not_at_all(server: SshServer) -> None:
    content = bytes(range(256)) * 4_000
    file = put(server, "a.edi", content)
    async with opener().open(server.connection(download_dir="/in")) as mailbox:
        assert await mailbox.fetch(file) == content
        put(server, "a.edi", content + b"more")
        assert await mailbox.fetch(file) is None
        os.utime(server.folder / "in" / "a.edi", (1, 1))
        assert await mailbox.fetch(file) is None
        (server.folder / "in" / "a.edi").unlink()
        (server.folder / "in" / "a.edi").symlink_to(server.folder / "in" / "b.edi")
        put(server, "b.edi", content)
        assert await mailbox.fetch(file) is None
        (server.folder / "in" / "a.edi").unlink()
        assert await mailbox.fetch(file) is None


async def test_a_file_is_archived_under_a_name_that_is_free_or_deleted(server: SshServer) -> None:
    connection = server.connection(download_dir="/in")
    async with opener().open(connection) as mailbox:
        for receipt_id in (1, 2):
            await mailbox.put_away(put(server, "a.edi"), ReceiptId(receipt_id))
    archive = server.folder / "in" / "archive"
    assert {each.name for each in archive.iterdir()} == {"a.edi", "a.edi.2"}
    for each in archive.iterdir():
        each.unlink()
    archive.rmdir()
    deleting = server.connection(download_dir="/in", after_download=AfterDownload.DELETE)
    async with opener().open(deleting) as mailbox:
        await mailbox.put_away(put(server, "a.edi"), ONE)
    assert server.files() == {}


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"password": None}, "not_configured"),
        ({"password": "wrong"}, "authentication_failed"),
        ({"host_key": "SHA256:x"}, "host_key_changed"),
        ({"download_dir": "/elsewhere"}, "folder_not_found"),
    ],
)
async def test_a_mailbox_that_cannot_be_read_says_why(
    server: SshServer, members: dict[str, object], code: str
) -> None:
    with pytest.raises(MailboxError) as failed:
        async with opener().open(
            server.connection(**{"download_dir": "/in", **members})
        ) as mailbox:
            await mailbox.list_files()
    assert failed.value.kind.value == code


async def test_a_poll_ends_with_its_deadline(server: SshServer) -> None:
    with pytest.raises(MailboxError) as late:
        async with opener(deadline_seconds=0).open(server.connection(download_dir="/in")):
            raise AssertionError("it is open")
    assert late.value.kind.value == "timed_out"


@pytest.mark.parametrize(
    ("name", "is_it"),
    [
        ("a.edi", True),
        ("../a.edi", False),
        ("a\\b.edi", False),
        ("a\n.edi", False),
        ("a\u202e.edi", False),
        (".edi", False),
        ("x" * 256 + ".edi", False),
        ("a.EDI", False),
        ("a.edi.filepart", False),
    ],
    ids=["good", "up", "backslash", "line", "mark", "hidden", "long", "case", "partial"],
)
def test_a_hostile_or_partial_name_is_passed_over(name: str, is_it: object) -> None:
    assert is_fetched(name, "*.edi") is is_it
