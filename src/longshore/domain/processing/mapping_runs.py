"""The maps that are run over received sets, before anything is stored of what they made.

A set is converted by itself, as an interchange of its own. What a map refuses fails the record of
that set alone; it was received and acknowledged all the same, and is processed again by a replay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from longshore.domain.acting import RequestContext
from longshore.domain.maps.running import MapOutput
from longshore.domain.partners.model import Direction
from longshore.domain.ports import Ports
from longshore.domain.processing.verdicts import ProcessingNotice, SetVerdict
from longshore.domain.reception.excerpts import set_documents
from longshore.domain.reception.reading import ReadInterchange
from longshore.domain.vault.model import NewDocument, SealedDocument
from longshore.domain.vault.service import seal
from longshore.engine.converted import X12, filename_of
from longshore.kit.errors import ErrorCode, LongshoreError

_PASSING: Final = frozenset({ErrorCode.OVERLOADED, ErrorCode.STORAGE_UNAVAILABLE})
_LONG_BYTES: Final = 262_144  # below it sealing is done sooner than a thread is woken


@dataclass(frozen=True, slots=True, kw_only=True)
class MapOutputs:
    """The documents to be stored after a map was run."""

    output: SealedDocument
    source: SealedDocument | None
    """The document that the map read; None where the route does not save it."""
    warning_codes: tuple[str, ...] = ()


MapRuns = Mapping[int, MapOutputs | ProcessingNotice]
"""By index of the set; a notice says why there is no output."""


async def run_maps(
    ports: Ports, acting: RequestContext, read: ReadInterchange, sets: Sequence[SetVerdict]
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
            output = await ports.maps.run(acting, route.map_id, documents[index])
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
            warning_codes=output.warning_codes,
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
    return await ports.threads.hand_over(seal, ports.sealer, new)
