"""Write the fields of a small document in one step, from the texts between its values.

Theory. Between the values of the second ``N1`` are ``[2].01":"`` after its id, ``","N1[2].02":"``
after the first value, and so on, in every document: they depend on the id, on the number of earlier
segments with that id, and on which elements are empty. So they are cached. A document is then these
texts and its values in turn, joined by one call; ids are values here, which begin their own keys
(performance.md section 1, point 9).
"""

from __future__ import annotations

from itertools import compress
from typing import Final

from longshore.x12.fields import shape_of

MAX_ELEMENTS: Final = 40  # of a segment, its id included
_MAX_REMEMBERED: Final = 4096

# By id, occurrence and shape. A memo, not state: bounded, since a hostile document can have a new
# shape in each segment.
_BETWEEN: Final[dict[tuple[str, int, object], tuple[str, ...]]] = {}


def fields_of(rows: list[list[str]]) -> tuple[bytes, int] | None:
    """Return the fields of segments without components as a JSON object, and their number.

    The rows are those of ``write_plain_rows``, all in one scope, and at least one.

    Returns:
        None if a segment has more than ``MAX_ELEMENTS``.
    """
    numbers: dict[str, int] = {}
    between = ['{"']
    values: list[str] = []
    bare = 0
    for row in rows:
        tag = row[0]
        numbers[tag] = number = numbers.get(tag, 0) + 1
        empty = row.count("")
        shape: object
        if not empty:
            shape = len(row)
        elif empty == 1:
            shape = len(row), row.index("")
        else:
            shape = shape_of(row)
        texts = _BETWEEN.get((tag, number, shape))
        if texts is None:
            if len(row) == 1:
                bare += 1
                continue
            if len(row) > MAX_ELEMENTS:
                return None
            if len(_BETWEEN) >= _MAX_REMEMBERED:
                _BETWEEN.clear()
            _BETWEEN[tag, number, shape] = texts = _between(row, number)
        between += texts
        values += row
    between[-1] = '"}'
    pieces = [""] * (2 * len(between) - 1)
    pieces[::2] = between
    pieces[1::2] = filter(None, values)
    return "".join(pieces).encode(), len(between) - 1 - len(rows) + bare


def _between(row: list[str], number: int) -> tuple[str, ...]:
    """Return what follows the id and each value of segments like ``row``."""
    occurrence = "" if number == 1 else f"[{number}]"
    keys = [f'{occurrence}.{position:02d}":"' for position in range(1, len(row))]
    first, *others = compress(keys, row[1:])
    return first, *(f'","{row[0]}{key}' for key in others), '","'
