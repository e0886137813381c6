"""The source values of one rule: its sources joined, its condition applied.

Source: fields-and-mapping.md sections 4 and 5 (``src``, ``join``, ``when``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from longshore.mapping.paths import PathCondition
from longshore.mapping.rule import Rule
from longshore.mapping.source import MapSource, PathReading, SourcePlace
from longshore.mapping.writes import Binding, ReadValue

Item = TypeVar("Item")


class Read(NamedTuple):
    """The sources that were read for one value."""

    sources: tuple[ReadValue, ...]
    keys: tuple[str, ...]
    """The keys that were read: of the sources, and of conditions in their paths."""


class Column(NamedTuple):
    """Bindings in order, and the value of each, None where it is missing."""

    bindings: Sequence[Binding]
    values: Sequence[str | None]
    reads: Sequence[Read] = ()
    """The sources that were read for each value; empty unless requested."""

    def only(self, holds: Callable[[Binding], bool]) -> Column:
        """Return the occurrences whose bindings fulfil a condition."""
        kept = [at for at, binding in enumerate(self.bindings) if holds(binding)]
        reads = [self.reads[at] for at in kept] if self.reads else ()
        return Column([self.bindings[at] for at in kept], [self.values[at] for at in kept], reads)


def column_of(rule: Rule, source: MapSource, *, is_traced: bool) -> Column:
    """Return the values of a rule's sources, joined."""
    readings = [source.read(path) for path in rule.sources]
    if len(readings) == 1 and not is_traced:
        return Column(*readings[0])
    depths = [len(path.prefixes) for path in rule.sources]
    bindings = _bindings(readings, depths)
    parts = [
        _aligned(reading.values, reading, bindings, depth)
        for reading, depth in zip(readings, depths, strict=True)
    ]
    rows = list(zip(*parts, strict=True))
    values = [_joined(row, rule.separator) for row in rows]
    if not is_traced:
        return Column(bindings, values)
    places = [
        _aligned(source.places(path), reading, bindings, depth)
        for path, reading, depth in zip(rule.sources, readings, depths, strict=True)
    ]
    reads = [_read(*each) for each in zip(rows, zip(*places, strict=True), strict=True)]
    return Column(bindings, values, reads)


def _bindings(readings: Sequence[PathReading], depths: Sequence[int]) -> list[Binding]:
    """Return the bindings of the sources that have the most wildcards, each once."""
    most = max(depths)
    found: set[Binding] = set()
    for reading, depth in zip(readings, depths, strict=True):
        if depth == most:
            found.update(reading.bindings)
    return sorted(found)


def _aligned(
    items: Sequence[Item | None], reading: PathReading, bindings: list[Binding], depth: int
) -> list[Item | None]:
    """Return for each binding the item of the same occurrence, or of one that it begins with."""
    by_binding = dict(zip(reading.bindings, items, strict=True))
    return [by_binding.get(binding[:depth]) for binding in bindings]


def _joined(row: tuple[str | None, ...], separator: str) -> str | None:
    """Join what there is; a single source is not joined, so that a literal stays one."""
    if len(row) == 1:
        return row[0]
    present = [value for value in row if value is not None]
    return separator.join(present) if present else None


def _read(row: tuple[str | None, ...], places: tuple[SourcePlace | None, ...]) -> Read:
    there = [place for place in places if place is not None]
    sources = [
        ReadValue(place.key, place.span, str(value))
        for place, value in zip(places, row, strict=True)
        if place is not None and value is not None
    ]
    conditions = [key for place in there for key in place.conditions]
    return Read(tuple(sources), (*conditions, *(source.src for source in sources)))


def condition_of(when: PathCondition, bound: int, source: MapSource) -> Callable[[Binding], bool]:
    """Return a function that decides whether a rule applies to a binding.

    The first ``bound`` ordinals mean the same occurrences in both; any occurrence suffices for the
    others.
    """
    bindings, values = source.read_condition(when.path)
    met = {
        binding[:bound]
        for binding, value in zip(bindings, values, strict=True)
        if when.holds(value)
    }
    is_negated = when.is_negated
    return lambda binding: (binding[:bound] in met) is not is_negated


def keys_of(when: PathCondition, source: MapSource) -> set[str]:
    """Return the canonical keys of the occurrences that fulfil a condition."""
    keys: set[str] = set()
    values = source.read_condition(when.path).values
    for place, value in zip(source.places(when.path), values, strict=True):
        if when.holds(value):
            keys.update(place.conditions, (place.key,))
    return keys - {""}
