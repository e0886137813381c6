"""Build X12 output: one interchange with one transaction set.

Source: fields-and-mapping.md sections 7 (X12) and 8.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from longshore.formats.keys import numbered
from longshore.mapping.addressing import Addressing, merge_addressings
from longshore.mapping.cells import (
    Built,
    CellValues,
    Written,
    add_part,
    parts_of_rule,
    refuse_arrays,
)
from longshore.mapping.envelopes import HEADER_PLACES, HeaderPlace, Headers, Stamp, headers_of
from longshore.mapping.instances import x12_target_of
from longshore.mapping.output import OutputSize, checked_text
from longshore.mapping.output_separators import (
    REPETITION_SINCE,
    fixed_separators,
    free_separators,
    wanted_separators,
)
from longshore.mapping.output_warnings import OutputWarnings
from longshore.mapping.set_lines import SetLine, lines_of
from longshore.mapping.target_paths import X12Target
from longshore.mapping.target_refusals import conversion_failed, unfit_rules
from longshore.mapping.writes import RuleWrites
from longshore.x12.binary import LENGTH_ELEMENT
from longshore.x12.delimiters import Delimiters
from longshore.x12.dictionary.library import Dictionary, shipped
from longshore.x12.writer.interchange import InterchangeWriter
from longshore.x12.writer.segments import Components, Element

_ENVELOPE: Final = frozenset(("ISA", "GS", "ST", "SE", "GE", "IEA"))
_OUTSIDE: Final = frozenset(("TA1", "ISB", "ISE", "ISX"))
_COMPUTED: Final = frozenset((("ISA", 11), ("ISA", 16)))
_TRAILERS: Final = frozenset(("SE", "GE", "IEA"))


@dataclass(frozen=True, slots=True, kw_only=True)
class X12Options:
    """The settings of an interchange besides rules."""

    layers: tuple[Addressing, ...] = ()
    """The sources of the addressing; the first one that gives a member counts."""
    stamp: Stamp
    """Time and control numbers."""
    is_fixed: bool = False
    """The separators may not be changed."""
    replacement: str = ""
    """The text to write instead of a separator in a value, ``""`` to refuse it."""
    dictionary: Dictionary = field(default_factory=shipped)


def build_x12(
    rules: Sequence[RuleWrites], options: X12Options, *, is_traced: bool = False
) -> Built:
    """Return what rules write as an X12 interchange.

    Args:
        rules: What the rules write.
        options: The addressing, control numbers and separators.
        is_traced: List the origins that the rules carry.

    Raises:
        LongshoreError: invalid_mapping_rule: a target cannot be written. conversion_failed
            (tx_set_missing, functional_id_missing, type_mismatch, value_too_long,
            repetition_not_allowed, duplicate_target, character_not_allowed), delimiter_in_data,
            limit_exceeded (output_bytes); invalid_parameter: a member of the envelope.
    """
    refuse_arrays(rules)
    _refuse_targets(rules)
    warnings = OutputWarnings()
    addressing = merge_addressings(options.layers)
    cells = _header_cells(rules, warnings)
    headers = headers_of(cells, addressing, options.stamp)
    of_set = [writes for writes in rules if not _is_envelope(writes)]
    lines = lines_of(of_set, headers, options.dictionary, warnings)
    version = headers.values["ISA", 12]
    if version < REPETITION_SINCE:
        _refuse_repetitions(lines)
    delimiters = wanted_separators(addressing.separators, version)
    if options.is_fixed:
        fixed_separators(lines, delimiters, options.replacement, warnings)
    else:
        delimiters = free_separators(lines, headers.values.values(), delimiters, warnings)
    text = checked_text(_text(headers, lines, delimiters), rules)
    written = tuple(_trace(headers, cells, lines, delimiters)) if is_traced else ()
    return Built(text, warnings.all(), written, headers.tx_set)


# ---- targets -----------------------------------------------------------------------------------


def _refuse_targets(rules: Sequence[RuleWrites]) -> None:
    faults = []
    for writes in rules:
        fault = _target_fault(x12_target_of(writes))
        if fault:
            faults.append((writes.rule, "tgt", fault))
    if faults:
        raise unfit_rules(faults)


def _target_fault(target: X12Target) -> str:
    """Return why a target cannot be written, ``""`` if it can."""
    tags = {step.segment_id for step in target.steps}
    last, position = target.steps[-1], target.position
    is_whole = not target.component and target.repetition == 1
    if not tags.isdisjoint(_OUTSIDE):
        return "no rule writes this segment"
    if not tags.isdisjoint(_ENVELOPE):
        place = (last.segment_id, position)
        is_known = place in HEADER_PLACES | _COMPUTED or last.segment_id in _TRAILERS
        if len(target.steps) > 1 or last.occurrence != 1 or not is_whole or not is_known:
            return "an envelope segment is written once, in no loop, element by element"
    data = LENGTH_ELEMENT.get(last.segment_id, position) + 1
    if position > data or (position == data and not is_whole):
        return "binary data is the last element of its segment, and has no parts"
    return ""


def _is_envelope(writes: RuleWrites) -> bool:
    return x12_target_of(writes).steps[0].segment_id in _ENVELOPE


def _header_cells(
    rules: Sequence[RuleWrites], warnings: OutputWarnings
) -> dict[HeaderPlace, CellValues]:
    cells: dict[HeaderPlace, CellValues] = {}
    for writes in filter(_is_envelope, rules):
        target = x12_target_of(writes)
        place = (target.steps[0].segment_id, target.position)
        for _, part in parts_of_rule(writes):
            if place in HEADER_PLACES:
                cells[place] = add_part(cells.get(place), part)
            else:
                message = "trailers, counts and separators are computed, whatever rules say"
                warnings.add("envelope_computed", message, writes)
    return cells


def _refuse_repetitions(lines: Sequence[SetLine]) -> None:
    for line in lines:
        for place in line.texts:
            if place[1] > 1:
                message = "this version has no repetitions; they exist since 004020"
                rule = line.part(place).writes.rule
                raise conversion_failed("repetition_not_allowed", rule, message)


# ---- texts -------------------------------------------------------------------------------------


def _text(headers: Headers, lines: Sequence[SetLine], delimiters: Delimiters) -> str:
    size = OutputSize()
    writer = InterchangeWriter(delimiters)
    writer.open_interchange(headers.interchange)
    writer.open_group(headers.group)
    writer.open_set(*headers.row("ST", 3))
    for line in lines:
        size.add(sum(map(len, line.texts.values())))
        writer.add(_segment(line))
    return writer.finish()


def _segment(line: SetLine) -> list[Element]:
    """Return the elements; repetitions that no rule gave a value are left out."""
    last = max((place[0] for place in line.texts), default=0)
    segment: list[Element] = [line.instance.segment_id, *[""] * last]
    with_parts: dict[int, dict[int, dict[int, str]]] = {
        position: {} for position, repetition, component in line.texts if repetition + component > 1
    }
    for (position, repetition, component), text in line.texts.items():
        if position in with_parts:
            # The whole of an element without components is its first component.
            with_parts[position].setdefault(repetition, {})[component or 1] = text
        else:
            segment[position] = text
    for position, parts in with_parts.items():
        found = [_components(parts[repetition]) for repetition in sorted(parts)]
        segment[position] = found[0] if len(found) == 1 else found
    return segment


def _components(parts: Mapping[int, str]) -> str | Components:
    texts = [parts.get(component, "") for component in range(1, max(parts) + 1)]
    return texts[0] if len(texts) == 1 else tuple(texts)


# ---- explain -----------------------------------------------------------------------------------


def _trace(
    headers: Headers,
    cells: Mapping[HeaderPlace, CellValues],
    lines: Sequence[SetLine],
    delimiters: Delimiters,
) -> Iterator[Written]:
    values = {
        **headers.values,
        ("ISA", 11): delimiters.repetition or "U",
        ("ISA", 16): delimiters.component,
    }
    for tag, count in (("ISA", 16), ("GS", 8), ("ST", 3)):
        for position in range(1, count + 1):
            value, cell = values.get((tag, position), ""), cells.get((tag, position))
            if value:
                tgt = f"{tag}.{position:02d}"
                yield from _from_parts(tgt, cell, value)
    numbers: Counter[str] = Counter()
    for line in lines:
        tag = line.instance.segment_id
        numbers[tag] += 1
        yield from _trace_line(line, f"{numbered(tag, numbers[tag])}.")
    trailers = (("SE", len(lines) + 2, ("ST", 2)), ("GE", 1, ("GS", 6)), ("IEA", 1, ("ISA", 13)))
    for tag, total, number in trailers:
        yield Written(f"{tag}.01", None, None, str(total))
        yield Written(f"{tag}.02", None, None, values[number])


def _trace_line(line: SetLine, prefix: str) -> Iterator[Written]:
    repetitions: dict[int, dict[int, int]] = {}
    composites = {place[:2] for place in line.texts if place[2] > 1}
    for (position, repetition, component), text in line.texts.items():
        numbers = repetitions.setdefault(position, {})
        number = numbers.setdefault(repetition, len(numbers) + 1)
        element = numbered(f"{position:02d}", number)
        part = f".{component or 1:02d}" if (position, repetition) in composites else ""
        tgt = f"{prefix}{element}{part}"
        yield from _from_parts(tgt, line.instance.cells[position, repetition, component], text)


def _from_parts(tgt: str, cell: CellValues | None, text: str) -> Iterator[Written]:
    """Yield the origins of a text; of joined texts, each its own."""
    if cell is None or not cell.text:
        yield Written(tgt, None, None, text)
        return
    parts = cell.groups[0]
    for part in parts:
        written = part.written_at(tgt)
        yield written if len(parts) > 1 else written._replace(after=text)
