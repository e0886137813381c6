"""An X12 document as a tree to show to people: sets, loops, segments, elements, with names.

``kind`` is ``set``, ``loop``, ``segment``, ``element`` or ``component``. Envelope segments are
siblings of the sets. Loops nest as in the definition, HL loops by HL02; in a set without a
definition only HL loops nest. The path of a set or a loop is the key of the segment that begins it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from longshore.engine.tree import Tree, TreeLine
from longshore.engine.x12_names import component_name, element_name, in_words, segment_name
from longshore.mapping.suggest_meanings import QUALIFIERS
from longshore.x12.control import CONTROL_IDS, SegmentSpan
from longshore.x12.dictionary.library import shipped
from longshore.x12.dictionary.model import (
    CompositeType,
    ElementRule,
    ElementType,
    ElementUse,
    SegmentUse,
)
from longshore.x12.loops.documents import DocumentPlacement
from longshore.x12.loops.faults import LoopStep
from longshore.x12.loops.nesting import LoopNesting
from longshore.x12.loops.placement import SetCursor
from longshore.x12.loops.slots import HL
from longshore.x12.set_names import set_name
from longshore.x12.validate.validation import Options
from longshore.x12.views import elements_of, with_composites
from longshore.x12.walk import Walk

_REQUIRED: Final = frozenset("MR")
_CONTROL_RELEASE: Final = "005010"  # what the envelope is made of is alike in all releases


class _Segment(NamedTuple):
    """A segment of the document."""

    tag: str
    key: str
    elements: list[object]
    """As ``views.with_composites`` gives them."""
    component: str
    use: SegmentUse | None


def x12_tree(walk: Walk, tree: Tree, options: Options, *, is_single_octet: bool) -> None:
    """Add the nodes of a document, with the names of the definitions that it is validated by."""
    placement = DocumentPlacement(options.dictionary, options.release, options.guide)
    builder = _Builder(tree)
    for spans in walk.span_lists():
        for span in spans:
            cursors = placement.of(span)
            segments = _segments(walk, span, cursors, is_single_octet=is_single_octet)
            for cursor, segment in zip(cursors, segments, strict=True):
                if tree.is_truncated:
                    return
                builder.add(segment, cursor)


def _segments(
    walk: Walk, span: SegmentSpan, cursors: list[SetCursor | None], *, is_single_octet: bool
) -> Iterator[_Segment]:
    batch = span.batch
    numbers = walk.numbering.of(span.tx_index)
    scope = "" if span.occurrence else walk.scope(span.tx_index)
    for index, cursor in enumerate(cursors, span.first):
        tag = batch.rows[index][0]
        number = span.occurrence
        if not number:
            numbers[tag] = number = numbers.get(tag, 0) + 1
        elements = elements_of(batch, index, is_single_octet=is_single_octet)
        slot = None if cursor is None else cursor.slot
        yield _Segment(
            tag=tag,
            key=scope + tag if number == 1 else f"{scope}{tag}[{number}]",
            elements=list(with_composites(elements, batch, index)),
            component=batch.delimiters.component,
            use=None if slot is None else slot.use,
        )


class _Builder:
    """Puts segments where they belong: in their set, in the loops that are open there."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._set: TreeLine | None = None
        self._nesting = LoopNesting(self._begin)
        self._at: tuple[_Segment, SetCursor | None] | None = None

    def add(self, segment: _Segment, cursor: SetCursor | None) -> None:
        """Add a segment and its elements."""
        self._at = segment, cursor
        if segment.tag == "ST":
            self._begin_set(segment)
        elif segment.tag in CONTROL_IDS:
            self._nesting.close()
        else:
            self._nesting.enter([segment.tag, *map(_text, segment.elements[:2])], cursor)
        siblings = self._open_children()
        if segment.tag in CONTROL_IDS - {"ST", "SE"}:
            self._set, siblings = None, self._tree.roots
        use = segment.use
        node = TreeLine(
            path=segment.key,
            code=segment.tag,
            kind="segment",
            name=_name(use, segment.tag),
            required=use is not None and use.is_required,
            qualifier=_meaning_of(segment),
        )
        self._tree.add(siblings, node)
        for element in _elements(segment):
            children, element.children = element.children, []
            self._tree.add(node.children, element)
            for child in children:
                self._tree.add(element.children, child)

    def _open_children(self) -> list[TreeLine]:
        loop = self._nesting.innermost
        if loop is not None:
            return loop.children
        return self._tree.roots if self._set is None else self._set.children

    def _begin_set(self, segment: _Segment) -> None:
        self._nesting = LoopNesting(self._begin)
        code, number = [*map(_text, segment.elements), "", ""][:2]
        self._set = self._tree.add(
            self._tree.roots,
            TreeLine(
                path=segment.key,
                code=code,
                kind="set",
                name=set_name(code),
                value=number or None,
            ),
        )

    def _begin(self, step: LoopStep | None) -> TreeLine:
        assert self._at is not None  # a segment begins a loop
        segment, cursor = self._at
        slot = None if cursor is None else cursor.slot
        loop = None if slot is None else slot.loop
        label = "" if step is None else step.label
        if loop is not None:
            label = label or loop.trigger.segment.label
        return self._tree.add(
            self._open_children(),
            TreeLine(
                path=segment.key,
                code=HL if step is None else step.loop_id,
                kind="loop",
                name=in_words(label) if label else segment_name(segment.tag),
                required=loop is not None and loop.is_required,
                qualifier=_meaning_of(segment),
            ),
        )


def _elements(segment: _Segment) -> Iterator[TreeLine]:
    """Yield a node for each value of a segment; repetitions are siblings."""
    use = segment.use
    kind = None if use is None else use.segment
    if kind is None and segment.tag in CONTROL_IDS:
        kind = shipped().vocabulary.segment(segment.tag, _CONTROL_RELEASE)
    uses = () if kind is None else kind.uses
    without = ElementRule(requirement="N" if use is not None and use.is_closed else "")
    for position, value in enumerate(segment.elements, 1):
        element = uses[position - 1] if position <= len(uses) else None
        rule = without if use is None else use.rules.get(position, without)
        label = "" if element is None else element.label
        for number, text in enumerate(value if isinstance(value, list) else [value], 1):
            path = f"{segment.key}.{position:02d}"
            node = _value_node(
                path if number == 1 else f"{path}[{number}]",
                f"{segment.tag}{position:02d}",
                _text(text, segment.component),
                (element, rule),
            )
            if node is None:
                continue
            node.name = in_words(label) if label else element_name(segment.tag, position)
            if isinstance(text, dict) and "c" in text:
                node.children = list(_components(node, text["c"], element, rule))
            yield node


def _components(
    whole: TreeLine, texts: list[str], use: ElementUse | None, rule: ElementRule
) -> Iterator[TreeLine]:
    composite = None if use is None or isinstance(use.type, ElementType) else use.type
    uses = () if composite is None else composite.uses
    without = ElementRule(requirement="N" if rule.components else "")
    for position, text in enumerate(texts, 1):
        inner = uses[position - 1] if position <= len(uses) else None
        node = _value_node(
            f"{whole.path}.{position:02d}",
            f"{whole.code}-{position:02d}",
            text,
            (inner, rule.components.get(position, without)),
        )
        if node is not None:
            node.kind = "component"
            node.name = component_name(composite, position)
            yield node


def _value_node(
    path: str, code: str, text: str, described_by: tuple[ElementUse | None, ElementRule]
) -> TreeLine | None:
    """Return the node of a value, None if it is empty."""
    use, rule = described_by
    if code.startswith("ISA"):
        text = text.rstrip(" ")
    if not text:
        return None
    node = TreeLine(path=path, code=code, kind="element", value=text)
    if use is None:
        return node
    node.required = rule.requirement in _REQUIRED if rule.requirement else use.is_mandatory
    node.type = _type_text(use, rule)
    node.qualifier = _meaning(use, text)
    return node


def _type_text(use: ElementUse, rule: ElementRule) -> str:
    """Return the type with its lengths, ``AN 1..22``; of a composite its id."""
    if isinstance(use.type, CompositeType):
        return use.type.id
    return f"{use.type.kind} {rule.minimum or use.type.minimum}..{rule.maximum or use.type.maximum}"


def _meaning(use: ElementUse, code: str) -> str | None:
    codes = None if isinstance(use.type, CompositeType) else use.type.codes
    return None if codes is None else codes.meanings.get(code)


def _meaning_of(segment: _Segment) -> str | None:
    """Return the meaning of the codes that distinguish a segment from others of its id."""
    if segment.use is None:
        return None
    uses = segment.use.segment.uses
    found = (
        _meaning(uses[position - 1], _text(segment.elements[position - 1]))
        for position in QUALIFIERS.get(segment.tag, ())
        if position <= min(len(uses), len(segment.elements))
    )
    return ", ".join(filter(None, found)) or None


def _name(use: SegmentUse | None, tag: str) -> str:
    label = "" if use is None else use.label or use.segment.label
    return in_words(label) if label else segment_name(tag)


def _text(element: object, component: str = "") -> str:
    """Return an element as a text: of repetitions the first, of what is no text its base64."""
    if isinstance(element, list):
        return _text(element[0], component)
    if isinstance(element, dict):
        return component.join(element["c"]) if "c" in element else element["b64"]
    assert isinstance(element, str)
    return element
