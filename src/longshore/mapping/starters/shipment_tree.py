"""The starter map from 856 to nested JSON: orders with their packs and these with their items.

The members of a level have the same names as in the flat list of levels; ``_TREE`` defines which
levels nest in which.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from longshore.mapping.starters.places import StarterPlace
from longshore.mapping.starters.rule_lists import FieldRule, PlacePaths, place_rules

# Of each kind of level: its code, its name, and the segments worth showing.
_KINDS: Final[Mapping[str, tuple[str, str, str]]] = MappingProxyType({
    "shipment": ("S", "shipment", "TD1 TD5 TD3 REF DTM FOB N1"),
    "order": ("O", "orders", "PRF TD1 REF DTM N1"),
    "pallet": ("T", "pallets", "PO4 PAL MAN REF"),
    "pack": ("P", "packs", "PO4 TD1 MAN REF DTM"),
    "item": ("I", "items", "LIN SN1 PO4 PID REF DTM MAN"),
})
_Tree = Mapping[str, "_Tree"]
_ITEMS: Final[_Tree] = {"item": {}}
_TREE: Final[_Tree] = {
    "shipment": {
        "order": {
            "pallet": {"pack": _ITEMS, "item": {}},
            "pack": _ITEMS,
            "item": {"pack": {}},
        },
        "pallet": {"pack": {"order": _ITEMS, "item": {}}},
        "pack": {"order": _ITEMS, "item": {}},
    }
}


def shipment_tree(places: Iterable[StarterPlace]) -> Iterator[FieldRule]:
    """Yield the rules for the fields of the set."""
    by_tag = {place.tag: place for place in places}
    yield from place_rules([by_tag["BSN"], by_tag["DTM"]])
    yield from _rules(_TREE, by_tag["HL"].members, PlacePaths())


def _rules(tree: _Tree, members: Sequence[StarterPlace], around: PlacePaths) -> Iterator[FieldRule]:
    """Yield the rules of levels directly in others; the shipment is the whole document."""
    for kind, inner in tree.items():
        code, name, tags = _KINDS[kind]
        step = f"HL[03={code}]"
        if around.source:
            paths = PlacePaths(f"{around.source}>{step}[*]", "", f"{around.json}{name}[*]")
        else:
            paths = PlacePaths(step, "", name)
        shown = tags.split()
        yield from place_rules([place for place in members if place.tag in shown], paths)
        yield from _rules(
            inner, members, paths._replace(json=f"{paths.json}." if around.source else "")
        )
