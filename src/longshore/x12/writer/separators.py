"""Choose separators that no value of a document holds.

Source: fields-and-mapping.md section 7, X12, point 7.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from longshore.x12.delimiters import Delimiters
from longshore.x12.writer.refusals import unwritable

DEFAULT_DELIMITERS: Final = Delimiters("*", "~", ":", "^")
# Tried in this order; then any other mark that is no letter, digit or space.
_ALTERNATIVES: Final = ("*|\x1d", "~\x1c", ":>\x1f", "^\x1e")
_ANY: Final = "\x1d\x1c\x1f\x1e" + "".join(
    mark for mark in map(chr, range(0x21, 0x7F)) if not mark.isalnum()
)


def free_delimiters(
    values: Iterable[str], wanted: Delimiters = DEFAULT_DELIMITERS
) -> Delimiters | None:
    """Return ``wanted`` with each separator that a value holds replaced, or None if none is free.

    Without release character: its purpose is what the others are chosen for.
    """
    data = set("".join(values))
    if data.isdisjoint(wanted.marks + "\r\n"):
        return Delimiters(*wanted[:4]) if wanted.release else wanted
    if not data.isdisjoint("\r\n"):
        data.update("\r\n")  # either makes the other useless as a terminator
    kept = {mark for mark in wanted.marks if mark not in data}
    chosen = []
    for mark, alternatives in zip(wanted[:4], _ALTERNATIVES, strict=True):
        found = mark
        if not data.isdisjoint(mark):
            free = (each for each in alternatives + _ANY if each not in data | kept)
            found = next(free, "")
            if not found:
                return None
            kept.add(found)
        chosen.append(found)
    return Delimiters(*chosen)


def separators_for(values: Iterable[str], wanted: Delimiters = DEFAULT_DELIMITERS) -> Delimiters:
    """Return ``wanted``, with those separators replaced that occur in ``values``.

    Raises:
        unwritable: A LongshoreError delimiter_in_data: the values hold everything that could be a
            separator.
    """
    delimiters = free_delimiters(values, wanted)
    if delimiters is None:
        message = "The values hold every character that could be a separator."
        raise unwritable(message, "separators")
    return delimiters
