"""A transaction set made from its definition alone, valid by construction.

It is made from the model, not by way of the code that validates: the one is a check of the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from longshore.x12.dictionary.model import Definition, Loop, Node, SegmentUse, ValueCondition
from longshore.x12.samples.amounts import balance
from longshore.x12.samples.numbers import SeededNumbers
from longshore.x12.samples.parts import (
    NO_RULE,
    UNUSED,
    PartPlan,
    SampleKind,
    SequencePlan,
    plan_of,
)
from longshore.x12.samples.typical import EXPECTED, LEVELS
from longshore.x12.samples.values import SampleValues

COMPONENT: Final = ":"
REPETITION: Final = "^"
_ENOUGH: Final = {SampleKind.PLAIN: 60, SampleKind.VARIED: 250}
"""Segments; from there on little that is optional is added."""
_REPEATED: Final = 2  # iterations of full and varied samples
_LINES: Final = 3  # most iterations of a plain sample
_OPTIONAL: Final = 300  # percent: about three optional positions of a body are in a plain sample
_ALWAYS: Final = 100
_LIKELY: Final = 50
_VARIED: Final = 35
_RARE: Final = 2


@dataclass(eq=False, slots=True)
class Iteration:
    """One iteration of a loop, or the whole set."""

    nodes: tuple[Node, ...]
    loop: Loop | None = None
    parent: Iteration | None = None
    at: int = 0
    """The place of the loop among the nodes of its parent."""

    @property
    def loop_id(self) -> str | None:
        """The id of the loop; None in the set itself."""
        return None if self.loop is None else self.loop.id

    def around(self) -> Iterator[Iteration]:
        """Yield this iteration and those around it, innermost first."""
        each: Iteration | None = self
        while each is not None:
            yield each
            each = each.parent


@dataclass(eq=False, slots=True)
class SampleSegment:
    """A segment with its position in the definition."""

    row: list[str]
    use: SegmentUse
    within: Iteration
    at: int
    """Its place among the nodes of ``within``."""

    @property
    def is_trigger(self) -> bool:
        """It begins an iteration of a loop."""
        return self.within.loop is not None and self.at == 0


@dataclass(eq=False, slots=True)
class SampleSet:
    """A transaction set, without ST and SE."""

    definition: Definition
    values: SampleValues
    segments: list[SampleSegment] = field(default_factory=list)

    @property
    def rows(self) -> list[list[str]]:
        """The segments as ids and elements."""
        return [segment.row for segment in self.segments]


def sample_set(definition: Definition, kind: SampleKind, seed: int) -> SampleSet:
    """Return a valid set; the same one for the same arguments."""
    numbers = SeededNumbers(seed)
    values = SampleValues(numbers, is_varied=kind is SampleKind.VARIED)
    made = SampleSet(definition, values)
    _Author(made, kind, numbers).write()
    balance(definition.tx_set, made.rows)
    return made


class _Author:
    def __init__(self, made: SampleSet, kind: SampleKind, numbers: SeededNumbers) -> None:
        definition = made.definition
        self._definition = definition
        self._segments = made.segments
        self._values = made.values
        self._kind = kind
        self._numbers = numbers
        self._plan = plan_of(definition)
        self._levels: list[tuple[Iteration, str]] = []  # HL01 by iteration
        self._are_levels_nested = definition.guide is not None
        is_typical = kind is SampleKind.PLAIN and not self._are_levels_nested
        self._typical_levels = LEVELS.get(definition.tx_set, ()) if is_typical else ()

    def write(self) -> None:
        self._body(Iteration(self._definition.body), 0)
        self._state_children()

    # ---- loops and segments ---------------------------------------------------------------------

    def _body(self, iteration: Iteration, first: int) -> None:
        percent = self._percent(iteration.nodes)
        for at, node in enumerate(iteration.nodes[first:], first):
            for _ in range(self._times(node, percent)):
                if isinstance(node, Loop):
                    inner = Iteration(node.body, node, iteration, at)
                    self._segment(node.trigger, inner, 0, node.when or node.trigger.when)
                    self._body(inner, 1)
                else:
                    self._segment(node, iteration, at, node.when)

    def _percent(self, nodes: tuple[Node, ...]) -> int:
        """Return how likely an optional position of a plain sample is, if it has a label."""
        optional = sum(not each.is_required and bool(each.label) for each in nodes)
        return min(_LIKELY, _OPTIONAL // max(optional, 1))

    def _times(self, node: Node, percent: int) -> int:
        minimum, maximum = int(node.is_required), min(node.maximum or _REPEATED, _REPEATED)
        if node.requirement == UNUSED:
            return 0
        match self._kind:
            case SampleKind.MINIMAL:
                return minimum
            case SampleKind.FULL:
                return 1 if _has_loops(node) else maximum
            case SampleKind.VARIED:
                is_wanted = self._numbers.happens(self._at_most(_VARIED))
                return max(minimum, self._numbers.between(1, maximum) if is_wanted else 0)
            case _:
                return self._typical_times(node, minimum, percent)

    def _typical_times(self, node: Node, minimum: int, percent: int) -> int:
        tag = _tag(node)
        if tag == "HL" and self._typical_levels:
            return min(node.maximum or len(self._typical_levels), len(self._typical_levels))
        is_wanted = (
            bool(minimum)
            or (tag in EXPECTED and self._numbers.happens(self._at_most(_ALWAYS)))
            or (bool(node.label) and self._numbers.happens(self._at_most(percent)))
        )
        if is_wanted and isinstance(node, Loop) and tag != "HL":
            return self._numbers.between(1, min(node.maximum or _LINES, _LINES))
        return int(is_wanted)

    def _at_most(self, percent: int) -> int:
        """Return how likely something optional is; hardly if there is enough already."""
        return percent if len(self._segments) < _ENOUGH[self._kind] else _RARE

    def _segment(
        self, use: SegmentUse, within: Iteration, at: int, when: ValueCondition | None
    ) -> None:
        row = [use.segment.id, *self._parts(self._plan.segment(use, when))]
        if row[0] == "HL":
            self._level(row, use, within)
        elif row[0] == "BIN":
            row[1] = str(len(row[2]))
        elif row[0] == "NM1" and self._kind is SampleKind.PLAIN:
            _drop_first_name(row, use)
        self._segments.append(SampleSegment(row, use, within, at))

    # ---- levels ---------------------------------------------------------------------------------

    def _level(self, row: list[str], use: SegmentUse, within: Iteration) -> None:
        """Number an HL and put it under one that may hold it."""
        row[1] = str(len(self._levels) + 1)
        parent = ""
        if self._typical_levels:
            parent, row[3] = self._typical_level()
        elif row[2] or use.rules.get(2, NO_RULE).requirement == "R":
            parent = self._parent(within)
        row[2] = parent
        self._levels.append((within, row[1]))

    def _typical_level(self) -> tuple[str, str]:
        """Return the parent and the code of the next level: what is the same has one parent."""
        number = len(self._levels)
        code = self._typical_levels[number]
        first = self._typical_levels.index(code)
        return str(first) if first else "", code

    def _parent(self, within: Iteration) -> str:
        around = list(within.around())
        parents = [
            number for each, number in self._levels if not self._are_levels_nested or each in around
        ]
        if not parents:
            return ""
        return parents[-1] if self._are_levels_nested else self._numbers.one_of(parents)

    def _state_children(self) -> None:
        """Let HL04 say whether a level has others below it, where both may be said."""
        levels = [each for each in self._segments if each.row[0] == "HL"]
        parents = {each.row[2] for each in levels}
        for each in levels:
            code = "1" if each.row[1] in parents else "0"
            allowed = each.use.rules.get(4, NO_RULE).codes
            if each.row[4:] and (allowed is None or code in allowed):
                each.row[4] = code

    # ---- elements and components ----------------------------------------------------------------

    def _parts(self, plan: SequencePlan) -> list[str]:
        """Return the elements of a segment, or the components of a composite."""
        present = self._numbers.one_of(plan.choices(self._kind))
        written = [""] * present[-1]
        for number in present:
            part = plan.parts[number - 1]
            is_next = number > 1 and plan.parts[number - 2].is_qualifier
            before = written[number - 2] if is_next else ""
            written[number - 1] = self._part(part, before)
        return written

    def _part(self, part: PartPlan, before: str) -> str:
        is_repeated = self._kind in {SampleKind.FULL, SampleKind.VARIED}
        times = part.repeat if is_repeated else 1
        if part.composite is None:
            if times == 1:
                return self._values.write(part, before)
            return REPETITION.join(self._values.write(part, before) for _ in range(times))
        texts = (COMPONENT.join(self._parts(part.composite)) for _ in range(times))
        return REPETITION.join(texts)


def _drop_first_name(row: list[str], use: SegmentUse) -> None:
    """Leave a company (NM102 is 2) without first name, where one is not required."""
    is_company = row[2] == "2" and row[4:]
    if is_company and use.rules.get(4, NO_RULE).requirement != "R":
        row[4] = ""
        while not row[-1]:
            row.pop()


def _tag(node: Node) -> str:
    return (node.trigger if isinstance(node, Loop) else node).segment.id


def _has_loops(node: Node) -> bool:
    return isinstance(node, Loop) and any(isinstance(each, Loop) for each in node.body)
