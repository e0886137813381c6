"""POST /api/partners/{id}/check-connection: the result of a check, and what is not checked."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from longshore.crypto.passwords import Argon2Hasher, HashCost
from longshore.domain.partners.connection_check import ConnectionCheck, MailboxServer
from longshore.domain.partners.connections import (
    ConnectionType,
    FileServerConnection,
    SftpConnection,
)
from longshore.domain.partners.host_keys import HostKey
from longshore.domain.trading import open_trading
from longshore.http.app import create_app
from tests.support.client import ApiClient, calling
from tests.support.clock import StoppedClock
from tests.support.http_service import RecordedEngine, World
from tests.support.partners import HTTP, SFTP
from tests.support.ports import some_ports
from tests.support.users import session_headers

KEY = HostKey(text="ssh-ed25519 AAAA", fingerprint="SHA256:uNiReFp")
UNREACHABLE = ConnectionCheck(code="timed_out", message="There was no answer in time.")
SHOWN = ConnectionCheck(code="host_key_unconfirmed", message="Compare it.", host_key=KEY)


class Checker:
    """Keeps what it was to check, and answers in turn."""

    def __init__(self) -> None:
        self.checked: list[FileServerConnection] = []
        self.answers = [SHOWN, UNREACHABLE]

    async def check(self, connection: FileServerConnection) -> ConnectionCheck:
        self.checked.append(connection)
        return self.answers.pop(0)


@pytest.fixture
def checker() -> Checker:
    return Checker()


@pytest.fixture
def world(own_world: World) -> World:
    return own_world


@pytest.fixture
def checking(world: World, checker: Checker) -> Iterator[ApiClient]:
    trading = open_trading(
        some_ports(world.database, StoppedClock()), {ConnectionType.SFTP: checker}
    )
    with calling(create_app(replace(world.services(RecordedEngine()), trading=trading))) as client:
        yield client


@pytest.fixture
def editor(world: World) -> dict[str, str]:
    return session_headers(world.sessions.editor)


def create(client: ApiClient, headers: dict[str, str]) -> None:
    body = {"name": "Quay", "connections": {"test": SFTP, "live": HTTP}}
    answer = client.post("/api/partners", headers=headers, json=body)
    assert answer.status_code == 200, answer.text


def check(
    client: ApiClient, headers: dict[str, str], environment: str = "sandbox", partner: int = 1
) -> tuple[int, dict[str, object]]:
    path = f"/api/partners/{partner}/check-connection"
    answer = client.post(path, headers=headers, json={"environment": environment})
    return answer.status_code, answer.json()


def test_the_stored_connection_is_checked_with_its_secrets(
    checking: ApiClient, checker: Checker, editor: dict[str, str]
) -> None:
    create(checking, editor)
    assert check(checking, editor) == (
        200,
        {
            "ok": True,
            "check": {
                "code": "host_key_unconfirmed",
                "message": "Compare it.",
                "host_key": "ssh-ed25519 AAAA",
                "fingerprint": "SHA256:uNiReFp",
            },
        },
    )
    assert [each.private_key for each in checker.checked if isinstance(each, SftpConnection)] == [
        "hush-key"
    ]
    found = check(checking, editor)[1]["check"]
    assert found == {
        "code": "timed_out",
        "message": "There was no answer in time.",
        "host_key": None,
        "fingerprint": None,
    }


def test_what_cannot_be_checked_is_refused_and_nothing_is_connected(
    checking: ApiClient, checker: Checker, client: ApiClient, editor: dict[str, str]
) -> None:
    create(checking, editor)
    status, refused = check(checking, editor, "production")
    assert (status, refused["code"], refused["error"]) == (
        *(409, "invalid_state"),
        (
            "Only AS2, SFTP and FTPS connections and mailboxes can be checked without sending a"
            " document."
        ),
    )
    assert check(checking, editor, partner=9)[0] == 404
    assert checker.checked == []
    status, refused = check(client, editor)
    assert (status, refused["error"]) == (
        409,
        "This installation lacks the package for SFTP. Install longshore[sftp] and restart.",
    )


@pytest.fixture
def with_mailboxes(world: World) -> Iterator[ApiClient]:
    server = MailboxServer(host="edi.example.com", port=2222, find_host_key=lambda: KEY)
    with closing(Argon2Hasher(HashCost(memory_kib=8))) as hasher:
        trading = open_trading(
            some_ports(world.database, StoppedClock()), mailbox_server=server, hasher=hasher
        )
        services = replace(world.services(RecordedEngine()), trading=trading)
        with calling(create_app(services)) as client:
            yield client


def test_the_check_of_a_mailbox_says_what_to_send_to_the_partner(
    with_mailboxes: ApiClient, editor: dict[str, str]
) -> None:
    key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + "A" * 43
    mailbox = {"type": "mailbox", "password": "open sesame please", "public_keys": [key]}
    body = {"name": "Quay", "connections": {"test": mailbox, "live": {"type": "mailbox"}}}
    answer = with_mailboxes.post("/api/partners", headers=editor, json=body)
    assert "sesame" not in answer.text
    partner = answer.json()["partner"]["id"]
    path = f"/api/partners/{partner}/check-connection"
    found = with_mailboxes.post(path, headers=editor, json={"environment": "sandbox"}).json()
    assert found["check"] == {
        "code": "succeeded",
        "message": "The partner logs in by SFTP at edi.example.com port 2222 as"
        f" a1-p{partner}-test, with its password or its private key, puts files into /inbox"
        " and fetches from /outbox. The server shows the host key SHA256:uNiReFp (ssh-ed25519).",
        "host_key": "ssh-ed25519 AAAA",
        "fingerprint": "SHA256:uNiReFp",
    }
    found = with_mailboxes.post(path, headers=editor, json={"environment": "production"}).json()
    assert found["check"]["code"] == "not_configured"
    assert found["check"]["message"] == (
        "Nobody can log in: the mailbox has neither a password nor a public key."
    )


def test_a_mailbox_without_a_server_is_not_reached(
    checking: ApiClient, editor: dict[str, str]
) -> None:
    body = {"name": "Quay", "connections": {"test": {"type": "mailbox"}}}
    assert checking.post("/api/partners", headers=editor, json=body).status_code == 200
    assert check(checking, editor)[1]["check"] == {
        "code": "not_configured",
        "message": "The SFTP server is not started. Start it with --sftp-port.",
        "host_key": None,
        "fingerprint": None,
    }
