"""Documents for starter maps, and what becomes of them on the way to JSON and back."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from longshore.engine import convert
from longshore.kit.errors import LongshoreError
from longshore.mapping.document_x12 import X12Document
from longshore.mapping.envelopes import Stamp
from longshore.mapping.starters import THERE_AND_BACK, compiled
from longshore.x12.samples.parts import SampleKind
from tests.unit.x12.valid_documents import a_document, by_name

ROOT: Final = Path(__file__).parents[3]
STAMP: Final = Stamp(date="20260302", time="0915", interchange_number="417", group_number="417")
BY_NAME: Final = by_name()
WITHOUT_STARTER: Final = frozenset({
    "005010X223A2",
    "005010X224A2",
    "004010X096A1",
    "004010X097A1",
    "004010X098A1",
})
"""Guides of the 837, whose starter map is for 005010X222A1, as it is not for the standard alone."""


def there_and_back(text: str, tx_set: str) -> str:
    """Return a document after the way to JSON and back."""
    json = convert(text, compiled(f"{tx_set}-to-json")).output
    return convert(json, compiled(f"json-to-{tx_set}"), stamp=STAMP).output


def unused(key: str, text: str) -> list[str]:
    """Return the keys that a starter map leaves unread."""
    explained = convert(text, compiled(key), stamp=STAMP, is_explained=True).explain
    return explained["unused"]


def body(text: str) -> list[list[list[list[str]]]]:
    """Return the segments of the first set: id and elements, these as repetitions of components.

    Empty elements at the end, which mean nothing, are left out.
    """
    segments = X12Document(text, only=1).sets[1].segments
    rows = []
    for at in range(len(segments.tags)):
        row, marks = segments.plain_row(at), segments.marks[at]
        while not row[-1]:
            row = row[:-1]
        rows.append([
            [
                repetition.split(marks.component)
                for repetition in (
                    element.split(marks.repetition) if marks.repetition else [element]
                )
            ]
            for element in row
        ])
    return rows


def _generated() -> Iterator[tuple[str, str, str]]:
    """Yield set, name and text of a document with every position of each definition."""
    for name, definition in BY_NAME.items():
        is_without_guide = definition.tx_set == "837" and definition.guide is None
        if is_without_guide or definition.guide in WITHOUT_STARTER:
            continue
        yield definition.tx_set, name, a_document(definition, SampleKind.FULL).text()


def _written_by_hand() -> Iterator[tuple[str, str, str]]:
    """Yield set, name and text of the samples, the cases and the valid documents."""
    for path in sorted([*ROOT.glob("samples/*/input.edi"), *ROOT.glob("tests/cases/*.edi")]):
        text = path.read_bytes().decode("latin-1")
        yield _tx_set(text), str(path.relative_to(ROOT)), text
    for path in sorted(ROOT.glob("tests/sets/*.toml")):
        document = tomllib.loads(path.read_text(encoding="utf-8"))["document"]
        yield path.name[:3], path.name, document


def _tx_set(text: str) -> str:
    try:
        header = X12Document(text, only=1).header(1, "ST")
    except LongshoreError:
        return ""
    return header[1] if len(header) > 1 else ""


def _by_name(found: Iterator[tuple[str, str, str]]) -> dict[str, tuple[str, str]]:
    return {name: (tx_set, text) for tx_set, name, text in found if tx_set in SETS}


SETS: Final = (*THERE_AND_BACK, "835", "837")
# Set and text by name.
GENERATED: Final = _by_name(_generated())
BY_HAND: Final = _by_name(_written_by_hand())
