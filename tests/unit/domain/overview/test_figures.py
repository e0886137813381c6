"""The figures of a period, from what is counted."""

from datetime import date

from longshore.domain.overview.figures import (
    MAX_REASONS,
    figures_of,
    latencies_of,
    reasons_of,
    totals_of,
)
from longshore.domain.overview.model import DayFailures, DayLatency, DayVolume, Period, Totals
from longshore.domain.overview.store import Group, StoredLatency, StoredStates
from longshore.domain.partners.model import Direction
from longshore.domain.transactions.model import (
    AckStatus,
    DeliveryStatus,
    ProcessingStatus,
    States,
    ValidationStatus,
)

MONDAY, TUESDAY = date(2026, 1, 12), date(2026, 1, 13)
PERIOD = Period(MONDAY, TUESDAY)


def stored(
    direction: Direction, delivery: DeliveryStatus, processing: ProcessingStatus, count: int
) -> StoredStates:
    states = States(processing, ValidationStatus.VALID, delivery, AckStatus.NOT_EXPECTED)
    return StoredStates(day=MONDAY, direction=direction, states=states, count=count)


def test_each_day_has_its_failures_and_a_day_without_any_has_none() -> None:
    out, into = Direction.OUTBOUND, Direction.INBOUND
    not_ours, not_sent = ProcessingStatus.NOT_APPLICABLE, DeliveryStatus.NOT_APPLICABLE
    volume = [
        DayVolume(day=MONDAY, tx_set="850", count=7),
        DayVolume(day=MONDAY, tx_set="997", count=2),
    ]
    unusual = [
        stored(out, DeliveryStatus.FAILED, not_ours, 2),
        stored(out, DeliveryStatus.HELD, not_ours, 1),
        stored(into, not_sent, ProcessingStatus.QUARANTINED, 1),
    ]
    figures = figures_of(PERIOD, volume, unusual)
    assert figures.totals == totals_of(9, unusual) == Totals(count=9, failed=3)
    assert figures.volume == tuple(volume)
    assert figures.failures == (
        DayFailures(day=MONDAY, failed=3, count=9),
        DayFailures(day=TUESDAY, failed=0, count=0),
    )


def test_latencies_are_nearest_ranks_and_a_day_without_answers_has_none() -> None:
    rows = [
        StoredLatency(day=MONDAY, seconds=seconds, count=count)
        for seconds, count in ((5, 10), (60, 9), (3600, 1))
    ]
    assert latencies_of(PERIOD, rows) == (
        DayLatency(day=MONDAY, p50_s=5, p95_s=60),
        DayLatency(day=TUESDAY, p50_s=None, p95_s=None),
    )


def test_a_set_counts_for_each_of_its_complaints_and_the_most_frequent_comes_first() -> None:
    groups = [
        Group(name=" 3@PO1 7@PO1.06 ", count=2, since=None),
        Group(name=" 7@PO1.06 ", count=1, since=None),
        Group(name="", count=1, since=None),
    ]
    told = [(each.error, each.meaning, each.path, each.count) for each in reasons_of(groups)]
    assert told == [
        ("7@PO1.06", "Invalid code value", "PO1.06", 3),
        ("3@PO1", "Mandatory segment missing", "PO1", 2),
        ("none", "No reason given", "", 1),
    ]


def test_the_most_frequent_reasons_are_told() -> None:
    groups = [Group(name=f"7@PO1.{n:02}", count=n, since=None) for n in range(1, 100)]
    told = [each.count for each in reasons_of(groups)]
    assert told == list(range(99, 99 - MAX_REASONS, -1))
