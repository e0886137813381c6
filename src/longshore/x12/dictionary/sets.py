"""Build the body of a set in one release from the lines of its file."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from longshore.x12.dictionary.bodies import RawNode
from longshore.x12.dictionary.lines import FileFaults, FileLine
from longshore.x12.dictionary.model import (
    CompositeType,
    ElementType,
    Loop,
    Node,
    SegmentType,
    SegmentUse,
    ValueCondition,
)

Lookup = Callable[[str, str], SegmentType | None]


def standard_body(body: tuple[RawNode, ...], release: str, lookup: Lookup) -> tuple[Node, ...]:
    """Return the nodes valid in ``release``, in table order.

    Raises:
        DictionaryError: segments that are not defined in this release, loops without a trigger
            in it, conditions beyond their segment.
    """
    faults = FileFaults()
    nodes: list[Node] = []
    for raw in body:
        if raw.line.releases.holds(release):
            with faults.gathered():
                nodes.append(_node(raw, release, lookup))
    faults.check()
    return tuple(nodes)


def segment_of(raw: RawNode, release: str, lookup: Lookup) -> SegmentType:
    """Return the segment a position names.

    Raises:
        DictionaryError: ``release`` has none of this id.
    """
    segment = lookup(raw.id, release)
    if segment is None:
        raise raw.line.fault(f"segment {raw.id} is not defined in {release}")
    return segment


def element_of(
    line: FileLine, segment: SegmentType, position: int, component: int | None = None
) -> ElementType | CompositeType:
    """Return the type of an element, or of a component of it.

    Raises:
        DictionaryError: the segment, or the composite, has no such position.
    """
    if not 1 <= position <= len(segment.uses):
        raise line.fault(f"{segment.id} has no element {position:02d}")
    found = segment.uses[position - 1].type
    if component is None:
        return found
    if not isinstance(found, CompositeType) or not 1 <= component <= len(found.uses):
        raise line.fault(f"{segment.id}.{position:02d} has no component {component:02d}")
    return found.uses[component - 1].type


def check_codes(line: FileLine, of: ElementType, codes: Iterable[str]) -> None:
    """Refuse codes that an element cannot have.

    Raises:
        DictionaryError: One is longer or shorter than the element allows.
    """
    for code in codes:
        if not of.minimum <= len(code) <= of.maximum:
            lengths = f"{of.minimum} to {of.maximum}"
            raise line.fault(f"the code {code} does not fit element {of.number} of {lengths}")


def check_condition(raw: RawNode, when: ValueCondition | None, segment: SegmentType) -> None:
    """Refuse a condition that can never hold.

    Raises:
        DictionaryError: the segment has no such position, the position is a composite, or a value
            does not fit it.
    """
    if when is None:
        return
    found = element_of(raw.line, segment, when.position, when.component)
    if isinstance(found, CompositeType):
        place = f"{segment.id}.{when.position:02d}"
        raise raw.line.fault(f"{place} is a composite: the condition must name a component")
    check_codes(raw.line, found, when.values)


def _node(raw: RawNode, release: str, lookup: Lookup) -> Node:
    occurrence = raw.occurrence
    if raw.body is None:
        segment = segment_of(raw, release, lookup)
        check_condition(raw, raw.when, segment)
        return SegmentUse(
            segment=segment,
            requirement=occurrence.requirement,
            maximum=occurrence.maximum,
            label=raw.label,
            when=raw.when,
            base_requirement=occurrence.requirement,
            base_maximum=occurrence.maximum,
        )
    if not raw.body[0].line.releases.holds(release):
        raise raw.line.fault(f"loop {raw.id} has no trigger in {release}")
    body = standard_body(raw.body, release, lookup)
    trigger = body[0]
    assert isinstance(trigger, SegmentUse)  # the reader refuses a loop without
    check_condition(raw, raw.when, trigger.segment)
    return Loop(
        id=raw.id,
        requirement=occurrence.requirement,
        maximum=occurrence.maximum,
        body=body,
        label=raw.label,
        when=raw.when,
        base_requirement=occurrence.requirement,
        base_maximum=occurrence.maximum,
    )
