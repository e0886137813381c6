"""X12 documents as a source of rules: only what the rules name is split and read.

Theory. The part of a path before its element leads to segments, and many rules share it; so it is
followed once, and each rule then takes its element from the segments found.

Source: fields-and-mapping.md section 4.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from longshore.mapping.document_x12 import SetView, X12Document
from longshore.mapping.paths import SourcePath
from longshore.mapping.paths_x12 import SegmentCondition, SegmentStep, X12Path
from longshore.mapping.scopes import Scopes
from longshore.mapping.segments import Segments
from longshore.mapping.source import MAX_VALUES, PathReading, SourcePlace, too_many_values
from longshore.mapping.target_paths import ALL
from longshore.mapping.writes import Binding
from longshore.x12.control import element_at
from longshore.x12.dictionary.library import Dictionary
from longshore.x12.dictionary.model import Definition

# The segments in a path whose conditions were tested.
StepTrail = tuple[tuple[Segments, int, SegmentStep], ...]
# A segment that a path leads to, None where there is none, and the way.
SegmentMatch = tuple[Segments | None, int, StepTrail]

_NOWHERE: SegmentMatch = (None, 0, ())
_Reached = tuple[list[Binding], list[SegmentMatch]]


class PathMatches:
    """The matches of the part of a path before its element: bindings, and a segment for each."""

    __slots__ = ("bindings", "is_plain", "matches", "rows")

    def __init__(self, bindings: list[Binding], matches: list[SegmentMatch]) -> None:
        self.bindings = bindings
        self.matches = matches
        self.rows = [[] if segments is None else segments.row(at) for segments, at, _ in matches]
        """The segments; one that is not there is empty."""
        self.is_plain = all(
            segments is None or segments.is_plain(at) for segments, at, _ in matches
        )
        """Whole elements can be read from them unchanged."""


class X12Source:
    """One set of a document and, through ``ST[…]/``, all others.

    Args:
        document: The document, which must be traced for explanations.
        tx_index: The set that paths without ``ST[…]/`` mean, from 1.
    """

    has_literals = False

    def __init__(self, document: X12Document, dictionary: Dictionary, tx_index: int = 1) -> None:
        self._document = document
        self._dictionary = dictionary
        self._tx_index = tx_index
        self._found: dict[str, PathMatches] = {}
        self._reached: dict[str, _Reached] = {}  # by the text of a path up to a step
        self._scopes: dict[Segments, Scopes] = {}
        self._guessed: dict[str, None] = {}

    def read(self, path: SourcePath) -> PathReading:
        """Return the values of a path."""
        assert isinstance(path, X12Path)  # the paths of rules for this source are
        found = self._segments(path)
        position, component = path.position, path.component
        if path.is_whole and found.is_plain:
            return PathReading(
                found.bindings,
                [(row[position] or None) if position < len(row) else None for row in found.rows],
            )
        cells = [
            (binding, segments and segments.cell(at, position, number, component))
            for binding, (segments, at, _), number in _occurrences(path, found)
        ]
        return PathReading(
            [binding for binding, _ in cells], [cell.value if cell else None for _, cell in cells]
        )

    def values(self, paths: Iterable[SourcePath]) -> Iterator[str | None]:
        """Yield the values of paths without wildcards."""
        rows: dict[str, list[str] | None] = {}
        view = self._document.sets.get(self._tx_index)
        for path in cast("Iterable[X12Path]", paths):  # those of rules for this source
            head = path.head
            if head in rows:
                row = rows[head]
            else:
                row = rows[head] = self._plain_row(path, view)
            position = path.position
            if row is None or not path.is_whole:
                yield self.read(path).values[0]
            else:
                yield (row[position] or None) if position < len(row) else None

    def read_condition(self, path: SourcePath) -> PathReading:
        """Return the values of a path; a segment without element counts as not empty."""
        assert isinstance(path, X12Path)  # the paths of rules for this source are
        if path.position:
            return self.read(path)
        found = self._segments(path)
        return PathReading(found.bindings, [row[0] if row else None for row in found.rows])

    def guessed_paths(self) -> Sequence[str]:
        """Return the paths that were read whose scopes no definition determines, in order."""
        return tuple(self._guessed)

    def places(self, path: SourcePath) -> list[SourcePlace]:
        """Return the position of each value of a path; for a whole segment only its conditions."""
        assert isinstance(path, X12Path)  # the paths of rules for this source are
        found = self._segments(path)
        return [self._place(path, match, number) for _, match, number in _occurrences(path, found)]

    # ---- from paths to segments -----------------------------------------------------------------

    def _plain_row(self, path: X12Path, view: SetView | None) -> list[str] | None:
        """Return the segment of a path without wildcards; None if its elements have parts."""
        if not path.is_near or view is None:
            found = self._segments(path)
            return found.rows[0] if found.is_plain else None
        step = path.steps[0]
        segments = self._document.control if path.is_control else view.segments
        places = segments.by_id.get(step.segment_id)
        if places is None:
            return []
        if path.is_control and step.is_first:
            places = self._own(step.segment_id, places)
        for condition in step.conditions:
            places = segments.holding(places, condition)
        assert isinstance(step.index, int)  # it has no wildcards
        at = step.index - (step.index > 0)
        if not -len(places) <= at < len(places):
            return []
        place = places[at]
        if segments.is_plain(place):
            return segments.row(place)
        if step.segment_id == "ISA":
            return [text.rstrip(" ") for text in segments.row(place)]
        return None

    def _segments(self, path: X12Path) -> PathMatches:
        found = self._found.get(path.head)
        if found is None:
            found = self._found[path.head] = self._walk(path)
        return found

    def _walk(self, path: X12Path) -> PathMatches:
        """Walk a path; what it shares with others is walked once."""
        reached: _Reached = [], []
        for number, head in enumerate((*path.outer_heads, path.head)):
            if head not in self._reached:
                if number:
                    self._reached[head] = self._further(reached, path.steps[number], path)
                else:
                    self._reached[head] = self._start(path)
            reached = self._reached[head]
        return PathMatches(*reached)

    def _further(self, reached: _Reached, step: SegmentStep, path: X12Path) -> _Reached:
        further = [
            (binding + ordinal, match)
            for binding, before in zip(*reached, strict=True)
            for ordinal, match in self._follow(before, step, path)
        ]
        if len(further) > MAX_VALUES:
            raise too_many_values()
        return [binding for binding, _ in further], [match for _, match in further]

    def _start(self, path: X12Path) -> _Reached:
        """Return the segments that the first step leads to."""
        step = path.steps[0]
        bindings: list[Binding] = []
        matches: list[SegmentMatch] = []
        for outer, segments in self._bodies(path):
            places = [] if segments is None else segments.by_id.get(step.segment_id, [])
            if path.is_control and step.is_first:
                places = self._own(step.segment_id, places)
            if step.is_direct and segments is not None:
                places = self._scopes_of(segments).outermost(step.segment_id)
                self._note_guess(segments, path)
            for ordinal, match in _chosen(segments, places, step, ()):
                bindings.append(outer + ordinal)
                matches.append(match)
        return bindings, matches

    def _bodies(self, path: X12Path) -> Iterator[tuple[Binding, Segments | None]]:
        """Yield the segments that the first step searches, with the ordinal of their set."""
        sets = self._document.sets
        if path.is_control:
            yield (), self._document.control
        elif path.tx_index is ALL:
            for index in range(1, self._document.set_count + 1):
                yield (index - 1,), sets[index].segments
        else:
            index = self._tx_index if path.tx_index is None else path.tx_index
            yield (), sets[index].segments if index in sets else None

    def _own(self, tag: str, places: list[int]) -> list[int]:
        """Return the segment of the envelope around the set that the rules are for."""
        view = self._document.sets.get(self._tx_index)
        if view is None or tag not in view.frame:
            return places
        return places[view.frame[tag] :]

    def _follow(
        self, before: SegmentMatch, step: SegmentStep, path: X12Path
    ) -> Iterator[tuple[Binding, SegmentMatch]]:
        segments, at, trail = before
        if segments is None or step.segment_id not in segments.by_id:
            return iter(() if step.index is ALL else (((), _NOWHERE),))
        scopes = self._scopes_of(segments)
        if step.is_direct:
            places = scopes.direct(at, step.segment_id)
        else:
            places = scopes.found(at, step.segment_id, is_deep=step.is_deep)
        self._note_guess(segments, path)
        return _chosen(segments, places, step, trail)

    def _note_guess(self, segments: Segments, path: X12Path) -> None:
        scopes = self._scopes_of(segments)
        if scopes.is_guessed:
            scopes.is_guessed = False
            self._guessed.setdefault(path.text)

    def _scopes_of(self, segments: Segments) -> Scopes:
        scopes = self._scopes.get(segments)
        if scopes is None:
            scopes = Scopes(segments, lambda: self._definition(segments.tx_index))
            self._scopes[segments] = scopes
        return scopes

    def _definition(self, tx_index: int) -> Definition | None:
        """Return the definition of a set, by its ST, GS and ISA."""
        control, frame = self._document.control, self._document.sets[tx_index].frame
        isa, gs, st = (
            control.row(control.by_id[tag][frame[tag]]) if tag in frame else []
            for tag in ("ISA", "GS", "ST")
        )
        return self._dictionary.resolve(
            element_at(st, 1), element_at(gs, 8), element_at(isa, 12).strip(), element_at(st, 3)
        ).definition

    # ---- positions of values --------------------------------------------------------------------

    def _place(self, path: X12Path, match: SegmentMatch, number: int) -> SourcePlace:
        segments, at, trail = match
        conditions = tuple(
            f"{self._key(those, there)}{_element_key(condition)}"
            for those, there, step in trail
            for condition in step.conditions
        )
        cell = None
        if segments is not None and path.position:
            cell = segments.cell(at, path.position, number, path.component)
        if segments is None or cell is None:
            return SourcePlace("", None, conditions)
        key = f"{self._key(segments, at)}.{path.position:02d}"
        key += f"[{number}]" if number > 1 else ""
        key += f".{path.component:02d}" if cell.is_part else ""
        assert self._document.places is not None  # it is traced
        start, end = (segments.starts[at] + each for each in (cell.start, cell.end))
        first = self._document.places.after(start + 1) - 1
        last = self._document.places.after(end)
        return SourcePlace(key, (first, last) if last - first == end - start else None, conditions)

    def _key(self, segments: Segments, at: int) -> str:
        """Return the key of a segment."""
        tag = segments.tags[at]
        number = bisect_left(segments.by_id[tag], at) + 1
        is_scoped = segments is not self._document.control and segments.tx_index != 1
        scope = f"ST[{segments.tx_index}]/" if is_scoped else ""
        return f"{scope}{tag}" if number == 1 else f"{scope}{tag}[{number}]"


def _element_key(condition: SegmentCondition) -> str:
    component = f".{condition.component:02d}" if condition.component else ""
    return f".{condition.position:02d}{component}"


def _chosen(
    segments: Segments | None, places: list[int], step: SegmentStep, trail: StepTrail
) -> Iterator[tuple[Binding, SegmentMatch]]:
    """Yield the occurrences of a step, each with what it adds to the binding."""
    if segments is not None:
        for condition in step.conditions:
            places = segments.holding(places, condition)
    if isinstance(step.index, int):
        at = step.index - (step.index > 0)
        if segments is None or not -len(places) <= at < len(places):
            yield (), _NOWHERE
        else:
            yield (), (segments, places[at], _longer(trail, segments, places[at], step))
        return
    for ordinal, at in enumerate(places):
        assert segments is not None  # else there are no places
        yield (ordinal,), (segments, at, _longer(trail, segments, at, step))


def _longer(trail: StepTrail, segments: Segments, at: int, step: SegmentStep) -> StepTrail:
    return (*trail, (segments, at, step)) if step.conditions else trail


def _occurrences(path: X12Path, found: PathMatches) -> Iterator[tuple[Binding, SegmentMatch, int]]:
    """Yield binding, segment and number of the repetition, from 1, for each value of a path."""
    for binding, match in zip(found.bindings, found.matches, strict=True):
        segments, at, _ = match
        if isinstance(path.repetition, int):
            yield binding, match, path.repetition
        elif segments is not None:
            for ordinal in range(segments.repetitions(at, path.position)):
                yield (*binding, ordinal), match, ordinal + 1
