"""The fields of an X12 document for suggestions: elements, with their loops and codes.

Theory. A loop whose instances are items of a list (lines, claims, levels) is counted by ``[*]``;
one whose instances are distinguished by a code (parties) is named by that code; of any other loop
the first instance is meant. So one element may have several paths: ``N1[01=ST].02`` and
``N1[*].02``; of HL levels the whole chain, and its last part alone. ``:`` is written if the
document has such a segment in an inner loop as well.

Only the first set is read, and only if it has a structure table. Elements with implied decimals
(N2) are left out: their values need an operation that a suggestion does not have.

Source: contract.md section 15, fields-and-mapping.md section 4.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from longshore.mapping.addressing import DEFAULTS
from longshore.mapping.document_x12 import X12Document
from longshore.mapping.suggest_locations import (
    Inner,
    SegmentLocation,
    SegmentLocations,
    code_meaning,
)
from longshore.mapping.suggest_meanings import ELEMENTS, ENTITIES, LISTS, PARTS
from longshore.mapping.suggest_places import (
    DATE,
    HEADING,
    LEAST_SHARED_CHARS,
    MAX_PLACES,
    NUMBER,
    SuggestPlace,
    kinds_of,
    level_of,
    place,
)
from longshore.mapping.suggest_words import meaning_of
from longshore.x12.control import element_at
from longshore.x12.dictionary.library import shipped
from longshore.x12.dictionary.model import CompositeType, Definition, ElementType, ElementUse
from longshore.x12.loops.slots import HL

MAX_CHARS: Final = 1_048_576  # of a document; the rest is not read

_PAIRED: Final = frozenset(("235", "365"))  # elements that say what the next one is
_IMPLIED = re.compile("N[1-9]")
_CODE = re.compile("[A-Za-z0-9]{1,6}")
_PLAIN_PATH = re.compile(r"[A-Z0-9]+(?:\[\*\])?(?:>[A-Z0-9]+(?:\[\*\])?)*(?:\.[0-9]{2,3}){1,2}")
_MAX_COMPONENTS: Final = 6
_CONTACTS: Final = frozenset(("PER", "G61"))


class _Step(NamedTuple):
    """One segment of a path."""

    location: SegmentLocation
    condition: str
    list_name: str = ""
    """The name of the list, if it is counted by ``[*]``."""


class _LoopPath(NamedTuple):
    """The steps to a segment, and the path as far as that."""

    steps: tuple[_Step, ...]
    head: str

    @property
    def lists(self) -> tuple[str, ...]:
        """The names of its lists, outermost first."""
        return tuple(step.list_name for step in self.steps if step.list_name)


class _Column(NamedTuple):
    """An element, or a component of one, and its meaning."""

    position: int
    component: int
    type: ElementType
    meaning: str
    pair: tuple[int, str] | None = None
    """Position and code of the element before it that gives the meaning."""

    @property
    def key(self) -> tuple[object, ...]:
        """The part of its path that distinguishes it from others of its segment."""
        return self.position, self.component, self.pair


def x12_places(document: str, *, is_target: bool) -> Iterator[SuggestPlace]:
    """Yield the fields of the first set of a document.

    Args:
        document: The X12 text.
        is_target: Leave out fields whose meaning depends on a code in another element, because that
            code would need a rule of its own.

    Raises:
        LongshoreError: document_empty, document_unparseable, segment_too_long.
    """
    read = X12Document(document[:MAX_CHARS], only=1)
    view, definition = read.sets.get(1), _definition(read)
    if view is None or definition is None or not view.segments.tags:
        return
    locations = SegmentLocations(view.segments, definition)
    places = _Places(locations, is_target=is_target)
    for at, location in locations.at:
        for column in _columns(view.segments.plain_row(at), location):
            if not places.knows(location, column):
                cell = view.segments.cell(at, column.position, component=column.component)
                if cell is not None:
                    places.add(location, column, cell.value)
    yield from places.found()


def _definition(document: X12Document) -> Definition | None:
    """Return the definition of the first set; without an envelope, of the most common release."""
    isa, group, st = (document.header(1, tag) for tag in ("ISA", "GS", "ST"))
    version = element_at(group, 8) or ("" if isa else DEFAULTS.version)
    tx_set, reference = element_at(st, 1), element_at(st, 3)
    return shipped().resolve(tx_set, version, element_at(isa, 12).strip(), reference).definition


class _Places:
    """The fields found so far, by path."""

    def __init__(self, locations: SegmentLocations, *, is_target: bool) -> None:
        self._level_counts = locations.level_counts
        self._inner = locations.inner()
        self._is_target = is_target
        self._loop_paths: dict[SegmentLocation, tuple[_LoopPath, ...]] = {}
        self._known: set[tuple[SegmentLocation, object]] = set()
        self._found: dict[
            str, SuggestPlace
        ] = {}  # by path; of a pair of elements by segment and code
        self._positions: dict[str, list[tuple[str, str]]] = {}  # of a pair of elements

    def knows(self, location: SegmentLocation, column: _Column) -> bool:
        """Return whether an element with a value has been added."""
        return (location, column.key) in self._known

    def add(self, location: SegmentLocation, column: _Column, value: str) -> None:
        """Add the fields of an element with a value."""
        self._known.add((location, column.key))
        is_comparable = bool(column.meaning) or len(value) >= LEAST_SHARED_CHARS
        loop_paths = self._loop_paths.get(location)
        if loop_paths is None:
            loop_paths = self._loop_paths[location] = tuple(
                _loop_paths(location, self._level_counts, self._inner)
            )
        for loop_path in loop_paths:
            path, when = _path(loop_path, column)
            key = f"{loop_path.head}={column.pair[1]}" if column.pair else path
            if is_comparable and key not in self._found and self._is_wanted(path, column):
                self._found[key] = _place(path, loop_path, column, value)
            if column.pair:
                positions = self._positions.setdefault(key, [])
                positions += [(path, when)] * ((path, when) not in positions)

    def found(self) -> Iterator[SuggestPlace]:
        """Yield the fields in document order."""
        for key, found in self._found.items():
            yield replace(found, positions=tuple(self._positions.get(key, ())))

    def _is_wanted(self, path: str, column: _Column) -> bool:
        if self._is_target and (column.pair or not _PLAIN_PATH.fullmatch(path)):
            return False
        return len(self._found) <= MAX_PLACES


# ---- elements ----------------------------------------------------------------------------------


def _columns(row: list[str], location: SegmentLocation) -> Iterator[_Column]:
    """Yield the elements of a segment that are there and are data, rather than a qualifier."""
    if not location.is_distinguished:
        return
    uses = location.slot.use.segment.uses
    coded = {position for position, _ in location.codes or ()}
    pair: tuple[int, str] | None = None
    for position, (text, use) in enumerate(zip(row[1:], uses, strict=False), 1):
        before, pair = pair, None
        if use.reference in _PAIRED:
            pair = (position, text)
        elif not text or position in coded or (before and not _CODE.fullmatch(before[1])):
            continue
        elif isinstance(use.type, CompositeType):
            yield from _components(location.tag, position, use.type)
        elif not _IMPLIED.fullmatch(use.type.kind):
            meaning = _meaning(f"{location.tag}.{position:02d}", use)
            if before:
                said = code_meaning(uses[before[0] - 1], before[1])
                meaning = f"{meaning} {said}".strip()
            yield _Column(position, 0, use.type, meaning, before)


def _components(tag: str, position: int, composite: CompositeType) -> Iterator[_Column]:
    """Yield the components of an element that have a meaning of their own."""
    for number, use in enumerate(composite.uses[:_MAX_COMPONENTS], 1):
        meaning = _meaning(f"{tag}.{position:02d}.{number:02d}", use)
        if meaning and isinstance(use.type, ElementType):
            yield _Column(position, number, use.type, meaning)


def _meaning(key: str, use: ElementUse) -> str:
    """Return what was written by hand; of segments nobody wrote about, the dictionary's label."""
    by_hand = ELEMENTS.get(key)
    if by_hand is None and key.partition(".")[0] not in _BY_HAND:
        return use.label.replace("_", " ")
    return by_hand or ""


_BY_HAND: Final = frozenset(key.partition(".")[0] for key in (*ELEMENTS, *LISTS, *PARTS))


# ---- paths -------------------------------------------------------------------------------------


def _loop_paths(
    location: SegmentLocation, level_counts: Mapping[str, int], inner: frozenset[Inner]
) -> Iterator[_LoopPath]:
    """Yield the paths to the segments of a location.

    First by all lists and codes; then from each inner list on; then to a level that occurs once;
    then to all segments of an id, whatever their codes.
    """
    steps = tuple(
        _Step(each, each.condition, each.list_name) for each in (*location.around, location)
    )
    starts = [at for at, step in enumerate(steps) if step.list_name]
    for start in [0, *(at for at in starts if at)]:
        if not _is_alone(steps[start], level_counts):
            yield _loop_path(steps[start:], inner)
    if starts and steps[starts[-1]].location.tag == HL:
        last = steps[starts[-1]]
        if level_counts[last.condition] == 1:
            yield _loop_path(
                (_Step(last.location, last.condition), *steps[starts[-1] + 1 :]), inner
            )
    for at in reversed(range(len(steps))):
        step = steps[at]
        if step.list_name:
            break
        if step.location.tag in PARTS and step.location.slot.node.maximum != 1:
            each = _Step(step.location, "", PARTS[step.location.tag])
            yield _loop_path((*steps[:at], each, *steps[at + 1 :]), inner)
            break


def _is_alone(step: _Step, level_counts: Mapping[str, int]) -> bool:
    """Return whether a step is the one level around all others, which is no list."""
    location = step.location
    return location.tag == HL and not location.around and level_counts[step.condition] == 1


def _loop_path(steps: tuple[_Step, ...], inner: frozenset[Inner]) -> _LoopPath:
    head, holder = "", ("", "")
    is_known = not steps[0].location.around  # else it is meant wherever it is
    for at, step in enumerate(steps):
        tag = step.location.tag
        is_direct = is_known and tag != HL and (*holder, tag, step.condition) in inner
        condition = f"[{step.condition}]" if step.condition else ""
        separator = ":" if is_direct else ">" * (at > 0)
        head += f"{separator}{tag}{condition}{'[*]' * bool(step.list_name)}"
        holder, is_known = (tag, step.condition), True
    return _LoopPath(steps, head)


def _path(loop_path: _LoopPath, column: _Column) -> tuple[str, str]:
    """Return the path to an element, and the condition of its rule, ``""`` for none.

    The code before an element of a list is a condition of the rule: as one of the path it would
    count only the segments that have it, and values would go to the wrong items.
    """
    head, when = loop_path.head, ""
    if column.pair:
        position, code = column.pair
        condition = f"{position:02d}={code}"
        if loop_path.steps[-1].list_name:
            when = f"{head}.{condition}"
        else:
            head = f"{head[:-1]},{condition}]" if head.endswith("]") else f"{head}[{condition}]"
    component = f".{column.component:02d}" if column.component else ""
    return f"{head}.{column.position:02d}{component}", when


def _place(path: str, loop_path: _LoopPath, column: _Column, value: str) -> SuggestPlace:
    *around, last = loop_path.steps
    named = [step for step in (*around, last) if step.condition and not step.list_name]
    said = [step.location.meaning for step in named]
    own = column.meaning
    if named and named[-1] is last and last.location.tag not in ENTITIES:
        code = said.pop()
        own = f"{code} {own}" if code else ""  # a number without a known meaning
    if last.location.tag in _CONTACTS:
        said.append("contact")
    outermost = loop_path.steps[0].location
    return place(
        path,
        tuple(level_of(name) for name in loop_path.lists),
        own=meaning_of(own),
        around=[concept for text in said for concept in meaning_of(text)],
        meaning=" ".join(filter(None, (*said, own))),
        value=value,
        kinds=_kinds(column.type, value),
        group=(outermost.around[:1] or (outermost,))[0].tag
        if outermost.around or outermost.slot.loop
        else HEADING,
    )


def _kinds(element: ElementType, value: str) -> frozenset[str]:
    if element.kind == "DT":
        return frozenset((DATE,))
    if element.kind in {"R", "N0"}:
        return frozenset((NUMBER,))
    return kinds_of(value)
