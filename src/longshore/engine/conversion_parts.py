"""Split a source document into the parts that a conversion makes outputs of.

Source: fields-and-mapping.md sections 4 and 7.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from json import loads
from typing import Final, NamedTuple

from longshore.engine.converted import X12
from longshore.engine.decoding import DecodedDocument
from longshore.formats import csvdoc, jsondoc, x12doc, xmldoc
from longshore.formats.refusals import LimitExceededError, encoded
from longshore.mapping.addressing import Addressing, source_addressing
from longshore.mapping.document_x12 import X12Document
from longshore.mapping.lineage import keys_of_sets, unused_fields, unused_x12
from longshore.mapping.pipeline import Checkpoint
from longshore.mapping.rules import RuleList
from longshore.mapping.source import MapSource
from longshore.mapping.sources_fields import FieldSource
from longshore.mapping.sources_x12 import X12Source
from longshore.mapping.targets_x12 import X12Options
from longshore.mapping.tree_xml import xml_root
from longshore.mapping.trees import CsvRoot, json_root
from longshore.x12.dictionary.library import shipped

# All of its keys are held at once to tell which were left unused: about 80 bytes a character.
MAX_EXPLAINED_CHARS: Final = 2_097_152
INBOUND: Final = "inbound"
OUTBOUND: Final = "outbound"
NO_ADDRESSING: Final = Addressing()


class ConversionOptions(NamedTuple):
    """The options of a conversion, besides document and rules."""

    csv_header: bool
    direction: str
    x12: X12Options | None
    """The options of an X12 target, without the envelope of the source."""
    tx_set: str
    is_explained: bool
    is_split: bool
    is_forced: bool
    moment: datetime | None
    """Date and time of the call, if the caller gave them."""
    checkpoint: Checkpoint
    rules_between: int


class ConversionPart(NamedTuple):
    """The part of a source that one output is made of."""

    tx_index: int
    """The index of its set, from 1."""
    tx_set: str
    control_number: str
    source: MapSource
    sender: Addressing
    """The addressing in the envelope of an X12 source."""


def read_x12(reading: DecodedDocument, rules: RuleList, asked: ConversionOptions) -> X12Document:
    """Return an X12 source split into sets, without the segments of unwanted sets.

    Raises:
        LimitExceededError: The conversion is explained, and the source exceeds the limit for that.
    """
    text, charset, _ = reading
    if not text.isascii():
        encoded(text, surrogate_code="lone_surrogate")
    if asked.is_explained and len(text) > MAX_EXPLAINED_CHARS:
        fault = "an X12 document this long is converted, but not explained"
        raise LimitExceededError("explained_chars", MAX_EXPLAINED_CHARS, fault)
    return X12Document(
        text,
        is_single_octet=charset == x12doc.LATIN_1,
        is_traced=asked.is_explained,
        only=1 if rules.is_about_one_set and not asked.is_split else None,
    )


def x12_parts(
    document: X12Document, rules: RuleList, asked: ConversionOptions
) -> Iterator[ConversionPart]:
    """Yield the part of each output: the first set or, with ``is_split``, every set."""
    last = max(document.set_count, 1) if asked.is_split else 1
    for index in range(1, last + 1):
        place = document.set_place(index)
        addressing = NO_ADDRESSING
        if rules.target_format == X12:
            isa, group = document.header(index, "ISA"), document.header(index, "GS")
            addressing = source_addressing(isa, group, place.tx_set)
        yield ConversionPart(
            tx_index=index,
            tx_set=place.tx_set,
            control_number=place.control_number,
            source=X12Source(document, shipped(), index),
            sender=addressing.swapped() if asked.direction == OUTBOUND else addressing,
        )


def field_parts(
    reading: DecodedDocument, rules: RuleList, asked: ConversionOptions
) -> Iterator[ConversionPart]:
    """Yield the part of the output of a JSON, XML or CSV document: the whole document."""
    text = reading.text
    if rules.source_format == "json":
        source = FieldSource(json_root(text), has_literals=True)
    elif rules.source_format == "xml":
        source = FieldSource(xml_root(text))
    else:
        source = FieldSource(CsvRoot(text, header=asked.csv_header))
    yield ConversionPart(
        tx_index=1, tx_set="", control_number="", source=source, sender=NO_ADDRESSING
    )


class SourceKeys:
    """The flat keys of a document, which is parsed for them on first use."""

    def __init__(
        self, reading: DecodedDocument, source_format: str, asked: ConversionOptions
    ) -> None:
        self._reading = reading
        self._source_format = source_format
        self._asked = asked

    def unused(self, index: int, reads: frozenset[str]) -> list[str]:
        """Return the keys of a part that are not among those read; of X12 none of the envelope."""
        keys = self._of_parts.get(index, ())
        return (unused_x12 if self._source_format == X12 else unused_fields)(keys, reads)

    @cached_property
    def _of_parts(self) -> Mapping[int, Sequence[str]]:
        """By the index of each part, its keys in order."""
        text, source_format = self._reading.text, self._source_format
        if source_format == X12:
            keys = list(loads(x12doc.parse(text, charset=self._reading.charset).fields_json))
            return keys_of_sets(keys) if self._asked.is_split else {1: keys}
        if source_format == "json":
            parsed = jsondoc.parse(text)
        elif source_format == "xml":
            parsed = xmldoc.parse(text)
        else:
            parsed = csvdoc.parse(text, header=self._asked.csv_header)
        return {1: list(loads(parsed.fields_json))}
