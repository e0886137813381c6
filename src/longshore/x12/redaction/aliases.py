"""Replacements for values: the same one for the same value and key, of the same length and form.

A letter becomes a letter of the same case, a digit a digit, and everything else stays. Days move by
one number of weeks, so that weekdays and intervals stay. Nobody can compute the value from its
replacement without trying values with the key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from functools import lru_cache
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Final, Protocol

from longshore.kit.digests import keyed_sha256
from longshore.x12.elements.check_digits import IDENTIFIERS

MIN_KEY_BYTES: Final = 16
_MIN_WEEKS: Final = 52
_MAX_WEEKS: Final = 520
_CHOICES: Final = 16
"""Replacements that are tried for one that has the same fault as the value."""
_FORMS: Final = tuple(
    {each.name: each for kinds in IDENTIFIERS.values() for each in kinds.values()}.values()
)
_SHIPPING_PREFIX: Final = re.compile("00(?=[0-9]{18}$)")
"""This may stand before a shipping container number; without it its digit is not checked."""
_CENTURIES: Final = {"CCYYMMDD": "", "YYMMDD": "20", "CCYYMM": ""}
"""These digits come before those of a form, to make a year of four digits."""


class Codes(Protocol):
    """The values that a code may have."""

    def __contains__(self, value: str, /) -> bool:
        """Return whether a value is one of them."""


class Aliases:
    """Replaces values with one key.

    Args:
        key: Decides the replacements; at least ``MIN_KEY_BYTES``.
        excluded: Capitals that no replacement has.
    """

    def __init__(self, key: bytes, excluded: str = "") -> None:
        self._key = key
        self._alphabets = {
            character: "".join(each for each in alphabet if each not in excluded)
            for alphabet in (ascii_uppercase, ascii_lowercase, digits)
            for character in alphabet
        }
        number = int.from_bytes(keyed_sha256(key, b"days"), "big")
        self._shift = timedelta(weeks=_MIN_WEEKS + number % (_MAX_WEEKS - _MIN_WEEKS))
        self.of = lru_cache(maxsize=65_536)(self._of)

    def _of(self, value: str) -> str:
        """Return the replacement of a value; spaces at its end do not matter.

        If the value has the form of an identifier with a check digit, the replacement's digit is
        right or wrong as the value's is.
        """
        alias = self._drawn(value, 0)
        forms = [each for each in _FORMS if each.form.fullmatch(value)]
        if not forms:
            return alias
        if _SHIPPING_PREFIX.match(value):
            alias = value[:2] + alias[2:]
        states = [each.is_wrong(value) for each in forms]
        endings = (alias[:-1] + last for last in alias[-1] + digits)
        return next(each for each in endings if [form.is_wrong(each) for form in forms] == states)

    def outside(self, value: str, codes: Codes) -> str:
        """Return a replacement that is none of the codes, as the value is none."""
        tries = (self._drawn(value, salt) for salt in range(_CHOICES))
        return next((alias for alias in tries if alias not in codes), value)

    def _drawn(self, value: str, salt: int) -> str:
        stream = self._stream(value.rstrip(" "), salt)
        return "".join(self._like(each, next(stream)) for each in value)

    def _stream(self, value: str, salt: int) -> Iterator[int]:
        text = value.encode("utf-8", "surrogatepass")
        block = 0
        while True:
            yield from keyed_sha256(self._key, b"value %d %d " % (salt, block) + text)
            block += 1

    def _like(self, character: str, number: int) -> str:
        alphabet = self._alphabets.get(character)
        if alphabet:
            return alphabet[number % len(alphabet)]
        return (
            character if character.isascii() or not character.isalpha() else _same_octets(character)
        )

    def day(self, digits_of_day: str, form: str) -> str:
        """Return a day moved back; a day that no calendar has stays one.

        Args:
            digits_of_day: The digits.
            form: ``CCYYMMDD``, ``YYMMDD``, ``CCYYMM`` or ``MMDDCCYY``.
        """
        if form == "MMDDCCYY":
            moved = self.day(digits_of_day[4:] + digits_of_day[:4], "CCYYMMDD")
            return moved[4:] + moved[:4]
        century = _CENTURIES[form]
        padded = century + digits_of_day + ("01" if form == "CCYYMM" else "")
        year, rest = int(padded[:4]), padded[4:]
        try:
            moved = (date(year, int(rest[:2]), int(rest[2:])) - self._shift).isoformat()
        except (ValueError, OverflowError):
            # The calendar of a year without its century repeats after 4 years, else after 400.
            moved = f"{max(year - (4 if century else 400), 0):04}-{rest[:2]}-{rest[2:]}"
        return moved.replace("-", "")[len(century) :][: len(digits_of_day)]


def _same_octets(character: str) -> str:
    """Return a character that needs as many octets in UTF-8, and in ISO-8859-1 if that has it."""
    if character <= "\xff":
        return "\xc9" if character.isupper() else "\xe9"
    if character <= "\u07ff":
        return "\u0451"
    return "\u4e2d" if character <= "\uffff" else "\U00020000"


def like_octets(character: str) -> str:
    """Return a character that needs as many octets, whatever the character is."""
    return "X" if character.isascii() else _same_octets(character)
