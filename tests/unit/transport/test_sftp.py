"""SFTP as a transport, against a server in this process: transports.md section 3."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import asyncssh
import pytest

from longshore.domain.delivery.ports import OutboundMessage, Sent
from longshore.domain.partners.connections import SftpConnection
from longshore.kit.environment import Environment
from longshore.transport.egress import Egress
from longshore.transport.sftp import Sftp
from tests.support.ssh import (
    CLIENT_KEY,
    HOST_KEY,
    OTHER_HOST_KEY,
    SshServer,
    key_text,
    ssh_server,
)

LOOPBACK = ("127.0.0.0/8",)
NAME = "850_000000123_20261127060000.edi"
CONTENT = b"ISA*00*~\nIEA*1*1~\n" * 4_000  # more than one request of the protocol holds
UNKNOWN_KEY = asyncssh.generate_private_key("ssh-ed25519")


@pytest.fixture(scope="module")
async def running(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[SshServer]:
    async with ssh_server(tmp_path_factory.mktemp("ssh")) as server:
        yield server


@pytest.fixture
def server(running: SshServer) -> SshServer:
    running.reset()
    return running


async def send(connection: SftpConnection, content: bytes = CONTENT, name: str = NAME) -> Sent:
    message = OutboundMessage(
        connection=connection,
        environment=Environment.SANDBOX,
        content=content,
        message_id="0a1b",
        file_name=name,
    )
    return await Sftp(Egress(LOOPBACK)).send(message)


async def code_of(connection: SftpConnection, content: bytes = CONTENT) -> str | None:
    return (await send(connection, content)).error_code


async def test_a_file_appears_whole_under_its_name_and_is_never_overwritten(
    server: SshServer,
) -> None:
    sent = await send(server.connection())
    assert (sent.verdict.outcome.value, sent.http_status, sent.error_code) == (
        *("succeeded", None, None),
    )
    assert server.files() == {NAME: CONTENT}
    assert set(server.requests) == {"write", "rename", "renamed"}
    server.requests.clear()
    assert await code_of(server.connection()) is None
    assert server.requests == []
    for other in (CONTENT[:-1] + b"x", CONTENT + b"x"):
        refused = await send(server.connection(), other)
        assert (refused.error_code, refused.verdict.is_final) == ("file_exists", True)
    assert server.files() == {NAME: CONTENT}


async def test_a_login_by_key_needs_no_password(server: SshServer) -> None:
    key = CLIENT_KEY.export_private_key("openssh").decode()
    keyed = server.connection(password=None, private_key=key, upload_dir="in/")
    assert await code_of(keyed) is None
    assert set(server.logins) == {"us by key"}
    assert server.files() == {NAME: CONTENT}


@pytest.mark.parametrize(
    "pinned",
    [
        key_text(HOST_KEY),
        key_text(OTHER_HOST_KEY),
        HOST_KEY.get_fingerprint("sha256"),
        f"{HOST_KEY.get_fingerprint('sha256')}=",
    ],
    ids=["key", "key of another kind", "fingerprint", "padded"],
)
async def test_the_confirmed_host_key_is_enough(server: SshServer, pinned: str) -> None:
    assert await code_of(server.connection(host_key=pinned)) is None


@pytest.mark.parametrize(
    "pinned",
    [key_text(UNKNOWN_KEY), UNKNOWN_KEY.get_fingerprint("sha256"), "ssh-ed25519 AAAA"],
    ids=["key", "fingerprint", "no key"],
)
async def test_a_server_with_another_host_key_gets_nothing(server: SshServer, pinned: str) -> None:
    sent = await send(server.connection(host_key=pinned))
    assert (sent.error_code, sent.verdict.disables) == ("host_key_changed", True)
    shown = f"{HOST_KEY.get_fingerprint('sha256')} (ssh-ed25519)"
    assert sent.message.startswith(
        f"The server showed another host key than the confirmed one: {shown}. Nothing was sent."
    )
    assert (server.logins, server.files()) == ([], {})


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"password": "wrong"}, "authentication_failed"),
        ({"upload_dir": "/elsewhere"}, "folder_not_found"),
        ({"host_key": "ssh-x AAAA"}, "answer_invalid"),
        ({"host_key": ""}, "not_configured"),
        ({"password": None}, "not_configured"),
        ({"password": None, "private_key": "no key"}, "not_configured"),
        ({"host": "10.0.0.7"}, "address_refused"),
        ({"host": "no-such-host.invalid"}, "name_not_found"),
        ({"port": 1}, "address_refused"),
        ({"port": 1024}, "connection_refused"),
    ],
)
async def test_a_failure_has_its_code(
    server: SshServer, members: dict[str, object], code: str
) -> None:
    assert await code_of(server.connection(**members)) == code
    assert server.files() == {}


async def test_what_the_server_forbids_and_cannot_do_are_two_codes(server: SshServer) -> None:
    sent = await send(server.connection(), name="forbidden.edi")
    assert sent.error_code == "permission_denied"
    (server.folder / "in" / f".{NAME}.tmp").mkdir()
    assert await code_of(server.connection()) == "transfer_failed"
    (server.folder / "in" / f".{NAME}.tmp").rmdir()


@pytest.mark.parametrize("place", ["write", "rename", "renamed"])
async def test_a_connection_that_breaks_leaves_no_file_twice(server: SshServer, place: str) -> None:
    server.breaks_at = place
    assert await code_of(server.connection()) == "connection_lost"
    assert (NAME in server.files()) == (place == "renamed")
    server.breaks_at = ""
    server.requests.clear()
    assert await code_of(server.connection()) is None
    assert server.files() == {NAME: CONTENT}
    assert ("write" in server.requests) == (place != "renamed")


async def test_of_two_workers_that_store_one_file_both_succeed(server: SshServer) -> None:
    codes = await asyncio.gather(*(code_of(server.connection()) for _ in range(2)))
    assert set(codes) <= {None, "transfer_failed", "folder_not_found"}
    assert None in codes
    assert server.files()[NAME] == CONTENT


@asynccontextmanager
async def listening(answer: bytes) -> AsyncIterator[int]:
    """Run a server that answers every connection with these bytes, and yield its port."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        await reader.read()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


@pytest.mark.parametrize(
    ("answer", "code"), [(b"", "timed_out"), (b"220 mail ready\r\n", "timed_out")]
)
async def test_what_is_no_ssh_server_ends_with_the_deadline(
    server: SshServer, answer: bytes, code: str
) -> None:
    async with listening(answer) as port:
        message = OutboundMessage(
            connection=server.connection(port=port),
            environment=Environment.SANDBOX,
            content=b"ISA",
            message_id="0a1b",
            file_name=NAME,
        )
        transport = Sftp(Egress(LOOPBACK), deadline_seconds=0.1)
        assert (await transport.send(message)).error_code == code
        assert (await transport.check(server.connection(port=port))).code == code


async def test_a_check_shows_the_host_key_and_sends_a_login_to_the_confirmed_server_alone(
    server: SshServer,
) -> None:
    transport, connection = Sftp(Egress(LOOPBACK)), server.connection()
    first = await transport.check(replace(connection, host_key=""))
    assert first.host_key is not None
    assert (first.code, first.host_key.text) == ("host_key_unconfirmed", key_text(HOST_KEY))
    assert first.message.startswith(f"The server shows the host key {first.host_key}. Compare it")
    other = await transport.check(replace(connection, host_key=key_text(UNKNOWN_KEY)))
    assert (other.code, other.host_key) == ("host_key_changed", first.host_key)
    assert server.logins == []
    confirmed = await transport.check(replace(connection, host_key=first.host_key.text))
    assert (confirmed.code, confirmed.host_key) == ("succeeded", first.host_key)
    assert confirmed.message == "The login works, and the folders are there."


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"upload_dir": "/elsewhere"}, "folder_not_found"),
        ({"upload_dir": ""}, "succeeded"),
        ({"download_dir": "/in"}, "succeeded"),
        ({"download_dir": "/elsewhere"}, "folder_not_found"),
        ({"password": "wrong"}, "authentication_failed"),
        ({"password": None}, "not_configured"),
        ({"host_key": "", "port": 1024}, "connection_refused"),
    ],
)
async def test_a_check_finds_what_a_document_would(
    server: SshServer, members: dict[str, object], code: str
) -> None:
    assert (await Sftp(Egress(LOOPBACK)).check(server.connection(**members))).code == code
