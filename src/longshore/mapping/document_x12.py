"""An X12 document split into the segments of its sets and of its envelope, for rules to read.

Source: fields-and-mapping.md section 2.1, x12.md section 1.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from itertools import chain
from typing import Final, NamedTuple

from longshore.mapping.completeness import EnvelopeFault, EnvelopeLog
from longshore.mapping.segments import Segments
from longshore.mapping.writes import SetPlace
from longshore.x12.clean_document import CleanDocument, read_clean_document
from longshore.x12.control import SegmentSpan, element_at
from longshore.x12.delimiters import NO_OVERRIDES, DelimiterOverrides
from longshore.x12.document_positions import DocumentPositions
from longshore.x12.walk import Walk

MAX_PASSED: Final = 100
"""The number of sets after the wanted one whose headers are stored; all are counted."""


class SetView(NamedTuple):
    """One set."""

    segments: Segments
    frame: MutableMapping[str, int]
    """By id, which of the ISA, GS, ST and SE segments of the document is its own, from 0; one that
    is missing is not in it."""


class X12Document:
    """The segments of a document."""

    incomplete: EnvelopeFault | None = None
    """A part of the document is missing or was not read."""
    miscounted: EnvelopeFault | None = None
    """A trailer counts more or less than there is."""

    def __init__(
        self,
        text: str,
        overrides: DelimiterOverrides = NO_OVERRIDES,
        *,
        is_single_octet: bool = False,
        is_traced: bool = False,
        only: int | None = None,
    ) -> None:
        """Read a document.

        Args:
            text: The decoded document.
            overrides: Separators that replace those of the ISA.
            is_single_octet: It was decoded from a charset with one octet for each character.
            is_traced: Record the positions of segments, for ``explain``.
            only: The one set that is wanted, from 1; only the headers of sets after it are read.

        Raises:
            LongshoreError: document_empty, document_unparseable, segment_too_long.
        """
        self.control = Segments(0, is_single_octet=is_single_octet)
        """The segments of its envelope, in order."""
        self.sets: dict[int, SetView] = {}
        """The sets by index, from 1; 0 is the segments outside every set. A document without ST is
        set 1."""
        self.places: DocumentPositions | None = None
        """Where the reader's offsets lie, if the document is traced."""
        self._is_single_octet = is_single_octet
        self._only = only
        self._passed_count = 0  # sets after the wanted one
        self._passed: dict[int, SetPlace] = {}
        is_ordinary = overrides is NO_OVERRIDES and not is_traced
        frame = read_clean_document(text, may_have_parts=True) if is_ordinary else None
        if frame is not None:
            self._take(frame)
        else:
            log = EnvelopeLog()
            walk = Walk(
                lambda: (text,),
                overrides,
                is_single_octet=is_single_octet,
                keeps_summaries=False,
                log=log,
            )
            self._read(walk, is_traced=is_traced)
            self.incomplete = log.incomplete(walk.unread_documents())
            self.miscounted = log.miscounted()

    @property
    def set_count(self) -> int:
        """The number of transaction sets."""
        return max(self.sets, default=0) + self._passed_count

    def set_place(self, tx_index: int) -> SetPlace:
        """Return the id and control number of a set; only the first skipped sets are known."""
        if tx_index in self._passed:
            return self._passed[tx_index]
        header = self.header(tx_index, "ST")
        return SetPlace(tx_index, element_at(header, 1), element_at(header, 2))

    def header(self, tx_index: int, tag: str) -> list[str]:
        """Return the id and the elements of the ISA, GS or ST of a set; empty if it has none."""
        view = self.sets.get(tx_index)
        if view is None or tag not in view.frame:
            return []
        return self.control.plain_row(self.control.by_id[tag][view.frame[tag]])

    def _take(self, frame: CleanDocument) -> None:
        """Take a document that was read in one step."""
        delimiters, header, texts, rows, sets, has_parts = frame
        around = [0]  # the segments of the envelope
        first = 1
        for each in sets:
            last = first + each.segment_count - 1
            segments = Segments(each.index)
            segments.add_rows(texts[first + 1 : last], rows[first + 1 : last], delimiters)
            segments.are_plain = not has_parts
            at = each.index - 1
            self.sets[each.index] = SetView(segments, {"ISA": 0, "GS": 0, "ST": at, "SE": at})
            around += (first, last)
            first = last + 1
        around += range(first, len(rows))
        self.control.add_rows(
            [delimiters.element.join(header), *(texts[at] for at in around)],
            [header, *(rows[at] for at in around)],
            delimiters,
        )

    def _read(self, walk: Walk, *, is_traced: bool) -> None:
        self.places = walk.reader.positions if is_traced else None
        seen: dict[str, int] = {}
        is_behind = False
        for span in chain.from_iterable(walk.span_lists()):
            index = span.tx_index
            if not span.occurrence:
                index = index or int(not walk.has_sets())
                if self._only in {None, index}:
                    self._view(index, seen).segments.add(span, is_traced=is_traced)
                continue
            tag = span.batch.rows[span.first][0]
            is_behind = is_behind or (self._only in self.sets and tag != "SE")
            if is_behind:
                self._pass(tag, span)
                continue
            self.control.add(span, is_traced=is_traced)
            seen[tag] = span.occurrence - 1
            if tag in {"ST", "SE"} and index and self._only in {None, index}:
                self._view(index, seen).frame[tag] = seen[tag]

    def _pass(self, tag: str, span: SegmentSpan) -> None:
        """Count a set after the wanted one, and store the headers of the first ones."""
        if tag != "ST":
            return
        self._passed_count += 1
        if len(self._passed) < MAX_PASSED:
            row = span.batch.rows[span.first]
            place = SetPlace(span.tx_index, element_at(row, 1), element_at(row, 2))
            self._passed[span.tx_index] = place

    def _view(self, index: int, seen: Mapping[str, int]) -> SetView:
        view = self.sets.get(index)
        if view is None:
            frame = {tag: seen[tag] for tag in ("ISA", "GS", "ST") if tag in seen}
            segments = Segments(index, is_single_octet=self._is_single_octet)
            view = self.sets[index] = SetView(segments, frame)
        return view
