"""Batches: consecutive segments under the same separators, as the reader hands them on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from itertools import accumulate
from operator import attrgetter

from longshore.x12.delimiters import Delimiters
from longshore.x12.findings import FindingCode

# Told text, where an ST may begin in it, the separators and what stands between two segments; takes
# whole sets that nobody needs to read and returns where they end, or that same place.
TakeSets = Callable[[str, int, Delimiters, str], int]


class BatchKind(Enum):
    """What a batch holds: an ISA that begins an interchange, ordinary or binary segments."""

    HEAD = auto()
    SEGMENTS = auto()
    BINARY = auto()


@dataclass(frozen=True, slots=True)
class BatchNote:
    """Something noticed while reading, at ``[start, end)``, before segment ``before`` of its batch.

    Offsets are the reader's own. ``message`` is given where the code alone does not say enough;
    ``times`` above 1 stands for as many of which only the last has a place. ``place`` is known
    where the text may be gone: character and line.
    """

    code: FindingCode
    start: int
    end: int
    before: int = 0
    message: str = ""
    times: int = 1
    place: tuple[int, int] | None = None


class SegmentBatch:
    """Consecutive segments read in one go.

    ``texts``: the segments without terminators. ``rows``: their elements, ``rows[i][0]`` the id; a
    released separator is data there. ``ids``: the ids among them, ``odd_ids`` those that are not
    well-formed. ``source``: the text they came from, separators included. ``joint``: what stands
    between two of them in a regular window. ``notes``: in order of place. ``is_plain`` is set by
    the walk: nothing is to be said of the text, each character is a separator or printable.
    ``breaks``: line breaks in the document before it, counted where the text comes in pieces.
    """

    __slots__ = (
        "_added",
        "_notes",
        "_starts",
        "breaks",
        "delimiters",
        "ids",
        "is_plain",
        "joint",
        "kind",
        "odd_ids",
        "rows",
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
        joint: str = "",
        notes: tuple[BatchNote, ...] = (),
        starts: list[int] | None = None,
    ) -> None:
        self.kind = kind
        self.delimiters = delimiters
        self.texts = texts
        self.rows = rows
        self.ids = ids
        self.source = source
        self.start = start
        self.is_plain = False
        self.breaks = 0
        self.joint = joint
        self.odd_ids = odd_ids
        self._notes = notes
        self._added: list[BatchNote] = []
        self._starts = starts

    @property
    def notes(self) -> tuple[BatchNote, ...]:
        """What was noticed, in order of place."""
        if self._added:
            both = (*self._notes, *self._added)
            self._notes, self._added = tuple(sorted(both, key=attrgetter("before"))), []
        return self._notes

    @property
    def starts(self) -> list[int]:
        """The reader's offset of each segment; computed when first asked for."""
        if self._starts is None:
            steps = map(len(self.joint).__add__, map(len, self.texts))
            self._starts = [*accumulate(steps, initial=self.start)][:-1]
        return self._starts

    def add_note(self, note: BatchNote) -> None:
        """Add a note, given in order of place among those that are added."""
        self._added.append(note)

    def first(self, count: int, end: int) -> SegmentBatch:
        """Return the first ``count`` segments as a batch, with the notes before offset ``end``."""
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
            self.joint,
            tuple(note for note in self.notes if note.start < end or note.before < count),
            self.starts[:count],
        )
