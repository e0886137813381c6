"""Read maps of pyx12: a map becomes an implementation guide over a set of the dictionary.

Taken over: loops and segments with usage and repetitions; of elements usage, repetitions and valid
codes. What has usage N is left out, as guides do not name it. Lengths, types and notes are those of
the standard. Other children are reported as warnings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from typing import Final

from longshore.x12.dictionary.importing.schema import (
    ENVELOPE,
    LOOP_ID,
    ImportedSchema,
    ImportSource,
    shown,
    title_of,
)
from longshore.x12.dictionary.importing.xml_elements import XmlElement, XmlReader, read_xml
from longshore.x12.dictionary.model import (
    Definition,
    ElementRule,
    ElementUse,
    Loop,
    Node,
    SegmentType,
    SegmentUse,
    ValueCondition,
)
from longshore.x12.dictionary.records import SEGMENT_ID

_GUIDE = re.compile("[0-9]{6}[0-9A-Z]{1,6}")
_USAGE = re.compile("[RSN]")
_READ: Final = frozenset(("name", "usage", "pos", "seq", "data_ele", "max_use", "repeat"))
_HL: Final = "HL"
_QUALIFIERS: Final = {_HL: 3}
"""The positions of the elements that distinguish segments with the same id; 1 if not here."""


def read_pyx12(source: ImportSource) -> ImportedSchema:
    """Return the schema of a file.

    Raises:
        DictionaryError: The file cannot be read; it says all reasons.
    """
    root = read_xml(source)
    if root.name != "transaction":
        raise source.fault(root.line, "the file is no map of pyx12: <transaction> is missing")
    return _Reader(source).read(root)


class _Reader(XmlReader):
    def __init__(self, source: ImportSource) -> None:
        super().__init__(source)
        self._release = ""

    def read(self, root: XmlElement) -> ImportedSchema:
        with self.faults.gathered():
            self.schema.sets.append(self._definition(root))
        return self.finished()

    def _definition(self, root: XmlElement) -> Definition:
        source = self.source
        tx_set = source.set_of(root.line, root.attributes.get("xid", "")[:3])
        around = _loop_of_set(root)
        if around is None:
            raise source.fault(root.line, "the map has no loop with the segment ST")
        guide = source.guide or _guide_of(root)
        if not _GUIDE.fullmatch(guide):
            reason = "the map does not name its guide, such as 005010X222A1: use --guide"
            raise source.fault(root.line, reason)
        self._release = source.release_of(root.line, guide[:6])
        return Definition(
            tx_set=tx_set,
            release=self._release,
            functional_id="",
            title=title_of(_text(root, "name"), tx_set),
            body=tuple(self._body(around, 1)),
            guide=guide,
        )

    # ---- loops and segments ---------------------------------------------------------------------

    def _body(self, of: XmlElement, depth: int) -> Iterator[Node]:
        nodes: list[Node] = []
        for child in of.children:
            with self.faults.gathered():
                nodes.extend(self._nodes(child, depth))
        for _, run in groupby(nodes, key=_tag):
            yield from _distinguished(list(run))

    def _nodes(self, of: XmlElement, depth: int) -> Iterator[Node]:
        """Yield the node of a child; of a wrapper all that are in it."""
        if of.name == "segment" and of.attributes.get("xid") not in ENVELOPE:
            self.take_position(of.line, depth)
            if self._usage(of) != "N":
                yield self._segment(of)
        elif of.name == "loop" and _is_wrapper(of):
            for child in of.children:
                yield from self._nodes(child, depth)
        elif of.name == "loop":
            self.take_position(of.line, depth)
            if self._usage(of) != "N":
                yield self._loop(of, depth)
        elif of.name != "segment" and of.name not in _READ:
            self.leave(of)

    def _loop(self, of: XmlElement, depth: int) -> Loop:
        name = self.source.name(of.line, self.attribute(of, "xid"), LOOP_ID)
        body = list(self._body(of, depth + 1))
        maximum = self._maximum(of, "repeat")
        return self.loop(of.line, name, body, requirement=self._usage(of), maximum=maximum)

    def _segment(self, of: XmlElement) -> SegmentUse:
        name = self.source.name(of.line, self.attribute(of, "xid"), SEGMENT_ID)
        known = self.source.known.vocabulary.segment(name, self._release)
        uses = () if known is None else known.uses
        notes = () if known is None else tuple(map(str, known.notes))
        rules: dict[int, ElementRule] = {}
        for child in of.children:
            if child.name in {"element", "composite"}:
                self._add_rule(rules, child, uses)
            elif child.name not in _READ and child.text.strip() not in notes:
                self.leave(child)
        return SegmentUse(
            segment=SegmentType(name, ()),
            requirement=self._usage(of),
            maximum=self._maximum(of, "max_use"),
            rules=rules,
            is_closed=True,
        )

    # ---- elements -------------------------------------------------------------------------------

    def _add_rule(
        self, rules: dict[int, ElementRule], of: XmlElement, uses: tuple[ElementUse, ...]
    ) -> None:
        """Add the rule of an element; one that is not used has none."""
        position = self.source.number(of.line, _text(of, "seq"))
        use = uses[position - 1] if 0 < position <= len(uses) else None
        named = _text(of, "data_ele").lstrip("0")
        if use is not None and use.reference != named:
            reason = f"position {position} is {use.reference} in the standard, not {shown(named)}"
            self.warn(of.line, reason)
        usage = self._usage(of)
        if usage == "N":
            return
        components: dict[int, ElementRule] = {}
        codes: list[str] = []
        for child in of.children:
            if child.name == "element":
                self._add_rule(components, child, ())
            elif child.name == "valid_codes":
                codes += self._codes(child)
            elif child.name not in _READ:
                self.leave(child)
        repeat = self._maximum(of, "repeat")
        rules[position] = ElementRule(
            requirement=usage,
            repeat=repeat if repeat > 1 else None,
            codes=tuple(codes) or None,
            components=components,
        )

    def _codes(self, of: XmlElement) -> Iterator[str]:
        if "external" in of.attributes:
            reason = f"the external list {shown(of.attributes['external'])} is not taken over"
            self.warn(of.line, reason)
        return (self.source.code(each.line, each.text.strip()) for each in of.named("code"))

    def _usage(self, of: XmlElement) -> str:
        usage = _text(of, "usage")
        if not usage:
            raise self.source.fault(of.line, f"<{shown(of.name)}> has no usage")
        return self.source.name(of.line, usage, _USAGE)

    def _maximum(self, of: XmlElement, name: str) -> int:
        """Return how often it may occur; 0 without limit (``>1``)."""
        text = _text(of, name)
        return 0 if text.startswith(">") else self.source.number(of.line, text or "1")


def _text(of: XmlElement, name: str) -> str:
    """Return the text of a child, or an attribute in newer maps; ``""`` if there is neither."""
    return next((each.text for each in of.named(name)), of.attributes.get(name, "")).strip()


def _is_wrapper(of: XmlElement) -> bool:
    """Return whether a loop is only a part of the map, such as its header."""
    return of.attributes.get("type") == "wrapper" or not any(of.named("segment"))


def _loop_of_set(of: XmlElement) -> XmlElement | None:
    """Return the loop that begins with ST."""
    if any(each.attributes.get("xid") == "ST" for each in of.named("segment")):
        return of
    inner = map(_loop_of_set, of.named("loop"))
    return next((each for each in inner if each is not None), None)


def _guide_of(of: XmlElement) -> str:
    """Return the only code of ST03 or GS08 that names a guide; ``""`` if there is none."""
    found = {
        code.text.strip()
        for element in _elements(of)
        if element.attributes.get("xid") in {"ST03", "GS08"}
        for codes in element.named("valid_codes")
        for code in codes.named("code")
    }
    return found.pop() if len(found) == 1 else ""


def _elements(of: XmlElement) -> Iterator[XmlElement]:
    for child in of.children:
        if child.name == "element":
            yield child
        elif child.name in {"loop", "segment"}:
            yield from _elements(child)


def _tag(node: Node) -> str:
    return node.trigger.segment.id if isinstance(node, Loop) else node.segment.id


def _distinguished(run: list[Node]) -> list[Node]:
    """Return neighbours with the same segment id, each with the codes that choose it.

    The loop of a level has them always: levels stand in each other.
    """
    is_level = isinstance(run[0], Loop) and _tag(run[0]) == _HL
    if len(run) == 1 and not is_level:
        return run
    return [replace(node, when=_condition(node)) for node in run]


def _condition(node: Node) -> ValueCondition | None:
    use = node.trigger if isinstance(node, Loop) else node
    position = _QUALIFIERS.get(use.segment.id, 1)
    rule = use.rules.get(position)
    if rule is None:
        return None
    if rule.codes:
        return ValueCondition(position, None, rule.codes)
    first = rule.components.get(1)
    return ValueCondition(position, 1, first.codes) if first is not None and first.codes else None
