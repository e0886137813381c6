"""Decision about an entry of the outbox after an attempt to deliver it.

Source: reliability.md section 10; decision 0030.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum, unique
from typing import Final

from longshore.domain.delivery.circuit_breaker import Destination, DestinationFailure
from longshore.domain.delivery.model import (
    AttemptId,
    DeliveryAttempt,
    Lease,
    OutboxEntry,
    OutboxState,
)
from longshore.domain.delivery.outcome import AttemptOutcome, FailureScope, failure_scope
from longshore.domain.delivery.ports import Sent
from longshore.domain.delivery.receipts import find_early_result, sent_of
from longshore.domain.delivery.schedule import (
    EARLY_ATTEMPTS,
    EndedAttempt,
    ScheduleProgress,
    delivery_deadline,
    next_attempt_at,
    schedule_progress,
)
from longshore.domain.interchanges.writer import PreparedArrival
from longshore.domain.partners.encryption import partner_of
from longshore.domain.partners.setting_kinds import OnHeadFailure
from longshore.domain.partners.settings import PartnerSettings
from longshore.domain.partners.store import StoredPartner
from longshore.domain.ports import Ports
from longshore.domain.transactions.model import InterchangeId
from longshore.domain.units import WriteUnit

INTERNAL: Final = "internal_error"

FETCH_SPAN: Final = timedelta(days=7)
"""The time that a partner has to fetch a document from its mailbox, without a deadline."""
_RANDOM_BYTES: Final = 4


@unique
class AttemptEnd(StrEnum):
    """The state of an entry after an attempt."""

    DELIVERED = "delivered"
    WAITING = "waiting"
    """It is tried again."""
    AWAITING = "awaiting"
    """The destination has taken it, and its receipt is awaited; or it lies in a mailbox."""
    DEAD = "dead"
    """It is given up; a person has to look at it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptReport:
    """A worker's report of an attempt."""

    entry: OutboxEntry
    sent: Sent
    replies: Sequence[tuple[timedelta, PreparedArrival]] = ()
    """The messages that the destination sent in return, and how long after that each arrives."""
    attempt: int | None = None
    """The number of the attempt; None: the one that the entry counts."""

    @property
    def number(self) -> int:
        """The number of the attempt."""
        return self.entry.attempt if self.attempt is None else self.attempt

    @property
    def lease(self) -> Lease:
        """The right to store the result."""
        return Lease(id=self.entry.id, attempt=self.entry.attempt)

    @property
    def interchange_id(self) -> InterchangeId:
        """The interchange that was sent."""
        assert self.entry.new.interchange_id is not None
        return self.entry.new.interchange_id


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptDecision:
    """A report, and what is decided about its entry."""

    report: AttemptReport
    partner: StoredPartner
    destination: Destination
    failure: DestinationFailure | None
    """None if the destination has taken it."""
    attempts: Sequence[DeliveryAttempt]
    """Those of the entry, the oldest first."""
    replaced: Sequence[AttemptId]
    """Earlier ones that need not be stored any more."""
    end: AttemptEnd
    next_at: datetime | None
    """When the schedule has the next attempt, if the entry waits; when the receipt is due."""
    now: datetime

    @property
    def own_attempt(self) -> DeliveryAttempt | None:
        """The attempt that ended; None if a fault of ours kept it from being begun."""
        number = self.report.number
        return next((each for each in self.attempts if each.attempt == number), None)

    @property
    def is_suspect(self) -> bool:
        """Return whether the document alone may be at fault, so that the next one is tried."""
        return (
            self.end is AttemptEnd.WAITING
            and self.failure is not None
            and self.failure.scope is FailureScope.UNKNOWN
            and not self.failure.is_trial
            and self.report.sent.http_status is not None
            and len(self.attempts) >= EARLY_ATTEMPTS
            and _settings(self.partner).on_head_failure is OnHeadFailure.PARK
        )


async def decide(unit: WriteUnit, ports: Ports, report: AttemptReport) -> AttemptDecision:
    """Return what becomes of an entry; changes nothing, but locks the receipt that is awaited."""
    if report.sent.awaits_receipt:
        result = await find_early_result(unit, ports.sealer, report.entry)
        if result is not None:
            report = replace(report, sent=sent_of(result))
    entry, sent, now = report.entry, report.sent, ports.clock.now()
    assert entry.new.partner_id is not None
    partner = await unit.partners.find(entry.new.partner_id)
    assert partner is not None  # who is traded with stays
    attempts = await unit.outbox.list_attempts(report.interchange_id)
    attempts = [each for each in attempts if each.outbox_id == entry.id]
    destination = Destination(unit, partner, entry.new.environment, now)
    end, failure, next_at = AttemptEnd.DELIVERED, None, None
    replaced: Sequence[AttemptId] = ()
    if sent.verdict.outcome is not AttemptOutcome.SUCCEEDED:
        failure = DestinationFailure(
            verdict=sent.verdict,
            scope=failure_scope(sent.http_status, sent.error_code),
            retry_after=sent.retry_after,
            is_trial=await find_suspended(unit, entry) is not None,
        )
        progress = schedule_progress(attempts)
        replaced = progress.replaced
        ended = _ended_attempt(report, partner, progress, now)
        # The fault of a destination that fails is not that of the document.
        if failure.scope is FailureScope.DESTINATION and not destination.is_closed:
            ended = replace(ended, is_patient=True)
        next_at = next_attempt_at(ended, _random_fraction(ports))
        end = AttemptEnd.DEAD if next_at is None else AttemptEnd.WAITING
    elif sent.awaits_receipt:
        end = AttemptEnd.AWAITING
        next_at = now + timedelta(minutes=_settings(partner).mdn_due_minutes)
    elif sent.awaits_fetch:
        end = AttemptEnd.AWAITING
        deadline = delivery_deadline(entry.created_at, _settings(partner).delivery_deadline_hours)
        next_at = now + FETCH_SPAN if deadline is None else deadline
    return AttemptDecision(
        report=report,
        partner=partner,
        destination=destination,
        failure=failure,
        attempts=attempts,
        replaced=replaced,
        end=end,
        next_at=next_at,
        now=now,
    )


def _random_fraction(ports: Ports) -> float:
    drawn = int.from_bytes(ports.ids.token_bytes(_RANDOM_BYTES))
    return float(drawn / 256**_RANDOM_BYTES)


def _settings(partner: StoredPartner) -> PartnerSettings:
    return partner_of(partner).terms.settings


def _ended_attempt(
    report: AttemptReport,
    partner: StoredPartner,
    progress: ScheduleProgress,
    now: datetime,
) -> EndedAttempt:
    entry, sent, settings = report.entry, report.sent, _settings(partner)
    is_refused = sent.verdict.outcome is AttemptOutcome.PERMANENT
    return EndedAttempt(
        # A fault of ours may have left no attempt: then its claims are counted.
        number=entry.attempt if sent.error_code == INTERNAL else progress.number,
        verdict=sent.verdict,
        ended_at=now,
        refusals=progress.refusals + is_refused,
        is_patient=settings.on_head_failure is OnHeadFailure.WAIT,
        planned_at=progress.planned_at,
        retry_after=sent.retry_after,
        deadline=delivery_deadline(entry.created_at, settings.delivery_deadline_hours),
    )


async def find_suspended(unit: WriteUnit, entry: OutboxEntry) -> OutboxEntry | None:
    """Return the suspended entry that this one is the trial of; None if it is settled or none."""
    if entry.trial_of is None:
        return None
    found = await unit.outbox.find(entry.trial_of)
    return found if found is not None and found.state is OutboxState.SUSPENDED else None
