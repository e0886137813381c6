"""The segments view (lossless, one object a segment) and the tree view of an X12 document.

Source: fields-and-mapping.md section 3. Loops come from the dictionary; until a set has a
definition, ``loop`` is null and the tree nests HL segments only, by HL02.
"""

from __future__ import annotations

from collections.abc import Iterator
from json import dumps
from typing import Final

from longshore.x12.batch import BatchKind, SegmentBatch
from longshore.x12.binary import binary_value
from longshore.x12.control import CONTROL_IDS, Stretch
from longshore.x12.release import split_released, unreleased
from longshore.x12.segment_table import is_composite
from longshore.x12.walk import Numbering, Walk

# An element: text, its repetitions, or what else stands for it.
Element = str | list[object] | dict[str, object]

_HL: Final = "HL"
MAX_LEVELS: Final = 64  # of HL loops in the tree; readers of JSON give up where nesting is deep


class SegmentLister:
    """Makes the segments view of the stretches it is given, in document order.

    It counts in ``numbering`` of its own unless it is the walk's only consumer.
    """

    def __init__(
        self, walk: Walk, numbering: Numbering | None = None, *, is_single_octet: bool = False
    ) -> None:
        self._walk = walk
        self._numbering = numbering if numbering is not None else walk.numbering
        self._is_single_octet = is_single_octet

    def lines(self, stretch: Stretch) -> Iterator[str]:
        """Yield one JSON object a segment."""
        batch, places = stretch.batch, self._walk.reader.places
        numbers = self._numbering.of(stretch.tx_index)
        scope = "" if stretch.occurrence else self._walk.scope(stretch.tx_index)
        for index in range(stretch.first, stretch.last):
            ahead, tag = index - stretch.first, batch.rows[index][0]
            number = stretch.occurrence
            if not number:
                numbers[tag] = number = numbers.get(tag, 0) + 1
            start = batch.starts[index]
            segment = {
                "n": stretch.ordinal + ahead,
                "pos": stretch.position + ahead if stretch.tx_index else 0,
                "id": tag,
                "key": scope + tag if number == 1 else f"{scope}{tag}[{number}]",
                "tx": self._set_of(stretch),
                "loop": None,
                "span": [
                    places.of(start)[0],
                    places.after(start + len(batch.texts[index])),
                ],
                "e": elements_of(batch, index, is_single_octet=self._is_single_octet),
            }
            yield dumps(segment, ensure_ascii=False, separators=(",", ":"))

    def _set_of(self, stretch: Stretch) -> int:
        """Return the set the keys belong to: a document without ST is set 1."""
        if stretch.tx_index or stretch.occurrence or self._walk.has_sets():
            return stretch.tx_index
        return 1


def elements_of(batch: SegmentBatch, index: int, *, is_single_octet: bool) -> list[Element]:
    """Return every element of a segment, empty and padded ones included, the id left out."""
    row = batch.rows[index]
    if batch.kind is BatchKind.BINARY:
        value, is_base64 = binary_value(row[-1], is_single_octet=is_single_octet)
        return [*row[1:-1], {"b64": value} if is_base64 else value]
    delimiters = batch.delimiters
    repetition, release = delimiters.repetition, delimiters.release
    if not repetition or row[0] == "ISA" or repetition not in batch.texts[index]:
        return list(row[1:])
    if not release:
        parts = row[1:]
        return [part.split(repetition) if repetition in part else part for part in parts]  # type: ignore[misc]  # list[str] is a list of objects here
    marks = delimiters.element + delimiters.segment + delimiters.component + repetition
    elements: list[Element] = []
    for part in split_released(batch.texts[index], delimiters.element, release)[1:]:
        texts = [
            unreleased(text, release, marks) for text in split_released(part, repetition, release)
        ]
        elements.append(texts[0] if len(texts) == 1 else list(texts))
    return elements


class TreeBuilder:
    """Makes the tree view: per set its segments in order, HL segments nested by HL02.

    ``chars``: how long it is so far. HL levels below ``MAX_LEVELS`` are ``unplaced``.
    """

    def __init__(self, walk: Walk, numbering: Numbering, *, is_single_octet: bool = False) -> None:
        self._walk = walk
        self._numbering = numbering
        self._is_single_octet = is_single_octet
        self._sets: dict[int, _SetTree] = {}
        self.chars = 0

    def add(self, stretch: Stretch) -> None:
        """Put the segments of one stretch into their set; envelope segments have no place."""
        batch = stretch.batch
        numbers = self._numbering.of(stretch.tx_index)
        scope = "" if stretch.occurrence else self._walk.scope(stretch.tx_index)
        for index in range(stretch.first, stretch.last):
            tag = batch.rows[index][0]
            number = stretch.occurrence
            if not number:
                numbers[tag] = number = numbers.get(tag, 0) + 1
            if tag in CONTROL_IDS and tag not in {"ST", "SE"}:
                continue
            key = scope + tag if number == 1 else f"{scope}{tag}[{number}]"
            elements = elements_of(batch, index, is_single_octet=self._is_single_octet)
            node: dict[str, object] = {
                "key": key,
                "e": _with_composites(elements, batch, index),
            }
            self.chars += self._set(stretch, batch.rows[index]).add(batch.rows[index], node)

    def json(self) -> str:
        """Return the trees of all sets as one JSON array."""
        trees = (tree.json() for _, tree in sorted(self._sets.items()))
        return "[" + ",".join(trees) + "]"

    def _set(self, stretch: Stretch, row: list[str]) -> _SetTree:
        index = stretch.tx_index
        if not index and not self._walk.has_sets():
            index = 1
        if index not in self._sets:
            set_id = row[1] if row[0] == "ST" and len(row) > 1 else ""
            self._sets[index] = _SetTree(index, set_id)
        return self._sets[index]


class _SetTree:
    """The nodes of one set as JSON texts; an HL loop is written when it ends.

    Text rather than nested objects, so that no encoder has to recurse.
    """

    def __init__(self, index: int, set_id: str) -> None:
        self._head = f'{{"tx":{index},"tx_set":{_json(set_id)},"nodes":['
        self._parts: list[str] = []
        self._unplaced: set[str] = set()  # HL01 of loops too deep to be nested
        self._open: list[str] = []  # HL01 of the loops that are open, outermost first
        self._depths: dict[str, int] = {}  # how many loops are open when one of this HL01 is
        self._occurrences = 0
        self._is_first = True

    def add(self, row: list[str], node: dict[str, object]) -> int:
        """Put a segment where it belongs; return how many characters that took."""
        if row[0] == _HL and not self._begin_loop(row):
            node["unplaced"] = True
        elif row[0] == "SE":
            self._close_to(0)
        text = _json(node)
        self._write(text)
        return len(text)

    def json(self) -> str:
        self._close_to(0)
        return self._head + "".join(self._parts) + "]}"

    def _begin_loop(self, row: list[str]) -> bool:
        """Begin the loop of an HL, or tell that it would be too deep."""
        number, parent, level = [*row[1:4], "", "", ""][:3]
        if parent in self._unplaced or self._depths.get(parent, 0) >= MAX_LEVELS:
            self._unplaced.add(number)
            return False
        self._close_to(self._depths.get(parent, 0) if parent else 0)
        self._occurrences += 1
        self._write(f'{{"loop":"HL","n":{self._occurrences},"level":{_json(level)},"nodes":[')
        self._open.append(number)
        self._depths.setdefault(number, len(self._open))
        self._is_first = True
        return True

    def _close_to(self, depth: int) -> None:
        while len(self._open) > depth:
            if self._depths[number := self._open.pop()] > len(self._open):
                del self._depths[number]
            self._parts.append("]}")
            self._is_first = False

    def _write(self, text: str) -> None:
        self._parts.append(text if self._is_first else "," + text)
        self._is_first = False


def _json(value: object) -> str:
    return dumps(value, ensure_ascii=False, separators=(",", ":"))


def _with_composites(elements: list[Element], batch: SegmentBatch, index: int) -> list[Element]:
    """Replace composite elements by ``{"c": [components]}``."""
    tag, component = batch.rows[index][0], batch.delimiters.component
    if batch.kind is not BatchKind.SEGMENTS or batch.delimiters.release:
        return elements
    if component not in batch.texts[index]:
        return elements

    def split(text: object, position: int) -> object:
        if isinstance(text, str) and component in text and is_composite(tag, position):
            return {"c": text.split(component)}
        return text

    result: list[Element] = []
    for position, element in enumerate(elements, 1):
        if isinstance(element, list):
            result.append([split(text, position) for text in element])
        else:
            result.append(split(element, position))  # type: ignore[arg-type]  # a str or a dict
    return result
