"""The fields of a transaction set in all releases together, and their JSON names.

Theory. A starter map serves every release of its set, so the bodies of all of them are merged: a
segment occurs once in a loop, with the elements of all. If an implementation guide distinguishes
several uses of one segment by a code, each is a field of its own with the guide's name, and one
more, ``other_…``, takes the codes that the guide does not have. The levels (HL) of a set are one
flat list, whatever the guide nests: only that restores any tree exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from longshore.mapping.starters.labels import label_of
from longshore.mapping.starters.names import component_path, segment_names
from longshore.x12.dictionary.library import shipped
from longshore.x12.dictionary.model import CompositeType, Loop, Node, SegmentUse, ValueCondition

_HL: Final = "HL"


@dataclass(frozen=True, slots=True)
class PlaceElement:
    """A value of a segment: ``element`` as paths write it (``04.01``, ``05[*]``), and its name."""

    element: str
    name: str


@dataclass(frozen=True, slots=True)
class StarterPlace:
    """A segment, or a loop with the segment that begins it."""

    tag: str
    condition: str
    """``[01=ST]`` or ``""``."""
    name: str
    is_many: bool
    """It is an array."""
    leaves: tuple[PlaceElement, ...]
    members: tuple[StarterPlace, ...]
    """The fields of a loop."""


@dataclass(slots=True)
class _Draft:
    """A field while the releases are merged."""

    tag: str
    when: ValueCondition | None
    labels: list[str] = field(default_factory=list)
    is_many: bool = False
    uses: list[SegmentUse] = field(default_factory=list)
    bodies: list[_Layer] = field(default_factory=list)
    """Its bodies in all releases."""

    def add(self, node: Node, *, is_of_guide: bool) -> None:
        """Lay a node over those before it."""
        if isinstance(node, Loop):
            self.uses.append(node.trigger)
            self.bodies.append(_Layer(node.body[1:], is_of_guide=is_of_guide))
        else:
            self.uses.append(node)
        self.is_many |= node.maximum != 1
        self.labels.append(node.label)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layer:
    nodes: Sequence[Node] = field(kw_only=False)
    is_of_guide: bool


@cache
def places_of(tx_set: str, guide: str = "") -> tuple[StarterPlace, ...]:
    """Return the fields of a set, in the order of its latest release.

    Args:
        tx_set: The set id.
        guide: The implementation guide whose labels name the fields.
    """
    dictionary = shipped()
    layers = []
    if guide:
        of_guide = dictionary.definition(tx_set, dictionary.guide_release(tx_set, guide), guide)
        assert of_guide is not None  # a test makes every starter
        layers.append(_Layer(of_guide.body, is_of_guide=True))
    for release in reversed(dictionary.releases(tx_set)):
        definition = dictionary.definition(tx_set, release)
        assert definition is not None  # it has this release
        layers.append(_Layer(definition.body, is_of_guide=False))
    return _places(layers, (tx_set,))


def _places(layers: Sequence[_Layer], path: tuple[str, ...]) -> tuple[StarterPlace, ...]:
    drafts: dict[tuple[str, ValueCondition | None], _Draft] = {}
    for layer in sorted(layers, key=lambda each: not each.is_of_guide):
        for node in _flat(layer.nodes):
            _find(drafts, node, layer).add(node, is_of_guide=layer.is_of_guide)
    return tuple(_place(draft, drafts.values(), path) for draft in drafts.values())


def _flat(nodes: Iterable[Node]) -> Iterator[Node]:
    """Yield nodes, with nested levels moved out of the levels around them."""
    for node in nodes:
        yield node
        if isinstance(node, Loop) and _tag(node) == _HL:
            yield from (each for each in _flat(node.body[1:]) if _tag(each) == _HL)


def _find(
    drafts: dict[tuple[str, ValueCondition | None], _Draft], node: Node, layer: _Layer
) -> _Draft:
    tag = _tag(node)
    when = _when(node) if layer.is_of_guide and tag != _HL else None
    return drafts.setdefault((tag, when), _Draft(tag, when))


def _place(
    draft: _Draft, siblings_and_self: Iterable[_Draft], path: tuple[str, ...]
) -> StarterPlace:
    siblings = [each for each in siblings_and_self if each.tag == draft.tag and each.when]
    is_rest = draft.when is None and bool(siblings)
    is_many = draft.is_many or is_rest or draft.tag == _HL
    inner = (*path, draft.tag)
    bodies = [
        _Layer([node for node in body.nodes if _tag(node) != _HL], is_of_guide=body.is_of_guide)
        for body in draft.bodies
    ]
    return StarterPlace(
        tag=draft.tag,
        condition=_condition(siblings, "!=") if is_rest else _condition([draft], "="),
        name=label_of(inner, draft.labels, is_many=is_many, is_rest=is_rest),
        is_many=is_many,
        leaves=tuple(_leaves(draft)),
        members=_places(bodies, inner),
    )


def _condition(drafts: Iterable[_Draft], sign: str) -> str:
    """Return a condition of a path: an element is one of the drafts' codes, or none of them."""
    whens = [draft.when for draft in drafts if draft.when]
    if not whens:
        return ""
    codes = dict.fromkeys(code for when in whens for code in when.values)
    component = f".{whens[0].component:02d}" if whens[0].component else ""
    return f"[{whens[0].position:02d}{component}{sign}{'|'.join(codes)}]"


def _leaves(draft: _Draft) -> Iterator[PlaceElement]:
    names = segment_names(draft.tag)
    most = max(len(use.segment.uses) for use in draft.uses)
    for position in range(1, most + 1):
        if not _is_used(draft, position):
            continue
        uses = [
            use.segment.uses[position - 1]
            for use in draft.uses
            if position <= len(use.segment.uses)
        ]
        repetition = "[*]" if any(use.repeat != 1 for use in uses) else ""
        element, name = f"{position:02d}{repetition}", names.element(position) + repetition
        composites = [use.type for use in uses if isinstance(use.type, CompositeType)]
        if not composites:
            yield PlaceElement(element, name)
            continue
        widest = max(composites, key=lambda composite: len(composite.uses))
        for component in range(1, len(widest.uses) + 1):
            if _is_used(draft, position, component):
                path = component_path(name, widest.id, component)
                yield PlaceElement(f"{element}.{component:02d}", path)


def _is_used(draft: _Draft, position: int, component: int = 0) -> bool:
    """Return whether at least one use of the segment allows an element, or a component of it."""
    for use in draft.uses:
        if not use.is_closed:
            return True
        rule = use.rules.get(position)
        if rule is not None and (
            not component or not rule.components or component in rule.components
        ):
            return True
    return False


def _tag(node: Node) -> str:
    return node.trigger.segment.id if isinstance(node, Loop) else node.segment.id


def _when(node: Node) -> ValueCondition | None:
    """Return the codes that tell a use from others of its segment.

    A guide may have one use, for one code, of a segment that the standard has room for many of.
    """
    if isinstance(node, Loop):
        return node.when or node.trigger.when
    codes = node.rules[1].codes if 1 in node.rules else None
    is_one_of_many = node.maximum == 1 and node.base_requirement and node.base_maximum != 1
    if node.when is None and is_one_of_many and codes is not None and len(codes) == 1:
        return ValueCondition(1, None, codes)
    return node.when
