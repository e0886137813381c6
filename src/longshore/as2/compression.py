"""Compressed CMS content (RFC 3274) with zlib, expanded within a limit."""

from __future__ import annotations

import zlib
from typing import Final

from asn1crypto import cms

from longshore.as2.errors import PARSE_ERRORS, DecompressionError

_LEVEL: Final = 6


def compress(content: bytes) -> bytes:
    """Return content compressed, as DER."""
    compressed = cms.CompressedData({
        "version": "v0",
        "compression_algorithm": {"algorithm": "zlib"},
        "encap_content_info": {
            "content_type": "data",
            "content": zlib.compress(content, _LEVEL),
        },
    })
    info = cms.ContentInfo({"content_type": "compressed_data", "content": compressed})
    return bytes(info.dump())


def decompress(der: bytes, max_bytes: int) -> bytes:
    """Return what was compressed, at most ``max_bytes``.

    Raises:
        DecompressionError: It is no compressed content, cut short, or longer than the limit.
    """
    try:
        info = cms.ContentInfo.load(der, strict=True)
        if info["content_type"].native != "compressed_data":
            raise DecompressionError("The content is no CMS CompressedData.")
        content = info["content"]
        if content["compression_algorithm"]["algorithm"].native != "zlib":
            raise DecompressionError("The content is compressed in another way than with zlib.")
        compressed = bytes(content["encap_content_info"]["content"].native)
    except PARSE_ERRORS as error:
        raise DecompressionError("The compressed content cannot be read.") from error
    reader = zlib.decompressobj()
    try:
        expanded = reader.decompress(compressed, max_bytes + 1)
    except zlib.error as error:
        raise DecompressionError("The compressed content cannot be read.") from error
    if len(expanded) > max_bytes:
        raise DecompressionError(
            f"The compressed content expands to more than {max_bytes:,} bytes."
        )
    if not reader.eof:
        raise DecompressionError("The compressed content is cut short.")
    return expanded
