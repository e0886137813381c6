"""Read a document of any size, segment by segment or set by set, in memory that does not grow.

The bytes are read three times (charset, layout, segments), as ``engine.segments`` says.
"""

from __future__ import annotations

from collections.abc import Iterator

from longshore.engine.acknowledgement import LATIN_1
from longshore.engine.validate import read_options
from longshore.formats.charset import decoded, detect
from longshore.library.containers import TransactionSet
from longshore.library.segments import DocumentSegment
from longshore.library.sources import StreamSource, chunks_of
from longshore.library.walks import SetCollector, walked_segments
from longshore.x12.delimiters import parse_overrides
from longshore.x12.findings import Finding
from longshore.x12.loops.documents import DocumentPlacement
from longshore.x12.walk import Walk


class DocumentStream:
    """The segments of a document that need not fit into memory; each iteration reads it anew.

    Raises (while iterating):
        LongshoreError: document_empty, document_unparseable, document_not_x12, segment_too_long.
    """

    def __init__(
        self,
        source: StreamSource,
        *,
        elem_sep: str | None = None,
        seg_term: str | None = None,
        release: str = "",
        guide: str = "",
    ) -> None:
        self._options = read_options(release, guide)
        self._overrides = parse_overrides(elem_sep, seg_term)
        self._chunks = chunks_of(source)
        self._codec, self.charset, self._mark_bytes = detect(self._chunks())
        self._last_walk: Walk | None = None

    def __iter__(self) -> Iterator[DocumentSegment]:
        """Yield every segment with its place and its loops."""
        options = self._options
        placement = DocumentPlacement(options.dictionary, options.release, options.guide)
        yield from walked_segments(self._walk(), placement)

    def transaction_sets(self) -> Iterator[TransactionSet]:
        """Yield the transaction sets, one in memory at a time."""
        collector = SetCollector()
        for spans in self._walk().span_lists():
            for span in spans:
                ended = collector.take(span)
                if ended is not None:
                    yield TransactionSet(ended, self._options)
        ended = collector.finish()
        if ended is not None:
            yield TransactionSet(ended, self._options)

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """Findings of the last iteration about unusual things that were accepted."""
        return () if self._last_walk is None else self._last_walk.log.warnings()

    @property
    def errors(self) -> tuple[Finding, ...]:
        """Findings of the last iteration about faults of the envelope.

        A stream is not validated: ``read`` and ``validate`` check the content of the sets.
        """
        return () if self._last_walk is None else self._last_walk.log.errors()

    def _walk(self) -> Walk:
        self._last_walk = Walk(
            lambda: decoded(self._chunks(), self._codec, self._mark_bytes),
            self._overrides,
            is_single_octet=self.charset == LATIN_1,
            keeps_summaries=False,
        )
        return self._last_walk


def stream(
    source: StreamSource,
    *,
    elem_sep: str | None = None,
    seg_term: str | None = None,
    release: str = "",
    guide: str = "",
) -> DocumentStream:
    """Open an X12 document of any size.

    Args:
        source: As ``read``; an open file must be one of bytes that can seek. Or a function that
            yields the bytes from their beginning at each call.
        elem_sep: Element separator; detected when None or ``""``.
        seg_term: Segment terminator, likewise.
        release: Six digits; the release whose loops are used, instead of the document's own.
        guide: The implementation guide, likewise.

    Raises:
        LongshoreError: invalid_parameter.
        OSError: The file cannot be read.
        TypeError: ``source`` is none of these.
    """
    return DocumentStream(
        source, elem_sep=elem_sep, seg_term=seg_term, release=release, guide=guide
    )
