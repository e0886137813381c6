"""The values of a segment that is to be written.

An element is a text, a tuple of components, or a list of repetitions, each a text or a tuple.

Source: x12.md section 1.8.
"""

from __future__ import annotations

from collections.abc import Sequence

from longshore.x12.binary import LENGTH_ELEMENT
from longshore.x12.delimiters import Delimiters
from longshore.x12.release import split_text, unreleased
from longshore.x12.segment_table import is_composite

Components = tuple[str, ...]
Element = str | Components | list[str | Components]
Segment = Sequence[Element]


def elements_of(text: str, delimiters: Delimiters) -> list[Element]:
    """Return the id and the elements of a segment's text, released separators as data.

    Elements are split into repetitions if a separator for them is in force, and into components
    unless they are known to be simple. Binary data is one text.
    """
    mark = delimiters.release
    if text[:3] in LENGTH_ELEMENT and text.startswith(delimiters.element, 3):
        return [*text.split(delimiters.element, LENGTH_ELEMENT[text[:3]] + 1)]
    tag, *elements = split_text(text, delimiters.element, mark)
    found: list[Element] = [tag]
    for position, element in enumerate(elements, 1):
        repetitions: list[str | Components] = []
        for repetition in split_text(element, delimiters.repetition, mark):
            separator = delimiters.component if is_composite(tag, position) else ""
            parts = [
                unreleased(part, mark, delimiters.marks) if mark else part
                for part in split_text(repetition, separator, mark)
            ]
            repetitions.append(parts[0] if len(parts) == 1 else tuple(parts))
        found.append(repetitions[0] if len(repetitions) == 1 else repetitions)
    return found


def trimmed(texts: list[str]) -> list[str]:
    """Return ``texts`` without the empty ones at the end."""
    count = len(texts)
    while count and not texts[count - 1]:
        count -= 1
    return texts[:count]
