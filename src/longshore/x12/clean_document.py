"""Read a small document without any fault in one step: the first half of the fast path.

Theory. The cost of a small document on the slow path (``walk``) is in its steps, not in its length.
Here the same steps run as one: detect, split, compare. For a document with anything unusual the
answer is None, and the slow path reads it and reports what it finds. So no finding ever comes from
here (performance.md section 1, items 3 and 14).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from longshore.x12.control import (
    SET_ID,
    SET_NUMBER,
    SetSummary,
    next_control,
)
from longshore.x12.delimiters import ISA_CHARS, Delimiters, distinct_delimiters
from longshore.x12.group_header import is_good_group_header
from longshore.x12.interchange_header import is_good_header
from longshore.x12.segment_table import KNOWN_SEGMENTS

MAX_CHARS: Final = 8192
_WIDTHS: Final = [3, 2, 10, 2, 10, 2, 15, 2, 15, 6, 4, 1, 5, 9, 1, 1, 1]  # of an ISA and its id
_ORDINARY: Final = KNOWN_SEGMENTS - {"BIN", "BDS"}
# What data may be made of: printable, allowed in every version, and itself in JSON.
_DATA: Final = "".join(mark for mark in map(chr, range(0x20, 0x7F)) if mark not in '"\\^`')

Rows = list[list[str]]


class CleanDocument(NamedTuple):
    """A document of one interchange and one group, without faults in the envelope and its sets."""

    delimiters: Delimiters
    header: list[str]
    """The elements of the ISA, padded."""
    texts: list[str]
    rows: Rows
    """The other segments."""
    sets: list[SetSummary]
    has_parts: bool
    """Some element may have repetitions or components."""


class _Marks(NamedTuple):
    """The separators of a document, and the characters they leave for data."""

    delimiters: Delimiters
    data: bytes
    """The characters that need no escaping or checking, separators included."""
    others: bytes
    """The only other characters of a document without repetitions and components: the repetition
    and the component separator, each once, in its ISA."""


def read_clean_document(text: str, *, may_have_parts: bool) -> CleanDocument | None:
    """Read a document of one interchange and one group without any fault.

    Args:
        text: The document.
        may_have_parts: Elements may have repetitions and components.

    Returns:
        None for any other document; nothing is reported or refused in that case.
    """
    is_small = ISA_CHARS < len(text) <= MAX_CHARS
    if not is_small or not text.startswith("ISA") or not text.isascii():
        return None
    header = text[:ISA_CHARS].split(text[3])
    if [*map(len, header)] != _WIDTHS or not is_good_header(header):
        return None
    marks = _marks(text[3], text[ISA_CHARS], header[11], header[12], header[16])
    split = None if marks is None else _split(text, marks, may_have_parts=may_have_parts)
    if marks is None or split is None:
        return None
    texts, has_parts = split
    rows = [each.split(text[3]) for each in texts]
    tags = [row[0] for row in rows]
    sets = _sets_of(rows, tags, header) if _ORDINARY.issuperset(tags) else None
    if not sets:
        return None
    return CleanDocument(marks.delimiters, header, texts, rows, sets, has_parts)


@lru_cache(maxsize=256)
def _marks(element: str, terminator: str, *others: str) -> _Marks | None:
    """Return the separators of an ISA, or None if one of them is unusual."""
    delimiters = distinct_delimiters(element, terminator, *others)
    if delimiters is None or terminator in "\r\n":
        return None
    in_header = delimiters.repetition + delimiters.component
    if not in_header.isprintable() or '"' in in_header or "\\" in in_header:
        return None  # JSON must escape it
    data = "".join(mark for mark in _DATA if mark not in in_header)
    return _Marks(delimiters, (data + element + terminator).encode(), in_header.encode())


def _split(text: str, marks: _Marks, *, may_have_parts: bool) -> tuple[list[str], bool] | None:
    """Split the text after the ISA, and tell whether an element may have parts.

    Returns:
        None if the text is irregular or needs a finding.
    """
    element, terminator = marks.delimiters.element, marks.delimiters.segment
    # A terminator within the ISA would be data there.
    if text.find(terminator) != ISA_CHARS or element + terminator in text:
        return None
    start = ISA_CHARS + 1
    body = text[start:].lstrip("\r\n")
    line_break = text[start : len(text) - len(body)]
    separator = terminator + line_break
    is_broken_after = body.endswith(separator)
    if not is_broken_after and not body.endswith(terminator):
        return None
    body = body[: -len(separator)] if is_broken_after else body[:-1]
    texts = body.split(separator)
    if line_break and body.count(terminator) != len(texts) - 1:
        return None
    breaks = line_break * (len(texts) + is_broken_after)
    left = text.encode().translate(None, marks.data)
    if left == marks.others + breaks.encode():
        return texts, False
    if may_have_parts and left.translate(None, marks.others) == breaks.encode():
        return texts, True
    return None


def _sets_of(rows: Rows, tags: list[str], header: list[str]) -> list[SetSummary] | None:
    """Return the sets of one sound group in one sound interchange, or None."""
    if len(rows) < 5 or len(rows[-2]) != 3 or len(rows[-1]) != 3:  # noqa: PLR2004 - GS ST SE GE IEA; id and two elements
        return None
    group = rows[0]
    is_framed = tags[0] == "GS" and tags[-2] == "GE" and tags[-1] == "IEA"
    if not is_framed or not is_good_group_header(group):
        return None
    sets: list[SetSummary] = []
    numbers: set[str] = set()
    index, end = 1, len(rows) - 2
    while index < end:
        found = _set_at(rows, tags, index, group[8])
        if found is None or found.control_number in numbers:
            return None
        found.index = len(sets) + 1
        sets.append(found)
        numbers.add(found.control_number)
        index += found.segment_count
    is_sound = rows[-2][1:] == [str(len(sets)), group[6]] and rows[-1][1:] == ["1", header[13]]
    return sets if is_sound else None


def _set_at(rows: Rows, tags: list[str], first: int, version: str) -> SetSummary | None:
    """Return the sound set whose ST is row ``first``, or None."""
    opening, last = rows[first], next_control(tags, first + 1)
    if opening[0] != "ST" or len(opening) < 3 or tags[last] != "SE":  # noqa: PLR2004 - id and two elements
        return None
    count = last + 1 - first
    is_sound = (
        SET_ID.fullmatch(opening[1])
        and SET_NUMBER.fullmatch(opening[2])
        and rows[last][1:] == [str(count), opening[2]]
    )
    if not is_sound:
        return None
    return SetSummary(0, opening[1], opening[2], version, opening, count, has_trailer=True)
