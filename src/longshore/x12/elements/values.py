"""Check one value against its element: characters, lengths, codes, dates and times.

Source: x12.md sections 1.6, 1.7 and 2.4.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache
from typing import Final, Literal, NamedTuple

from longshore.x12.delimiters import Delimiters
from longshore.x12.dictionary.model import STANDARD, ElementRule, ElementType
from longshore.x12.elements.faults import Charset, ElementFault, ElementFaultKind, SetContext

NO_RULE: Final = ElementRule()
VALUE_CHARS: Final = 99  # of a bad value, in an acknowledgement
EXPONENT_SINCE: Final = "004020"
LATER_CHARACTERS_SINCE: Final = "005010"

_INTEGER = re.compile("-?[0-9]+")
_DECIMAL = re.compile(r"-?(?=\.?[0-9])[0-9]*(?:\.[0-9]*)?")
_SCIENTIFIC = re.compile(r"-?(?=\.?[0-9])[0-9]*(?:\.[0-9]*)?(?:E-?[0-9]+)?")
_BARE_POINT = re.compile(r"[0-9]\.(?![0-9])")
_DIGITS = re.compile("[0-9]+")
_TIME = re.compile("(?:[01][0-9]|2[0-3])[0-5][0-9](?:[0-5][0-9][0-9]{0,2})?")
_NO_DIGIT = str.maketrans("", "", "-.E")

_BASIC: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!\"&'()*+,-./:;?= "
_PRINTABLE: Final = "".join(map(chr, range(0x20, 0x7F)))


class ValueRef(NamedTuple):
    """The position of a value; the fields of ``ElementFault``."""

    position: int
    component: int | None
    repeat: int | None
    element_ref: str


MAX_LISTED: Final = 1_000
"""Codes of a list that findings name; of a longer one, which users may have, they name none."""


@dataclass(frozen=True)
class Demand:
    """The requirements for a simple value."""

    type: ElementType
    rule: ElementRule = NO_RULE
    also: tuple[str, ...] = ()
    """Codes that are allowed in addition to those of lists."""

    @cached_property
    def has_codes(self) -> bool:
        """Codes are restricted."""
        codes = self.type.codes
        return self.rule.codes is not None or (codes is not None and codes.is_strict)

    @cached_property
    def listed(self) -> tuple[str, ...]:
        """The codes of the list, if it has no others and is short; one for all findings."""
        codes = self.type.codes
        if codes is None or codes.blocks or len(codes.meanings) > MAX_LISTED:
            return ()
        return tuple(codes.meanings)


@lru_cache(maxsize=256)
def characters(charset: Charset, delimiters: Delimiters, *, is_later: bool) -> str:
    """Return the characters of data that a partner with this character set accepts, sorted.

    Separators and line breaks are included; other rules report them.

    Args:
        charset: The character set of the partner.
        delimiters: The separators in force.
        is_later: The release is 005010 or later.
    """
    if charset == "basic":
        own = _BASIC
    else:
        own = _PRINTABLE if is_later else _PRINTABLE.replace("^", "").replace("`", "")
    return "".join(sorted({*own, *delimiters.marks, "\r", "\n"}))


@lru_cache(maxsize=256)
def _unusual(allowed: str) -> re.Pattern[str]:
    return re.compile(f"[^{re.escape(allowed)}]")


def has_bad_character(value: str, context: SetContext) -> bool:
    """Return whether the partner's character set excludes a character of ``value``."""
    if context.charset is None:
        return False
    is_later = context.release >= LATER_CHARACTERS_SINCE
    allowed = characters(context.charset, context.delimiters, is_later=is_later)
    return _unusual(allowed).search(value) is not None


def value_faults(
    value: str, demand: Demand, ref: ValueRef, context: SetContext
) -> list[ElementFault]:
    """Return the faults of a value that is not empty.

    A value that is no number where one is required has no length, so it has no other fault.
    """
    element, rule = demand.type, demand.rule
    kind = element.kind
    is_number = kind[0] in "NR"
    faults: list[ElementFault] = []
    if is_number and not _is_number(value, kind, context.release):
        faults.append(ElementFault(ElementFaultKind.INVALID_CHARACTER, *ref))
        return faults
    if (kind != "B" and has_bad_character(value, context)) or (
        kind == "AN" and not value.strip(" ")
    ):
        faults.append(ElementFault(ElementFaultKind.INVALID_CHARACTER, *ref))
    shown = None if kind == "B" else value[:VALUE_CHARS]
    if kind == "R" and _BARE_POINT.search(value):
        faults.append(ElementFault(ElementFaultKind.NUMBER_FORM, *ref, shown))
    length = len(value.translate(_NO_DIGIT)) if is_number else len(value)
    if rule is not NO_RULE or not element.minimum <= length <= element.maximum:
        faults += _length_faults(length, demand, ref, shown)
    if demand.has_codes:
        faults += _code_faults(value, demand, ref)
    if kind == "DT" and not _is_date(value, demand):
        faults.append(ElementFault(ElementFaultKind.INVALID_DATE, *ref, shown))
    elif kind == "TM" and not _TIME.fullmatch(value):
        faults.append(ElementFault(ElementFaultKind.INVALID_TIME, *ref, shown))
    return faults


def _is_number(value: str, kind: str, release: str) -> bool:
    if kind != "R":
        return _INTEGER.fullmatch(value) is not None
    form = _SCIENTIFIC if release >= EXPONENT_SINCE else _DECIMAL
    return form.fullmatch(value) is not None


def _length_faults(
    length: int, demand: Demand, ref: ValueRef, shown: str | None
) -> Iterator[ElementFault]:
    """Yield a fault of the standard's limits, else of the rule's."""
    element, rule = demand.type, demand.rule
    minimum, maximum = rule.minimum or element.minimum, rule.maximum or element.maximum
    if length < element.minimum:
        limits = (element.minimum, element.maximum, length)
        yield ElementFault(ElementFaultKind.TOO_SHORT, *ref, shown, STANDARD, None, *limits)
    elif length < minimum:
        yield ElementFault(
            ElementFaultKind.TOO_SHORT, *ref, shown, rule.layer, None, minimum, maximum, length
        )
    if length > element.maximum:
        limits = (element.minimum, element.maximum, length)
        yield ElementFault(ElementFaultKind.TOO_LONG, *ref, shown, STANDARD, None, *limits)
    elif length > maximum:
        yield ElementFault(
            ElementFaultKind.TOO_LONG, *ref, shown, rule.layer, None, minimum, maximum, length
        )


def _code_faults(value: str, demand: Demand, ref: ValueRef) -> Iterator[ElementFault]:
    """Yield a fault of a strict list, else of the rule's codes, which may extend the list."""
    codes, chosen = demand.type.codes, demand.rule.codes
    if value in demand.also or (chosen is not None and value in chosen):
        return
    has_length = demand.type.minimum <= len(value) <= demand.type.maximum  # else it is said already
    if codes is not None and codes.is_strict and has_length and value not in codes:
        shown = value[:VALUE_CHARS]
        yield ElementFault(
            ElementFaultKind.INVALID_CODE, *ref, shown, allowed=demand.listed or None
        )
    elif chosen is not None:
        layer = demand.rule.layer
        yield ElementFault(ElementFaultKind.CODE_NOT_USED, *ref, value[:VALUE_CHARS], layer, chosen)


# ---- dates and times -------------------------------------------------------------------------


def _is_date(value: str, demand: Demand) -> bool:
    """Return whether it is a date of a length that the element can have: 6, 8 or both."""
    if not _DIGITS.fullmatch(value):
        return False
    can_be_short = demand.type.minimum <= len("YYMMDD")
    can_be_long = demand.type.maximum >= len("CCYYMMDD")
    if can_be_short and len(value) == len("YYMMDD"):
        return _is_day("YYMMDD", value)
    return can_be_long and len(value) == len("CCYYMMDD") and _is_day("CCYYMMDD", value)


DateForm = Literal["", "CCYYMMDD", "YYMMDD", "CCYYMM", "MMDDCCYY"]


class Format(NamedTuple):
    """A format of element 1251: a date, the digits of a time after it, and whether twice (a-b)."""

    date: DateForm
    time_digits: int = 0
    is_range: bool = False


# By the qualifier, element 1250. Values under others (UN) are not checked.
FORMATS: Final[Mapping[str, Format]] = {
    "D8": Format("CCYYMMDD"),
    "RD8": Format("CCYYMMDD", is_range=True),
    "D6": Format("YYMMDD"),
    "DT": Format("CCYYMMDD", 4),
    "RTS": Format("CCYYMMDD", 6),
    "RDT": Format("CCYYMMDD", 4, is_range=True),
    "TM": Format("", 4),
    "CM": Format("CCYYMM"),
    "DB": Format("MMDDCCYY"),
}


def format_fault(qualifier: str, value: str) -> ElementFaultKind | None:
    """Return why ``value`` is not of the form its qualifier names; None if it is."""
    form = FORMATS.get(qualifier)
    if form is None:
        return None
    moments = value.split("-") if form.is_range else [value]
    wrong = ElementFaultKind.INVALID_DATE if form.date else ElementFaultKind.INVALID_TIME
    if len(moments) != 1 + form.is_range:
        return wrong
    width = len(form.date)
    for moment in moments:
        if not _DIGITS.fullmatch(moment) or len(moment) != width + form.time_digits:
            return wrong
        if form.date and not _is_day(form.date, moment[:width]):
            return ElementFaultKind.INVALID_DATE
        if form.time_digits and not _TIME.fullmatch(moment[width:]):
            return ElementFaultKind.INVALID_TIME
    return None


def _is_day(form: DateForm, digits: str) -> bool:
    """Return whether digits are a day, or month, of the calendar, in the form ``form``."""
    if form == "CCYYMM":
        digits += "01"
    elif form == "MMDDCCYY":
        digits = digits[4:] + digits[:4]
    elif form == "YYMMDD":
        # The century changes no day: 1969 to 2068 has a leap year every four years.
        digits = f"20{digits}"
    try:
        date(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
    except ValueError:
        return False
    return True
