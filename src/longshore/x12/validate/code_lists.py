"""Report which code lists a definition enforces, so that users know which codes are checked.

An element of type ID takes its values from a list. Many lists are open: their codes have meanings,
but no code is refused.

Source: docs/decisions/0018-outcome-not-checked.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from longshore.x12.dictionary.model import (
    Definition,
    ElementRule,
    ElementType,
    ElementUse,
    SegmentUse,
)

MAX_DEFINITIONS: Final = 64  # entries of the cache
_NOT_USED: Final = "N"


class CodesChecked(NamedTuple):
    """The elements of a definition that have a code list, by number."""

    enforced: tuple[str, ...] = ()
    """A code outside the list is an error, wherever the definition uses the element."""
    not_enforced: tuple[str, ...] = ()
    """Any code is accepted, at one position of the definition at least."""
    own_codes: tuple[str, ...] = ()
    """Users' codes changed the list."""


@lru_cache(maxsize=MAX_DEFINITIONS)
def codes_checked(definition: Definition) -> CodesChecked:
    """Return which code lists are enforced where a set is checked against a definition."""
    enforced: dict[str, bool] = {}
    own: set[str] = set()
    for _, use in definition.positions():
        for element, rule in _elements(use):
            is_enforced = _is_enforced(element, rule)
            if is_enforced or element.kind == "ID" or element.codes is not None:
                number = element.number
                enforced[number] = is_enforced and enforced.get(number, True)
                if element.codes is not None and element.codes.has_own_codes:
                    own.add(number)
    numbers = sorted(enforced, key=int)
    return CodesChecked(
        tuple(each for each in numbers if enforced[each]),
        tuple(each for each in numbers if not enforced[each]),
        tuple(each for each in numbers if each in own),
    )


def _is_enforced(element: ElementType, rule: ElementRule | None) -> bool:
    has_strict_list = element.codes is not None and element.codes.is_strict
    return has_strict_list or (rule is not None and rule.codes is not None)


def _elements(use: SegmentUse) -> Iterator[tuple[ElementType, ElementRule | None]]:
    """Yield the simple elements and components that a segment may have here."""
    for position, each in enumerate(use.segment.uses, 1):
        rule = use.rules.get(position)
        if not (rule is None and use.is_closed):
            yield from _parts(each, rule)


def _parts(
    use: ElementUse, rule: ElementRule | None
) -> Iterator[tuple[ElementType, ElementRule | None]]:
    if rule is not None and rule.requirement == _NOT_USED:
        return
    if isinstance(use.type, ElementType):
        yield use.type, rule
        return
    for position, component in enumerate(use.type.uses, 1):
        yield from _parts(component, None if rule is None else rule.components.get(position))
