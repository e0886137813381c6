"""Plan the parts that a segment of a sample has, and the values that each of them may have.

A segment and a composite are alike: a sequence of parts under relational notes. What is possible
is worked out once for each position of a definition and kept.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Final

from longshore.x12.dictionary.model import (
    CompositeType,
    Definition,
    ElementRule,
    ElementType,
    ElementUse,
    Loop,
    Node,
    RelationalNote,
    SegmentUse,
    ValueCondition,
)
from longshore.x12.samples.numbers import SeededNumbers
from longshore.x12.samples.typical import DATE_FORMATS, TYPICAL_CODES, TYPICAL_PARTS

NO_RULE: Final = ElementRule()
UNUSED: Final = "N"
_REPEATED: Final = 2  # times that a part is written which may repeat
_EARLY: Final = 6  # of an unknown segment the parts that a plain sample may have
_PERCENT: Final = {"early": 30, "varied": 40}
_FORMAT_QUALIFIER: Final = "1250"
_FORMATTED: Final = "1251"

Avoided = Mapping[tuple[str, int, int | None], frozenset[str]]
"""By segment id, position and component: the codes that choose one of several positions."""


class SampleKind(StrEnum):
    """The amount of optional content in a sample."""

    MINIMAL = "minimal"
    """Only what is required."""
    PLAIN = "plain"
    """Typical parts with typical values."""
    FULL = "full"
    """Every loop, segment and element."""
    VARIED = "varied"
    """Any allowed part, and values of any form and length that is allowed."""


_CHOICES: Final = {
    SampleKind.MINIMAL: 1,
    SampleKind.PLAIN: 4,
    SampleKind.FULL: 3,
    SampleKind.VARIED: 16,
}
"""The number of ways to choose the parts of one position, of which each segment has one."""


@dataclass(frozen=True, slots=True, eq=False)
class PartPlan:
    """One element or component: what may stand there."""

    use: ElementUse
    repeat: int
    """The number of times it is written where it may repeat."""
    composite: SequencePlan | None
    codes: tuple[str, ...]
    """The only values allowed; empty if there are others."""
    known: tuple[str, ...]
    """Values that are known to be used."""
    avoided: frozenset[str]
    """Values that would make it another position."""
    minimum: int
    maximum: int
    is_formatted: bool
    """The part before it names its form."""

    @property
    def is_qualifier(self) -> bool:
        """The part after it may depend on its value: it is one simple value."""
        return self.composite is None and self.repeat == 1

    @property
    def element(self) -> ElementType:
        """The type of a simple element."""
        assert isinstance(self.use.type, ElementType)  # else it has a composite
        return self.use.type


@dataclass(frozen=True, slots=True, eq=False)
class SequencePlan:
    """The elements of a segment, or the components of one composite."""

    id: str
    parts: tuple[PartPlan, ...]
    notes: tuple[RelationalNote, ...]
    required: frozenset[int]
    usable: tuple[int, ...]
    _chosen: dict[SampleKind, tuple[tuple[int, ...], ...]] = field(default_factory=dict)

    def choices(self, kind: SampleKind) -> tuple[tuple[int, ...], ...]:
        """Return the ways to choose parts, each with the positions in order."""
        found = self._chosen.get(kind)
        if found is None:
            seeds = range(_CHOICES[kind])
            found = tuple(self._choose(kind, SeededNumbers(seed)) for seed in seeds)
            self._chosen[kind] = found
        return found

    def _choose(self, kind: SampleKind, numbers: SeededNumbers) -> tuple[int, ...]:
        """Choose which parts are there: what must be, and of the rest what the notes allow."""
        present = next(self._closures(self.required))
        optional = [each for each in self.usable if each not in present]
        order = optional if kind is SampleKind.MINIMAL else numbers.shuffled(optional)
        for number in order:
            if self._is_wanted(number, kind, numbers) or not present:
                present = next(self._closures(present | {number}), present)
        return tuple(sorted(present))

    def _is_wanted(self, number: int, kind: SampleKind, numbers: SeededNumbers) -> bool:
        match kind:
            case SampleKind.FULL:
                return True
            case SampleKind.VARIED:
                return numbers.happens(_PERCENT["varied"])
            case SampleKind.PLAIN if self.id in TYPICAL_PARTS:
                return number in TYPICAL_PARTS[self.id]
            case SampleKind.PLAIN:
                is_simple = self.parts[number - 1].composite is None
                return is_simple and number <= _EARLY and numbers.happens(_PERCENT["early"])
            case _:
                return False

    def _closures(self, present: frozenset[int]) -> Iterator[frozenset[int]]:
        """Yield the ways to satisfy the notes by adding parts."""
        for note in self.notes:
            there = [each for each in note.positions if each in present]
            if note.kind == "E" and len(there) > 1:
                return
            if choices := _additions(note, there):
                usable = present.union(self.usable)
                for more in choices:
                    if more <= usable:
                        yield from self._closures(present | more)
                return
        yield present


def _additions(note: RelationalNote, there: list[int]) -> list[frozenset[int]]:
    """Return the ways to satisfy a note of which some positions are present; none if it is."""
    first, *others = note.positions
    has_first = first in there
    match note.kind:
        case "P" if 0 < len(there) < len(note.positions):
            return [frozenset(note.positions)]
        case "C" if has_first and len(there) < len(note.positions):
            return [frozenset(others)]
        case "L" if there == [first]:
            return [frozenset({each}) for each in others]
        case "R" if not there:
            return [frozenset({each}) for each in note.positions]
        case _:
            return []


class SamplePlan:
    """The plans of the positions of a definition, each worked out when it is first needed."""

    def __init__(self, definition: Definition) -> None:
        self._avoided = _avoided(definition)
        self._plans: dict[int, tuple[SegmentUse, SequencePlan]] = {}  # by identity

    def segment(self, use: SegmentUse, when: ValueCondition | None) -> SequencePlan:
        """Return the plan of a segment at its position, which always has the same condition."""
        known = self._plans.get(id(use))
        if known is None:
            known = self._plans[id(use)] = use, _Planning(use, when, self._avoided).segment()
        return known[1]


@lru_cache(maxsize=16)
def plan_of(definition: Definition) -> SamplePlan:
    """Return the plan of a definition."""
    return SamplePlan(definition)


def _avoided(definition: Definition) -> Avoided:
    found: defaultdict[tuple[str, int, int | None], set[str]] = defaultdict(set)
    for node in _nodes(definition.body):
        when = node.when
        if when is not None:
            tag = (node.trigger if isinstance(node, Loop) else node).segment.id
            found[tag, when.position, when.component].update(when.values)
    return {place: frozenset(values) for place, values in found.items()}


def _nodes(body: tuple[Node, ...]) -> Iterator[Node]:
    for node in body:
        yield node
        if isinstance(node, Loop):
            yield from _nodes(node.body)


@dataclass(frozen=True, slots=True)
class _Planning:
    use: SegmentUse
    when: ValueCondition | None
    avoided: Avoided

    def segment(self) -> SequencePlan:
        use = self.use
        required = _required(use.segment.uses, use.rules)
        if self.when is not None:
            required |= {self.when.position}
        usable = _usable(use.segment.uses, use.rules, is_closed=use.is_closed)
        parts = tuple(
            self._part(number, use.rules.get(number, NO_RULE))
            for number in range(1, len(use.segment.uses) + 1)
        )
        return SequencePlan(use.segment.id, parts, use.segment.notes, required, usable)

    def _part(self, number: int, rule: ElementRule) -> PartPlan:
        use = self.use.segment.uses[number - 1]
        if isinstance(use.type, ElementType):
            return self._simple(self.use.segment.uses, (number, None), rule, use.type)
        inner = self._composite(use.type, rule, number)
        repeat = min(use.repeat or _REPEATED, rule.repeat or _REPEATED, _REPEATED)
        return PartPlan(use, repeat, inner, (), (), frozenset(), 0, 0, is_formatted=False)

    def _composite(self, of: CompositeType, rule: ElementRule, position: int) -> SequencePlan:
        required = _required(of.uses, rule.components)
        when = self.when
        if when is not None and when.position == position and when.component:
            required |= {when.component}
        is_closed = self.use.is_closed and bool(rule.components)
        usable = _usable(of.uses, rule.components, is_closed=is_closed)
        parts = []
        for number, use in enumerate(of.uses, 1):
            assert isinstance(use.type, ElementType)  # a composite has no composites
            inner = rule.components.get(number, NO_RULE)
            parts.append(self._simple(of.uses, (position, number), inner, use.type))
        return SequencePlan(of.id, tuple(parts), of.notes, required, usable)

    def _simple(
        self,
        uses: tuple[ElementUse, ...],
        place: tuple[int, int | None],
        rule: ElementRule,
        element: ElementType,
    ) -> PartPlan:
        number = place[1] or place[0]
        use = uses[number - 1]
        minimum = max(element.minimum, rule.minimum or 0)
        maximum = min(element.maximum, rule.maximum or element.maximum)
        codes = self._codes(place, rule, element)
        avoided = frozenset() if codes else self.avoided.get((self.use.segment.id, *place), ())
        listed = TYPICAL_CODES.get(element.number, ())
        if element.codes is not None:
            listed = tuple(each for each in listed if each in element.codes) or tuple(
                element.codes.meanings
            )
        if codes:
            listed = tuple(each for each in listed if each in codes) or codes
        known = tuple(
            each for each in listed if minimum <= len(each) <= maximum and each not in avoided
        )
        before = uses[number - 2].reference if number > 1 else ""
        return PartPlan(
            use,
            min(use.repeat or _REPEATED, rule.repeat or _REPEATED, _REPEATED),
            None,
            codes,
            known,
            frozenset(avoided),
            minimum,
            maximum,
            is_formatted=element.number == _FORMATTED and before == _FORMAT_QUALIFIER,
        )

    def _codes(
        self, place: tuple[int, int | None], rule: ElementRule, element: ElementType
    ) -> tuple[str, ...]:
        """Return the codes of which one must stand there."""
        when = self.when
        asked = () if when is None or (when.position, when.component) != place else when.values
        if rule.codes is not None:
            return tuple(each for each in asked or rule.codes if each in rule.codes)
        if not asked and element.codes is not None and element.codes.is_strict:
            return tuple(element.codes.meanings)
        if not asked and element.number == _FORMAT_QUALIFIER:
            return DATE_FORMATS
        return asked


def _usable(
    uses: tuple[ElementUse, ...], rules: Mapping[int, ElementRule], *, is_closed: bool
) -> tuple[int, ...]:
    numbers = sorted(rules) if is_closed else range(1, len(uses) + 1)
    return tuple(each for each in numbers if rules.get(each, NO_RULE).requirement != UNUSED)


def _required(uses: tuple[ElementUse, ...], rules: Mapping[int, ElementRule]) -> frozenset[int]:
    named = {number for number, rule in rules.items() if rule.requirement in {"M", "R"}}
    return frozenset(named.union(number for number, use in enumerate(uses, 1) if use.is_mandatory))
