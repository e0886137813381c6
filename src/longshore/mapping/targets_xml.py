"""Build XML output: elements and attributes, in the order in which they were first written.

The root is the first step that all targets share, else ``document``. Siblings of one name are
together, by their occurrence; one without a value is empty. A null is not written.

Source: fields-and-mapping.md sections 7 (XML) and 8; names and characters as in XML 1.0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from longshore.formats.keys import escape_name, numbered
from longshore.mapping.cells import (
    Built,
    CellValues,
    Written,
    add_part,
    is_null,
    parts_of_rule,
    plain_rules,
    refuse_arrays,
)
from longshore.mapping.output import OutputSize, checked_text
from longshore.mapping.target_paths import ALL, XmlStep, XmlTarget
from longshore.mapping.target_refusals import (
    CHARACTER_NOT_ALLOWED,
    conversion_failed,
    index_too_far,
    unfit_rules,
)
from longshore.mapping.writes import Binding, RuleWrites

MAX_BEYOND: Final = 1_000  # of an occurrence in ``tgt``, those there are
_DECLARATION: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
_WRAPPER: Final = XmlStep("document")
_START: Final = (
    "A-Z_a-z\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f"
    "\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_NAME = re.compile(f"[{_START}][{_START}.0-9\xb7\u0300-\u036f\u203f\u2040-]*")  # without a colon
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_IN_TEXT: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_IN_ATTRIBUTE: Final = str.maketrans({
    "&": "&amp;",
    "<": "&lt;",
    '"': "&quot;",
    "\t": "&#9;",
    "\n": "&#10;",
    "\r": "&#13;",
})
_Steps = tuple[XmlStep, ...]
_Slot = CellValues | str


class _Siblings(dict[int, "_Element"]):
    """Elements of one name by occurrence, from 1.

    Args:
        last: The highest.
    """

    last = 0


@dataclass(slots=True)
class _Element:
    """An XML element while it is built."""

    values: dict[str, _Slot] = field(default_factory=dict)
    """Its attributes by name, its text under ``""``."""
    children: dict[str, _Siblings] = field(default_factory=dict)
    """By name."""


def build_xml(rules: Sequence[RuleWrites], *, is_traced: bool = False) -> Built:
    """Return what rules write as an XML text.

    Args:
        rules: What the rules write.
        is_traced: List the origins that the rules carry.

    Raises:
        LongshoreError: invalid_mapping_rule: a name is not valid in XML, or an array is to be
            written. conversion_failed (duplicate_target, character_not_allowed) or limit_exceeded
            (array_index, output_bytes).
    """
    _refuse_names(rules)
    refuse_arrays(rules)
    name, depth = _root(rules)
    document = _Document(depth, plain_rules(rules, is_traced=is_traced))
    for writes in rules:
        document.add(writes)
    text = _DECLARATION + _Texts().of(name, document.root)
    written = tuple(_trace(escape_name(name), document.root)) if is_traced else ()
    return Built(checked_text(text, rules), (), written)


def _target(writes: RuleWrites) -> XmlTarget:
    assert isinstance(writes.target, XmlTarget)  # the rules were read for an XML target
    return writes.target


def _refuse_names(rules: Sequence[RuleWrites]) -> None:
    faults = []
    for writes in rules:
        target = _target(writes)
        names = [step.name for step in target.steps] + [target.attribute] * bool(target.attribute)
        if not all(map(_NAME.fullmatch, names)):
            faults.append((writes.rule, "tgt", "a step is no XML name without prefix"))
    if faults:
        raise unfit_rules(faults)


def _root(rules: Sequence[RuleWrites]) -> tuple[str, int]:
    """Return the name of the root, and how many steps of each target lead to it."""
    firsts = {_target(writes).steps[0] for writes in rules}
    first = firsts.pop() if len(firsts) == 1 else _WRAPPER
    if firsts or first.occurrence != 1 or not rules:
        return _WRAPPER.name, 0
    return first.name, 1


class _Document:
    """The elements of a document.

    Args:
        depth: How many steps of each target lead to ``root``.
    """

    def __init__(self, depth: int, are_plain: frozenset[int]) -> None:
        self.root = _Element()
        self._depth = depth
        self._are_plain = are_plain
        # The elements at a path, by the ordinals of its wildcards.
        self._known: dict[_Steps, dict[Binding, _Element]] = {(): {(): self.root}}

    def add(self, writes: RuleWrites) -> None:
        """Put what one rule writes where it belongs.

        Raises:
            conversion_failed: A LongshoreError: character_not_allowed, duplicate_target.
        """
        target = _target(writes)
        steps, name, count = target.steps[self._depth :], target.attribute, target.wildcards
        is_plain = writes.rule in self._are_plain
        for binding, part in parts_of_rule(writes):
            if is_null(part.value):
                continue
            if _FORBIDDEN.search(part.value):
                message = "the value holds a character that XML 1.0 does not allow"
                raise conversion_failed(CHARACTER_NOT_ALLOWED, writes.rule, message)
            values = self._element(steps, binding[:count], writes.rule).values
            is_alone = is_plain and len(binding) == count
            values[name] = part.value if is_alone else add_part(values.get(name), part)

    def _element(self, steps: _Steps, binding: Binding, rule: int) -> _Element:
        known = self._known.setdefault(steps, {})
        found = known.get(binding)
        if found is None:
            name, occurrence = steps[-1].name, steps[-1].occurrence
            around = binding if occurrence is not ALL else binding[:-1]
            siblings = self._element(steps[:-1], around, rule).children.setdefault(
                name, _Siblings()
            )
            if occurrence is ALL:
                occurrence = binding[-1] + 1
            elif occurrence > siblings.last + MAX_BEYOND:
                raise index_too_far(MAX_BEYOND, rule)
            siblings.last = max(siblings.last, occurrence)
            found = known[binding] = siblings[occurrence] = _Element()
        return found


class _Texts:
    """The texts of elements, as long as they fit into an output."""

    def __init__(self) -> None:
        self._size = OutputSize()

    def of(self, name: str, element: _Element) -> str:
        """Return an element and all within it."""
        tag, inner = name, ""
        for attribute, slot in element.values.items():
            if attribute:
                tag += f' {attribute}="{_value(slot).translate(_IN_ATTRIBUTE)}"'
            else:
                inner = _value(slot).translate(_IN_TEXT)
        self._size.add(len(tag) + len(inner))
        empty = _Element()
        for child, siblings in element.children.items():
            inner += "".join(
                self.of(child, siblings.get(occurrence, empty))
                for occurrence in range(1, siblings.last + 1)
            )
        return f"<{tag}>{inner}</{name}>" if inner else f"<{tag}/>"


def _value(slot: _Slot) -> str:
    return slot.text if isinstance(slot, CellValues) else slot


def _trace(path: str, element: _Element) -> Iterator[Written]:
    for attribute in sorted(element.values, key=lambda name: not name):  # the text comes last
        slot = element.values[attribute]
        assert isinstance(slot, CellValues)  # where somebody asks, cells are made
        tgt = f"{path}.@{escape_name(attribute)}" if attribute else path
        yield from (part.written_at(tgt) for part in slot.groups[0])
    for name, occurrences in element.children.items():
        for occurrence in sorted(occurrences):
            tgt = f"{path}.{numbered(escape_name(name), occurrence)}"
            yield from _trace(tgt, occurrences[occurrence])
