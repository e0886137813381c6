"""Lists that functions of formulas make of other lists.

Source: formulas.md section 3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime, time
from decimal import Decimal

from longshore.mapping.formulas.frame import Frame
from longshore.mapping.formulas.values import Value, text_of

ListMaker = Callable[[Frame], Sequence[Value]]


def distinct(values: Sequence[Value]) -> list[Value]:
    """Return each value once, in order of first appearance, without null."""
    seen = {(type(value).__name__, value): value for value in values if value is not None}
    return list(seen.values())


def sorted_by(values: Sequence[Value], keys: Sequence[Value]) -> list[Value]:
    """Return values in the order of their keys; those without a key last.

    Numbers, dates and times compare by value if all keys are of that kind, else as text.
    """
    order = sort_order(keys)
    return [values[at] for at in order]


def sort_order(keys: Sequence[Value]) -> list[int]:
    """Return the indexes of keys in order; equal ones stay as they are, those of null are last."""
    there = [at for at, key in enumerate(keys) if key is not None]
    kinds = {type(keys[at]) for at in there}
    is_ordered = kinds <= {Decimal} or kinds <= {date} or kinds <= {datetime} or kinds <= {time}
    there.sort(key=lambda at: keys[at] if is_ordered else text_of(keys[at]))  # type: ignore[arg-type,return-value]  # of one kind
    return there + [at for at, key in enumerate(keys) if key is None]
