"""The exact check of one segment: each fault with its place, in order.

Theory. A segment and a composite are the same thing twice: a sequence of parts, each with a use,
under relational notes. What a guide or partner narrows is said only where the standard has nothing
to say about the same part, so that the faults of layer ``standard`` are those the standard alone
would give.

What does not count as present: an empty part, and one of nothing but separators. A segment has one
element at least: of an id alone the first one is missing. Repetitions and components beyond the
last one allowed are one fault, and are not looked into.

Source: x12.md sections 1.3, 1.8 and 2.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from longshore.x12.dictionary.model import (
    CompositeType,
    ElementRule,
    ElementType,
    ElementUse,
    Note,
    SegmentUse,
    When,
)
from longshore.x12.elements.faults import Context, ElementFault, FaultKind
from longshore.x12.elements.values import (
    NO_RULE,
    VALUE_CHARS,
    Demand,
    Spot,
    format_fault,
    value_faults,
)
from longshore.x12.release import split_released, unreleased

FORMAT_QUALIFIER: Final = "1250"
FORMATTED: Final = "1251"
MOST_PLANS: Final = 4096  # of uses, kept ready at a time


class Scope(NamedTuple):
    """A sequence of parts: the elements of a segment, or the components of one composite.

    ``position`` and ``repeat``: of the composite, None for a segment.
    """

    uses: tuple[ElementUse, ...]
    notes: tuple[Note, ...]
    rules: Mapping[int, ElementRule]
    is_closed: bool
    layer: str
    position: int | None = None
    repeat: int | None = None

    def spot(self, number: int) -> Spot:
        """Return the place of a part, counted from 1."""
        reference = self.uses[number - 1].reference if number <= len(self.uses) else ""
        if self.position is None:
            return Spot(number, None, None, reference)
        return Spot(self.position, number, self.repeat, reference)

    def is_unused(self, number: int) -> bool:
        """Tell whether a guide or partner does not use a part."""
        rule = self.rules.get(number)
        return self.is_closed if rule is None else rule.requirement == "N"

    def is_required(self, number: int) -> bool:
        """Tell whether a guide or partner requires a part."""
        return self.rules.get(number, NO_RULE).requirement in {"M", "R"}


def scope_of(use: SegmentUse) -> Scope:
    """Return the elements of a segment as its use demands them."""
    return Scope(use.segment.uses, use.segment.notes, use.rules, use.is_closed, use.layer)


def scope_within(
    composite: CompositeType, rule: ElementRule, place: tuple[int, int | None], *, is_closed: bool
) -> Scope:
    """Return the components of a composite at ``place``: position and repetition.

    A rule that names components closes it, where the segment is closed.
    """
    is_closed = is_closed and bool(rule.components)
    return Scope(composite.uses, composite.notes, rule.components, is_closed, rule.layer, *place)


def check(row: list[str], use: SegmentUse, context: Context) -> list[ElementFault]:
    """Return the faults of a segment, in order of position, repetition and component.

    ``row``: the id and the elements; with a release character in force they are as they stand in
    the text. The id is taken to be the one of ``use``. At most one fault of a kind at a place.
    """
    scope, plan = scope_of(use), _plan(use)
    delimiters, texts = context.delimiters, row[1:]
    blank, repetition = delimiters.component + delimiters.repetition, delimiters.repetition
    # Separators count as content of an element that is not split.
    filled = [
        text != "" and (text[0] not in blank or _is_filled(text, each, context))
        for text, each in zip(texts, scope.uses, strict=False)
    ]
    faults = list(_requirement_faults(filled, texts, scope))
    surplus = texts[len(scope.uses) :]
    if any(surplus):
        spot = scope.spot(len(scope.uses) + 1)
        value = surplus[0][:VALUE_CHARS] or None
        faults.append(ElementFault(FaultKind.TOO_MANY_ELEMENTS, *spot, value, most=len(scope.uses)))
    if not faults and not any(filled):
        faults.append(ElementFault(FaultKind.MANDATORY_MISSING, *scope.spot(1)))
    for number, is_filled in enumerate(filled, 1):
        if is_filled:
            text, (demand, spot, has_form) = texts[number - 1], plan[number - 1]
            if demand is None or delimiters.release or (repetition and repetition in text):
                faults += _element_faults(number, texts, use, context)
                continue
            faults += value_faults(text, demand, spot, context)
            if has_form and (kind := format_fault(texts[number - 2], text)):
                faults.append(ElementFault(kind, *spot, text[:VALUE_CHARS]))
    return _in_order(faults) if len(faults) > 1 else faults


class _Planned(NamedTuple):
    """What does not change from segment to segment: of a simple element with one repetition.

    ``demand`` is None for the others. ``is_formatted``: the element before names its form.
    """

    demand: Demand | None
    spot: Spot
    is_formatted: bool


@lru_cache(maxsize=MOST_PLANS)
def _plan(use: SegmentUse) -> tuple[_Planned, ...]:
    uses, plan = use.segment.uses, []
    for number, element in enumerate(uses, 1):
        demand = None
        if element.repeat == 1 and isinstance(element.type, ElementType):
            rule = use.rules.get(number, NO_RULE)
            demand = Demand(element.type, rule, also_allowed(use.when, number, None))
        spot = Spot(number, None, None, element.reference)
        plan.append(_Planned(demand, spot, is_formatted(number, uses)))
    return tuple(plan)


def _is_filled(text: str, use: ElementUse, context: Context) -> bool:
    delimiters = context.delimiters
    if isinstance(use.type, CompositeType):
        return text.strip(delimiters.component + delimiters.repetition) != ""
    return use.type.kind == "B" or text.strip(delimiters.repetition) != ""


def _in_order(faults: Iterable[ElementFault]) -> list[ElementFault]:
    """Sort by place and keep the first fault of a kind at each."""
    found: dict[tuple[object, ...], ElementFault] = {}
    for fault in faults:
        found.setdefault((fault.kind, fault.position, fault.component, fault.repeat), fault)
    return sorted(
        found.values(), key=lambda each: (each.position, each.repeat or 0, each.component or 0)
    )


# ---- what is missing, what must not be there --------------------------------------------------


def _requirement_faults(
    filled: Sequence[bool], texts: Sequence[str], scope: Scope
) -> Iterator[ElementFault]:
    """Yield faults about the presence of parts; one missing part is one fault."""
    present = {number for number, is_filled in enumerate(filled, 1) if is_filled}
    missing = {}
    for number, use in enumerate(scope.uses, 1):
        if use.is_mandatory and number not in present:
            missing[number] = ElementFault(FaultKind.MANDATORY_MISSING, *scope.spot(number))
    for note in scope.notes:
        if note.kind != "R" and present.isdisjoint(note.positions):
            continue  # most are about elements that hardly anybody sends
        for number in missing_by(note, present):
            fault = ElementFault(FaultKind.CONDITION_MISSING, *scope.spot(number))
            missing.setdefault(number, fault)
        if excess := excluded_by(note, present):
            value = texts[excess - 1][:VALUE_CHARS]
            yield ElementFault(FaultKind.EXCLUSION, *scope.spot(excess), value)
    for number, rule in scope.rules.items():
        if scope.is_required(number) and number not in present:
            spot = scope.spot(number)
            fault = ElementFault(FaultKind.MANDATORY_MISSING, *spot, layer=rule.layer)
            missing.setdefault(number, fault)
    yield from missing.values()
    unused = filter(scope.is_unused, sorted(present)) if scope.rules or scope.is_closed else ()
    for number in unused:
        layer = scope.rules[number].layer if number in scope.rules else scope.layer
        value = texts[number - 1][:VALUE_CHARS]
        yield ElementFault(FaultKind.ELEMENT_NOT_USED, *scope.spot(number), value, layer)


def missing_by(note: Note, present: set[int]) -> tuple[int, ...]:
    """Return the positions that a note says are missing."""
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


def excluded_by(note: Note, present: set[int]) -> int | None:
    """Return the second position present where a note allows one at most."""
    there = [number for number in note.positions if number in present]
    return there[1] if note.kind == "E" and len(there) > 1 else None


# ---- what is there -----------------------------------------------------------------------------


def _element_faults(
    number: int, texts: list[str], use: SegmentUse, context: Context
) -> Iterator[ElementFault]:
    """Yield the faults within an element that is present."""
    element, rule = use.segment.uses[number - 1], use.rules.get(number, NO_RULE)
    repetitions = _repetitions(texts[number - 1], element, context)
    yield from _count_faults(repetitions, number, element, rule)
    does_repeat = element.repeat != 1 or len(repetitions) > 1
    for repeat, text in enumerate(repetitions[: element.repeat or None], 1):
        place = (number, repeat if does_repeat else None)
        if isinstance(element.type, CompositeType):
            scope = scope_within(element.type, rule, place, is_closed=use.is_closed)
            yield from _component_faults(text, scope, use.when, context)
        elif text:
            spot = Spot(*place[:1], None, place[1], element.reference)
            demand = Demand(element.type, rule, also_allowed(use.when, number, None))
            yield from _simple_faults(text, demand, spot, context)
            if kind := _format_kind(number, texts, use.segment.uses, text):
                yield ElementFault(kind, *spot, text[:VALUE_CHARS])


def _repetitions(text: str, element: ElementUse, context: Context) -> list[str]:
    """Return the repetitions, without the empty ones at the end."""
    separator = context.delimiters.repetition
    if isinstance(element.type, CompositeType):
        return _parts(text, separator, context, blank=context.delimiters.component)
    return [text] if element.type.kind == "B" else _parts(text, separator, context)


def _parts(text: str, separator: str, context: Context, blank: str = "") -> list[str]:
    if not separator or separator not in text:
        return [text]
    release = context.delimiters.release
    parts = split_released(text, separator, release) if release else text.split(separator)
    while parts and not parts[-1].strip(blank):
        parts.pop()
    return parts


def _count_faults(
    repetitions: list[str], number: int, element: ElementUse, rule: ElementRule
) -> Iterator[ElementFault]:
    count = len(repetitions)
    layer = ElementFault._field_defaults["layer"]
    most = element.repeat
    if not (most and count > most) and rule.repeat:
        most, layer = rule.repeat, rule.layer
    if most and count > most:
        spot = Spot(number, None, most + 1, element.reference)
        value = repetitions[most][:VALUE_CHARS] or None
        yield ElementFault(FaultKind.TOO_MANY_REPETITIONS, *spot, value, layer, most=most)


def _component_faults(
    text: str, scope: Scope, when: When | None, context: Context
) -> Iterator[ElementFault]:
    components = _parts(text, context.delimiters.component, context)
    filled = [each != "" for each in components]
    if not any(filled):
        return
    count = len(scope.uses)
    if len(components) > count:
        spot = scope.spot(count + 1)  # the bad value would be the composite, with its separators
        yield ElementFault(FaultKind.TOO_MANY_COMPONENTS, *spot, most=count)
    yield from _requirement_faults(filled[:count], components, scope)
    for number, (value, use) in enumerate(zip(components, scope.uses, strict=False), 1):
        if value:
            assert not isinstance(use.type, CompositeType)  # the dictionary refuses it
            assert scope.position is not None
            rule = scope.rules.get(number, NO_RULE)
            demand = Demand(use.type, rule, also_allowed(when, scope.position, number))
            yield from _simple_faults(value, demand, scope.spot(number), context)
            if kind := _format_kind(number, components, scope.uses, value):
                yield ElementFault(kind, *scope.spot(number), value[:VALUE_CHARS])


def also_allowed(when: When | None, position: int, component: int | None) -> tuple[str, ...]:
    """Return the codes by which the segment was chosen, if it was chosen by this part."""
    if when is None or when.position != position or when.component != component:
        return ()
    return when.values


def _simple_faults(
    text: str, demand: Demand, spot: Spot, context: Context
) -> Iterator[ElementFault]:
    delimiters = context.delimiters
    value = unreleased(text, delimiters.release, delimiters.marks) if delimiters.release else text
    return value_faults(value, demand, spot, context)


def _format_kind(
    number: int, texts: Sequence[str], uses: tuple[ElementUse, ...], value: str
) -> FaultKind | None:
    """Return why a date or time is not of the form that the part before it names."""
    return format_fault(texts[number - 2], value) if is_formatted(number, uses) else None


def is_formatted(number: int, uses: Sequence[ElementUse]) -> bool:
    """Tell whether the part before this one names the form of its date or time."""
    return (
        number > 1
        and uses[number - 1].reference == FORMATTED
        and uses[number - 2].reference == FORMAT_QUALIFIER
    )
