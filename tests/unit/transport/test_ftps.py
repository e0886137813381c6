"""FTPS against a server that does what no real one does: transports.md sections 3 and 6."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest

from longshore.domain.delivery.ports import OutboundMessage, Sent
from longshore.domain.inbound.mailboxes import MailboxError, RemoteFile
from longshore.kit.environment import Environment
from longshore.transport import ftp_client, mailboxes
from longshore.transport.egress import Egress, EgressError
from longshore.transport.ftps import Ftps
from longshore.transport.mailboxes import FolderMailboxes
from tests.support.ftps import FtpServer, ftp_server

NAME = "850_000000123_20261127060000.edi"
CONTENT = b"ISA*00*~\nIEA*1*1~\n" * 1_000
EGRESS = Egress(("127.0.0.0/8",))
AT = datetime(2026, 1, 15, 14, 5, 9, tzinfo=UTC)


@pytest.fixture(scope="module")
async def running(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[FtpServer]:
    async with ftp_server(tmp_path_factory.mktemp("ftps")) as server:
        yield server


@pytest.fixture
def server(running: FtpServer) -> FtpServer:
    running.reset()
    return running


async def send(server: FtpServer, **members: object) -> Sent:
    message = OutboundMessage(
        connection=server.connection(**members),
        environment=Environment.SANDBOX,
        content=CONTENT,
        message_id="0a1b",
        file_name=NAME,
    )
    return await Ftps(EGRESS, deadline_seconds=10).send(message)


async def list_files(server: FtpServer) -> list[RemoteFile]:
    connection = server.connection(download_dir="out", pattern="*.edi")
    async with FolderMailboxes(Ftps(EGRESS).open_files).open(connection) as mailbox:
        return [*await mailbox.list_files()]


async def code_of_listing(server: FtpServer) -> str:
    with pytest.raises(MailboxError) as failed:
        await list_files(server)
    return failed.value.kind.value


async def test_a_document_is_stored_under_its_name_after_it_is_complete(server: FtpServer) -> None:
    assert (await send(server)).error_code is None
    assert server.files == {f"in/{NAME}": CONTENT}
    first = ["AUTH", "USER", "PASS", "PBSZ", "PROT", "TYPE", "FEAT", "PWD"]
    put = ["SIZE", "EPSV", "STOR", "SIZE", "SIZE", "RNFR", "RNTO", "QUIT"]
    assert server.commands == [*first, *put]


async def test_an_answer_that_names_another_host_leads_to_the_checked_address(
    server: FtpServer,
) -> None:
    server.answers["EPSV"] = "500 what"
    assert (await send(server)).error_code is None
    assert (server.files, server.data_peers) == ({f"in/{NAME}": CONTENT}, 1)


@pytest.mark.parametrize(
    ("answers", "code"),
    [
        ({"AUTH": "502 no"}, "answer_invalid"),
        ({"PROT": "534 no"}, "answer_invalid"),
        ({"EPSV": "229 here (|||22|)"}, "answer_invalid"),
        ({"EPSV": "229 here (|||65536|)"}, "answer_invalid"),
        ({"EPSV": "530 no"}, "authentication_failed"),
        ({"FEAT": "\r\n".join(["211-have"] * 300)}, "answer_invalid"),
        ({"SIZE": "213 many"}, "answer_invalid"),
        ({"PASS": "530 no"}, "authentication_failed"),
        ({"USER": "421 later"}, "connection_lost"),
        ({"STOR": "226 done already"}, "answer_invalid"),
        ({"STOR": "553 no"}, "permission_denied"),
        ({"STOR": "553 no", "CWD": "550 no"}, "folder_not_found"),
        ({"STOR": "452 no room"}, "transfer_failed"),
        ({"RNFR": "550 no"}, "permission_denied"),
        ({"PWD": ""}, "connection_lost"),
    ],
)
async def test_an_answer_of_the_server_has_its_code(
    server: FtpServer, answers: dict[str, str], code: str
) -> None:
    server.answers.update(answers)
    assert (await send(server)).error_code == code
    assert f"in/{NAME}" not in server.files
    is_encrypted = not {"AUTH", "PROT"} & answers.keys()
    assert ("SIZE" in server.commands) <= is_encrypted


async def test_without_encryption_no_login_is_sent(server: FtpServer) -> None:
    server.answers["AUTH"] = "502 no"
    sent = await send(server)
    assert sent.message == (
        "The server does not encrypt the connection, or not its data (AUTH TLS, PROT P). Nothing"
        " was sent."
    )
    assert server.commands == ["AUTH"]


async def test_a_data_connection_with_another_certificate_gets_nothing(server: FtpServer) -> None:
    server.fault = "other certificate"
    sent = await send(server)
    assert (sent.error_code, server.data_peers) == ("certificate_invalid", 1)
    assert f"in/.{NAME}.tmp" not in server.files or server.files[f"in/.{NAME}.tmp"] == b""


@pytest.mark.parametrize("fault", ["cut in upload", "cut after upload", "cut after rename"])
async def test_a_connection_that_breaks_leaves_no_file_twice(server: FtpServer, fault: str) -> None:
    server.fault = fault
    assert (await send(server)).error_code == "connection_lost"
    assert (f"in/{NAME}" in server.files) == (fault == "cut after rename")
    server.fault = ""
    server.commands.clear()
    assert (await send(server)).error_code is None
    assert server.files == {f"in/{NAME}": CONTENT}
    assert ("STOR" in server.commands) == (fault != "cut after rename")


async def test_what_a_refused_file_left_behind_is_removed(server: FtpServer) -> None:
    server.fault = "full"
    assert (await send(server)).error_code == "transfer_failed"
    assert server.files == {}


async def test_a_file_that_is_there_is_not_replaced_by_renaming(server: FtpServer) -> None:
    server.files[f"in/{NAME}"] = b"other"
    assert (await send(server)).error_code == "file_exists"
    async with Ftps(EGRESS).open_files(server.connection()) as files:
        with pytest.raises(EgressError, match=r"^file_exists$"):
            await files.rename("in/a", f"in/{NAME}")
    assert server.files == {f"in/{NAME}": b"other"}


async def test_a_server_that_does_not_answer_ends_with_the_deadline(server: FtpServer) -> None:
    async def wait(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    silent = await asyncio.start_server(wait, "127.0.0.1", 0)
    async with silent:
        connection = server.connection(port=silent.sockets[0].getsockname()[1])
        found = await Ftps(EGRESS, deadline_seconds=0.1).check(connection)
    assert found.code == "timed_out"


async def test_an_endless_listing_is_cut_and_its_first_names_are_read(
    server: FtpServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ftp_client, "_MAX_LISTING_BYTES", 100_000)
    monkeypatch.setattr(mailboxes, "MAX_LISTED", 5)
    server.fault = "endless listing"
    assert await list_files(server) == [RemoteFile(name="a.edi", size=1, modified_at=AT)] * 5


async def test_hostile_names_and_what_is_no_file_are_passed_over(server: FtpServer) -> None:
    lines = (
        "type=cdir;modify=20260115140509; .",
        "type=dir; folder.edi",
        "type=OS.unix=slink:/etc/passwd;size=1; link.edi",
        "type=file;size=3;modify=20260115140509.123; a.edi",
        "Type=file;Size=3; b.edi",
        *(f"type=file;size=3; {each}" for each in ("../c.edi", ".d.edi", "e\x1b.edi", "f.edi.tmp")),
    )
    server.listing = "\r\n".join((*lines, "")).encode() + b"type=file;size=3; \xff.edi\r\n"
    found = await list_files(server)
    assert [(each.name, each.size, each.modified_at.year) for each in found] == [
        *(("a.edi", 3, 2026), ("b.edi", 3, 2100)),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "a.edi",
        "type=file;size=x; a.edi",
        "type=file; a.edi",
        "type=file;size=1;modify=20261301000000; a.edi",
    ],
)
async def test_a_listing_that_is_none_is_a_failure(server: FtpServer, line: str) -> None:
    server.listing = f"{line}\r\n".encode()
    assert await code_of_listing(server) == "answer_invalid"


async def test_a_listing_as_unix_writes_it_is_read(
    server: FtpServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.answers["FEAT"] = "500 what"
    server.listing = (
        b"total 8\r\n"
        b"drwxr-xr-x    2 1000     1000         4096 Jan 15 14:05 folder.edi\r\n"
        b"lrwxrwxrwx    1 1000     1000           11 Jan 15 14:05 link.edi -> /etc/passwd\r\n"
        b"-rw-r--r--    1 1000     1000            3 Jan 15  2026 a.edi\r\n"
        b"-rw-r--r--    1 1000     1000            4 Jan 15 14:05  b c.edi\r\n"
    )
    server.files = {"out/a.edi": b"ISA", "out/ b c.edi": b"ISA*"}
    expected = [
        RemoteFile(name=name, size=size, modified_at=AT)
        for name, size in (("a.edi", 3), (" b c.edi", 4))
    ]
    assert await list_files(server) == expected
    monkeypatch.setattr(ftp_client, "_MAX_TIMES", 1)
    assert await list_files(server) == expected[:1]
    server.answers["MDTM"] = "500 what"
    assert [each.modified_at.year for each in await list_files(server)] == [2100]
    server.listing = b"01-15-26  02:05PM                    3 a.edi\r\n"
    assert await code_of_listing(server) == "answer_invalid"


async def test_a_file_that_changed_since_it_was_listed_waits(server: FtpServer) -> None:
    server.files["out/a.edi"] = b"ISA"
    file = RemoteFile(name="a.edi", size=3, modified_at=AT)
    connection = server.connection(download_dir="out")
    for answers in ({}, {"FEAT": "500 what"}):
        server.answers = dict(answers)
        async with FolderMailboxes(Ftps(EGRESS).open_files).open(connection) as mailbox:
            assert await mailbox.fetch(file) == b"ISA"
            server.files["out/a.edi"] = b"ISA*"
            assert await mailbox.fetch(file) is None
            del server.files["out/a.edi"]
            assert await mailbox.fetch(file) is None
            server.files["out/a.edi"] = b"ISA"


async def test_an_answer_about_a_file_without_facts_is_a_failure(server: FtpServer) -> None:
    server.answers["MLST"] = "250 nothing"
    async with Ftps(EGRESS).open_files(server.connection()) as files:
        with pytest.raises(EgressError, match=r"^What the server answered is not FTPS\.$"):
            await files.find_regular("out/a.edi")
