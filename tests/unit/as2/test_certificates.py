"""Certificates: their facts, and what is refused before anybody relies on one."""

from base64 import b64decode, b64encode
from datetime import UTC, datetime, timedelta

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from longshore.as2.certificates import PemKeyPair, read_certificate_facts
from longshore.as2.errors import CertificateError
from longshore.as2.exchange import make_pem_key_pair
from longshore.as2.keys import make_key_pair, read_certificate, read_key_pair
from tests.support.as2 import CERTIFICATE, NOW, a_pair

NOT_ONE = "The text is not one certificate in PEM."
UNREADABLE = "The certificate cannot be read."


def test_the_facts_of_a_certificate_are_read() -> None:
    facts = read_certificate_facts(f"\n{CERTIFICATE}\n")
    assert (facts.subject, facts.key_bits) == ("Common Name: THEM", 2_048)
    assert facts.not_before == datetime(2026, 1, 1, tzinfo=UTC)
    assert facts.not_after == datetime(2035, 12, 30, tzinfo=UTC)
    assert len(facts.fingerprint) == 95
    assert read_certificate(CERTIFICATE).pem == CERTIFICATE


@pytest.mark.parametrize(
    ("pem", "text"),
    [
        ("", NOT_ONE),
        (CERTIFICATE * 2, NOT_ONE),
        (CERTIFICATE + " " * 16_384, NOT_ONE),
        (CERTIFICATE.replace("CERTIFICATE", "PRIVATE KEY"), NOT_ONE),
        (CERTIFICATE.replace("MIIC", "MII="), UNREADABLE),
        (CERTIFICATE.replace("MIIC", "MIID"), UNREADABLE),
        (f"{CERTIFICATE[:200]}\n-----END CERTIFICATE-----\n", UNREADABLE),
    ],
)
def test_what_is_no_certificate_is_refused(pem: str, text: str) -> None:
    for read in (read_certificate_facts, read_certificate):
        with pytest.raises(CertificateError) as refused:
            read(pem)
        assert str(refused.value) == text


def changed(at: int, bit: int) -> str:
    """Return the certificate with a bit of one byte changed."""
    lines = CERTIFICATE.splitlines()
    der = bytearray(b64decode("".join(lines[1:-1])))
    der[at] ^= bit
    return f"{lines[0]}\n{b64encode(der).decode()}\n{lines[-1]}\n"


def test_what_only_one_of_two_libraries_can_read_is_refused() -> None:
    version, serial, text = changed(12, 1), changed(15, 128), changed(410, 4)
    read_certificate_facts(version)
    with pytest.raises(CertificateError, match=r"^The certificate cannot be read\.$"):
        read_certificate(version)
    with pytest.raises(CertificateError, match=r"^The serial number of the certificate is not po"):
        read_certificate(serial)
    with pytest.raises(CertificateError, match=r"^The certificate cannot be read\.$"):
        read_certificate_facts(text)


def test_a_key_pair_is_made_and_read_again() -> None:
    made = make_pem_key_pair("ACME", NOW, b"\xff" * 20, 30)
    read = read_key_pair(made)
    assert PemKeyPair(read.certificate.pem, read.private_pem) == made
    facts = read_certificate_facts(made.certificate)
    assert (facts.subject, facts.key_bits) == ("Common Name: ACME", 3_072)
    assert facts.not_after == NOW + timedelta(days=30)
    assert "PRIVATE" not in repr(made) + repr(read)


def test_short_keys_and_keys_of_others_are_refused() -> None:
    short = make_key_pair("short", NOW, b"\x01" * 20, bits=1_024)
    with pytest.raises(CertificateError, match=r"^The key of the certificate must be RSA of at"):
        read_certificate(short.certificate.pem)
    own, other = a_pair("ACME"), a_pair("OTHER")
    curve = ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    for key in (other.private_pem, curve.decode()):
        with pytest.raises(CertificateError, match=r"^The private key is not that of the"):
            read_key_pair(PemKeyPair(own.certificate.pem, key))
    with pytest.raises(CertificateError, match=r"^The private key cannot be read\.$"):
        read_key_pair(PemKeyPair(own.certificate.pem, "no key"))
