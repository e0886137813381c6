"""Convert the reader's offsets to characters and lines of the document.

The reader counts characters from the first segment, in text without the line breaks of a wrapped
document. Lines are counted on demand from the last known position, so that conversions in ascending
order cost one pass over the text.
"""

from __future__ import annotations

from longshore.x12.batch import SegmentBatch
from longshore.x12.layout import DocumentLayout


class DocumentPositions:
    """Converts the reader's offsets to 0-based characters and 1-based lines of the document."""

    def __init__(self, layout: DocumentLayout) -> None:
        self._start = layout.start
        self._width = layout.line_width
        self._break_chars = len(layout.line_break)
        self._first_line = 1
        self._text = ""
        self._base = 0
        self._known = (0, 0)  # an offset, and the line breaks before it

    def skip(self, text: str) -> None:
        """Take text that lies before the first segment."""
        self._first_line += text.count("\n")

    def set_buffer(self, text: str, base: int) -> None:
        """Replace the buffer by the reader's current one, which begins at offset ``base``."""
        if self._known[0] < base and not self._width:
            self.breaks_before(base)
        self._text, self._base = text, base

    def breaks_before(self, offset: int) -> int:
        """Return the line breaks before an offset in the buffer; nothing in wrapped documents."""
        if self._width:
            return 0
        known, breaks = self._known
        if offset < known:
            return breaks - self._text.count("\n", offset - self._base, known - self._base)
        span = known - self._base, offset - self._base
        if self._text.find("\n", *span) >= 0:  # most have none, and finding is 20 times faster
            breaks += self._text.count("\n", *span)
        self._known = (offset, breaks)
        return breaks

    def of(self, offset: int, batch: SegmentBatch | None = None) -> tuple[int, int]:
        """Return character and line of an offset in the buffer, or in ``batch`` of any age."""
        if self._width:
            is_end = offset > 0 and offset >= self._base + len(self._text)
            breaks = (offset - is_end) // self._width  # no line begins after the last character
            return self._start + offset + breaks * self._break_chars, self._first_line + breaks
        if batch is not None and offset < self._base:
            breaks = batch.breaks + batch.source.count("\n", 0, offset - batch.start)
        else:
            breaks = self.breaks_before(offset)
        return self._start + offset, self._first_line + breaks

    def after(self, offset: int) -> int:
        """Return the document's character just after the one before ``offset``."""
        if self._width and offset:
            return self.of(offset - 1)[0] + 1
        return self._start + offset
