"""The segments view (lossless, one object a segment) and the tree view of an X12 document.

Source: fields-and-mapping.md section 3. Loops come from the dictionary; where a set has no
definition, ``loop`` is null and the tree nests HL segments only, by HL02.
"""

from __future__ import annotations

from collections.abc import Iterator
from json import dumps

from longshore.x12.batch import BatchKind, SegmentBatch
from longshore.x12.binary import binary_value
from longshore.x12.control import CONTROL_IDS, SegmentSpan, element_at
from longshore.x12.loops.documents import DocumentPlacement
from longshore.x12.loops.faults import LoopStep
from longshore.x12.loops.nesting import LoopNesting
from longshore.x12.loops.placement import SetCursor
from longshore.x12.loops.slots import HL
from longshore.x12.release import split_released, unreleased
from longshore.x12.segment_table import is_composite
from longshore.x12.walk import Numbering, Walk

# An element: text, its repetitions, or a replacement for it.
Element = str | list[object] | dict[str, object]


class SegmentLister:
    """Makes the segments view of the spans it is given, in document order.

    It counts in its own ``numbering`` unless it is the walk's only consumer. ``placement`` finds
    the loops of the segments.
    """

    def __init__(
        self,
        walk: Walk,
        numbering: Numbering | None = None,
        placement: DocumentPlacement | None = None,
        *,
        is_single_octet: bool = False,
    ) -> None:
        self._walk = walk
        self._placement = placement
        self._numbering = numbering if numbering is not None else walk.numbering
        self._is_single_octet = is_single_octet

    def lines(self, span: SegmentSpan) -> Iterator[str]:
        """Yield one JSON object a segment."""
        batch, positions = span.batch, self._walk.reader.positions
        numbers = self._numbering.of(span.tx_index)
        scope = "" if span.occurrence else self._walk.scope(span.tx_index)
        cursors = _cursors(self._placement, span)
        for index in range(span.first, span.last):
            ahead, tag = index - span.first, batch.rows[index][0]
            number = span.occurrence
            if not number:
                numbers[tag] = number = numbers.get(tag, 0) + 1
            start, cursor = batch.starts[index], cursors[ahead]
            segment = {
                "n": span.ordinal + ahead,
                "pos": span.position + ahead if span.tx_index else 0,
                "id": tag,
                "key": scope + tag if number == 1 else f"{scope}{tag}[{number}]",
                "tx": self._set_of(span),
                "loop": None if cursor is None else cursor.loop_id,
                "span": [
                    positions.of(start)[0],
                    positions.after(start + len(batch.texts[index])),
                ],
                "e": elements_of(batch, index, is_single_octet=self._is_single_octet),
            }
            yield dumps(segment, ensure_ascii=False, separators=(",", ":"))

    def _set_of(self, span: SegmentSpan) -> int:
        """Return the set the keys belong to: a document without ST is set 1."""
        if span.tx_index or span.occurrence or self._walk.has_sets():
            return span.tx_index
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


def _cursors(placement: DocumentPlacement | None, span: SegmentSpan) -> list[SetCursor | None]:
    if placement is None:
        return [None] * (span.last - span.first)
    return placement.of(span)


class TreeBuilder:
    """Makes the tree view: for each set its segments in order, nested by loops; HL loops by HL02.

    Loops below ``MAX_LEVELS`` of ``loops.nesting`` are not nested; the segments that begin them are
    ``unplaced``.
    ``placement`` finds the loops of the segments.
    """

    def __init__(
        self,
        walk: Walk,
        numbering: Numbering,
        placement: DocumentPlacement | None = None,
        *,
        is_single_octet: bool = False,
    ) -> None:
        self._walk = walk
        self._numbering = numbering
        self._placement = placement
        self._is_single_octet = is_single_octet
        self._sets: dict[int, _SetTree] = {}

    def add(self, span: SegmentSpan) -> int:
        """Add the segments of one span to their set; envelope segments are left out.

        Returns:
            The number of characters added.
        """
        chars = 0
        batch = span.batch
        numbers = self._numbering.of(span.tx_index)
        scope = "" if span.occurrence else self._walk.scope(span.tx_index)
        cursors = _cursors(self._placement, span)
        for index, cursor in enumerate(cursors, span.first):
            tag = batch.rows[index][0]
            number = span.occurrence
            if not number:
                numbers[tag] = number = numbers.get(tag, 0) + 1
            if tag in CONTROL_IDS and tag not in {"ST", "SE"}:
                continue
            key = scope + tag if number == 1 else f"{scope}{tag}[{number}]"
            node: dict[str, object] = {"key": key}
            if cursor is not None and cursor.slot is not None and cursor.slot.use.label:
                node["label"] = cursor.slot.use.label
            elements = elements_of(batch, index, is_single_octet=self._is_single_octet)
            node["e"] = with_composites(elements, batch, index)
            tree = self._set(span, batch.rows[index])
            chars += tree.add(batch.rows[index], node, cursor)
        return chars

    def json(self) -> str:
        """Return the trees of all sets as one JSON array."""
        trees = (tree.json() for _, tree in sorted(self._sets.items()))
        return "[" + ",".join(trees) + "]"

    def _set(self, span: SegmentSpan, row: list[str]) -> _SetTree:
        index = span.tx_index
        if not index and not self._walk.has_sets():
            index = 1
        if index not in self._sets:
            set_id = row[1] if row[0] == "ST" and len(row) > 1 else ""
            self._sets[index] = _SetTree(index, set_id)
        return self._sets[index]


class _SetTree:
    """The nodes of one set as JSON texts; a loop is written when it ends.

    Text rather than nested objects, so that no encoder has to recurse.
    """

    def __init__(self, index: int, set_id: str) -> None:
        self._head = f'{{"tx":{index},"tx_set":{_json(set_id)},"nodes":['
        self._parts: list[str] = []
        self._nesting = LoopNesting(self._begin, self._end)
        self._row: list[str] = []
        """The segment that is being added."""
        self._levels = 0
        """The number of HL loops without a definition that have begun."""
        self._is_first = True
        self._chars = 0

    def add(self, row: list[str], node: dict[str, object], cursor: SetCursor | None) -> int:
        """Put a segment where it belongs; return how many characters that took."""
        before, self._row = self._chars, row
        if row[0] == "SE":
            self._nesting.close()
        elif not self._nesting.enter(row, cursor):
            node["unplaced"] = True
        self._write(_json(node))
        return self._chars - before

    def json(self) -> str:
        self._nesting.close()
        return self._head + "".join(self._parts) + "]}"

    def _begin(self, step: LoopStep | None) -> None:
        head: dict[str, object]
        if step is None:
            self._levels += 1
            head = {"loop": HL, "n": self._levels}
        else:
            head = {"loop": step.loop_id, "n": step.number}
            if step.label:
                head["label"] = step.label
        if self._row[0] == HL:
            head["level"] = element_at(self._row, 3)
        self._write(f'{_json(head)[:-1]},"nodes":[')
        self._is_first = True

    def _end(self) -> None:
        self._parts.append("]}")
        self._is_first = False

    def _write(self, text: str) -> None:
        self._parts.append(text if self._is_first else "," + text)
        self._chars += len(text)
        self._is_first = False


def _json(value: object) -> str:
    return dumps(value, ensure_ascii=False, separators=(",", ":"))


def with_composites(elements: list[Element], batch: SegmentBatch, index: int) -> list[Element]:
    """Return ``elements_of`` this segment with each composite as ``{"c": [components]}``."""
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
