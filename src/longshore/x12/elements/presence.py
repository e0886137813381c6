"""Check which parts of a segment or composite must be present and which must not.

Theory. A segment and a composite are alike: a sequence of parts, each with a use, under relational
notes. A rule of a guide or partner is applied only where the standard has no fault at the same
part, so that the faults of layer ``standard`` are those that the standard alone would give.

Source: x12.md sections 1.3 and 2.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from longshore.x12.dictionary.model import (
    CompositeType,
    ElementRule,
    ElementUse,
    RelationalNote,
    SegmentUse,
)
from longshore.x12.elements.faults import ElementFault, ElementFaultKind
from longshore.x12.elements.values import NO_RULE, VALUE_CHARS, ValueRef

MAX_KNOWN: Final = 1_024  # answers about which parts are there and which are not
_QUOTED: Final = frozenset((ElementFaultKind.EXCLUSION, ElementFaultKind.ELEMENT_NOT_USED))


@dataclass(frozen=True, slots=True, eq=False)
class PresenceScope:
    """A sequence of parts: the elements of a segment, or the components of one composite."""

    uses: tuple[ElementUse, ...]
    notes: tuple[RelationalNote, ...]
    rules: Mapping[int, ElementRule]
    is_closed: bool
    """A part without a rule is not used."""
    layer: str
    position: int | None = None
    """The position of the composite, None for a segment."""

    def ref(self, number: int, repeat: int | None = None) -> ValueRef:
        """Return the position of a part.

        Args:
            number: The number of the part, from 1.
            repeat: The repetition of the composite it belongs to, if any.
        """
        reference = self.uses[number - 1].reference if number <= len(self.uses) else ""
        if self.position is None:
            return ValueRef(number, None, None, reference)
        return ValueRef(self.position, number, repeat, reference)

    def is_unused(self, number: int) -> bool:
        """Return whether a guide or partner does not use a part."""
        rule = self.rules.get(number)
        return self.is_closed if rule is None else rule.requirement == "N"

    def is_required(self, number: int) -> bool:
        """Return whether a guide or partner requires a part."""
        return self.rules.get(number, NO_RULE).requirement in {"M", "R"}


def scope_of(use: SegmentUse) -> PresenceScope:
    """Return the elements of a segment as its use demands them."""
    return PresenceScope(use.segment.uses, use.segment.notes, use.rules, use.is_closed, use.layer)


def scope_within(
    composite: CompositeType, rule: ElementRule, position: int, *, is_closed: bool
) -> PresenceScope:
    """Return the components of a composite at ``position``.

    A rule that names components closes it, where the segment is closed.
    """
    is_closed = is_closed and bool(rule.components)
    uses, notes = composite.uses, composite.notes
    return PresenceScope(uses, notes, rule.components, is_closed, rule.layer, position)


def presence_faults(
    filled: Iterable[int], texts: Sequence[str], scope: PresenceScope, repeat: int | None = None
) -> list[ElementFault]:
    """Return the faults about the presence of parts; a missing part has one fault.

    Args:
        filled: The positions that are present, each once.
        texts: The text at every position.
        scope: The segment or composite and its rules.
        repeat: The repetition of the composite, if it is one.
    """
    found = _faults(scope, sum(map((1).__lshift__, filled)))
    if repeat is None and _QUOTED.isdisjoint(fault.kind for fault in found):
        return [*found]
    return [_completed(fault, texts, repeat) for fault in found]


def _completed(fault: ElementFault, texts: Sequence[str], repeat: int | None) -> ElementFault:
    if fault.kind not in _QUOTED:
        return fault._replace(repeat=repeat)
    text = texts[(fault.component or fault.position) - 1]
    return fault._replace(repeat=repeat, value=text[:VALUE_CHARS])


@lru_cache(maxsize=MAX_KNOWN)
def _faults(scope: PresenceScope, filled: int) -> tuple[ElementFault, ...]:
    """Return the faults, without values; the bits ``1 << position`` say which parts are present.

    Senders fill the same parts in most segments, so results are cached.
    """
    numbers = range(1, 1 + len(scope.uses))
    present = {number for number in numbers if filled >> number & 1}
    faults: list[ElementFault] = []
    missing: dict[int, ElementFault] = {}
    for number, use in enumerate(scope.uses, 1):
        if use.is_mandatory and number not in present:
            missing[number] = ElementFault(ElementFaultKind.MANDATORY_MISSING, *scope.ref(number))
    for note in scope.notes:
        for number in missing_by(note, present):
            fault = ElementFault(ElementFaultKind.CONDITION_MISSING, *scope.ref(number))
            missing.setdefault(number, fault)
        if excess := excluded_by(note, present):
            faults.append(ElementFault(ElementFaultKind.EXCLUSION, *scope.ref(excess)))
    for number, rule in scope.rules.items():
        if scope.is_required(number) and number not in present:
            ref = scope.ref(number)
            fault = ElementFault(ElementFaultKind.MANDATORY_MISSING, *ref, layer=rule.layer)
            missing.setdefault(number, fault)
    faults += missing.values()
    for number in filter(scope.is_unused, sorted(present)):
        layer = scope.rules[number].layer if number in scope.rules else scope.layer
        faults.append(
            ElementFault(ElementFaultKind.ELEMENT_NOT_USED, *scope.ref(number), layer=layer)
        )
    return (*faults,)


def missing_by(note: RelationalNote, present: set[int]) -> tuple[int, ...]:
    """Return the positions that are missing according to a relational note."""
    first, *others = note.positions
    absent = tuple(number for number in note.positions if number not in present)
    is_absent = first not in present
    match note.kind:
        case "P":
            return absent if len(absent) < len(note.positions) else ()
        case "C":
            return () if is_absent else absent
        case "L":
            return (others[0],) if not is_absent and len(absent) == len(others) else ()
        case "R":
            return (first,) if len(absent) == len(note.positions) else ()
        case _:
            return ()


def excluded_by(note: RelationalNote, present: set[int]) -> int | None:
    """Return the second position present where a note allows one at most."""
    there = [number for number in note.positions if number in present]
    return there[1] if note.kind == "E" and len(there) > 1 else None
