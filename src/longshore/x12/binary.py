"""Binary segments: BIN and BDS hold data of a given length, in which any separator may occur.

The length counts octets. In a document that arrived as text it counts UTF-8 octets or, if no
terminator follows there, characters (x12.md section 1.4).
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
    """Converts counts of octets to indexes in a text.

    A text that was ISO-8859-1 has one octet for each character. Any other text is encoded once;
    positions are asked for in ascending order only, so that counting stays linear.
    """

    def __init__(self, *, is_single_octet: bool) -> None:
        self._is_single_octet = is_single_octet
        self._text = ""
        self._encoded = b""
        self._known = (0, 0)  # a character index and its octet index

    def end_of(self, text: str, start: int, count: int, followers: tuple[str, ...]) -> int | None:
        """Return the index after ``count`` octets from index ``start``.

        Returns:
            None if neither an expected character nor the end of the text is there, which includes
            counts that end inside a character.
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
    """Read the BIN or BDS segment at an index.

    Args:
        text: The text.
        start: The index of the segment.
        delimiters: The separators in force.
        octets: Converts lengths in octets to characters.
        is_last: The document ends with ``text``, so the data may end with it too.

    Returns:
        The segment; or the index up to which more text is needed; or None if the length is not a
        number or no terminator follows the data.
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
