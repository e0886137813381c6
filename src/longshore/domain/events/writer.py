"""Records events inside a write unit, which belongs to another use case, and opens messages."""

from collections.abc import Sequence
from datetime import datetime

from longshore.domain.encryption import Owner, decrypt_row, encrypt_row, row_associated_data
from longshore.domain.events.model import ROW_KIND, EventId, NewEvent, SealedEvent
from longshore.domain.ports import Sealer
from longshore.domain.units import WriteUnit


class EventWriter:
    """Appends to the feed of an account; called once in a unit, after all else but the audit."""

    def __init__(self, unit: WriteUnit, sealer: Sealer, owner: Owner) -> None:
        self._events = unit.events
        self._sealer = sealer
        self._owner = owner

    async def record(self, events: Sequence[NewEvent], now: datetime) -> None:
        """Store events in this order.

        A message is encrypted for the id of its event, so that is drawn at once. Without one the
        events are stored when the unit ends.
        """
        if any(new.message for new in events):
            await self.record_at_once(events, now)
        elif events:
            self._events.append([self._sealed(EventId(0), new, now) for new in events])

    async def record_at_once(
        self, events: Sequence[NewEvent], now: datetime
    ) -> tuple[EventId, ...]:
        """Store events in this order; return their ids, which the unit holds until it ends."""
        ids = tuple(await self._events.draw(self._owner[0], len(events)))
        sealed = [self._sealed(at, new, now) for at, new in zip(ids, events, strict=True)]
        await self._events.insert(sealed)
        return ids

    def _sealed(self, event_id: EventId, new: NewEvent, now: datetime) -> SealedEvent:
        wrapped_key = facts = b""
        if new.message:
            associated_data = row_associated_data(ROW_KIND, *self._owner, event_id)
            wrapped_key, facts = encrypt_row(self._sealer, associated_data, new.message.encode())
        return SealedEvent(
            id=event_id,
            account_id=self._owner[0],
            environment=self._owner[1],
            type=new.type,
            data=new.data,
            transaction_id=new.transaction_id,
            actor=new.actor,
            created_at=now,
            wrapped_key=wrapped_key,
            facts=facts,
        )


def open_message(sealer: Sealer, event: SealedEvent) -> str:
    """Return what an event says to people.

    Raises:
        SealBrokenError: It is not what was stored in this row.
    """
    if not event.facts:
        return ""
    associated_data = row_associated_data(ROW_KIND, event.account_id, event.environment, event.id)
    return decrypt_row(sealer, associated_data, event.wrapped_key, event.facts).decode()
