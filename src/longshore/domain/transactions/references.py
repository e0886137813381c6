"""The numbers people know a document by, read from its segments.

Source: contract.md section 5 (business key).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from longshore.domain.transactions.model import Reference
from longshore.x12.business_keys import KEY_ELEMENTS, KeyElement
from longshore.x12.control import SegmentSpan, element_at

MAX_REFERENCES: Final = 50
MAX_VALUE_CHARS: Final = 256  # whatever is longer identifies nothing


def references_of(tx_set: str, rows: Iterable[list[str]]) -> tuple[Reference, ...]:
    """Return the references of a set, in order of the table, then of the document; at most 50.

    ``rows`` is segments of the set, each its id and its elements. A value that is there twice is
    listed once.
    """
    reader = _SetReferences(tx_set)
    for row in rows:
        reader.add(row)
    return reader.found()


class ReferenceCollector:
    """Reads the references of all sets of a document, course by course of a walk (``x12.walk``)."""

    def __init__(self) -> None:
        self._sets: dict[int, _SetReferences] = {}

    def add(self, spans: list[SegmentSpan]) -> None:
        """Take a course of the walk."""
        for span in spans:
            if span.tx_index:
                self._take(span)

    def found(self) -> dict[int, tuple[Reference, ...]]:
        """Return the references of each set by its index, from 1."""
        return {index: each.found() for index, each in self._sets.items()}

    def _take(self, span: SegmentSpan) -> None:
        rows = span.batch.rows[span.first : span.last]
        reader = self._sets.get(span.tx_index)
        if reader is None:
            # The first segment of a set is its ST.
            reader = self._sets[span.tx_index] = _SetReferences(element_at(rows[0], 1))
        if reader.is_wanted(span.batch.ids):
            for row in rows:
                reader.add(row)


class _SetReferences:
    """Collects the references of one set."""

    def __init__(self, tx_set: str) -> None:
        self._values: dict[KeyElement, dict[str, None]] = {
            each: {} for each in KEY_ELEMENTS.get(tx_set, ())
        }
        self._ids = frozenset(each.segment_id for each in self._values)

    def is_wanted(self, ids: set[str]) -> bool:
        """Tell whether segments with these ids can say anything."""
        return not self._ids.isdisjoint(ids)

    def add(self, row: list[str]) -> None:
        """Take what a segment says."""
        if row[0] not in self._ids:
            return
        for each, values in self._values.items():
            value = element_at(row, each.position).strip() if each.segment_id == row[0] else ""
            if value and len(values) < MAX_REFERENCES and len(value) <= MAX_VALUE_CHARS:
                values[value] = None

    def found(self) -> tuple[Reference, ...]:
        """Return the references."""
        found = [
            Reference(each.element, each.name, value)
            for each, values in self._values.items()
            for value in values
        ]
        return tuple(found[:MAX_REFERENCES])
