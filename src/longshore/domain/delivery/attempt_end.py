"""Stores the outcome of an attempt in one unit: entry, attempt, sets, partner and events.

The first step changes the entry and is fenced: a worker that has lost its lease stores nothing.

A document is given up when its schedule ends, or when the partner refuses it. One that fails again
and again, while the destination answers, is suspended and the next of its order is sent as a trial:
if that is delivered, the fault is in the document, and it is given up as well.

Source: reliability.md section 10, contract.md section 8; decision 0030.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from longshore.domain.acks.model import AckRowStatus
from longshore.domain.audit.model import NewEntry
from longshore.domain.audit.writer import AuditWriter
from longshore.domain.delivery.acknowledgements import (
    expect_answers,
    expect_nothing_yet,
    finish_own,
)
from longshore.domain.delivery.attempt_decision import (
    AttemptDecision,
    AttemptEnd,
    AttemptReport,
    decide,
    find_suspended,
)
from longshore.domain.delivery.encryption import AttemptFailure, open_failure, sealed_result
from longshore.domain.delivery.model import (
    AttemptResult,
    ClaimRequest,
    JobKind,
    Lease,
    OutboxEntry,
    OutboxState,
)
from longshore.domain.delivery.ports import Sent
from longshore.domain.events.model import EventType, NewEvent
from longshore.domain.events.writer import EventWriter
from longshore.domain.interchanges.store import InterchangeStatus
from longshore.domain.interchanges.writer import step_outbound, store_arrival
from longshore.domain.partners.model import PartnerStatus
from longshore.domain.partners.status import Cause, allowed_steps, step
from longshore.domain.partners.store import StoredPartner
from longshore.domain.ports import WORKER, Ports
from longshore.domain.transactions.encryption import TransactionWriter
from longshore.domain.transactions.model import (
    DeliveryStatus,
    LastError,
    TransactionId,
)
from longshore.domain.transactions.store import SealedTransaction
from longshore.domain.units import WriteUnit
from longshore.kit.faults import fault_point

_ENTRY_STATES: Final = {AttemptEnd.DELIVERED: OutboxState.DONE, AttemptEnd.DEAD: OutboxState.DEAD}
_SENDING: Final = (DeliveryStatus.SENDING, DeliveryStatus.SENT)
_SET_STEPS: Final = {
    # All that an interchange holds has arrived with it, whatever was known of it before.
    AttemptEnd.DELIVERED: (((*_SENDING, DeliveryStatus.FAILED), DeliveryStatus.DELIVERED),),
    AttemptEnd.AWAITING: (((DeliveryStatus.SENDING,), DeliveryStatus.SENT),),
    AttemptEnd.WAITING: ((_SENDING, DeliveryStatus.PENDING),),
    AttemptEnd.DEAD: (
        # A fault of ours may have kept it from being begun.
        ((DeliveryStatus.PENDING,), DeliveryStatus.SENDING),
        (_SENDING, DeliveryStatus.FAILED),
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
_ACTIONS: Final = {
    AttemptEnd.DELIVERED: "interchange.deliver",
    AttemptEnd.DEAD: "interchange.give_up",
}
_PARTNER_ACTIONS: Final = {
    EventType.PARTNER_STATUS_CHANGED: "partner.step",
    EventType.PARTNER_CIRCUIT_OPENED: "partner.circuit_open",
    EventType.PARTNER_CIRCUIT_CLOSED: "partner.circuit_close",
}


class AttemptRecorder:
    """Stores the results of attempts."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    async def record(
        self, unit: WriteUnit, report: AttemptReport, claim: ClaimRequest | None = None
    ) -> OutboxEntry | None:
        """Store all that an attempt changes; nothing if another worker has the lease by now.

        Of an entry that awaits its receipt, or was given up without it, nothing is stored if
        somebody else has changed it. There is no lease then, and no ``claim``: nothing waits behind
        it.

        Returns:
            The entry that waited behind this one, leased as ``claim`` says; None if none did.
        """
        fault_point("dispatch.conclude.before_finish")
        decision = await decide(unit, self._ports, report)
        if not await _step_entry(unit, decision):
            return None
        following = None if claim is None else await _claim_following(unit, decision, claim)
        await self._end_attempt(unit, decision)
        events = await self._step_documents(unit, decision)
        events += await self._settle_trial(unit, decision)
        if decision.failure is None:
            # That a document lies in a mailbox says nothing of its partner.
            if not report.sent.awaits_fetch:
                events += await decision.destination.record_success()
        else:
            events += await decision.destination.record_failure(decision.failure)
        events += await _step_partner(unit, decision)
        fault_point("dispatch.conclude.before_events")
        await self._record_events(unit, decision, events)
        fault_point("dispatch.conclude.before_commit")
        return following

    async def _end_attempt(self, unit: WriteUnit, decision: AttemptDecision) -> None:
        report, attempt = decision.report, decision.own_attempt
        if attempt is None:
            return
        entry, sent = report.entry, decision.report.sent
        of = Lease(id=entry.id, attempt=report.number)
        if decision.end is AttemptEnd.AWAITING:
            assert decision.next_at is not None
            await unit.outbox.await_receipt(of, sent.http_status, decision.next_at)
            return
        result = AttemptResult(
            finished_at=decision.now,
            outcome=sent.verdict.outcome,
            http_status=sent.http_status,
            error_code=sent.error_code,
            next_attempt_at=decision.next_at,
        )
        failure = AttemptFailure(message=sent.message, answer=sent.answer)
        place = ((entry.account_id, entry.new.environment), attempt.id)
        sealed = sealed_result(
            self._ports.sealer, place, result, failure if sent.error_code else None
        )
        is_ended = await unit.outbox.end_attempt(of, sealed)
        for each in decision.replaced:
            await unit.outbox.forget_attempt(each)
        if is_ended:  # not if a receipt comes for one that was counted without it
            await unit.transactions.count_attempt(report.interchange_id, decision.now)

    async def _step_documents(self, unit: WriteUnit, decision: AttemptDecision) -> list[NewEvent]:
        """Change the interchange, its sets and, if it holds acknowledgements, those."""
        report, end, now = decision.report, decision.end, decision.now
        # Before the sets, as whoever keeps an acknowledgement does: else each waits for the other.
        if end in _INTERCHANGE_STATES:
            status = _INTERCHANGE_STATES[end]
            await step_outbound(unit.interchanges, report.interchange_id, status, now)
        events = await self._step_sets(unit, decision)
        if end in _ACK_STATES and report.entry.new.kind == JobKind.ACKNOWLEDGEMENT:
            events += await finish_own(unit, report.interchange_id, _ACK_STATES[end], now)
        return events

    async def _step_sets(self, unit: WriteUnit, decision: AttemptDecision) -> list[NewEvent]:
        report, now = decision.report, decision.now
        stepped: set[TransactionId] = set()
        for start, to in _SET_STEPS[decision.end]:
            stepped.update(
                await unit.transactions.step_deliveries(report.interchange_id, start, to, now)
            )
        sets = await unit.transactions.list_of_interchange(report.interchange_id)
        if decision.end is AttemptEnd.DELIVERED:
            await self._record_delivery(unit, decision, sets)
        changed = [each for each in sets if each.transaction.id in stepped]
        if decision.end is AttemptEnd.DEAD:
            await expect_nothing_yet(unit, changed, now)
        if decision.end is not AttemptEnd.AWAITING:  # an earlier error is not over yet
            await self._set_last_errors(unit, decision, changed)
        if decision.end not in _SET_EVENTS:
            return []
        return [_event(decision, transaction_id) for transaction_id in sorted(stepped)]

    async def _record_delivery(
        self, unit: WriteUnit, decision: AttemptDecision, sets: Sequence[SealedTransaction]
    ) -> None:
        """Store what follows from the arrival: what is expected, and what came in return."""
        interchange_id, now, partner = (
            decision.report.interchange_id,
            decision.now,
            decision.partner,
        )
        # Not when it was over: the partner may have answered by then, and an answer that seems to
        # be older than the sending is one that a later answer may undo.
        assert decision.own_attempt is not None  # what was not begun was not sent
        is_fetched = decision.report.sent.is_fetched
        sent_at = now if is_fetched else decision.own_attempt.started_at
        await unit.interchanges.set_sent(interchange_id, sent_at, now)
        await unit.partners.record_activity(partner.id, now)
        await expect_answers(unit, sets, sent_at, partner.facts.ack_hours, now)
        for delay, arrival in decision.report.replies:
            await store_arrival(unit, self._ports.sealer, arrival, now + delay)

    async def _set_last_errors(
        self, unit: WriteUnit, decision: AttemptDecision, sets: Sequence[SealedTransaction]
    ) -> None:
        sent, entry = decision.report.sent, decision.report.entry
        error = None
        if sent.error_code is not None:
            error = LastError(code=sent.error_code, message=sent.message, at=decision.now)
        elif all(each.result is None for each in decision.attempts):
            return  # there was no error that could be over
        writer = TransactionWriter(unit, self._ports.sealer, self._ports.index, entry.account_id)
        for each in sets:
            await writer.set_last_error(each, error, decision.now)

    async def _settle_trial(self, unit: WriteUnit, decision: AttemptDecision) -> list[NewEvent]:
        """Settle the suspended entry that this one was the trial of.

        Either the trial was delivered, so the suspended entry is given up, or it is due again.
        """
        suspended = await find_suspended(unit, decision.report.entry)
        if suspended is None:
            return []
        now, is_delivered = decision.now, decision.end is AttemptEnd.DELIVERED
        to = OutboxState.DEAD if is_delivered else OutboxState.DUE
        if not is_delivered and decision.failure is not None:
            due_at = decision.destination.retry_at(suspended.new.due_at, decision.failure)
        else:
            due_at = suspended.new.due_at
        await unit.outbox.change_waiting(suspended.id, OutboxState.SUSPENDED, to, due_at, now)
        if not is_delivered:
            return []
        given_up = await self._given_up(unit, decision, suspended)
        events = await self._step_documents(unit, given_up)
        await self._record_audit(unit, given_up, ())
        return events

    async def _given_up(
        self, unit: WriteUnit, decision: AttemptDecision, suspended: OutboxEntry
    ) -> AttemptDecision:
        """Return that a suspended entry is given up, with the error of its last attempt."""
        report = AttemptReport(entry=suspended, sent=decision.report.sent)
        attempts = await unit.outbox.list_attempts(report.interchange_id)
        last = [each for each in attempts if each.outbox_id == suspended.id][-1]
        assert last.result is not None  # it was suspended for that
        failure = open_failure(self._ports.sealer, last)
        sent = Sent(
            verdict=decision.report.sent.verdict,
            error_code=last.result.error_code,
            message="" if failure is None else failure.message,
        )
        return replace(
            decision, report=replace(report, sent=sent), end=AttemptEnd.DEAD, attempts=attempts
        )

    async def _record_events(
        self, unit: WriteUnit, decision: AttemptDecision, events: Sequence[NewEvent]
    ) -> None:
        entry = decision.report.entry
        owner = (entry.account_id, entry.new.environment)
        await EventWriter(unit, self._ports.sealer, owner).record(events, decision.now)
        await self._record_audit(unit, decision, events)

    async def _record_audit(
        self, unit: WriteUnit, decision: AttemptDecision, events: Sequence[NewEvent]
    ) -> None:
        entries = []
        if decision.end in _ACTIONS:
            action, of = _ACTIONS[decision.end], f"interchange {decision.report.interchange_id}"
            entries.append(NewEntry(actor=WORKER, action=action, object=of))
        entries += [
            NewEntry(
                actor=WORKER,
                action=_PARTNER_ACTIONS[each.type],
                object=f"partner {decision.partner.id}",
            )
            for each in events
            if each.type in _PARTNER_ACTIONS
        ]
        writer = AuditWriter(unit, self._ports.sealer, decision.report.entry.account_id)
        await writer.record(entries, decision.now)


async def _step_entry(unit: WriteUnit, decision: AttemptDecision) -> bool:
    """Change the entry; False if another worker has the lease by now."""
    lease, next_at, failure = decision.report.lease, decision.next_at, decision.failure
    if decision.end is AttemptEnd.AWAITING:
        assert next_at is not None
        return await unit.outbox.put_back(lease, next_at, decision.now, OutboxState.AWAITING)
    start = decision.report.entry.state
    if start is not OutboxState.LEASED:
        to, due_at = _ENTRY_STATES.get(decision.end, OutboxState.DUE), decision.now
        if next_at is not None and failure is not None:
            due_at = decision.destination.retry_at(next_at, failure)
        return await unit.outbox.change_waiting(lease.id, start, to, due_at, decision.now)
    if next_at is None or failure is None:
        return await unit.outbox.finish(lease, _ENTRY_STATES[decision.end], decision.now)
    due_at = decision.destination.retry_at(next_at, failure)
    to = OutboxState.SUSPENDED if decision.is_suspect else OutboxState.DUE
    return await unit.outbox.put_back(lease, due_at, decision.now, to)


async def _claim_following(
    unit: WriteUnit, decision: AttemptDecision, claim: ClaimRequest
) -> OutboxEntry | None:
    """Lease the entry that is the next of its order, if this one does not block it any more."""
    entry, now = decision.report.entry, decision.now
    if decision.end is not AttemptEnd.WAITING:
        return await unit.outbox.claim_following(entry, claim)
    if not decision.is_suspect:
        return None
    following = await unit.outbox.claim_following(entry, claim)
    if following is not None:
        await unit.outbox.make_trial(following.id, entry.id)
        return replace(following, trial_of=entry.id)
    # Nothing else of its order can be sent now, so nothing is gained by suspending it.
    suspended = await unit.outbox.find(entry.id)
    assert suspended is not None  # it was suspended in this unit
    await unit.outbox.change_waiting(
        entry.id, OutboxState.SUSPENDED, OutboxState.DUE, suspended.new.due_at, now
    )
    return None


async def _step_partner(unit: WriteUnit, decision: AttemptDecision) -> tuple[NewEvent, ...]:
    if decision.end is AttemptEnd.AWAITING:
        return ()
    if decision.end is AttemptEnd.DELIVERED:
        cause = Cause.SUCCESS
    elif decision.end is AttemptEnd.DEAD or decision.destination.is_long_open:
        cause = Cause.FAILURE
    else:
        return ()
    return await step_partner(unit, decision.partner, cause, decision.now)


def _event(decision: AttemptDecision, transaction_id: TransactionId) -> NewEvent:
    data: dict[str, int | str] = {
        "transaction_id": transaction_id,
        "interchange_id": decision.report.interchange_id,
        "partner_id": decision.partner.id,
    }
    sent = decision.report.sent
    if sent.error_code is not None:
        data["code"] = sent.error_code
    return NewEvent(
        type=_SET_EVENTS[decision.end],
        data=data,
        transaction_id=transaction_id,
        actor=WORKER,
        message=sent.message,
    )


_LEADS_TO: Final = {Cause.SUCCESS: PartnerStatus.ACTIVE, Cause.FAILURE: PartnerStatus.ERROR}


async def step_partner(
    unit: WriteUnit, stored: StoredPartner, cause: Cause, now: datetime
) -> tuple[NewEvent, ...]:
    """Change the status of a partner that fails or works again; in other statuses it stays."""
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
