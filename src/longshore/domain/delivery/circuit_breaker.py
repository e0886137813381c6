"""The circuit breaker of a destination: it stops sending to a partner that cannot take anything.

It opens when the last five attempts failed with no connection, no login or overload, or when half
of at least ten attempts within a minute failed. While it is open nothing is sent but one document
from time to time, as a probe: every half minute, and after two hours every five minutes. The first
document that is delivered closes it, and what waits for the partner is due at once.

The breaker of each environment is stored with the partner, so all workers see it. A document
that is refused for its content proves that the destination works: it closes the breaker as well.

Source: reliability.md section 10, contract.md section 8; decision 0030.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from longshore.domain.delivery.model import RecentAttempt
from longshore.domain.delivery.outcome import (
    AttemptOutcome,
    AttemptVerdict,
    FailureScope,
    failure_scope,
)
from longshore.domain.delivery.schedule import MAX_RETRY_AFTER
from longshore.domain.events.model import EventType, NewEvent
from longshore.domain.partners.model import (
    CLOSED_BREAKER,
    BreakerState,
    CircuitBreaker,
    ConnectionStatus,
)
from longshore.domain.partners.store import StoredPartner
from longshore.domain.ports import WORKER
from longshore.domain.units import WriteUnit
from longshore.kit.environment import Environment

FAILURES_IN_A_ROW: Final = 5
_ROW_SPAN: Final = timedelta(minutes=10)
MIN_ATTEMPTS: Final = 10
_RATE_SPAN: Final = timedelta(seconds=60)
PROBE_PAUSE: Final = timedelta(seconds=30)
LATER_PROBE_PAUSE: Final = timedelta(minutes=5)
_LATER: Final = timedelta(hours=2)
ERROR_AFTER: Final = timedelta(minutes=10)
"""A partner whose breaker is open for so long has the status ``error``."""
MAX_RECENT_ATTEMPTS: Final = 50
_SETTLED: Final = timedelta(seconds=30)
_TURN: Final = timedelta(seconds=1)
_OPENED: Final = "The destination fails. Documents wait, and one at a time is sent as a probe."
_CLOSED: Final = "The destination accepts documents again. Those that waited are sent."


def should_open(recent: Sequence[RecentAttempt], now: datetime) -> bool:
    """Tell whether attempts, the newest first, say that the destination cannot take anything."""
    last = [each for each in recent[:FAILURES_IN_A_ROW] if _is_of_destination(each)]
    if len(last) == FAILURES_IN_A_ROW and now - last[-1].finished_at <= _ROW_SPAN:
        return True
    within = [each for each in recent if now - each.finished_at <= _RATE_SPAN]
    failures = sum(map(_may_be_of_destination, within))
    return len(within) >= MIN_ATTEMPTS and 2 * failures >= len(within)


def _is_of_destination(attempt: RecentAttempt) -> bool:
    return _scope(attempt) is FailureScope.DESTINATION


def _may_be_of_destination(attempt: RecentAttempt) -> bool:
    return _scope(attempt) not in {None, FailureScope.DOCUMENT}


def _scope(attempt: RecentAttempt) -> FailureScope | None:
    if attempt.outcome is AttemptOutcome.SUCCEEDED:
        return None
    return failure_scope(attempt.http_status, attempt.error_code)


@dataclass(frozen=True, slots=True, kw_only=True)
class DestinationFailure:
    """A failed attempt, as its destination is concerned."""

    verdict: AttemptVerdict
    scope: FailureScope
    retry_after: timedelta | None = None
    is_trial: bool = False
    """True if the document before it failed in the same manner."""


class DestinationBreaker(ABC):
    """The circuit breaker of a destination, inside a write unit; subclasses store it."""

    def __init__(self, breaker: CircuitBreaker, status: ConnectionStatus, now: datetime) -> None:
        self._breaker = breaker
        self._status = status
        self._now = now

    @property
    def is_closed(self) -> bool:
        """Return whether everything is sent."""
        return self._breaker == CLOSED_BREAKER

    @property
    def is_long_open(self) -> bool:
        """Return whether the breaker has been open for so long that the partner is in error."""
        opened_at = self._breaker.opened_at
        return opened_at is not None and self._now - opened_at >= ERROR_AFTER

    def retry_at(self, due_at: datetime, failure: DestinationFailure) -> datetime:
        """Return when a document that failed may be claimed, if its schedule says then.

        While the breaker is not closed, that is a moment after the next probe may be made:
        documents take turns, so that one which always fails does not prevent the probe of others.
        """
        if self.is_closed or failure.scope is FailureScope.DOCUMENT:
            return due_at
        return min(due_at, self._next_probe_at(failure) + _TURN)

    async def admit(self) -> datetime | None:
        """Let an attempt begin, as a probe if the breaker is not closed.

        Returns:
            None if the attempt may begin; otherwise when it may be tried again.
        """
        breaker = self._breaker
        if breaker.probe_at is None:
            return None
        if breaker.probe_at > self._now:
            return breaker.probe_at
        probe_at = self._now + PROBE_PAUSE
        probing = replace(breaker, state=BreakerState.HALF_OPEN, probe_at=probe_at)
        return None if await self._set_breaker(probing) else probe_at

    async def record_success(self) -> tuple[NewEvent, ...]:
        """Store that the destination works; close its breaker and make due what waits."""
        await self._set_status(ConnectionStatus.CONNECTED)
        if not self.is_closed:
            return await self._close()
        if self._status is ConnectionStatus.FAILING:
            # What failed a moment ago would only fail again, each time another is delivered.
            await self._make_due(self._now, self._now - _SETTLED)
        return ()

    async def record_failure(self, failure: DestinationFailure) -> tuple[NewEvent, ...]:
        """Store that an attempt failed; open the breaker if that is one failure too many.

        The attempt and its result are stored before.
        """
        disables = failure.verdict.disables
        await self._set_status(ConnectionStatus.DISABLED if disables else ConnectionStatus.FAILING)
        if failure.scope is FailureScope.DOCUMENT:
            return () if self.is_closed else await self._close()
        probe_at = self._next_probe_at(failure)
        if not self.is_closed:
            await self._set_breaker(
                replace(self._breaker, state=BreakerState.OPEN, probe_at=probe_at)
            )
            return ()
        if not failure.is_trial and not should_open(await self._recent(), self._now):
            return ()
        opened = CircuitBreaker(state=BreakerState.OPEN, opened_at=self._now, probe_at=probe_at)
        if not await self._set_breaker(opened):
            return ()
        await self._make_due(probe_at, self._now)
        return self._events(EventType.PARTNER_CIRCUIT_OPENED, _OPENED)

    async def probe_now(self) -> bool:
        """Let the next attempt be a probe; False if it would be sent anyhow."""
        probe_at = self._breaker.probe_at
        if probe_at is None or probe_at <= self._now:
            return False
        return await self._set_breaker(replace(self._breaker, probe_at=self._now))

    async def _close(self) -> tuple[NewEvent, ...]:
        is_closed = await self._set_breaker(CLOSED_BREAKER)
        await self._make_due(self._now, self._now)
        return self._events(EventType.PARTNER_CIRCUIT_CLOSED, _CLOSED) if is_closed else ()

    def _next_probe_at(self, failure: DestinationFailure) -> datetime:
        opened_at = self._breaker.opened_at or self._now
        pause = LATER_PROBE_PAUSE if self._now - opened_at >= _LATER else PROBE_PAUSE
        asked = min(failure.retry_after or timedelta(0), MAX_RETRY_AFTER)
        return self._now + max(pause, asked)

    @abstractmethod
    async def _set_breaker(self, to: CircuitBreaker) -> bool:
        """Store another state; False if another worker was first."""

    @abstractmethod
    async def _set_status(self, status: ConnectionStatus) -> None:
        """Store what is known of the connection."""

    @abstractmethod
    async def _make_due(self, at: datetime, unchanged_since: datetime) -> None:
        """Bring forward the next attempts, as ``OutboxStore.make_due`` says."""

    @abstractmethod
    async def _recent(self) -> Sequence[RecentAttempt]:
        """Return attempts that have ended, the newest first."""

    @abstractmethod
    def _events(self, event_type: EventType, text: str) -> tuple[NewEvent, ...]:
        """Return what is recorded when the breaker opens or closes."""


class Destination(DestinationBreaker):
    """The connection of a partner for one environment, inside a write unit."""

    def __init__(
        self, unit: WriteUnit, stored: StoredPartner, environment: Environment, now: datetime
    ) -> None:
        is_live = environment is Environment.PRODUCTION
        super().__init__(
            stored.live_breaker if is_live else stored.test_breaker,
            stored.live_status if is_live else stored.test_status,
            now,
        )
        self._unit = unit
        self._stored = stored
        self._environment = environment

    async def _set_breaker(self, to: CircuitBreaker) -> bool:
        return await self._unit.partners.set_breaker(
            self._stored.id, self._environment, self._breaker, to
        )

    async def _set_status(self, status: ConnectionStatus) -> None:
        await self._unit.partners.set_connection_status(self._stored.id, self._environment, status)

    async def _make_due(self, at: datetime, unchanged_since: datetime) -> None:
        await self._unit.outbox.make_due(self._stored.id, self._environment, at, unchanged_since)

    async def _recent(self) -> Sequence[RecentAttempt]:
        return await self._unit.outbox.list_recent_attempts(
            self._stored.id, self._environment, MAX_RECENT_ATTEMPTS
        )

    def _events(self, event_type: EventType, text: str) -> tuple[NewEvent, ...]:
        data = {"partner_id": self._stored.id}
        return (NewEvent(type=event_type, data=data, actor=WORKER, message=text),)
