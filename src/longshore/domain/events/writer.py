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

    async def record(self, events: Sequence[NewEvent], now: datetime) -> tuple[EventId, ...]:
        """Store events in this order; return their ids."""
        if not events:
            return ()
        account_id, environment = self._owner
        ids, sealed = tuple(await self._events.draw(account_id, len(events))), []
        for event_id, new in zip(ids, events, strict=True):
            wrapped_key, facts = self._sealed(event_id, new.message)
            event = SealedEvent(
                id=event_id,
                account_id=account_id,
                environment=environment,
                type=new.type,
                data=new.data,
                transaction_id=new.transaction_id,
                actor=new.actor,
                created_at=now,
                wrapped_key=wrapped_key,
                facts=facts,
            )
            sealed.append(event)
        await self._events.insert(sealed)
        return ids

    def _sealed(self, event_id: EventId, message: str) -> tuple[bytes, bytes]:
        if not message:
            return b"", b""
        associated_data = row_associated_data(ROW_KIND, *self._owner, event_id)
        return encrypt_row(self._sealer, associated_data, message.encode())


def open_message(sealer: Sealer, event: SealedEvent) -> str:
    """Return what an event says to people.

    Raises:
        SealBrokenError: It is not what was stored in this row.
    """
    if not event.facts:
        return ""
    associated_data = row_associated_data(ROW_KIND, event.account_id, event.environment, event.id)
    return decrypt_row(sealer, associated_data, event.wrapped_key, event.facts).decode()
