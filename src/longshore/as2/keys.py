"""Keys and certificates of AS2: made, and read from their texts."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from asn1crypto import x509 as asn1_x509
from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric.rsa import (
    RSAPrivateKey,
    RSAPublicKey,
    generate_private_key,
)
from cryptography.x509.oid import NameOID

from longshore.as2.certificates import PemKeyPair, read_certificate_facts
from longshore.as2.errors import CertificateError

KEY_BITS: Final = 3_072
VALID_DAYS: Final = 730
MAX_VALID_DAYS: Final = 3_650
_EXPONENT: Final = 65_537
_MAX_SERIAL_BYTES: Final = 20
_COMMON_NAME_CHARS: Final = 64


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate with an RSA key that is long enough."""

    x509: x509.Certificate = field(repr=False)
    public_key: RSAPublicKey = field(repr=False)

    @property
    def der(self) -> bytes:
        """The certificate as bytes."""
        return self.x509.public_bytes(serialization.Encoding.DER)

    @property
    def pem(self) -> str:
        """The certificate as text."""
        return self.x509.public_bytes(serialization.Encoding.PEM).decode()

    @property
    def asn1(self) -> asn1_x509.Certificate:
        """The certificate as CMS structures take it."""
        return asn1_x509.Certificate.load(self.der)


@dataclass(frozen=True, slots=True)
class KeyPair:
    """One of our own keys with its certificate."""

    certificate: Certificate
    private_key: RSAPrivateKey = field(repr=False)

    @property
    def private_pem(self) -> str:
        """The private key as PKCS#8 text, not encrypted: only for what is stored sealed."""
        return private_key_pem(self.private_key)


def private_key_pem(key: RSAPrivateKey) -> str:
    """Return a private key as PKCS#8 text, not encrypted: only for what is stored sealed."""
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    ).decode()


def make_key_pair(
    name: str, now: datetime, serial: bytes, valid_days: int = VALID_DAYS, bits: int = KEY_BITS
) -> KeyPair:
    """Return a new RSA key with a certificate that it signs itself.

    Args:
        name: The AS2 name, which becomes the common name of the certificate.
        now: When it begins to be valid, aware UTC.
        serial: At most 20 random bytes.
        valid_days: How long it is valid.
        bits: The length of the key.
    """
    key = generate_private_key(_EXPONENT, bits)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name[:_COMMON_NAME_CHARS])])
    number = int.from_bytes(serial[:_MAX_SERIAL_BYTES]) >> 1  # at most 159 bits
    usage = x509.KeyUsage(
        digital_signature=True,
        content_commitment=True,
        key_encipherment=True,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=False,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )
    public = key.public_key()
    built = (
        x509
        .CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(public)
        .serial_number(number or 1)
        .not_valid_before(now)
        .not_valid_after(now + timedelta(days=valid_days))
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
        .sign(key, hashes.SHA256())
    )
    return KeyPair(Certificate(built, public), key)


def read_certificate(pem: str) -> Certificate:
    """Return the one certificate in a PEM text.

    Raises:
        CertificateError: It is none or several, or its key is not RSA of at least 2048 bits.
    """
    read_certificate_facts(pem)
    try:
        read = x509.load_pem_x509_certificate(pem.encode())
        public = read.public_key()
    except (ValueError, x509.InvalidVersion, UnsupportedAlgorithm) as error:
        raise CertificateError("The certificate cannot be read.") from error
    assert isinstance(public, RSAPublicKey)  # as its facts say
    return Certificate(read, public)


def read_key_pair(pair: PemKeyPair) -> KeyPair:
    """Return a key pair of ours.

    Raises:
        CertificateError: The certificate or the key cannot be used, or they do not belong together.
    """
    certificate = read_certificate(pair.certificate)
    try:
        # It was made here and lies sealed; to validate it again takes longer than all the rest.
        key = serialization.load_pem_private_key(
            pair.private_key.encode(), None, unsafe_skip_rsa_key_validation=True
        )
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise CertificateError("The private key cannot be read.") from error
    if not isinstance(key, RSAPrivateKey) or not _belong(key, certificate):
        raise CertificateError("The private key is not that of the certificate.")
    return KeyPair(certificate, key)


def _belong(key: RSAPrivateKey, certificate: Certificate) -> bool:
    return key.public_key().public_numbers() == certificate.public_key.public_numbers()
