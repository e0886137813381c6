"""Fit a schema into a dictionary: what it has already is left out, and its names are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeVar

from longshore.x12.dictionary.importing.schema import (
    IMPORTED,
    ImportedElement,
    ImportedSchema,
    ImportedSegment,
    ImportedUse,
)
from longshore.x12.dictionary.model import (
    CodeList,
    CompositeType,
    ElementType,
    ElementUse,
    SegmentType,
)
from longshore.x12.dictionary.vocabulary import Vocabulary

_Part = TypeVar("_Part")


def fitted(schema: ImportedSchema, known: Vocabulary) -> ImportedSchema:
    """Return the parts of a schema that a dictionary does not have in the same way.

    If the file has no names, labels are those of the dictionary, and so are the code lists of
    elements for which the file has none. A code list that differs gets a name of its own.
    """
    return _Fitting(schema, known).schema()


class _Fitting:
    def __init__(self, schema: ImportedSchema, known: Vocabulary) -> None:
        self._schema = schema
        self._known = known
        self._release = schema.sets[0].release

    def schema(self) -> ImportedSchema:
        """Return the schema without what is known."""
        of = self._schema
        return replace(
            of,
            segments=_changed(of.segments, self._segment),
            composites=_changed(of.composites, self._composite),
            elements=_changed(of.elements, self._element),
        )

    def _segment(self, of: ImportedSegment) -> ImportedSegment | None:
        known = self._known.segment(of.id, self._release)
        return of if known is None else self._new(of, known, known.label)

    def _composite(self, of: ImportedSegment) -> ImportedSegment | None:
        known = self._known.composite(of.id, self._release)
        label = self._known.label(of.id, self._release)
        named = replace(of, label=label)  # no form has labels of composites
        return named if known is None else self._new(named, known, label)

    def _new(
        self, of: ImportedSegment, known: SegmentType | CompositeType, label: str
    ) -> ImportedSegment | None:
        """Return a segment or composite with the labels of a known one; None if it is the same."""
        if not self._schema.has_names:
            pairs = zip(of.uses, known.uses, strict=False)
            named = tuple(_named(use, other) for use, other in pairs)
            of = replace(of, label=label, uses=named + of.uses[len(known.uses) :])
        uses = tuple(map(_as_imported, known.uses))
        return None if of == ImportedSegment(of.id, uses, known.notes, label) else of

    def _element(self, of: ImportedElement) -> ImportedElement | None:
        known = self._known.element(of.number, self._release)
        label = self._known.label(of.number, self._release)
        codes = of.codes
        if codes is None and known is not None and not self._schema.has_names:
            codes = known.codes
        if codes is not None and codes != self._known_list(codes):
            codes = replace(codes, name=f"{IMPORTED}{of.number}_{self._release}")
        same = ElementType(of.number, of.kind, of.minimum, of.maximum, codes)
        return None if same == known else replace(of, codes=codes, label=label)

    def _known_list(self, codes: CodeList) -> CodeList | None:
        return self._known.code_list(codes.name, self._release) if codes.name else None


def _changed(parts: Iterable[_Part], change: Callable[[_Part], _Part | None]) -> list[_Part]:
    return [new for new in map(change, parts) if new is not None]


def _named(use: ImportedUse, other: ElementUse) -> ImportedUse:
    return replace(use, label=other.label) if use.reference == other.reference else use


def _as_imported(use: ElementUse) -> ImportedUse:
    return ImportedUse(use.reference, use.is_mandatory, use.repeat, use.label)
