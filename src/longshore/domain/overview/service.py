"""The figures of a period, and what needs attention, for the overview.

Source: contract.md section 15 (``GET /api/stats``, ``GET /api/attention``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from longshore.domain.overview.attention import MAX_READ, Findings, items_of, recently
from longshore.domain.overview.figures import (
    MAX_REJECTIONS,
    MAX_SETS,
    Figures,
    figures_of,
    latencies_of,
    reasons_of,
    totals_of,
)
from longshore.domain.overview.model import AttentionItem, OutstandingAcks, Stats, Totals, period_of
from longshore.domain.overview.store import Group, StoredLatency
from longshore.domain.ports import RequestContext
from longshore.domain.units import ReadUnit, Units
from longshore.kit.clock import Clock

_SECOND: Final = timedelta(seconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counted:
    """The counts of the store for the figures of a period."""

    figures: Figures
    previous: Totals
    latencies: Sequence[StoredLatency]
    awaited: OutstandingAcks
    rejections: Sequence[Group]


class OverviewService:
    """The overviews of all accounts, each through the scope of its caller."""

    def __init__(self, units: Units, clock: Clock) -> None:
        self._units = units
        self._clock = clock

    async def stats(self, context: RequestContext, first: date | None, last: date | None) -> Stats:
        """Return the figures of the days between two; None: up to today, 30 days back.

        Raises:
            InvalidPeriodError: They make no period, or too long a one.
        """
        now, environment = self._clock.now(), context.environment
        period = period_of(first, last, now.date())

        async def read(unit: ReadUnit) -> _Counted:
            store, span = unit.overview, (environment, period.since, period.before)
            earlier = environment, period.previous.since, period.previous.before
            return _Counted(
                figures=figures_of(
                    period, await store.volumes(*span, MAX_SETS), await store.unusual(*span)
                ),
                previous=totals_of(await store.count(*earlier), await store.unusual(*earlier)),
                latencies=await store.latencies(*span),
                awaited=await store.awaited(environment),
                rejections=await store.rejections(*span, MAX_REJECTIONS),
            )

        counted = await self._units.read(context.scope, read)
        figures = counted.figures
        return Stats(
            period=period,
            totals=figures.totals,
            previous=counted.previous,
            pending_acks=counted.awaited.count,
            oldest_unacked_seconds=_seconds_since(counted.awaited.oldest_sent_at, now),
            volume=figures.volume,
            failures=figures.failures,
            latencies=latencies_of(period, counted.latencies),
            rejections=reasons_of(counted.rejections),
        )

    async def attention(self, context: RequestContext) -> tuple[AttentionItem, ...]:
        """Return what needs attention, as ``items_of`` does."""
        environment, now = context.environment, self._clock.now()
        recent = recently(now)

        async def read(unit: ReadUnit) -> Findings:
            store, span = unit.overview, (environment, recent, now + _SECOND)
            return Findings(
                recent=recent,
                rejected=tuple(await store.open_rejections(*span, MAX_REJECTIONS)),
                undelivered=tuple(await store.undelivered(environment, MAX_READ)),
                failing=tuple(await store.failing_partners(environment, MAX_READ)),
                quarantined=tuple(await store.quarantined(environment)),
                overdue=tuple(await store.overdue(environment, MAX_READ)),
                invalid=tuple(await store.invalid_received(environment, recent, MAX_READ)),
                counters=tuple(await store.counters(environment)),
            )

        return items_of(await self._units.read(context.scope, read))


def _seconds_since(moment: datetime | None, now: datetime) -> int | None:
    """Return the age of an expected answer in seconds; 0 if the clock went back."""
    return None if moment is None else max((now - moment) // _SECOND, 0)
