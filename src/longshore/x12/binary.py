"""Binary segments: BIN and BDS carry data by length, in which any separator may occur.

The length counts octets. A document that arrived as text is counted in UTF-8 octets first, then,
if no terminator follows there, in characters (x12.md section 1.4).
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from typing import Final

from longshore.x12.delimiters import Delimiters

_LENGTH = re.compile("[0-9]{1,9}")
# TAB, CR and LF are text; every other control character is not.
_CONTROL = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f]")

_HEAD_CHARS: Final = 256  # the tag, a filter and the length

# Index of the element that holds the length; the data is the next one.
LENGTH_ELEMENT: Final = {"BIN": 1, "BDS": 2}


@dataclass(frozen=True, slots=True)
class BinarySegment:
    """A binary segment found whole: its elements, and the index just after its data."""

    elements: list[str]
    end: int


class Octets:
    """Counts octets in a text that may hold characters of several.

    A text that was ISO-8859-1 has one octet a character. For others the text is encoded once, and
    positions are only ever asked for in ascending order, so that counting stays linear.
    """

    def __init__(self, *, is_single_octet: bool) -> None:
        self._is_single_octet = is_single_octet
        self._text = ""
        self._encoded = b""
        self._known = (0, 0)  # a character index and its octet index

    def end_of(self, text: str, start: int, count: int, followers: tuple[str, ...]) -> int | None:
        """Return the index just after ``count`` octets from index ``start``.

        None where neither a follower nor the end of the text comes next, so also where the count
        ends inside a character; that is looked at first, since it costs nothing.
        """
        if self._is_single_octet or text.isascii():
            return start + count
        if text is not self._text:
            self._text, self._encoded, self._known = text, text.encode(), (0, 0)
        index, octets = self._known if self._known[0] <= start else (0, 0)
        octets += len(text[index:start].encode())
        self._known = (start, octets)
        end = octets + count
        following = tuple(follower.encode() for follower in followers)
        if end != len(self._encoded) and not self._encoded.startswith(following, end):
            return None
        return start + len(self._encoded[octets:end].decode())


def read_binary(
    text: str, start: int, delimiters: Delimiters, octets: Octets, *, is_last: bool
) -> BinarySegment | int | None:
    """Read the BIN or BDS segment at index ``start``.

    ``is_last``: nothing follows ``text``, so data may end with it.

    Returns:
        The segment; or, to decide, the index up to which text would have to be there; or None if
        the length is no number or no terminator follows the data.
    """
    at = LENGTH_ELEMENT[text[start : start + 3]]
    fields = text[start : start + _HEAD_CHARS].split(delimiters.element, at + 1)
    if len(fields) <= at + 1 and not is_last and len(text) - start < _HEAD_CHARS:
        return start + _HEAD_CHARS
    if len(fields) <= at + 1 or not _LENGTH.fullmatch(fields[at]):
        return None
    data, count = start + sum(map(len, fields[: at + 1])) + at + 1, int(fields[at])
    followers = ("\r\n", "\n") if "\n" in delimiters.segment else (delimiters.segment,)
    enough = data + count + 2
    if len(text) < enough and not is_last:
        return enough
    for end in (octets.end_of(text, data, count, followers), data + count):
        if end is not None and _ends_at(text, end, followers, is_last=is_last):
            return BinarySegment(elements=[*fields[: at + 1], text[data:end]], end=end)
    return None


def _ends_at(text: str, end: int, followers: tuple[str, ...], *, is_last: bool) -> bool:
    return text.startswith(followers, end) if end < len(text) else is_last and end == len(text)


def binary_value(data: str, *, is_single_octet: bool) -> tuple[str, bool]:
    """Return the value of binary data for the flat map, and whether it is base64.

    Text if the octets are valid UTF-8 without control characters other than TAB, CR, LF.
    """
    octets = data.encode("iso-8859-1" if is_single_octet else "utf-8")
    try:
        text = octets.decode()
    except UnicodeDecodeError:
        return base64.b64encode(octets).decode(), True
    if _CONTROL.search(text):
        return base64.b64encode(octets).decode(), True
    return text, False
