"""What an acknowledgement complains of, without any value: codes and places, fit for a column.

The errors themselves are sealed, since they hold values of documents. A complaint holds a code and
a place of the standard, of which the same two are the same complaint, wherever in the document.

As a word: ``7@PO1.06`` of an element, ``3@PO1`` of a segment, ``5@ST`` of a whole set and ``2@GS``
of a whole group. Whatever a partner wrote there that is no such word is ``?``.

Source: x12.md sections 2.1 and 2.3.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from longshore.domain.acks.meanings import (
    ELEMENT_MEANINGS,
    GROUP_MEANINGS,
    SEGMENT_MEANINGS,
    SET_MEANINGS,
    meaning,
)
from longshore.domain.acks.model import AckError, AckFacts

MOST_COMPLAINTS: Final = 50
"""Different complaints that are told of one acknowledgement: more would swell each row."""

UNREADABLE: Final = "?"
_SET, _GROUP = "ST", "GS"
_CODE = re.compile("[A-Z0-9]{1,3}")
_SEGMENT = re.compile("[A-Z][A-Z0-9]{1,2}")
_LARGEST_POSITION: Final = 99
_WHOLE: Final[Mapping[str, Mapping[str, str]]] = {_SET: SET_MEANINGS, _GROUP: GROUP_MEANINGS}


@dataclass(frozen=True, slots=True)
class Complaint:
    """A code and a place: ``PO1.06``, ``PO1``, ``ST`` of a whole set, ``GS`` of a whole group."""

    code: str
    place: str

    @property
    def word(self) -> str:
        """Both in one word."""
        return f"{self.code}@{self.place}"

    @property
    def meaning(self) -> str:
        """What the code means in such a place."""
        if "." in self.place:
            return meaning(ELEMENT_MEANINGS, self.code)
        return meaning(_WHOLE.get(self.place, SEGMENT_MEANINGS), self.code)

    @property
    def path(self) -> str:
        """The place as a key of fields has it; ``""`` of a whole set or group."""
        return "" if self.place in _WHOLE else self.place


def complaints_of(facts: AckFacts) -> tuple[Complaint, ...]:
    """Return what an acknowledgement complains of, each once, in its order.

    Where it names no segment, the codes of the set count, and where there are none of the group.
    """
    found = dict.fromkeys(_complaints(facts))
    return tuple(found)[:MOST_COMPLAINTS]


def complaint_of(word: str) -> Complaint:
    """Return the complaint that a word stands for."""
    code, _, place = word.partition("@")
    return Complaint(code, place)


def _complaints(facts: AckFacts) -> Iterator[Complaint]:
    if facts.errors:
        yield from map(_of_error, facts.errors)
    elif facts.transaction_error_codes:
        yield from (Complaint(_code(each), _SET) for each in facts.transaction_error_codes)
    else:
        yield from (Complaint(_code(each), _GROUP) for each in facts.group_error_codes)


def _of_error(error: AckError) -> Complaint:
    segment = error.segment_id if _SEGMENT.fullmatch(error.segment_id) else UNREADABLE
    positions = (error.element_position, error.component_position)
    parts = (_position(each) for each in positions if each is not None)
    return Complaint(_code(error.code), ".".join((segment, *parts)))


def _code(text: str) -> str:
    return text if _CODE.fullmatch(text) else UNREADABLE


def _position(number: int) -> str:
    return f"{number:02}" if 0 <= number <= _LARGEST_POSITION else UNREADABLE
