"""A private key and its certificate as one encrypted PKCS #12 file.

The file is how a key of ours leaves Longshore, and how a key from another system comes in. It is
encrypted with a password: PBES2 with AES-256 and HMAC-SHA-256.

Source: RFC 7292.
"""

from __future__ import annotations

from typing import Final

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import pkcs12

from longshore.as2.certificates import PemKeyPair
from longshore.as2.errors import CertificateError
from longshore.as2.keys import private_key_pem, read_key_pair

MAX_BYTES: Final = 65_536
"""A file with one key and a chain of certificates is smaller."""
_ROUNDS: Final = 600_000


def write_pkcs12(pair: PemKeyPair, name: str, password: str) -> bytes:
    """Return a file with a key pair, encrypted with a password.

    Args:
        pair: The key pair.
        name: What programs call the key, such as the AS2 name.
        password: At least one character.

    Raises:
        CertificateError: The certificate or the key cannot be used, or they do not belong together.
    """
    own = read_key_pair(pair)
    encryption = (
        serialization.PrivateFormat.PKCS12
        .encryption_builder()
        .kdf_rounds(_ROUNDS)
        .key_cert_algorithm(pkcs12.PBES.PBESv2SHA256AndAES256CBC)
        .hmac_hash(hashes.SHA256())
        .build(password.encode())
    )
    return pkcs12.serialize_key_and_certificates(
        name.encode(), own.private_key, own.certificate.x509, None, encryption
    )


def read_pkcs12(content: bytes, password: str) -> PemKeyPair:
    """Return the key pair in a file. Certificates of issuers in it are not used.

    Raises:
        CertificateError: It is no such file, the password is another, a key or its certificate is
            missing, they do not belong together, or the key is not RSA of at least 2048 bits.
    """
    if len(content) > MAX_BYTES:
        raise CertificateError(f"The file has more than {MAX_BYTES:,} bytes.")
    try:
        key, certificate, _ = pkcs12.load_key_and_certificates(content, password.encode())
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        text = "The file is no PKCS #12 file that can be read, or the password is another."
        raise CertificateError(text) from error
    if key is None or certificate is None:
        raise CertificateError("The file has no private key with its certificate.")
    if not isinstance(key, RSAPrivateKey):
        raise CertificateError("The private key in the file is no RSA key.")
    pem = certificate.public_bytes(serialization.Encoding.PEM).decode()
    pair = PemKeyPair(pem, private_key_pem(key))
    read_key_pair(pair)
    return pair
