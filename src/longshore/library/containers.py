"""Containers of segments and loops: a transaction set, and each loop in it.

Iterating one yields what is directly in it, segments and loops, in document order.
``segments()`` and ``loops()`` look at all levels below; ``[...]`` looks at the first.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from longshore.engine.x12_names import in_words, segment_name
from longshore.library.segments import DocumentSegment, SegmentPlace, row_of, unreleased_value
from longshore.x12.control import CONTROL_IDS
from longshore.x12.delimiters import Delimiters
from longshore.x12.dictionary.library import shipped
from longshore.x12.dictionary.model import Definition
from longshore.x12.loops.documents import NamedVersions, definition_of
from longshore.x12.loops.faults import LoopStep
from longshore.x12.loops.nesting import LoopNesting
from longshore.x12.loops.placement import Placement, SetCursor
from longshore.x12.loops.slots import HL
from longshore.x12.loops.table import HEADING, SUMMARY, table_of
from longshore.x12.set_names import set_name
from longshore.x12.validate.kinds import Options

_FRAME: Final = {
    "ST": SetCursor(HEADING, (), None, has_place=True),
    "SE": SetCursor(SUMMARY, (), None, has_place=True),
}


class SegmentContainer(ABC):
    """Segments and loops, in document order."""

    @property
    @abstractmethod
    def children(self) -> Sequence[DocumentSegment | DocumentLoop]:
        """The segments and loops directly in it."""

    def __iter__(self) -> Iterator[DocumentSegment | DocumentLoop]:
        """Yield the segments and loops directly in it."""
        return iter(self.children)

    def __getitem__(self, segment_id: str) -> DocumentSegment:
        """Return the first segment of an id directly in it; a false one if there is none."""
        for child in self.children:
            if isinstance(child, DocumentSegment) and child.id == segment_id:
                return child
        return DocumentSegment.absent(segment_id)

    def first_segment(self, segment_id: str) -> DocumentSegment:
        """Return the first segment of an id at any level; a false one if there is none."""
        found = next(self.segments(segment_id), None)
        return DocumentSegment.absent(segment_id) if found is None else found

    def segments(self, segment_id: str = "") -> Iterator[DocumentSegment]:
        """Yield the segments at all levels, those of one id if it is given."""
        for child in self.children:
            if isinstance(child, DocumentLoop):
                yield from child.segments(segment_id)
            elif not segment_id or child.id == segment_id:
                yield child

    def loops(self, loop_id: str = "") -> Iterator[DocumentLoop]:
        """Yield the loops at all levels, those of one id if it is given."""
        for child in self.children:
            if isinstance(child, DocumentLoop):
                if not loop_id or child.id == loop_id:
                    yield child
                yield from child.loops(loop_id)

    def loop(self, loop_id: str) -> DocumentLoop:
        """Return the first loop of an id at any level; a false one if there is none."""
        return next(self.loops(loop_id), DocumentLoop(loop_id))


class DocumentLoop(SegmentContainer):
    """An iteration of a loop, or, false, one that is not there."""

    def __init__(self, loop_id: str, number: int = 0, label: str = "") -> None:
        self.id = loop_id
        """The id in the definition, such as ``2300``; of an HL without a definition ``HL``."""
        self.number = number
        """The number of the iteration in the loop around it, from 1. Where a definition has one HL
        loop for all levels, its number among all HL segments."""
        self._label = label
        self._children: list[DocumentSegment | DocumentLoop] = []

    @property
    def children(self) -> list[DocumentSegment | DocumentLoop]:
        """The segments and loops directly in it; the first is the segment that begins it."""
        return self._children

    @property
    def first(self) -> DocumentSegment:
        """The segment that begins it."""
        found = next(self.segments(), None)
        return DocumentSegment.absent("") if found is None else found

    @property
    def path(self) -> str:
        """The field path of the segment that begins it."""
        return self.first.path

    @property
    def position(self) -> int:
        """The position of that segment in the transaction set, ST = 1."""
        return self.first.position

    @property
    def name(self) -> str:
        """The name of the loop in plain words, ``""`` if there is none."""
        return in_words(self._label) if self._label else segment_name(self.first.id)

    def __bool__(self) -> bool:
        """Return whether there is such a loop."""
        return bool(self._children)

    def __repr__(self) -> str:
        """Return its id and place."""
        if not self:
            return f"<no loop {self.id}>"
        return f"<loop {self.id} {self.number} at {self.path}>"


class SetSource(NamedTuple):
    """The texts of a transaction set, without an object for each segment."""

    tx_index: int
    """Its position among the sets of the document, from 1."""
    texts: list[str]
    """Its segments, the ST first."""
    delimiters: Delimiters
    ordinal: int
    """The position of its ST in the document, from 1."""
    occurrences: dict[int, int]
    """Of each control segment in it, by the index in ``texts``, its number among those of its id in
    the document."""
    binaries: set[int]
    """The indexes in ``texts`` of segments with binary data."""
    versions: NamedVersions

    def segments(self, definition: Definition | None) -> Iterator[DocumentSegment]:
        """Yield the segments, each at its place in a definition, if there is one."""
        delimiters = self.delimiters
        scope = "" if self.tx_index == 1 else f"ST[{self.tx_index}]/"
        numbers: dict[str, int] = {}
        placement: Placement | None = None
        if definition is not None:
            known_ids = shipped().vocabulary.known_ids
            placement = Placement(table_of(definition), delimiters, known_ids)
        for at, text in enumerate(self.texts):
            row = row_of(text, delimiters, is_binary=at in self.binaries)
            occurrence = self.occurrences.get(at, 0)
            if occurrence:
                path = path_of("", row[0], occurrence)
                cursor = None if placement is None else _FRAME.get(row[0])
            else:
                numbers[row[0]] = number = numbers.get(row[0], 0) + 1
                path = path_of(scope, row[0], number)
                cursor = None if placement is None else _located(placement, row, delimiters)
            place = SegmentPlace(self.ordinal + at, at + 1, path)
            yield DocumentSegment(text, row, delimiters, place, cursor)


def path_of(scope: str, segment_id: str, number: int) -> str:
    """Return a field path: the prefix of its set, the id, and its number from the second on."""
    return f"{scope}{segment_id}" if number == 1 else f"{scope}{segment_id}[{number}]"


def _located(placement: Placement, row: list[str], delimiters: Delimiters) -> SetCursor:
    if delimiters.release:
        row = [unreleased_value(text, delimiters) for text in row]
    cursor = placement.locate(row)
    placement.faults.clear()  # validation finds them
    return cursor


class TransactionSet(SegmentContainer):
    """A transaction set: ST, SE, and what is between them."""

    def __init__(self, source: SetSource, options: Options) -> None:
        self._source = source
        self._options = options

    @property
    def index(self) -> int:
        """Its position among the sets of the document, from 1."""
        return self._source.tx_index

    @cached_property
    def header(self) -> DocumentSegment:
        """The ST."""
        return next(self._source.segments(None))

    @property
    def id(self) -> str:
        """ST01, such as ``850``."""
        return self._source.versions.set_id

    @property
    def control_number(self) -> str:
        """ST02."""
        return self.header[2]

    @property
    def version(self) -> str:
        """GS08, else ST03, else ISA12."""
        named = self._source.versions
        return named.group_version or named.set_reference or named.interchange_version

    @property
    def name(self) -> str:
        """The name of the set in plain words, ``""`` if there is none."""
        return set_name(self.id)

    @property
    def ordinal(self) -> int:
        """The position of the ST in the document, from 1."""
        return self._source.ordinal

    @property
    def segment_count(self) -> int:
        """The number of segments, ST and SE included."""
        return len(self._source.texts)

    @cached_property
    def children(self) -> Sequence[DocumentSegment | DocumentLoop]:
        """The segments and loops directly in it, ST first."""
        return nested(self._placed)

    def segments(self, segment_id: str = "") -> Iterator[DocumentSegment]:
        """Yield the segments at all levels, those of one id if it is given."""
        return (each for each in self._placed if not segment_id or each.id == segment_id)

    def forget(self) -> None:
        """Free its segments and loops; they are made again when they are asked for."""
        vars(self).pop("children", None)
        vars(self).pop("_placed", None)

    @cached_property
    def _placed(self) -> Sequence[DocumentSegment]:
        """Its segments, each at its place in the definition, if there is one."""
        options = self._options
        definition = definition_of(
            options.dictionary, self._source.versions, options.release, options.guide
        )
        return list(self._source.segments(definition))

    def __repr__(self) -> str:
        """Return its id, its control number and its size."""
        return f"<transaction set {self.id} {self.control_number}: {self.segment_count} segments>"


class _LoopTree:
    """Puts the segments of a set into their loops."""

    def __init__(self) -> None:
        self._roots: list[DocumentSegment | DocumentLoop] = []
        self._levels = 0
        self._nesting = LoopNesting(self._begin)

    def add(self, segment: DocumentSegment) -> None:
        """Add the next segment."""
        if segment.id in CONTROL_IDS:
            self._nesting.close()
        else:
            self._nesting.enter(segment.row, segment.cursor)
        self._siblings().append(segment)

    def finish(self) -> list[DocumentSegment | DocumentLoop]:
        """Return the segments and loops of the set; nothing can be added afterwards."""
        # The two hold each other, and through them all segments until garbage is collected.
        del self._nesting
        return self._roots

    def _siblings(self) -> list[DocumentSegment | DocumentLoop]:
        innermost = self._nesting.innermost
        return self._roots if innermost is None else innermost.children

    def _begin(self, step: LoopStep | None) -> DocumentLoop:
        if step is None:
            self._levels += 1
            loop = DocumentLoop(HL, self._levels)
        else:
            loop = DocumentLoop(step.loop_id, step.number, step.label)
        self._siblings().append(loop)
        return loop


def nested(segments: Iterable[DocumentSegment]) -> list[DocumentSegment | DocumentLoop]:
    """Return the segments of a set, those in loops in their loops."""
    tree = _LoopTree()
    for segment in segments:
        tree.add(segment)
    return tree.finish()
