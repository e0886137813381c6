"""The store of events, over named queries."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final, Protocol, TypeVar

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
        self.appended: list[SealedEvent] = []
        """Events that the unit stores last; their ids are drawn then."""

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

    def append(self, events: Sequence[SealedEvent]) -> None:
        self.appended += events

    async def store_appended(self) -> None:
        """Store what was appended, in this order."""
        appended, self.appended = self.appended, []
        for account_id, events in by_account(appended).items():
            ids = await self.draw(account_id, len(events))
            await self.insert([
                replace(event, id=at) for at, event in zip(ids, events, strict=True)
            ])

    async def draw(self, account_id: AccountId, count: int) -> Sequence[EventId]:
        await self.store_appended()
        last = await draw_positions(self._sql, account_id, _SEQUENCE, count)
        return [EventId(position) for position in range(last - count + 1, last + 1)]

    async def insert(self, events: Sequence[SealedEvent]) -> None:
        await self._sql.execute_for_each("insert_event", [_values(event) for event in events])


class OfAccount(Protocol):
    """A row of an account."""

    @property
    def account_id(self) -> AccountId:
        """Its account."""
        ...


R = TypeVar("R", bound=OfAccount)


def by_account(rows: Iterable[R]) -> Mapping[AccountId, list[R]]:
    """Return rows by account, smaller ids first: in this order sequences are held."""
    found: dict[AccountId, list[R]] = {}
    for row in rows:
        found.setdefault(row.account_id, []).append(row)
    return dict(sorted(found.items()))


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
