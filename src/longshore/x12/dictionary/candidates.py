"""Find neighbours with one segment id that cannot be distinguished."""

from __future__ import annotations

from longshore.x12.dictionary.model import ValueCondition


def clash(earlier: ValueCondition | None, later: ValueCondition | None) -> str:
    """Return why a segment could match either of two neighbours; ``""`` if it could not.

    The earlier neighbour is tried first, so a later one without a condition takes the rest.
    """
    if earlier is None:
        return "the one before it has no condition and takes every such segment"
    if later is None:
        return ""
    if (earlier.position, earlier.component) != (later.position, later.component):
        return "the one before it has a condition on another element"
    both = sorted(set(earlier.values) & set(later.values))
    return f"the one before it takes {both[0]} too" if both else ""
