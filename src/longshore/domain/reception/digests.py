"""What a received document is known by when it comes again: digests of its parts.

Of an interchange the text from ISA to IEA as it was received, without line breaks around
terminators; of a set its segments between ST and SE, so that it is known under other control
numbers too.

Source: x12.md section 3 (inbound duplicates).
"""

from __future__ import annotations

from hashlib import sha256
from typing import Protocol

from longshore.x12.control import Stretch, element_at


class _Hash(Protocol):
    """What ``hashlib`` gives."""

    def update(self, data: bytes, /) -> None: ...

    def digest(self) -> bytes: ...


class DigestCollector:
    """Digests the interchanges and sets of a document, course by course of a walk."""

    def __init__(self) -> None:
        self._interchanges: list[_Hash] = []
        self._sets: dict[int, _Hash] = {}

    def add(self, course: list[Stretch]) -> None:
        """Take a course of the walk (``x12.walk``)."""
        for stretch in course:
            self._add_to_interchange(stretch)
            if stretch.tx_index:
                self._add_to_set(stretch)

    def interchanges(self) -> tuple[bytes, ...]:
        """Return the digests of the interchanges, in document order."""
        return tuple(each.digest() for each in self._interchanges)

    def sets(self) -> dict[int, bytes]:
        """Return the digests of the sets by index, from 1."""
        return {index: each.digest() for index, each in self._sets.items()}

    def _add_to_interchange(self, stretch: Stretch) -> None:
        batch = stretch.batch
        if batch.rows[stretch.first][0] == "ISA" and stretch.occurrence:
            self._interchanges.append(sha256())
        if self._interchanges:
            mark = batch.delimiters.segment
            text = mark.join(batch.texts[stretch.first : stretch.last]) + mark
            self._interchanges[-1].update(_octets(text))

    def _add_to_set(self, stretch: Stretch) -> None:
        rows = stretch.batch.rows
        own = self._sets.setdefault(stretch.tx_index, sha256())
        for row in rows[stretch.first : stretch.last]:
            texts = [row[0], element_at(row, 1)] if row[0] == "ST" else row
            if row[0] != "SE":
                own.update(_octets("\x1d".join(texts) + "\x1c"))


def _octets(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
