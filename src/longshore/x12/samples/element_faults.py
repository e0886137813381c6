"""One bad element or component in a valid sample.

Left out are the elements that more depends on than their own form: those a condition looks at, the
numbers of HL and of binary data, amounts and counts that have to agree, dates under a qualifier,
and what is repeated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from longshore.x12.dictionary.model import (
    STANDARD,
    CodeList,
    CompositeType,
    ElementRule,
    ElementType,
    ElementUse,
    RelationalNote,
    ValueCondition,
)
from longshore.x12.findings import FindingCode
from longshore.x12.samples.expected import ExpectedFinding, Fault, Row
from longshore.x12.samples.numbers import SeededNumbers
from longshore.x12.samples.parts import NO_RULE
from longshore.x12.samples.sample_set import COMPONENT, REPETITION, SampleSegment, SampleSet

ELEMENT_FAULTS: Final = (
    FindingCode.ELEMENT_MISSING,
    FindingCode.TOO_MANY_ELEMENTS,
    FindingCode.ELEMENT_TOO_SHORT,
    FindingCode.ELEMENT_TOO_LONG,
    FindingCode.CHARACTER_INVALID,
    FindingCode.CODE_INVALID,
    FindingCode.CODE_NOT_USED,
    FindingCode.DATE_INVALID,
    FindingCode.TIME_INVALID,
)
_LEFT_OUT: Final = frozenset((
    *("HL", "BIN", "CTT"),
    *("IT1", "SAC", "TXI", "TDS"),
    *("BPR", "CLP", "SVC", "PLB"),
    *("CLM", "SV1", "SV2", "SV3", "SVD", "CAS"),
))
_HEADER: Final = 2  # the position of the segment after ST
_CHARACTERS: Final = "9876543210QXZABCDEFGHIJKLMNOPRSTUVWY"
_FORMATTED: Final = "1251"
_NO_DAY: Final = "20230229"
_NO_TIME: Final = "2400"


def element_faults(code: FindingCode, sample: SampleSet, numbers: SeededNumbers) -> Iterator[Fault]:
    """Yield faults that lead to a finding with this code."""
    segments = sample.segments
    for at in numbers.shuffled(range(len(segments))):
        item = segments[at]
        if item.row[0] in _LEFT_OUT:
            continue
        if code == FindingCode.TOO_MANY_ELEMENTS:
            yield _surplus(item, at)
            continue
        for part in numbers.shuffled([*_parts(item)]):
            for found, layer, value in _wrong(part, sample.definition.layer):
                if found == code:
                    row = part.replaced(item.row, value)
                    expected = ExpectedFinding(
                        code=code,
                        layer=layer,
                        segment_id=item.row[0],
                        segment_position=at + _HEADER,
                        loop_id=item.within.loop_id,
                        element_position=part.element,
                        component_position=part.component,
                        element_ref=part.use.reference,
                    )
                    yield Fault(at, at + 1, (row,), (expected,))


def _surplus(item: SampleSegment, at: int) -> Fault:
    count = len(item.use.segment.uses)
    row = [*item.row, *[""] * (count + 1 - len(item.row)), "X"]
    expected = ExpectedFinding(
        code=FindingCode.TOO_MANY_ELEMENTS,
        layer=STANDARD,
        segment_id=item.row[0],
        segment_position=at + _HEADER,
        loop_id=item.within.loop_id,
        element_position=count + 1,
    )
    return Fault(at, at + 1, (row,), (expected,))


@dataclass(frozen=True, slots=True)
class _Part:
    """An element or component that is there, once."""

    use: ElementUse
    rule: ElementRule
    notes: tuple[RelationalNote, ...]
    element: int
    component: int | None
    when: ValueCondition | None

    @property
    def type(self) -> ElementType:
        assert isinstance(self.use.type, ElementType)  # parts are simple
        return self.use.type

    @property
    def codes(self) -> CodeList | None:
        """The list of the standard, if it refuses other codes."""
        codes = self.type.codes
        return codes if codes is not None and codes.is_strict else None

    def fits(self, code: str) -> bool:
        """Return whether a code is as long as the element may be."""
        minimum = self.rule.minimum or self.type.minimum
        return minimum <= len(code) <= (self.rule.maximum or self.type.maximum)

    @property
    def is_left_out(self) -> bool:
        """Something else depends on its value."""
        when = self.when
        place = None if when is None else (when.position, when.component)
        return place == (self.element, self.component) or self.type.number == _FORMATTED

    @property
    def is_noted(self) -> bool:
        number = self.component or self.element
        return any(number in note.positions for note in self.notes)

    def replaced(self, row: Row, value: str) -> Row:
        """Return a segment with another value of the part."""
        row = list(row)
        if self.component is None:
            row[self.element] = value
        else:
            components = row[self.element].split(COMPONENT)
            components[self.component - 1] = value
            row[self.element] = COMPONENT.join(components)
        while not row[-1]:
            row.pop()
        return row


def _parts(item: SampleSegment) -> Iterator[_Part]:
    loop = item.within.loop
    when = (loop.when if item.is_trigger and loop is not None else None) or item.use.when
    segment = item.use.segment
    for element, (value, use) in enumerate(zip(item.row[1:], segment.uses, strict=False), 1):
        rule = item.use.rules.get(element, NO_RULE)
        if not value or REPETITION in value:
            continue
        if isinstance(use.type, CompositeType):
            values = value.split(COMPONENT)
            for number, (text, each) in enumerate(zip(values, use.type.uses, strict=False), 1):
                if text and len(values) > 1:
                    inner = rule.components.get(number, NO_RULE)
                    yield _Part(each, inner, use.type.notes, element, number, when)
        else:
            yield _Part(use, rule, segment.notes, element, None, when)


def _wrong(part: _Part, guide: str) -> Iterator[tuple[FindingCode, str, str]]:
    """Yield what can be wrong with a part: the finding, the layer it belongs to, the value."""
    if part.is_left_out:
        return
    is_required = part.rule.requirement in {"M", "R"}
    if (part.use.is_mandatory or is_required) and not part.is_noted:
        layer = STANDARD if part.use.is_mandatory else guide
        yield FindingCode.ELEMENT_MISSING, layer, ""
    if part.codes is None and part.rule.codes is None:
        yield from _malformed(part.type)
    else:
        yield from _wrong_codes(part, guide)


def _wrong_codes(part: _Part, guide: str) -> Iterator[tuple[FindingCode, str, str]]:
    """Yield a code that the standard does not have, and one that the guide does not use."""
    codes, chosen = part.codes, part.rule.codes
    candidates = _candidates(part.type)
    if codes is not None:
        known = chosen or ()
        code = next(each for each in candidates if each not in codes and each not in known)
        yield FindingCode.CODE_INVALID, STANDARD, code
    if chosen is not None:
        others = (
            candidates if codes is None else [each for each in codes.meanings if part.fits(each)]
        )
        for code in islice((each for each in others if each not in chosen), 1):
            yield FindingCode.CODE_NOT_USED, guide, code


def _candidates(element: ElementType) -> list[str]:
    """Return codes of the length of an element, the last of which no list has."""
    found = [first + "9" * (element.minimum - 1) for first in _CHARACTERS]
    return [*found, "a" * element.minimum]


def _malformed(element: ElementType) -> Iterator[tuple[FindingCode, str, str]]:
    if element.kind[0] in "NR":
        yield FindingCode.CHARACTER_INVALID, STANDARD, "1x"
        yield FindingCode.ELEMENT_TOO_LONG, STANDARD, "1" * (element.maximum + 1)
    elif element.kind == "DT":
        yield FindingCode.DATE_INVALID, STANDARD, _NO_DAY[-element.maximum :]
    elif element.kind == "TM":
        yield FindingCode.TIME_INVALID, STANDARD, _NO_TIME
    else:
        yield FindingCode.ELEMENT_TOO_LONG, STANDARD, "X" * (element.maximum + 1)
        if element.minimum > 1:
            yield FindingCode.ELEMENT_TOO_SHORT, STANDARD, "X" * (element.minimum - 1)
