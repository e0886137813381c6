"""DER around one long content: read without a copy of it, and written without one.

``asn1crypto`` copies the content of a structure several times. So the content is cut out before a
structure is read, and its surroundings are written without it. Only the plain form is cut: definite
lengths and a primitive content. A structure in another form is read as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from longshore.as2.buffers import Content

SEQUENCE: Final = 0x30
EXPLICIT: Final = 0xA0
IMPLICIT: Final = 0x80
OCTETS: Final = 0x04
MIN_CUT_BYTES: Final = 65_536
_LONG_LENGTH: Final = 0x80
_MAX_LENGTH_BYTES: Final = 8
_HIGH_TAG: Final = 0x1F


class Level(NamedTuple):
    """An element that contains the content, with what it has before and behind it."""

    tag: int
    before: Content = b""
    behind: Content = b""


class CutStructure(NamedTuple):
    """A structure whose content was cut out."""

    der: bytes
    """The structure with an empty content."""
    content: memoryview
    """The content itself."""


class _Element(NamedTuple):
    tag: int
    start: int
    """Where its tag is."""
    value: int
    """Where its value begins."""
    end: int


def surroundings(levels: Sequence[Level], content_bytes: int) -> tuple[bytes, bytes]:
    """Return what is before and behind a content of this length; the outermost level is first."""
    head, tail = b"", b""
    for tag, before, behind in reversed(levels):
        tail = b"".join((tail, behind))
        inner = b"".join((before, head))
        head = bytes((tag,)) + _write_length(len(inner) + content_bytes + len(tail)) + inner
    return head, tail


def cut_content(der: Content, path: Sequence[int]) -> CutStructure | None:
    """Return a structure and its content apart; None if it has another form, or is short.

    Args:
        der: The structure.
        path: The tags from the outermost element to the content. Of several elements with a tag
            of the path the last one is taken.
    """
    view = memoryview(der)
    if len(view) < MIN_CUT_BYTES:
        return None
    levels: list[Level] = []
    start, end = 0, len(view)
    for tag in path:
        chosen = _last_child(view, start, end, tag)
        if chosen is None:
            return None
        if levels:
            before, behind = view[start : chosen.start], view[chosen.end : end]
            levels[-1] = levels[-1]._replace(before=before, behind=behind)
        elif chosen.end != end:
            return None
        levels.append(Level(tag))
        start, end = chosen.value, chosen.end
    head, tail = surroundings(levels, 0)
    return CutStructure(head + tail, view[start:end])


def _last_child(view: memoryview, start: int, end: int, tag: int) -> _Element | None:
    """Return the last element of a value with this tag; None without one."""
    found = None
    while start < end:
        element = _element(view, start, end)
        if element is None:
            return None
        if element.tag == tag:
            found = element
        start = element.end
    return found


def _element(view: memoryview, at: int, end: int) -> _Element | None:
    """Return the element at a position; None if it is written in another form."""
    if at + 2 > end or view[at] & _HIGH_TAG == _HIGH_TAG:
        return None
    length, value = view[at + 1], at + 2
    if length >= _LONG_LENGTH:
        count = length - _LONG_LENGTH
        if not 1 <= count <= _MAX_LENGTH_BYTES or value + count > end:
            return None
        length, value = int.from_bytes(view[value : value + count]), value + count
    return _Element(view[at], at, value, value + length) if value + length <= end else None


def _write_length(length: int) -> bytes:
    if length < _LONG_LENGTH:
        return bytes((length,))
    count = (length.bit_length() + 7) // 8
    return bytes((_LONG_LENGTH | count,)) + length.to_bytes(count)
