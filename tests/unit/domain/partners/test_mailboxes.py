"""Public keys, user names and passwords of mailboxes."""

from base64 import b64encode
from collections.abc import Sequence

import pytest

from longshore.domain.partners.connections import HttpConnection, MailboxConnection
from longshore.domain.partners.errors import InvalidPartnerError
from longshore.domain.partners.mailbox_passwords import with_hashed_passwords
from longshore.domain.partners.mailbox_users import mailbox_user, read_mailbox_user
from longshore.domain.partners.model import PartnerId
from longshore.domain.partners.parser import read_partner
from longshore.domain.partners.public_keys import PublicKeyError, key_of, read_public_key
from longshore.domain.ports import AccountId
from longshore.kit.environment import Environment


def a_key(kind: str, *numbers: bytes, named: str = "") -> str:
    parts = [(named or kind).encode(), *numbers]
    content = b"".join(len(each).to_bytes(4) + each for each in parts)
    return f"{kind} {b64encode(content).decode()}"


ED25519 = a_key("ssh-ed25519", bytes(32))
RSA = a_key("ssh-rsa", b"\x01\x00\x01", b"\x00\x80" + bytes(255))
ECDSA = a_key("ecdsa-sha2-nistp256", b"nistp256", bytes(65))


@pytest.mark.parametrize("key", [ED25519, RSA, ECDSA])
def test_a_public_key_is_kept_with_its_comment_and_compared_without(key: str) -> None:
    assert read_public_key(f" {key} them@example\n") == f"{key} them@example"
    assert key_of(f"{key} them@example") == key_of(key) == key


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the text is no public key of OpenSSH"),
        (a_key("ssh-dss", bytes(64)), "the text is no public key of OpenSSH"),
        (f"{ED25519} x\ncommand=y", "the text is no public key of OpenSSH"),
        ("ssh-ed25519 " + "A" * 17, "the key is not base64"),
        (f"{ED25519[:-8]}", "the key is cut"),
        ("ssh-ed25519 " + b64encode(bytes(14)).decode(), "the key is cut"),
        (a_key("ssh-ed25519", bytes(32), named="ssh-rsa"), "not of the kind that it names"),
        (a_key("ssh-ed25519", bytes(32), bytes(1)), "not of the kind that it names"),
        (a_key("ssh-rsa", b"\x03", b"\x80" + bytes(254)), "an RSA key has at least 2048 bits"),
    ],
)
def test_a_text_that_is_no_usable_key_is_refused(text: str, reason: str) -> None:
    with pytest.raises(PublicKeyError, match=reason):
        read_public_key(text)


def test_a_user_name_says_account_partner_and_environment() -> None:
    of = (AccountId(3), PartnerId(12), Environment.PRODUCTION)
    assert (mailbox_user(*of), read_mailbox_user("a3-p12-live")) == ("a3-p12-live", of)
    for other in ("", "a3-p12", "a03-p1-test", "a3-p12-live ", "a3-p" + "9" * 19 + "-test"):
        assert read_mailbox_user(other) is None


class Hasher:
    """Hashes at no cost."""

    async def hash(self, password: str) -> str:
        return f"hash of {password}"

    async def is_guessable(self, password: str, own_words: Sequence[str]) -> bool:
        raise AssertionError((password, own_words))

    async def verify(self, password: str, password_hash: str | None) -> bool:
        raise AssertionError((password, password_hash))


async def test_a_password_is_stored_as_its_hash_and_nowhere_without_a_hasher() -> None:
    mailbox = {"type": "mailbox", "password": "open sesame please"}
    http = {"type": "http", "url": "https://edi.example.com/in"}
    new = read_partner({"name": "N", "connections": {"test": mailbox, "live": http}}, is_new=True)
    both = (await with_hashed_passwords(new, Hasher())).terms.connections
    assert both.test == MailboxConnection(password="hash of open sesame please")
    assert isinstance(both.live, HttpConnection)
    with pytest.raises(InvalidPartnerError) as error:
        await with_hashed_passwords(new, None)
    assert [each.param for each in error.value.details] == ["connections.test.password"]
    keyed = read_partner({"name": "N", "connections": {"test": {"type": "mailbox"}}}, is_new=True)
    assert await with_hashed_passwords(keyed, None) == keyed
