"""Compressed CMS content (RFC 3274) with zlib, expanded within a limit."""

from __future__ import annotations

import zlib
from io import BytesIO
from typing import Final

from asn1crypto import cms

from longshore.as2.buffers import PIECE_BYTES, Content, Contents, pieces_of
from longshore.as2.der import (
    EXPLICIT,
    OCTETS,
    SEQUENCE,
    Level,
    cut_content,
    surroundings,
)
from longshore.as2.errors import PARSE_ERRORS, DecompressionError

_LEVEL: Final = 6
_PATH: Final = (SEQUENCE, EXPLICIT, SEQUENCE, SEQUENCE, EXPLICIT, OCTETS)
"""From the ContentInfo to the compressed bytes."""


def compress(contents: Contents) -> bytes:
    """Return contents, one after the other, compressed as DER."""
    writer, written = zlib.compressobj(_LEVEL), BytesIO()
    for piece in pieces_of(contents):
        written.write(writer.compress(piece))
    written.write(writer.flush())
    compressed = written.getbuffer()
    algorithm = cms.CompressionAlgorithm({"algorithm": "zlib"}).dump()
    levels = (
        Level(SEQUENCE, cms.ContentType("compressed_data").dump()),
        Level(EXPLICIT),
        Level(SEQUENCE, cms.CMSVersion("v0").dump() + algorithm),
        Level(SEQUENCE, cms.ContentType("data").dump()),
        Level(EXPLICIT),
        Level(OCTETS),
    )
    head, tail = surroundings(levels, len(compressed))
    return b"".join((head, compressed, tail))


def decompress(der: Content, max_bytes: int) -> bytes:
    """Return what was compressed, at most ``max_bytes``.

    Raises:
        DecompressionError: It is no compressed content, cut short, or longer than the limit.
    """
    cut = cut_content(der, _PATH)
    try:
        info = cms.ContentInfo.load(bytes(der) if cut is None else cut.der, strict=True)
        if info["content_type"].native != "compressed_data":
            raise DecompressionError("The content is no CMS CompressedData.")
        content = info["content"]
        if content["compression_algorithm"]["algorithm"].native != "zlib":
            raise DecompressionError("The content is compressed in another way than with zlib.")
        native = content["encap_content_info"]["content"].native
        compressed = bytes(native) if cut is None else cut.content
    except PARSE_ERRORS as error:
        raise DecompressionError("The compressed content cannot be read.") from error
    return _expanded(compressed, max_bytes)


def _expanded(compressed: Content, max_bytes: int) -> bytes:
    # The checksum at the end is read after the last byte was written, so nothing is left over.
    reader, expanded = zlib.decompressobj(), BytesIO()
    try:
        for piece in pieces_of(compressed):
            waiting: Content = piece
            while waiting and expanded.tell() <= max_bytes:
                expanded.write(reader.decompress(waiting, PIECE_BYTES))
                waiting = reader.unconsumed_tail
    except zlib.error as error:
        raise DecompressionError("The compressed content cannot be read.") from error
    if expanded.tell() > max_bytes:
        raise DecompressionError(
            f"The compressed content expands to more than {max_bytes:,} bytes."
        )
    if not reader.eof:
        raise DecompressionError("The compressed content is cut short.")
    return expanded.getvalue()
