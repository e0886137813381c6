"""The segments view (lossless, one object a segment) and the tree view of an X12 document.

Source: fields-and-mapping.md section 3. Loops come from the dictionary; where a set has no
definition, ``loop`` is null and the tree nests HL segments only, by HL02.
"""

from __future__ import annotations

from collections.abc import Iterator
from json import dumps
from typing import Final

from longshore.x12.batch import BatchKind, SegmentBatch
from longshore.x12.binary import binary_value
from longshore.x12.control import CONTROL_IDS, SegmentSpan
from longshore.x12.loops.documents import DocumentPlacement
from longshore.x12.loops.faults import LoopStep
from longshore.x12.loops.nesting import MAX_LEVELS
from longshore.x12.loops.placement import SetCursor
from longshore.x12.release import split_released, unreleased
from longshore.x12.segment_table import is_composite
from longshore.x12.walk import Numbering, Walk

# An element: text, its repetitions, or a replacement for it.
Element = str | list[object] | dict[str, object]

_HL: Final = "HL"


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

    Loops below ``MAX_LEVELS`` are not nested; the segments that begin them are ``unplaced``.
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

    Text rather than nested objects, so that no encoder has to recurse. The open loops are HL loops,
    by HL02 in one another, and within the last of them those that the definition nests.
    """

    def __init__(self, index: int, set_id: str) -> None:
        self._head = f'{{"tx":{index},"tx_set":{_json(set_id)},"nodes":['
        self._parts: list[str] = []
        self._unplaced: set[str] = set()  # HL01 of loops too deep to be nested
        self._open: list[str] = []  # HL01 of the HL loops that are open, outermost first
        self._inner: list[LoopStep] = []  # the other loops that are open
        self._depths: dict[str, int] = {}  # how many loops are open when one of this HL01 is
        self._occurrences = 0
        self._is_first = True
        self._chars = 0

    def add(self, row: list[str], node: dict[str, object], cursor: SetCursor | None) -> int:
        """Put a segment where it belongs; return how many characters that took."""
        before = self._chars
        if not self._close_loops_before(row, cursor):
            node["unplaced"] = True
        self._write(_json(node))
        return self._chars - before

    def json(self) -> str:
        self._close_to(0)
        return self._head + "".join(self._parts) + "]}"

    def _close_loops_before(self, row: list[str], cursor: SetCursor | None) -> bool:
        """Close and open the loops around a segment; return whether it has a place in the tree."""
        if row[0] == "SE":
            self._close_to(0)
        elif cursor is None:
            return row[0] != _HL or self._begin_level(row, None)
        elif not cursor.has_place:
            return False
        elif row[0] == _HL:
            return self._begin_level(row, cursor.path[-1])
        else:
            return self._enter(cursor)
        return True

    def _enter(self, cursor: SetCursor) -> bool:
        """Open the loops of a segment, within the last HL loop if that is one of them."""
        path = cursor.path
        levels = [at for at, step in enumerate(path, 1) if step.segment_id == _HL]
        if not levels and self._open:
            self._close_to(0)
        inner = path[levels[-1] :] if levels else path
        is_trigger = cursor.slot is not None and cursor.slot.inner is not None
        common = 0
        for one, other in zip(self._inner, inner[: len(inner) - is_trigger], strict=False):
            if one != other:
                break
            common += 1
        self._close_inner(common)
        for step in inner[common:]:
            if len(self._open) + len(self._inner) >= MAX_LEVELS:
                return not is_trigger
            self._begin(step.loop_id, step.number, step.label)
            self._inner.append(step)
        return True

    def _begin_level(self, row: list[str], step: LoopStep | None) -> bool:
        """Begin the loop of an HL, or tell that it would be too deep."""
        number, parent, level = [*row[1:4], "", "", ""][:3]
        if parent in self._unplaced or self._depths.get(parent, 0) >= MAX_LEVELS:
            self._unplaced.add(number)
            return False
        self._close_to(self._depths.get(parent, 0) if parent else 0)
        self._occurrences += 1
        if step is None:
            self._begin(_HL, self._occurrences, "", level)
        else:
            self._begin(step.loop_id, step.number, step.label, level)
        self._open.append(number)
        self._depths.setdefault(number, len(self._open))
        return True

    def _begin(self, loop_id: str, number: int, label: str, level: str | None = None) -> None:
        head: dict[str, object] = {"loop": loop_id, "n": number}
        if label:
            head["label"] = label
        if level is not None:
            head["level"] = level
        self._write(f'{_json(head)[:-1]},"nodes":[')
        self._is_first = True

    def _close_to(self, depth: int) -> None:
        """Close all but the outermost ``depth`` HL loops."""
        self._close_inner(0)
        while len(self._open) > depth:
            if self._depths[number := self._open.pop()] > len(self._open):
                del self._depths[number]
            self._end()

    def _close_inner(self, count: int) -> None:
        """Close all but the outermost ``count`` loops in the last HL loop."""
        while len(self._inner) > count:
            self._inner.pop()
            self._end()

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
