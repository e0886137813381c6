"""The text of API keys: ``svc_test_`` or ``svc_live_``, 30 base62 characters, 6 of checksum.

30 base62 characters are about 178 bits, so the plain SHA-256 is safe to store. The checksum is
CRC32 of everything before it: typing errors and random guesses are refused without a look at the
database. Source: reliability.md section 4.
"""

import re
import zlib
from collections.abc import Mapping
from hashlib import sha256
from types import MappingProxyType
from typing import Final

from longshore.kit.environment import Environment
from longshore.kit.ids import IdSource

PREFIX_BY_ENVIRONMENT: Final[Mapping[Environment, str]] = MappingProxyType({
    Environment.SANDBOX: "svc_test_",
    Environment.PRODUCTION: "svc_live_",
})
SECRET_CHARS: Final = 30
CHECKSUM_CHARS: Final = 6  # 62**6 > 2**32
KEY_CHARS: Final = 45
SHOWN_PREFIX_CHARS: Final = 13  # the environment and four characters to recognise the key by

_BASE62: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_SECRET_BYTES: Final = 32  # 256 bits taken modulo 62**30 (179 bits): no bias worth naming
_KEY: Final = re.compile(r"svc_(?:test|live)_[0-9A-Za-z]{36}")


def new_key(environment: Environment, ids: IdSource) -> str:
    """Return a new key for ``environment``; it is a secret."""
    number = int.from_bytes(ids.token_bytes(_SECRET_BYTES)) % 62**SECRET_CHARS
    body = PREFIX_BY_ENVIRONMENT[environment] + _base62(number, SECRET_CHARS)
    return body + _checksum(body)


def looks_genuine(text: str) -> bool:
    """Return whether ``text`` has the shape and the checksum of a key; asks no database."""
    if _KEY.fullmatch(text) is None:
        return False
    return text[-CHECKSUM_CHARS:] == _checksum(text[:-CHECKSUM_CHARS])


def digest(key: str) -> bytes:
    """Return the 32 bytes that are stored and looked up instead of the key."""
    return sha256(key.encode()).digest()


def _checksum(body: str) -> str:
    return _base62(zlib.crc32(body.encode("ascii")), CHECKSUM_CHARS)


def _base62(number: int, width: int) -> str:
    """Return ``number`` in exactly ``width`` digits, most significant first."""
    digits = []
    for _ in range(width):
        number, digit = divmod(number, 62)
        digits.append(_BASE62[digit])
    return "".join(reversed(digits))
