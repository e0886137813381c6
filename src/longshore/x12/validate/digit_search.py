"""Search the text of a set for wrong check digits, without splitting it.

Theory. Wherever two neighbours look like a qualifier and an identifier, in any segment, the digit
must be right; most of these pairs have been met before. Where it is not, the set is validated
segment by segment, which knows the places. So no finding ever comes from here, and no wrong digit
is passed over.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import zip_longest
from typing import Final

from longshore.x12.delimiters import Delimiters
from longshore.x12.elements.check_digits import MIN_DIGITS, DigitPlace, Identifier

MAX_KNOWN: Final = 8192
"""Pairs that are remembered as right."""
_MAX_LITERALS: Final = 3  # each is found so fast that three cost less than character classes

_Pair = tuple[str, str]
_Find = Callable[[str], list[_Pair]]
Places = Mapping[str, tuple[DigitPlace, ...]]


def digit_search(
    places: Places, marks: Delimiters, tags: Collection[str] | None = None
) -> DigitSearch | None:
    """Return a search for sets written with the same separators; None if they have no identifiers.

    Args:
        places: Where identifiers may be, by segment id.
        marks: The separators.
        tags: The ids of all segments that the sets have; None for any.
    """
    identifiers: defaultdict[str, set[Identifier]] = defaultdict(set)
    for tag, of_segment in places.items():
        for place in of_segment if tags is None or tag in tags else ():
            for code, each in place.identifiers.items():
                identifiers[code].add(each)
    return DigitSearch(identifiers, marks) if identifiers else None


class DigitSearch:
    """Searches sets for identifiers, which are given by code of the qualifier."""

    def __init__(
        self, identifiers: Mapping[str, Collection[Identifier]], marks: Delimiters
    ) -> None:
        self._identifiers = identifiers
        self._finders = tuple(_finder(head, marks) for head in _heads(sorted(identifiers)))
        self._known: set[_Pair] = set()

    def are_right(self, text: str) -> bool:
        """Return whether no check digit in a text can be wrong; False does not mean that one is."""
        known = self._known
        for find in self._finders:
            pairs = find(text)
            if pairs and not known.issuperset(pairs) and not self._are_right(set(pairs) - known):
                return False
        return True

    def _are_right(self, pairs: set[_Pair]) -> bool:
        known = self._known
        for code, value in pairs:
            for identifier in self._identifiers.get(code, ()):
                if identifier.is_wrong(value):
                    return False
        if len(known) + len(pairs) > MAX_KNOWN:
            known.clear()
        known |= pairs
        return True


def _heads(codes: list[str]) -> Iterator[str]:
    """Yield patterns that match at least the codes: few literals, or one of character classes."""
    if len(codes) <= _MAX_LITERALS:
        yield from map(re.escape, codes)
        return
    shortest = min(map(len, codes))
    columns = ("".join(sorted({*column})) for column in zip_longest(*codes, fillvalue=""))
    yield "".join(f"[{column}]{'?' * (at >= shortest)}" for at, column in enumerate(columns))


def _finder(head: str, marks: Delimiters) -> _Find:
    """Return the function that finds the pairs whose qualifier matches a pattern."""
    element, end = re.escape(marks.element), re.escape(marks.element + marks.segment[:1])
    value = f"{element}([0-9]{{{MIN_DIGITS},}}+)(?![^{end}])"
    return re.compile(f"{element}({head})(?={value})").findall
