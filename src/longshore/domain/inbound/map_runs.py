"""Runs the maps of the routes over received sets, before anything is stored of the output.

Each set is converted as an interchange of its own, so that a set that a map cannot convert does not
affect the others. A failed conversion fails the record of that set alone; the set was received and
acknowledged, and a replay converts it again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from longshore.domain.inbound.dispositions import ProcessingNotice, SetDisposition
from longshore.domain.inbound.parser import ParsedInterchange
from longshore.domain.maps.running import MapOutput
from longshore.domain.partners.model import Direction
from longshore.domain.ports import Ports, RequestContext
from longshore.domain.vault.model import NewDocument, SealedDocument
from longshore.domain.vault.service import seal
from longshore.engine.converted import X12, filename_of
from longshore.formats.charset import decode
from longshore.formats.x12doc import LATIN_1
from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.mapping.writes import MappingWarning
from longshore.x12.control import SegmentSpan, element_at
from longshore.x12.walk import Walk


def set_documents(content: bytes, indexes: frozenset[int]) -> dict[int, str]:
    """Return sets of an interchange by their index, from 1.

    Each keeps its ISA and its GS, and each of its segments as it was received. ``content`` is of a
    ``reading.ParsedInterchange``. ``indexes`` is of sets that stand in a group.
    """
    text, charset = decode(content)
    excerpts = _Excerpts(indexes)
    walk = Walk(lambda: (text,), is_single_octet=charset == LATIN_1)
    for spans in walk.span_lists():
        for span in spans:
            excerpts.take(span)
    return excerpts.documents()


class _Excerpts:
    def __init__(self, indexes: frozenset[int]) -> None:
        self._indexes = indexes
        self._isa: list[str] = []
        self._before: list[str] = []  # texts of what precedes the groups: ISA, and ISX if there is
        self._gs: list[str] = []
        self._gs_text = ""
        self._mark = ""
        self._sets: dict[int, list[str]] = {}
        self._ends: dict[int, tuple[str, str]] = {}

    def take(self, span: SegmentSpan) -> None:
        """Take the segments of a stretch."""
        batch = span.batch
        row, text = batch.rows[span.first], batch.texts[span.first]
        if span.tx_index in self._indexes:
            if span.tx_index not in self._sets:
                self._begin(span.tx_index, batch.delimiters.element)
            self._sets[span.tx_index] += batch.texts[span.first : span.last]
        elif row[0] == "ISA":
            self._isa, self._before, self._mark = row, [text], batch.delimiters.segment
        elif row[0] == "ISX":
            self._before.append(text)
        elif row[0] == "GS":
            self._gs, self._gs_text = row, text

    def documents(self) -> dict[int, str]:
        """Return what was taken."""
        return {
            index: "".join(text + self._mark for text in (*texts, *self._ends[index]))
            for index, texts in self._sets.items()
        }

    def _begin(self, index: int, element: str) -> None:
        self._sets[index] = [*self._before, self._gs_text]
        group_end = element.join(("GE", "1", element_at(self._gs, 6)))
        self._ends[index] = (group_end, element.join(("IEA", "1", self._isa[13])))


_PASSING: Final = frozenset({ErrorCode.OVERLOADED, ErrorCode.STORAGE_UNAVAILABLE})
_LONG_BYTES: Final = 262_144  # below it sealing is done sooner than a thread is woken


@dataclass(frozen=True, slots=True, kw_only=True)
class MapOutputs:
    """The documents to be stored after a map was run."""

    output: SealedDocument
    source: SealedDocument | None
    """The document that the map read; None where the route does not save it."""
    warnings: tuple[MappingWarning, ...] = ()
    """Those of the conversion."""


MapRuns = Mapping[int, MapOutputs | ProcessingNotice]
"""By index of the set; a notice says why there is no output."""


async def run_maps(
    ports: Ports, context: RequestContext, read: ParsedInterchange, sets: Sequence[SetDisposition]
) -> MapRuns:
    """Return what the maps of the routes make of the sets that are passed on.

    Raises:
        LongshoreError: ``overloaded``, ``storage_unavailable``: it has to be tried again.
    """
    routed = {each.index: each.route for each in sets if each.route and each.route.map_id}
    if not routed:
        return {}
    documents = await ports.compute.run(set_documents, read.content, frozenset(routed))
    runs: dict[int, MapOutputs | ProcessingNotice] = {}
    for index, route in routed.items():
        assert route is not None  # chosen above
        assert route.map_id is not None
        try:
            output = await ports.maps.run(context, route.map_id, documents[index])
        except LongshoreError as refusal:
            if refusal.code in _PASSING:
                raise
            runs[index] = _notice(refusal)
            continue
        source = None
        if route.save_to_vault:
            source = await _sealed(ports, _source(documents[index], route.tx_set))
        runs[index] = MapOutputs(
            output=await _sealed(ports, _output(output, route.map_id)),
            source=source,
            warnings=output.warnings,
        )
    return runs


def _notice(refusal: LongshoreError) -> ProcessingNotice:
    code = refusal.details[0].code if refusal.details else refusal.code
    return ProcessingNotice(str(code), f"The map could not be run: {refusal.message}")


def _source(document: str, tx_set: str) -> NewDocument:
    return NewDocument(
        filename=filename_of(tx_set, document, X12),
        fmt=X12,
        direction=Direction.INBOUND,
        transaction_set=tx_set,
        content=document,
    )


def _output(output: MapOutput, map_id: int) -> NewDocument:
    return NewDocument(
        filename=output.filename,
        fmt=output.fmt,
        direction=Direction.INBOUND,
        transaction_set=output.transaction_set,
        content=output.text,
        map_id=map_id,
        map_version=output.map_version,
        explain=output.explain,
    )


async def _sealed(ports: Ports, new: NewDocument) -> SealedDocument:
    if len(new.content) + len(new.explain or "") <= _LONG_BYTES:
        return seal(ports.sealer, new)
    return await ports.threads.submit_to_executor(seal, ports.sealer, new)
