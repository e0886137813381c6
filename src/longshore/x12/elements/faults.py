"""The faults of elements, and the context that is needed to find them.

Source: x12.md sections 2.3 and 2.4, element rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Literal, NamedTuple

from longshore.x12.delimiters import Delimiters
from longshore.x12.dictionary.model import STANDARD

Charset = Literal["basic", "extended"]


@unique
class ElementFaultKind(StrEnum):
    """Every kind of fault; the value is the code of its finding (``findings.FindingCode``)."""

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


@dataclass(frozen=True, slots=True)
class SetContext:
    """The context of all segments of a set: separators, release, the partner's character set."""

    delimiters: Delimiters
    release: str
    """Six digits, such as ``004010``."""
    charset: Charset | None = None
    """The character set in the partner's profile; None accepts any character."""


class ElementFault(NamedTuple):
    """One thing wrong with one element."""

    kind: ElementFaultKind
    position: int
    """The position of the element, from 1; of surplus elements, that of the first one."""
    component: int | None = None
    """The position of the component, from 1; None for the element as a whole."""
    repeat: int | None = None
    """The repetition, from 1, None unless the element may repeat or does."""
    element_ref: str = ""
    """The number of the element or component, the id of a composite, ``""`` beyond the last one."""
    value: str | None = None
    """The bad value that an acknowledgement repeats, at most 99 characters; None if it must not. It
    is also left out of an acknowledgement in which it would hold a separator."""
    layer: str = STANDARD
    """The layer of the rule: ``standard``, the guide or the partner."""
    allowed: tuple[str, ...] | None = None
    """The codes, for kinds about codes."""
    minimum: int | None = None
    maximum: int | None = None
    """The limits, for kinds about lengths and counts."""
    length: int | None = None
    """The length of the value as its limits count it: for a number, its digits."""
