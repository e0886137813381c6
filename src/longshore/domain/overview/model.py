"""The figures of the overview, and the period that they cover: whole days of UTC.

Everything is of one environment. A transaction counts on the day it was stored, the latency of an
acknowledgement on the day it was received.

Source: contract.md section 15 (``GET /api/stats``, ``GET /api/attention``).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum, unique
from typing import Final

from longshore.domain.transactions.model import TransactionStatus
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError

MAX_DAYS: Final = 90
DEFAULT_DAYS: Final = 30

_DAY: Final = timedelta(days=1)
# The period before begins at most MAX_DAYS earlier, and what ends a period is the day after it.
_EARLIEST: Final = date(1971, 1, 1)
_LATEST: Final = date(9998, 12, 31)


class InvalidPeriodError(LongshoreError):
    """The days that are asked for make no period, or too long a one."""

    def __init__(self, param: str, text: str) -> None:
        code, message = ErrorCode.INVALID_PARAMETER, f'Parameter "{param}" {text}.'
        detail = ErrorDetail(code=code, param=param, message=message)
        super().__init__(code, message, details=(detail,))


@dataclass(frozen=True, slots=True)
class Period:
    """Days of UTC, both inclusive."""

    first: date
    last: date

    @property
    def since(self) -> datetime:
        """When it begins, inclusive."""
        return datetime.combine(self.first, time(), tzinfo=UTC)

    @property
    def before(self) -> datetime:
        """When it ends, exclusive."""
        return datetime.combine(self.last + _DAY, time(), tzinfo=UTC)

    @property
    def days(self) -> tuple[date, ...]:
        """Each of its days, the first one first."""
        return tuple(self.first + index * _DAY for index in range(self._length))

    @property
    def previous(self) -> Period:
        """The period of as many days that ends where this one begins."""
        return Period(self.first - self._length * _DAY, self.first - _DAY)

    @property
    def _length(self) -> int:
        return (self.last - self.first).days + 1


def period_of(first: date | None, last: date | None, today: date) -> Period:
    """Return the period between two days; without the last one until today, else of 30 days.

    Raises:
        InvalidPeriodError: It ends before it begins, is too long, or too far away.
    """
    end = today if last is None else last
    if not _EARLIEST <= end <= _LATEST:
        raise InvalidPeriodError("to", f"must be a day from {_EARLIEST} to {_LATEST}")
    begin = end - (DEFAULT_DAYS - 1) * _DAY if first is None else first
    if begin > end:
        text = f"must not be after the last day of the period, {end}"
        raise InvalidPeriodError("from", text)
    if (end - begin).days >= MAX_DAYS:
        text = f"must be at most {MAX_DAYS} days back: {end - (MAX_DAYS - 1) * _DAY} or later"
        raise InvalidPeriodError("from", f"{text}, since the period ends on {end}")
    return Period(begin, end)


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
    """The number of transactions of a set that were stored on a day."""

    day: date
    tx_set: str
    """``""`` of the unreadable, ``OTHER_SETS`` of those that are not counted separately."""
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DayFailures:
    """The number of transactions of a day, and of those that failed."""

    day: date
    failed: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DayLatency:
    """The seconds that acknowledgements took that came on a day; None: none came."""

    day: date
    p50_s: int | None
    p95_s: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RejectionReason:
    """Why partners rejected, and how many sets."""

    code: str
    meaning: str
    path: str
    """Such as ``PO1.06``, ``""`` of a whole."""
    error: str
    """The filter value that lists these acknowledgements."""
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OutstandingAcks:
    """Acknowledgements that are outstanding."""

    count: int
    oldest_sent_at: datetime | None
    """None: of none of them is it known that its document arrived."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """The number of transactions of a period, and of those that failed."""

    count: int
    failed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """The figures of a period.

    ``failures`` and ``latencies`` have every day of the period, ``volume`` those with transactions;
    ``rejections`` the most frequent first. ``pending_acks`` and ``oldest_unacked_seconds`` are of
    now, whatever the period; None: nothing is expected.
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
    """The kinds of things that need attention."""

    REJECTED = "rejected"
    DELIVERY_FAILED = "delivery_failed"
    CONNECTION_FAILING = "connection_failing"
    QUARANTINED = "quarantined"
    ACK_OVERDUE = "ack_overdue"
    INVALID_RECEIVED = "invalid_received"
    CONTROL_NUMBERS_LOW = "control_numbers_low"


@unique
class AttentionSeverity(StrEnum):
    """The severity of a thing that needs attention."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, kw_only=True)
class AttentionItem:
    """Something that somebody should look at."""

    kind: AttentionKind
    severity: AttentionSeverity
    title: str
    """For people."""
    count: int
    since: datetime | None
    """When the oldest of it began, None where nobody knows."""
    href: str
    """The page of the application that shows exactly these."""
