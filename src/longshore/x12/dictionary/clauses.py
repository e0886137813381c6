"""Read the clauses of an overlay's edit: ``drop``, ``M500``, ``len 1/20``, ``codes A B``.

``extend`` before a clause allows it to be wider than what it changes; inside ``codes`` it adds the
codes after it. ``codes`` and ``split`` take the rest of their line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum, unique
from typing import Final

from longshore.x12.dictionary.bodies import (
    Occurrence,
    read_label,
    read_occurrence,
    read_reference,
    split_values,
)
from longshore.x12.dictionary.lines import FileLine, unquoted
from longshore.x12.dictionary.narrowing import ElementEdit

_LENGTHS: Final = re.compile("([0-9]{1,15})/([0-9]{1,15})")
_OCCURRENCE: Final = re.compile(r"([MO])([1-9][0-9]{0,8}|\*)?")
_POSITION: Final = re.compile("[0-9]{2}")
_VARIANT_WORDS: Final = 4  # DP as department M1
_REQUIREMENTS: Final = {"M": "R", "O": "S"}
_EXTEND: Final = "extend"


@unique
class ClauseKind(StrEnum):
    """The property that a clause changes."""

    DROP = "drop"
    OCCURRENCE = "an occurrence"
    LEN = "len"
    CODES = "codes"
    SPLIT = "split"


@dataclass(frozen=True, slots=True)
class Variant:
    """One of the positions a split makes, chosen if the deciding element has one of ``values``."""

    values: tuple[str, ...]
    label: str
    occurrence: Occurrence


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One change."""

    kind: ClauseKind
    is_extend: bool = False
    element: ElementEdit | None = None
    """The change of an element; None if the clause cannot be about one."""
    requirement: str = ""
    maximum: int | None = None
    """None leaves it as it is, 0 is no limit. ``decider`` of a split: the segment named, if one is;
    the element; the component."""
    decider: tuple[str, int, int | None] | None = None
    variants: tuple[Variant, ...] = ()


def read_clauses(line: FileLine, words: list[str]) -> Iterator[Clause]:
    """Yield the clauses after a path; takes them from ``words``.

    Raises (while iterating):
        DictionaryError: There is no clause, or a word that is none.
    """
    if not words:
        raise line.fault("an edit needs a change behind its path, such as drop, M1 or codes A B")
    while words:
        is_extend = words[0] == _EXTEND
        del words[: int(is_extend)]
        yield replace(_clause(line, words), is_extend=is_extend)


def _clause(line: FileLine, words: list[str]) -> Clause:
    word = words.pop(0) if words else ""
    if word == ClauseKind.DROP:
        return Clause(kind=ClauseKind.DROP, element=ElementEdit(requirement="N"))
    if word == ClauseKind.LEN:
        return Clause(kind=ClauseKind.LEN, element=ElementEdit(lengths=_lengths(line, words)))
    if word == ClauseKind.CODES:
        return Clause(kind=ClauseKind.CODES, element=_codes(line, words))
    if word == ClauseKind.SPLIT:
        return _split(line, words)
    match = _OCCURRENCE.fullmatch(word)
    if match is None:
        raise line.fault(f"{word or 'the end of the line'} is not expected here")
    maximum = read_occurrence(line, word, "MO").maximum if match[2] else None
    edit = ElementEdit(requirement=_REQUIREMENTS[match[1]], repeat=maximum)
    return Clause(kind=ClauseKind.OCCURRENCE, element=edit, requirement=match[1], maximum=maximum)


def _lengths(line: FileLine, words: list[str]) -> tuple[int, int]:
    match = _LENGTHS.fullmatch(words.pop(0)) if words else None
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise line.fault("len needs a minimum and a maximum such as 1/20")
    return int(match[1]), int(match[2])


def _codes(line: FileLine, words: list[str]) -> ElementEdit:
    cut = words.index(_EXTEND) if _EXTEND in words else len(words)
    codes, more = (tuple(map(unquoted, part)) for part in (words[:cut], words[cut + 1 :]))
    if not codes + more:
        raise line.fault("codes needs at least one code")
    words.clear()
    return ElementEdit(codes=codes, more_codes=more)


def _split(line: FileLine, words: list[str]) -> Clause:
    first = words.pop(0) if words else ""
    decider = ("", int(first), None) if _POSITION.fullmatch(first) else read_reference(first)
    if decider is None:
        raise line.fault("split needs the element that decides, such as 01 or N1.01")
    groups: list[list[str]] = [[]]
    for word in words:
        if word == "|":
            groups.append([])
        else:
            groups[-1].append(word)
    words.clear()
    variants = tuple(_variant(line, group) for group in groups)
    values = [value for variant in variants for value in variant.values]
    if len(set(values)) < len(values):
        raise line.fault("a value stands in two variants")
    return Clause(kind=ClauseKind.SPLIT, decider=decider, variants=variants)


def _variant(line: FileLine, words: list[str]) -> Variant:
    if len(words) != _VARIANT_WORDS or words[1] != "as":
        raise line.fault("a variant is: VALUE as label M1")
    values = tuple(map(unquoted, split_values(words[0])))
    occurrence = read_occurrence(line, words[3], "MO")
    return Variant(values, read_label(line, words[2]), occurrence)
