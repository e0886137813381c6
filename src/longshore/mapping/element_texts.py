"""The values of cells as X12 text: typed by the dictionary, without line breaks.

Source: fields-and-mapping.md section 7, X12, points 7 and 8; x12.md section 1.6.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from longshore.mapping.cells import CellValues
from longshore.mapping.instances import Instance, Place
from longshore.mapping.output_warnings import OutputWarnings
from longshore.mapping.target_refusals import TYPE_MISMATCH, VALUE_TOO_LONG, conversion_failed
from longshore.x12.binary import LENGTH_ELEMENT
from longshore.x12.dictionary.library import Dictionary
from longshore.x12.dictionary.model import CompositeType, ElementType
from longshore.x12.dictionary.release import FIRST_CLASS, nearest

_LINE_BREAK = re.compile("\r\n|\r|\n")
_NUMBER = re.compile(r"[+-]?(?=\.?[0-9])[0-9]*(?:\.[0-9]*)?(?:[eE][+-]?[0-9]{1,3})?")
_INTEGER = re.compile("-?[0-9]+")
_DIGITS = re.compile("[0-9]+")
_NO_DIGIT = str.maketrans("", "", "-.")
_FORMS: Final = {
    "N": (_INTEGER, "is no integer, as the dictionary demands"),
    "R": (_NUMBER, "is no decimal number, as the dictionary demands"),
    "D": (_DIGITS, "is no date of digits, as the dictionary demands"),
    "T": (_DIGITS, "is no time of digits, as the dictionary demands"),
}


class ElementTexts:
    """Makes the texts of segments.

    Lengths are a reason to refuse only where the dictionary has this very release.

    Args:
        release: Six digits, of the document to be written.
    """

    def __init__(self, dictionary: Dictionary, release: str, warnings: OutputWarnings) -> None:
        self._vocabulary = dictionary.vocabulary
        near = nearest(release, FIRST_CLASS)
        older = release if release < near else ""  # has lengths of its own
        earlier = (each for each in FIRST_CLASS if each <= release)
        self._release = max(earlier, default=older)
        self._is_exact = near == release
        self._warnings = warnings
        self._known: dict[str, tuple[ElementType | CompositeType, ...]] = {}

    def of(self, instance: Instance, computed: Mapping[Place, str]) -> dict[Place, str]:
        """Return the text of each cell of a segment that has a value.

        Args:
            instance: The segment.
            computed: The texts of cells whose values are computed, not written by rules.

        Raises:
            LongshoreError: conversion_failed: type_mismatch, value_too_long.
        """
        types = self._types(instance.segment_id)
        texts: dict[Place, str] = {}
        for place, cell in sorted(instance.cells.items(), key=lambda item: item[0]):
            text = computed.get(place, cell.text)
            if place not in computed and not is_binary(instance.segment_id, place[0]):
                text = self._checked(text, _type_at(types, place), cell)
            if text:
                texts[place] = text
        return texts

    def _types(self, segment_id: str) -> tuple[ElementType | CompositeType, ...]:
        if segment_id not in self._known:
            found = self._vocabulary.segment(segment_id, self._release) if self._release else None
            self._known[segment_id] = tuple(use.type for use in found.uses) if found else ()
        return self._known[segment_id]

    def _checked(self, text: str, element: ElementType | None, cell: CellValues) -> str:
        writes = cell.groups[0][-1].writes
        if "\n" in text or "\r" in text:
            message = "line breaks in values became spaces"
            self._warnings.add("line_break_replaced", message, writes)
            text = _LINE_BREAK.sub(" ", text)
        if element is None or not text:
            return text
        text = typed(text, element, writes.rule)
        length = len(text.translate(_NO_DIGIT)) if element.kind[0] in "NR" else len(text)
        if length > element.maximum:
            message = f"the value has more than {element.maximum} characters"
            if self._is_exact:
                raise conversion_failed(VALUE_TOO_LONG, writes.rule, message)
            self._warnings.add(VALUE_TOO_LONG, message, writes)
        return text


def is_binary(segment_id: str, position: int) -> bool:
    """Return whether an element is binary data, which its length precedes."""
    return LENGTH_ELEMENT.get(segment_id, position) == position - 1


def _type_at(types: tuple[ElementType | CompositeType, ...], place: Place) -> ElementType | None:
    """Return the type of a cell; None where the dictionary has none."""
    position, _, component = place
    if position > len(types):
        return None
    found = types[position - 1]
    if isinstance(found, ElementType):
        return found if component < 2 else None  # noqa: PLR2004 - component 1 is the element itself
    uses = found.uses
    inner = uses[max(component, 1) - 1].type if component <= len(uses) else None
    return inner if isinstance(inner, ElementType) else None


def typed(text: str, element: ElementType, rule: int) -> str:
    """Return a value as its type is written.

    Raises:
        conversion_failed: A LongshoreError, type_mismatch.
    """
    form = _FORMS.get(element.kind[0])
    if form is None:
        return text
    pattern, fault = form
    if pattern.fullmatch(text) is None:
        raise conversion_failed(TYPE_MISMATCH, rule, f"the value {fault}")
    if element.kind != "R":
        return text
    if "e" in text or "E" in text:
        return format(Decimal(text), "f")
    return text.removeprefix("+").removesuffix(".")
