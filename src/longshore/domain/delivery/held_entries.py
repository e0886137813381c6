"""Holding entries while their partner takes nothing, and releasing them when it does again.

Held entries are not attempted and use up no attempt; what comes after one in its order waits. The
partner is asked again before each attempt, so that nobody has to tell the worker of a change.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from longshore.domain.audit.model import SEPARATION, NewEntry
from longshore.domain.audit.writer import AuditWriter
from longshore.domain.delivery.acknowledgements import expect_nothing_yet
from longshore.domain.delivery.model import HeldPartner, Lease, OutboxEntry, OutboxState
from longshore.domain.events.model import EventType, NewEvent
from longshore.domain.events.writer import EventWriter
from longshore.domain.partners.connections import ConnectionType
from longshore.domain.partners.encryption import partner_of
from longshore.domain.partners.model import Partner
from longshore.domain.partners.status import HoldReason, hold_reason, is_kept_from_live
from longshore.domain.ports import SYSTEM, WORKER, Ports, Scope
from longshore.domain.transactions.encryption import TransactionWriter
from longshore.domain.transactions.model import (
    DeliveryStatus,
    InterchangeId,
    LastError,
    TransactionId,
)
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.faults import fault_point

_AT_ONCE: Final = 100
_PENDING, _HELD, _SENDING = DeliveryStatus.PENDING, DeliveryStatus.HELD, DeliveryStatus.SENDING


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldEntry:
    """An entry that is to be held, for the partner it is for, and why."""

    entry: OutboxEntry
    partner: Partner
    reason: HoldReason


async def hold(unit: WriteUnit, ports: Ports, holding: HeldEntry, now: datetime) -> None:
    """Hold an entry whose lease was renewed in this unit, and the sets in it."""
    entry, partner, reason = holding.entry, holding.partner, holding.reason
    new = entry.new
    assert new.interchange_id is not None
    await unit.outbox.put_back(Lease(id=entry.id, attempt=entry.attempt), now, now)
    await unit.outbox.change_waiting(entry.id, OutboxState.DUE, OutboxState.HELD, now, now)
    await unit.transactions.step_deliveries(new.interchange_id, _SENDING, _PENDING, now)
    held = await unit.transactions.step_deliveries(new.interchange_id, _PENDING, _HELD, now)
    sets = await unit.transactions.list_of_interchange(new.interchange_id)
    stepped = [each for each in sets if each.transaction.id in held]
    await expect_nothing_yet(unit, stepped, now)
    writer = TransactionWriter(unit, ports.sealer, ports.index, entry.account_id)
    error = LastError(code=reason.code, message=reason.message, at=now)
    for each in stepped:
        await writer.set_last_error(each, error, now)
    events = _events(EventType.TRANSACTION_HELD, held, new.interchange_id, reason)
    owner, sealer = (entry.account_id, new.environment), ports.sealer
    await EventWriter(unit, sealer, owner).record(events, now)
    if is_kept_from_live(partner.status, new.environment):
        await AuditWriter(unit, sealer, entry.account_id).record([_kept_from_live(entry)], now)


def _kept_from_live(entry: OutboxEntry) -> NewEntry:
    return NewEntry(
        actor=WORKER,
        action=f"{SEPARATION}.partner_inactive",
        object=f"interchange {entry.new.interchange_id}",
        detail="The partner is in testing and takes no live documents; this one is held.",
    )


class Releaser:
    """Lets go what is held for partners that take documents again."""

    def __init__(self, ports: Ports, transports: Collection[ConnectionType]) -> None:
        self._ports = ports
        self._transports = frozenset(transports)

    async def run_once(self) -> int:
        """Look at all partners that something is held for; return how many entries were let go."""

        async def held(unit: ReadUnit) -> Sequence[HeldPartner]:
            return await unit.outbox.list_held_partners()

        partners = await self._ports.units.read(SYSTEM, held)
        released = sum([await self._release_all(each) for each in partners])
        await self._resume_suspended()
        return released

    async def _resume_suspended(self) -> None:
        """Make suspended entries due whose trial was cancelled, so that nobody settles them."""
        now = self._ports.clock.now()

        async def resume(unit: WriteUnit) -> int:
            return await unit.outbox.resume_suspended(now)

        await self._ports.units.write(SYSTEM, resume)

    async def _release_all(self, held: HeldPartner) -> int:
        """Release what is held for a partner, unless the reason still exists."""
        scope = Scope(account_id=held.account_id, environment=held.environment)
        total = 0

        async def is_kept(unit: ReadUnit) -> bool:
            return await self._is_kept(unit, held)

        async def work(unit: WriteUnit) -> int:
            return await self._release(unit, held)

        if await self._ports.units.read(scope, is_kept):
            return 0
        while released := await self._ports.units.write(scope, work):
            fault_point("dispatch.release.after_commit")
            total += released
        return total

    async def _is_kept(self, unit: ReadUnit, held: HeldPartner) -> bool:
        """Tell whether the entries of a partner stay held."""
        stored = await unit.partners.find(held.partner_id)
        assert stored is not None  # who was traded with stays
        return hold_reason(partner_of(stored), held.environment, self._transports) is not None

    async def _release(self, unit: WriteUnit, held: HeldPartner) -> int:
        if await self._is_kept(unit, held):  # it may have changed since it was read
            return 0
        writer = TransactionWriter(unit, self._ports.sealer, self._ports.index, held.account_id)
        now, released, events = self._ports.clock.now(), 0, []
        for entry in await unit.outbox.list_held(held.partner_id, held.environment, _AT_ONCE):
            interchange_id = entry.new.interchange_id
            assert interchange_id is not None
            released += await unit.outbox.change_waiting(
                entry.id, OutboxState.HELD, OutboxState.DUE, now, now
            )
            freed = await unit.transactions.step_deliveries(interchange_id, _HELD, _PENDING, now)
            records = await unit.transactions.list_of_interchange(interchange_id)
            for each in [each for each in records if each.transaction.id in freed]:
                await writer.set_last_error(each, None, now)
            events += _events(EventType.TRANSACTION_RELEASED, freed, interchange_id)
        owner = (held.account_id, held.environment)
        await EventWriter(unit, self._ports.sealer, owner).record(events, now)
        fault_point("dispatch.release.before_commit")
        return released


def _events(
    event_type: EventType,
    ids: Sequence[TransactionId],
    interchange_id: InterchangeId,
    reason: HoldReason | None = None,
) -> list[NewEvent]:
    code = {} if reason is None else {"code": reason.code}
    return [
        NewEvent(
            type=event_type,
            data={"transaction_id": each, "interchange_id": interchange_id, **code},
            transaction_id=each,
            actor=WORKER,
            message="" if reason is None else reason.message,
        )
        for each in ids
    ]
