"""Public keys of SSH, by which partners log in at their mailboxes.

Source: RFC 4253 section 6.6 (ssh-rsa), RFC 5656 section 3.1 (ecdsa), RFC 8709 section 4 (ed25519).
"""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from typing import Final

MAX_PUBLIC_KEYS: Final = 5
MIN_RSA_BITS: Final = 2048
_RSA: Final = "ssh-rsa"
_LENGTH_BYTES: Final = 4
# A comment after the key says whose it is; it stays.
_LINE: Final = re.compile(
    "(ssh-ed25519|ecdsa-sha2-nistp(?:256|384|521)|ssh-rsa)"
    " ([A-Za-z0-9+/]{16,4096}={0,2})( [ -~]{1,100})?"
)
_PART_COUNTS: Final = {"ssh-ed25519": 2, _RSA: 3}
"""The number of strings in a key: its kind, and the numbers; of the others 3 as well."""


class PublicKeyError(ValueError):
    """A text is no public key that may log in."""


def read_public_key(text: str) -> str:
    """Return a public key as ``kind base64 comment``, without blanks around it.

    Raises:
        PublicKeyError: It is none, of another kind, or too short.
    """
    line = text.strip()
    found = _LINE.fullmatch(line)
    if found is None:
        raise PublicKeyError("the text is no public key of OpenSSH")
    kind, encoded = found.group(1), found.group(2)
    try:
        parts = _strings(b64decode(encoded, validate=True))
    except binascii.Error as error:
        raise PublicKeyError("the key is not base64") from error
    if len(parts) != _PART_COUNTS.get(kind, 3) or parts[0] != kind.encode():
        raise PublicKeyError("the key is not of the kind that it names")
    if kind == _RSA and int.from_bytes(parts[2]).bit_length() < MIN_RSA_BITS:
        raise PublicKeyError(f"an RSA key has at least {MIN_RSA_BITS} bits")
    return line


def key_of(public_key: str) -> str:
    """Return a public key without its comment, as it is compared."""
    return " ".join(public_key.split()[:2])


def _strings(content: bytes) -> list[bytes]:
    """Return the strings of which a key consists.

    Raises:
        PublicKeyError: It is cut.
    """
    parts = []
    while content:
        size, rest = int.from_bytes(content[:_LENGTH_BYTES]), content[_LENGTH_BYTES:]
        if len(content) < _LENGTH_BYTES or len(rest) < size:
            raise PublicKeyError("the key is cut")
        parts.append(rest[:size])
        content = rest[size:]
    return parts
