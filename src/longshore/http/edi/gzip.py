"""Expands gzip bodies within limits: of size, of ratio, and of members.

Several members one behind the other are one body (RFC 1952 section 2.2). Each is looked for in a
copy of what is left, so their number is bounded.
"""

import zlib
from typing import Final

from longshore.http.body import BodyTooLargeError
from longshore.http.edi.faults import MalformedBodyError

MAX_RATIO: Final = 100
MAX_MEMBERS: Final = 16

_GZIP: Final = zlib.MAX_WBITS + 16  # 16 asks zlib for the gzip frame
_NO_GZIP: Final = "The body is not valid gzip as stated by Content-Encoding, or it is truncated."


def expanded(body: bytes, max_bytes: int) -> bytes:
    """Return what was compressed.

    Raises:
        BodyTooLargeError: It has more than ``max_bytes``, or than 100 times as many as ``body``.
        MalformedBodyError: It is no gzip, is cut short, or has more than 16 members.
    """
    limit = min(max_bytes, MAX_RATIO * len(body))
    pieces: list[bytes] = []
    rest, size = body, 0
    for _ in range(MAX_MEMBERS):
        reader = zlib.decompressobj(_GZIP)
        try:
            piece = reader.decompress(rest, limit - size + 1)
        except zlib.error:
            raise MalformedBodyError(_NO_GZIP) from None
        size += len(piece)
        if size > limit:
            raise BodyTooLargeError(limit)
        if not reader.eof:
            raise MalformedBodyError(_NO_GZIP)
        pieces.append(piece)
        rest = reader.unused_data
        if not rest:
            return b"".join(pieces)
    raise MalformedBodyError(_NO_GZIP)
