"""Calls endpoints: the worker's handler of the entries that the queue has stored.

An attempt is stored before the call is made, and its result afterwards, in a unit that is fenced by
the lease. If the process dies in between, the endpoint is called again with the same body and the
same ``webhook-id``, by which the receiver recognises the repeat. Schedule, circuit breaker and
attempts are those of deliveries to partners.

A call that fails leaves its order, so that it delays no other; while the breaker is open it keeps
its place, since then all calls wait. An endpoint that answers 410 is disabled at once, one that has
not taken any call for three days at the next failure.

Fault points: ``webhooks.begin.before_commit``, ``webhooks.begin.after_commit``,
``webhooks.call.after_answer``, ``webhooks.record.before_commit``, ``webhooks.record.after_commit``.

Source: transports.md sections 4 and 5, reliability.md section 10.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from longshore.domain.audit.model import NewEntry
from longshore.domain.audit.writer import AuditWriter
from longshore.domain.delivery.attempt_start import LEASE
from longshore.domain.delivery.circuit_breaker import (
    MAX_RECENT_ATTEMPTS,
    DestinationBreaker,
    DestinationFailure,
)
from longshore.domain.delivery.encryption import AttemptFailure, sealed_result
from longshore.domain.delivery.model import (
    AttemptResult,
    DeliveryAttempt,
    Lease,
    OutboxEntry,
    OutboxState,
    RecentAttempt,
)
from longshore.domain.delivery.outcome import AttemptOutcome, FailureScope, failure_scope
from longshore.domain.delivery.ports import Sent
from longshore.domain.delivery.schedule import (
    EndedAttempt,
    ScheduleProgress,
    next_attempt_at,
    schedule_progress,
)
from longshore.domain.events.model import EventType, NewEvent, SealedEvent
from longshore.domain.events.service import path_of
from longshore.domain.events.writer import EventWriter
from longshore.domain.partners.model import CircuitBreaker, ConnectionStatus
from longshore.domain.ports import WORKER, Ports, Scope
from longshore.domain.units import WriteUnit
from longshore.domain.webhooks.encryption import open_secrets
from longshore.domain.webhooks.model import (
    DisabledReason,
    WebhookDelivery,
    WebhookEndpoint,
    WebhookStatus,
    event_data,
)
from longshore.domain.webhooks.ports import WebhookCall, WebhookTransport
from longshore.domain.webhooks.signature import sign, timestamp_of
from longshore.kit.environment import Environment
from longshore.kit.faults import fault_point

DISABLE_AFTER: Final = timedelta(days=3)
"""An endpoint that fails for so long is disabled."""

_RANDOM_BYTES: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class _StartedCall:
    """A call whose attempt is stored."""

    delivery: WebhookDelivery
    call: WebhookCall


class WebhookSender:
    """The port ``delivery.ports.JobHandler`` for calls of webhooks."""

    def __init__(self, ports: Ports, transport: WebhookTransport, base_url: str) -> None:
        """Make calls whose links begin with ``base_url``; without one they are paths alone."""
        self._ports = ports
        self._transport = transport
        self._base_url = base_url

    async def run(self, entry: OutboxEntry) -> None:
        """Call the endpoint and store the result, unless another worker has the lease by now."""

        async def begin(unit: WriteUnit) -> _StartedCall | None:
            return await self._begin(unit, entry)

        started = await self._ports.units.write(_scope(entry), begin)
        fault_point("webhooks.begin.after_commit")
        if started is None:
            return
        sent = await self._transport.call(started.call)
        fault_point("webhooks.call.after_answer")

        async def record(unit: WriteUnit) -> None:
            await _AttemptRecord(self._ports, unit, entry, started.delivery, sent).store()

        await self._ports.units.write(_scope(entry), record)
        fault_point("webhooks.record.after_commit")

    async def give_up(self, entry: OutboxEntry, code: str) -> None:
        """End an entry that cannot be done as ``dead``; the log has the fault of ours."""
        del code
        now = self._ports.clock.now()

        async def finish(unit: WriteUnit) -> None:
            await unit.outbox.finish(_lease(entry), OutboxState.DEAD, now)

        await self._ports.units.write(_scope(entry), finish)

    async def _begin(self, unit: WriteUnit, entry: OutboxEntry) -> _StartedCall | None:
        """Store that an attempt begins; return None if no call is to be made now.

        That is the case if another worker has the lease by now, if the endpoint is not active any
        more (the entry is cancelled), and if its circuit breaker is open (the entry is due at the
        next probe).
        """
        lease, now = _lease(entry), self._ports.clock.now()
        if not await unit.outbox.renew(lease, now + LEASE):
            return None
        await unit.outbox.lose_attempts(lease, now)
        delivery = await unit.webhooks.find_delivery_of_entry(entry.id)
        assert delivery is not None  # it was stored with the entry
        stored = await unit.webhooks.find(delivery.endpoint_id)
        assert stored is not None  # rows of endpoints stay
        endpoint = stored.endpoint
        if endpoint.status is not WebhookStatus.ACTIVE:
            await unit.outbox.finish(lease, OutboxState.CANCELLED, now)
            return None
        retry_at = await WebhookDestination(unit, endpoint, now).admit()
        if retry_at is not None:
            await unit.outbox.put_back(lease, retry_at, now)
            return None
        event = await unit.events.find(delivery.event_id)
        assert event is not None  # events stay
        if await unit.webhooks.begin_attempt(entry, delivery, now) is None:
            return None
        secrets = [
            each.text
            for each in open_secrets(self._ports.sealer, stored)
            if each.expires_at is None or now < each.expires_at
        ]
        body, timestamp = self._body(event, delivery), timestamp_of(now)
        fault_point("webhooks.begin.before_commit")
        call = WebhookCall(
            url=endpoint.terms.url,
            message_id=delivery.message_id,
            timestamp=timestamp,
            signature=sign(secrets, delivery.message_id, timestamp, body),
            body=body,
            may_be_plain=endpoint.environment is Environment.SANDBOX,
        )
        return _StartedCall(delivery=delivery, call=call)

    def _body(self, event: SealedEvent, delivery: WebhookDelivery) -> bytes:
        path = path_of(event)
        url = f"{self._base_url}{path}" if path else ""
        members = {
            "type": event.type.value,
            "timestamp": event.created_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "data": event_data(event, url, is_replay=delivery.replay > 0),
        }
        return json.dumps(members, separators=(",", ":")).encode()


class WebhookDestination(DestinationBreaker):
    """An endpoint as its circuit breaker sees it, inside a write unit."""

    def __init__(self, unit: WriteUnit, endpoint: WebhookEndpoint, now: datetime) -> None:
        is_failing = endpoint.failing_since is not None
        status = ConnectionStatus.FAILING if is_failing else ConnectionStatus.CONNECTED
        super().__init__(endpoint.breaker, status, now)
        self._unit = unit
        self._endpoint = endpoint

    async def _set_breaker(self, to: CircuitBreaker) -> bool:
        return await self._unit.webhooks.set_breaker(self._endpoint, to)

    async def _set_status(self, status: ConnectionStatus) -> None:
        if status is ConnectionStatus.CONNECTED:
            await self._unit.webhooks.record_success(self._endpoint.id, self._now)
        else:
            await self._unit.webhooks.record_failure(self._endpoint.id, self._now)

    async def _make_due(self, at: datetime, unchanged_since: datetime) -> None:
        await self._unit.webhooks.make_due(self._endpoint.id, at, unchanged_since)

    async def _recent(self) -> Sequence[RecentAttempt]:
        return await self._unit.webhooks.list_recent_attempts(
            self._endpoint.id, MAX_RECENT_ATTEMPTS
        )

    def _events(self, event_type: EventType, text: str) -> tuple[NewEvent, ...]:
        """Record nothing: an endpoint that fails is not called about it."""
        del event_type, text
        return ()


class _AttemptRecord:
    """The result of one attempt, stored in one unit."""

    def __init__(
        self,
        ports: Ports,
        unit: WriteUnit,
        entry: OutboxEntry,
        delivery: WebhookDelivery,
        sent: Sent,
    ) -> None:
        self._ports = ports
        self._unit = unit
        self._entry = entry
        self._delivery = delivery
        self._sent = sent
        self._now = ports.clock.now()

    async def store(self) -> None:
        """Store all that the attempt changes; nothing if another worker has the lease by now."""
        unit, delivery = self._unit, self._delivery
        stored = await unit.webhooks.find(delivery.endpoint_id)
        assert stored is not None  # rows of endpoints stay
        endpoint = stored.endpoint
        destination = WebhookDestination(unit, endpoint, self._now)
        attempts = await unit.webhooks.list_attempts(endpoint.id, delivery.id, delivery.id)
        progress, failure = schedule_progress(attempts), self._failure()
        next_at = None if failure is None else self._next_at(progress, failure, destination)
        if not await self._step_entry(destination, failure, next_at):
            return
        await self._end_attempt(attempts[-1], next_at)
        for each in progress.replaced:
            await unit.outbox.forget_attempt(each)
        if failure is None:
            await destination.record_success()
        else:
            await destination.record_failure(failure)
            await self._disable(endpoint)
        fault_point("webhooks.record.before_commit")

    def _failure(self) -> DestinationFailure | None:
        sent = self._sent
        if sent.verdict.outcome is AttemptOutcome.SUCCEEDED:
            return None
        return DestinationFailure(
            verdict=sent.verdict,
            scope=failure_scope(sent.http_status, sent.error_code),
            retry_after=sent.retry_after,
        )

    def _next_at(
        self,
        progress: ScheduleProgress,
        failure: DestinationFailure,
        destination: WebhookDestination,
    ) -> datetime | None:
        is_refused = failure.verdict.outcome is AttemptOutcome.PERMANENT
        ended = EndedAttempt(
            number=progress.number,
            verdict=failure.verdict,
            ended_at=self._now,
            refusals=progress.refusals + is_refused,
            # The fault of an endpoint that fails is not that of the event.
            is_patient=failure.scope is FailureScope.DESTINATION and not destination.is_closed,
            planned_at=progress.planned_at,
            retry_after=failure.retry_after,
        )
        drawn = int.from_bytes(self._ports.ids.token_bytes(_RANDOM_BYTES))
        return next_attempt_at(ended, float(drawn / 256**_RANDOM_BYTES))

    async def _step_entry(
        self,
        destination: WebhookDestination,
        failure: DestinationFailure | None,
        next_at: datetime | None,
    ) -> bool:
        """Change the entry; False if another worker has the lease by now."""
        outbox, lease, now = self._unit.outbox, _lease(self._entry), self._now
        if failure is None or next_at is None:
            to = OutboxState.DONE if failure is None else OutboxState.DEAD
            return await outbox.finish(lease, to, now)
        if not await outbox.put_back(lease, destination.retry_at(next_at, failure), now):
            return False
        if destination.is_closed:
            await self._unit.webhooks.leave_order(self._entry)
        return True

    async def _end_attempt(self, attempt: DeliveryAttempt, next_at: datetime | None) -> None:
        sent, entry = self._sent, self._entry
        result = AttemptResult(
            finished_at=self._now,
            outcome=sent.verdict.outcome,
            http_status=sent.http_status,
            error_code=sent.error_code,
            next_attempt_at=next_at,
        )
        failure = AttemptFailure(message=sent.message, answer=sent.answer)
        of = ((entry.account_id, entry.new.environment), attempt.id)
        sealed = sealed_result(self._ports.sealer, of, result, failure if sent.error_code else None)
        await self._unit.outbox.end_attempt(_lease(entry), sealed)

    async def _disable(self, endpoint: WebhookEndpoint) -> None:
        """Disable an endpoint that is gone, or has failed for too long."""
        since = endpoint.failing_since
        if self._sent.verdict.disables:
            reason = DisabledReason.GONE
        elif since is not None and self._now - since >= DISABLE_AFTER:
            reason = DisabledReason.FAILING
        else:
            return
        if not await self._unit.webhooks.disable(endpoint.id, reason, self._now):
            return
        event = NewEvent(
            type=EventType.WEBHOOK_DISABLED,
            data={"webhook_id": endpoint.id, "reason": reason.value},
            actor=WORKER,
        )
        owner = (endpoint.account_id, endpoint.environment)
        await EventWriter(self._unit, self._ports.sealer, owner).record((event,), self._now)
        entry = NewEntry(actor=WORKER, action="webhook.disable", object=f"webhook {endpoint.id}")
        writer = AuditWriter(self._unit, self._ports.sealer, endpoint.account_id)
        await writer.record((entry,), self._now)


def _scope(entry: OutboxEntry) -> Scope:
    return Scope(account_id=entry.account_id, environment=entry.new.environment)


def _lease(entry: OutboxEntry) -> Lease:
    return Lease(id=entry.id, attempt=entry.attempt)
