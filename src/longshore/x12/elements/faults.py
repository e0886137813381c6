"""What can be wrong with an element, and what must be known to judge it.

Source: x12.md sections 2.3 and 2.4, element rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Final, Literal, NamedTuple

from longshore.x12.delimiters import Delimiters
from longshore.x12.dictionary.model import STANDARD

Charset = Literal["basic", "extended"]


@unique
class ElementFaultKind(StrEnum):
    """Every kind of fault; the value is the word findings use."""

    MANDATORY_MISSING = "element_missing"
    CONDITION_MISSING = "element_condition_missing"
    TOO_MANY_ELEMENTS = "too_many_elements"
    TOO_SHORT = "element_too_short"
    TOO_LONG = "element_too_long"
    INVALID_CHARACTER = "element_character_invalid"
    INVALID_CODE = "element_code_invalid"
    INVALID_DATE = "element_date_invalid"
    INVALID_TIME = "element_time_invalid"
    EXCLUSION = "element_exclusion"
    TOO_MANY_REPETITIONS = "too_many_repetitions"
    TOO_MANY_COMPONENTS = "too_many_components"
    CODE_NOT_USED = "element_code_not_used"
    ELEMENT_NOT_USED = "element_not_used"
    NUMBER_FORM = "number_form"


# AK403 or IK403 of each kind, as in 005010; a kind without one is a warning and is accepted.
ELEMENT_CODES: Final[Mapping[ElementFaultKind, str]] = {
    ElementFaultKind.MANDATORY_MISSING: "1",
    ElementFaultKind.CONDITION_MISSING: "2",
    ElementFaultKind.TOO_MANY_ELEMENTS: "3",
    ElementFaultKind.TOO_SHORT: "4",
    ElementFaultKind.TOO_LONG: "5",
    ElementFaultKind.INVALID_CHARACTER: "6",
    ElementFaultKind.INVALID_CODE: "7",
    ElementFaultKind.INVALID_DATE: "8",
    ElementFaultKind.INVALID_TIME: "9",
    ElementFaultKind.EXCLUSION: "10",
    ElementFaultKind.TOO_MANY_REPETITIONS: "12",
    ElementFaultKind.TOO_MANY_COMPONENTS: "13",
    ElementFaultKind.CODE_NOT_USED: "I6",
    ElementFaultKind.ELEMENT_NOT_USED: "I10",
}


@dataclass(frozen=True, slots=True)
class SetContext:
    """What holds for all segments of a set: its separators, release, the partner's characters.

    ``release``: six digits, such as ``004010``. ``charset``: what the partner's profile demands;
    None accepts any character.
    """

    delimiters: Delimiters
    release: str
    charset: Charset | None = None


class ElementFault(NamedTuple):
    """One thing wrong with one element.

    ``position``: of the element, from 1; where there are too many, the first beyond the last one
    defined. ``component``: from 1, None for the element as a whole. ``repeat``: the repetition,
    from 1, None unless the element may repeat or does. ``element_ref``: the number of the element
    or component, the id of a composite, ``""`` beyond the last one. ``value``: what an
    acknowledgement repeats as the bad value, at most 99 characters; None where it must not. Who
    writes one leaves it out too where it holds a separator of the acknowledgement. ``allowed``:
    the codes, for kinds about codes. ``least`` and ``most``: the limits, for kinds about lengths
    and counts. ``layer``: who says so, ``standard`` or the guide or partner. ``length``: of the
    value, as it counts for its limits: of a number the digits.
    """

    kind: ElementFaultKind
    position: int
    component: int | None = None
    repeat: int | None = None
    element_ref: str = ""
    value: str | None = None
    layer: str = STANDARD
    allowed: tuple[str, ...] | None = None
    least: int | None = None
    most: int | None = None
    length: int | None = None
