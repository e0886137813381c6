"""Saved maps, as received documents and submissions have them run.

Always with the lineage, so that a partner's complaint can be brought back to a rule.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from longshore.domain.acting import Acting
from longshore.domain.maps.model import SavedMap
from longshore.domain.maps.service import MapService
from longshore.domain.partners.model import Direction
from longshore.domain.partners.usage import LIVE, TEST
from longshore.domain.ports import Compute
from longshore.domain.processing.mapping_runs import MapOutput
from longshore.domain.submission.ports import Conversion, ConvertedDocument
from longshore.engine import ConvertedResult, Stamp
from longshore.kit.clock import Clock
from longshore.kit.environment import Environment

_USAGE: Final[Mapping[Environment, str]] = {Environment.SANDBOX: TEST, Environment.PRODUCTION: LIVE}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Made:
    """What a map made: the members of the result, the sets it read and wrote, the map itself."""

    members: Mapping[str, object]
    source_set: str
    about_set: str
    saved: SavedMap

    def text(self, member: str) -> str:
        """Return a member that is a text."""
        return str(self.members[member])

    @property
    def explain(self) -> str:
        """The lineage, as the text of a JSON object."""
        return json.dumps(self.members["explain"], ensure_ascii=False, separators=(",", ":"))


class SavedMapRunner:
    """Runs saved maps beside the event loop. ``convert``: the work, as the compute adapter has it.

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

    async def run(self, acting: Acting, map_id: int, document: str) -> MapOutput:
        """Return what the newest version of a map makes of a received document.

        Raises:
            LongshoreError: ``not_found``: there is no such map; else as a conversion.
        """
        saved = await self._maps.get(acting.scope, map_id)
        made = await self._made(acting, saved, document, Direction.INBOUND)
        return MapOutput(
            filename=made.text("filename"),
            fmt=made.text("format"),
            transaction_set=made.about_set,
            text=made.text("output"),
            map_version=saved.version,
            explain=made.explain,
        )

    async def convert(self, acting: Acting, conversion: Conversion) -> ConvertedDocument:
        """Return what a map makes of a document to be sent, its first set where it has several.

        Raises:
            LongshoreError: ``not_found``: there is no such map or version; else as a conversion.
        """
        saved = await self._maps.get(acting.scope, conversion.map_id, conversion.map_version)
        made = await self._made(
            acting, saved, conversion.document, Direction.OUTBOUND, conversion.tx_set
        )
        return ConvertedDocument(
            text=made.text("output"),
            format=made.text("format"),
            map_id=conversion.map_id,
            map_version=saved.version,
            source_format=saved.definition.source_fmt,
            source_set=made.source_set,
            explain=made.explain,
        )

    async def _made(
        self,
        acting: Acting,
        saved: SavedMap,
        document: str,
        direction: Direction,
        tx_set: str = "",
    ) -> _Made:
        now, run = self._clock.now(), saved.definition.run()
        result = await self._compute.hand_over(
            self._convert,
            document,
            run.rules,
            direction=direction.value,
            tx_set=run.tx_set or tx_set,
            usage_indicator=_USAGE[acting.environment],
            stamp=Stamp(date=now.strftime("%Y%m%d"), time=now.strftime("%H%M")),
            is_explained=True,
        )
        source_set, about_set = result.sets[0]
        return _Made(
            members=json.loads(result.members),
            source_set=source_set,
            about_set=about_set,
            saved=saved,
        )
