"""The walk through one document in one pass: layout, segments, envelope, syntax.

Iterate ``Walk.span_lists`` for the segments; fields and views are built that way, whole or
streamed. The findings are in ``Walk.log`` when the walk has ended.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from longshore.x12.batch import BatchDiagnostic, SegmentBatch
from longshore.x12.control import SegmentSpan
from longshore.x12.delimiters import NO_OVERRIDES, DelimiterOverrides
from longshore.x12.envelope import Envelope
from longshore.x12.findings import NO_LENIENCY, FindingCode, FindingLog, Severity
from longshore.x12.layout import scout
from longshore.x12.reader import SegmentReader
from longshore.x12.report import Reporter, SegmentRef
from longshore.x12.syntax import SyntaxCheck, is_plain
from longshore.x12.unread import may_be_document

# Yields the text of the document from its beginning at each call, in pieces of any size.
TextSource = Callable[[], Iterable[str]]


@dataclass(slots=True)
class Numbering:
    """The number of segments of each id: in the current set, and outside every set.

    The consumer of the walk counts: after each span it adds its segments to the result of ``of``
    or, if the numbers may never be needed, calls ``add_later``.
    """

    tx_index: int = 0
    in_set: dict[str, int] = field(default_factory=dict)
    outside: dict[str, int] = field(default_factory=dict)
    _later: list[tuple[int, list[str]]] = field(default_factory=list)

    def of(self, tx_index: int) -> dict[str, int]:
        """Return the counts that body segments of this set (0: none) are numbered by."""
        if self._later:
            self._add()
        if not tx_index:
            return self.outside
        if tx_index != self.tx_index:
            self.tx_index, self.in_set = tx_index, {}
        return self.in_set

    def add_later(self, tx_index: int, tags: list[str]) -> None:
        """Count these ids of body segments when numbers are next needed."""
        later = self._later
        if later and tx_index and later[-1][0] not in {0, tx_index}:
            later[:] = [each for each in later if not each[0]]  # what the last set had is past
        later.append((tx_index, tags))

    def _add(self) -> None:
        later, self._later = self._later, []
        for tx_index, tags in later:
            counts = self.of(tx_index)
            for tag in tags:
                counts[tag] = counts.get(tag, 0) + 1


class Walk:
    """One pass over a document.

    Raises (while iterating):
        LongshoreError: document_empty, document_unparseable, segment_too_long.
    """

    def __init__(
        self,
        source: TextSource,
        overrides: DelimiterOverrides = NO_OVERRIDES,
        *,
        is_single_octet: bool = False,
        keeps_summaries: bool = True,
        leniency: Mapping[str, Severity] = NO_LENIENCY,
        log: FindingLog | None = None,
    ) -> None:
        """Begin a pass.

        Args:
            source: The text of the document.
            overrides: Separators that replace those of the ISA.
            is_single_octet: It was decoded from a charset with one octet for each character.
            keeps_summaries: Keep the summaries of all sets, not only of the open one.
            leniency: Severities other than everybody's, by code.
            log: Takes the findings instead of a log of them all with this leniency.
        """
        self._source = source
        self._overrides = overrides
        self.layout = scout(source(), overrides)
        self.reader = SegmentReader(self.layout, overrides, is_single_octet=is_single_octet)
        self.log = FindingLog(leniency) if log is None else log
        self.reporter = Reporter(self.log, self.reader.positions)
        self.envelope = Envelope(self.reporter, keeps_summaries=keeps_summaries)
        self.numbering = Numbering()
        self._is_single_octet = is_single_octet
        self._check = SyntaxCheck(self.reporter)
        self._has_sets: bool | None = None
        self._unread: list[tuple[int, int]] = []
        """Characters outside every interchange: start and end."""

    def span_lists(self) -> Iterator[list[SegmentSpan]]:
        """Yield all segments in document order, as lists of spans.

        The consumer counts a list in ``numbering`` before it asks for the next.
        """
        self._report_layout()
        for batch in self.reader.read(self._source()):
            batch.is_plain = is_plain(batch)
            if batch.is_plain and not batch.diagnostics:
                yield list(self.envelope.follow(batch))
            else:
                yield from self._checked(batch)
        self.envelope.finish()
        if self.layout.line_width:
            message = f"the document was wrapped at {self.layout.line_width} characters"
            self.reporter.document(
                FindingCode.WRAPPED_LINES, message, self.layout.start, self.layout.first_line
            )

    def scope(self, tx_index: int) -> str:
        """Return the prefix of the keys of a set: ``""`` for the first, ``ST[2]/``, ``ST[0]/``."""
        if tx_index == 1:
            return ""
        if tx_index:
            return f"ST[{tx_index}]/"
        return "ST[0]/" if self.has_sets() else ""

    def has_sets(self) -> bool:
        """Return whether the document has a transaction set anywhere; may read ahead, once."""
        if self.envelope.set_count:
            return True
        if self._has_sets is None:
            ahead = Walk(
                self._source,
                self._overrides,
                is_single_octet=self._is_single_octet,
                keeps_summaries=False,
            )
            self._has_sets = any("ST" in batch.ids for batch in ahead.reader.read(self._source()))
        return self._has_sets

    def unread_documents(self) -> tuple[tuple[int, int], ...]:
        """Return which parts of the text were not read, but may be documents of their own.

        They stand outside every interchange: characters from 0, the end excluded. Known when the
        walk has ended.
        """
        if not self._unread:
            return ()
        text = "".join(self._source())
        separators = {each.delimiters.element for each in self.envelope.interchanges}
        return tuple(
            (start, end)
            for start, end in self._unread
            if may_be_document(text[start:end], separators)
        )

    def _report_layout(self) -> None:
        layout = self.layout
        if layout.start > layout.filler_chars:
            self._unread.append((layout.filler_chars, layout.start))
            self.reporter.document(
                FindingCode.LEADING_GARBAGE,
                f"{layout.start - layout.filler_chars} characters before the ISA are not read",
                layout.filler_chars,
                layout.first_line,
            )
        if layout.fragment is not None:
            self.reporter.document(
                FindingCode.NO_ENVELOPE,
                "the document has no ISA; its separators were guessed",
                layout.start,
                layout.first_line,
            )

    def _checked(self, batch: SegmentBatch) -> Iterator[list[SegmentSpan]]:
        """Yield the spans of a batch that is not plain, each after it has been checked."""
        diagnostics = deque(batch.diagnostics)
        for span in self.envelope.follow(batch):
            self._check_span(span, diagnostics)
            yield [span]
        for diagnostic in diagnostics:
            self._report_region(diagnostic)

    def _check_span(self, span: SegmentSpan, diagnostics: deque[BatchDiagnostic]) -> None:
        occurrences: dict[str, int] = {}
        for index in range(span.first, span.last):
            tag = span.batch.rows[index][0]
            occurrences[tag] = occurrences.get(tag, 0) + 1
            place = self._place(span, index, tag, occurrences[tag])
            while diagnostics and diagnostics[0].before <= index:
                self._report_diagnostic(diagnostics.popleft(), place)
            self._check.segment(place, self.envelope.version)

    def _place(self, span: SegmentSpan, index: int, tag: str, occurrence: int) -> SegmentRef:
        ahead = index - span.first
        if span.occurrence:
            key, occurrence = "", span.occurrence
        else:
            key = self.scope(span.tx_index)
            occurrence += self.numbering.of(span.tx_index).get(tag, 0)
        key += tag if occurrence == 1 else f"{tag}[{occurrence}]"
        position = span.position if span.tx_index else span.ordinal
        return SegmentRef(
            batch=span.batch,
            at=index,
            tx_index=span.tx_index,
            position=position + ahead,
            key=key,
        )

    def _report_diagnostic(self, diagnostic: BatchDiagnostic, place: SegmentRef) -> None:
        if diagnostic.code in _ABOUT_SEGMENTS:
            self.reporter.segment(diagnostic.code, _ABOUT_SEGMENTS[diagnostic.code], place)
        else:
            self._report_region(diagnostic)

    def _report_region(self, diagnostic: BatchDiagnostic) -> None:
        if diagnostic.code is FindingCode.TRAILING_DATA:
            start = (diagnostic.place or (0, 0))[0]
            end = self.reader.positions.after(diagnostic.end)
            self._unread.append((start, end))
            message = f"{end - start} characters outside every interchange are not read"
        else:
            message = diagnostic.message or _REGIONS[diagnostic.code]
        if diagnostic.times > 1:
            self.log.count(diagnostic.code, diagnostic.times)
        else:
            self.reporter.region(diagnostic.code, message, diagnostic.start, diagnostic.place)


_ABOUT_SEGMENTS = {
    FindingCode.ISA_NOT_FIXED_WIDTH: "the elements of the ISA are not padded to their widths",
    FindingCode.SEPARATOR_OVERRIDE_CONFLICT: "the separators of the request contradict the ISA",
    FindingCode.BINARY_LENGTH_MISMATCH: "the length does not lead to the end of the binary data",
    FindingCode.RELEASE_CHARACTER_INVALID: "ISX01 is not used as a release character",
    FindingCode.MISSING_FINAL_TERMINATOR: "the last segment has no terminator",
}
_REGIONS = {
    FindingCode.EMPTY_SEGMENT: "an empty segment is skipped and not counted",
    FindingCode.MISSING_FINAL_TERMINATOR: "the last segment has no terminator",
}
