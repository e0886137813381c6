"""Read the members of a rule by name and type, reporting all faults at once.

Source: contract.md sections 1 and 2, fields-and-mapping.md section 5.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from decimal import Decimal
from difflib import get_close_matches
from typing import Final

from longshore.kit.errors import ErrorCode, ErrorDetail
from longshore.mapping.values import MAX_DIGITS, number_text

MAX_FAULTS: Final = 1_000
_MAX_ECHOED_CHARS: Final = 40
_UNKNOWN: Final = "this is not a member of a rule"


class RuleFaults:
    """The faults of a list of rules, in order.

    ``count`` counts all; ``details`` holds the first ``MAX_FAULTS``.
    """

    def __init__(self) -> None:
        self.count = 0
        self.details: list[ErrorDetail] = []

    def add(self, detail: ErrorDetail) -> None:
        """Add a fault."""
        self.count += 1
        if self.count <= MAX_FAULTS:
            self.details.append(detail)

    def report(
        self,
        param: str,
        message: str,
        code: ErrorCode = ErrorCode.INVALID_MAPPING_RULE,
        allowed: tuple[str, ...] | None = None,
    ) -> None:
        """Add a fault at ``param``."""
        self.add(ErrorDetail(code=code, param=param, message=message, allowed=allowed))


class Members:
    """The members of one JSON object. A member that is null counts as absent."""

    def __init__(self, given: Mapping[str, object], param: str, faults: RuleFaults) -> None:
        self.given = given
        self.param = param
        """The path of the object, such as ``field_map[2]``."""
        self.faults = faults

    def report(self, name: str, message: str, allowed: tuple[str, ...] | None = None) -> None:
        """Report a fault of a member."""
        self.faults.report(f"{self.param}.{name}", message, allowed=allowed)

    def refuse_unknown(self, known: Collection[str]) -> None:
        """Report every unknown member, with the nearest known name."""
        for name in self.given:
            if name in known:
                continue
            if self.faults.count >= MAX_FAULTS:
                self.report(echo(name), _UNKNOWN)
                return  # looking for the nearest name takes time
            nearest = get_close_matches(name[:_MAX_ECHOED_CHARS], known, 1)
            hint = f"; did you mean {nearest[0]}?" if nearest else ""
            self.report(echo(name), f"{_UNKNOWN}{hint}")

    def text(self, name: str, *, is_required: bool = False) -> str | None:
        """Return a text; None if it is absent or faulty."""
        value = self._value(name, is_required=is_required)
        if value is None or isinstance(value, str):
            return value
        self.report(name, "it must be a text")
        return None

    def word(self, name: str, allowed: tuple[str, ...], *, is_required: bool = False) -> str | None:
        """Return one of the words allowed; None if it is absent or faulty."""
        value = self._value(name, is_required=is_required)
        if value is None or (isinstance(value, str) and value in allowed):
            return value
        self.report(name, f"it must be one of: {', '.join(allowed)}", allowed)
        return None

    def integer(self, name: str, least: int, most: int, *, is_required: bool = False) -> int | None:
        """Return a whole number; None if it is absent or faulty."""
        value = self._value(name, is_required=is_required)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            self.report(name, f"it must be a whole number from {least} to {most}")
            return None
        return value

    def number(self, name: str, *, is_required: bool = False) -> str | None:
        """Return an exact number as text; None if it is absent or faulty."""
        value = self._value(name, is_required=is_required)
        if value is None:
            return None
        number = None if isinstance(value, bool) else number_text(scalar_text(value) or "")
        if number is None or len(number) > MAX_DIGITS:
            self.report(name, 'it must be a number, best as a text such as "0.45"')
            return None
        return number

    def scalar(self, name: str) -> str | None:
        """Return a text, number or truth value as text; None if it is absent or faulty."""
        value = self.given.get(name)
        text = scalar_text(value)
        if value is not None and text is None:
            self.report(name, "it must be a text")
        return text

    def inner(self, name: str, known: Collection[str]) -> Members | None:
        """Return the members of an object within; None if it is absent or faulty."""
        value = self.given.get(name)
        if value is None:
            return None
        if not isinstance(value, Mapping):
            self.report(name, f"it must be an object with {', '.join(known)}")
            return None
        members = Members(value, f"{self.param}.{name}", self.faults)
        members.refuse_unknown(known)
        return members

    def flag(self, name: str) -> bool:
        """Return a truth value; False if it is absent or faulty."""
        value = self.given.get(name)
        if value is not None and not isinstance(value, bool):
            self.report(name, "it must be true or false")
        return value is True

    def _value(self, name: str, *, is_required: bool) -> object:
        value = self.given.get(name)
        if value is None and is_required:
            self.report(name, "it is required")
        return value


def scalar_text(value: object) -> str | None:
    """Return a JSON scalar other than null as text; None for any other value.

    A binary floating point number gives None: its original text is lost.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        _, digits, exponent = value.as_tuple()
        is_short = isinstance(exponent, int) and len(digits) + abs(exponent) <= MAX_DIGITS
        return f"{value:f}" if is_short else None
    return str(value) if isinstance(value, (str, int)) else None


def echo(name: str) -> str:
    """Return the name of a member in a form that is safe in a message."""
    return name if len(name) <= _MAX_ECHOED_CHARS and name.isprintable() else "(a long name)"
