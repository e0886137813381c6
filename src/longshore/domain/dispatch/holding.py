"""What is held, since the partner takes nothing now, and what is let go when it does again.

Held entries are not attempted and use up no attempt; what comes after one in its order waits. The
partner is asked again before each attempt, so that nobody has to tell the worker of a change.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from longshore.domain.acting import WORKER
from longshore.domain.audit.model import SEPARATION, NewEntry
from longshore.domain.audit.recording import AuditWriter
from longshore.domain.delivery.store import HeldPartner, Lease, OutboxEntry, OutboxState
from longshore.domain.dispatch.acknowledgements import expect_nothing_yet
from longshore.domain.dispatch.units import DispatchReadUnit, DispatchUnits, DispatchWriteUnit
from longshore.domain.events.model import EventType, NewEvent
from longshore.domain.events.recording import EventWriter
from longshore.domain.partners.connections import ConnectionType
from longshore.domain.partners.model import ConnectionStatus, Partner
from longshore.domain.partners.opening import partner_of
from longshore.domain.partners.status import is_kept_from_live, takes_documents
from longshore.domain.ports import SYSTEM, Scope, Sealer
from longshore.domain.transactions.model import DeliveryStatus, InterchangeId, TransactionId
from longshore.kit.clock import Clock
from longshore.kit.environment import Environment
from longshore.kit.faults import fault_point

_AT_ONCE: Final = 100
_PENDING, _HELD, _SENDING = DeliveryStatus.PENDING, DeliveryStatus.HELD, DeliveryStatus.SENDING


def may_be_sent(
    partner: Partner, environment: Environment, ways: Collection[ConnectionType]
) -> bool:
    """Tell whether a partner takes documents of an environment now. ``ways``: there are to send."""
    is_disabled = partner.connection_status(environment) is ConnectionStatus.DISABLED
    has_way = partner.terms.connections.of(environment).type in ways
    return has_way and not is_disabled and takes_documents(partner.status, environment)


async def hold(
    unit: DispatchWriteUnit, sealer: Sealer, entry: OutboxEntry, partner: Partner, clock: Clock
) -> None:
    """Hold an entry whose lease was renewed in this unit, and the sets in it."""
    new, now = entry.new, clock.now()
    assert new.interchange_id is not None
    await unit.outbox.put_back(Lease(id=entry.id, attempt=entry.attempt), now, now)
    await unit.outbox.change_waiting(entry.id, OutboxState.DUE, OutboxState.HELD, now, now)
    await unit.transactions.step_deliveries(new.interchange_id, _SENDING, _PENDING, now)
    held = await unit.transactions.step_deliveries(new.interchange_id, _PENDING, _HELD, now)
    sets = await unit.transactions.list_of_interchange(new.interchange_id)
    await expect_nothing_yet(unit, [each for each in sets if each.transaction.id in held], now)
    events = _events(EventType.TRANSACTION_HELD, held, new.interchange_id)
    owner = (entry.account_id, new.environment)
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

    def __init__(
        self,
        units: DispatchUnits,
        sealer: Sealer,
        clock: Clock,
        ways: Collection[ConnectionType],
    ) -> None:
        self._units = units
        self._sealer = sealer
        self._clock = clock
        self._ways = frozenset(ways)

    async def run_once(self) -> int:
        """Look at all partners that something is held for; return how many entries were let go."""

        async def held(unit: DispatchReadUnit) -> Sequence[HeldPartner]:
            return await unit.outbox.list_held_partners()

        partners = await self._units.read(SYSTEM, held)
        return sum([await self._release_all(each) for each in partners])

    async def _release_all(self, held: HeldPartner) -> int:
        scope = Scope(account_id=held.account_id, environment=held.environment)
        total = 0

        async def work(unit: DispatchWriteUnit) -> int:
            return await self._release(unit, held)

        while released := await self._units.write(scope, work):
            fault_point("dispatch.release.after_commit")
            total += released
        return total

    async def _release(self, unit: DispatchWriteUnit, held: HeldPartner) -> int:
        stored = await unit.partners.find(held.partner_id)
        assert stored is not None  # who was traded with stays
        if not may_be_sent(partner_of(stored), held.environment, self._ways):
            return 0
        now, released, events = self._clock.now(), 0, []
        for entry in await unit.outbox.list_held(held.partner_id, held.environment, _AT_ONCE):
            interchange_id = entry.new.interchange_id
            assert interchange_id is not None
            released += await unit.outbox.change_waiting(
                entry.id, OutboxState.HELD, OutboxState.DUE, now, now
            )
            freed = await unit.transactions.step_deliveries(interchange_id, _HELD, _PENDING, now)
            events += _events(EventType.TRANSACTION_RELEASED, freed, interchange_id)
        owner = (held.account_id, held.environment)
        await EventWriter(unit, self._sealer, owner).record(events, now)
        fault_point("dispatch.release.before_commit")
        return released


def _events(
    event_type: EventType, ids: Sequence[TransactionId], interchange_id: InterchangeId
) -> list[NewEvent]:
    return [
        NewEvent(
            type=event_type,
            data={"transaction_id": each, "interchange_id": interchange_id},
            transaction_id=each,
            actor=WORKER,
        )
        for each in ids
    ]
