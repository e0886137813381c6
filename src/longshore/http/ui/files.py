"""The built files of the browser application, read once at start and kept ready to be sent.

An address leads to a file only if the file was there at start: a request is looked up by its whole
path, so no path can climb out of the folder.
"""

import gzip
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Final

from longshore.http.headers import Header

PREFIX: Final = "/static/"
INDEX: Final = "index.html"

CONTENT_TYPES: Final[Mapping[str, bytes]] = MappingProxyType({
    ".css": b"text/css; charset=utf-8",
    ".js": b"text/javascript; charset=utf-8",
    ".json": b"application/json",
    ".png": b"image/png",
    ".svg": b"image/svg+xml",
    ".txt": b"text/plain; charset=utf-8",
    ".woff2": b"font/woff2",
})
_OTHER_TYPE: Final = b"application/octet-stream"

# The names of these hold a hash of their content.
_HASHED: Final = f"{PREFIX}assets/"
_FOR_A_YEAR: Final = b"public, max-age=31536000, immutable"
_ASK_AGAIN: Final = b"no-cache"

_TAG: Final = re.compile(rb'(?:W/)?("[^"]*")')
_NO_QUALITY: Final = re.compile(rb"0(?:\.0{0,3})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Representation:
    """One form of a file: its bytes, and the headers that belong to them."""

    body: bytes
    headers: tuple[Header, ...]
    etag: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class StaticFile:
    """A file; ``compressed`` is None where gzip gains nothing."""

    content_type: bytes
    plain: Representation
    compressed: Representation | None

    def for_request(self, headers: Mapping[bytes, bytes]) -> Representation:
        """Return the form of it that the request accepts, the smaller one if it accepts both."""
        if self.compressed is not None and accepts_gzip(headers.get(b"accept-encoding", b"")):
            return self.compressed
        return self.plain


@cache  # a process reads and compresses them once, however many applications it makes
def read_files(folder: Path) -> Mapping[str, StaticFile]:
    """Return every file below ``folder`` by the path of its address; none if there is no folder.

    The index is not among them, as it may only be sent with the headers of the shell, and neither
    is what has a name that begins with a dot.
    """
    found: dict[str, StaticFile] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        is_hidden = any(part.startswith(".") for part in name.parts)
        if path.is_file() and not is_hidden and name.as_posix() != INDEX:
            address = PREFIX + name.as_posix()
            found[address] = static_file(address, path.read_bytes())
    return MappingProxyType(found)


def static_file(address: str, content: bytes) -> StaticFile:
    """Return ``content`` ready to be sent from ``address``."""
    compressed = gzip.compress(content, mtime=0)
    digest = sha256(content).hexdigest()[:32].encode()
    keeping = _FOR_A_YEAR if address.startswith(_HASHED) else _ASK_AGAIN

    def representation(body: bytes, tag: bytes, *encoding: Header) -> Representation:
        etag = b'"%s"' % tag
        headers = (b"cache-control", keeping), (b"vary", b"accept-encoding"), (b"etag", etag)
        return Representation(body=body, headers=(*headers, *encoding), etag=etag)

    return StaticFile(
        content_type=CONTENT_TYPES.get(Path(address).suffix, _OTHER_TYPE),
        plain=representation(content, digest),
        compressed=representation(compressed, digest + b"-gzip", (b"content-encoding", b"gzip"))
        if len(compressed) < len(content)
        else None,
    )


def accepts_gzip(accept_encoding: bytes) -> bool:
    """Return whether the value of ``Accept-Encoding`` allows gzip; an absent one does not.

    Source: RFC 9110 section 12.5.3.
    """
    allowed: dict[bytes, bool] = {}
    for item in accept_encoding.lower().split(b","):
        coding, _, parameters = item.partition(b";")
        quality = parameters.strip().removeprefix(b"q=")
        allowed[coding.strip()] = not _NO_QUALITY.fullmatch(quality)
    return allowed.get(b"gzip", allowed.get(b"*", False))


def names_tag(if_none_match: bytes, etag: bytes) -> bool:
    """Return whether the value of ``If-None-Match`` names ``etag``, by weak comparison.

    Source: RFC 9110 section 13.1.2.
    """
    return if_none_match.strip() == b"*" or etag in _TAG.findall(if_none_match)
