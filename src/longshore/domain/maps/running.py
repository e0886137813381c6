"""Running saved maps over received documents and over documents to be sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

from longshore.domain.ports import RequestContext
from longshore.mapping.writes import MappingWarning

_WARNINGS_SHOWN: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class MapOutput:
    """The output of a saved map for one document."""

    filename: str
    fmt: str
    """``json``, ``xml``, ``csv`` or ``x12``."""
    transaction_set: str
    """The transaction set of the output; ``""`` for none."""
    text: str = field(repr=False)
    map_version: int
    explain: str | None = None
    """The lineage, as the text of a JSON object."""
    warnings: tuple[MappingWarning, ...] = ()
    """Those of the conversion."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MapConversion:
    """A document to be converted by a saved map."""

    document: str = field(repr=False)
    map_id: int
    map_version: int | None
    """None: the newest."""
    tx_set: str
    """The set of the output, where the map says none."""
    version: str = ""
    """GS08 of the output, where no rule writes it: as agreed with the partner."""


class ConvertedPart(NamedTuple):
    """An output of a map: of a document that it converts set by set, that of one set."""

    text: str
    explain: str
    """The lineage: the text of a JSON object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvertedDocument:
    """The output of a map for a whole document."""

    parts: tuple[ConvertedPart, ...] = field(repr=False)
    """In the order of the source, at least one."""
    format: str
    """``x12``, ``json``, ``csv`` or ``xml``."""
    map_id: int
    map_version: int
    """The version that ran."""
    source_format: str
    """As ``format``."""
    source_set: str
    """The first set of an X12 source, else ``""``."""
    warnings: tuple[MappingWarning, ...] = ()
    """Those of the conversion."""


def warnings_text(warnings: Sequence[MappingWarning]) -> str:
    """Return the first warnings of a conversion and how many more there are; ``""`` for none."""
    texts = [f"{each.text}." for each in warnings[:_WARNINGS_SHOWN]]
    if len(warnings) > len(texts):
        texts.append(f"{len(warnings) - len(texts)} more.")
    return " ".join(texts)


class MapRunner(Protocol):
    """Runs saved maps."""

    async def run(self, context: RequestContext, map_id: int, document: str) -> MapOutput:
        """Return what the newest version of a map makes of an X12 interchange with one set.

        Raises:
            LongshoreError: There is no such map, or it cannot convert this document.
        """
        ...

    async def convert(
        self, context: RequestContext, conversion: MapConversion
    ) -> ConvertedDocument:
        """Return what the map makes of the document: of each set, if it converts them one by one.

        Raises:
            LongshoreError: ``not_found``: there is no such map; ``conversion_failed``: it would
                convert only a part of the document, or nothing; else as a conversion.
        """
        ...
