"""The algorithms of AS2 by their names in settings, in CMS and in MIC values."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from longshore.as2.buffers import Contents, parts_of

if TYPE_CHECKING:
    from hashlib import _Hash

STRONG_DIGESTS: Final = ("sha256", "sha384", "sha512")
WEAK_DIGESTS: Final = ("sha1", "md5")
DIGESTS: Final = (*STRONG_DIGESTS, *WEAK_DIGESTS)
"""Names of digests, as settings and CMS have them."""

STRONG_CIPHERS: Final = (
    *("aes256_cbc", "aes192_cbc", "aes128_cbc"),
    *("aes256_gcm", "aes192_gcm", "aes128_gcm"),
)
WEAK_CIPHERS: Final = ("3des",)
CIPHERS: Final = (*STRONG_CIPHERS, *WEAK_CIPHERS)

_HASHES: Final[dict[str, Callable[[], _Hash]]] = {
    "sha256": hashlib.sha256,
    "sha384": hashlib.sha384,
    "sha512": hashlib.sha512,
    "sha1": hashlib.sha1,
    "md5": hashlib.md5,
}
_MIC_NAMES: Final = {"sha256": "sha-256", "sha384": "sha-384", "sha512": "sha-512"}
_PREFIXES: Final = ("rsa-", "rsa")


@dataclass(frozen=True, slots=True)
class Mic:
    """A message integrity check: the digest that both sides compute over the same bytes."""

    digest: bytes
    algorithm: str
    """Its name in settings, such as ``sha256``."""

    def __str__(self) -> str:
        return f"{b64encode(self.digest).decode()}, {mic_name(self.algorithm)}"


def digest_of(algorithm: str, contents: Contents) -> bytes:
    """Return the digest of contents one after the other. ``algorithm`` is one of ``DIGESTS``."""
    digest = _HASHES[algorithm]()
    for each in parts_of(contents):
        digest.update(each)
    return digest.digest()


def mic_of(algorithm: str, contents: Contents) -> Mic:
    """Return the MIC over contents one after the other."""
    return Mic(digest_of(algorithm, contents), algorithm)


def mic_name(algorithm: str) -> str:
    """Return how ``micalg`` and MIC values name a digest: ``sha-256``, but ``sha1`` and ``md5``."""
    return _MIC_NAMES.get(algorithm, algorithm)


def find_digest(name: str, allowed: Collection[str] = DIGESTS) -> str | None:
    """Return the digest that a partner means by ``SHA-256``, ``sha256`` or ``rsa-sha256``."""
    plain = name.strip().strip('"').lower()
    for prefix in _PREFIXES:
        plain = plain.removeprefix(prefix)
    plain = plain.replace("-", "").replace("_", "")
    return plain if plain in allowed else None
