"""Retry, cancel and redrive: what they change inside a write unit.

An interchange is delivered as a whole, so an action on one of its sets applies to all sets for
which it is allowed: a retry sends all that failed, a cancellation stops all that did not arrive.
Each step names the state it starts from and changes nothing if the row has another state by then.
An action on several transactions is carried out on all of them or on none.

Source: contract.md sections 5 (actions) and 8, transports.md section 5.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Final, NamedTuple

from longshore.domain.acks.encryption import answer_ack
from longshore.domain.acks.model import AckRowStatus
from longshore.domain.acks.overdue import expected_by
from longshore.domain.audit.writer import AuditWriter, entry_of
from longshore.domain.delivery.acknowledgements import awaited_of, finish_own
from longshore.domain.delivery.circuit_breaker import Destination
from longshore.domain.delivery.model import (
    OPEN_STATES,
    WAITING_STATES,
    JobKind,
    OutboxEntry,
    OutboxState,
)
from longshore.domain.events.model import EventType, NewEvent
from longshore.domain.events.writer import EventWriter
from longshore.domain.interchanges.store import InterchangeStatus
from longshore.domain.interchanges.writer import step_outbound
from longshore.domain.partners.encryption import partner_of
from longshore.domain.partners.model import PartnerStatus
from longshore.domain.ports import RequestContext, Sealer
from longshore.domain.transactions.errors import (
    ConcurrentChangeError,
    InProgressError,
    TransactionNotFoundError,
)
from longshore.domain.transactions.model import (
    DeliveryStatus,
    InterchangeId,
    Transaction,
    TransactionId,
    TransactionStatus,
)
from longshore.domain.transactions.reissue import VISIBLE_TO_USERS, ensure_partner_accepts
from longshore.domain.transactions.resend_chain import check_alone, lock_chains
from longshore.domain.transactions.states import Action, check_action
from longshore.domain.transactions.store import SealedTransaction
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.environment import Environment
from longshore.kit.faults import fault_point

_NOT_ARRIVED: Final = (DeliveryStatus.PENDING, DeliveryStatus.HELD, DeliveryStatus.FAILED)


class InterchangeActions:
    """The actions on the interchange of a transaction, in one write unit.

    ``stepped`` is the sets whose delivery stands elsewhere now. ``events`` is what is to be
    recorded in the feeds of the environments.
    """

    def __init__(self, unit: WriteUnit, sealer: Sealer, actor: str, now: datetime) -> None:
        self._unit = unit
        self._sealer = sealer
        self._actor = actor
        self._now = now
        self._is_sooner = False  # whether the last of these brought an attempt forward
        self.stepped: set[TransactionId] = set()
        self.unchanged: set[TransactionId] = set()
        """Those that were about to be sent anyhow."""
        self.events: dict[Environment, list[NewEvent]] = {}

    async def do(self, action: Action, transaction: Transaction, reason: str) -> None:
        """Retry or cancel a transaction; ``reason`` may be empty.

        Raises:
            ConcurrentChangeError: The transaction itself could not step.
            InProgressError: It is being sent, or about to be.
        """
        is_pending = transaction.record.states.delivery is DeliveryStatus.PENDING
        act = _RETRY_NOW if action is Action.RETRY and is_pending else _ACTS[action]
        stepped = await act.run(self, transaction)
        self.stepped.update(stepped)
        if act is _RETRY_NOW and not self._is_sooner:
            self.unchanged.update((transaction.id, *stepped))
            return
        self._emit(transaction, [act.event(each, self._actor, reason) for each in stepped])

    async def send_again(self, transaction: Transaction) -> Sequence[TransactionId]:
        """Put an interchange behind all that waits for its partner; return the sets that step.

        The same bytes and numbers, as a new entry of the outbox. What was delivered steps only if
        that was asked of one that is. What is awaited of the partner is awaited from now on.

        Raises:
            ConcurrentChangeError: The transaction itself could not step.
            ReplacedError: Something stands in the place of one of the sets that would go along.
            InProgressError: It is about to be sent anyhow.
        """
        interchange_id = _interchange_of(transaction)
        await self._step_interchange(interchange_id, InterchangeStatus.QUEUED)
        starts = dict.fromkeys((DeliveryStatus.FAILED, transaction.record.states.delivery))
        stepped = await self._step(interchange_id, starts, DeliveryStatus.PENDING)
        if transaction.id not in stepped:
            raise ConcurrentChangeError
        # All go along in its bytes, whether they step or not.
        every = await self._unit.transactions.list_ids(interchange_id)
        await check_alone(self._unit, interchange_id, every)
        # Looked at after the step, which waits for whoever does the same.
        entries = await self._unit.outbox.list_of_interchange(interchange_id)
        if any(each.state in OPEN_STATES for each in entries):
            raise InProgressError
        draft = replace(entries[-1].new, due_at=self._now, is_held=False)
        await self._unit.outbox.insert(transaction.account_id, draft, self._now)
        await self._await_anew(transaction, stepped)
        return stepped

    async def make_due(self, transaction: Transaction) -> Sequence[TransactionId]:
        """Make the next attempt due, with all that it waits behind; return the sets that wait.

        If the circuit breaker of the destination is open, the attempt is its next probe.

        Raises:
            InProgressError: It is being sent, or nothing of it waits any more.
        """
        unit, record, now = self._unit, transaction.record, self._now
        interchange_id = _interchange_of(transaction)
        entries = await unit.outbox.list_of_interchange(interchange_id)
        waiting = [each for each in entries if each.state in OPEN_STATES]
        if not waiting or waiting[-1].state is not OutboxState.DUE:
            raise InProgressError
        count = await unit.outbox.make_order_due(waiting[-1], now)
        assert record.partner_id is not None  # what is sent is sent to somebody
        partner = await unit.partners.find(record.partner_id)
        assert partner is not None  # a partner that was traded with cannot be removed
        is_probe = await Destination(unit, partner, record.environment, now).probe_now()
        self._is_sooner = is_probe or count > 0
        sets = [
            each.transaction for each in await unit.transactions.list_of_interchange(interchange_id)
        ]
        return [each.id for each in sets if each.record.states.delivery is DeliveryStatus.PENDING]

    async def cancel(self, transaction: Transaction) -> Sequence[TransactionId]:
        """Take an interchange out of the outbox; return its sets, which are not sent any more.

        What has arrived stays as it is. Nothing is awaited of the partner for the others. Of
        acknowledgements it is noted that we gave them up.

        Raises:
            ConcurrentChangeError: The transaction itself could not step.
            InProgressError: It is being sent.
        """
        interchange_id = _interchange_of(transaction)
        await self._step_interchange(interchange_id, InterchangeStatus.CANCELLED)
        entries = await self._unit.outbox.list_of_interchange(interchange_id)
        await self._cancel_entries(entries)
        stepped = await self._step(interchange_id, _NOT_ARRIVED, DeliveryStatus.CANCELLED)
        if transaction.id not in stepped:
            raise ConcurrentChangeError
        for awaited in await awaited_of(self._unit, stepped):
            # Who answers at the same time wins: then nothing is awaited either.
            row = replace(awaited.ack.row, expected_by=None)
            await answer_ack(self._unit, self._sealer, awaited, row, self._now)
        if entries[-1].new.kind == JobKind.ACKNOWLEDGEMENT:
            failed = AckRowStatus.FAILED
            events = await finish_own(self._unit, interchange_id, failed, self._now)
            self._emit(transaction, [replace(each, actor=self._actor) for each in events])
        return stepped

    def _emit(self, transaction: Transaction, events: Iterable[NewEvent]) -> None:
        self.events.setdefault(transaction.record.environment, []).extend(events)

    async def _step(
        self, interchange_id: InterchangeId, starts: Iterable[DeliveryStatus], to: DeliveryStatus
    ) -> Sequence[TransactionId]:
        return sorted(
            await self._unit.transactions.step_deliveries(
                interchange_id, tuple(starts), to, self._now
            )
        )

    async def _step_interchange(self, interchange_id: InterchangeId, to: InterchangeStatus) -> None:
        # Before the sets, as whoever keeps an acknowledgement does: else each waits for the other.
        await step_outbound(self._unit.interchanges, interchange_id, to, self._now)

    async def _cancel_entries(self, entries: Iterable[OutboxEntry]) -> None:
        """Cancel what waits.

        Raises:
            ConcurrentChangeError: Somebody else changed it.
            InProgressError: A worker has it.
        """
        for entry in entries:
            if entry.state is OutboxState.LEASED:
                raise InProgressError
            if entry.state in WAITING_STATES and not await self._unit.outbox.change_waiting(
                entry.id, entry.state, OutboxState.CANCELLED, entry.new.due_at, self._now
            ):
                raise ConcurrentChangeError

    async def _await_anew(self, transaction: Transaction, stepped: Iterable[TransactionId]) -> None:
        """Reckon from now what is awaited; once it is sent, that moment counts."""
        partner_id = transaction.record.partner_id
        assert partner_id is not None  # what is sent is sent to somebody
        partner = await self._unit.partners.find(partner_id)
        assert partner is not None  # a partner that was traded with cannot be removed
        until = expected_by(self._now, partner.facts.ack_hours)
        for awaited in await awaited_of(self._unit, stepped):
            sent_at = awaited.ack.row.sent_at or self._now
            await self._unit.acks.expect(awaited.ack.id, sent_at, until, self._now)


def _interchange_of(transaction: Transaction) -> InterchangeId:
    interchange_id = transaction.record.interchange_id
    assert interchange_id is not None  # only what has one is delivered
    return interchange_id


class _Act(NamedTuple):
    """The function of an action, and the event that it records for each set that steps."""

    run: Callable[[InterchangeActions, Transaction], Awaitable[Sequence[TransactionId]]]
    event_type: EventType
    status: TransactionStatus
    sentence: str

    def event(self, transaction_id: TransactionId, actor: str, reason: str) -> NewEvent:
        """Return the event of a set whose status changed; ``reason`` may be empty."""
        return NewEvent(
            type=self.event_type,
            data={"transaction_id": transaction_id, "status": self.status},
            transaction_id=transaction_id,
            actor=actor,
            message=f"{self.sentence}: {reason}" if reason else f"{self.sentence}.",
        )


_ACTS: Final[Mapping[Action, _Act]] = MappingProxyType({
    Action.RETRY: _Act(
        InterchangeActions.send_again,
        EventType.TRANSACTION_QUEUED,
        TransactionStatus.QUEUED,
        "Its interchange is sent again, with the same control numbers",
    ),
    Action.CANCEL: _Act(
        InterchangeActions.cancel,
        EventType.TRANSACTION_CANCELLED,
        TransactionStatus.CANCELLED,
        "Its whole interchange is cancelled",
    ),
})
"""The actions on an interchange that is stored; a reissue makes another one."""
_RETRY_NOW: Final = _Act(
    InterchangeActions.make_due,
    EventType.TRANSACTION_QUEUED,
    TransactionStatus.QUEUED,
    "Its next attempt is made at once",
)
"""The action of a retry for an interchange that waits for its next attempt."""


_LARGEST_ID: Final = 2**63 - 1  # what both databases hold


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestedAction:
    """An action, on what, and why."""

    context: RequestContext
    action: Action
    ids: Sequence[int]
    now: datetime
    reason: str = ""
    seen: frozenset[PartnerStatus] = VISIBLE_TO_USERS
    """In which status the caller sees partners."""


async def found_transaction(unit: ReadUnit | WriteUnit, transaction_id: int) -> SealedTransaction:
    """Return a transaction.

    Raises:
        TransactionNotFoundError: The scope has none of this id.
    """
    if not 1 <= transaction_id <= _LARGEST_ID:
        raise TransactionNotFoundError
    stored = await unit.transactions.find(TransactionId(transaction_id))
    if stored is None:
        raise TransactionNotFoundError
    return stored


async def perform(unit: WriteUnit, sealer: Sealer, wanted: RequestedAction) -> InterchangeActions:
    """Do what is wanted; return what was done.

    Raises:
        LongshoreError: As ``TransactionService.retry`` and ``cancel``.
    """
    fault_point(f"transactions.{wanted.action}.before_insert")
    actions = InterchangeActions(unit, sealer, wanted.context.actor, wanted.now)
    if wanted.action is Action.RETRY:
        await _hold(unit, wanted.ids)
    for each in wanted.ids:
        if each not in actions.stepped:
            one = (await found_transaction(unit, each)).transaction
            check_action(wanted.action, one.record.direction, one.record.states, wanted.reason)
            if wanted.action is Action.RETRY:
                await _check_taker(unit, one, wanted.seen)
            await actions.do(wanted.action, one, wanted.reason.strip())
    return actions


async def _hold(unit: WriteUnit, ids: Sequence[int]) -> None:
    """Lock the interchanges of these, and their resend chains, until the unit ends."""
    found = [(await found_transaction(unit, each)).transaction.record for each in ids]
    interchanges = {each.interchange_id for each in found if each.interchange_id is not None}
    await lock_chains(unit, interchanges)


async def record_performed(
    unit: WriteUnit, sealer: Sealer, wanted: RequestedAction, actions: InterchangeActions
) -> None:
    """Record events and the entries of the audit log, which come last in a unit."""
    context, reason = wanted.context, wanted.reason.strip()
    # The records decide, since production acts on those of the sandbox too.
    for environment, events in actions.events.items():
        owner = (context.account_id, environment)
        await EventWriter(unit, sealer, owner).record(events, wanted.now)
    entries = [
        entry_of(context, f"transaction.{wanted.action}", f"transaction {each}", reason)
        for each in wanted.ids
        if each not in actions.unchanged
    ]
    await AuditWriter(unit, sealer, context.account_id).record(entries, wanted.now)
    fault_point(f"transactions.{wanted.action}.before_commit")


async def _check_taker(
    unit: WriteUnit, transaction: Transaction, seen: frozenset[PartnerStatus]
) -> None:
    partner_id = transaction.record.partner_id
    assert partner_id is not None  # what is sent is sent to somebody
    partner = await unit.partners.find(partner_id)
    assert partner is not None  # a partner that was traded with cannot be removed
    ensure_partner_accepts(partner_of(partner), transaction.record.environment, seen)
