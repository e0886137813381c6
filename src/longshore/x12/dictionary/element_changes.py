"""Definitions whose elements are changed wherever they are used, in composites too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from longshore.x12.dictionary.model import (
    CompositeType,
    Definition,
    ElementType,
    ElementUse,
    Loop,
    Node,
    SegmentType,
    SegmentUse,
)

ElementChange = Callable[[ElementType], ElementType]


def with_elements(definition: Definition, change: ElementChange) -> Definition:
    """Return a definition with each simple element as ``change`` returns it."""
    return replace(definition, body=_Changed(change).body(definition.body))


class _Changed:
    def __init__(self, change: ElementChange) -> None:
        self._change = change
        self._segments: dict[str, SegmentType] = {}

    def body(self, body: tuple[Node, ...]) -> tuple[Node, ...]:
        return tuple(map(self._node, body))

    def _node(self, node: Node) -> Node:
        if isinstance(node, Loop):
            return replace(node, body=self.body(node.body))
        return self._use(node)

    def _use(self, use: SegmentUse) -> SegmentUse:
        segment = self._segments.get(use.segment.id)
        if segment is None:
            uses = tuple(map(self._part, use.segment.uses))
            self._segments[use.segment.id] = segment = replace(use.segment, uses=uses)
        return replace(use, segment=segment)

    def _part(self, use: ElementUse) -> ElementUse:
        return replace(use, type=self._type(use.type))

    def _type(self, of: ElementType | CompositeType) -> ElementType | CompositeType:
        if isinstance(of, CompositeType):
            return replace(of, uses=tuple(map(self._part, of.uses)))
        return self._change(of)
