"""The profile of an AS2 side as a file: what it says becomes the connection to that side."""

from datetime import UTC, datetime

import pytest

from longshore.domain.as2.errors import InvalidAs2ProfileError
from longshore.domain.as2.model import As2Identity, As2IdentityId
from longshore.domain.as2.profile_file import (
    FORMAT,
    connection_by_profile,
    profile_members,
    read_profile,
)
from longshore.domain.partners.connection_members import AS2_MEMBERS
from longshore.domain.partners.connections import As2Connection, NoConnection, TransferEncoding
from longshore.domain.ports import AccountId
from longshore.kit.environment import Environment
from tests.support.as2 import CERTIFICATE

URL = "https://them.example/as2"
LEAST = {
    "format": FORMAT,
    "environment": "production",
    "as2_name": "THEM",
    "url": URL,
    "certificates": [CERTIFICATE],
}


def test_what_is_written_is_read_as_a_connection_to_its_writer() -> None:
    identity = As2Identity(
        id=As2IdentityId(1),
        account_id=AccountId(1),
        environment=Environment.SANDBOX,
        name="THEM",
        certificates=(CERTIFICATE,),
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
    written = profile_members(identity, URL)
    assert written == {
        **LEAST,
        "environment": "sandbox",
        "sign": True,
        "encrypt": True,
        "compress": False,
        "sign_algorithm": "sha256",
        "encrypt_algorithm": "aes256_cbc",
        "oaep": False,
        "mdn": "sync",
        "mdn_signed": True,
        "content_type": "application/EDI-X12",
    }
    profile = read_profile(written)
    assert profile.environment is Environment.SANDBOX
    assert connection_by_profile(NoConnection(), profile, "US") == As2Connection(
        url=URL, as2_from="US", as2_to="THEM", certificates=(CERTIFICATE,)
    )


def test_what_a_profile_does_not_say_stays() -> None:
    old = As2Connection(
        url="https://old.example",
        as2_from="OLD US",
        as2_to="OLD",
        sign=False,
        compress=True,
        transfer_encoding=TransferEncoding.BASE64,
    )
    profile = read_profile({**LEAST, "sign": True})
    assert connection_by_profile(old, profile, "US") == As2Connection(
        url=URL,
        as2_from="US",
        as2_to="THEM",
        certificates=(CERTIFICATE,),
        compress=True,
        transfer_encoding=TransferEncoding.BASE64,
    )


def test_each_fault_of_a_profile_is_named() -> None:
    bad = {
        **LEAST,
        "format": "longshore-as2-profile-2",
        "as2_name": 'a"b',
        "certificates": [],
        "sing": True,
        "url": None,
    }
    with pytest.raises(InvalidAs2ProfileError) as raised:
        read_profile(bad)
    assert str(raised.value) == (
        'The AS2 profile: Unknown parameter "sing". Did you mean "sign"?'
        " There are 4 more: see details."
    )
    assert [each.message for each in raised.value.details] == [
        'Unknown parameter "sing". Did you mean "sign"?',
        'Parameter "format" must be one of: longshore-as2-profile-1.',
        f'Parameter "as2_name" must be {AS2_MEMBERS["as2_to"].kind.allowed}.',
        'Parameter "url" is missing.',
        'Parameter "certificates" must have one certificate or two.',
    ]
    with pytest.raises(InvalidAs2ProfileError, match=r'Parameter "certificates\[1\]" must be a'):
        read_profile({**LEAST, "certificates": [CERTIFICATE, "none"]})
    with pytest.raises(InvalidAs2ProfileError, match="The body must be an object"):
        read_profile([])
