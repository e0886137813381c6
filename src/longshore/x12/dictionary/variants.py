"""Split one position or loop into several, which a qualifier distinguishes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from longshore.x12.dictionary.clauses import Clause, Variant
from longshore.x12.dictionary.guides import is_wider
from longshore.x12.dictionary.lines import FileLine
from longshore.x12.dictionary.model import CompositeType, Loop, Node, ValueCondition
from longshore.x12.dictionary.narrowing import place_of
from longshore.x12.dictionary.sets import check_codes, element_of


def split_node(
    line: FileLine, node: Node, clause: Clause, layer: str, requirements: Mapping[str, str]
) -> tuple[tuple[Node, ...], list[str]]:
    """Return one node for each variant, and in words what they allow beyond ``node``.

    Args:
        line: The line of the edit, for faults.
        node: The segment or loop to split.
        clause: The clause that lists the variants.
        layer: The layer that the variants belong to.
        requirements: The requirement codes for M and O. The standard does not require one of
            several variants, so their ``base_requirement`` is O.

    Raises:
        DictionaryError: The node has a condition already, another segment should decide, or the
            deciding element cannot have one of the values.
    """
    trigger = node.trigger if isinstance(node, Loop) else node
    assert clause.decider is not None  # every clause of this kind has one
    segment_id, position, component = clause.decider
    if node.when is not None:
        raise line.fault("what is split has a condition already")
    if segment_id not in {"", trigger.segment.id}:
        raise line.fault(f"the element that decides must be of {trigger.segment.id}")
    of = element_of(line, trigger.segment, position, component)
    if isinstance(of, CompositeType):
        raise line.fault("a composite cannot decide: name a component")
    values = [value for variant in clause.variants for value in variant.values]
    check_codes(line, of, values)
    wider = [*_widenings(node, clause.variants)]
    if beyond := place_of(line, trigger, position, component).refused(values):
        wider.append(f"codes {' '.join(beyond)}")
    demand = node.base_requirement if len(clause.variants) == 1 else "O"
    return tuple(
        replace(
            node,
            requirement=requirements[variant.occurrence.requirement],
            maximum=variant.occurrence.maximum,
            label=variant.label,
            when=ValueCondition(position, component, variant.values),
            layer=layer,
            base_requirement=demand,
        )
        for variant in clause.variants
    ), wider


def _widenings(node: Node, variants: tuple[Variant, ...]) -> Iterator[str]:
    occurrences = [variant.occurrence for variant in variants]
    if node.is_required and all(each.requirement == "O" for each in occurrences):
        yield "not required"
    for variant in variants:
        if is_wider(variant.occurrence.maximum, node.maximum):
            yield f"{variant.label} {variant.occurrence.maximum or '*'} times"
