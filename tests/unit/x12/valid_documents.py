"""Valid documents of every definition, made from the dictionary alone.

``a_document(definition, Manner.RANDOM, seed)`` writes segments, elements and values that the
definition allows, with the relational notes honoured, every HL under a right parent, amounts and
counts that agree. It is made from the model, not by way of the code that reads it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from random import Random
from typing import Final

from longshore.x12.dictionary.library import shipped
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
from tests.unit.x12.balanced import agree
from tests.unit.x12.valid_values import value_of

NO_RULE: Final = ElementRule()
_ENOUGH: Final = 250  # segments; from there on little that is optional is added
_UNUSED: Final = "N"


class DocumentKind(Enum):
    """How much of what is optional is written."""

    MINIMAL = "minimal"
    MAXIMAL = "maximal"
    RANDOM = "random"


@dataclass(eq=False)
class Iteration:
    """One iteration of a loop, or the whole set. ``at``: the place of the loop in its parent."""

    nodes: tuple[Node, ...]
    loop: Loop | None = None
    parent: Iteration | None = None
    at: int = 0

    @property
    def loop_id(self) -> str | None:
        return None if self.loop is None else self.loop.id

    def around(self) -> Iterator[Iteration]:
        """Yield this iteration and those it stands in, innermost first."""
        each: Iteration | None = self
        while each is not None:
            yield each
            each = each.parent


@dataclass(eq=False)
class Item:
    """A segment: its elements, its place ``at`` among the nodes of ``within``."""

    row: list[str]
    use: SegmentUse
    within: Iteration
    at: int

    @property
    def is_trigger(self) -> bool:
        return self.within.loop is not None and self.at == 0


@dataclass(eq=False)
class Document:
    """A set and what it is of."""

    definition: Definition
    items: list[Item] = field(default_factory=list)

    @property
    def rows(self) -> list[list[str]]:
        return [item.row for item in self.items]

    def text(self, rows: Sequence[Sequence[str]] | None = None) -> str:
        """Return the interchange, with these segments in place of its own."""
        return enveloped(self.definition, self.rows if rows is None else rows)


def definitions() -> list[Definition]:
    """Return everything that is shipped: each set in each release, and under each guide."""
    found = []
    dictionary = shipped()
    for entry in dictionary.contents:
        asked: list[tuple[str, str | None]] = [(each, None) for each in entry.releases]
        asked += [(dictionary.guide_release(entry.tx_set, each), each) for each in entry.guides]
        for release, guide in asked:
            definition = dictionary.definition(entry.tx_set, release, guide)
            assert definition is not None
            found.append(definition)
    return found


def name_of(definition: Definition) -> str:
    return f"{definition.tx_set}_{definition.guide or definition.release}"


def by_name() -> dict[str, Definition]:
    """Return all definitions; a name is easier to read than the definition, where a test fails."""
    return {name_of(definition): definition for definition in definitions()}


def enveloped(definition: Definition, *sets: Sequence[Sequence[str]]) -> str:
    """Return an interchange with a group of sets of these segments."""
    version = definition.guide or definition.release
    has_reference = definition.release >= "005010"  # ST03, and a separator of repetitions
    control = "^*00501" if has_reference else "U*00401"
    reference = f"*{definition.guide}" if definition.guide and has_reference else ""
    names = "*ZZ*SENDER         *ZZ*RECEIVER       "
    segments = [
        f"ISA*00*          *00*          {names}*260302*0915*{control}*000000417*0*T*:",
        f"GS*{definition.functional_id}*SENDER*RECEIVER*20260302*0915*417*X*{version}",
    ]
    for number, rows in enumerate(sets, 1):
        segments += [
            f"ST*{definition.tx_set}*{number:04d}{reference}",
            *("*".join(row) for row in rows),
            f"SE*{len(rows) + 2}*{number:04d}",
        ]
    segments += [
        f"GE*{len(sets)}*417",
        "IEA*1*000000417",
    ]
    return "~".join((*segments, ""))


def a_document(definition: Definition, manner: DocumentKind, seed: int = 0) -> Document:
    """Return a valid document; the same one for the same seed."""
    document = Document(definition)
    _Author(document, manner, Random(seed)).write()
    agree(definition.tx_set, document.rows)
    for row in document.rows:
        while len(row) > 1 and not row[-1]:
            row.pop()
    return document


@dataclass(eq=False)
class _Author:
    document: Document
    manner: DocumentKind
    random: Random
    levels: list[tuple[Iteration, str]] = field(default_factory=list)  # HL01 by iteration

    def write(self) -> None:
        self._body(Iteration(self.document.definition.body), 0)

    # ---- loops and segments --------------------------------------------------------------------

    def _body(self, iteration: Iteration, first: int) -> None:
        for at, node in enumerate(iteration.nodes[first:], first):
            for _ in range(self._times(node)):
                if isinstance(node, Loop):
                    inner = Iteration(node.body, node, iteration, at)
                    self._segment(node.trigger, inner, 0, node.when or node.trigger.when)
                    self._body(inner, 1)
                else:
                    self._segment(node, iteration, at, node.when)

    def _times(self, node: Node) -> int:
        minimum, maximum = int(node.is_required), min(node.maximum or 2, 2)
        if node.requirement == _UNUSED:
            return 0
        if self.manner is DocumentKind.MINIMAL:
            return minimum
        if self.manner is DocumentKind.MAXIMAL:
            is_branch = isinstance(node, Loop) and any(isinstance(each, Loop) for each in node.body)
            return 1 if is_branch else maximum
        share = 0.35 if len(self.document.items) < _ENOUGH else 0.02
        more = self.random.random() < share
        return max(minimum, self.random.randint(1, maximum) if more else 0)

    def _segment(
        self, use: SegmentUse, within: Iteration, at: int, when: ValueCondition | None
    ) -> None:
        row = [use.segment.id, *self._parts(_Frame.of_segment(use, when))]
        if row[0] == "HL":
            self._level(row, use, within)
        if row[0] == "BIN":
            row[1] = str(len(row[2]))
        self.document.items.append(Item(row, use, within, at))

    def _level(self, row: list[str], use: SegmentUse, within: Iteration) -> None:
        """Number an HL and put it under one that may hold it."""
        is_nested = self.document.definition.guide is not None
        around = list(within.around())
        parents = [number for each, number in self.levels if not is_nested or each in around]
        row[1] = str(len(self.levels) + 1)
        if row[2] or use.rules.get(2, NO_RULE).requirement == "R":
            row[2] = (
                "" if not parents else parents[-1] if is_nested else self.random.choice(parents)
            )
        self.levels.append((within, row[1]))

    # ---- elements and components -----------------------------------------------------------------

    def _parts(self, frame: _Frame) -> list[str]:
        """Return the elements of a segment, or the components of a composite."""
        present = self._presence(frame)
        written: list[str] = []
        for number, use in enumerate(frame.uses, 1):
            before = written[-1] if written and frame.uses[number - 2].reference == "1250" else ""
            written.append(self._part(frame, number, use, before) if number in present else "")
        return written

    def _part(self, frame: _Frame, number: int, use: ElementUse, before: str) -> str:
        rule = frame.rules.get(number, NO_RULE)
        codes = frame.codes_of(number)
        repeat = min(use.repeat or 2, rule.repeat or 2, 2)
        times = repeat if self.manner is not DocumentKind.MINIMAL else 1
        if isinstance(use.type, ElementType):
            is_long = self.manner is DocumentKind.RANDOM and self.random.random() < 0.05
            write = value_of(use.type, rule, codes, before)
            return "^".join(write(self.random, is_long=is_long) for _ in range(times))
        inner = _Frame.of_composite(use.type, rule, frame, number)
        return "^".join(":".join(self._parts(inner)).rstrip(":") for _ in range(times))

    def _presence(self, frame: _Frame) -> frozenset[int]:
        """Choose which parts are there: what must be, and of the rest what the notes allow."""
        present = next(frame.closures(frame.required()))
        optional = [each for each in frame.usable() if each not in present]
        self.random.shuffle(optional)
        for number in optional:
            is_wanted = self.manner is DocumentKind.MAXIMAL or (
                self.manner is DocumentKind.RANDOM and self.random.random() < 0.4
            )
            if is_wanted or not present:
                present = next(frame.closures(present | {number}), present)
        return present


@dataclass(frozen=True)
class _Frame:
    """A sequence of parts: the elements of a segment, or the components of one composite."""

    uses: tuple[ElementUse, ...]
    notes: tuple[RelationalNote, ...]
    rules: Mapping[int, ElementRule]
    is_closed: bool
    when: ValueCondition | None
    position: int = 0  # of the composite; 0 for a segment

    @staticmethod
    def of_segment(use: SegmentUse, when: ValueCondition | None) -> _Frame:
        return _Frame(use.segment.uses, use.segment.notes, use.rules, use.is_closed, when)

    @staticmethod
    def of_composite(
        composite: CompositeType, rule: ElementRule, around: _Frame, position: int
    ) -> _Frame:
        is_closed = around.is_closed and bool(rule.components)
        return _Frame(
            composite.uses, composite.notes, rule.components, is_closed, around.when, position
        )

    def usable(self) -> list[int]:
        numbers = sorted(self.rules) if self.is_closed else range(1, len(self.uses) + 1)
        return [each for each in numbers if self.rules.get(each, NO_RULE).requirement != _UNUSED]

    def required(self) -> frozenset[int]:
        named = {number for number, rule in self.rules.items() if rule.requirement in {"M", "R"}}
        named |= {number for number, use in enumerate(self.uses, 1) if use.is_mandatory}
        if self.when is not None:
            if not self.position:
                named.add(self.when.position)
            elif self.when.position == self.position and self.when.component:
                named.add(self.when.component)
        return frozenset(named)

    def codes_of(self, number: int) -> tuple[str, ...]:
        """Return the codes a condition asks for here."""
        when = self.when
        if when is None:
            return ()
        here = (self.position, number) if self.position else (number, None)
        return when.values if (when.position, when.component) == here else ()

    def closures(self, present: frozenset[int]) -> Iterator[frozenset[int]]:
        """Yield the ways to satisfy the notes by adding parts."""
        for note in self.notes:
            there = [each for each in note.positions if each in present]
            first, *others = note.positions
            choices: list[frozenset[int]] = []
            if note.kind == "E" and len(there) > 1:
                return
            if note.kind == "P" and 0 < len(there) < len(note.positions):
                choices = [frozenset(note.positions)]
            elif note.kind == "C" and first in present and len(there) <= len(others):
                choices = [frozenset(others)]
            elif note.kind == "L" and there == [first]:
                choices = [frozenset({each}) for each in others]
            elif note.kind == "R" and not there:
                choices = [frozenset({each}) for each in note.positions]
            if choices:
                usable = set(self.usable())
                for more in choices:
                    if more <= usable | present:
                        yield from self.closures(present | more)
                return
        yield present
