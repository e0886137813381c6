"""A summary of an X12 document and its named fields for people, in memory independent of its size.

The bytes are read again for each of these: the whole document for the summary, and only as far as
needed for the fields or the text of the first segments.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from json import loads
from typing import Final, NamedTuple

from longshore.engine.segments import ByteSource
from longshore.engine.x12_names import element_name
from longshore.formats import x12doc
from longshore.formats.charset import decoded, detect
from longshore.x12.control import SegmentSpan
from longshore.x12.delimiters import Delimiters, parse_overrides
from longshore.x12.fields import FieldWriter
from longshore.x12.findings import Finding
from longshore.x12.walk import Walk

_KEY: Final = re.compile(r"(?:.*/)?([^.\[]+)[^.]*\.([0-9]+)[^.]*(?:\.([0-9]+))?")
_MAX_SET_IDS: Final = 100  # of which sets are counted by id; a hostile document can have more


class NamedField(NamedTuple):
    """A field of a document, with the name of its element; ``""`` if that has none."""

    key: str
    name: str
    value: str


@dataclass(slots=True, kw_only=True)
class ListingSummary:
    """The contents of an X12 document in figures."""

    charset: str
    delimiters: Delimiters
    """The separators of the first interchange, or those guessed for a document without ISA."""
    version: str = ""
    """GS08 of the first group, else ISA12."""
    interchanges: int = 0
    groups: int = 0
    sets: int = 0
    segments: int = 0
    sets_by_id: Counter[str] = field(default_factory=Counter)
    """The number of sets by ST01; of at most 100 ids."""
    warnings: tuple[Finding, ...] = ()
    errors: tuple[Finding, ...] = ()


class DocumentListing:
    """One X12 document, given as a source of bytes that can be read several times.

    Raises (at construction and by all methods):
        LongshoreError: invalid_parameter, document_empty, document_unparseable,
            document_not_x12, segment_too_long.
    """

    def __init__(
        self, source: ByteSource, *, elem_sep: str | None = None, seg_term: str | None = None
    ) -> None:
        self._source = source
        self._overrides = parse_overrides(elem_sep, seg_term)
        self._codec, self._charset, self._mark_bytes = detect(source())

    def summary(self) -> ListingSummary:
        """Read the whole document and return its summary."""
        walk = self._walk()
        found: ListingSummary | None = None
        for spans in walk.span_lists():
            for span in spans:
                delimiters = span.batch.delimiters
                found = found or ListingSummary(charset=self._charset, delimiters=delimiters)
                _count(found, walk, span)
        assert found is not None  # a document without any segment is refused
        found.version = walk.envelope.first_group_version or found.version
        found.segments = walk.envelope.segment_count
        found.warnings, found.errors = walk.log.warnings(), walk.log.errors()
        return found

    def fields(self, most_segments: int | None = None) -> Iterator[list[NamedField]]:
        """Yield the fields of some segments at a time, of the first ``most_segments`` of them."""
        walk = self._walk()
        room = most_segments
        for spans in walk.span_lists():
            for span in spans:
                count = span.last - span.first
                taken = count if room is None else min(count, room)
                writer = FieldWriter(walk, is_single_octet=self._is_single_octet)
                writer.add([span._replace(last=span.first + taken)])
                yield [_named(*member) for member in loads(writer.json()).items()]
                if room is not None:
                    room -= taken
                    if not room:
                        return

    def beginning(self, most_segments: int) -> str:
        """Return the text of the first ``most_segments`` segments, each with its terminator."""
        texts: list[str] = []
        for spans in self._walk().span_lists():
            for span in spans:
                terminator = span.batch.delimiters.segment
                taken = span.batch.texts[span.first : span.last]
                texts += [f"{text}{terminator}" for text in taken]
                if len(texts) >= most_segments:
                    return "".join(texts[:most_segments])
        return "".join(texts)

    @property
    def _is_single_octet(self) -> bool:
        return self._charset == x12doc.LATIN_1

    def _walk(self) -> Walk:
        return Walk(
            lambda: decoded(self._source(), self._codec, self._mark_bytes),
            self._overrides,
            is_single_octet=self._is_single_octet,
            keeps_summaries=False,
        )


def _count(found: ListingSummary, walk: Walk, span: SegmentSpan) -> None:
    rows = span.batch.rows
    if not span.occurrence:
        tags = [row[0] for row in rows[span.first : span.last]]
        walk.numbering.add_later(span.tx_index, tags)
        return
    row = rows[span.first]
    if row[0] == "ISA":
        found.interchanges += 1
        found.version = found.version or row[12].strip()
    elif row[0] == "GS":
        found.groups += 1
    elif row[0] == "ST":
        found.sets += 1
        set_id = row[1] if len(row) > 1 else ""
        if set_id in found.sets_by_id or len(found.sets_by_id) < _MAX_SET_IDS:
            found.sets_by_id[set_id] += 1


def _named(key: str, value: str) -> NamedField:
    found = _KEY.fullmatch(key)
    assert found is not None  # fields.py writes keys in this form
    tag, position, component = found.groups()
    return NamedField(key, _name(tag, int(position), component), value)


@lru_cache(maxsize=8192)
def _name(tag: str, position: int, component: str | None) -> str:
    name = element_name(tag, position)
    return f"{name}, component {int(component)}" if name and component else name
