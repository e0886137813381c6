"""The codes of acknowledgements, and their translation between forms.

Codes have the meaning of the 999 and the 997 of 005010; ``Form`` translates them on writing.

Source: x12.md sections 2.1 to 2.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final


class Status(StrEnum):
    """Status of a set or group, as it is written."""

    ACCEPTED = "A"
    WITH_ERRORS = "E"
    PARTIAL = "P"
    REJECTED = "R"


def _numbers(*ranges: tuple[int, int]) -> tuple[str, ...]:
    return tuple(str(code) for first, last in ranges for code in range(first, last + 1))


# What may be received without a warning.
SET_STATUSES: Final = frozenset("AEMPRWX")
GROUP_STATUSES: Final = frozenset("AEMPRWX")
INTERCHANGE_STATUSES: Final = frozenset("AER")
SEGMENT_CODES: Final = frozenset((*_numbers((1, 8)), "I4", "I6", "I7", "I8", "I9"))
ELEMENT_CODES: Final = frozenset((
    *_numbers((1, 10), (12, 13)),
    "I6",
    "I9",
    "I10",
    "I11",
    "I12",
    "I13",
))
SET_CODES: Final = frozenset((*_numbers((1, 13), (15, 19), (23, 27)), "I5", "I6"))
GROUP_CODES: Final = frozenset(_numbers((1, 6), (10, 19), (23, 26)))
INTERCHANGE_CODES: Final = frozenset(f"{code:03d}" for code in range(32))

NO_ERROR: Final = "000"
# The faults an interchange is accepted with; the deferred delivery codes are no faults to us.
ACCEPTABLE_FAULTS: Final = frozenset(("002", "003", "019", "020", "021"))
NO_FAULTS: Final = frozenset((NO_ERROR, "028", "029", "030", "031"))

SET_NOT_SUPPORTED: Final = "1"  # AK502
SEGMENT_COUNT_WRONG: Final = "4"  # AK502
SEGMENTS_IN_ERROR: Final = "5"  # AK502
GUIDE_SEGMENTS_IN_ERROR: Final = "I5"  # IK502
SET_COUNT_WRONG: Final = "5"  # AK905
ELEMENTS_IN_ERROR: Final = "8"  # AK304

# What rejects a set at reject level lenient.
GRAVE_SET_CODES: Final = frozenset(("1", "2", "3", "4", "6", "7", "18", "19", "23"))
GRAVE_SEGMENT_CODES: Final = frozenset(("1", "2", "3", "6", "7"))
GRAVE_ELEMENT_CODES: Final = frozenset(("1", "2", "3", "6", "10"))

_MAX_CODES: Final = 5  # in an AK5 or AK9


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A form of functional acknowledgement."""

    set_id: str
    version: str
    """Its GS08."""
    segment: str
    element: str
    result: str
    """The ids of its notes."""
    names_versions: bool
    """AK103 and AK203 exist, and the position of an element names its repetition."""
    carries_guide: bool = False
    """It can report errors that only a guide defines. The maps below translate codes."""
    set_codes: Mapping[str, str] = field(default_factory=dict)
    group_codes: Mapping[str, str] = field(default_factory=dict)
    element_codes: Mapping[str, str] = field(default_factory=dict)

    def set_errors(self, codes: Iterable[str]) -> list[str]:
        """Return at most 5 AK502 codes in this form's words, in ascending order."""
        return _written(codes, self.set_codes)

    def group_errors(self, codes: Iterable[str]) -> list[str]:
        """Return at most 5 AK905 codes in this form's words, in ascending order."""
        return _written(codes, self.group_codes)

    def element_error(self, code: str) -> str:
        """Return an AK403 code in this form's words."""
        return self.element_codes.get(code, code)


def _written(codes: Iterable[str], words: Mapping[str, str]) -> list[str]:
    if not codes:
        return []
    written = {words.get(code, code) for code in codes}
    return sorted(written, key=lambda code: (code.startswith("I"), len(code), code))[:_MAX_CODES]


F997_4010: Final = Form(
    set_id="997",
    version="004010",
    segment="AK3",
    element="AK4",
    result="AK5",
    names_versions=False,
    set_codes={"18": "6", "19": "6"},
    group_codes={"19": "6"},
    element_codes={"12": "3", "13": "3"},
)
F997_5010: Final = Form(
    set_id="997",
    version="005010",
    segment="AK3",
    element="AK4",
    result="AK5",
    names_versions=True,
)
F999: Final = Form(
    set_id="999",
    version="005010X231A1",
    segment="IK3",
    element="IK4",
    result="IK5",
    names_versions=True,
    carries_guide=True,
    set_codes={"19": "I6"},
)
