"""Valid documents of every definition, as ``longshore sample`` makes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from longshore.x12.dictionary.library import shipped
from longshore.x12.dictionary.model import Definition
from longshore.x12.samples.interchange import SampleAddress, interchange
from longshore.x12.samples.parts import SampleKind
from longshore.x12.samples.sample_set import SampleSegment, SampleSet, sample_set


@dataclass(frozen=True)
class Document:
    """A set and what it is of."""

    sample: SampleSet

    @property
    def definition(self) -> Definition:
        return self.sample.definition

    @property
    def items(self) -> list[SampleSegment]:
        return self.sample.segments

    @property
    def rows(self) -> list[list[str]]:
        return self.sample.rows

    def text(self, rows: Sequence[Sequence[str]] | None = None) -> str:
        """Return the interchange, with these segments in place of its own."""
        return enveloped(self.definition, self.rows if rows is None else rows)


def definitions() -> list[Definition]:
    """Return everything that is shipped: each set in each release, and under each guide."""
    found = []
    dictionary = shipped()
    for entry in dictionary.contents:
        asked: list[tuple[str, str | None]] = [(each, None) for each in entry.releases]
        asked += [(dictionary.guide_release(entry.tx_set, each), each) for each in entry.guides]
        for release, guide in asked:
            definition = dictionary.definition(entry.tx_set, release, guide)
            assert definition is not None
            found.append(definition)
    return found


def name_of(definition: Definition) -> str:
    return f"{definition.tx_set}_{definition.guide or definition.release}"


def by_name() -> dict[str, Definition]:
    """Return all definitions; a name is easier to read than the definition, where a test fails."""
    return {name_of(definition): definition for definition in definitions()}


def enveloped(definition: Definition, *sets: Sequence[Sequence[str]]) -> str:
    """Return an interchange, on one line, with a group of sets of these segments."""
    bodies = [[list(row) for row in rows] for rows in sets]
    first = sample_set(definition, SampleKind.MINIMAL, 0)
    rows = interchange(
        first, bodies, 417, SampleAddress("ZZ", "SENDER"), SampleAddress("ZZ", "RECEIVER")
    )
    return "".join("*".join(row) + "~" for row in rows)


def a_document(definition: Definition, kind: SampleKind, seed: int = 0) -> Document:
    """Return a valid document; the same one for the same seed."""
    return Document(sample_set(definition, kind, seed))
