"""Fields that a rule may read or write, and how likely two of them have the same meaning.

A field is compared by the meaning of its name (``own`` concepts, and those ``around`` it), by the
lists it is in, and by the shape of its sample value.

Source: contract.md section 15.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from longshore.mapping.suggest_words import HEADS, PARTIES, is_specific, meaning_of, weighted

HEADING: Final = "heading"
MAX_PLACES: Final = 500  # of one document; what two of them cost is bounded by its square

_AROUND: Final = (
    0.6  # weight of the name of an object or loop around a value, relative to its own name
)
_LIST: Final = 0.3  # likewise, of the name of its list
_WRAPPING: Final = 0.12  # likewise, of the name of an object around all values
_WRONG_KIND: Final = 0.35
_RIGHT_KIND: Final = 0.05
_RIGHT_VALUE: Final = 0.25
_VALUE_ALONE: Final = 0.45  # what a pair with the same value has at least, before that is added
LEAST_SHARED_CHARS: Final = 4  # an equal value counts only if it is not as short as EA or 10

_ISO_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?![0-9])")
_PLAIN_DATE = re.compile(r"((?:19|20)[0-9]{2})([0-9]{2})([0-9]{2})")
_NUMBER = re.compile(r"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)")
_FLAGS: Final = frozenset(("true", "false"))
_FLAG_CODES: Final = frozenset(("y", "n", "1", "0"))

DATE: Final = "date"
NUMBER: Final = "number"
FLAG: Final = "flag"
TEXT: Final = "text"
_NUMBERS: Final = frozenset((NUMBER,))

Level = frozenset[str]
"""The names of one list; empty matches any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestPlace:
    """A field of a document."""

    path: str
    levels: tuple[Level, ...] | None
    """The names of each list around it, outermost first; None matches any lists."""
    weights: Mapping[str, float]
    """The weights of all concepts."""
    total: float
    """Their sum."""
    own: frozenset[str]
    """The concepts of the value itself, rather than of its context."""
    heads: frozenset[str]
    """The sorts of value that these name."""
    parties: frozenset[str]
    """The concepts that name a party."""
    meaning: str
    """The meaning in words, for people."""
    value: str
    distinct: str
    """The value in a form to compare with others, ``""`` if it is too common."""
    kinds: frozenset[str]
    """The kinds of value it may be; empty means any, because there is no sample."""
    group: str
    """The outermost loop or list, or ``heading``."""
    positions: tuple[tuple[str, str], ...] = ()
    """Path and condition of each position to which a code gives this meaning."""

    @property
    def readings(self) -> tuple[tuple[str, str], ...]:
        """Paths that read the value, each with the condition of its rule, ``""`` for none."""
        return self.positions or ((self.path, ""),)


class Likeness(NamedTuple):
    """The likelihood that two fields have the same meaning."""

    score: float
    """Above 1 where values agree as well."""
    is_named_alike: bool
    """Their names may mean the same."""
    has_same_value: bool
    shared_kind: str


def place(  # noqa: PLR0913 - what a place is made of
    path: str,
    levels: tuple[Level, ...] | None,
    *,
    own: Iterable[str],
    around: Iterable[str] = (),
    wrapping: Iterable[str] = (),
    meaning: str,
    value: str,
    kinds: frozenset[str],
    group: str,
) -> SuggestPlace:
    """Return a field that suggestions are made for.

    Args:
        path: The path that a rule reads or writes it by.
        levels: The lists around it, outermost first; None if a rule cannot repeat it.
        own: The words of its own name.
        around: The names of the objects or loops around it.
        wrapping: The names that are around every field of the document, and so say least.
        meaning: Its meaning in words, if it is known.
        value: The value in the document, ``""`` if there is none.
        kinds: The kinds of value that it may hold.
        group: The name of the group that it is listed under.
    """
    mine = weighted(own)
    weights = {
        **weighted((each for level in (levels or ())[-1:] for each in level), _LIST),
        **weighted(wrapping, _WRAPPING),
        **weighted(around, _AROUND),
        **mine,
    }
    distinct = (date_in(value) or value).casefold()
    return SuggestPlace(
        path=path,
        levels=levels,
        weights=weights,
        total=sum(weights.values()),
        own=frozenset(mine),
        heads=frozenset(HEADS[each] for each in mine if each in HEADS),
        parties=PARTIES.intersection(weights),
        meaning=meaning,
        value=value,
        distinct=distinct if len(distinct) >= LEAST_SHARED_CHARS else "",
        kinds=kinds,
        group=group,
    )


def level_of(text: str) -> Level:
    """Return what a list is called: lines, items and products are the same."""
    return frozenset(_LEVELS.get(concept, concept) for concept in meaning_of(text))


_LEVELS: Final = {
    "item": "line",
    "entry": "line",
    "row": "line",
    "good": "line",
    "partner": "party",
    "allowance": "charge",
    "surcharge": "charge",
    "fee": "charge",
}


def kinds_of(value: str) -> frozenset[str]:
    """Return what a sample value may be."""
    if not value:
        return frozenset()
    kinds = set()
    if date_in(value):
        kinds.add(DATE)
    if value.casefold() in _FLAGS:
        return frozenset((FLAG,))
    if value.casefold() in _FLAG_CODES:
        kinds.add(FLAG)
    if _NUMBER.fullmatch(value):
        kinds |= {NUMBER, TEXT}
    elif not kinds - {FLAG}:
        kinds.add(TEXT)
    return frozenset(kinds)


def date_in(value: str) -> str:
    """Return the day that a value begins with as digits, if it is written as a date; else ""."""
    match = _ISO_DATE.match(value) or _PLAIN_DATE.fullmatch(value)
    if match is None:
        return ""
    try:
        return date(*map(int, match.groups())).strftime("%Y%m%d")
    except ValueError:
        return ""


def is_iso_date(value: str) -> bool:
    """Return whether a value begins with a date as ISO 8601 writes it with hyphens."""
    return _ISO_DATE.match(value) is not None and date_in(value) != ""


def likeness(source: SuggestPlace, target: SuggestPlace) -> Likeness | None:
    """Return how likely two fields have the same meaning; None if they cannot.

    Lists must have the same depth and name; parties must be the same.
    """
    shared = source.weights.keys() & target.weights.keys()
    is_named_alike = bool(shared) and _are_named_alike(source, target, shared)
    has_same_value = source.distinct != "" and source.distinct == target.distinct
    if not (is_named_alike or has_same_value):
        return None
    if not _fit(source, target) or _are_other_parties(source, target):
        return None
    score = 0.0
    if is_named_alike:
        both = sum(source.weights[each] + target.weights[each] for each in shared)
        score = both / (source.total + target.total)
    agreement, shared_kind = _agreement(source.kinds, target.kinds)
    score += agreement
    if has_same_value:
        score = max(score, _VALUE_ALONE) + _RIGHT_VALUE
    return Likeness(score, is_named_alike, has_same_value, shared_kind)


def _are_named_alike(source: SuggestPlace, target: SuggestPlace, shared: AbstractSet[str]) -> bool:
    """Return whether names may mean the same.

    They share a concept that is of the value itself on one side at least, and a specific one (or
    all of them), and name no different sorts of value.
    """
    if shared.isdisjoint(source.own) and shared.isdisjoint(target.own):
        return False
    if source.heads and target.heads and not source.heads & target.heads:
        return False
    return any(map(is_specific, shared)) or source.weights.keys() == target.weights.keys()


def _fit(source: SuggestPlace, target: SuggestPlace) -> bool:
    """Return whether two fields are in lists of the same depth that may be the same ones."""
    if source.levels is None or target.levels is None:
        return True
    if len(source.levels) != len(target.levels):
        return False
    pairs = zip(source.levels, target.levels, strict=True)
    return all(not one or not other or one & other for one, other in pairs)


def _are_other_parties(source: SuggestPlace, target: SuggestPlace) -> bool:
    return bool(source.parties and target.parties and not source.parties & target.parties)


def _agreement(source: frozenset[str], target: frozenset[str]) -> tuple[float, str]:
    """Return a score for the shapes of two values, and the shape they share, if any."""
    if not source or not target:
        return 0.0, ""
    common = source & target
    if not common:
        return -_WRONG_KIND, ""
    if DATE in common:
        return _RIGHT_KIND, DATE
    return (_RIGHT_KIND, NUMBER) if _NUMBERS in {source, target} else (0.0, "")
