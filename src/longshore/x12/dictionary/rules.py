"""Element rules of guides: ``01R=ST|BT 02S 05R(01R=11 02R) 09R:1/30``.

``NN`` position, or ``NN-NN`` a range; then R, S or N; then, each if given, ``xN`` repetitions,
``:min/max`` lengths, ``=codes``, and the components of a composite in parentheses.
"""

from __future__ import annotations

import re

from longshore.x12.dictionary.lines import FileLine
from longshore.x12.dictionary.model import ElementRule

_RULE = re.compile(
    r"(?P<first>[0-9]{2})(?:-(?P<last>[0-9]{2}))?(?P<requirement>[RSN])(?:x(?P<times>[0-9]{1,9}))?"
    r"(?::(?P<least>[0-9]{1,15})/(?P<most>[0-9]{1,15}))?"
    r'(?:=(?P<codes>(?:"[^"]*"|[^|"\s()]+)(?:\|(?:"[^"]*"|[^|"\s()]+))*))?'
)
_VALUE = re.compile(r'"([^"]*)"|([^|"]+)')


def read_rules(line: FileLine, text: str, layer: str) -> dict[int, ElementRule]:
    """Read the rules of one segment, which belong to a guide, ``layer``; by element position.

    Raises:
        DictionaryError: the text breaks the grammar, or names a position twice.
    """
    rules, end = _rules(line, text, 0, layer, is_inside=False)
    if end < len(text):
        raise line.fault("a parenthesis too many")
    return rules


def _rules(
    line: FileLine, text: str, start: int, layer: str, *, is_inside: bool
) -> tuple[dict[int, ElementRule], int]:
    rules: dict[int, ElementRule] = {}
    at = start
    while at < len(text) and text[at] != ")":
        if text[at] == " ":
            at += 1
            continue
        match = _RULE.match(text, at)
        if match is None:
            raise line.fault(f"no element rule such as 02R=1|2: {text[at : at + 12]}")
        at = match.end()
        components: dict[int, ElementRule] = {}
        if text[at : at + 1] == "(":
            if is_inside:
                raise line.fault("a component has no components")
            components, at = _rules(line, text, at + 1, layer, is_inside=True)
            if text[at : at + 1] != ")":
                raise line.fault("a parenthesis is not closed")
            at += 1
        rule = _rule(match, components, layer)
        first, last = int(match["first"]), int(match["last"] or match["first"])
        if first > last:
            raise line.fault(f"{match['first']}-{match['last']} is no range")
        for position in range(first, last + 1):
            if position in rules:
                raise line.fault(f"position {position:02d} is ruled twice")
            rules[position] = rule
    return rules, at


def _rule(match: re.Match[str], components: dict[int, ElementRule], layer: str) -> ElementRule:
    codes = match["codes"]
    return ElementRule(
        requirement=match["requirement"],
        repeat=int(match["times"]) if match["times"] else None,
        minimum=int(match["least"]) if match["least"] else None,
        maximum=int(match["most"]) if match["most"] else None,
        codes=tuple(one or two for one, two in _VALUE.findall(codes)) if codes else None,
        components=components,
        layer=layer,
    )
