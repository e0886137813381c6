"""Stores the outcome of an attempt in one unit: entry, attempt, sets, partner and events.

The first step changes the entry and is fenced: a worker that has lost its lease stores nothing.

Source: contract.md section 8 (status of partners).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum, unique
from typing import Final

from longshore.domain.acks.model import AckRowStatus
from longshore.domain.audit.model import NewEntry
from longshore.domain.audit.writer import AuditWriter
from longshore.domain.delivery.acknowledgements import (
    expect_answers,
    expect_nothing_yet,
    finish_own,
)
from longshore.domain.delivery.encryption import AttemptFailure, sealed_result
from longshore.domain.delivery.outcome import (
    AttemptOutcome,
    AttemptVerdict,
    EndedAttempt,
    delivery_deadline,
    next_attempt_at,
)
from longshore.domain.delivery.ports import Sent
from longshore.domain.delivery.store import (
    AttemptResult,
    ClaimRequest,
    DeliveryAttempt,
    JobKind,
    Lease,
    OutboxEntry,
    OutboxState,
)
from longshore.domain.events.model import EventType, NewEvent
from longshore.domain.events.writer import EventWriter
from longshore.domain.interchanges.store import InterchangeStatus
from longshore.domain.interchanges.writer import PreparedArrival, step_outbound, store_arrival
from longshore.domain.partners.encryption import partner_of
from longshore.domain.partners.model import ConnectionStatus, PartnerStatus
from longshore.domain.partners.status import Cause, allowed_steps, step
from longshore.domain.partners.store import StoredPartner
from longshore.domain.ports import WORKER, Ports
from longshore.domain.transactions.encryption import TransactionWriter
from longshore.domain.transactions.model import (
    DeliveryStatus,
    InterchangeId,
    LastError,
    TransactionId,
)
from longshore.domain.transactions.store import SealedTransaction
from longshore.domain.units import WriteUnit
from longshore.kit.environment import Environment
from longshore.kit.faults import fault_point

_LEADS_TO: Final = {Cause.SUCCESS: PartnerStatus.ACTIVE, Cause.FAILURE: PartnerStatus.ERROR}


async def note_connection(
    unit: WriteUnit,
    stored: StoredPartner,
    environment: Environment,
    verdict: AttemptVerdict,
) -> None:
    """Note whether the connection of an environment works."""
    status = ConnectionStatus.FAILING
    if verdict.outcome is AttemptOutcome.SUCCEEDED:
        status = ConnectionStatus.CONNECTED
    elif verdict.disables:
        status = ConnectionStatus.DISABLED
    await unit.partners.set_connection_status(stored.id, environment, status)


async def step_partner(
    unit: WriteUnit, stored: StoredPartner, cause: Cause, now: datetime
) -> tuple[NewEvent, ...]:
    """Step a partner that failed or works again; of one in any other status nothing changes."""
    start, to = stored.state, _LEADS_TO[cause]
    if to not in allowed_steps(start, cause):
        return ()
    if not await unit.partners.set_state(stored.id, start, step(start, to, cause), now):
        return ()
    data = {
        "partner_id": stored.id,
        "partner_status": to.value,
        "previous_status": start.status.value,
    }
    return (NewEvent(type=EventType.PARTNER_STATUS_CHANGED, data=data, actor=WORKER),)


INTERNAL: Final = "internal_error"

_RANDOM_BYTES: Final = 4


@unique
class AttemptEnd(StrEnum):
    """What an attempt leads to: it arrived, it is made again, a person has to look at it."""

    DELIVERED = "delivered"
    WAITING = "waiting"
    DEAD = "dead"


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptReport:
    """What came of an entry's attempt. ``replies``: what was sent in return, and when it comes."""

    entry: OutboxEntry
    sent: Sent
    replies: Sequence[tuple[timedelta, PreparedArrival]] = ()

    @property
    def lease(self) -> Lease:
        """The right to say what came of it."""
        return Lease(id=self.entry.id, attempt=self.entry.attempt)

    @property
    def interchange_id(self) -> InterchangeId:
        """The interchange that was sent."""
        assert self.entry.new.interchange_id is not None
        return self.entry.new.interchange_id


_ENTRY_STATES: Final = {AttemptEnd.DELIVERED: OutboxState.DONE, AttemptEnd.DEAD: OutboxState.DEAD}
_SET_STEPS: Final = {
    # All that an interchange holds has arrived with it, whatever was known of it before.
    AttemptEnd.DELIVERED: (
        (DeliveryStatus.SENDING, DeliveryStatus.DELIVERED),
        (DeliveryStatus.FAILED, DeliveryStatus.DELIVERED),
    ),
    AttemptEnd.WAITING: ((DeliveryStatus.SENDING, DeliveryStatus.PENDING),),
    AttemptEnd.DEAD: (
        # A fault of ours may have kept it from being begun.
        (DeliveryStatus.PENDING, DeliveryStatus.SENDING),
        (DeliveryStatus.SENDING, DeliveryStatus.FAILED),
    ),
}
_INTERCHANGE_STATES: Final = {
    AttemptEnd.DELIVERED: InterchangeStatus.SENT,
    AttemptEnd.DEAD: InterchangeStatus.FAILED,
}
_SET_EVENTS: Final = {
    AttemptEnd.DELIVERED: EventType.TRANSACTION_DELIVERED,
    AttemptEnd.DEAD: EventType.TRANSACTION_FAILED,
}
_ACK_STATES: Final = {AttemptEnd.DELIVERED: AckRowStatus.SENT, AttemptEnd.DEAD: AckRowStatus.FAILED}
_CAUSES: Final = {AttemptEnd.DELIVERED: Cause.SUCCESS, AttemptEnd.DEAD: Cause.FAILURE}
_ACTIONS: Final = {
    AttemptEnd.DELIVERED: "interchange.deliver",
    AttemptEnd.DEAD: "interchange.give_up",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ended:
    """A conclusion, and what follows from it. ``next_at``: of the next attempt, if it waits."""

    conclusion: AttemptReport
    partner: StoredPartner
    attempts: Sequence[DeliveryAttempt]
    end: AttemptEnd
    next_at: datetime | None
    now: datetime

    @property
    def own_attempt(self) -> DeliveryAttempt | None:
        """The attempt that ended; None if a fault of ours kept it from being begun."""
        claim = self.conclusion.entry.attempt
        return next((each for each in self.attempts if each.attempt == claim), None)


class AttemptRecorder:
    """Keeps what came of attempts."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    async def conclude(
        self, unit: WriteUnit, conclusion: AttemptReport, claim: ClaimRequest
    ) -> OutboxEntry | None:
        """Keep all that an attempt changes; nothing, if the lease is another's by now.

        Return the entry that has waited for this one, leased as ``claim`` says; None if none has.
        """
        fault_point("dispatch.conclude.before_finish")
        ended = await self._ended(unit, conclusion)
        if not await _step_entry(unit, ended):
            return None
        following = None
        if ended.end is not AttemptEnd.WAITING:
            following = await unit.outbox.claim_following(conclusion.entry, claim)
        await self._end_attempt(unit, ended)
        # Before the sets, as whoever keeps an acknowledgement does: else each waits for the other.
        if ended.end in _INTERCHANGE_STATES:
            stand = _INTERCHANGE_STATES[ended.end]
            await step_outbound(unit.interchanges, conclusion.interchange_id, stand, ended.now)
        events = await self._step_sets(unit, ended)
        await note_connection(
            unit, ended.partner, conclusion.entry.new.environment, conclusion.sent.verdict
        )
        if ended.end is not AttemptEnd.WAITING:
            is_ack = conclusion.entry.new.kind == JobKind.ACKNOWLEDGEMENT
            if is_ack:
                to = _ACK_STATES[ended.end]
                events += await finish_own(unit, conclusion.interchange_id, to, ended.now)
            events += await step_partner(unit, ended.partner, _CAUSES[ended.end], ended.now)
        fault_point("dispatch.conclude.before_events")
        await self._record(unit, ended, events)
        fault_point("dispatch.conclude.before_commit")
        return following

    async def _ended(self, unit: WriteUnit, conclusion: AttemptReport) -> _Ended:
        entry, sent, now = conclusion.entry, conclusion.sent, self._ports.clock.now()
        assert entry.new.partner_id is not None
        partner = await unit.partners.find(entry.new.partner_id)
        assert partner is not None  # who is traded with stays
        attempts = await unit.outbox.list_attempts(conclusion.interchange_id)
        attempts = [each for each in attempts if each.outbox_id == entry.id]
        end, next_at = AttemptEnd.DELIVERED, None
        if sent.verdict.outcome is not AttemptOutcome.SUCCEEDED:
            hours = partner_of(partner).terms.settings.delivery_deadline_hours
            attempt = EndedAttempt(
                # A fault of ours may have left no attempt: then its claims are counted.
                number=entry.attempt if sent.error_code == INTERNAL else len(attempts),
                verdict=sent.verdict,
                ended_at=now,
                retry_after=sent.retry_after,
                deadline=delivery_deadline(entry.created_at, hours),
            )
            next_at = next_attempt_at(attempt, self._fraction())
            end = AttemptEnd.DEAD if next_at is None else AttemptEnd.WAITING
        return _Ended(
            conclusion=conclusion,
            partner=partner,
            attempts=attempts,
            end=end,
            next_at=next_at,
            now=now,
        )

    def _fraction(self) -> float:
        drawn = int.from_bytes(self._ports.ids.token_bytes(_RANDOM_BYTES))
        return float(drawn / 256**_RANDOM_BYTES)

    async def _end_attempt(self, unit: WriteUnit, ended: _Ended) -> None:
        conclusion, attempt = ended.conclusion, ended.own_attempt
        if attempt is None:
            return
        entry, sent = conclusion.entry, conclusion.sent
        result = AttemptResult(
            finished_at=ended.now,
            outcome=sent.verdict.outcome,
            http_status=sent.http_status,
            error_code=sent.error_code,
            next_attempt_at=ended.next_at,
        )
        failure = AttemptFailure(message=sent.message, answer=sent.answer)
        place = ((entry.account_id, entry.new.environment), attempt.id)
        sealed = sealed_result(
            self._ports.sealer, place, result, failure if sent.error_code else None
        )
        await unit.outbox.end_attempt(conclusion.lease, sealed)
        await unit.transactions.count_attempt(conclusion.interchange_id, ended.now)

    async def _step_sets(self, unit: WriteUnit, ended: _Ended) -> list[NewEvent]:
        conclusion, now = ended.conclusion, ended.now
        stepped: set[TransactionId] = set()
        for start, to in _SET_STEPS[ended.end]:
            stepped.update(
                await unit.transactions.step_deliveries(conclusion.interchange_id, start, to, now)
            )
        sets = await unit.transactions.list_of_interchange(conclusion.interchange_id)
        if ended.end is AttemptEnd.DELIVERED:
            await self._keep_delivered(unit, ended, sets)
        changed = [each for each in sets if each.transaction.id in stepped]
        if ended.end is AttemptEnd.DEAD:
            await expect_nothing_yet(unit, changed, now)
        await self._set_last_errors(unit, ended, changed)
        if ended.end is AttemptEnd.WAITING:
            return []
        return [_event(ended, number) for number in sorted(stepped)]

    async def _keep_delivered(
        self, unit: WriteUnit, ended: _Ended, sets: Sequence[SealedTransaction]
    ) -> None:
        """Keep what follows from the arrival: what is expected, and what came in return."""
        number, now, partner = ended.conclusion.interchange_id, ended.now, ended.partner
        # Not when it was over: the partner may have answered by then, and an answer that seems to
        # be older than the sending is one that a later answer may undo.
        assert ended.own_attempt is not None  # what was not begun was not sent
        sent_at = ended.own_attempt.started_at
        await unit.interchanges.set_sent(number, sent_at, now)
        await unit.partners.record_activity(partner.id, now)
        await expect_answers(unit, sets, sent_at, partner.facts.ack_hours, now)
        for delay, arrival in ended.conclusion.replies:
            await store_arrival(unit, self._ports.sealer, arrival, now + delay)

    async def _set_last_errors(
        self, unit: WriteUnit, ended: _Ended, sets: Sequence[SealedTransaction]
    ) -> None:
        sent, entry = ended.conclusion.sent, ended.conclusion.entry
        error = None
        if sent.error_code is not None:
            error = LastError(code=sent.error_code, message=sent.message, at=ended.now)
        elif len(ended.attempts) == 1:
            return  # there was no error that could be over
        writer = TransactionWriter(unit, self._ports.sealer, self._ports.index, entry.account_id)
        for each in sets:
            await writer.set_last_error(each, error, ended.now)

    async def _record(self, unit: WriteUnit, ended: _Ended, events: Sequence[NewEvent]) -> None:
        entry = ended.conclusion.entry
        owner = (entry.account_id, entry.new.environment)
        await EventWriter(unit, self._ports.sealer, owner).record(events, ended.now)
        entries = []
        if ended.end is not AttemptEnd.WAITING:
            number = ended.conclusion.interchange_id
            entries.append(
                NewEntry(actor=WORKER, action=_ACTIONS[ended.end], object=f"interchange {number}")
            )
        entries += [
            NewEntry(actor=WORKER, action="partner.step", object=f"partner {ended.partner.id}")
            for each in events
            if each.type is EventType.PARTNER_STATUS_CHANGED
        ]
        await AuditWriter(unit, self._ports.sealer, entry.account_id).record(entries, ended.now)


async def _step_entry(unit: WriteUnit, ended: _Ended) -> bool:
    lease = ended.conclusion.lease
    if ended.next_at is not None:
        return await unit.outbox.put_back(lease, ended.next_at, ended.now)
    return await unit.outbox.finish(lease, _ENTRY_STATES[ended.end], ended.now)


def _event(ended: _Ended, number: TransactionId) -> NewEvent:
    data: dict[str, int | str] = {
        "transaction_id": number,
        "interchange_id": ended.conclusion.interchange_id,
        "partner_id": ended.partner.id,
    }
    if ended.conclusion.sent.error_code is not None:
        data["code"] = ended.conclusion.sent.error_code
    return NewEvent(
        type=_SET_EVENTS[ended.end],
        data=data,
        transaction_id=number,
        actor=WORKER,
        message=ended.conclusion.sent.message,
    )
