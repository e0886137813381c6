"""SHA-256, loaded on first use: its library takes 4 MiB, which reading a document never needs."""

from functools import cache
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable


class _Hash(Protocol):
    def digest(self) -> bytes: ...


def sha256(content: bytes) -> bytes:
    """Return the digest of a content."""
    return _sha256()(content).digest()


def keyed_sha256(key: bytes, content: bytes) -> bytes:
    """Return the HMAC of a content under a key."""
    return _hmac()(key, content, "sha256")


@cache
def _sha256() -> "Callable[[bytes], _Hash]":
    import hashlib  # noqa: PLC0415 - 4 MiB that reading a document never needs

    return hashlib.sha256


@cache
def _hmac() -> "Callable[[bytes, bytes, str], bytes]":
    import hmac  # noqa: PLC0415 - it loads hashlib

    return hmac.digest
