"""Element rules of guides: ``01R=ST|BT 02S 05R(01R=11 02R) 09R:1/30``.

``NN`` position, or ``NN-NN`` a range; then R, S or N; then, each if given, ``xN`` repetitions,
``:min/max`` lengths, ``=codes``, and the components of a composite in parentheses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final

from longshore.x12.dictionary.lines import FileLine
from longshore.x12.dictionary.model import ElementRule

_RULE = re.compile(
    r"(?P<requirement>[RSN])(?:x(?P<times>[0-9]{1,9}))?"
    r"(?::(?P<least>[0-9]{1,15})/(?P<most>[0-9]{1,15}))?"
    r'(?:=(?P<codes>(?:"[^"]*"|[^|"\s()]+)(?:\|(?:"[^"]*"|[^|"\s()]+))*))?'
)
_RULE_AT = re.compile(
    "([0-9]{2})(?:-([0-9]{2}))?(" + re.sub(r"\?P<[a-z]+>", "?:", _RULE.pattern) + ")"
)
_VALUE = re.compile(r'"([^"]*)"|([^|"]+)')
_MAX_RULES: Final = 4096  # entries of the cache


class _RuleError(ValueError):
    """A text of rules breaks the grammar; says why, without the place of its line."""


def read_rules(line: FileLine, text: str, layer: str) -> Mapping[int, ElementRule]:
    """Read the rules of one segment, which belong to a guide, ``layer``; by element position.

    Raises:
        DictionaryError: the text breaks the grammar, or names a position twice.
    """
    try:
        return _all_rules(text, layer)
    except _RuleError as fault:
        raise line.fault(str(fault)) from None


@lru_cache(maxsize=_MAX_RULES)
def _all_rules(text: str, layer: str) -> Mapping[int, ElementRule]:
    """Read rules; a guide has the same ones at many segments, which then share them.

    Raises:
        _RuleError: as ``read_rules``, without the place.
    """
    rules, end = _rules(text, 0, layer, is_inside=False)
    if end < len(text):
        raise _RuleError("a parenthesis too many")
    return rules


def _rules(
    text: str, start: int, layer: str, *, is_inside: bool
) -> tuple[dict[int, ElementRule], int]:
    rules: dict[int, ElementRule] = {}
    at = start
    while at < len(text) and text[at] != ")":
        if text[at] == " ":
            at += 1
            continue
        match = _RULE_AT.match(text, at)
        if match is None:
            raise _RuleError(f"no element rule such as 02R=1|2: {text[at : at + 12]}")
        rule, at = _rule(match[3], layer), match.end()
        if text[at : at + 1] == "(":
            if is_inside:
                raise _RuleError("a component has no components")
            components, at = _rules(text, at + 1, layer, is_inside=True)
            if text[at : at + 1] != ")":
                raise _RuleError("a parenthesis is not closed")
            rule, at = replace(rule, components=components), at + 1
        first, last = int(match[1]), int(match[2] or match[1])
        if first > last:
            raise _RuleError(f"{match[1]}-{match[2]} is no range")
        for position in range(first, last + 1):
            if position in rules:
                raise _RuleError(f"position {position:02d} is ruled twice")
            rules[position] = rule
    return rules, at


@lru_cache(maxsize=_MAX_RULES)
def _rule(text: str, layer: str) -> ElementRule:
    """Return a rule without components. Most rules of a guide are the same few."""
    match = _RULE.fullmatch(text)
    assert match is not None  # what _RULE_AT found
    codes = match["codes"]
    return ElementRule(
        requirement=match["requirement"],
        repeat=int(match["times"]) if match["times"] else None,
        minimum=int(match["least"]) if match["least"] else None,
        maximum=int(match["most"]) if match["most"] else None,
        codes=tuple(one or two for one, two in _VALUE.findall(codes)) if codes else None,
        layer=layer,
    )
