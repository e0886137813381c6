"""Maps the errors of an acknowledgement back to our document: value, place and map rule.

The partner counts segments from the ST of a set. An error is mapped back only if the segment at
that position of our document has the segment id that the partner names.

Source: contract.md section 7 (``our_…``), fields-and-mapping.md sections 2.1 and 8, x12.md sections
1.4 and 1.8.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from json import loads
from typing import Final, NamedTuple

from longshore.domain.acks.application import OurClaim
from longshore.domain.acks.meanings import (
    APPLICATION_MEANINGS,
    ELEMENT_MEANINGS,
    SEGMENT_MEANINGS,
    codes_hint,
    meaning,
)
from longshore.domain.acks.model import AckError, AckErrorLevel, AckForm
from longshore.formats.keys import numbered
from longshore.x12.acks.advice import AdviceNote
from longshore.x12.acks.read import ElementNote, SegmentNote, SetAck
from longshore.x12.acks.read_answers import AdvisedOriginal
from longshore.x12.batch import SegmentBatch
from longshore.x12.binary import LENGTH_ELEMENT
from longshore.x12.control import SegmentSpan, element_at
from longshore.x12.delimiters import Delimiters
from longshore.x12.dictionary.library import Dictionary
from longshore.x12.dictionary.model import Definition
from longshore.x12.release import split_released, unreleased
from longshore.x12.segment_table import is_composite
from longshore.x12.walk import Walk


class ValuePart(NamedTuple):
    """A value of a segment: the end of its key, such as ``01[2].03``, its text, its offset."""

    key: str
    value: str
    offset: int
    """0-based, in the segment. A value that is not there is ``""``, where it would be."""


class _Span(NamedTuple):
    """A text, and where it begins in the segment."""

    offset: int
    text: str

    def inner(self, separator: str, release: str, index: int) -> _Span:
        """Return the part at ``index`` between separators; behind the last one, nothing."""
        parts = (
            split_released(self.text, separator, release) if release else self.text.split(separator)
        )
        before = sum(len(part) + 1 for part in parts[:index])
        if index < len(parts):
            return _Span(self.offset + before, parts[index])
        return _Span(self.offset + len(self.text), "")


def part_at(
    text: str, row: list[str], marks: Delimiters, place: tuple[int, int, int]
) -> ValuePart | None:
    """Return a value of a segment.

    ``text`` and ``row`` are the segment, and its id with its elements. ``place`` is element and
    repetition from 1, component from 1 or 0 for the whole; None if the element is below 1.
    """
    position, repeat, component = place
    if position < 1:
        return None
    key = f"{position:02d}"
    if row[0] in LENGTH_ELEMENT and position > LENGTH_ELEMENT[row[0]]:
        return ValuePart(key, element_at(row, position), len(text) - len(row[-1]))
    span = _Span(0, text).inner(marks.element, marks.release, position)
    if marks.repetition:
        span = span.inner(marks.repetition, marks.release, repeat - 1)
        key = numbered(key, repeat)
    if component and is_composite(row[0], position):
        has_parts = marks.component in span.text or component > 1
        span = span.inner(marks.component, marks.release, component - 1)
        key = f"{key}.{component:02d}" if has_parts else key
    value = unreleased(span.text, marks.release, marks.marks) if marks.release else span.text
    return ValuePart(key, value, span.offset)


MAX_ERRORS: Final = 1_000
CLAIM_ID: Final = "CLM"
_CODE_ERRORS: Final = frozenset(("7", "I6"))
_MISSING_SEGMENTS: Final = frozenset(("3", "I6"))
_ELEMENT_ERRORS: Final = "8"
_SOURCES: Final[Mapping[AckForm, tuple[str, str]]] = {
    AckForm.F997: ("AK3", "AK4"),
    AckForm.F999: ("IK3", "IK4"),
}


class PlacedSegment(NamedTuple):
    """A segment of our document: its text, its elements, its key."""

    text: str
    row: list[str]
    key: str
    offset_of: Callable[[int], int]
    """The 0-based character of the document by the character of the segment."""
    delimiters: Delimiters


@dataclass(frozen=True, slots=True, kw_only=True)
class OurSet:
    """A set of ours as it was stored: the segments that were complained about, by position."""

    segments: Mapping[int, PlacedSegment]
    definition: Definition | None = None
    """The definition of the set, for hints."""
    rules: Mapping[str, int] = field(default_factory=dict)
    """As ``rules_by_target`` returns them; empty where no map made it."""


def noted_positions(ack: SetAck | AdvisedOriginal) -> frozenset[int]:
    """Return the positions of the segments that an acknowledgement speaks of."""
    if isinstance(ack, AdvisedOriginal):
        positions = (note.segment_position for note in ack.notes)
        return frozenset(each for each in positions if each is not None)
    return frozenset(note.position for note in ack.segments if note.position is not None)


def our_sets(
    walk: Walk,
    positions: Mapping[int, frozenset[int]],
    dictionary: Dictionary,
    rules: Mapping[str, int],
) -> dict[int, OurSet]:
    """Return what is needed of some sets, by index, in one walk through our document.

    ``walk`` is a new one. ``positions`` is which segments of which sets, by index from 1. ``rules``
    is of ``rules_by_target``.
    """
    segments: dict[int, dict[int, PlacedSegment]] = {index: {} for index in positions}
    numbers: dict[int, dict[str, int]] = {index: {} for index in positions}
    for spans in walk.span_lists():
        for span in spans:
            index = span.tx_index
            if index in positions:
                _place(walk, span, positions[index], numbers[index], segments[index])
    definitions = _definitions(walk, positions, dictionary)
    return {
        index: OurSet(segments=found, definition=definitions.get(index), rules=rules)
        for index, found in segments.items()
    }


def _place(
    walk: Walk,
    span: SegmentSpan,
    positions: frozenset[int],
    numbers: dict[str, int],
    segments: dict[int, PlacedSegment],
) -> None:
    """Put the segments of a stretch that are asked for into ``segments``."""
    batch = span.batch
    scope = "" if span.occurrence else walk.scope(span.tx_index)
    for at in range(span.first, span.last):
        row = batch.rows[at]
        numbers[row[0]] = number = numbers.get(row[0], 0) + 1
        position = span.position + at - span.first
        if position in positions:
            segments[position] = PlacedSegment(
                text=batch.texts[at],
                row=row,
                key=scope + numbered(row[0], span.occurrence or number),
                offset_of=partial(_offset, walk, batch, at),
                delimiters=batch.delimiters,
            )


def _offset(walk: Walk, batch: SegmentBatch, at: int, inside: int) -> int:
    start, of = batch.starts[at], walk.reader.positions.of
    # Only in a wrapped document there are characters within a segment that do not count.
    return of(start + inside)[0] if walk.layout.line_width else of(start, batch)[0] + inside


def _definitions(
    walk: Walk, indexes: Container[int], dictionary: Dictionary
) -> dict[int, Definition | None]:
    envelope = walk.envelope
    isa = envelope.interchanges[0].header if envelope.interchanges else []
    standard = element_at(isa, 12)
    return {
        each.index: dictionary.resolve(
            each.set_id, each.version, standard, element_at(each.header, 3)
        ).definition
        for each in envelope.sets
        if each.index in indexes
    }


def our_claims(walk: Walk, tx_index: int) -> dict[str, list[OurClaim]]:
    """Return the claims of an 837 of ours by CLM01; ``walk`` is a new one."""
    claims: dict[str, list[OurClaim]] = {}
    number = 0
    for spans in walk.span_lists():
        for span in spans:
            if span.tx_index != tx_index or CLAIM_ID not in span.batch.ids:
                continue
            scope = walk.scope(tx_index)
            for at in range(span.first, span.last):
                row = span.batch.rows[at]
                if row[0] == CLAIM_ID:
                    number += 1
                    place = OurClaim(
                        path=f"{scope}{numbered(CLAIM_ID, number)}.01",
                        offset=_offset(walk, span.batch, at, len(CLAIM_ID) + 1),
                    )
                    claims.setdefault(element_at(row, 1), []).append(place)
    return claims


def rules_by_target(lineage: str) -> Mapping[str, int]:
    """Return the rules by what they wrote, out of the stored ``explain`` of a conversion.

    Values and segments alike: ``{"PO1[2].06": 12, "PO1[2]": 12}``; of several rules the first.
    """
    rules: dict[str, int] = {}
    for output in loads(lineage)["outputs"]:
        if output["rule"] is not None:
            rules.setdefault(output["tgt"], output["rule"])
            rules.setdefault(output["tgt"].partition(".")[0], output["rule"])
    return rules


# ---- errors --------------------------------------------------------------------------------------


def errors_of(ack: SetAck | AdvisedOriginal, form: AckForm, ours: OurSet) -> tuple[AckError, ...]:
    """Return the errors that an acknowledgement lists for a set, in its order; at most 1,000."""
    if isinstance(ack, AdvisedOriginal):
        return tuple(_of_advice(note, ours) for note in ack.notes[:MAX_ERRORS])
    errors = (error for note in ack.segments for error in _of_segment(note, form, ours))
    return tuple(islice(errors, MAX_ERRORS))


def _of_segment(note: SegmentNote, form: AckForm, ours: OurSet) -> Iterator[AckError]:
    source, element_source = _SOURCES[form]
    placed = ours.segments.get(note.position) if note.position is not None else None
    base = AckError(
        level=AckErrorLevel.SEGMENT,
        segment_id=note.segment_id,
        segment_position=note.position,
        loop_id=note.loop_id,
        code=note.code,
        code_meaning=meaning(SEGMENT_MEANINGS, note.code),
        source=source,
    )
    is_ours = placed is not None and placed.row[0] == note.segment_id
    if note.code != _ELEMENT_ERRORS or not note.elements:
        yield _placed_segment(base, placed, ours) if placed is not None else base
    for element in note.elements:
        error = _of_element(base, element, element_source)
        yield _placed_element(error, placed, ours) if is_ours and placed is not None else error


def _of_advice(note: AdviceNote, ours: OurSet) -> AckError:
    level = AckErrorLevel.ELEMENT if note.element_position else AckErrorLevel.SEGMENT
    error = AckError(
        level=level if note.segment_id else AckErrorLevel.SET,
        segment_id=note.segment_id,
        segment_position=note.segment_position,
        loop_id="",
        element_position=note.element_position,
        element_ref=note.element_ref,
        code=note.code,
        code_meaning=meaning(APPLICATION_MEANINGS, note.code),
        bad_value=note.bad_value,
        source="TED",
        message=note.text,
    )
    placed = None
    if note.segment_position is not None:
        placed = ours.segments.get(note.segment_position)
    if placed is None or placed.row[0] != note.segment_id:
        return error
    if error.level is AckErrorLevel.ELEMENT:
        return _placed_element(error, placed, ours)
    return _placed_segment(error, placed, ours)


def _placed_segment(error: AckError, placed: PlacedSegment, ours: OurSet) -> AckError:
    if placed.row[0] == error.segment_id:
        rule = _named(ours.rules.get(placed.key))
        return replace(error, our_path=placed.key, our_offset=placed.offset_of(0), our_rule=rule)
    if error.code in _MISSING_SEGMENTS:  # its place is before the segment found instead
        return replace(error, our_offset=placed.offset_of(0))
    return error


def _named(rule: int | None) -> str:
    return "" if rule is None else f"field_map[{rule}]"


def _of_element(base: AckError, note: ElementNote, source: str) -> AckError:
    return replace(
        base,
        level=AckErrorLevel.ELEMENT,
        element_position=note.element_position,
        component_position=note.component_position,
        repeat=note.repeat,
        element_ref=note.element_ref,
        code=note.code,
        code_meaning=meaning(ELEMENT_MEANINGS, note.code),
        bad_value=note.bad_value,
        source=source,
    )


def _placed_element(error: AckError, placed: PlacedSegment, ours: OurSet) -> AckError:
    place = (error.element_position or 0, error.repeat or 1, error.component_position or 0)
    part = part_at(placed.text, placed.row, placed.delimiters, place)
    if part is None:
        return error
    path = f"{placed.key}.{part.key}"
    rule = ours.rules.get(path, ours.rules.get(f"{path}.01"))
    is_code = error.code in _CODE_ERRORS and ours.definition is not None
    return replace(
        error,
        our_value=part.value,
        our_path=path,
        our_offset=placed.offset_of(part.offset),
        our_rule=_named(rule),
        hint=codes_hint(ours.definition, error) if is_code and ours.definition else "",
    )
