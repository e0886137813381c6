"""Write a definition as ``.xd`` text, which reads back as an equal definition.

The text is of one release: a set or a guide without tags. Segments are not part of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from longshore.x12.dictionary.model import Definition, ElementRule, Loop, Node, ValueCondition

_BARE: Final = re.compile(r'[^|"\s()#@;:]+')


def render(definition: Definition) -> str:
    """Return the text of a set, or of a guide without the standard it narrows.

    ``definition`` has no partner overlay on it: an overlay has its own text.
    """
    where = f"{definition.tx_set}@{definition.release}"
    if definition.guide is not None:
        head = f'guide {definition.guide} on {where} "{definition.title}"'
    else:
        words = ("set", definition.tx_set, definition.functional_id, definition.release)
        head = f'{" ".join(words)} "{definition.title}"'
    return "".join(f"{line}\n" for line in (head, *_body(definition.body, 1)))


def _body(body: tuple[Node, ...], depth: int) -> Iterator[str]:
    indent = "  " * depth
    for node in body:
        if isinstance(node, Loop):
            options = _options(node, node.trigger.segment.id)
            yield f"{indent}loop {node.id} {options}"
            yield from _body(node.body, depth + 1)
        else:
            options = _options(node, node.segment.id)
            rules = f" : {_rules(node.rules)}" if node.is_closed else ""
            yield f"{indent}{node.segment.id} {options}{rules}"


def _options(node: Node, tag: str) -> str:
    label = f" as {node.label}" if node.label else ""
    when = f" when {tag}.{_condition(node.when)}" if node.when is not None else ""
    return f"{node.requirement}{node.maximum or '*'}{label}{when}"


def _condition(when: ValueCondition) -> str:
    component = "" if when.component is None else f".{when.component:02d}"
    return f"{when.position:02d}{component}={_values(when.values)}"


def _values(values: tuple[str, ...]) -> str:
    return "|".join(value if _BARE.fullmatch(value) else f'"{value}"' for value in values)


def _rules(rules: Mapping[int, ElementRule]) -> str:
    return " ".join(_rule(position, rule) for position, rule in sorted(rules.items()))


def _rule(position: int, rule: ElementRule) -> str:
    times = f"x{rule.repeat}" if rule.repeat is not None else ""
    lengths = f":{rule.minimum}/{rule.maximum}" if rule.minimum is not None else ""
    codes = f"={_values(rule.codes)}" if rule.codes is not None else ""
    components = f"({_rules(rule.components)})" if rule.components else ""
    return f"{position:02d}{rule.requirement}{times}{lengths}{codes}{components}"
