"""The segments of an X12 set to write: in order, with their texts and computed values.

The constant ``auto`` means the number of line items in ``CTT.01``, a running number in ``HL.01``,
``LX.01``, ``PO1.01`` and ``IT1.01``, and in ``HL.02`` the number of the HL around this one.

Source: fields-and-mapping.md section 7, X12, points 1 to 4.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from longshore.mapping.cells import CellPart, CellValues
from longshore.mapping.element_texts import ElementTexts, is_binary
from longshore.mapping.envelopes import Headers
from longshore.mapping.instances import Instance, Place, instances_of
from longshore.mapping.ordering import Ordered, in_order
from longshore.mapping.output_warnings import OutputWarnings
from longshore.mapping.writes import LateValue, RuleWrites
from longshore.x12.dictionary.library import Dictionary

AUTO: Final = "auto"
_HL: Final = "HL"
_NUMBERED: Final = frozenset(("LX", "PO1", "IT1"))
_FIRST: Final = (1, 1, 0)
_SECOND: Final = (2, 1, 0)
# Segments that begin a line item; the first of them that a set has is what CTT01 counts.
_LINES: Final = (
    *("PO1", "IT1", "HL", "LX", "CLP", "INS", "LIN", "W01", "W04", "W07", "W12", "ENT"),
    *("CLM", "POC", "S5", "OID"),
)


@dataclass(slots=True, eq=False)
class SetLine:
    """A segment of the set to write: its texts by position."""

    instance: Instance
    texts: dict[Place, str]

    def data(self) -> Iterator[tuple[Place, str]]:
        """Yield the texts that separators must not occur in."""
        tag = self.instance.segment_id
        return ((place, text) for place, text in self.texts.items() if not is_binary(tag, place[0]))

    def part(self, place: Place) -> CellPart:
        """Return the origin of the text at a position."""
        return self.instance.cells[place].groups[0][-1]


def lines_of(
    rules: Sequence[RuleWrites], headers: Headers, dictionary: Dictionary, warnings: OutputWarnings
) -> list[SetLine]:
    """Return the segments between ST and SE in their order.

    Args:
        rules: What the rules about these segments write.
        headers: The headers of the output.
        dictionary: The dictionary with the definition of the set.
        warnings: Receives warnings about the output.

    Raises:
        LongshoreError: conversion_failed: type_mismatch, value_too_long, duplicate_target.
    """
    values = headers.values
    definition, _, release = dictionary.resolve(
        headers.tx_set, values["GS", 8], values["ISA", 12], values.get(("ST", 3), "")
    )
    instances = instances_of(rules)
    ordered = in_order(instances, definition.body if definition else ())
    _note(ordered, warnings)
    computed = _computed(ordered.segments)
    texts = ElementTexts(dictionary, release, warnings)
    return [
        SetLine(instance, texts.of(instance, computed.get(instance, {})))
        for instance in ordered.segments
    ]


def _note(ordered: Ordered, warnings: OutputWarnings) -> None:
    for instance in ordered.guessed:
        writes = next((cell.groups[0][0].writes for cell in instance.cells.values()), None)
        message = "several loops may hold this segment, and none was named with >"
        warnings.add("loop_scope_guessed", message, writes)
    for instance in ordered.segments:
        if not instance.has_elements:
            message = f"no rule gave {instance.segment_id} a value, but its loop has segments"
            warnings.add("segment_without_elements", message)


def _computed(segments: Sequence[Instance]) -> dict[Instance, dict[Place, str]]:
    """Return the values of the constant ``auto``: the number of lines, and HL numbers."""
    counts = Counter(segment.segment_id for segment in segments)
    line = next(filter(counts.__contains__, _LINES), "")
    numbers: dict[Instance, str] = {}
    found: dict[Instance, dict[Place, str]] = {}
    written: Counter[str] = Counter()
    for segment in segments:
        late = {
            place: cell.value.compute(written)
            for place, cell in segment.cells.items()
            if isinstance(cell.value, LateValue)
        }
        written[segment.segment_id] += 1
        if late:
            found[segment] = late
        if segment.segment_id == _HL:
            own = segment.cells.get(_FIRST)
            is_auto = own is not None and _is_auto(own)
            numbers[segment] = str(len(numbers) + 1) if is_auto or own is None else own.text
            values = {_FIRST: numbers[segment], _SECOND: _number_above(segment, numbers)}
        elif segment.segment_id in _NUMBERED:
            values = {_FIRST: str(written[segment.segment_id])}
        elif segment.segment_id == "CTT":
            values = {_FIRST: str(counts[line])}
        else:
            continue
        cells = segment.cells
        found.setdefault(segment, {}).update({
            place: value
            for place, value in values.items()
            if place in cells and _is_auto(cells[place])
        })
    return found


def _is_auto(cell: CellValues) -> bool:
    part = cell.groups[0][-1]
    return not part.writes.has_source and part.value == AUTO


def _number_above(segment: Instance, numbers: Mapping[Instance, str]) -> str:
    """Return HL01 of the nearest HL around a segment."""
    above = segment.parent
    while above is not None and above.segment_id != _HL:
        above = above.parent
    return "" if above is None else numbers[above]
