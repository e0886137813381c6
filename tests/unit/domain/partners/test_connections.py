"""Connections: their members by type, and secrets that are written and never shown."""

import pytest

from longshore.domain.partners.connection_members import CONNECTION, SCRIPT, connection_json
from longshore.domain.partners.connections import (
    CONNECTION_BY_TYPE,
    As2Connection,
    BasicLogin,
    Connection,
    ConnectionType,
    FtpsConnection,
    HttpConnection,
    MailboxConnection,
    NoConnection,
    SftpConnection,
    SimulatorConnection,
    missing_secrets,
    secrets_of,
    with_secrets,
    with_secrets_of,
)
from longshore.domain.partners.errors import InvalidPartnerError
from longshore.domain.partners.members import RefusedValueError
from longshore.domain.partners.model import Connections
from longshore.domain.partners.parser import read_partner
from longshore.kit.environment import Environment
from tests.support.as2 import CERTIFICATE

URL = "https://edi.example.com/in"
HTTP: dict[str, object] = {
    "type": "http",
    "url": URL,
    "headers": {"X-Key": "k"},
    "content_type": "text/plain; charset=utf-8",
    "basic": {"user": "us", "password": "secret"},
}
ED25519 = "AAAAC3NzaC1lZDI1NTE5AAAAI" + "A" * 43
AS2: dict[str, object] = {
    "type": "as2",
    "url": URL,
    "as2_from": "ACME",
    "as2_to": "North Wind",
    "certificates": [CERTIFICATE],
    "sign": True,
    "encrypt": False,
    "compress": True,
    "sign_algorithm": "sha1",
    "encrypt_algorithm": "3des",
    "oaep": True,
    "mdn": "async",
    "mdn_signed": False,
    "transfer_encoding": "base64",
    "content_type": "application/EDI-X12",
}
SFTP: dict[str, object] = {
    "type": "sftp",
    "host": "files.example.com",
    "port": 2222,
    "user": "us",
    "private_key": "-----BEGIN KEY-----",
    "host_key": "SHA256:" + "A" * 43,
    "upload_dir": "/in",
    "download_dir": "/out",
    "pattern": "*.edi",
    "poll_seconds": 60,
    "after_download": "delete",
    "mailbox": "shared",
}
FTPS: dict[str, object] = {
    **{name: value for name, value in SFTP.items() if name not in {"private_key", "host_key"}},
    "type": "ftps",
    "port": 2121,
    "password": "secret",
    "certificate": "AB:" * 31 + "cd",
}
MAILBOX: dict[str, object] = {
    "type": "mailbox",
    "password": "a secret of theirs",
    "public_keys": [f"ssh-ed25519 {ED25519} them@example"],
}


def read(given: object) -> Connection:
    connection = CONNECTION.read(given, "connections.test")
    assert isinstance(connection, Connection)
    return connection


def refused(**members: object) -> list[str | None]:
    with pytest.raises(InvalidPartnerError) as error:
        read_partner({"name": "N", "connections": {"live": members}}, is_new=True)
    return [each.param for each in error.value.details]


@pytest.mark.parametrize(
    "given",
    [HTTP, AS2, SFTP, FTPS, MAILBOX],
    ids=["http", "as2", "sftp", "ftps", "mailbox"],
)
def test_every_member_is_read_and_shown_but_for_secrets(given: dict[str, object]) -> None:
    connection = read(given)
    shown = connection_json(connection)
    assert "secret" not in repr(shown) + repr(connection)
    assert "BEGIN KEY" not in repr(shown) + repr(connection)
    assert with_secrets(read(shown), secrets_of(connection)) == connection
    public = given.keys() - {"basic", "private_key", "password", "headers"}
    assert {name: shown[name] for name in public} == {name: given[name] for name in public}


def test_secrets_are_shown_as_set_or_not() -> None:
    assert connection_json(read(HTTP))["basic"] == {"user": "us", "password_set": True}
    shown = connection_json(read(SFTP))
    assert (shown["password_set"], shown["private_key_set"]) == (False, True)
    assert "password" not in shown


def test_each_type_has_defaults() -> None:
    assert read({"type": "http", "url": URL}) == HttpConnection(url=URL)
    as2 = {"type": "as2", "url": URL, "as2_from": "A", "as2_to": "B"}
    assert read(as2) == As2Connection(url=URL, as2_from="A", as2_to="B")
    sftp = {"type": "sftp", "host": "h", "user": "u"}
    assert read(sftp) == SftpConnection(host="h", user="u")
    assert read({**sftp, "type": "ftps"}) == FtpsConnection(host="h", user="u")
    assert read({"type": "simulator"}) == SimulatorConnection(script="accept")
    assert read({"type": "none"}) == NoConnection()
    assert set(CONNECTION_BY_TYPE) == set(ConnectionType)


@pytest.mark.parametrize(
    "given",
    [
        HttpConnection(url=URL),
        As2Connection(url=URL, as2_from="A", as2_to="B"),
        SftpConnection(host="h", user="u"),
        FtpsConnection(host="h", user="u"),
        MailboxConnection(),
        SimulatorConnection(),
        NoConnection(),
    ],
)
def test_what_is_shown_of_defaults_is_read_again(given: Connection) -> None:
    assert read(connection_json(given)) == given


def test_a_header_is_a_secret_whose_name_is_shown() -> None:
    connection = read(HTTP)
    assert connection_json(connection)["headers"] == {"X-Key": ""}
    assert secrets_of(connection) == {"headers.X-Key": "k", "password": "secret"}
    old = HttpConnection(url=URL, headers={"X-Key": "k", "X-Old": "o"})
    new = HttpConnection(url=URL, headers={"X-Key": "", "X-New": ""})
    kept = with_secrets_of(new, old)
    assert kept == HttpConnection(url=URL, headers={"X-Key": "k", "X-New": ""})
    assert missing_secrets(kept) == ("headers.X-New",)


@pytest.mark.parametrize("given", [{}, {"type": "ftp"}, {"type": ["http"]}, "http", None])
def test_a_connection_has_a_type(given: object) -> None:
    with pytest.raises(RefusedValueError):
        read(given)


@pytest.mark.parametrize(
    ("given", "param"),
    [
        ({"type": "http"}, "url"),
        ({"type": "http", "url": URL, "host": "h"}, "host"),
        ({"type": "http", "url": "ftp://example.com/"}, "url"),
        ({"type": "http", "url": "https:///in"}, "url"),
        ({"type": "http", "url": "https://user:pw@example.com/"}, "url"),
        ({"type": "http", "url": "https://example.com:99999/"}, "url"),
        ({"type": "http", "url": "https://example.com:0/"}, "url"),
        ({"type": "http", "url": "https://[::1/"}, "url"),
        ({"type": "http", "url": "https://exa%00mple.com/"}, "url"),
        ({"type": "http", "url": "https://example.com/#top"}, "url"),
        ({"type": "http", "url": "https://example.com\\@x/"}, "url"),
        ({"type": "http", "url": "https://exämple.com/"}, "url"),
        ({"type": "http", "url": "https://example.com/a b"}, "url"),
        ({"type": "http", "url": 5}, "url"),
        ({"type": "http", "url": URL, "headers": {"Host": "x"}}, "headers"),
        ({"type": "http", "url": URL, "headers": {"X-A": "b\r\nX-B: c"}}, "headers"),
        ({"type": "http", "url": URL, "headers": {"X A": "b"}}, "headers"),
        ({"type": "http", "url": URL, "headers": {"X-A": 1}}, "headers"),
        ({"type": "http", "url": URL, "headers": []}, "headers"),
        ({"type": "http", "url": URL, "basic": {"user": "a:b"}}, "basic.user"),
        ({"type": "http", "url": URL, "basic": {"password": "p"}}, "basic.user"),
        ({"type": "as2", "url": URL, "as2_from": 'a"b', "as2_to": "b"}, "as2_from"),
        ({**AS2, "sign_algorithm": "crc32"}, "sign_algorithm"),
        ({**AS2, "certificates": [CERTIFICATE, CERTIFICATE[:200]]}, "certificates[1]"),
        ({**AS2, "certificates": [7]}, "certificates[0]"),
        ({**SFTP, "port": 0}, "port"),
        ({**SFTP, "port": 1023}, "port"),
        ({**SFTP, "port": True}, "port"),
        ({**SFTP, "port": 22.0}, "port"),
        ({**SFTP, "host": "h/x"}, "host"),
        ({**SFTP, "host": "127.1"}, "host"),
        ({**SFTP, "host": 7}, "host"),
        ({**SFTP, "pattern": "../*"}, "pattern"),
        ({**SFTP, "host_key": "SHA256:short"}, "host_key"),
        ({**FTPS, "port": 22}, "port"),
        ({**FTPS, "certificate": "AB:" * 31}, "certificate"),
        ({**FTPS, "password": "two\nlines"}, "password"),
        ({**FTPS, "private_key": "k"}, "private_key"),
        ({"type": "simulator", "script": "reject:"}, "script"),
        ({"type": "none", "url": URL}, "url"),
    ],
)
def test_a_member_at_fault_is_named(given: dict[str, object], param: str) -> None:
    assert refused(**given) == [f"connections.live.{param}"]


def test_a_password_and_a_private_key_are_one_too_many() -> None:
    assert refused(**SFTP, password="p") == ["connections.live.private_key"]


def test_an_absent_secret_keeps_the_old_one() -> None:
    old = read(HTTP)
    new = read({**HTTP, "basic": {"user": "them"}})
    assert with_secrets_of(new, old) == HttpConnection(
        url=URL,
        headers={"X-Key": "k"},
        content_type="text/plain; charset=utf-8",
        basic=BasicLogin(user="them", password="secret"),
    )
    named = read({**HTTP, "basic": {"user": "them", "password": "new"}})
    assert with_secrets_of(named, old) == named


@pytest.mark.parametrize(
    ("url", "is_kept"),
    [
        ("https://edi.example.com/other?x=1", True),
        ("https://EDI.example.com:443/in", True),
        ("https://edi.example.com:8443/in", False),
        ("http://edi.example.com/in", False),
        ("https://edi.example.com.attacker.net/in", False),
        ("https://edi.example.com@attacker.net/in", False),
    ],
)
def test_secrets_stay_with_their_server(url: str, is_kept: bool) -> None:  # noqa: FBT001 - a column
    old = HttpConnection(url=URL, basic=BasicLogin(user="us", password="secret"))
    new = HttpConnection(url=url, basic=BasicLogin(user="us"))
    assert secrets_of(with_secrets_of(new, old)) == ({"password": "secret"} if is_kept else {})
    there = SftpConnection(host="h", user="u", password="p")
    assert secrets_of(with_secrets_of(SftpConnection(host="h", port=23, user="u"), there)) == {}


def test_a_new_login_takes_no_old_one_along() -> None:
    by_key = SftpConnection(host="h", user="u", private_key="k")
    by_password = SftpConnection(host="h", user="u", password="p")
    neither = SftpConnection(host="h", user="u")
    assert with_secrets_of(by_password, by_key) == by_password
    assert with_secrets_of(neither, by_key) == by_key
    assert with_secrets_of(neither, by_password) == by_password


def test_secrets_of_another_type_are_not_taken() -> None:
    new = HttpConnection(url=URL, basic=BasicLogin(user="u"))
    old = SftpConnection(host="h", user="u", password="p")
    assert with_secrets_of(new, old) == new
    ftps = FtpsConnection(host="h", port=22, user="u")
    assert with_secrets_of(ftps, old) == ftps
    assert secrets_of(NoConnection()) == {}


def test_what_a_login_lacks_is_named() -> None:
    assert missing_secrets(HttpConnection(url=URL, basic=BasicLogin(user="u"))) == (
        "basic.password",
    )
    assert missing_secrets(SftpConnection(host="h", user="u")) == ("password", "private_key")
    ftps = FtpsConnection(host="h", user="u")
    assert missing_secrets(ftps) == ("password",)
    assert missing_secrets(read(FTPS)) == ()
    assert missing_secrets(MailboxConnection()) == ("password", "public_keys")
    assert missing_secrets(MailboxConnection(password="p")) == ()
    assert missing_secrets(read(HTTP)) == missing_secrets(NoConnection()) == ()


def test_test_documents_take_the_test_connection() -> None:
    both = Connections(test=SimulatorConnection(), live=HttpConnection(url=URL))
    assert both.of(Environment.SANDBOX) == SimulatorConnection()
    assert both.of(Environment.PRODUCTION) == HttpConnection(url=URL)


@pytest.mark.parametrize(
    "script",
    [
        *("accept", "accept_with_errors", "reject", "reject:4", "reject:I6", "partial"),
        *("duplicate", "late", "late:3600", "never", "broken"),
    ],
)
def test_the_simulator_knows_its_words(script: str) -> None:
    assert SCRIPT.read(script, "script") == script


def test_a_mailbox_keeps_its_password_and_takes_public_keys_only() -> None:
    old = MailboxConnection(password="h")
    assert with_secrets_of(MailboxConnection(), old) == old
    assert with_secrets_of(MailboxConnection(password="n"), old).password == "n"  # type: ignore[union-attr]  # a mailbox
    members: dict[str, object] = {"type": "mailbox", "public_keys": ["ssh-ed25519 AAAA", 7]}
    assert refused(**members) == [
        *("connections.live.public_keys[0]", "connections.live.public_keys[1]"),
    ]
    assert refused(type="mailbox", password="too short") == ["connections.live.password"]
    key = f"ssh-ed25519 {ED25519}"
    assert refused(type="mailbox", public_keys=[key] * 6) == ["connections.live.public_keys"]
