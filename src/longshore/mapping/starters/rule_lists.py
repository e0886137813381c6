"""Generate the rules from X12 to JSON and back from the fields of a set."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from longshore.mapping.starters.places import PlaceElement, StarterPlace

FieldRule = Mapping[str, str | list[str]]

_HL: Final = "HL"
_INDEX = re.compile(r"\[(?:\*|([0-9]+))\]")

# The envelope in JSON: source, target, in words.
_ENVELOPE: Final = (
    ("ST.01", "transaction.set", "transaction set"),
    ("ST.02", "transaction.control_number", "control number of the set"),
    ("ST.03", "transaction.implementation", "implementation guide of the set"),
    ("GS.08", "transaction.version", "version of the set"),
    ("ISA.05", "interchange.sender.qualifier", "qualifier of the sender's id"),
    ("ISA.06", "interchange.sender.id", "sender of the interchange"),
    ("GS.02", "interchange.sender.group_id", "sender of the group"),
    ("ISA.07", "interchange.receiver.qualifier", "qualifier of the receiver's id"),
    ("ISA.08", "interchange.receiver.id", "receiver of the interchange"),
    ("GS.03", "interchange.receiver.group_id", "receiver of the group"),
)
_WRITTEN_BACK: Final = frozenset(("GS.08", "ST.03"))


class PlacePaths(NamedTuple):
    """The paths of a field: as a source in X12, as a target in X12, and in JSON."""

    source: str = ""
    target: str = ""
    json: str = ""

    def to(self, place: StarterPlace) -> PlacePaths:
        """Return the paths of a field directly in this one."""
        index = "[*]" if place.is_many else ""
        separator = ":" if self.source or place.tag != _HL else ""
        return PlacePaths(
            f"{self.source}{separator}{place.tag}{place.condition}{index}",
            f"{self.target}>{place.tag}{index}" if self.target else f"{place.tag}{index}",
            f"{self.json}.{place.name}{index}" if self.json else f"{place.name}{index}",
        )


_OUTSIDE: Final = PlacePaths()


def to_json(places: Iterable[StarterPlace]) -> Iterator[FieldRule]:
    """Yield the rules from X12 to JSON, in the order of the set."""
    for src, tgt, words in _ENVELOPE:
        yield {"src": src, "tgt": tgt, "note": _note(words, src)}
    yield from place_rules(places)


def place_rules(
    places: Iterable[StarterPlace], around: PlacePaths = _OUTSIDE
) -> Iterator[FieldRule]:
    """Yield the rules from X12 to JSON for some fields.

    Args:
        places: The fields.
        around: The paths of the loop that holds them.
    """
    for inner, leaf, note in _leaves(places, around):
        src, tgt = f"{inner.source}.{leaf.element}", f"{inner.json}.{leaf.name}"
        yield {"src": src, "tgt": tgt, "note": note}


def to_x12(tx_set: str, places: Iterable[StarterPlace]) -> Iterator[FieldRule]:
    """Yield the rules from that JSON back to X12; of the envelope only what the set depends on."""
    yield {"const": tx_set, "tgt": "ST.01", "note": _note("transaction set", "ST.01")}
    for tgt, src, words in _ENVELOPE:
        if tgt in _WRITTEN_BACK:
            yield {"src": src, "tgt": tgt, "note": _note(words, tgt)}
    for inner, leaf, note in _leaves(places, _OUTSIDE):
        src, tgt = f"{inner.json}.{leaf.name}", f"{inner.target}.{leaf.element}"
        yield {"src": src, "tgt": tgt, "note": note}


def _leaves(
    places: Iterable[StarterPlace], around: PlacePaths
) -> Iterator[tuple[PlacePaths, PlaceElement, str]]:
    for place in places:
        inner = around.to(place)
        for leaf in place.leaves:
            yield (
                inner,
                leaf,
                _note(_words(f"{inner.json}.{leaf.name}"), f"{place.tag}.{leaf.element}"),
            )
        yield from _leaves(place.members, inner)


def _words(path: str) -> str:
    """Return ``lines, product ids 2, qualifier`` for ``lines[*].product_ids[1].qualifier``."""
    counted = _INDEX.sub(lambda index: f" {int(index[1]) + 1}" if index[1] else "", path)
    return counted.replace("_", " ").replace(".", ", ")


def _note(words: str, element: str) -> str:
    """Return ``lines, quantity (PO1-02)``."""
    return f"{words} ({element.replace('[*]', '').replace('.', '-')})"
