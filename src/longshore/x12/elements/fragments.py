"""Regular expressions of single values, which match the values that ``value_faults`` accepts.

Numbers with an exponent are left out on purpose: partners hardly ever send them, and the exact
check accepts them. Apart from that the expressions are neither wider nor narrower than the check.

Source: x12.md section 1.6; performance.md section 1, item 3.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import groupby
from typing import Final

from longshore.x12.dictionary.model import CodeBlock, is_in_block
from longshore.x12.elements.faults import SetContext
from longshore.x12.elements.values import (
    FORMATS,
    LATER_CHARACTERS_SINCE,
    Demand,
    Format,
    ValueRef,
    characters,
    value_faults,
)

NEVER: Final = "(?!)"  # matches nothing

_YEAR: Final = "(?!0000)[0-9]{4}"
# The leap years among them; 0000 has 29 February in this pattern, so that of _YEAR is tested first.
_LEAP_YEAR: Final = (
    "(?!0000)(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"
)
# Every month has 28 days; what follows are the days that only some have.
_MONTH: Final = "(?:0[1-9]|1[0-2])"
_DAY: Final = (
    "(?:(?:0[1-9]|1[0-2])(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])(?:29|30)|(?:0[13578]|1[02])31)"
)
_SHORT_LEAP_YEAR: Final = "(?:[02468][048]|[13579][26])"
_DATES: Final = {
    "": "",
    "CCYYMMDD": f"(?:{_YEAR}{_DAY}|{_LEAP_YEAR}0229)",
    "YYMMDD": f"(?:[0-9]{{2}}{_DAY}|{_SHORT_LEAP_YEAR}0229)",
    "CCYYMM": f"{_YEAR}{_MONTH}",
    "MMDDCCYY": f"(?:{_DAY}{_YEAR}|0229{_LEAP_YEAR})",
}
_HOUR_MINUTE: Final = "(?:[01][0-9]|2[0-3])[0-5][0-9]"
_SECOND: Final = "[0-5][0-9]"
_TIMES: Final = {
    0: "",  # a form without a time
    4: _HOUR_MINUTE,
    6: _HOUR_MINUTE + _SECOND,
    7: f"{_HOUR_MINUTE}{_SECOND}[0-9]",
    8: f"{_HOUR_MINUTE}{_SECOND}[0-9]{{2}}",
}
_BY_LENGTH: Final[Mapping[str, Mapping[int, str]]] = {
    "D": {6: _DATES["YYMMDD"], 8: _DATES["CCYYMMDD"]},
    "T": _TIMES,
}


def character_class(context: SetContext, forbidden: str, also_without: str = "") -> str:
    """Return the class of the characters that data may contain."""
    if context.charset is None:
        return f"[^{re.escape(forbidden + also_without)}]"
    is_later = context.release >= LATER_CHARACTERS_SINCE
    allowed = characters(context.charset, context.delimiters, is_later=is_later)
    left = "".join(each for each in allowed if each not in forbidden + also_without)
    return f"[{re.escape(left)}]"


@lru_cache(maxsize=1024)
def trie(blocks: frozenset[CodeBlock]) -> str:
    """Return a pattern of exactly the codes of some blocks that decides character by character."""
    rests: dict[str, set[CodeBlock]] = {}
    is_end = False
    for block in blocks:
        is_end = is_end or not block
        for first in block[:1]:
            for character in first:
                rests.setdefault(character, set()).add(block[1:])
    alike: dict[frozenset[CodeBlock], str] = {}  # first characters that the same may follow
    for character, found in sorted(rests.items()):
        rest = frozenset(found)
        alike[rest] = alike.get(rest, "") + character
    branches = [_one_of(characters) + trie(rest) for rest, characters in alike.items()]
    if not branches:
        return "" if is_end else NEVER
    if is_end:
        return f"(?:{'|'.join(branches)}|)"
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})"


def _one_of(characters: str) -> str:
    """Return the pattern of one of some characters, which are sorted."""
    if len(characters) == 1:
        return re.escape(characters)
    # A short pattern compiles in less time: consecutive characters are written as a range.
    runs = groupby(enumerate(characters), lambda each: ord(each[1]) - each[0])
    texts = ("".join(character for _, character in run) for _, run in runs)
    return f"[{''.join(map(_range, texts))}]"


def _range(run: str) -> str:
    first, last = re.escape(run[0]), re.escape(run[-1])
    return re.escape(run) if len(run) <= len("A-Z") else f"{first}-{last}"


def value_source(demand: Demand, forbidden: str, context: SetContext) -> str:
    """Return the pattern of the values that are valid for an element of any type but B.

    Args:
        demand: The element and its rule.
        forbidden: The separators that would end the value.
        context: The separators, the release and the character set.
    """
    codes = _codes(demand, forbidden, context)
    if codes is not None:
        return trie(frozenset(codes))
    minimum, maximum = _bounds(demand)
    if minimum > maximum:
        return NEVER
    match demand.type.kind[0]:
        case "N":
            return f"-?+[0-9]{{{minimum},{maximum}}}+"
        case "R":
            return _decimal(minimum, maximum)
        case "D" | "T" as moment:
            return _either(_BY_LENGTH[moment], minimum, maximum)
        case _:
            return _text(demand.type.kind, (minimum, maximum), forbidden, context)


def _codes(demand: Demand, forbidden: str, context: SetContext) -> list[CodeBlock] | None:
    """Return the codes that lists and rules leave; None if nothing restricts them."""
    codes, chosen = demand.type.codes, demand.rule.codes
    blocks: list[CodeBlock] = []
    if chosen is not None:
        listed = [*chosen, *demand.also]
    elif codes is not None and codes.is_strict:
        listed = [*codes.meanings, *demand.also]
        minimum, maximum = _bounds(demand)
        blocks += [block for block in codes.blocks if minimum <= len(block) <= maximum]
    else:
        return None
    nowhere = ValueRef(1, None, None, "")
    without = str.maketrans("", "", forbidden)
    return [tuple(each.translate(without) for each in block) for block in blocks] + [
        tuple(code)
        for code in listed
        if code
        and not any(is_in_block(code, block) for block in blocks)
        and not any(mark in code for mark in forbidden)
        and not any(value_faults(code, demand, nowhere, context))
    ]


def _bounds(demand: Demand) -> tuple[int, int]:
    """Return the minimum and the maximum length that both the standard and the rule accept."""
    element, rule = demand.type, demand.rule
    return max(element.minimum, rule.minimum or 0), min(
        element.maximum, rule.maximum or element.maximum
    )


def _decimal(minimum: int, maximum: int) -> str:
    """Return the pattern of decimal numbers of so many digits, with or without a point."""
    whole = f"[0-9]{{{minimum},{maximum}}}+(?!\\.)"
    # One point among them: as many characters as digits, and one.
    pointed = f"(?=[0-9.]{{{minimum + 1},{maximum + 1}}}+(?![0-9.]))[0-9]*+\\.[0-9]++"
    return f"-?+(?:{whole}|{pointed})"


def _either(by_length: Mapping[int, str], minimum: int, maximum: int) -> str:
    """Return the pattern of whichever of the lengths is within the limits, the longest first."""
    fitting = [
        by_length[size] for size in sorted(by_length, reverse=True) if minimum <= size <= maximum
    ]
    if not fitting:
        return NEVER
    return fitting[0] if len(fitting) == 1 else f"(?:{'|'.join(fitting)})"


def _text(kind: str, bounds: tuple[int, int], forbidden: str, context: SetContext) -> str:
    minimum, maximum = bounds
    some = character_class(context, forbidden)
    if kind != "AN":
        return f"{some}{{{minimum},{maximum}}}+"
    solid = character_class(context, forbidden, also_without=" ")
    rest = f"{some}{{{minimum - 1},{maximum - 1}}}+"
    return f"(?:{solid}{rest}|(?= ++{solid}) {rest})"


def formatted_source(demand: Demand, before: str, separator: str, plain: str) -> str:
    """Return the pattern of element 1251, whose format the part before it names.

    Args:
        demand: The element and its rule.
        before: The separators that may precede the part before it.
        separator: The separator between that part and the element.
        plain: The pattern of values without a format.
    """
    minimum, maximum = _bounds(demand)
    head, tail = f"[{re.escape(before)}]", re.escape(separator)
    fitting = {name: each for name, each in FORMATS.items() if minimum <= _chars(each) <= maximum}
    # Most forms begin with the same date, which is written and tested once.
    days = [
        f"(?<={head}{name}{tail}[0-9]{{8}}){_after_date(form)}"
        for name, form in fitting.items()
        if form.date == "CCYYMMDD"
    ]
    rest = [
        f"(?<={head}{name}{tail}){_DATES[form.date]}{_TIMES[form.time_digits]}"
        for name, form in fitting.items()
        if form.date != "CCYYMMDD"
    ]
    others = "".join(
        f"(?<!{head}(?:{'|'.join(each for each in FORMATS if len(each) == size)}){tail})"
        for size in sorted({len(each) for each in FORMATS})
    )
    alike = [f"{_DATES['CCYYMMDD']}(?:{'|'.join(days)})"] if days else []
    return f"(?:{'|'.join((*alike, *rest, others + plain))})"


def _chars(form: Format) -> int:
    chars = len(form.date) + form.time_digits
    return 2 * chars + 1 if form.is_range else chars


def _after_date(form: Format) -> str:
    """Return the pattern of what follows the first date."""
    time = _TIMES[form.time_digits]
    return f"{time}-{_DATES[form.date]}{time}" if form.is_range else time
