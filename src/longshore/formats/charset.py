"""Decode bytes to text without failing and without replacing a character.

Source: x12.md section 1.2, rule 1.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator

_MARKS = (
    (codecs.BOM_UTF8, "utf-8", "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "utf-16"),
)
_LONGEST_MARK = 3


def decode(data: bytes) -> tuple[str, str]:
    """Return the text of ``data`` and its charset: ``utf-8``, ``utf-16`` or ``iso-8859-1``.

    A byte order mark decides, and is removed. Without one, or if the mark is wrong, the text is
    UTF-8 if all of it is valid, else ISO-8859-1, which every byte sequence is.
    """
    for mark, codec, charset in _MARKS:
        if data.startswith(mark):
            try:
                return data[len(mark) :].decode(codec), charset
            except UnicodeDecodeError:
                break
    try:
        return data.decode(), "utf-8"
    except UnicodeDecodeError:
        return data.decode("iso-8859-1"), "iso-8859-1"


def detect(chunks: Iterable[bytes]) -> tuple[str, str, int]:
    """Detect, in constant memory, how ``decode`` would read ``chunks``.

    Returns:
        The codec, the charset and the number of bytes of the byte order mark to leave out.
    """
    pieces = iter(chunks)
    head = b""
    for piece in pieces:
        head += piece
        if len(head) >= _LONGEST_MARK:
            break
    candidates = [mark for mark in _MARKS if head.startswith(mark[0])]
    candidates.append((b"", "utf-8", "utf-8"))
    decoders = {candidate: codecs.getincrementaldecoder(candidate[1])() for candidate in candidates}
    for candidate in candidates:
        _feed(decoders, candidate, head[len(candidate[0]) :], final=False)
    for piece in pieces:
        for candidate in tuple(decoders):
            _feed(decoders, candidate, piece, final=False)
    for candidate in tuple(decoders):
        _feed(decoders, candidate, b"", final=True)
    for candidate in candidates:
        if candidate in decoders:
            return candidate[1], candidate[2], len(candidate[0])
    return "iso-8859-1", "iso-8859-1", 0


def _feed(
    decoders: dict[tuple[bytes, str, str], codecs.IncrementalDecoder],
    candidate: tuple[bytes, str, str],
    data: bytes,
    *,
    final: bool,
) -> None:
    """Let the decoder of a candidate try ``data``; drop it when it fails."""
    try:
        decoders[candidate].decode(data, final)
    except UnicodeDecodeError:
        del decoders[candidate]


def decoded(chunks: Iterable[bytes], codec: str, mark_bytes: int) -> Iterator[str]:
    """Yield the text of ``chunks`` piece by piece, with the result of ``detect``."""
    decoder = codecs.getincrementaldecoder(codec)()
    to_skip = mark_bytes
    for chunk in chunks:
        data, to_skip = chunk[to_skip:], max(to_skip - len(chunk), 0)
        if text := decoder.decode(data):
            yield text
