"""The store of events, over named queries."""

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Final

from longshore.domain.events.model import EventId, EventType, SealedEvent
from longshore.domain.ports import AccountId
from longshore.kit.environment import Environment
from longshore.storage.queries import Row, Sql, SqlValue
from longshore.storage.times import from_us, to_us
from longshore.storage.word_lists import as_words

_SEQUENCE: Final = "event"


class SqlEventStore:
    """Events as the scope of one unit shows them."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def list_after(
        self,
        environment: Environment,
        after: int,
        limit: int,
        types: Collection[EventType] = (),
    ) -> Sequence[SealedEvent]:
        rows = await self._sql.fetch_all(
            "list_events_after",
            environment=environment,
            after=after,
            limit=limit,
            types=as_words(types),
        )
        return [_event(row) for row in rows]

    async def list_between(
        self, environment: Environment, after: int, since: datetime, until: datetime, limit: int
    ) -> Sequence[SealedEvent]:
        rows = await self._sql.fetch_all(
            "list_events_between",
            environment=environment,
            after=after,
            since=to_us(since),
            until=to_us(until),
            limit=limit,
        )
        return [_event(row) for row in rows]

    async def last(self, account_id: AccountId) -> EventId:
        row = await self._sql.fetch_one("find_position", account_id=account_id, kind=_SEQUENCE)
        return EventId(0 if row is None else row["last"])

    async def find(self, event_id: EventId) -> SealedEvent | None:
        row = await self._sql.fetch_one("find_event", position=event_id)
        return None if row is None else _event(row)

    async def list_of_transaction(self, transaction_id: int) -> Sequence[SealedEvent]:
        rows = await self._sql.fetch_all(
            "list_events_of_transaction", transaction_id=transaction_id
        )
        return [_event(row) for row in rows]

    async def draw(self, account_id: AccountId, count: int) -> Sequence[EventId]:
        last = await draw_positions(self._sql, account_id, _SEQUENCE, count)
        return [EventId(position) for position in range(last - count + 1, last + 1)]

    async def insert(self, events: Sequence[SealedEvent]) -> None:
        await self._sql.execute_for_each("insert_event", [_values(event) for event in events])


async def draw_positions(sql: Sql, account_id: AccountId, kind: str, count: int) -> int:
    """Return the last of the next ``count`` positions in a sequence of an account."""
    row = await sql.fetch_one("draw_positions", account_id=account_id, kind=kind, count=count)
    assert row is not None
    return int(row["last"])


def _values(event: SealedEvent) -> Mapping[str, SqlValue]:
    return {
        "account_id": event.account_id,
        "environment": event.environment,
        "position": event.id,
        "type": event.type,
        "data": json.dumps(event.data),
        "transaction_id": event.transaction_id,
        "actor": event.actor,
        "created_at": to_us(event.created_at),
        "wrapped_key": event.wrapped_key,
        "facts": event.facts,
    }


def _event(row: Row) -> SealedEvent:
    return SealedEvent(
        id=EventId(row["position"]),
        account_id=AccountId(row["account_id"]),
        environment=Environment(row["environment"]),
        type=EventType(row["type"]),
        data=json.loads(row["data"]),
        transaction_id=row["transaction_id"],
        actor=row["actor"],
        created_at=from_us(row["created_at"]),
        wrapped_key=row["wrapped_key"],
        facts=row["facts"],
    )
