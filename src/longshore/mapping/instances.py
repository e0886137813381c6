"""The segments that rules write: each with its cells, in its loop instance.

Theory. A rule names a path of segments; with the ordinals of a binding the path names one segment
of the output. All values for it are collected here. Whether a segment is written depends on the
rules that have a source: if such rules write it, or anything within its loop, one of them must have
given a value. Segments of constants alone are always written; within a loop, if the loop is.

Source: fields-and-mapping.md section 7, X12, points 1 to 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from longshore.mapping.cells import CellValues, add_part, parts_of_rule
from longshore.mapping.target_paths import ALL, X12Step, X12Target
from longshore.mapping.writes import Binding, RuleWrites

Place = tuple[int, int, int]
"""An element's position, repetition and component, 0 for the whole of it."""


@dataclass(slots=True, eq=False)
class Shape:
    """The properties of a path of segments, whatever the binding."""

    mention: int
    """The first rule that names it."""
    has_source: bool = False
    """A rule with ``src`` writes it, or a segment within it."""


@dataclass(slots=True, eq=False)
class Instance:
    """One segment of the output; if it is a trigger, with the segments of its loop."""

    segment_id: str
    ordinal: int
    """The 0-based index among the segments with its id in the same loop."""
    shape: Shape
    parent: Instance | None = None
    """The segment that begins the loop around it."""
    has_value: bool = False
    """A rule with ``src`` gave one."""
    cells: dict[Place, CellValues] = field(default_factory=dict)
    members: dict[tuple[str, int], Instance] = field(default_factory=dict)

    def is_real(self) -> bool:
        """Return whether a source gave a value for it, or for anything within it."""
        return self.has_value or any(member.is_real() for member in self.members.values())

    def prune(self) -> bool:
        """Leave out what is not to be written; return whether this segment itself is."""
        if self.shape.has_source and not self.is_real():
            return False
        self.members = {key: member for key, member in self.members.items() if member.prune()}
        return self.has_elements or bool(self.members)

    @property
    def has_elements(self) -> bool:
        """Return whether it has any element."""
        return any(cell.text for cell in self.cells.values())


def instances_of(rules: Sequence[RuleWrites]) -> list[Instance]:
    """Return the outermost segments to write, in no particular order.

    Raises:
        LongshoreError: conversion_failed, duplicate_target.
    """
    shapes = _shapes(rules)
    top: dict[tuple[str, int], Instance] = {}
    for writes in rules:
        target = x12_target_of(writes)
        for binding, part in parts_of_rule(writes):
            instance, rest = _instance(top, target.steps, binding, shapes)
            repetition = rest[0] + 1 if target.repetition is ALL else target.repetition
            place = (target.position, repetition, target.component)
            instance.cells[place] = add_part(instance.cells.get(place), part)
            instance.has_value |= writes.has_source and part.text != ""
    return [instance for instance in top.values() if instance.prune()]


def x12_target_of(writes: RuleWrites) -> X12Target:
    """Return the target of a rule that was read for X12."""
    assert isinstance(writes.target, X12Target)  # the builder of X12 has read them so
    return writes.target


def _shapes(rules: Sequence[RuleWrites]) -> dict[tuple[X12Step, ...], Shape]:
    shapes: dict[tuple[X12Step, ...], Shape] = {}
    for writes in rules:
        steps = x12_target_of(writes).steps
        for count in range(1, len(steps) + 1):
            shape = shapes.setdefault(steps[:count], Shape(writes.rule))
            shape.has_source |= writes.has_source
    return shapes


def _instance(
    top: dict[tuple[str, int], Instance],
    steps: tuple[X12Step, ...],
    binding: Binding,
    shapes: dict[tuple[X12Step, ...], Shape],
) -> tuple[Instance, Binding]:
    """Return the segment at the end of a path, and the ordinals that the path did not use."""
    members, found = top, None
    for count, step in enumerate(steps, 1):
        if step.occurrence is ALL:
            ordinal, binding = binding[0], binding[1:]
        else:
            ordinal = step.occurrence - 1
        key = (step.segment_id, ordinal)
        if key not in members:
            members[key] = Instance(*key, shapes[steps[:count]], found)
        found = members[key]
        members = found.members
    assert found is not None  # a path has a step
    return found, binding
