"""Facts of certificates in PEM, read without a cryptographic library.

A certificate is trusted because it is pinned: it was exchanged with the partner by hand. No chain
is looked at, and one that has expired is reported but still used, as its owner may not have
replaced it yet.
"""

from __future__ import annotations

import binascii
import re
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Final

from asn1crypto import x509

from longshore.as2.errors import PARSE_ERRORS, CertificateError

MIN_KEY_BITS: Final = 2_048
MAX_PEM_CHARS: Final = 16_384
_PEM: Final = re.compile(
    r"\s*-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----\s*"
)
_SPACES: Final = re.compile(r"\s+")
_MAX_SUBJECT_CHARS: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class CertificateFacts:
    """The facts of a certificate. Times are aware UTC."""

    subject: str
    """Whose it is, such as ``Common Name: ACME``."""
    not_before: datetime
    not_after: datetime
    fingerprint: str
    """The SHA-256 of the certificate: pairs of hexadecimal digits with colons."""
    key_bits: int


@dataclass(frozen=True, slots=True)
class PemKeyPair:
    """A private key and its certificate as texts: how they are stored, and sent to a process."""

    certificate: str
    private_key: str = field(repr=False)


def read_certificate_facts(pem: str) -> CertificateFacts:
    """Return the facts of the one certificate in a PEM text.

    Raises:
        CertificateError: It is none or several, or its key is not RSA of at least 2048 bits.
    """
    found = _PEM.fullmatch(pem) if len(pem) <= MAX_PEM_CHARS else None
    if found is None:
        raise CertificateError("The text is not one certificate in PEM.")
    try:
        der = binascii.a2b_base64(_SPACES.sub("", found[1]), strict_mode=True)
        read = x509.Certificate.load(der, strict=True)
        key = read.public_key
        is_rsa, bits = key.algorithm == "rsa", int(key.bit_size)
        facts = CertificateFacts(
            subject=_printable(read.subject.human_friendly),
            not_before=read.not_valid_before,
            not_after=read.not_valid_after,
            fingerprint=sha256(der).digest().hex(":").upper(),
            key_bits=bits,
        )
        is_numbered = int(read.serial_number) > 0
        _ = read.native  # whatever is in it is read now, so that nothing is malformed later
    except PARSE_ERRORS as error:
        raise CertificateError("The certificate cannot be read.") from error
    if not is_numbered:
        raise CertificateError("The serial number of the certificate is not positive.")
    if not is_rsa or bits < MIN_KEY_BITS:
        raise CertificateError(
            f"The key of the certificate must be RSA of at least {MIN_KEY_BITS} bits."
        )
    return facts


def _printable(text: str) -> str:
    return "".join(each if each.isprintable() else "?" for each in text[:_MAX_SUBJECT_CHARS])
