"""The usual small document in one go: nothing about it is noteworthy.

Theory. A small document costs the general way mostly in its steps, not in its length. Here the
same steps run as one: detect, split, compare, write. Whatever is unusual in any respect makes this
answer None, and the general way (``walk``, ``fields``) reads the document and says what it is;
so no finding ever comes from here, and both ways write the same bytes, which a property test holds
(performance.md section 1, points 4 and 14).
"""

from __future__ import annotations

import re
from typing import Final

from longshore.x12.batch import BatchKind, SegmentBatch
from longshore.x12.control import (
    CONTROL_IDS,
    GROUP_NUMBER,
    SET_ID,
    SET_NUMBER,
    InterchangeSummary,
    SetSummary,
)
from longshore.x12.delimiters import Delimiters, InterchangeHead, read_head
from longshore.x12.fields import write_plain_rows
from longshore.x12.interchange_header import is_good_header
from longshore.x12.segment_table import KNOWN_SEGMENTS
from longshore.x12.syntax import is_plain

MOST_CHARS: Final = 8192
_MOST_ELEMENTS: Final = 40
_GROUP_ELEMENTS: Final = 9  # of a GS with its id
_PRINTABLE = re.compile(r"[ !#-\[\]-_a-~]*")  # nor quote, backslash and grave accent
_PLAIN = re.compile(r"[^^]*")


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
    if len(text) > MOST_CHARS or not text.startswith("ISA"):
        return None
    head = read_head(text, 0)
    if not isinstance(head, InterchangeHead) or not head.is_fixed_width:
        return None
    header = text[: head.chars].split(head.element)
    batch = _split(text, head)
    if batch is None or not _is_plain_header(header, head) or _has_parts(batch, head):
        return None
    rows = batch.rows
    sets = _sets_of(rows, header)
    return _written(head, header, rows, sets) if sets else None


def _split(text: str, head: InterchangeHead) -> SegmentBatch | None:
    """Split what follows the ISA, if each terminator is followed by the same line break."""
    delimiters = head.delimiters
    terminator = delimiters.segment
    if "\n" in terminator:
        return None
    start = head.chars + 1
    body = text[start:].lstrip("\r\n")
    joint = terminator + text[start : len(text) - len(body)]
    if body.endswith(joint):
        body = body[: -len(joint)]
    elif body.endswith(terminator):
        body = body[:-1]
    else:
        return None
    texts = body.split(joint)
    if body.count(terminator) != len(texts) - 1:
        return None
    element = delimiters.element
    rows = [text.split(element) for text in texts]
    ids = {row[0] for row in rows}
    if not ids <= KNOWN_SEGMENTS or "BIN" in ids or "BDS" in ids:
        return None
    batch = SegmentBatch(
        BatchKind.SEGMENTS, delimiters, texts, rows, ids, frozenset(), body, 0, joint
    )
    return batch if is_plain(batch) else None


def _is_plain_header(header: list[str], head: InterchangeHead) -> bool:
    """Tell whether nothing is to be said of the ISA, and JSON escapes nothing in it."""
    text = "".join(header)
    is_allowed = _PLAIN.fullmatch(text) or head.delimiters.repetition == "^"
    return bool(is_allowed and _PRINTABLE.fullmatch(text) and is_good_header(header))


def _has_parts(batch: SegmentBatch, head: InterchangeHead) -> bool:
    """Tell whether anything has components or repetitions, or must be escaped in JSON."""
    source, delimiters = batch.source, head.delimiters
    return (
        delimiters.component in source
        or not delimiters.component.isprintable()
        or (delimiters.repetition != "" and delimiters.repetition in source)
        or '"' in source
        or "\\" in source
        or max(map(len, batch.rows)) > _MOST_ELEMENTS
    )


def _sets_of(rows: list[list[str]], header: list[str]) -> list[SetSummary] | None:
    """Return the sets of one sound group in one sound interchange, or None."""
    if len(rows) < 5 or len(rows[-2]) != 3 or len(rows[-1]) != 3:  # noqa: PLR2004 - GS ST SE GE IEA; id and two elements
        return None
    group = rows[0]
    tags = [row[0] for row in rows]
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


def _set_at(rows: list[list[str]], tags: list[str], first: int, version: str) -> SetSummary | None:
    """Return the sound set whose ST is row ``first``, or None."""
    opening = rows[first]
    if opening[0] != "ST" or len(opening) < 3 or "SE" not in tags[first:]:  # noqa: PLR2004 - id and two elements
        return None
    last = tags.index("SE", first)
    count = last + 1 - first
    is_sound = (
        CONTROL_IDS.isdisjoint(tags[first + 1 : last])
        and SET_ID.fullmatch(opening[1])
        and SET_NUMBER.fullmatch(opening[2])
        and rows[last][1:] == [str(count), opening[2]]
    )
    return SetSummary(0, opening[1], opening[2], version, count) if is_sound else None


def _written(
    head: InterchangeHead, header: list[str], rows: list[list[str]], sets: list[SetSummary]
) -> UsualDocument:
    """Write the fields; the numbers of control segments follow from the frame."""
    out: list[str] = []
    outer: dict[str, int] = {}
    opening = [[text.rstrip(" ") for text in header], *rows[:2]]  # ISA, GS and the first ST
    count = write_plain_rows(opening, "", outer, out)
    first = 1
    for each in sets:
        last = first + each.segment_count - 1
        scope = "" if each.index == 1 else f"ST[{each.index}]/"
        count += write_plain_rows(rows[first + 1 : last], scope, {}, out)
        first = last + 1
        # This SE and the next ST; after the last set SE, GE and IEA.
        after = first + 1 if each.index < len(sets) else len(rows)
        count += write_plain_rows(rows[last:after], "", outer, out)
    fields_json = f"{{{','.join(out)}}}".encode()
    interchange = InterchangeSummary(head.delimiters, header)
    return UsualDocument(head.delimiters, interchange, sets, len(rows) + 1, fields_json, count)
