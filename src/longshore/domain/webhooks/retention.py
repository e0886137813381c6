"""Removes what was delivered to webhook endpoints a month ago."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from longshore.domain.ports import SYSTEM
from longshore.domain.units import ReadUnit, Units, WriteUnit
from longshore.domain.webhooks.store import EndpointRef
from longshore.kit.clock import Clock

RETAINED: Final = timedelta(days=30)
_BATCH: Final = 500


class WebhookRetention:
    """Removes old deliveries of all accounts, with their attempts; what waits stays."""

    def __init__(self, units: Units, clock: Clock) -> None:
        self._units = units
        self._clock = clock

    async def run_once(self) -> int:
        """Remove what ended and is older than ``RETAINED``; return how many deliveries."""

        async def list_all(unit: ReadUnit) -> Sequence[EndpointRef]:
            return await unit.webhooks.list_all()

        count = 0
        for ref in await self._units.read(SYSTEM, list_all):
            while removed := await self._remove(ref):
                count += removed
        return count

    async def _remove(self, ref: EndpointRef) -> int:
        before = self._clock.now() - RETAINED

        async def remove(unit: WriteUnit) -> int:
            ended = await unit.webhooks.list_ended(ref.id, before, _BATCH)
            for delivery_id, outbox_id in ended:
                await unit.webhooks.delete_delivery(delivery_id, outbox_id)
            return len(ended)

        return await self._units.write(ref.scope, remove)
