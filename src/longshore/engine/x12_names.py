"""Names of X12 segments and elements for people: labels of the dictionary, else names of maps."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from longshore.mapping.starters.names import component_path, segment_names
from longshore.x12.dictionary.model import CompositeType

_INDEX: Final = re.compile(r"\[([0-9]+)\]")
_MADE_UP: Final = re.compile(r"\.?(element|component)_[0-9]+|\[[0-9]+\]")

# The envelope is around every definition and part of none.
_ENVELOPE: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({
    "ISA": (
        "Interchange header",
        *("Authorization qualifier", "Authorization information"),
        *("Security qualifier", "Security information"),
        *("Sender qualifier", "Sender id", "Receiver qualifier", "Receiver id"),
        *("Date", "Time", "Repetition separator or standards id", "Version"),
        *("Control number", "Acknowledgement requested", "Usage indicator"),
        "Component separator",
    ),
    "GS": (
        "Functional group header",
        *("Functional id", "Sender code", "Receiver code", "Date", "Time"),
        *("Control number", "Responsible agency", "Version"),
    ),
    "ST": ("Transaction set header", "Transaction set", "Control number", "Guide"),
    "SE": ("Transaction set trailer", "Number of segments", "Control number"),
    "GE": ("Functional group trailer", "Number of transaction sets", "Control number"),
    "IEA": ("Interchange trailer", "Number of groups", "Control number"),
    "TA1": (
        "Interchange acknowledgement",
        *("Control number", "Date", "Time", "Acknowledgement code", "Note code"),
    ),
})


@lru_cache(maxsize=4096)
def in_words(label: str) -> str:
    """Return a label of the dictionary as people read it: ``Purchase order number``."""
    text = label.replace("_", " ").strip()
    return text[:1].upper() + text[1:]


@lru_cache(maxsize=1024)
def segment_name(tag: str) -> str:
    """Return the name of a segment, ``""`` if there is none."""
    if tag in _ENVELOPE:
        return _ENVELOPE[tag][0]
    names = segment_names(tag)
    return in_words(names.one) if names.elements else ""


@lru_cache(maxsize=8192)
def element_name(tag: str, position: int) -> str:
    """Return the name of an element by its 1-based position, ``""`` if there is none."""
    envelope = _ENVELOPE.get(tag)
    if envelope is not None:
        return envelope[position] if position < len(envelope) else ""
    return _spelled(segment_names(tag).element(position))


def component_name(composite: CompositeType | None, position: int) -> str:
    """Return the name of a component by its 1-based position, ``""`` if there is none."""
    if composite is None:
        return ""
    label = composite.uses[position - 1].label if position <= len(composite.uses) else ""
    return in_words(label) if label else _spelled(component_path("", composite.id, position))


def _spelled(name: str) -> str:
    """Return a name of maps, such as ``ids[0].value``, as people read it; none that is made up."""
    if _MADE_UP.fullmatch(name):
        return ""
    numbered = _INDEX.sub(lambda match: f" {int(match[1]) + 1}", name)
    return in_words(numbered.replace(".", " "))
