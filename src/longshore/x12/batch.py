"""Batches: consecutive segments under the same separators, as the reader yields them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from itertools import accumulate
from operator import attrgetter

from longshore.x12.delimiters import Delimiters
from longshore.x12.findings import FindingCode

TakeSets = Callable[[str, int, Delimiters, str], int]
"""Skips whole transaction sets that need no segment-by-segment reading.

Called with the text, the index at which an ST may begin, the delimiters and the separator of
segments; returns the index after the sets it has taken, or the same index if it takes none.
"""


class BatchKind(Enum):
    """The content of a batch: an ISA, ordinary segments, or one binary segment."""

    HEAD = auto()
    SEGMENTS = auto()
    BINARY = auto()


@dataclass(frozen=True, slots=True)
class BatchDiagnostic:
    """A problem that the reader noticed, later reported as a finding."""

    code: FindingCode
    start: int
    """The reader's offset at which it begins."""
    end: int
    """The reader's offset after it."""
    before: int = 0
    """The index in the batch of the segment after it."""
    message: str = ""
    """Its text, where the code alone does not say enough."""
    times: int = 1
    """Above 1, it stands for so many of the same, and the offsets are those of the last one."""
    place: tuple[int, int] | None = None
    """Its character and line in the document, if the text may no longer be in the buffer."""


class SegmentBatch:
    """Consecutive segments read in one step."""

    __slots__ = (
        "_added",
        "_diagnostics",
        "_starts",
        "breaks",
        "delimiters",
        "ids",
        "is_plain",
        "kind",
        "odd_ids",
        "rows",
        "separator",
        "source",
        "start",
        "texts",
    )

    def __init__(  # noqa: PLR0913, PLR0917 - made by the reader alone, in a hot path
        self,
        kind: BatchKind,
        delimiters: Delimiters,
        texts: list[str],
        rows: list[list[str]],
        ids: set[str],
        odd_ids: frozenset[str],
        source: str,
        start: int,
        separator: str = "",
        diagnostics: tuple[BatchDiagnostic, ...] = (),
        starts: list[int] | None = None,
    ) -> None:
        self.kind = kind
        self.delimiters = delimiters
        self.texts = texts
        """The segments without terminators."""
        self.rows = rows
        """The elements of each segment, its id first; a released separator is data in them."""
        self.ids = ids
        """The segment ids that occur."""
        self.source = source
        """The text the segments were read from, separators included."""
        self.start = start
        """The reader's offset of ``source``."""
        self.is_plain = False
        """The text needs no syntax findings: every character is a separator or printable."""
        self.breaks = 0
        """The line breaks of the document before it, counted where text comes in pieces."""
        self.separator = separator
        """The text between two segments (terminator and line break) if it is always the same."""
        self.odd_ids = odd_ids
        """The segment ids that are not well-formed."""
        self._diagnostics = diagnostics
        self._added: list[BatchDiagnostic] = []
        self._starts = starts

    @classmethod
    def of_one(
        cls,
        kind: BatchKind,
        delimiters: Delimiters,
        text: str,
        row: list[str],
        start: int,
        *diagnostics: BatchDiagnostic,
    ) -> SegmentBatch:
        """Return a batch of one segment with a well-formed id."""
        ids, odd_ids = {row[0]}, frozenset[str]()
        return cls(
            kind, delimiters, [text], [row], ids, odd_ids, text, start, diagnostics=diagnostics
        )

    @property
    def diagnostics(self) -> tuple[BatchDiagnostic, ...]:
        """The diagnostics, in order of their position."""
        if self._added:
            both = (*self._diagnostics, *self._added)
            self._diagnostics, self._added = tuple(sorted(both, key=attrgetter("before"))), []
        return self._diagnostics

    @property
    def starts(self) -> list[int]:
        """The reader's offset of each segment; computed on first use."""
        if self._starts is None:
            steps = map(len(self.separator).__add__, map(len, self.texts))
            self._starts = [*accumulate(steps, initial=self.start)][:-1]
        return self._starts

    def add_diagnostic(self, diagnostic: BatchDiagnostic) -> None:
        """Add a diagnostic; those that are added come in order of their position."""
        self._added.append(diagnostic)

    def first(self, count: int, end: int) -> SegmentBatch:
        """Return the first ``count`` segments as a batch, with the diagnostics before ``end``."""
        rows = self.rows[:count]
        ids = {row[0] for row in rows}
        return SegmentBatch(
            self.kind,
            self.delimiters,
            self.texts[:count],
            rows,
            ids,
            self.odd_ids & ids,
            self.source[: end - self.start],
            self.start,
            self.separator,
            tuple(
                diagnostic
                for diagnostic in self.diagnostics
                if diagnostic.start < end or diagnostic.before < count
            ),
            self.starts[:count],
        )
