"""The figures of a period, from what is counted in the store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from heapq import nsmallest
from itertools import groupby
from typing import Final

from longshore.domain.acks.complaints import NO_REASON, complaint_of
from longshore.domain.overview.model import (
    FAILURES,
    DayFailures,
    DayLatency,
    DayVolume,
    Period,
    RejectionReason,
    Totals,
)
from longshore.domain.overview.store import Group, StoredLatency, StoredStates
from longshore.domain.transactions.states import derived_status

MAX_SETS: Final = 20
"""Sets that are reported singly: a partner that makes up codes would swell each answer."""

MAX_REASONS: Final = 20
MAX_REJECTIONS: Final = 500
"""Groups of rejected sets that are looked at: each has up to ``MAX_COMPLAINTS`` words."""

NO_COMPLAINT: Final = "none"
"""The filter value for acknowledgements that state no reason."""

_HALF, _MOST = 50, 95


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The charted figures of transactions; ``failures`` has every day of the period."""

    totals: Totals
    volume: tuple[DayVolume, ...]
    failures: tuple[DayFailures, ...]


def figures_of(
    period: Period, volume: Sequence[DayVolume], unusual: Iterable[StoredStates]
) -> Figures:
    """Return what is charted of a period."""
    counts: Counter[date] = Counter()
    for stored in volume:
        counts[stored.day] += stored.count
    failed = _failed(unusual)
    return Figures(
        totals=Totals(count=counts.total(), failed=failed.total()),
        volume=tuple(volume),
        failures=tuple(
            DayFailures(day=day, failed=failed[day], count=counts[day]) for day in period.days
        ),
    )


def totals_of(count: int, unusual: Iterable[StoredStates]) -> Totals:
    """Return the totals of a period that is not charted."""
    return Totals(count=count, failed=_failed(unusual).total())


def latencies_of(period: Period, stored: Iterable[StoredLatency]) -> tuple[DayLatency, ...]:
    """Return how long acknowledgements took, for every day.

    ``stored`` is ascending within a day.
    """
    by_day = {day: [*rows] for day, rows in groupby(stored, key=lambda each: each.day)}
    return tuple(
        DayLatency(
            day=day,
            p50_s=_percentile(by_day.get(day, []), _HALF),
            p95_s=_percentile(by_day.get(day, []), _MOST),
        )
        for day in period.days
    )


def reasons_of(groups: Iterable[Group]) -> tuple[RejectionReason, ...]:
    """Return why partners rejected, the most frequent first, at most ``MAX_REASONS``.

    A set counts for each of the things that are complained of in it.
    """
    counts: Counter[str] = Counter()
    for group in groups:
        for word in words_of(group):
            counts[word] += group.count
    # Chosen before they are put into words: there may be many.
    most = nsmallest(MAX_REASONS, counts.items(), key=lambda each: (-each[1], _error_of(each[0])))
    return tuple(reason_of(word, count) for word, count in most)


def words_of(group: Group) -> Sequence[str]:
    """Return the words of the complaints that rejected sets have in common; ``""`` of none."""
    return group.name.split() or [""]


def reason_of(word: str, count: int) -> RejectionReason:
    """Return what a complaint says of so many sets."""
    if not word:
        return RejectionReason(
            code="", meaning=NO_REASON, path="", error=_error_of(word), count=count
        )
    found = complaint_of(word)
    return RejectionReason(
        code=found.code, meaning=found.meaning, path=found.path, error=_error_of(word), count=count
    )


def _error_of(word: str) -> str:
    return word or NO_COMPLAINT


def _failed(unusual: Iterable[StoredStates]) -> Counter[date]:
    """Return how many failed, by day."""
    failed: Counter[date] = Counter()
    for each in unusual:
        if derived_status(each.direction, each.states) in FAILURES:
            failed[each.day] += each.count
    return failed


def _percentile(rows: Sequence[StoredLatency], percent: int) -> int | None:
    """Return what so many of a hundred took at most (nearest rank); None where there are none."""
    wanted = sum(row.count for row in rows) * percent
    reached = 0
    for row in rows:
        reached += row.count * 100
        if reached >= wanted:
            return row.seconds
    return None
