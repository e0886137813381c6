"""The exact check of one segment, which reports each fault in order of position.

A part is absent if it is empty or holds only separators. A segment has at least one element:
without any, the first one is missing. Repetitions or components beyond the maximum are one fault,
and are not checked.

Source: x12.md sections 1.3, 1.8 and 2.4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from operator import attrgetter
from typing import Final, NamedTuple

from longshore.x12.dictionary.model import (
    CompositeType,
    ElementRule,
    ElementUse,
    SegmentUse,
    ValueCondition,
)
from longshore.x12.elements.faults import ElementFault, ElementFaultKind, SetContext
from longshore.x12.elements.presence import PresenceScope, presence_faults, scope_of, scope_within
from longshore.x12.elements.values import (
    NO_RULE,
    VALUE_CHARS,
    Demand,
    ValueRef,
    format_fault,
    value_faults,
)
from longshore.x12.release import split_released, unreleased

FORMAT_QUALIFIER: Final = "1250"
FORMATTED: Final = "1251"
_POSITION = attrgetter("position")
MAX_PLANS: Final = 4096  # of uses, in the cache


# ---- what does not change from segment to segment ---------------------------------------------


class _Planned(NamedTuple):
    """The requirements for a part, at whichever position."""

    use: ElementUse
    rule: ElementRule
    demand: Demand | None
    """The requirements for each repetition; None for a composite, whose components are in
    ``within``."""
    within: _Plan | None
    ref: ValueRef
    """The position of its only repetition."""
    is_single: bool
    """It cannot repeat."""
    is_formatted: bool
    """The part before it names its form."""
    minimum: int
    maximum: int
    """Nothing is wrong with a text of such a length that does not begin with a blank, where every
    character will do."""


class _Plan(NamedTuple):
    scope: PresenceScope
    parts: tuple[_Planned, ...]


@lru_cache(maxsize=MAX_PLANS)
def _plan(use: SegmentUse) -> _Plan:
    return _plan_of(scope_of(use), use)


def _plan_of(scope: PresenceScope, use: SegmentUse) -> _Plan:
    """Plan the parts of a scope, which is that of ``use`` or lies within it."""
    parts = (_planned(number, scope, use) for number in range(1, 1 + len(scope.uses)))
    return _Plan(scope, tuple(parts))


def _planned(number: int, scope: PresenceScope, use: SegmentUse) -> _Planned:
    part, rule = scope.uses[number - 1], scope.rules.get(number, NO_RULE)
    demand, within, minimum, maximum = None, None, 1, 0
    if isinstance(part.type, CompositeType):
        within_it = scope_within(part.type, rule, number, is_closed=use.is_closed)
        within = _plan_of(within_it, use)
    else:
        place = (number, None) if scope.position is None else (scope.position, number)
        demand = Demand(part.type, rule, also_allowed(use.when, *place))
        if part.type.kind in {"AN", "ID"} and not demand.has_codes:
            minimum = max(part.type.minimum, rule.minimum or 0)
            maximum = min(part.type.maximum, rule.maximum or part.type.maximum)
    return _Planned(
        part,
        rule,
        demand,
        within,
        scope.ref(number),
        demand is not None and part.repeat == 1,
        is_formatted(number, scope.uses),
        minimum,
        maximum,
    )


# ---- the check ---------------------------------------------------------------------------------


def check(row: list[str], use: SegmentUse, context: SetContext) -> list[ElementFault]:
    """Return the faults of a segment, in order of position, repetition and component.

    There is at most one fault of each kind at one position.

    Args:
        row: The id and the elements, released separators as they stand in the text. The id is not
            compared with that of ``use``.
        use: The use of the segment in the definition.
        context: The separators, the release and the character set.
    """
    scope, parts = _plan(use)
    delimiters, texts = context.delimiters, row[1:]
    blank, repetition = delimiters.component + delimiters.repetition, delimiters.repetition
    # Separators count as content of an element that is not split.
    filled = [
        number
        for number, (text, part) in enumerate(zip(texts, parts, strict=False), 1)
        if text and (text[0] not in blank or _is_filled(text, part.use, context))
    ]
    faults = presence_faults(filled, texts, scope)
    surplus = texts[len(parts) :]
    if any(surplus):
        ref = scope.ref(len(parts) + 1)
        value = surplus[0][:VALUE_CHARS] or None
        faults.append(
            ElementFault(ElementFaultKind.TOO_MANY_ELEMENTS, *ref, value, maximum=len(parts))
        )
    if not faults and not filled:
        faults.append(ElementFault(ElementFaultKind.MANDATORY_MISSING, *scope.ref(1)))
    for number in filled:
        text, part = texts[number - 1], parts[number - 1]
        if not part.is_single or delimiters.release or (repetition and repetition in text):
            faults += _element_faults(number, texts, part, context)
        elif (
            not part.minimum <= len(text) <= part.maximum
            or text[0] == " "
            or context.charset is not None
            or part.is_formatted
        ):  # most elements of a bad segment are good, and plainly so
            faults += _simple_faults(text, texts[number - 2], part, part.ref, context)
    return _in_order(faults) if len(faults) > 1 else faults


def _is_filled(text: str, use: ElementUse, context: SetContext) -> bool:
    delimiters = context.delimiters
    if isinstance(use.type, CompositeType):
        return text.strip(delimiters.component + delimiters.repetition) != ""
    return use.type.kind == "B" or text.strip(delimiters.repetition) != ""


def _in_order(faults: list[ElementFault]) -> list[ElementFault]:
    """Sort by position and leave the first fault of a kind at each."""
    faults.sort(key=_POSITION)
    if all(one.position < other.position for one, other in pairwise(faults)):
        return faults
    found: dict[tuple[object, ...], ElementFault] = {}
    for fault in faults:
        found.setdefault((fault.kind, fault.position, fault.component, fault.repeat), fault)
    return sorted(
        found.values(), key=lambda each: (each.position, each.repeat or 0, each.component or 0)
    )


# ---- present parts -----------------------------------------------------------------------------


def _element_faults(
    number: int, texts: list[str], part: _Planned, context: SetContext
) -> Iterator[ElementFault]:
    """Yield the faults within an element that is present."""
    element = part.use
    repetitions = _repetitions(texts[number - 1], element, context)
    yield from _count_faults(repetitions, number, part)
    does_repeat = element.repeat != 1 or len(repetitions) > 1
    for at, text in enumerate(repetitions[: element.repeat or None], 1):
        repeat = at if does_repeat else None
        if part.within is not None:
            yield from _component_faults(text, part.within, repeat, context)
        elif text:
            ref = ValueRef(number, None, repeat, element.reference)
            yield from _simple_faults(text, texts[number - 2], part, ref, context)


def _repetitions(text: str, element: ElementUse, context: SetContext) -> list[str]:
    """Return the repetitions, without the empty ones at the end."""
    separator = context.delimiters.repetition
    if isinstance(element.type, CompositeType):
        return _parts(text, separator, context, blank=context.delimiters.component)
    return [text] if element.type.kind == "B" else _parts(text, separator, context)


def _parts(text: str, separator: str, context: SetContext, blank: str = "") -> list[str]:
    if not separator or separator not in text:
        return [text]
    release = context.delimiters.release
    parts = split_released(text, separator, release) if release else text.split(separator)
    while parts and not parts[-1].strip(blank):
        parts.pop()
    return parts


def _count_faults(repetitions: list[str], number: int, part: _Planned) -> Iterator[ElementFault]:
    count, element, rule = len(repetitions), part.use, part.rule
    layer = ElementFault._field_defaults["layer"]
    maximum = element.repeat
    if not (maximum and count > maximum) and rule.repeat:
        maximum, layer = rule.repeat, rule.layer
    if maximum and count > maximum:
        ref = ValueRef(number, None, maximum + 1, element.reference)
        value = repetitions[maximum][:VALUE_CHARS] or None
        yield ElementFault(
            ElementFaultKind.TOO_MANY_REPETITIONS, *ref, value, layer, maximum=maximum
        )


def _component_faults(
    text: str, plan: _Plan, repeat: int | None, context: SetContext
) -> Iterator[ElementFault]:
    components = _parts(text, context.delimiters.component, context)
    if not any(components):
        return
    scope, parts = plan
    count = len(parts)
    if len(components) > count:
        ref = scope.ref(count + 1, repeat)  # the value would be the composite, with separators
        yield ElementFault(ElementFaultKind.TOO_MANY_COMPONENTS, *ref, maximum=count)
    filled = [number for number, value in enumerate(components[:count], 1) if value]
    yield from presence_faults(filled, components, scope, repeat)
    for number in filled:
        value, part, ref = components[number - 1], parts[number - 1], scope.ref(number, repeat)
        yield from _simple_faults(value, components[number - 2], part, ref, context)


def also_allowed(
    when: ValueCondition | None, position: int, component: int | None
) -> tuple[str, ...]:
    """Return the codes by which the segment was chosen, if it was chosen by this part."""
    if when is None or when.position != position or when.component != component:
        return ()
    return when.values


def _simple_faults(
    text: str, before: str, part: _Planned, ref: ValueRef, context: SetContext
) -> list[ElementFault]:
    """Return the faults of one value.

    Args:
        text: The value.
        before: The part before it, which may name its format.
        part: What the definition says about it.
        ref: Its position.
        context: The separators, the release and the character set.
    """
    assert part.demand is not None  # the dictionary knows no composites in composites
    delimiters = context.delimiters
    value = unreleased(text, delimiters.release, delimiters.marks) if delimiters.release else text
    faults = value_faults(value, part.demand, ref, context)
    if part.is_formatted and (kind := format_fault(before, text)):
        faults.append(ElementFault(kind, *ref, text[:VALUE_CHARS]))
    return faults


def is_formatted(number: int, uses: Sequence[ElementUse]) -> bool:
    """Return whether the part before this one names the form of its date or time."""
    return (
        number > 1
        and uses[number - 1].reference == FORMATTED
        and uses[number - 2].reference == FORMAT_QUALIFIER
    )
