"""What would have been allowed where a partner complains about a code.

Source: contract.md section 7 (``hint``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from longshore.domain.acks.model import AckError
from longshore.x12.dictionary.model import (
    CompositeType,
    Definition,
    ElementRule,
    ElementUse,
    SegmentUse,
)


def codes_hint(definition: Definition, error: AckError) -> str:
    """Return ``Allowed here: UP, VN, IN``, or ``""`` where every code is allowed.

    Where a segment has several places in the set, and the partner names no loop, the codes of all
    of them are listed.
    """
    position, component = error.element_position or 0, error.component_position
    uses = _uses(definition, error.segment_id, error.loop_id)
    codes = list(dict.fromkeys(code for use in uses for code in _codes(use, position, component)))
    if not codes:
        return ""
    return f"Allowed here: {', '.join(codes)}"


def _uses(definition: Definition, segment_id: str, loop_id: str) -> list[SegmentUse]:
    """Return the places of a segment, those in the loop if there are any."""
    places = [each for each in definition.positions() if each[1].segment.id == segment_id]
    in_loop = [use for around, use in places if around and around[-1].id == loop_id]
    return in_loop or [use for _, use in places]


def _codes(use: SegmentUse, position: int, component: int | None) -> Iterable[str]:
    found = _element(use, position)
    if found is None:
        return ()
    element, rule = found
    if isinstance(element.type, CompositeType):
        parts = element.type.uses
        at = component or 1
        if at > len(parts):
            return ()
        element, rule = parts[at - 1], rule.components.get(at) if rule else None
    return _listed(element, rule)


def _element(use: SegmentUse, position: int) -> tuple[ElementUse, ElementRule | None] | None:
    elements = use.segment.uses
    if not 1 <= position <= len(elements):
        return None
    return elements[position - 1], use.rules.get(position)


def _listed(element: ElementUse, rule: ElementRule | None) -> Iterator[str]:
    """Yield what a guide or partner allows, else the code list."""
    if rule is not None and rule.codes is not None:
        yield from rule.codes
    elif not isinstance(element.type, CompositeType) and element.type.codes is not None:
        yield from element.type.codes.meanings
