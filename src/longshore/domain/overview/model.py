"""The figures of a period, and what needs attention.

Everything is of one environment. A transaction counts on the day it was stored, an
acknowledgement's latency on the day it was received.

Source: contract.md section 15 (``GET /api/stats``, ``GET /api/attention``).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum, unique
from typing import Final

from longshore.domain.overview.periods import Period
from longshore.domain.transactions.model import TransactionStatus

FAILURES: Final = frozenset({
    TransactionStatus.FAILED,
    TransactionStatus.REJECTED,
    TransactionStatus.INVALID,
    TransactionStatus.QUARANTINED,
})
"""The statuses that count as failed: a list filtered by them shows exactly what is counted."""


OTHER_SETS: Final = "other"
"""Named like a set: all that are not among the most frequent ones. No set has so long a code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DayVolume:
    """How many transactions of a set were stored on a day.

    ``tx_set``: ``""`` of the unreadable, ``OTHER_SETS`` of those that are not told of singly.
    """

    day: date
    tx_set: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DayFailures:
    """How many transactions of a day failed, of how many."""

    day: date
    failed: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DayLatency:
    """How many seconds acknowledgements took that came on a day; None: none came."""

    day: date
    p50_s: int | None
    p95_s: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RejectionReason:
    """Why partners rejected, and how many sets. ``path``: such as ``PO1.06``, ``""`` of a whole.

    ``error``: what a list of acknowledgements is filtered by to show these.
    """

    code: str
    meaning: str
    path: str
    error: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Awaited:
    """Acknowledgements that partners owe now. ``oldest_sent_at`` None: nothing is known to be."""

    count: int
    oldest_sent_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """How many transactions a period has, and how many of them failed."""

    count: int
    failed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """The figures of a period.

    ``failures`` and ``latencies`` have every day of the period, ``volume`` those with transactions;
    ``rejections`` the most frequent first. ``pending_acks`` and ``oldest_unacked_seconds`` are of
    now, whatever the period; None: nothing is owed.
    """

    period: Period
    totals: Totals
    previous: Totals
    pending_acks: int
    oldest_unacked_seconds: int | None
    volume: tuple[DayVolume, ...]
    failures: tuple[DayFailures, ...]
    latencies: tuple[DayLatency, ...]
    rejections: tuple[RejectionReason, ...]


@unique
class AttentionKind(StrEnum):
    """What can need attention."""

    REJECTED = "rejected"
    DELIVERY_FAILED = "delivery_failed"
    CONNECTION_FAILING = "connection_failing"
    QUARANTINED = "quarantined"
    ACK_OVERDUE = "ack_overdue"
    INVALID_RECEIVED = "invalid_received"
    CONTROL_NUMBERS_LOW = "control_numbers_low"


@unique
class AttentionSeverity(StrEnum):
    """How bad it is."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, kw_only=True)
class AttentionItem:
    """Something that somebody should look at.

    ``title``: for people. ``since``: when the oldest of it began, None where nobody knows.
    ``href``: the page of the application that shows exactly these.
    """

    kind: AttentionKind
    severity: AttentionSeverity
    title: str
    count: int
    since: datetime | None
    href: str
