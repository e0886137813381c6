"""Transform one value: the five transforms, lookup, and types, with exact decimals.

Source: fields-and-mapping.md sections 5 and 6.1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import StrEnum, unique
from types import MappingProxyType
from typing import Final

from longshore.mapping.dates import iso_of
from longshore.mapping.writes import JsonLiteral

# Called with the code of a warning; the runner of the rule adds its position.
Note = Callable[[str], None]
# Returns what a value becomes; None: it is missing from here on. May raise ValueFaultError.
Stage = Callable[[str], str | None]
StageMaker = Callable[[Note], Stage]

DATE_ISO: Final = "date_iso"
MAX_VALUE_CHARS: Final = 1_048_576
MAX_DIGITS: Final = 1_000

_NUMBER = re.compile(r"([+-]?)0*+([0-9]*)(\.[0-9]*)?")
_TRUE: Final = frozenset(("true", "1", "y", "yes"))
_FALSE: Final = frozenset(("false", "0", "n", "no"))


class ValueFaultError(Exception):
    """A value does not do what a rule demands; ``code`` as in fields-and-mapping.md section 5."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class ValueTooLongError(Exception):
    """A rule makes a value longer than ``MAX_VALUE_CHARS``."""


def _date_iso(note: Note) -> Stage:
    def stage(value: str) -> str:
        trimmed = value.strip()
        found = iso_of(trimmed)
        if found is None:
            note(DATE_ISO)
        return found or trimmed

    return stage


TRANSFORMS: Final[Mapping[str, StageMaker | None]] = MappingProxyType({
    "none": None,
    "uppercase": lambda _note: str.upper,
    "lowercase": lambda _note: str.lower,
    "trim": lambda _note: str.strip,
    DATE_ISO: _date_iso,
})
"""The five transforms; None changes nothing."""


@unique
class OnMiss(StrEnum):
    """The behaviour for a value that is not in a lookup table and has no default there."""

    KEEP = "keep"
    OMIT = "omit"
    ERROR = "error"


def lookup(table: Mapping[str, str], default: str | None, on_miss: OnMiss) -> StageMaker:
    """Return the stage that replaces a value by what the table has for it."""

    def stage(value: str) -> str | None:
        found = table.get(value, default)
        if found is None and on_miss is OnMiss.ERROR:
            raise ValueFaultError("lookup_miss", "the value is not in the lookup table")
        return value if found is None and on_miss is OnMiss.KEEP else found

    return lambda _note: stage


def number_text(text: str) -> str | None:
    """Return a number as JSON writes it, without exponent, with its decimals; None if it is none.

    ``.5`` is ``0.5``, ``000123`` is ``123``, ``9.250`` stays.
    """
    match = _NUMBER.fullmatch(text)
    if match is None or text.strip("+-") in {"", "."}:
        return None
    whole, decimals = match[2] or "0", match[3] if match[3] not in {None, "."} else ""
    is_zero = not whole.strip("0") and not decimals.strip(".0")
    return f"{'-' if match[1] == '-' and not is_zero else ''}{whole}{decimals}"


def _number(text: str) -> str:
    number = number_text(text)
    if number is None:
        raise ValueFaultError("type_mismatch", "the value is not a number")
    return JsonLiteral(number)


def _integer(text: str) -> str:
    number = number_text(text)
    whole, _, decimals = (number or "").partition(".")
    if not whole or decimals.strip("0"):
        raise ValueFaultError("type_mismatch", "the value is not a whole number")
    return JsonLiteral("0" if whole == "-0" else whole)


def _boolean(text: str) -> str:
    word = text.lower()
    if word not in _TRUE and word not in _FALSE:
        message = "the value is none of true, 1, y, yes, false, 0, n, no"
        raise ValueFaultError("type_mismatch", message)
    return JsonLiteral("true" if word in _TRUE else "false")


TYPES: Final[Mapping[str, Callable[[str], str] | None]] = MappingProxyType({
    "string": str,
    "number": _number,
    "integer": _integer,
    "boolean": _boolean,
    "raw": None,
})
"""The conversion to each type; None leaves the value unchanged."""
