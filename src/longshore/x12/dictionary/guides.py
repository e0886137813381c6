"""Build the body of an implementation guide, which narrows that of the standard.

Theory. A guide lists a segment for each of its positions. Both bodies are read forward in parallel,
so that each position narrows the next one of the standard with the same segment id in the same
loop. A guide loop narrows the loop with the same trigger; an HL loop nested in another narrows the
one generic HL loop of the standard. Several positions of the guide may narrow one of the standard:
only the first of them then inherits the requirement of the standard.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from longshore.x12.dictionary.bodies import RawNode, RawSet
from longshore.x12.dictionary.lines import FileFaults, FileLine
from longshore.x12.dictionary.model import (
    CompositeType,
    Definition,
    ElementRule,
    ElementUse,
    Loop,
    Node,
    SegmentUse,
)
from longshore.x12.dictionary.sets import Lookup, check_codes, check_condition, segment_of

_HL: Final = "HL"
_NOT_USED: Final = "N"


def narrowed_body(guide: RawSet, base: Definition, lookup: Lookup) -> tuple[Node, ...]:
    """Return the guide's body, each node with the requirement and maximum of the standard.

    Raises:
        DictionaryError: Positions that the standard does not have, or more of them than it allows;
            rules on elements that the segment does not have, or wider than the element.
    """
    return _Narrowing(guide.name, base, lookup).body(guide.body, base.body)


class _Narrowing:
    def __init__(self, layer: str, base: Definition, lookup: Lookup) -> None:
        self._layer = layer
        self._base = base
        self._lookup = lookup
        self._fitting: set[tuple[int, int]] = set()

    def body(self, raws: tuple[RawNode, ...], base: tuple[Node, ...]) -> tuple[Node, ...]:
        """Narrow one body; the standard's nodes are only ever passed forward."""
        faults = FileFaults()
        nodes: list[Node] = []
        at, last = 0, -1
        for raw in raws:
            if raw.occurrence.requirement == _NOT_USED:
                continue
            with faults.gathered():
                at, standard, is_own = self._standard_node(raw, base, at)
                demand = standard.requirement if is_own and at != last else "O"
                last = at if is_own else last
                if is_wider(raw.occurrence.maximum, standard.maximum):
                    raise raw.line.fault(
                        f"the standard allows {raw.id} {standard.maximum} times here"
                    )
                nodes.append(self._node(raw, standard, demand))
        faults.check()
        return tuple(nodes)

    def _standard_node(
        self, raw: RawNode, base: tuple[Node, ...], at: int
    ) -> tuple[int, Node, bool]:
        """Return where to go on, the standard's node for ``raw``, and if it is of this body."""
        for index in range(at, len(base)):
            if _narrows(base[index], raw):
                return index, base[index], True
        if raw.tag == _HL:
            for node in self._base.body:
                if _narrows(node, raw):
                    return at, node, False
        raise raw.line.fault(f"the standard has no {raw.id} at this place")

    def _node(self, raw: RawNode, standard: Node, demand: str) -> Node:
        if isinstance(standard, Loop):
            return self._loop(raw, standard, demand)
        segment = segment_of(raw, self._base.release, self._lookup)
        check_condition(raw, raw.when, segment)
        asked = id(segment), id(raw.rules)  # segments and rules are shared, and checked once
        if raw.rules and asked not in self._fitting:
            _check_rules(raw.line, segment.id, segment.uses, raw.rules)
            self._fitting.add(asked)
        return SegmentUse(
            segment=segment,
            requirement=raw.occurrence.requirement,
            maximum=raw.occurrence.maximum,
            label=raw.label,
            when=raw.when,
            rules={} if raw.rules is None else raw.rules,
            is_closed=raw.rules is not None,
            layer=self._layer,
            base_requirement=demand,
            base_maximum=standard.maximum,
        )

    def _loop(self, raw: RawNode, standard: Loop, demand: str) -> Loop:
        assert raw.body is not None  # _narrows compares kinds
        body = self.body(raw.body, standard.body)
        trigger = body[0]
        assert isinstance(trigger, SegmentUse)  # the reader refuses a loop without
        check_condition(raw, raw.when, trigger.segment)
        return Loop(
            id=raw.id,
            requirement=raw.occurrence.requirement,
            maximum=raw.occurrence.maximum,
            body=body,
            label=raw.label,
            when=raw.when,
            layer=self._layer,
            base_requirement=demand,
            base_maximum=standard.maximum,
        )


def _check_rules(
    line: FileLine, owner: str, uses: tuple[ElementUse, ...], rules: Mapping[int, ElementRule]
) -> None:
    """Check the rules of a segment, or of a composite, against the standard.

    Raises:
        DictionaryError: one is wider than the standard, or leaves out what it demands.
    """
    if beyond := [position for position in rules if not 1 <= position <= len(uses)]:
        raise line.fault(f"{owner} has no position {beyond[0]:02d}")
    for position, use in enumerate(uses, 1):
        is_left_out = position not in rules or rules[position].requirement == _NOT_USED
        if use.is_mandatory and is_left_out:
            raise line.fault(f"the standard demands {owner}.{position:02d}")
    for position, rule in rules.items():
        _check_rule(line, f"{owner}.{position:02d}", uses[position - 1], rule)


def _check_rule(line: FileLine, place: str, use: ElementUse, rule: ElementRule) -> None:
    if (rule.repeat or 1) > use.repeat:
        raise line.fault(f"the standard allows {place} {use.repeat} times")
    of = use.type
    if isinstance(of, CompositeType):
        if has_value_rules(rule):
            raise line.fault(f"{place} is a composite: its components have codes and lengths")
        if rule.components:
            _check_rules(line, place, of.uses, rule.components)
        return
    if rule.components:
        raise line.fault(f"{place} has no components")
    minimum, maximum = rule.minimum or of.minimum, rule.maximum or of.maximum
    if not of.minimum <= minimum <= maximum <= of.maximum:
        raise line.fault(f"the standard allows {place} {of.minimum} to {of.maximum} characters")
    check_codes(line, of, rule.codes or ())


def has_value_rules(rule: ElementRule) -> bool:
    """Return whether a rule restricts the values of a simple element."""
    return rule.codes is not None or rule.minimum is not None


def is_wider(maximum: int, than: int) -> bool:
    """Return whether a maximum allows more than another; 0 has no limit."""
    return than != 0 and (maximum == 0 or maximum > than)


def _narrows(node: Node, raw: RawNode) -> bool:
    if isinstance(node, Loop):
        return raw.body is not None and node.trigger.segment.id == raw.tag
    return raw.body is None and node.segment.id == raw.id
