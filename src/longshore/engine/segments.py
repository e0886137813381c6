"""Stream the segments view: one JSON line for each segment, in memory independent of the document.

The bytes are read three times (charset, layout, segments), each time from their beginning, because
charset and line wrapping are certain only at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from longshore.formats import x12doc
from longshore.formats.charset import decoded, detect
from longshore.x12.delimiters import parse_overrides
from longshore.x12.findings import Finding
from longshore.x12.walk import Walk

# Yields the bytes of the document from its beginning at each call, in pieces of any size.
ByteSource = Callable[[], Iterable[bytes]]


class SegmentStream:
    """The segments of one X12 document; iterate once, then read its findings.

    Raises (while iterating):
        LongshoreError: invalid_parameter, document_empty, document_unparseable, document_not_x12,
            segment_too_long; also at construction.
    """

    def __init__(
        self, source: ByteSource, *, elem_sep: str | None = None, seg_term: str | None = None
    ) -> None:
        overrides = parse_overrides(elem_sep, seg_term)
        codec, charset, mark_bytes = detect(source())
        self.charset = charset
        self._is_single_octet = charset == x12doc.LATIN_1
        self._walk = Walk(
            lambda: decoded(source(), codec, mark_bytes),
            overrides,
            is_single_octet=self._is_single_octet,
            keeps_summaries=False,
        )

    def __iter__(self) -> Iterator[bytes]:
        """Yield one line of JSON a segment, in document order."""
        lines = x12doc.stream_segments(self._walk, is_single_octet=self._is_single_octet)
        for line in lines:
            yield line.encode() + b"\n"

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """Findings about unusual things that were accepted; complete after the iteration."""
        return self._walk.log.warnings()

    @property
    def errors(self) -> tuple[Finding, ...]:
        """Findings about faults of the envelope; complete after the iteration."""
        return self._walk.log.errors()


def stream_segments(
    source: ByteSource, *, elem_sep: str | None = None, seg_term: str | None = None
) -> SegmentStream:
    """Open the segments of an X12 document as a stream of JSON lines.

    Args:
        source: Yields the bytes of the document, anew at each call.
        elem_sep: Element separator; detected when None or ``""``.
        seg_term: Segment terminator, likewise.

    Raises:
        LongshoreError: invalid_parameter, document_empty, document_unparseable, document_not_x12.
    """
    return SegmentStream(source, elem_sep=elem_sep, seg_term=seg_term)
