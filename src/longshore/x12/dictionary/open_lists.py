"""A definition whose code lists refuse nothing, for partners and releases with codes of their own.

The codes that a guide or a partner asks for are rules and stay.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Final

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

MAX_DEFINITIONS: Final = 64  # entries of the cache


@lru_cache(maxsize=MAX_DEFINITIONS)
def with_open_lists(definition: Definition) -> Definition:
    """Return a definition with all its code lists open, from a cache."""
    segments: dict[str, SegmentType] = {}
    body = tuple(_node(node, segments) for node in definition.body)
    return replace(definition, body=body, has_strict_lists=False)


def _node(node: Node, segments: dict[str, SegmentType]) -> Node:
    if isinstance(node, Loop):
        return replace(node, body=tuple(_node(each, segments) for each in node.body))
    return _use(node, segments)


def _use(use: SegmentUse, segments: dict[str, SegmentType]) -> SegmentUse:
    segment = segments.get(use.segment.id)
    if segment is None:
        uses = tuple(map(_part, use.segment.uses))
        segments[use.segment.id] = segment = replace(use.segment, uses=uses)
    return replace(use, segment=segment)


def _part(use: ElementUse) -> ElementUse:
    return replace(use, type=_type(use.type))


def _type(of: ElementType | CompositeType) -> ElementType | CompositeType:
    if isinstance(of, CompositeType):
        return replace(of, uses=tuple(map(_part, of.uses)))
    if of.codes is None or not of.codes.is_strict:
        return of
    return replace(of, codes=replace(of.codes, is_strict=False))
