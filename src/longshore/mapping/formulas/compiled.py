"""Compiled nodes of formulas, and how they are combined.

Source: formulas.md section 2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from longshore.mapping.formulas.arithmetic import Operation
from longshore.mapping.formulas.frame import CHARS_PER_STEP, Frame
from longshore.mapping.formulas.syntax import DIFFERENT_ROWS, FormulaError
from longshore.mapping.formulas.values import Value, truth_of

Compute = Callable[[Frame], Value]


class Rows(NamedTuple):
    """The rows of a list: how it is known, and what counts them for the current row."""

    key: object
    count: Callable[[Frame], int]


class Compiled(NamedTuple):
    """A node: what computes its value, in the current row of its list if it is one."""

    compute: Compute
    rows: Rows | None = None
    column: Callable[[Frame], Sequence[Value]] | None = None
    """All values of the list at once, where they are there already."""


def logic(computes: Sequence[Compute], word: str) -> Compute:
    """Return what computes ``and`` or ``or``, up to the operand that decides."""
    is_and = word == "and"

    def compute(frame: Frame) -> Value:
        for each in computes:
            if truth_of(each(frame), word) is not is_and:
                return not is_and
        return is_and

    return compute


def folded(first: Compute, steps: Sequence[tuple[Operation, Compute]]) -> Compute:
    """Return what computes a chain of operators from left to right."""
    if len(steps) == 1:
        operation, second = steps[0]
        return lambda frame: operation(first(frame), second(frame))

    def compute(frame: Frame) -> Value:
        value = first(frame)
        for operation, operand in steps:
            value = operation(value, operand(frame))
        return value

    return compute


def counted(compute: Compute) -> Compute:
    """Return a function that takes steps for long texts."""

    def counted(frame: Frame) -> Value:
        value = compute(frame)
        if isinstance(value, str) and len(value) > CHARS_PER_STEP:
            frame.call.spend(len(value) // CHARS_PER_STEP)
        return value

    return counted


def all_values(part: Compiled) -> Callable[[Frame], Sequence[Value]]:
    """Return what computes all values of a list; of a single value a list of one."""
    compute, rows = part.compute, part.rows
    if rows is None:
        return lambda frame: (compute(frame),)
    column = part.column
    if column is not None:

        def taken(frame: Frame) -> Sequence[Value]:
            values = column(frame)
            frame.call.spend(len(values))
            return values

        return taken

    def values(frame: Frame) -> Sequence[Value]:
        outer, count = frame.inner, rows.count(frame)
        frame.call.spend(count)
        found = []
        for row in range(count):
            frame.inner = row
            found.append(compute(frame))
        frame.inner = outer
        return found

    return values


def common(found: Sequence[Rows | None], position: int) -> Rows | None:
    """Return the rows of lists that an operator or function goes through together.

    Raises:
        FormulaError: They are different.
    """
    lists = [rows for rows in found if rows is not None]
    if any(rows.key != lists[0].key for rows in lists[1:]):
        message = "these lists have different rows: their steps up to the last * differ"
        raise FormulaError(message, position, DIFFERENT_ROWS)
    return lists[0] if lists else None
