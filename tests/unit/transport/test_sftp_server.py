"""Our SFTP server against clients that are not what they should be."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import cast

import asyncssh
import pytest

from longshore.domain.delivery.model import OutboxId
from longshore.domain.mailboxes.inbox import Inbox
from longshore.domain.mailboxes.logins import MailboxLogins, PartnerMailbox
from longshore.domain.mailboxes.outbox import MailboxOutbox, WaitingFile
from longshore.domain.partners.connections import MailboxConnection
from longshore.domain.partners.model import PartnerId
from longshore.domain.ports import AccountId
from longshore.kit.environment import Environment
from longshore.transport import sftp_folders
from longshore.transport.sftp_server import ServerLimits, ServerPorts, SftpServer
from tests.support.clock import START

MAILBOX = PartnerMailbox(
    account_id=AccountId(1),
    partner_id=PartnerId(1),
    environment=Environment.SANDBOX,
    connection=MailboxConnection(password="x"),
)
OUTSIDE = ("../x.edi", "/x.edi", "/inbox/../../x.edi", "/inbox/a/b.edi", "/other/x.edi")
BAD_NAMES = ("/inbox/" + "n" * 256, "/inbox/a\\b", "/inbox/a\nb", "/inbox/" + "p" * 1_100)


@dataclass
class Stub:
    """Lets anybody in, stores in memory, and fails as a test says."""

    stored: dict[str, bytes] = field(default_factory=dict)
    fault: Exception | None = None
    waiting: dict[WaitingFile, bytes] = field(default_factory=dict)

    async def list_files(self, mailbox: PartnerMailbox) -> tuple[WaitingFile, ...]:
        del mailbox
        return tuple(self.waiting)

    async def read(self, mailbox: PartnerMailbox, file: WaitingFile) -> bytes | None:
        del mailbox
        return self.waiting.get(file)

    async def deliver(self, mailbox: PartnerMailbox, file: WaitingFile) -> bool:
        del mailbox
        return self.waiting.pop(file, None) is not None

    async def find(self, user: str, ip: str) -> PartnerMailbox | None:
        del ip
        return MAILBOX if user == "us" else None

    async def is_still_open(self, mailbox: PartnerMailbox, ip: str) -> bool:
        del mailbox, ip
        return True

    async def check_password(
        self, mailbox: PartnerMailbox | None, user: str, password: str, ip: str
    ) -> bool:
        del user, ip
        return mailbox is not None and password == "right"

    async def record_login(self, mailbox: PartnerMailbox, ip: str, method: str) -> None:
        assert (mailbox, ip, method) == (MAILBOX, "127.0.0.1", "password")

    async def record_refusal(self, mailbox: PartnerMailbox, ip: str) -> None:
        raise ValueError((mailbox, ip))

    async def store(self, mailbox: PartnerMailbox, name: str, content: bytes) -> None:
        assert mailbox == MAILBOX
        if self.fault is not None:
            raise self.fault
        self.stored[name] = content


@dataclass
class Running:
    """A running server."""

    stub: Stub
    port: int

    @asynccontextmanager
    async def connect(self, **options: object) -> AsyncIterator[asyncssh.SSHClientConnection]:
        usual: dict[str, object] = {"username": "us", "password": "right", "client_keys": None}
        usual |= {"known_hosts": None, "config": None, "agent_path": None, **options}
        async with asyncssh.connect("127.0.0.1", self.port, **usual) as connection:
            yield connection

    @asynccontextmanager
    async def files(self) -> AsyncIterator[asyncssh.SFTPClient]:
        async with self.connect() as connection, connection.start_sftp_client() as client:
            yield client


@asynccontextmanager
async def running(limits: ServerLimits | None = None) -> AsyncIterator[Running]:
    stub = Stub()
    ports = ServerPorts(
        logins=cast("MailboxLogins", stub),
        inbox=cast("Inbox", stub),
        outbox=cast("MailboxOutbox", stub),
        on_received=lambda: None,
    )
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)  # noqa: FBT003 - the standard library's signature
        port = listener.getsockname()[1]
        server = SftpServer(ports, bytes(32), limits)
        await server.start(listener)
        try:
            yield Running(stub, port)
        finally:
            await server.stop()


async def put(files: asyncssh.SFTPClient, path: str, content: bytes = b"1") -> None:
    async with files.open(path, "wb") as file:
        await file.write(content)


async def refusal(work: object) -> str:
    with pytest.raises(asyncssh.SFTPError) as error:
        await work  # type: ignore[misc]  # a coroutine
    return error.value.reason


async def test_nothing_leads_out_of_the_folder() -> None:
    async with running() as server, server.files() as files:
        only = "Files are put into the folder /inbox, which has no other folders in it."
        assert {await refusal(put(files, each)) for each in OUTSIDE} == {only}
        found = [await refusal(put(files, each)) for each in BAD_NAMES]
        name = "A name has at most 255 printable characters, no backslash."
        assert found == [*[name] * 3, "A path has at most 1024 bytes."]
        assert await refusal(put(files, b"/inbox/\xff")) == "A path is UTF-8."  # type: ignore[arg-type]  # not a text
        assert await files.realpath("../../etc/passwd") == "/etc/passwd"
        for path in ("/etc/passwd", "/inbox/none.edi"):
            await refusal(files.stat(path))
        no_links = "There are no links."
        assert await refusal(files.symlink("/etc/passwd", "/inbox/a.edi")) == no_links
        assert await refusal(files.readlink("/inbox")) == no_links
        fixed = "The folders of a mailbox cannot be changed."
        assert await refusal(files.mkdir("/inbox/a")) == fixed
        assert await refusal(files.rmdir("/inbox")) == fixed
        assert server.stub.stored == {}


async def test_there_is_sftp_and_nothing_else() -> None:
    async with running() as server, server.connect() as connection:
        for options in ({"command": "id"}, {}, {"subsystem": "netconf"}, {"command": "scp -t /"}):
            with pytest.raises(asyncssh.ChannelOpenError):
                await connection.create_process(**options)
        with pytest.raises(asyncssh.ChannelOpenError):
            await connection.open_connection("127.0.0.1", server.port)
        with pytest.raises(asyncssh.ChannelListenError):
            await connection.forward_remote_port("", 0, "127.0.0.1", 9)


async def test_a_file_with_a_gap_is_refused() -> None:
    async with running(ServerLimits(held_bytes=100)) as server, server.files() as files:
        gap = "A file is written from its beginning on, without gaps."
        file = await files.open("/inbox/g.edi", "wb")
        assert await refusal(file.write(b"1", 1)) == gap
        assert await refusal(file.close()) == "The file did not arrive whole."
        assert server.stub.stored == {}


async def test_files_are_kept_as_they_are_written_and_not_read() -> None:
    async with running(ServerLimits(held_bytes=100)) as server, server.files() as files:
        file = await files.open("/inbox/a.tmp", "wb")
        await file.write(b"12345")
        await file.write(b"x", 2)
        assert (await file.stat()).size == 5
        other = await files.open("/inbox/o.tmp", "wb")
        much = "Too much is being received. Try again later."
        assert await refusal(other.write(b"1" * 96)) == much
        await other.close()
        found = await refusal(files.rename("/inbox/o.tmp", "/inbox/o.edi"))
        assert found == "The file did not arrive whole."
        assert await refusal(put(files, "/inbox/a.tmp")) == "The file is being written."
        await file.close()
        only = "Files in /inbox can be written only."
        assert await refusal(files.open("/inbox/a.tmp", "rb")) == only
        assert await refusal(files.open("/inbox/b.tmp", "rb")) == "There is no such file."
        assert await refusal(files.open("/inbox/b.tmp", "r+b")) == "There is no such file."
        fixed = "Files cannot be cut or extended."
        assert await refusal(files.truncate("/inbox/a.tmp", 1)) == fixed
        await files.utime("/inbox/a.tmp", (1, 1))
        await files.rename("/inbox/a.tmp", "/inbox/a.edi")
        assert await refusal(put(files, "/inbox/e.edi", b"")) == "The file is empty."
        await put(files, "/inbox/b.edi", b"1" * 100)
        assert server.stub.stored == {"a.edi": b"12x45", "b.edi": b"1" * 100}


async def test_a_file_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sftp_folders, "MAX_FILE_BYTES", 1024 * 1024)
    async with running() as server, server.files() as files:
        file = await files.open("/inbox/a.edi", "wb")
        await file.write(bytes(1024 * 1024))
        assert await refusal(file.write(b"1")) == "A file has at most 1 MiB."
        assert await refusal(file.close()) == "The file did not arrive whole."
        assert server.stub.stored == {}


async def test_handles_and_names_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sftp_folders, "MAX_REMEMBERED", 20)
    async with running() as server, server.files() as files:
        opened = [await files.open(f"/inbox/{number}.tmp", "wb") for number in range(16)]
        most = "At most 16 files and folders can be open."
        assert await refusal(files.open("/inbox/x.tmp", "wb")) == most
        assert await refusal(files.listdir("/inbox")) == most
        for each in opened:
            await each.close()
        for number in range(16, 20):
            await put(files, f"/inbox/{number}.tmp")
        many = "Too many files are not complete. Rename or remove some."
        assert await refusal(put(files, "/inbox/x.edi")) == many
        await files.rename("/inbox/16.tmp", "/inbox/16.edi")
        for number in range(3):
            await put(files, f"/inbox/{number}.edi")
        assert "2.edi" in await files.listdir("/inbox")
        assert "16.edi" not in await files.listdir("/inbox")
        assert [*server.stub.stored] == ["16.edi", "0.edi", "1.edi", "2.edi"]


async def test_a_name_that_is_taken_is_written_anew_or_refused() -> None:
    async with running() as server, server.files() as files:
        await put(files, "/inbox/a.tmp", b"first")
        async with files.open("/inbox/a.tmp", "ab") as file:
            await file.write(b" and more")
        assert await refusal(files.open("/inbox/a.tmp", "xb")) == "There is a file of this name."
        await put(files, "/inbox/b.tmp", b"other")
        written = "The file, or one of the new name, is being written."
        assert await refusal(files.rename("/inbox/a.tmp", "/inbox/b.tmp")) == written
        await refusal(files.rename("/inbox/none.tmp", "/inbox/c.edi"))
        file = await files.open("/inbox/b.tmp", "wb")
        await files.remove("/inbox/b.tmp")
        await refusal(file.write(b"1"))
        await file.close()
        await refusal(files.remove("/inbox/b.tmp"))
        await files.rename("/inbox/a.tmp", "/inbox/a.edi")
        assert server.stub.stored == {"a.edi": b"first and more"}


async def test_a_fault_of_ours_is_answered_without_its_text() -> None:
    async with running() as server, server.files() as files:
        server.stub.fault = RuntimeError("a secret path")
        found = await refusal(put(files, "/inbox/a.edi"))
        assert found == "The request failed. Try again later."
        server.stub.fault = None
        await put(files, "/inbox/a.edi")
        assert server.stub.stored == {"a.edi": b"1"}


async def test_connections_are_bounded_in_number_and_time() -> None:
    limits = ServerLimits(connections_per_client=1, idle_seconds=0.2, login_seconds=0.2)
    async with running(limits) as server:
        async with server.connect() as connection:
            with pytest.raises((asyncssh.ConnectionLost, OSError)):
                async with server.connect():
                    pass
            await connection.wait_closed()  # idle
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        assert (await reader.readline()).startswith(b"SSH-2.0-Longshore")
        await asyncio.wait_for(reader.read(), 5)  # it ends without a login
        writer.close()
        async with server.files() as files:
            assert await files.listdir("/") == [".", "..", "inbox", "outbox"]


async def test_guessing_ends_the_connection() -> None:
    async with running() as server:
        with pytest.raises((asyncssh.PermissionDenied, asyncssh.ConnectionLost)):
            async with server.connect(password="wrong"):
                pass
        with pytest.raises((asyncssh.PermissionDenied, asyncssh.ConnectionLost)):
            async with server.connect(username="nobody"):
                pass
        async with server.connect() as connection, connection.start_sftp_client():
            with pytest.raises(asyncssh.ChannelOpenError):
                await connection.start_sftp_client()


async def fetched(file: asyncssh.SFTPClientFile, *place: int) -> bytes:
    return cast("bytes", await file.read(*place))  # it was opened without an encoding


def a_file(number: int, content: bytes) -> WaitingFile:
    name = f"850_{number}.edi"
    return WaitingFile(entry_id=OutboxId(number), name=name, size=len(content), created_at=START)


async def test_a_file_is_delivered_when_it_was_read_to_its_end() -> None:
    content = bytes(range(256)) * 2_000
    async with running() as server, server.files() as files:
        waiting = server.stub.waiting
        waiting.update({a_file(each, content): content for each in (1, 2)})
        path = "/outbox/850_1.edi"
        assert await files.listdir("/outbox") == [".", "..", "850_1.edi", "850_2.edi"]
        attrs = await files.stat(path)
        assert (attrs.size, attrs.mtime) == (len(content), int(START.timestamp()))
        async with files.open(path, "rb") as file:
            assert (await file.stat()).size == len(content)
            assert await fetched(file, 10, len(content) - 10) == content[-10:]
            assert await fetched(file, 100, 0) == content[:100]
        assert len(waiting) == 2
        assert await refusal(files.remove(path)) == "The file was not fetched whole yet."
        async with files.open(path, "rb") as file:
            assert await fetched(file) == content
        assert [each.name for each in waiting] == ["850_2.edi"]
        await files.remove(path)
        assert await refusal(files.remove("/outbox/none.edi")) == "There is no such file."


async def test_files_that_wait_cannot_be_changed_and_a_cut_connection_delivers_nothing() -> None:
    async with running(ServerLimits(held_bytes=10)) as server:
        async with server.connect() as connection, connection.start_sftp_client() as files:
            server.stub.waiting[a_file(1, b"12345")] = b"12345"
            server.stub.waiting[a_file(2, b"x" * 11)] = b"x" * 11
            only = "Files in /outbox can be read only."
            assert await refusal(files.open("/outbox/850_1.edi", "wb")) == only
            assert await refusal(files.open("/outbox/new.edi", "wb")) == only
            inbox = "Files are put into the folder /inbox, which has no other folders in it."
            assert await refusal(files.rename("/outbox/850_1.edi", "/inbox/a.edi")) == inbox
            much = "Too much is being received. Try again later."
            assert await refusal(files.open("/outbox/850_2.edi", "rb")) == much
            for _ in range(3):  # what was held is given back
                file = await files.open("/outbox/850_1.edi", "rb")
                assert await refusal(file.write(b"1")) == only
                await file.close()
            file = await files.open("/outbox/850_1.edi", "rb")
            assert await fetched(file) == b"12345"
            connection.abort()
        assert len(server.stub.waiting) == 2
        async with server.files() as files:
            await files.listdir("/outbox")
            server.stub.waiting.clear()
            gone = "There is no such file."
            assert await refusal(files.open("/outbox/850_1.edi", "rb")) == gone
