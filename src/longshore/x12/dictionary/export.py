"""Definitions as plain values, ready to be written as JSON.

There are four forms: a set as a list of positions; the same with everything that it names, which an
import reads; the segments of a release; a set with labels and elements at each position, for people
and for the mapper. A maximum of 0 means no limit;
positions of elements count from 1; ``requirement`` is M or O, under a guide R, S or N.

Source: contract.md sections 3 and 14, docs/reference/dictionary.md section 7.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from longshore.x12.dictionary.model import (
    CodeList,
    CompositeType,
    Definition,
    ElementRule,
    ElementType,
    ElementUse,
    Loop,
    SegmentType,
    SegmentUse,
    ValueCondition,
)
from longshore.x12.dictionary.records import block_text
from longshore.x12.dictionary.vocabulary import Vocabulary

Json = Mapping[str, object]


def set_export(definition: Definition) -> Json:
    """Return the structure of a set: its positions in table order, without ST and SE.

    ``{"set", "release", "guide", "functional_id", "positions": [{"path": "PO1/PID/PID",
    "segment", "requirement", "max", "loop"?: {"id", "requirement", "max"}, "when"?: {"element":
    "01", "codes"}}]}``; ``loop``, with the loop's own numbers, stands at what begins the loop.
    """
    return _head(definition) | {
        "positions": [_position(around, use) for around, use in definition.positions()]
    }


def whole_export(definition: Definition) -> Json:
    """Return a set as ``set_export``, with everything that makes it: ``import`` reads it back.

    Positions and loops have ``label``, those of a guide ``rules``: ``{"position", "requirement",
    "repeat"?, "min"?, "max"?, "codes"?, "components"?}``; without ``rules`` every element may
    occur. ``segments``, ``composites``, ``elements`` and ``code_lists`` are those that it names.
    """
    segments = {use.segment.id: use.segment for _, use in definition.positions()}
    uses = [use for segment in segments.values() for use in segment.uses]
    composites = {use.type.id: use.type for use in uses if isinstance(use.type, CompositeType)}
    uses += [use for composite in composites.values() for use in composite.uses]
    elements = {use.type.number: use.type for use in uses if isinstance(use.type, ElementType)}
    lists = {each.codes.name: each.codes for each in elements.values() if each.codes is not None}
    return _head(definition) | {
        "name": definition.title,
        "positions": [_whole_position(around, use) for around, use in definition.positions()],
        "segments": [_segment_type(segments[each]) for each in sorted(segments)],
        "composites": [_composite_type(composites[each]) for each in sorted(composites)],
        "elements": [_element_type(elements[each]) for each in sorted(elements)],
        "code_lists": {each: _code_list(lists[each]) for each in sorted(lists)},
    }


def _whole_position(around: tuple[Loop, ...], use: SegmentUse) -> Json:
    position = _position(around, use) | {"label": use.label or None}
    if use.is_closed:
        position["rules"] = [_rule(at, rule) for at, rule in sorted(use.rules.items())]
    loop = position.get("loop")
    if isinstance(loop, dict):
        loop["label"] = around[-1].label or None
    return position


def _rule(position: int, rule: ElementRule) -> Json:
    found: dict[str, object] = {"position": position, "requirement": rule.requirement}
    limits = {"repeat": rule.repeat, "min": rule.minimum, "max": rule.maximum}
    found |= {name: limit for name, limit in limits.items() if limit is not None}
    if rule.codes is not None:
        found["codes"] = list(rule.codes)
    if rule.components:
        found["components"] = [_rule(at, each) for at, each in sorted(rule.components.items())]
    return found


def _segment_type(of: SegmentType) -> Json:
    return {"segment": of.id, "label": of.label or None} | _uses(of)


def _composite_type(of: CompositeType) -> Json:
    return {"composite": of.id} | _uses(of)


def _uses(of: SegmentType | CompositeType) -> dict[str, object]:
    uses = [
        {
            "element": use.reference,
            "requirement": "M" if use.is_mandatory else "O",
            "repeat": use.repeat,
            "label": use.label or None,
        }
        for use in of.uses
    ]
    return {"notes": [str(note) for note in of.notes], "elements": uses}


def _element_type(of: ElementType) -> Json:
    codes = None if of.codes is None else of.codes.name
    return {
        "element": of.number,
        "type": of.kind,
        "min": of.minimum,
        "max": of.maximum,
        "code_list": codes,
    }


def _code_list(of: CodeList) -> Json:
    blocks = list(map(block_text, of.blocks))
    return {"strict": of.is_strict, "codes": dict(of.meanings), "blocks": blocks}


def schema_export(definition: Definition) -> Json:
    """Return the structure of a set as ``set_export``, with names, labels and elements.

    An element has ``position, element, type, min, max, requirement, repeat, label``; a composite
    has ``components`` in place of type and lengths. If a guide or an overlay restricts the codes,
    ``codes`` holds them with their meaning or None; otherwise ``code_list`` names one of
    ``code_lists``, which hold codes with their meanings. ``extensions`` lists what an overlay
    widened.
    """
    return _head(definition) | {
        "name": definition.title,
        "code_lists": _code_lists(definition),
        "positions": [
            _position(around, use)
            | {"label": use.label or use.segment.label or None, "elements": [*_ruled_elements(use)]}
            for around, use in definition.positions()
        ],
        "extensions": list(definition.extensions),
    }


def segments_export(vocabulary: Vocabulary, release: str) -> Json:
    """Return all segments of a release with their notes and elements.

    ``{"release", "segments": [{"segment", "notes": ["P0304"], "elements": [{"position", "element",
    "type", "min", "max", "requirement", "repeat"}]}]}``; a composite has no type and no lengths.
    """
    segments = (vocabulary.segment(each, release) for each in vocabulary.segment_ids(release))
    return {
        "release": release,
        "segments": [_segment(segment) for segment in segments if segment is not None],
    }


def _head(definition: Definition) -> dict[str, object]:
    return {
        "set": definition.tx_set,
        "release": definition.release,
        "guide": definition.guide,
        "functional_id": definition.functional_id,
    }


def _position(around: tuple[Loop, ...], use: SegmentUse) -> dict[str, object]:
    position: dict[str, object] = {
        "path": "/".join([*(loop.id for loop in around), use.segment.id]),
        "segment": use.segment.id,
        "requirement": use.requirement,
        "max": use.maximum,
    }
    when = use.when
    if around and around[-1].trigger is use:
        loop = around[-1]
        position["loop"] = {"id": loop.id, "requirement": loop.requirement, "max": loop.maximum}
        when = when or loop.when
    if when is not None:
        position["when"] = {"element": element_text(when), "codes": list(when.values)}
    return position


def element_text(when: ValueCondition) -> str:
    """Return the position that a condition is on: ``01``, or ``01.02`` for a component."""
    return ".".join(f"{each:02d}" for each in (when.position, when.component) if each is not None)


def _segment(segment: SegmentType) -> Json:
    return {
        "segment": segment.id,
        "notes": [str(note) for note in segment.notes],
        "elements": [_element(at, use) for at, use in enumerate(segment.uses, 1)],
    }


def _element(position: int, use: ElementUse) -> dict[str, object]:
    element: dict[str, object] = {"position": position, "element": use.reference}
    if not isinstance(use.type, CompositeType):
        element |= {"type": use.type.kind, "min": use.type.minimum, "max": use.type.maximum}
    requirement = "M" if use.is_mandatory else "O"
    return element | {"requirement": requirement, "repeat": use.repeat}


def _ruled_elements(use: SegmentUse) -> Iterator[Json]:
    yield from _ruled(use.segment.uses, use.rules, is_closed=use.is_closed)


def _ruled(
    uses: tuple[ElementUse, ...], rules: Mapping[int, ElementRule], *, is_closed: bool
) -> Iterator[Json]:
    without = ElementRule(requirement="N" if is_closed else "")
    for position, use in enumerate(uses, 1):
        rule = rules.get(position, without)
        element = _element(position, use) | {"label": use.label or None}
        if rule.requirement:
            element["requirement"] = rule.requirement
        element["repeat"] = rule.repeat or use.repeat
        if isinstance(use.type, CompositeType):
            is_inside_closed = is_closed and bool(rule.components)
            inner = _ruled(use.type.uses, rule.components, is_closed=is_inside_closed)
            element["components"] = list(inner)
        else:
            element["min"] = rule.minimum or use.type.minimum
            element["max"] = rule.maximum or use.type.maximum
            known = use.type.codes
            if rule.codes is not None:
                meanings = known.meanings if known is not None else {}
                element["codes"] = [
                    {"code": code, "meaning": meanings.get(code)} for code in rule.codes
                ]
            elif known is not None:
                element["code_list"] = known.name
        yield element


def _code_lists(definition: Definition) -> dict[str, Mapping[str, str]]:
    """Return the lists that the elements of a definition name, by name."""
    found: dict[str, Mapping[str, str]] = {}
    for _, position in definition.positions():
        for use in position.segment.uses:
            inner = use.type.uses if isinstance(use.type, CompositeType) else (use,)
            for each in inner:
                if isinstance(each.type, ElementType) and each.type.codes is not None:
                    found[each.type.codes.name] = dict(each.type.codes.meanings)
    return dict(sorted(found.items()))
