"""For how long the outbox has had something to do: what tells whether workers keep up."""

from __future__ import annotations

from datetime import datetime

from longshore.domain.ports import SYSTEM
from longshore.domain.units import ReadUnit, Units
from longshore.kit.clock import Clock


class Backlog:
    """Looks at the outbox of all accounts."""

    def __init__(self, units: Units, clock: Clock) -> None:
        self._units = units
        self._clock = clock

    async def oldest_seconds(self) -> float:
        """Return for how long the entry that is due longest has been so; 0 if none is.

        One that a worker has leased counts once its lease is over. Held ones never count.

        Raises:
            LongshoreError: ``storage_unavailable``.
        """

        async def next_due(unit: ReadUnit) -> datetime | None:
            return await unit.outbox.next_due()

        due_at = await self._units.read(SYSTEM, next_due)
        return 0.0 if due_at is None else max(0.0, (self._clock.now() - due_at).total_seconds())
