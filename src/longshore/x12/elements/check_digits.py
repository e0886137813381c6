"""Check digits of identifiers whose qualifier says what they are, such as NPI, GLN and UPC.

An element is checked if the element before it is a qualifier with a certain meaning, and if its
value has the form of that identifier. A value of another form is left alone: nobody can say whether
its last digit was meant as a check digit.

Sources: GS1 General Specifications, section 7.9 (article, location and shipping numbers); 45 CFR
162.406 (NPI: the Luhn formula, with the prefix 80840); American Bankers Association, Key to Routing
Numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Final, NamedTuple

from longshore.x12.dictionary.model import Definition, SegmentType, SegmentUse

_VALUES: Final = bytes((each - ord("0")) % 256 for each in range(256))
"""The values of digits, by their character."""
_DOUBLED: Final = bytes((0, 2, 4, 6, 8, 1, 3, 5, 7, 9)) + bytes(246)
"""The cross sum of twice a digit, by its value."""
_LUHN_OF_80840: Final = 24
"""The part of the sum of an NPI that its prefix adds."""
_NOT_USED: Final = "N"

MIN_DIGITS: Final = 9
"""The length of the shortest identifier."""


class Identifier(NamedTuple):
    """A kind of identifier with a check digit."""

    name: str
    form: re.Pattern[str]
    """The form that a value must have to be checked."""
    is_right: Callable[[bytes], bool]
    """Returns whether the check digit, the last one, is right; the argument has the digits."""

    def is_wrong(self, value: str) -> bool:
        """Return whether a value has the form of the identifier, but another check digit."""
        if not self.form.fullmatch(value):
            return False
        return not self.is_right(value.encode().translate(_VALUES))


class DigitPlace(NamedTuple):
    """A position of a segment where a qualifier may name an identifier."""

    position: int
    """The position of the qualifier, from 1; the identifier is the next element."""
    identifiers: Mapping[str, Identifier]
    """By code of the qualifier."""
    reference: str
    """The number of the identifier's element."""


class WrongDigit(NamedTuple):
    """An identifier whose check digit is wrong."""

    name: str
    position: int
    """The position of its element, from 1."""
    reference: str
    """The number of its element."""


def _is_article_right(digits: bytes) -> bool:
    return (sum(digits[-1::-2]) + 3 * sum(digits[-2::-2])) % 10 == 0


def _is_npi_right(digits: bytes) -> bool:
    others = digits[-2::-2].translate(_DOUBLED)
    return (sum(digits[-1::-2]) + sum(others) + _LUHN_OF_80840) % 10 == 0


def _is_routing_right(digits: bytes) -> bool:
    return (3 * sum(digits[::3]) + 7 * sum(digits[1::3]) + sum(digits[2::3])) % 10 == 0


def _digits(count: int) -> re.Pattern[str]:
    return re.compile(f"[0-9]{{{count}}}")


_NPI: Final = Identifier("NPI", _digits(10), _is_npi_right)
_GTIN_14: Final = Identifier("GTIN-14", _digits(14), _is_article_right)

IDENTIFIERS: Final[Mapping[tuple[str, str], Mapping[str, Identifier]]] = {
    ("66", "67"): {
        "UL": Identifier("GLN", _digits(13), _is_article_right),
        "XX": _NPI,
    },
    ("88", "87"): {
        # Some write the application identifier 00 before it.
        "GM": Identifier("SSCC", re.compile("(?:00)?[0-9]{18}"), _is_article_right),
        "UC": _GTIN_14,
    },
    ("128", "127"): {"HPI": _NPI},
    ("235", "234"): {
        "EN": Identifier("EAN", _digits(13), _is_article_right),
        "UK": _GTIN_14,
        "UP": Identifier("UPC", _digits(12), _is_article_right),
    },
    ("506", "507"): {"01": Identifier("ABA routing number", _digits(9), _is_routing_right)},
}
"""By the numbers of the qualifier and the element after it: the identifiers, by qualifier."""


def digit_places(definition: Definition) -> dict[str, tuple[DigitPlace, ...]]:
    """Return by segment id where the sets of a definition may have identifiers with check digits.

    Qualifiers that a guide or an overlay excludes at each position of a segment are left out.
    """
    possible: dict[str, tuple[DigitPlace, ...]] = {}
    allowed: dict[str, dict[int, set[str]]] = {}
    for _, use in definition.positions():
        tag = use.segment.id
        if tag not in possible:
            possible[tag] = tuple(_places(use.segment))
        for position, identifiers, _ in possible[tag]:
            codes = {code for code in identifiers if _is_allowed(use, position, code)}
            allowed.setdefault(tag, {}).setdefault(position, set()).update(codes)
    found = {}
    for tag, codes_at in allowed.items():
        places = (_limited(place, codes_at[place.position]) for place in possible[tag])
        if kept := tuple(place for place in places if place.identifiers):
            found[tag] = kept
    return found


def _places(segment: SegmentType) -> Iterator[DigitPlace]:
    for position, (qualifier, element) in enumerate(pairwise(segment.uses), 1):
        identifiers = IDENTIFIERS.get((qualifier.reference, element.reference))
        if identifiers is not None:
            yield DigitPlace(position, identifiers, element.reference)


def _limited(place: DigitPlace, codes: set[str]) -> DigitPlace:
    """Return a place with only some of its qualifiers."""
    kept = {code: each for code, each in place.identifiers.items() if code in codes}
    return place._replace(identifiers=kept)


def _is_allowed(use: SegmentUse, position: int, code: str) -> bool:
    """Return whether a use allows a code at a position."""
    rule, when = use.rules.get(position), use.when
    if when is not None and when.position == position and code not in when.values:
        return False
    if rule is None:
        return not use.is_closed
    return rule.requirement != _NOT_USED and (rule.codes is None or code in rule.codes)


def wrong_digits(row: list[str], places: tuple[DigitPlace, ...]) -> Iterator[WrongDigit]:
    """Yield the identifiers of a segment whose check digit is wrong, in order."""
    for position, identifiers, reference in places:
        if len(row) <= position + 1:
            return
        identifier = identifiers.get(row[position])
        if identifier is not None and identifier.is_wrong(row[position + 1]):
            yield WrongDigit(identifier.name, position + 1, reference)
