"""The names of ``segment_names``, position by position."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from longshore.mapping.starters.segment_names import COMPOSITE_NAMES, SEGMENT_NAMES

_CONTINUED = re.compile(r"\n +")
_WORD = re.compile(r"([a-z_0-9]*)(?:\[([0-9]+)\])?(?:\(([^)]*)\))?(?: |\Z)")


@dataclass(frozen=True, slots=True)
class SegmentNames:
    """The names of a segment, of an array of them, and of its elements."""

    one: str
    many: str
    elements: tuple[str, ...]

    def element(self, position: int) -> str:
        """Return the path of an element in the object of its segment, such as ``ids[0].value``."""
        if position <= len(self.elements):
            return self.elements[position - 1]
        return f"element_{position:02d}"


def segment_names(tag: str) -> SegmentNames:
    """Return the names for a segment; made up if the table has none."""
    return _segments().get(tag) or SegmentNames(tag.lower(), tag.lower(), ())


def component_path(element: str, composite: str, position: int) -> str:
    """Return the path of a component.

    Args:
        element: The path of the element that is a composite.
        composite: The id of the composite.
        position: The position of the component.
    """
    names = _composites().get(composite, ())
    name = names[position - 1] if position <= len(names) else f"component_{position:02d}"
    return f"{element}{name}" if name.startswith("[") else f"{element}.{name}"


@cache
def _segments() -> Mapping[str, SegmentNames]:
    rows = (line.split(" ", 4) for line in _lines(SEGMENT_NAMES))
    return MappingProxyType({
        tag: SegmentNames(one, many, tuple(_expanded(words))) for tag, one, many, _, words in rows
    })


@cache
def _composites() -> Mapping[str, tuple[str, ...]]:
    rows = (line.split(" ", 2) for line in _lines(COMPOSITE_NAMES))
    return MappingProxyType({composite: tuple(_expanded(words)) for composite, _, words in rows})


def _lines(table: str) -> list[str]:
    return _CONTINUED.sub(" ", table.strip()).split("\n")


def _expanded(words: str) -> Iterator[str]:
    """Yield a path for each position that words like ``unit ids[10](qualifier id)`` name."""
    at = 0
    while at < len(words):
        match = _WORD.match(words, at)
        assert match is not None  # a test reads every line
        name, count, parts = match.groups()
        for item in range(int(count or 1)):
            place = f"{name}[{item}]" if count else name
            yield from (f"{place}.{part}" for part in parts.split(" ")) if parts else (place,)
        at = match.end()
