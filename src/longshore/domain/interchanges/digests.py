"""Digests of the parts of a received document, by which it is recognised when it comes again.

Of an interchange the bytes from ISA to IEA as they were received, without line breaks around
terminators; of a set its segments between ST and SE, so that it is known under other control
numbers too. Bytes, since the text they stand for may depend on the texts around them: in one
document with ISO-8859-1, UTF-8 reads as that too. Of UTF-16, which is known by its mark, the text
counts, as UTF-8.

Source: x12.md section 3 (inbound duplicates).
"""

from __future__ import annotations

from hashlib import sha256
from typing import Final, Protocol

from longshore.formats.x12doc import LATIN_1
from longshore.x12.control import SegmentSpan, element_at

UTF_8: Final = "utf-8"


class _Hash(Protocol):
    """What ``hashlib`` gives."""

    def update(self, data: bytes, /) -> None: ...

    def digest(self) -> bytes: ...


class DigestCollector:
    """Digests the interchanges and sets of a document, course by course of a walk.

    ``codec`` is from the texts of the walk to the bytes received.
    """

    def __init__(self, codec: str = UTF_8) -> None:
        self._codec = codec
        self._interchanges: list[_Hash] = []
        self._sets: dict[int, _Hash] = {}

    def add(self, spans: list[SegmentSpan]) -> None:
        """Take a course of the walk (``x12.walk``)."""
        for span in spans:
            self._add_to_interchange(span)
            if span.tx_index:
                self._add_to_set(span)

    def interchanges(self) -> tuple[bytes, ...]:
        """Return the digests of the interchanges, in document order."""
        return tuple(each.digest() for each in self._interchanges)

    def sets(self) -> dict[int, bytes]:
        """Return the digests of the sets by index, from 1."""
        return {index: each.digest() for index, each in self._sets.items()}

    def _add_to_interchange(self, span: SegmentSpan) -> None:
        batch = span.batch
        if batch.rows[span.first][0] == "ISA" and span.occurrence:
            self._interchanges.append(sha256())
        if self._interchanges:
            mark = batch.delimiters.segment
            text = mark.join(batch.texts[span.first : span.last]) + mark
            self._interchanges[-1].update(octets(text, self._codec))

    def _add_to_set(self, span: SegmentSpan) -> None:
        rows = span.batch.rows
        own = self._sets.setdefault(span.tx_index, sha256())
        for row in rows[span.first : span.last]:
            texts = [row[0], element_at(row, 1)] if row[0] == "ST" else row
            if row[0] != "SE":
                own.update(octets("\x1d".join(texts) + "\x1c", self._codec))


def codec_of(charset: str) -> str:
    """Return the codec of a charset that ``formats.charset`` tells of."""
    return LATIN_1 if charset == LATIN_1 else UTF_8


def octets(text: str, codec: str) -> bytes:
    """Return the bytes that a text of a document is digested as."""
    return text.encode(codec, "surrogatepass")
