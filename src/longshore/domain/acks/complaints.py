"""Complaints of an acknowledgement without any value: codes and places, fit for a column.

The errors themselves are sealed, since they hold values of documents. A complaint holds a code and
a place of the standard, of which the same two are the same complaint, wherever in the document.

As a word: ``7@PO1.06`` of an element, ``3@PO1`` of a segment, ``5@ST`` of a whole set, ``2@GS`` of
a whole group, ``022@ISA`` of a whole interchange and ``A7@CLM`` of a claim in a 277CA. Whatever a
partner wrote there that is no such word is ``?``.

Source: x12.md sections 2.1 and 2.3.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from longshore.domain.acks.meanings import (
    APPLICATION_MEANINGS,
    CLAIM_CATEGORIES,
    ELEMENT_MEANINGS,
    GROUP_MEANINGS,
    INTERCHANGE_MEANINGS,
    SEGMENT_MEANINGS,
    SET_MEANINGS,
    meaning,
)
from longshore.domain.acks.model import AckError, AckErrorLevel, AckFacts, AckForm, ClaimResult

MAX_COMPLAINTS: Final = 50
"""Different complaints that are reported one acknowledgement: more would swell each row."""

NO_REASON: Final = "No reason given"
UNREADABLE: Final = "?"
_MAX_MESSAGES: Final = 3  # in a text: enough to see what kind of fault it is
_SET, _GROUP, _INTERCHANGE = "ST", "GS", "ISA"
_CLAIM: Final = "CLM"
_CODE = re.compile("[A-Z0-9]{1,3}")
_SEGMENT = re.compile("[A-Z][A-Z0-9]{1,2}")
_LARGEST_POSITION: Final = 99
_WHOLE: Final[Mapping[str, Mapping[str, str]]] = {
    _SET: SET_MEANINGS,
    _GROUP: GROUP_MEANINGS,
    _INTERCHANGE: INTERCHANGE_MEANINGS,
}


@dataclass(frozen=True, slots=True)
class ErrorPlace:
    """A code and a place: ``PO1.06``, ``PO1``; of a whole ``ST``, ``GS`` or ``ISA``."""

    code: str
    place: str

    @property
    def word(self) -> str:
        """Both in one word."""
        return f"{self.code}@{self.place}"

    @property
    def meaning(self) -> str:
        """Return the meaning of the code in such a place."""
        if self.place == _CLAIM:
            return meaning(CLAIM_CATEGORIES, self.code)
        if self.code in APPLICATION_MEANINGS and self.place != _INTERCHANGE:
            return APPLICATION_MEANINGS[self.code]
        if "." in self.place:
            return meaning(ELEMENT_MEANINGS, self.code)
        return meaning(_WHOLE.get(self.place, SEGMENT_MEANINGS), self.code)

    @property
    def path(self) -> str:
        """The place as a key of fields has it; ``""`` of a whole set, group or interchange."""
        return "" if self.place in _WHOLE else self.place

    @property
    def text(self) -> str:
        """For people: ``PO1.06: Invalid code value (7)``."""
        said = f"{self.meaning} ({self.code})"
        return f"{self.path}: {said}" if self.path else said


def complaints_of(facts: AckFacts) -> tuple[ErrorPlace, ...]:
    """Return what an acknowledgement complains of, each once, in its order.

    Where it names no segment, the codes of the set count, and where there are none of the group.
    """
    found = dict.fromkeys(_complaints(facts))
    return tuple(found)[:MAX_COMPLAINTS]


def complaint_of(word: str) -> ErrorPlace:
    """Return the complaint that a word stands for."""
    code, _, place = word.partition("@")
    return ErrorPlace(code, place)


def reason_in(words: Sequence[str]) -> str:
    """Return the first complaints in one text, and how many more there are."""
    messages = [complaint_of(each).text for each in words[:_MAX_MESSAGES]]
    if len(words) > _MAX_MESSAGES:
        messages.append(f"and {len(words) - _MAX_MESSAGES} more")
    return "; ".join(messages) or NO_REASON


def _complaints(facts: AckFacts) -> Iterator[ErrorPlace]:
    if facts.claim_counts is not None:
        rejected = (each for each in facts.claims if each.result is ClaimResult.REJECTED)
        yield from (ErrorPlace(_code(each.category), _CLAIM) for each in rejected)
    elif facts.errors:
        yield from map(_of_error, facts.errors)
    elif facts.transaction_error_codes:
        place = _INTERCHANGE if facts.ack_type is AckForm.TA1 else _SET
        yield from (ErrorPlace(_code(each), place) for each in facts.transaction_error_codes)
    else:
        yield from (ErrorPlace(_code(each), _GROUP) for each in facts.group_error_codes)


def _of_error(error: AckError) -> ErrorPlace:
    if error.level is AckErrorLevel.SET:
        return ErrorPlace(_code(error.code), _SET)
    segment = error.segment_id if _SEGMENT.fullmatch(error.segment_id) else UNREADABLE
    positions = (error.element_position, error.component_position)
    parts = (_position(each) for each in positions if each is not None)
    return ErrorPlace(_code(error.code), ".".join((segment, *parts)))


def _code(text: str) -> str:
    return text if _CODE.fullmatch(text) else UNREADABLE


def _position(number: int) -> str:
    return f"{number:02}" if 0 <= number <= _LARGEST_POSITION else UNREADABLE
