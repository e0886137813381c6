"""Read the text of a document into batches of segments, in memory independent of its length.

Theory. Text is split, never scanned: a window of a few thousand characters ends at its last
terminator and is split into segments, and each segment into elements. Almost every window is
regular (the same line break after each terminator, well-formed ids) and costs two ``str.split``.
The set of its segment ids shows whether a window is irregular; only then are its segments read one
by one. Five ids are landmarks, because the text after them reads differently: ISA (other
separators), IEA (the interchange ends), BIN and BDS (data by length), ISX (a release character).
A window ends at its first landmark. After a landmark, windows start small and double, so that a
document made of landmarks is still read in linear time.

Offsets count from ``DocumentLayout.start``, without the line breaks of a wrapped document;
``SegmentReader.positions`` turns them into offsets and lines. Source: x12.md sections 1.2 to 1.4.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import Enum, auto
from typing import Final

from longshore.x12.batch import BatchDiagnostic, BatchKind, SegmentBatch, TakeSets
from longshore.x12.binary import BinarySegment, Octets, read_binary
from longshore.x12.delimiters import (
    HEAD_CHARS,
    ISA_CHARS,
    NO_OVERRIDES,
    DelimiterOverrides,
    Delimiters,
    HeadFault,
    InterchangeHead,
    has_fixed_width_isa,
    is_usable,
    read_head,
)
from longshore.x12.document_positions import DocumentPositions
from longshore.x12.findings import FindingCode
from longshore.x12.layout import FILLER, DocumentLayout
from longshore.x12.refusals import MAX_SEGMENT_CHARS, too_long_segment, unreadable_head
from longshore.x12.splitter import Splitter, any_isa

_TINY_WINDOW: Final = 256
_SMALL_WINDOW: Final = 2048
_LARGE_WINDOW: Final = 10_240  # rows of two windows: in the cache, too few to start a collection
_LANDMARKS: Final = frozenset(("ISA", "IEA", "BIN", "BDS", "ISX"))
_IEA_ALONE: Final = frozenset(("IEA",))
_BINARY: Final = frozenset(("BIN", "BDS"))
_LAST_OF_WINDOW: Final = frozenset(("IEA", "ISX"))
_RELEASE_SINCE: Final = "00704"
_FILLER_RUN = re.compile(f"[{FILLER}]*")
_LAST_FILLER: Final = "\r\n\0\x1a"
_NOT_YET: Final = Delimiters(element="", segment="", component="")
_NO_ISA: Final = HeadFault(
    code=FindingCode.CONTROL_STRUCTURE_INVALID, message="there is no ISA", offset=0
)


class _State(Enum):
    GAP = auto()  # before the first ISA or after an IEA: only filler so far
    GARBAGE = auto()  # there, after something that is neither filler nor an ISA
    SEGMENTS = auto()


class SegmentReader:
    """Reads the text of one document, given in pieces of any size, into batches of segments.

    Args:
        layout: What ``scout`` found in the same text.
        overrides: The separators of the request.
        is_single_octet: Each character was one octet (ISO-8859-1), which binary lengths count.

    Raises (while reading):
        LongshoreError: segment_too_long; document_unparseable if the first ISA is no ISA.
    """

    def __init__(
        self,
        layout: DocumentLayout,
        overrides: DelimiterOverrides = NO_OVERRIDES,
        *,
        is_single_octet: bool = False,
    ) -> None:
        self.positions = DocumentPositions(layout)
        self.take_sets: TakeSets | None = None
        """Called wherever a set may begin."""
        self._has_taken = False
        self._layout = layout
        self._overrides = overrides
        self._octets = Octets(is_single_octet=is_single_octet)
        self._text = ""
        self._base = 0  # offset of the first character of _text
        self._pos = 0  # index in _text of the next character to read
        self._coming: list[str] = []  # pieces of binary data that is not complete yet
        self._wanted = 0  # characters needed before reading can continue
        self._to_skip = layout.start
        self._is_closed = False
        self._has_begun = layout.fragment is not None
        self._garbage_start = 0
        self._garbage_position = (0, 0)
        self._ordinary_at = -1  # offset of a landmark that turned out to be an ordinary segment
        self._window = _SMALL_WINDOW
        self._pending: tuple[BatchDiagnostic, ...] = ()
        self._version = ""
        self._state = _State.SEGMENTS if layout.fragment else _State.GAP
        self._use(layout.fragment or _NOT_YET)

    def read(self, pieces: Iterable[str]) -> Iterator[SegmentBatch]:
        """Yield the batches of a whole document, given as one piece or more."""
        coming = iter(pieces)
        piece = next(coming)
        for following in coming:
            yield from self.feed(piece)
            piece = following
        yield from self.feed(piece, is_last=True)

    def feed(self, text: str, *, is_last: bool = False) -> Iterator[SegmentBatch]:
        """Take the next piece of the document and yield the batches that are complete.

        Run the iterator to its end before the next call.
        """
        self._is_closed = is_last
        if self._to_skip:
            skipped, text = text[: self._to_skip], text[self._to_skip :]
            self._to_skip -= len(skipped)
            self.positions.skip(skipped)
        if self._layout.line_width:
            text = text.replace("\r", "").replace("\n", "")
        self._wanted -= len(text)
        if self._coming or self._wanted > 0:
            self._coming.append(text)
            if self._wanted > 0 and not is_last:
                return iter(())
            text = "".join(self._coming)
            self._coming.clear()
        if self._pos:  # drop the text that was read
            self._base += self._pos
            self._text, self._pos = self._text[self._pos :], 0
        self._text = self._text + text if self._text else text
        self.positions.set_buffer(self._text, self._base)
        return self._batches()

    # ---- between interchanges ---------------------------------------------------------------

    def _batches(self) -> Iterator[SegmentBatch]:
        while True:
            if self._state is _State.SEGMENTS:
                batch = self._segments()
            elif self._state is _State.GAP:
                batch = self._gap()
            else:
                batch = self._skip_garbage()
            if batch is None:
                return
            if batch.rows or batch.diagnostics:
                if not self._is_closed:  # positions may be needed when its text is gone
                    batch.breaks = self.positions.breaks_before(batch.start)
                yield batch

    def _gap(self) -> SegmentBatch | None:
        run = _FILLER_RUN.match(self._text, self._pos)
        assert run is not None  # it matches the empty text
        self._pos = run.end()
        if self._pos == len(self._text):
            return None
        head = self._read_head()
        if head is None:
            return None
        if isinstance(head, InterchangeHead):
            return self._begin(head)
        if not self._has_begun:
            place = self.positions.of(self._base + self._pos)
            raise unreadable_head(head, place, self._text[self._pos :][:HEAD_CHARS])
        self._state = _State.GARBAGE
        self._garbage_start = self._base + self._pos
        self._garbage_position = self.positions.of(self._garbage_start)
        return self._diagnostics(*self._about_head(head))

    def _read_head(self) -> InterchangeHead | HeadFault | None:
        """Read the ISA at the current position; None if more text is needed."""
        text, pos = self._text, self._pos
        there = len(text) - pos
        known = self._layout.head
        if known is not None and self._base + pos == 0 and there >= known.chars + 2:
            return known
        is_certain = self._is_closed or there >= HEAD_CHARS
        if not text.startswith("ISA" if is_certain else "ISA"[:there], pos):
            return _NO_ISA
        if not is_certain and not (there > ISA_CHARS + 1 and has_fixed_width_isa(text, pos)):
            return None
        return read_head(text, pos, self._overrides)

    def _about_head(self, fault: HeadFault) -> Iterator[BatchDiagnostic]:
        if fault is not _NO_ISA:
            at = self._base + self._pos + fault.offset
            message = f"{fault.message}; this interchange is not read"
            yield BatchDiagnostic(fault.code, at, at, 0, message)

    def _skip_garbage(self) -> SegmentBatch | None:
        """Find the next ISA of fixed width; the text before it is reported and not read."""
        text, at = self._text, self._text.find("ISA", self._pos)
        # An ISA is certain with the two characters after it, or at the end of the document.
        enough = ISA_CHARS + (1 if self._is_closed else 2)
        while at >= 0 and len(text) - at >= enough:
            if has_fixed_width_isa(text, at):
                head = read_head(text, at, self._overrides)
                if isinstance(head, InterchangeHead):
                    self._pos = at
                    return self._begin(head, self._garbage_diagnostic(at))
            at = text.find("ISA", at + 1)
        if self._is_closed:
            self._pos, self._state = len(text), _State.GAP
            return self._diagnostics(self._garbage_diagnostic(len(text)))
        self._pos = max(self._pos, len(text) - 2 if at < 0 else at)
        return None

    def _garbage_diagnostic(self, end: int) -> BatchDiagnostic:
        start, place = self._garbage_start, self._garbage_position
        return BatchDiagnostic(FindingCode.TRAILING_DATA, start, self._base + end, place=place)

    def _begin(self, head: InterchangeHead, *diagnostics: BatchDiagnostic) -> SegmentBatch:
        """Start the interchange at the current position; the batch is its ISA."""
        start = self._base + self._pos
        text = self._text[self._pos : self._pos + head.chars]
        self._pos += head.chars + len(head.terminator)
        self._state, self._has_begun = _State.SEGMENTS, True
        self._use(head.delimiters)
        if not head.is_fixed_width:
            diagnostics += (BatchDiagnostic(FindingCode.ISA_NOT_FIXED_WIDTH, start, start),)
        if head.contradicts_override:
            diagnostics += (BatchDiagnostic(FindingCode.SEPARATOR_OVERRIDE_CONFLICT, start, start),)
        row = text.split(head.element)
        self._version = row[12]
        return SegmentBatch.of_one(BatchKind.HEAD, head.delimiters, text, row, start, *diagnostics)

    def _use(self, delimiters: Delimiters) -> None:
        self._delimiters = delimiters
        self._splitter = Splitter(delimiters)
        self._window = _SMALL_WINDOW

    def _diagnostics(self, *diagnostics: BatchDiagnostic) -> SegmentBatch:
        kind, start = BatchKind.SEGMENTS, self._base + self._pos
        return SegmentBatch(
            kind, self._delimiters, [], [], set(), frozenset(), "", start, "", diagnostics
        )

    # ---- inside an interchange --------------------------------------------------------------

    def _segments(self) -> SegmentBatch | None:
        self._pos = self._splitter.skip_blank(self._text, self._pos)
        if self.take_sets is not None and not self._pending:
            pos, separator = self._pos, self._splitter.separator_from(self._text, self._pos)
            self._pos = self.take_sets(self._text, pos, self._delimiters, separator)
            self._has_taken = self._has_taken or self._pos > pos
        offset = self._base + self._pos
        is_special = self._splitter.is_special(self._text[self._pos : self._pos + 4])
        if is_special and offset != self._ordinary_at:
            found = self._special()
            if isinstance(found, SegmentBatch):
                return found
            if not found:
                return None
            self._ordinary_at = offset
        return self._read_window()

    def _special(self) -> SegmentBatch | bool:
        """Read binary data or an ISA at the current position.

        Returns:
            True if it is an ordinary segment, False if more text is needed.
        """
        if self._text.startswith("ISA", self._pos):
            head = self._read_head()
            return self._begin(head) if isinstance(head, InterchangeHead) else head is not None
        found = read_binary(
            self._text, self._pos, self._delimiters, self._octets, is_last=self._is_closed
        )
        if isinstance(found, BinarySegment):
            return self._binary(found)
        if found is None:
            at = self._base + self._pos
            self._pending = (BatchDiagnostic(FindingCode.BINARY_LENGTH_MISMATCH, at, at),)
        else:
            self._wanted = found - len(self._text)
        return found is None

    def _binary(self, found: BinarySegment) -> SegmentBatch:
        start, text = self._base + self._pos, self._text[self._pos : found.end]
        self._pos = self._splitter.skip_terminator(self._text, found.end)
        self._window = _SMALL_WINDOW
        kind, diagnostics = BatchKind.BINARY, () if self._pos > found.end else (self._at_end(),)
        marks, row = self._delimiters, found.elements
        return SegmentBatch.of_one(kind, marks, text, row, start, *diagnostics)

    def _at_end(self, after: int = 1) -> BatchDiagnostic:
        end = self._base + self._pos
        return BatchDiagnostic(FindingCode.MISSING_FINAL_TERMINATOR, end, end, after - 1)

    def _read_window(self) -> SegmentBatch | None:
        """Read segments up to the last terminator of the window, or to a landmark."""
        cut = self._window_end()
        if cut is None:
            return self._read_rest() if self._is_closed else None
        batch = self._split(self._text[self._pos : cut])
        self._pos = cut + 1
        self._window = min(2 * self._window, _LARGE_WINDOW)
        return self._up_to_landmark(batch)

    def _split(self, body: str) -> SegmentBatch:
        diagnostics, self._pending = self._pending, ()
        return self._splitter.split(body, self._base + self._pos, diagnostics)

    def _window_end(self) -> int | None:
        """Return the index of the terminator that ends the window; None if there is none yet.

        Raises:
            too_long_segment: The text before it is longer than a segment may be.
        """
        text, pos = self._text, self._pos
        # A set that is taken whole is not read in one window with a GS or another set.
        is_set = text.startswith(f"ST{self._delimiters.element}", pos)
        is_short = self.take_sets is not None and (self._has_taken or not is_set)
        cut = self._splitter.window_end(text, pos, self._window, is_short=is_short)
        if (cut if cut >= 0 else len(text)) - pos > MAX_SEGMENT_CHARS:
            raise too_long_segment(*self.positions.of(self._base + pos))
        return cut if cut >= 0 else None

    def _read_rest(self) -> SegmentBatch | None:
        """Read the text after the last terminator of the document as one segment."""
        rest = self._text[self._pos :].rstrip(_LAST_FILLER)
        if not rest:
            self._pos = len(self._text)
            return None
        batch = self._split(rest)
        self._pos += len(rest)
        batch.add_diagnostic(self._at_end(len(batch.texts)))
        batch = self._up_to_landmark(batch)
        self._pos = len(self._text)
        return batch

    def _up_to_landmark(self, batch: SegmentBatch) -> SegmentBatch:
        """Cut ``batch`` at its first landmark, where reading continues."""
        if batch.ids.isdisjoint(_LANDMARKS) and not any_isa(batch.odd_ids):
            return batch
        tags = [row[0] for row in batch.rows]
        is_common = batch.ids & _LANDMARKS == _IEA_ALONE and not any_isa(batch.odd_ids)
        if is_common and not batch.diagnostics and tags.index("IEA") == len(tags) - 1:
            self._state = _State.GAP  # the common end: nothing to cut
            return batch
        for index, tag in enumerate(tags):
            text, start = batch.texts[index], batch.starts[index]
            if self._splitter.is_special(text[:4]) and start != self._ordinary_at:
                if not self._is_ordinary(text, start):
                    return self._cut(batch, index, start)
                if tag in _BINARY:
                    batch.add_diagnostic(
                        BatchDiagnostic(FindingCode.BINARY_LENGTH_MISMATCH, start, start, index)
                    )
            elif tag in _LAST_OF_WINDOW:
                batch = self._cut(batch, index + 1, start + len(text))
                self._pos = self._splitter.skip_terminator(self._text, self._pos)
                self._state = _State.GAP if tag == "IEA" else self._state
                return batch if tag == "IEA" else self._with_release(batch)
        return batch

    def _is_ordinary(self, text: str, start: int) -> bool:
        """Return whether a segment that looked special is certainly ordinary."""
        at = start - self._base
        if text.startswith("ISA"):
            is_certain = self._is_closed or len(self._text) - at >= HEAD_CHARS
            return is_certain and isinstance(read_head(self._text, at, self._overrides), HeadFault)
        binary = read_binary(
            self._text, at, self._delimiters, self._octets, is_last=self._is_closed
        )
        return binary is None

    def _cut(self, batch: SegmentBatch, count: int, end: int) -> SegmentBatch:
        """Return the first ``count`` segments, and continue reading at offset ``end``.

        The next window is in proportion to the part that was used, so that reading stays linear
        when every window is cut.
        """
        self._pos = end - self._base
        self._window = min(max(2 * (end - batch.start), _TINY_WINDOW), _LARGE_WINDOW)
        return batch.first(count, end)

    def _with_release(self, batch: SegmentBatch) -> SegmentBatch:
        """Use the release character of the ISX that ends ``batch``, if it is valid."""
        row, delimiters = batch.rows[-1], self._delimiters
        mark = row[1] if len(row) > 1 else ""
        marks = delimiters.marks
        is_valid = self._version >= _RELEASE_SINCE and is_usable(mark) and mark not in marks
        if is_valid and not delimiters.release:
            self._use(delimiters._replace(release=mark))
        else:
            at = batch.starts[-1]
            code, before = FindingCode.RELEASE_CHARACTER_INVALID, len(batch.rows) - 1
            batch.add_diagnostic(BatchDiagnostic(code, at, at, before))
        return batch
