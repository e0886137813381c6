"""The store of the audit log, over named queries."""

from collections.abc import Mapping, Sequence
from typing import Final

from longshore.domain.audit.chain import START, chained
from longshore.domain.audit.model import ChainedEntry, SealedEntry
from longshore.domain.ports import AccountId
from longshore.storage.events import SqlEventStore, by_account, draw_positions
from longshore.storage.queries import Row, Sql, SqlValue
from longshore.storage.times import from_us, to_us

_SEQUENCE: Final = "audit"
_BEYOND: Final = 2**62


class SqlAuditStore:
    """The audit log as the scope of one unit shows it."""

    def __init__(self, sql: Sql, events: SqlEventStore) -> None:
        self._sql = sql
        self._events = events
        self.appended: list[SealedEntry] = []
        """Entries that the unit stores last, after its events; their positions are drawn then."""

    async def list_after(
        self, account_id: AccountId, position: int, limit: int
    ) -> Sequence[ChainedEntry]:
        rows = await self._sql.fetch_all(
            "list_audit_after", account_id=account_id, after=position, limit=limit
        )
        return [_entry(row) for row in rows]

    async def list_newest(
        self, account_id: AccountId, before: int | None, limit: int, of_object: str = ""
    ) -> Sequence[ChainedEntry]:
        values: dict[str, SqlValue] = {
            "account_id": account_id,
            "before": _BEYOND if before is None else before,
            "limit": limit,
        }
        if of_object:
            rows = await self._sql.fetch_all("list_audit_of_object", object=of_object, **values)
        else:
            rows = await self._sql.fetch_all("list_audit_newest", **values)
        return [_entry(row) for row in rows]

    async def length(self, account_id: AccountId) -> int:
        row = await self._sql.fetch_one("find_position", account_id=account_id, kind=_SEQUENCE)
        return 0 if row is None else int(row["last"])

    def append(self, entries: Sequence[SealedEntry]) -> None:
        self.appended += entries

    async def store_appended(self) -> None:
        """Store what was appended, in this order, after the events that were."""
        await self._events.store_appended()
        appended, self.appended = self.appended, []
        for account_id, entries in by_account(appended).items():
            first, previous = await self.draw(account_id, len(entries))
            await self.insert(chained(first, previous, entries))

    async def draw(self, account_id: AccountId, count: int) -> tuple[int, bytes]:
        await self.store_appended()
        first = await draw_positions(self._sql, account_id, _SEQUENCE, count) - count + 1
        if first == 1:
            return first, START
        row = await self._sql.fetch_one(
            "find_audit_hash", account_id=account_id, position=first - 1
        )
        # Where the end was cut off the chain goes on all the same, and is broken there.
        return first, START if row is None else row["hash"]

    async def insert(self, entries: Sequence[ChainedEntry]) -> None:
        await self._sql.execute_for_each("insert_audit_entry", [_values(each) for each in entries])


def _values(chained: ChainedEntry) -> Mapping[str, SqlValue]:
    entry = chained.entry
    return {
        "account_id": entry.account_id,
        "position": entry.position,
        "actor": entry.actor,
        "action": entry.action,
        "object": entry.object,
        "ip": entry.ip,
        "request_id": entry.request_id,
        "created_at": to_us(entry.created_at),
        "wrapped_key": entry.wrapped_key,
        "facts": entry.facts,
        "hash": chained.hash,
    }


def _entry(row: Row) -> ChainedEntry:
    entry = SealedEntry(
        account_id=AccountId(row["account_id"]),
        position=row["position"],
        actor=row["actor"],
        action=row["action"],
        object=row["object"],
        ip=row["ip"],
        request_id=row["request_id"],
        created_at=from_us(row["created_at"]),
        wrapped_key=row["wrapped_key"],
        facts=row["facts"],
    )
    return ChainedEntry(entry, row["hash"])
