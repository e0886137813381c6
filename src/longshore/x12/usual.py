"""The usual small document in one go: nothing about it is noteworthy.

Theory. A small document costs the general way mostly in its steps, not in its length. Here the
same steps run as one: detect, split, compare, write. Whatever is unusual in any respect makes this
answer None, and the general way (``walk``, ``fields``) reads the document and says what it is;
so no finding ever comes from here, and both ways write the same bytes, which a property test holds
(performance.md section 1, points 4 and 14).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from longshore.x12.control import (
    GROUP_NUMBER,
    SET_ID,
    SET_NUMBER,
    InterchangeSummary,
    SetSummary,
    next_control,
)
from longshore.x12.delimiters import Delimiters, InterchangeHead, read_head
from longshore.x12.fields import write_plain_rows
from longshore.x12.interchange_header import is_good_header
from longshore.x12.segment_table import KNOWN_SEGMENTS

MOST_CHARS: Final = 8192
_MOST_ELEMENTS: Final = 40
_GROUP_ELEMENTS: Final = 9  # of a GS with its id
_PADDED: Final = (2, 4, 6, 8)  # elements of an ISA that may end with blanks
_ORDINARY: Final = KNOWN_SEGMENTS - {"BIN", "BDS"}
# What data may be made of: printable, allowed in every version, and itself in JSON.
_DATA: Final = "".join(mark for mark in map(chr, range(0x20, 0x7F)) if mark not in '"\\^`')

Rows = list[list[str]]


class UsualDocument:
    """What is known of a usual document, by the names the general way has for it."""

    __slots__ = ("delimiters", "field_count", "fields_json", "interchange", "segment_count", "sets")

    def __init__(
        self,
        delimiters: Delimiters,
        interchange: InterchangeSummary,
        sets: list[SetSummary],
        segment_count: int,
        fields_json: bytes,
        field_count: int,
    ) -> None:
        self.delimiters = delimiters
        self.interchange = interchange
        self.sets = sets
        self.segment_count = segment_count
        self.fields_json = fields_json
        self.field_count = field_count


def read_usual(text: str) -> UsualDocument | None:
    """Read a document of one interchange and one group in which everything is as it should be.

    Returns:
        None if it is anything else; nothing is reported then, and nothing refused.
    """
    if len(text) > MOST_CHARS or not text.startswith("ISA") or not text.isascii():
        return None
    head = read_head(text, 0)
    if not isinstance(head, InterchangeHead) or not head.is_fixed_width:
        return None
    header = text[: head.chars].split(head.element)
    rows = _split(text, head)
    if rows is None or not is_good_header(header):
        return None
    tags = [row[0] for row in rows]
    if not _ORDINARY.issuperset(tags) or max(map(len, rows)) > _MOST_ELEMENTS:
        return None
    sets = _sets_of(rows, tags, header)
    return _written(head.delimiters, header, rows, sets) if sets else None


def _split(text: str, head: InterchangeHead) -> Rows | None:
    """Split what follows the ISA, if it is regular, and nothing is to be said of any character."""
    element, terminator = head.delimiters.element, head.delimiters.segment
    # A terminator within the ISA would be data there.
    if "\n" in terminator or text.find(terminator) != head.chars or element + terminator in text:
        return None
    start = head.chars + 1
    body = text[start:].lstrip("\r\n")
    line_break = text[start : len(text) - len(body)]
    joint = terminator + line_break
    is_broken_after = body.endswith(joint)
    if not is_broken_after and not body.endswith(terminator):
        return None
    body = body[: -len(joint)] if is_broken_after else body[:-1]
    texts = body.split(joint)
    if line_break and body.count(terminator) != len(texts) - 1:
        return None
    data, others = _octets(head.delimiters)
    breaks = line_break * (len(texts) + is_broken_after)
    if text.encode().translate(None, data) != others + breaks.encode():
        return None
    return [text.split(element) for text in texts]


@lru_cache(maxsize=256)
def _octets(delimiters: Delimiters) -> tuple[bytes, bytes]:
    """Return the octets that need no care, and what else a document without parts has.

    That is the repetition and the component separator, each once, in its ISA; nothing, which no
    document has, if JSON must escape one of them.
    """
    others = delimiters.repetition + delimiters.component
    data = "".join(mark for mark in _DATA if mark not in others)
    is_safe = others.isprintable() and '"' not in others and "\\" not in others
    marks = delimiters.element + delimiters.segment
    return (data + marks).encode(), others.encode() if is_safe else b""


def _sets_of(rows: Rows, tags: list[str], header: list[str]) -> list[SetSummary] | None:
    """Return the sets of one sound group in one sound interchange, or None."""
    if len(rows) < 5 or len(rows[-2]) != 3 or len(rows[-1]) != 3:  # noqa: PLR2004 - GS ST SE GE IEA; id and two elements
        return None
    group = rows[0]
    is_framed = tags[0] == "GS" and tags[-2] == "GE" and tags[-1] == "IEA"
    if not is_framed or len(group) < _GROUP_ELEMENTS or "" in group:
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
    is_sound = (
        GROUP_NUMBER.fullmatch(group[6])
        and rows[-2][1:] == [str(len(sets)), group[6]]
        and rows[-1][1:] == ["1", header[13]]
    )
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
    return SetSummary(0, opening[1], opening[2], version, count) if is_sound else None


def _written(
    delimiters: Delimiters, header: list[str], rows: Rows, sets: list[SetSummary]
) -> UsualDocument:
    """Write the fields; the numbers of control segments follow from the frame."""
    opening = header.copy()
    for position in _PADDED:
        opening[position] = opening[position].rstrip(" ")
    out: list[str] = []
    if len(sets) == 1:  # no id stands both inside and outside the set
        count = write_plain_rows([opening, *rows], "", {}, out)
    else:
        count = _write_sets([opening, *rows], sets, out)
    fields_json = f"{{{','.join(out)}}}".encode()
    interchange = InterchangeSummary(delimiters, header)
    return UsualDocument(delimiters, interchange, sets, len(rows) + 1, fields_json, count)


def _write_sets(rows: Rows, sets: list[SetSummary], out: list[str]) -> int:
    """Append the members of a document of several sets to ``out``; return how many."""
    outer: dict[str, int] = {}
    count = write_plain_rows(rows[:3], "", outer, out)  # ISA, GS and the first ST
    first = 2
    for each in sets:
        last = first + each.segment_count - 1
        scope = "" if each.index == 1 else f"ST[{each.index}]/"
        count += write_plain_rows(rows[first + 1 : last], scope, {}, out)
        first = last + 1
        # This SE and the next ST; after the last set SE, GE and IEA.
        after = first + 1 if each.index < len(sets) else len(rows)
        count += write_plain_rows(rows[last:after], "", outer, out)
    return count
