"""Saved maps, as received documents and submissions have them run.

Always with the lineage, so that a partner's complaint can be brought back to a rule.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from typing import Final, NamedTuple

from longshore.domain.maps.model import SavedMap
from longshore.domain.maps.running import ConvertedDocument, ConvertedPart, MapConversion, MapOutput
from longshore.domain.maps.service import MapService
from longshore.domain.partners.envelopes import LIVE, TEST
from longshore.domain.ports import Compute, RequestContext
from longshore.engine import ConvertedResult, Stamp
from longshore.engine.conversion_parts import INBOUND, OUTBOUND
from longshore.kit.clock import Clock
from longshore.kit.environment import Environment
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError, more_in_details
from longshore.mapping.coverage import (
    DOCUMENT_INCOMPLETE,
    INCOMPLETE,
    NOTHING_CONVERTED,
    SETS_NOT_CONVERTED,
    MapTxSetMismatchError,
)
from longshore.mapping.writes import MappingWarning
from longshore.x12.refusals import advising

_SPLIT_CPU_SECONDS: Final = 20.0
"""Of computing time for a document of several sets: the most that are sent need about five."""
_CHANGE_MAP: Final = "Change the map, or use another one."
_FORCE_FIRST: Final = (
    "Use another map, or convert the document with force and submit the output as content."
)
_USAGE: Final[Mapping[Environment, str]] = {Environment.SANDBOX: TEST, Environment.PRODUCTION: LIVE}


class IncompleteConversionError(LongshoreError):
    """A map converts only a part of the document that is to be sent, or nothing of it."""

    def __init__(
        self, warnings: Sequence[MappingWarning], consequence: str, next_step: str
    ) -> None:
        details = tuple(
            ErrorDetail(code=each.code, param="document", message=each.message) for each in warnings
        )
        text = f"{consequence}: {details[0].message}. {next_step}{more_in_details(len(details))}"
        super().__init__(ErrorCode.CONVERSION_FAILED, text, details=details)


def _submit_advice(warnings: Sequence[MappingWarning]) -> str:
    """Return what a caller can do who submits a document that would be converted in part."""
    codes = {each.code for each in warnings}
    if DOCUMENT_INCOMPLETE in codes:
        return "Submit a document that is complete and has nothing outside its interchanges."
    if codes == {NOTHING_CONVERTED}:
        return _CHANGE_MAP
    return "Submit each part by itself, or change the map."


class _Run(NamedTuple):
    """Result of a run: outputs with their lineage, of a split document one for each set."""

    parts: tuple[ConvertedPart, ...]
    format: str
    filename: str
    warnings: tuple[MappingWarning, ...]
    sets: tuple[tuple[str, str], ...]
    """Of each output, the set that it was made of and the set that it tells of."""

    def warnings_of(self, codes: AbstractSet[str]) -> list[MappingWarning]:
        """Return the warnings that have one of these codes."""
        return [each for each in self.warnings if each.code in codes]


def _run_of(result: ConvertedResult) -> _Run:
    members = json.loads(result.members)
    parts = (
        ConvertedPart(
            each["output"],
            json.dumps(each["explain"], ensure_ascii=False, separators=(",", ":")),
        )
        for each in members.get("outputs", [members])
    )
    return _Run(tuple(parts), members["format"], members["filename"], result.warnings, result.sets)


class SavedMapRunner:
    """Runs saved maps outside the event loop.

    ``convert`` is the work, as the compute adapter has it.

    It is both the ``MapRunner`` of processing and the ``Converter`` of submissions.
    """

    def __init__(
        self,
        maps: MapService,
        clock: Clock,
        compute: Compute,
        convert: Callable[..., ConvertedResult],
    ) -> None:
        self._maps = maps
        self._clock = clock
        self._compute = compute
        self._convert = convert

    async def run(self, context: RequestContext, map_id: int, document: str) -> MapOutput:
        """Return what the newest version of a map makes of a received document.

        Raises:
            IncompleteConversionError: Something of the document would not be converted.
            LongshoreError: ``not_found``: there is no such map; else as a conversion.
        """
        saved = await self._maps.get(context.scope, map_id)
        try:
            made = await self._run(context, saved, document, direction=INBOUND)
        except MapTxSetMismatchError as refusal:
            raise refusal.advising(_CHANGE_MAP) from None
        if missing := made.warnings_of(INCOMPLETE):
            raise IncompleteConversionError(missing, "The document was not converted", _CHANGE_MAP)
        (_, about_set), *_ = made.sets
        return MapOutput(
            filename=made.filename,
            fmt=made.format,
            transaction_set=about_set,
            text=made.parts[0].text,
            map_version=saved.version,
            explain=made.parts[0].explain,
            warnings=made.warnings,
        )

    async def convert(
        self, context: RequestContext, conversion: MapConversion
    ) -> ConvertedDocument:
        """Return what a map makes of a document to be sent.

        A document of several transaction sets is converted set by set, unless the map itself reads
        more than one.

        Raises:
            IncompleteConversionError: Something of the document would not be converted.
            LongshoreError: ``not_found``: there is no such map or version; else as a conversion.
        """
        saved = await self._maps.get(context.scope, conversion.map_id, conversion.map_version)
        run = partial(
            self._run,
            context,
            saved,
            conversion.document,
            direction=OUTBOUND,
            envelope={
                "version": conversion.version,
                "tx_set": "" if saved.definition.tx_set else conversion.tx_set,
            },
        )
        try:
            made = await run()
            if made.warnings_of({SETS_NOT_CONVERTED}):
                made = await run(is_split=True, cpu_seconds=_SPLIT_CPU_SECONDS)
        except MapTxSetMismatchError as refusal:
            raise refusal.advising(_FORCE_FIRST) from None
        if missing := made.warnings_of(INCOMPLETE):
            raise IncompleteConversionError(missing, "Nothing was sent", _submit_advice(missing))
        (source_set, _), *_ = made.sets
        return ConvertedDocument(
            parts=made.parts,
            format=made.format,
            map_id=conversion.map_id,
            map_version=saved.version,
            source_format=saved.definition.source_fmt,
            source_set=source_set,
            warnings=made.warnings,
        )

    async def _run(
        self, context: RequestContext, saved: SavedMap, document: str, **chosen: object
    ) -> _Run:
        now, run = self._clock.now(), saved.definition.run()
        with advising("use a map that reads {}"):
            result = await self._compute.submit_to_executor(
                self._convert,
                document,
                run.rules,
                tx_set=run.tx_set,
                usage_indicator=_USAGE[context.environment],
                stamp=Stamp.at(now),
                is_explained=True,
                **chosen,
            )
        return _run_of(result)
