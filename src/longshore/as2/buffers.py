"""Long contents without copies: views of bytes, and pieces that are read one after the other.

A message of a hundred megabytes is held once as it comes and once as it is made; what lies between
is a view of one of both, or goes through in pieces of ``PIECE_BYTES``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

Content: TypeAlias = bytes | memoryview
"""Bytes, or a view of a part of some."""
Contents: TypeAlias = Content | tuple[Content, ...]
"""A content, or several that are one when they are put one after the other."""
PIECE_BYTES: Final = 1 << 20


def parts_of(contents: Contents) -> tuple[Content, ...]:
    """Return contents one by one."""
    return contents if isinstance(contents, tuple) else (contents,)


def pieces_of(contents: Contents) -> Iterator[memoryview]:
    """Yield contents one after the other, in pieces of at most ``PIECE_BYTES``."""
    for content in parts_of(contents):
        view = memoryview(content)
        for at in range(0, len(view), PIECE_BYTES):
            yield view[at : at + PIECE_BYTES]


def length_of(contents: Contents) -> int:
    """Return the bytes of contents in all."""
    return sum(len(each) for each in parts_of(contents))
